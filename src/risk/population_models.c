/* Models of class sizes in a population, fitted to a sample. */
#include "risk/population_models.h"
#include "base/elementary.h"
#include "math/special/gamma.h"
#include "math/special/log_gamma.h"

/* Under equal sampling probabilities a population unique is in the sample with probability n/N, and is then a sample unique. */
static double given_sample_unique(const Sizes *s, double N, double uniques) {
    return s->ones > 0 ? fmin(1, uniques * s->records / N / s->ones) : NAN;
}

/* K cells, F Poisson with gamma-distributed means. β̂ = (K s²/n − 1)/n, s² the variance of f over all K cells; α = 1/(Kβ); U =
 * N(1+Nβ)^−(1+α); Pr(PU | SU) = ((1+nβ)/(1+Nβ))^(1+α) (Bethlehem, Keller & Pannekoek 1990; Skinner et al. 1994). */
Uniques poisson_gamma_uniques(const Sizes *s, double N, double K) {
    double n = s->records, squares = 0;
    for (int64_t i = 0; i < s->distinct; i++) squares += s->count[i] * (double)s->size[i] * (double)s->size[i];
    double variance = K > 1 ? (squares - n * n / K) / (K - 1) : 0, beta = (K * variance / n - 1) / n, alpha = 1 / (K * beta);
    if (!(beta > 0)) return (Uniques){ .why = "The class sizes vary less than a Poisson variable, so the model has no estimate." };
    return (Uniques){ N * pow(1 + N * beta, -(1 + alpha)), pow((1 + n * beta) / (1 + N * beta), 1 + alpha), { alpha, beta }, NULL };
}

/* ---- Pitman ---- */

/* ln L = Σ_{i<u} ln(θ+iα) − Σ_{i<n} ln(θ+i) + Σ_j s_j Σ_{i<j} ln(i−α), i from 1 (Pitman 1995; Hoshino 2001), as differences of ln Γ; u the
 * number of classes. First and second derivatives in (θ, α). */
typedef struct Slope {
    double value, theta, alpha, theta2, both, alpha2;
} Slope;
static Slope pitman_slope(const Sizes *s, double theta, double alpha) {
    double u = s->classes, n = s->records, from = theta / alpha;
    Slope d = { 0 };
    /* Σ_{i=1}^{u−1} ln(θ+iα) = (u−1) ln α + ln Γ(θ/α+u) − ln Γ(θ/α+1) */
    double p = digamma_difference(from + 1, u - 1), q = trigamma_difference(from + 1, u - 1);
    double dt = 1 / alpha, da = -theta / (alpha * alpha);
    d.value = (u - 1) * log(alpha) + log_gamma_difference(from + 1, u - 1) - log_gamma_difference(theta + 1, n - 1);
    d.theta = p * dt - digamma_difference(theta + 1, n - 1);
    d.theta2 = q * dt * dt - trigamma_difference(theta + 1, n - 1);
    d.alpha = (u - 1) / alpha + p * da;
    d.alpha2 = -(u - 1) / (alpha * alpha) + q * da * da + p * 2 * theta / (alpha * alpha * alpha);
    d.both = q * dt * da - p / (alpha * alpha);
    for (int64_t i = 0; i < s->distinct; i++) {
        double more = (double)s->size[i] - 1;
        if (more < 1) continue;
        d.value += s->count[i] * log_gamma_difference(1 - alpha, more);
        d.alpha -= s->count[i] * digamma_difference(1 - alpha, more);
        d.alpha2 += s->count[i] * trigamma_difference(1 - alpha, more);
    }
    return d;
}

typedef struct PitmanFit {
    double theta, alpha, value;
    bool converged;
} PitmanFit;

/* One step of Newton's method in (ln θ, logit α), which keeps both in range, halved until it climbs; along the gradient where the likelihood
 * is not concave. *length: how far it goes, 0 where no halving of it climbs. */
