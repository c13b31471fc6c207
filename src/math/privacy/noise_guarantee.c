/* What noise promises in each currency, and the least noise that keeps a promise. */
#include "math/special/normal.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include "base/elementary.h"
#include "math/privacy/noise.h"

/* Balle & Wang 2018, theorem 8: δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), μ = Δ/σ. */
double gaussian_delta(double mu, double epsilon) {
    if (mu == 0) return 0;
    double first = normal_log_upper(epsilon / mu - mu / 2), second = epsilon + normal_log_upper(epsilon / mu + mu / 2);
    return fmax(-exp(first) * expm1(second - first), 0);
}

double gaussian_mu(double epsilon, double delta) {
    double low = 0, high = 1;
    while (gaussian_delta(high, epsilon) < delta && high < 1e9) high *= 2;
    for (int turn = 0; turn < 200 && high - low > 1e-15 * high; turn++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (gaussian_delta(middle, epsilon) <= delta) low = middle;
        else high = middle;
    }
    return low;
}

/* KL divergence of two Laplace distributions, which is where the Rényi divergence over α is largest. */
double laplace_zcdp(double epsilon) { return epsilon < 1e-4 ? epsilon * epsilon * (0.5 - epsilon / 6) : epsilon + expm1(-epsilon); }

double laplace_epsilon_for_zcdp(double zcdp) {
    double e = sqrt(2 * zcdp) + zcdp;
    for (int turn = 0; turn < 60; turn++) { /* Newton; convex and increasing, started above the root */
        double step = (laplace_zcdp(e) - zcdp) / -expm1(-e);
        e -= step;
        if (fabs(step) < 1e-16 * e) break;
    }
    return e;
}

double laplace_gdp(double epsilon) { return 2 * normal_upper_quantile(exp(-epsilon / 2) / 2); }

double pure_gdp(double epsilon) { return 2 * normal_upper_quantile(1 / (1 + exp(epsilon))); }

double noise_delta(const Noise *noise, double epsilon) {
    if (noise->shift == 0) return 0;
    if (noise->family == GAUSSIAN_NOISE) return gaussian_delta(noise->shift / noise->scale, epsilon);
    if (noise->family == LAPLACE_NOISE) return fmax(-expm1((epsilon - noise->shift / noise->scale) / 2), 0);
    RocPoint point = noise_test(noise, epsilon);
    return point.fpr > 0 ? fmax(point.tpr - exp(epsilon) * point.fpr, 0) : point.tpr;
}

double noise_epsilon_at(const Noise *noise, double delta) {
    double high = noise_epsilon(noise), low = 0;
    if (noise_delta(noise, 0) <= delta) return 0;
    if (delta <= 0) return high;
    if (noise->family == UNIFORM_NOISE) return INFINITY;
    if (isinf(high))
        for (high = 1; noise_delta(noise, high) > delta; high *= 2)
            if (high > 1e9) return INFINITY;
    for (int turn = 0; turn < 200 && high - low > 1e-14 * high; turn++) {
        double middle = (low + high) / 2;
        if (noise_delta(noise, middle) > delta) low = middle;
        else high = middle;
    }
    return high;
}

/* Moments of the likelihood ratio: Σ over nodes of p^α q^(1−α), or the KL divergence at α = 1. */
typedef struct Pair {
    double log_here, log_there, weight;
} Pair;

static double student_log_density(double df, double x) { return -(df + 1) / 2 * log1p(x * x / df); }
static double logistic_log_density(double x) { return -fabs(x) - 2 * log1p(exp(-fabs(x))); }

/* Node i of the rule: Student through x = √ν sinh s, logistic on an even grid, discrete Laplace on its own points (the two tails, where the
 * ratio is constant, are summed in closed form by their weights). */
