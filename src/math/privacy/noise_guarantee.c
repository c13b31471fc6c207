/* What noise promises in each currency, and the least noise that keeps a promise. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/privacy/noise.h"
#include "math/root.h"
#include "math/special/normal.h"

/* Balle & Wang 2018, theorem 8: δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), μ = Δ/σ. */
double gaussian_delta(double mu, double epsilon) {
    if (mu == 0) return 0;
    double first = normal_log_upper(epsilon / mu - mu / 2), second = epsilon + normal_log_upper(epsilon / mu + mu / 2);
    return larger(-exp(first) * expm1(second - first), 0);
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

double laplace_gdp(double epsilon) { return 2 * normal_log_upper_quantile(-epsilon / 2 - M_LN2); }

double pure_gdp(double epsilon) { return 2 * normal_log_upper_quantile(-epsilon - log1p(exp(-epsilon))); }

double noise_delta(const Noise *noise, double epsilon) {
    if (noise->shift == 0) return 0;
    if (noise->family == GAUSSIAN_NOISE) return gaussian_delta(noise->shift / noise->scale, epsilon);
    if (noise->family == LAPLACE_NOISE) return larger(-expm1((epsilon - noise->shift / noise->scale) / 2), 0);
    double delta = noise_test(noise, epsilon).tpr - exp(epsilon + noise_log_fpr(noise, epsilon));
    return delta < 0 ? 0 : delta;
}

double noise_epsilon_at(const Noise *noise, double delta) {
    double high = noise_epsilon(noise), low = 0;
    if (noise_delta(noise, 0) <= delta) return 0;
    if (delta <= 0) return high;
    if (noise->family == UNIFORM_NOISE) return INFINITY;
    if (isinf(high))
        for (high = 1; !(noise_delta(noise, high) <= delta); high *= 2)
            if (high > 1e9) return INFINITY;
    for (int turn = 0; turn < 200 && high - low > 1e-14 * high; turn++) {
        double middle = (low + high) / 2;
        if (noise_delta(noise, middle) > delta) low = middle;
        else high = middle;
    }
    return high;
}

double noise_zcdp(const Noise *noise) {
    double d = noise->shift / noise->scale, best = 0, at = 1;
    if (d == 0) return 0;
    if (noise->family == GAUSSIAN_NOISE || noise->family == DISCRETE_GAUSSIAN_NOISE) return d * d / 2; /* Canonne, Kamath & Steinke 2020 */
    if (noise->family == LAPLACE_NOISE) return laplace_zcdp(d);
    if (noise->family == DISCRETE_LAPLACE_NOISE && d < 1e-3) return d * d / 2; /* as of anything that is d-differentially private */
    if (noise->family == UNIFORM_NOISE) return INFINITY;
    if (noise->family == RANDOMIZED_RESPONSE) return d * d / 2;                                  /* Bun & Steinke 2016, proposition 3.3 */
    for (double order = 1; order < 1000 && noise_epsilon(noise) > best * order; order *= 1.15) { /* it is at most ε/α */
        double value = renyi_over_order(noise, order);
        if (!(value <= best)) {
            best = value;
            at = order;
        }
    }
    double low = fmax(at / 1.15, 1), high = at * 1.15;
    for (int turn = 0; turn < 28; turn++) { /* unimodal near its top: thirds */
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        double value_a = renyi_over_order(noise, a), value_b = renyi_over_order(noise, b);
        if (!(value_a <= best)) best = value_a;
        if (!(value_b <= best)) best = value_b; /* a NaN stays: no promise */
        if (value_a < value_b) low = a;
        else high = b;
    }
    return best;
}

/* Φ⁻¹(tpr) − Φ⁻¹(fpr) of the test at a threshold of 0 or more, by logarithms, which never run out. The curves are symmetric: what is
 * missed, 1 − tpr, is what the test just below the opposite threshold takes wrongly, and has the digits where tpr is above one half. Where a
 * test takes nothing or everything it bounds nothing. */
static double mu_at(const Noise *noise, double threshold) {
    double fpr = noise_log_fpr(noise, threshold), tpr = noise_test(noise, threshold).tpr;
    if (fpr == -INFINITY || fpr == 0 || tpr == 0) return 0;
    if (tpr < 0.5) return normal_log_upper_quantile(fpr) - normal_upper_quantile(tpr);
    double missed = noise_log_fpr(noise, -threshold - (noise_discrete(noise) ? 1e-9 * (1 + threshold) : 0));
    return missed == -INFINITY || missed == 0 ? 0 : normal_log_upper_quantile(missed) + normal_log_upper_quantile(fpr);
}

/* Discrete Laplace by its best corner. The test "at least j" errs with q^j/(1+q) and q^(s+1−j)/(1+q), q = e^(−1/b), for shift s and j from
 * 1 to s. Φ⁻¹(1 − ce^(−x)) is concave in x, since the normal's p/φ falls, so the sum over both is largest in the middle. */
static double discrete_laplace_gdp(double shift, double scale) {
    double j = floor((shift + 1) / 2), total = log1p(exp(-1 / scale));
    return normal_log_upper_quantile(-j / scale - total) + normal_log_upper_quantile(-(shift + 1 - j) / scale - total);
}

/* The largest over thresholds up to `top`: a grid, then thirds about its best. Student's middle is lighter than its tails, so its largest does
 * not lie ten orders of magnitude further out, where hardly a digit of a difference is left. */
static double best_smooth_mu(const Noise *noise, double top, double best) {
    enum { STEPS = 250 };
    double least = noise->family == STUDENT_NOISE ? noise_log_fpr(noise, 0) - 23 : -INFINITY, at = 0;
    for (int i = 1; i < STEPS; i++) {
        double threshold = top * i / STEPS;
        if (noise->family == STUDENT_NOISE && noise_log_fpr(noise, threshold) < least) break;
        double mu = mu_at(noise, threshold);
        if (mu <= best) continue;
        best = mu;
        at = threshold;
    }
    double low = at > top / STEPS ? at - top / STEPS : 0, high = at + top / STEPS;
    for (int turn = 0; turn < 25; turn++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3, mu_a = mu_at(noise, a), mu_b = mu_at(noise, b);
        if (!(mu_a <= best)) best = mu_a;
        if (!(mu_b <= best)) best = mu_b;
        if (mu_a < mu_b) low = a;
        else high = b;
    }
    return best + 2e-15; /* what rounding may have taken off near ½ */
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
    if (top < 1e-7) return top * sqrt(M_PI / 2) * (1 + 1e-9); /* as of anything that is ε-differentially private */
    best = mu_at(noise, 0);
    if (isinf(top)) top = d * (12 + d / 2); /* discrete Gaussian: twelve σ */
    if (!noise_discrete(noise)) return best_smooth_mu(noise, top, best);
    int64_t steps = (int64_t)fmin(4000, 40 * noise->scale + noise->shift + 2);
    for (int64_t i = 1; i < steps; i++) {
        double mu = mu_at(noise, top * (double)i / (double)steps);
        if (!(mu <= best)) best = mu;
    }
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

/* On the logarithm of the scale; the end of the last bracket that satisfies the guarantee is the answer. */
static Status solve_scale(Wanted *w, double *scale, Error *error) {
    Status status = OK;
    double low = log(w->noise.shift > 0 ? w->noise.shift : 1), high = low, over;
    for (; !((over = excess(high, w)) <= 0); high += 1)
        if (isnan(over) || high > low + 150) return fail(error, BAD, "no amount of this noise gives that guarantee");
    for (; !((over = excess(low, w)) > 0); low -= 1) {
        if (isnan(over)) return fail(error, FAILED, "the guarantee of this noise could not be computed at a small scale");
        if (low < high - 150) break; /* any scale will do */
    }
    if (over > 0) TRY(root_narrow(excess, w, &low, &high, 2e-15 * (fabs(high) > 1 ? fabs(high) : 1), error));
    *scale = exp(over > 0 ? high : low);
done:
    return status;
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