static void pitman_step(const Sizes *s, PitmanFit *fit, const Slope *d, double *length) {
    double t = fit->theta, a = fit->alpha, w = a * (1 - a), w2 = w * (1 - 2 * a), gx = d->theta * t, gy = d->alpha * w;
    double xx = d->theta2 * t * t + gx, xy = d->both * t * w, yy = d->alpha2 * w * w + d->alpha * w2, det = xx * yy - xy * xy;
    double dx = gx, dy = gy;
    if (xx < 0 && det > 0) {
        dx = -(yy * gx - xy * gy) / det;
        dy = -(xx * gy - xy * gx) / det;
    }
    double longest = fabs(dx) > fabs(dy) ? fabs(dx) : fabs(dy), scale = longest > 1 ? 1 / longest : 1;
    *length = 0;
    for (int half = 0; half < 60; half++, scale /= 2) {
        double next_t = t * exp(scale * dx), next_a = 1 / (1 + (1 / a - 1) * exp(-scale * dy));
        if (!(next_a > 0 && next_a < 1) || !isfinite(next_t)) continue;
        double value = pitman_slope(s, next_t, next_a).value;
        if (!(value >= d->value - 1e-12 * fabs(d->value))) continue;
        *fit = (PitmanFit){ next_t, next_a, value, false };
        *length = scale * longest;
        return;
    }
}

/* Converged where the steps end at a zero of the slope, in (ln θ, logit α) and per class; or at α = 0, which is Ewens' model. */
static PitmanFit pitman_fit(const Sizes *s, double alpha) {
    PitmanFit fit = { s->classes > 10 ? s->classes / 10 : 1, alpha, -INFINITY, false };
    for (int step = 0; step < 500 && !fit.converged; step++) {
        double length;
        Slope d = pitman_slope(s, fit.theta, fit.alpha);
        pitman_step(s, &fit, &d, &length);
        bool flat = fabs(d.theta * fit.theta) < 1e-6 * s->classes && fabs(d.alpha * fit.alpha * (1 - fit.alpha)) < 1e-6 * s->classes;
        if (length < 1e-11 && !flat) break; /* no step climbs, and it is no maximum */
        fit.converged = (length < 1e-11 && flat) || fit.alpha < 1e-7;
        if (fit.alpha > 1 - 1e-9 || fit.theta < 1e-9 || fit.theta > 1e12) break;
    }
    return fit;
}

/* The expected number of classes of one: N (θ+α)_(N−1)/(θ+1)_(N−1), rising factorials (Pitman 1995); Γ(θ+1)/Γ(θ+α)·N^α, Hoshino 2001, is
 * its limit for N far above θ, and can exceed N below. The best of three starts. */
Uniques pitman_uniques(const Sizes *s, double N) {
    static const double starts[] = { 0.5, 0.1, 0.9 };
    PitmanFit best = { NAN, NAN, -INFINITY, false };
    if (!(s->classes < s->records) || !(s->ones > 0))
        return (Uniques){ .why = "Pitman's model needs classes of one record and of several." };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        PitmanFit fit = pitman_fit(s, starts[i]);
        if (fit.converged && (!best.converged || fit.value > best.value + 1e-9 * fabs(best.value))) best = fit;
    }
    if (!best.converged) return (Uniques){ .why = "The fit of Pitman's model found no maximum with 0 < α < 1." };
    double uniques = N * exp(log_gamma_difference(best.theta + best.alpha, N - 1) - log_gamma_difference(best.theta + 1, N - 1));
    return (Uniques){ uniques, given_sample_unique(s, N, uniques), { best.theta, best.alpha }, NULL };
}

/* ---- Zayatz ---- */

/* As if the population's classes were distributed as the sample's: P = c₁h₁/Σc_i h_i, h_i the chance that a class of i has one member in a
 * sample of n of N; U = P·n₁N/n (Zayatz 1991). */
Uniques zayatz_uniques(const Sizes *s, double N) {
    double sum = 0, own = 0;
    for (int64_t i = 0; i < s->distinct; i++) {
        double size = (double)s->size[i], h = exp(log_hypergeometric_term(1, size, N - size, s->records));
        sum += s->count[i] * h;
        if (s->size[i] == 1) own = s->count[i] * h;
    }
    if (!(sum > 0)) return (Uniques){ .why = "No class can have one member in the sample." };
    return (Uniques){ own / sum * s->ones * N / s->records, own / sum, { NAN, NAN }, NULL };
}