static int64_t pair_count(const Noise *noise) {
    double d = noise->shift / noise->scale;
    if (noise->family == DISCRETE_LAPLACE_NOISE) return (int64_t)noise->shift + 1;
    return noise->family == LOGISTIC_NOISE ? (int64_t)fmin(8 * (d + 100), 2e6) : 1201;
}
static Pair pair_at(const Noise *noise, int64_t i, int64_t count) {
    double d = noise->shift / noise->scale, v = noise->df, share = (double)i / (double)(count - 1);
    if (noise->family == DISCRETE_LAPLACE_NOISE) {
        bool end = i == 0 || i == count - 1;
        return (Pair){ -(double)i / noise->scale, -(noise->shift - (double)i) / noise->scale, end ? 1 / -expm1(-1 / noise->scale) : 1 };
    }
    if (noise->family == LOGISTIC_NOISE) {
        double x = -50 + (d + 100) * share;
        return (Pair){ logistic_log_density(x), logistic_log_density(x - d), 1 };
    }
    /* beyond x² = ν(e^(90/(ν+1)) − 1) the density is e^−45 of its height: the nodes lie where the mass is, for few and for many degrees of
     * freedom */
    double top = asinh(d / sqrt(v) + sqrt(fmin(expm1(90 / (v + 1)), 1e40))), s = top * (2 * share - 1), x = sqrt(v) * sinh(s);
    return (Pair){ student_log_density(v, x), student_log_density(v, x - d), cosh(s) };
}

static double divergence_over_order(const Noise *noise, double order) {
    int64_t count = pair_count(noise);
    double sum = 0, total = 0, top = -INFINITY; /* the largest term, taken out so that nothing overflows or vanishes */
    for (int64_t i = 0; order > 1 && i < count; i++) {
        Pair p = pair_at(noise, i, count);
        top = fmax(top, p.log_there + (order - 1) * (p.log_there - p.log_here));
    }
    for (int64_t i = 0; i < count; i++) {
        Pair p = pair_at(noise, i, count);
        double ratio = p.log_there - p.log_here; /* the shifted one against the other */
        total += p.weight * exp(p.log_here);
        sum += order == 1 ? p.weight * exp(p.log_there) * ratio : p.weight * exp(p.log_there + (order - 1) * ratio - top);
    }
    return order == 1 ? sum / total : (top + log(sum / total)) / (order - 1) / order;
}

double noise_zcdp(const Noise *noise) {
    double d = noise->shift / noise->scale, best = 0, at = 1;
    if (d == 0) return 0;
    if (noise->family == GAUSSIAN_NOISE || noise->family == DISCRETE_GAUSSIAN_NOISE) return d * d / 2; /* Canonne, Kamath & Steinke 2020 */
    if (noise->family == LAPLACE_NOISE || (noise->family == DISCRETE_LAPLACE_NOISE && noise->shift > 1e6)) return laplace_zcdp(d);
    if (noise->family == UNIFORM_NOISE) return INFINITY;
    if (noise->family == RANDOMIZED_RESPONSE) return d * d / 2;                                  /* Bun & Steinke 2016, proposition 3.3 */
    for (double order = 1; order < 1000 && noise_epsilon(noise) > best * order; order *= 1.15) { /* it is at most ε/α */
        double value = divergence_over_order(noise, order);
        if (value > best) {
            best = value;
            at = order;
        }
    }
    double low = fmax(at / 1.15, 1), high = at * 1.15;
    for (int turn = 0; turn < 28; turn++) { /* unimodal near its top: thirds */
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        double value_a = divergence_over_order(noise, a), value_b = divergence_over_order(noise, b);
        best = fmax(best, fmax(value_a, value_b));
        if (value_a < value_b) low = a;
        else high = b;
    }
    return best;
}

/* Φ⁻¹(tpr) − Φ⁻¹(fpr) of the test at a threshold. The curves are symmetric: what is missed, 1 − tpr, is what the test just below the
 * opposite threshold takes wrongly, and so keeps its digits where tpr is all but 1. */
static double mu_at(const Noise *noise, double threshold) {
    double fpr = noise_test(noise, threshold).fpr, missed = noise_test(noise, -threshold - 1e-9 * (1 + fabs(threshold))).fpr;
    if (noise->family == STUDENT_NOISE && fpr < 1e-10)
        return 0; /* its tails are heavier than its middle: the largest lies there, and far out the library's digits run out */
    return fpr > 0 && missed > 0 && missed < 1 && fpr < 1 ? normal_upper_quantile(missed) + normal_upper_quantile(fpr) : 0;
}

/* Discrete Laplace by its best corner. The test "at least j" errs with q^j/(1+q) and q^(s+1−j)/(1+q), q = e^(−1/b), for shift s and j from
 * 1 to s. Φ⁻¹(1 − ce^(−x)) is concave in x, since the normal's p/φ falls, so the sum over both is largest in the middle. */