/* ---- Slide negative binomial ---- */

/* F = 1 + X, X negative binomial with P(X = x) = Γ(x+r)/(Γ(r)x!)·p^r q^x, in K classes, K(1 + rq/p) = N. A sample of π = n/N has the
 * generating function G(1−π+πs), G(s) = s(p/(1−qs))^r. Expected classes in the sample and sample uniques, both per record of the
 * population. */
static void slide_expected(double r, double p, double pi, double *classes, double *ones) {
    double q = 1 - p, a = 1 - pi, d = 1 - q * a, K = 1 / (1 + r * q / p), t = exp(r * log(p / d));
    *classes = K * (1 - a * t);
    *ones = K * pi * t * (1 + a * r * q / d);
}

/* For given r the number of classes falls with the mean of F, that is rises with p: bisection. */
static double slide_p(double r, double pi, double classes) {
    double low = -40, high = 40, p = 0.5, seen, ones;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        p = 1 / (1 + exp(-middle));
        slide_expected(r, p, pi, &seen, &ones);
        if (seen < classes) low = middle;
        else high = middle;
    }
    slide_expected(r, p, pi, &seen, &ones);
    return fabs(seen / classes - 1) < 1e-6 ? p : NAN;
}

static double slide_gap(double log_r, double pi, double classes, double wanted, double *p) {
    double seen, ones;
    *p = slide_p(exp(log_r), pi, classes);
    if (isnan(*p)) return NAN;
    slide_expected(exp(log_r), *p, pi, &seen, &ones);
    return ones - wanted;
}

/* r and p so that the expected numbers of classes and of uniques in the sample are those seen (Chen & Keller-McNulty 1998); U = K p^r. */
Uniques slide_negative_binomial_uniques(const Sizes *s, double N) {
    double pi = s->records / N, classes = s->classes / N, ones = s->ones / N, p = NAN, before = NAN, low = NAN, high = NAN;
    if (!(pi < 1)) return (Uniques){ s->ones, 1, { NAN, NAN }, NULL };
    for (double at = -18; at <= 12; at += 0.25) {
        double gap = slide_gap(at, pi, classes, ones, &p);
        if (!isnan(gap) && !isnan(before) && (gap > 0) != (before > 0)) {
            low = at - 0.25;
            high = at;
            break;
        }
        before = gap;
    }
    if (isnan(low)) return (Uniques){ .why = "No slide negative binomial distribution has the sample's number of classes and of uniques." };
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2, gap = slide_gap(middle, pi, classes, ones, &p);
        if (isnan(gap)) break;
        if ((gap > 0) == (before > 0)) low = middle;
        else high = middle;
    }
    double r = exp((low + high) / 2);
    p = slide_p(r, pi, classes);
    double uniques = N / (1 + r * (1 - p) / p) * exp(r * log(p));
    return (Uniques){ uniques, given_sample_unique(s, N, uniques), { r, p }, NULL };
}

/* ---- Poisson ---- */

/* K cells of equal probability: K(1 - e^(-n/K)) classes are expected in the sample, U = N e^(-N/K), Pr(PU | SU) = e^(-(N - n)/K). */
Uniques poisson_uniques(const Sizes *s, double N) {
    double n = s->records, low = s->classes, high = 1e18;
    if (!(s->classes < n)) return (Uniques){ .why = "Every class has one record, which is consistent with any number of cells." };
    for (int i = 0; i < 200; i++) {
        double middle = sqrt(low * high);
        if (-middle * expm1(-n / middle) < s->classes) low = middle;
        else high = middle;
    }
    return (Uniques){ N * exp(-N / low), exp(-(N - n) / low), { low, NAN }, NULL };
}

/* ---- which model fits ---- */

Uniques uniques_by(SizeModel model, const Sizes *s, double N, double cells) {
    switch (model) {
    case MODEL_POISSON_GAMMA: return poisson_gamma_uniques(s, N, cells);
    case MODEL_PITMAN: return pitman_uniques(s, N);
    case MODEL_ZAYATZ: return zayatz_uniques(s, N);
    case MODEL_SLIDE: return slide_negative_binomial_uniques(s, N);
    case MODEL_POISSON: return poisson_uniques(s, N);
    }
    return (Uniques){ .why = "There is no such model." };
}