static double discrete_laplace_gdp(double shift, double scale) {
    double q = exp(-1 / scale), j = floor((shift + 1) / 2);
    return normal_upper_quantile(exp(-j / scale) / (1 + q)) + normal_upper_quantile(exp(-(shift + 1 - j) / scale) / (1 + q));
}

/* The least μ whose trade-off curve lies under this one's: the largest Φ⁻¹(tpr) − Φ⁻¹(fpr). The curves are symmetric, so thresholds from 0
 * up suffice; between the corners of a discrete one it is linear and Gaussian's is convex, so its corners suffice. */
double noise_gdp(const Noise *noise) {
    double d = noise->shift / noise->scale, top = noise_epsilon(noise), best;
    if (d == 0) return 0;
    if (noise->family == GAUSSIAN_NOISE) return d;
    if (noise->family == LAPLACE_NOISE) return laplace_gdp(d);
    if (noise->family == RANDOMIZED_RESPONSE) return pure_gdp(d);
    if (noise->family == UNIFORM_NOISE) return INFINITY;
    if (noise->family == DISCRETE_LAPLACE_NOISE) return discrete_laplace_gdp(noise->shift, noise->scale);
    if (noise_discrete(noise) && noise->scale > 20000) {
        Noise smooth = noise_continuous(noise);
        return noise_gdp(&smooth);
    }
    best = mu_at(noise, 0);
    if (isinf(top)) top = d * (12 + d / 2); /* discrete Gaussian: twelve σ */
    int64_t steps = noise_discrete(noise) ? (int64_t)fmin(4000, 40 * noise->scale + noise->shift + 2) : 2000;
    for (int64_t i = 1; i < steps; i++) best = fmax(best, mu_at(noise, top * (double)i / (double)steps));
    return best;
}

/* What is wanted of the noise: a promise of its own, or a δ at some ε. */
typedef struct Wanted {
    Noise noise;
    NoisePromise *of;
    double epsilon, value;
} Wanted;

static double excess(double log_scale, void *p) {
    Wanted *w = p;
    w->noise.scale = exp(log_scale);
    return (w->of ? w->of(&w->noise) : noise_delta(&w->noise, w->epsilon)) - w->value;
}

/* Brent's method on the logarithm of the scale; the end of the last bracket that keeps the promise is the answer. */
static Status solve_scale(Wanted *w, double *scale, Error *error) {
    double low = log(w->noise.shift > 0 ? w->noise.shift : 1), high = low;
    for (; excess(high, w) > 0; high += 1)
        if (high > low + 150) return fail(error, BAD, "no amount of this noise keeps that promise");
    for (; excess(low, w) <= 0; low -= 1)
        if (low < high - 150) {
            *scale = exp(low);
            return OK;
        } /* any scale will do */
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_function f = { .function = excess, .params = w };
    if (!solver) return fail(error, FAILED, "out of memory");
    gsl_root_fsolver_set(solver, &f, low, high);
    for (int turn = 0; turn < 200 && high - low > 1e-15 * fmax(fabs(high), 1); turn++) {
        if (gsl_root_fsolver_iterate(solver)) break;
        double root = gsl_root_fsolver_root(solver);
        if (root > low && root < high) {
            if (excess(root, w) > 0) low = root;
            else high = root;
        }
        double nudge = 2e-15 * fmax(fabs(high), 1); /* Brent closes in from one side: step over the root to close the other */
        if (low + nudge < high && excess(low + nudge, w) <= 0) high = low + nudge;
        if (high - nudge > low && excess(high - nudge, w) > 0) low = high - nudge;
        if (high - low <= 2 * nudge) break;
    }
    gsl_root_fsolver_free(solver);
    *scale = exp(high);
    return OK;
}

Status noise_scale_for(Noise *noise, NoisePromise *of, double wanted, Error *error) {
    Wanted w = { .noise = *noise, .of = of, .value = wanted };
    return solve_scale(&w, &noise->scale, error);
}

Status noise_scale_for_delta(Noise *noise, double epsilon, double delta, Error *error) {
    if (noise->family == GAUSSIAN_NOISE) {
        noise->scale = noise->shift / gaussian_mu(epsilon, delta);
        return OK;
    }
    if (noise->family == LAPLACE_NOISE) {
        noise->scale = noise->shift / (epsilon - 2 * log1p(-delta));
        return OK;
    }
    Wanted w = { .noise = *noise, .epsilon = epsilon, .value = delta };
    return solve_scale(&w, &noise->scale, error);
}