/* K Gamma(j + a)/(Gamma(a) j!) (1 - x)^a x^j */
static double negative_binomial(double K, double a, double x, double j) {
    return j < 0 ? 0 : K * exp(log_gamma_difference(a, j) - log_gamma(j + 1) + a * log1p(-x) + j * log(x));
}

/* Classes of j records that the fitted model expects in the sample. Pitman: C(n, j) (1 - a)_(j-1) (t + a)_(n-j) / (t + 1)_(n-1), rising
 * factorials (Pitman 1995). Slide: its generating function at 1 - pi + pi s. */
static double expected_classes(SizeModel model, const Sizes *s, const Uniques *u, double N, double cells, double j) {
    double n = s->records, first = u->parameter[0], second = u->parameter[1];
    if (model == MODEL_POISSON) return first * exp(log_poisson_term(j, n / first));
    if (model == MODEL_POISSON_GAMMA) return negative_binomial(cells, first, n * second / (1 + n * second), j);
    if (model == MODEL_PITMAN)
        return j > n ? 0
                     : exp(log_choose(n, j) + log_gamma_difference(1 - second, j - 1) + log_gamma_difference(first + second, n - j) -
                           log_gamma_difference(first + 1, n - 1));
    double r = first, p = second, q = 1 - p, pi = n / N, a = 1 - pi, d = 1 - q * a, K = N / (1 + r * q / p), x = q * pi / d;
    if (!(pi < 1)) return NAN;
    double scale = exp(r * log(p / d) - r * log1p(-x));
    return scale * (a * negative_binomial(K, r, x, j) + pi * negative_binomial(K, r, x, j - 1));
}

double uniques_fit(SizeModel model, const Sizes *s, const Uniques *u, double N, double cells) {
    enum { MOST = 60 };
    double statistic = 0, expected = 0, seen = 0, left = s->classes, degrees = model == MODEL_POISSON ? -1 : -2, all = 0;
    int64_t at = 0;
    if (u->why || model == MODEL_ZAYATZ) return NAN;
    for (int j = 1; j <= MOST; j++) {
        double more = expected_classes(model, s, u, N, cells, j);
        if (!isfinite(more)) return NAN;
        expected += more;
        all += more;
        while (at < s->distinct && s->size[at] < j) at++;
        if (at < s->distinct && s->size[at] == j) {
            seen += s->count[at];
            left -= s->count[at];
        }
        if (expected < 5 || s->classes - all < 5) continue;
        statistic += (seen - expected) * (seen - expected) / expected;
        degrees++;
        expected = seen = 0;
    }
    expected += fmax(s->classes - all, 0); /* the rest: larger classes */
    seen += left;
    if (expected > 0) {
        statistic += (seen - expected) * (seen - expected) / fmax(expected, 1);
        degrees++;
    }
    return degrees > 0 ? chi_square_tails(degrees, statistic).upper : NAN;
}

double uniques_error(SizeModel model, const Sizes *s, double N, double cells, double *scratch) {
    double variance = 0;
    const double step = 0.02;
    for (int64_t from = 0, to; from < s->distinct; from = to) { /* sizes one by one, large ones together */
        double u[2], count = 0;
        for (to = from; to < s->distinct && (to == from || (from >= 8 && s->size[to] < 2 * s->size[from])); to++) count += s->count[to];
        for (int side = 0; side < 2; side++) {
            Sizes moved = *s;
            moved.count = scratch;
            moved.records = moved.classes = 0;
            for (int64_t i = 0; i < s->distinct; i++) {
                scratch[i] = s->count[i] * (i >= from && i < to ? 1 + (side ? step : -step) : 1);
                moved.records += scratch[i] * (double)s->size[i];
                moved.classes += scratch[i];
            }
            moved.ones = s->size[0] == 1 ? scratch[0] : 0;
            Uniques x = uniques_by(model, &moved, N, cells);
            if (x.why) return NAN;
            u[side] = x.uniques;
        }
        double slope = (u[1] - u[0]) / (2 * step);
        variance += slope * slope / fmax(count, 1);
    }
    return sqrt(variance);
}
