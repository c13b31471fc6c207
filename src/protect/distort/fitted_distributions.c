/* Laws fitted by maximum likelihood. */
#include "protect/distort/fitted_distributions.h"
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/random.h"
#include "math/distributions.h"
#include "math/ranks.h"
#include "math/special/gamma.h"
#include "math/special/log_gamma.h"
#include "math/special/normal.h"
#include "table/group.h"

const char *fitted_name(LawKind kind) {
    static const char *const names[] = { "normal", "lognormal", "gamma", "weibull", "exponential", "uniform", "kernel" };
    return names[kind];
}

typedef struct {
    double mean, sd;
} Pair;
static Pair mean_and_sd(const double *x, int64_t count, bool logs) {
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < count; i++) mean += (logs ? log(x[i]) : x[i]) / (double)count;
    for (int64_t i = 0; i < count; i++) squares += pow((logs ? log(x[i]) : x[i]) - mean, 2);
    return (Pair){ mean, sqrt(squares / (double)count) };
}

/* Shape k of the gamma law: ln k − ψ(k) = ln(mean) − mean(ln x), by Newton from Minka's start. */
static bool fit_gamma(const double *x, int64_t count, FittedDistribution *law) {
    double mean = mean_and_sd(x, count, false).mean, s = log(mean) - mean_and_sd(x, count, true).mean;
    if (!(s > 1e-12)) return false;
    double k = (3 - s + sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
    bool converged = false;
    for (int step = 0; step < 60 && !converged; step++) {
        double change = (log_minus_digamma(k) - s) / (1 / k - trigamma(k));
        k = k - change > 0 ? k - change : k / 2;
        converged = fabs(change) < 1e-12 * k;
    }
    law->first = k;
    law->second = mean / k;
    return converged && k >= 1e-3 && k <= 1e9; /* where its quantiles are known */
}

/* Shape k of the Weibull law: Σx^k·ln x / Σx^k − 1/k = mean(ln x), by Newton; x over its largest value, so that no power overflows. The
 * start is the moment estimate of the logarithms. */
static bool fit_weibull(const double *x, int64_t count, FittedDistribution *law) {
    Pair logs = mean_and_sd(x, count, true);
    double top = x[count - 1], mean_log = logs.mean - log(top), k = logs.sd > 0 ? M_PI / (logs.sd * sqrt(6)) : NAN, sum = 0;
    bool converged = false;
    for (int step = 0; step < 60 && !converged && k > 0 && isfinite(k); step++) {
        double first = 0, second = 0;
        sum = 0;
        for (int64_t i = 0; i < count; i++) {
            double l = log(x[i] / top), power = exp(k * l);
            sum += power;
            first += power * l;
            second += power * l * l;
        }
        double ratio = first / sum, change = (ratio - 1 / k - mean_log) / (second / sum - ratio * ratio + 1 / (k * k));
        k = k - change > 0 ? k - change : k / 2;
        converged = fabs(change) < 1e-10 * k;
    }
    if (!converged || !(k > 0) || !isfinite(k)) return false;
    law->first = k;
    law->second = top * pow(sum / (double)count, 1 / k);
    return true;
}

/* Silverman's rule: h = 0.9·min(sd, IQR/1.34)·n^(−1/5). */
static double bandwidth(const double *x, int64_t count) {
    double sd = mean_and_sd(x, count, false).sd, range = (sorted_quantile(x, count, 0.75) - sorted_quantile(x, count, 0.25)) / 1.34;
    return 0.9 * (range > 0 ? fmin(sd, range) : sd) * pow((double)count, -0.2);
}

void fitted_fit(LawKind kind, const double *sorted, int64_t count, FittedDistribution *out) {
    *out = (FittedDistribution){ .kind = kind, .sorted = sorted, .count = count, .ks = NAN, .p_value = NAN };
    if (count < 2 || sorted[0] == sorted[count - 1]) return;
    out->not_negative = sorted[0] >= 0;
    bool positive = sorted[0] > 0;
    Pair pair;
    switch (kind) {
    case NORMAL_LAW:
    case LOGNORMAL_LAW:
        if (kind == LOGNORMAL_LAW && !positive) return;
        pair = mean_and_sd(sorted, count, kind == LOGNORMAL_LAW);
        out->first = pair.mean;
        out->second = pair.sd;
        break;
    case GAMMA_LAW:
        if (!positive || !fit_gamma(sorted, count, out)) return;
        break;
    case WEIBULL_LAW:
        if (!positive || !fit_weibull(sorted, count, out)) return;
        break;
    case EXPONENTIAL_LAW:
        out->first = mean_and_sd(sorted, count, false).mean;
        if (sorted[0] < 0 || !(out->first > 0)) return;
        break;
    case UNIFORM_LAW:
        out->first = sorted[0];
        out->second = sorted[count - 1];
        break;
    default:
        out->first = bandwidth(sorted, count);
        if (!(out->first > 0)) return;
    }
    out->fits = true;
}

/* The number of sorted values below `edge`. */
static int64_t count_below(const FittedDistribution *law, double edge) {
    int64_t low = 0, high = law->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (law->sorted[middle] < edge) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The kernel's: the mean of Φ((x − x_i)/h). Values more than seven bandwidths away count at once; of very many nearby ones, every
 * so-and-so-many-th stands for its neighbours (an error under 1/CENTRES). */
static double kernel_cdf(const FittedDistribution *law, double x) {
    enum { CENTRES = 20000 };
    int64_t first = count_below(law, x - 7 * law->first), last = count_below(law, x + 7 * law->first), step = (last - first) / CENTRES + 1;
    double sum = 0, used = 0;
    for (int64_t i = first + step / 2; i < last; i += step, used++) sum += normal_lower((x - law->sorted[i]) / law->first);
    return ((used > 0 ? sum / used * (double)(last - first) : 0) + (double)first) / (double)law->count;
}

/* Of values that are never negative: the normal law is cut off at 0, the kernel reflected there (Silverman 1986, section 2.10). */
static double normal_cdf(const FittedDistribution *law, double x) {
    double below = law->not_negative ? normal_lower(-law->first / law->second) : 0;
    return (normal_lower((x - law->first) / law->second) - below) / (1 - below);
}

double fitted_cdf(const FittedDistribution *law, double x) {
    if (law->not_negative && x < 0) return 0;
    switch (law->kind) {
    case NORMAL_LAW: return normal_cdf(law, x);
    case LOGNORMAL_LAW: return x > 0 ? normal_lower((log(x) - law->first) / law->second) : 0;
    case GAMMA_LAW: return x > 0 ? gamma_tails(law->first, x / law->second).lower : 0;
    case WEIBULL_LAW: return x > 0 ? -expm1(-pow(x / law->second, law->first)) : 0;
    case EXPONENTIAL_LAW: return x > 0 ? -expm1(-x / law->first) : 0;
    case UNIFORM_LAW: return x < law->first ? 0 : x > law->second ? 1 : (x - law->first) / (law->second - law->first);
    default: return kernel_cdf(law, x) - (law->not_negative && x < 7 * law->first ? kernel_cdf(law, -x) : 0);
    }
}

Status fitted_draw(const FittedDistribution *law, double u, double v, double *x, Error *error) {
    Status status = OK;
    switch (law->kind) {
    case NORMAL_LAW:
        if (law->not_negative) u = 1 - (1 - u) * normal_lower(law->first / law->second);
        *x = law->first + law->second * normal_quantile(u);
        break;
    case LOGNORMAL_LAW: *x = exp(law->first + law->second * normal_quantile(u)); break;
    case GAMMA_LAW:
        TRY(gamma_quantile(law->first, u, 1 - u, x, error));
        *x *= law->second;
        break;
    case WEIBULL_LAW: *x = law->second * pow(-log1p(-u), 1 / law->first); break;
    case EXPONENTIAL_LAW: *x = -law->first * log1p(-u); break;
    case UNIFORM_LAW: *x = law->first + u * (law->second - law->first); break;
    default: *x = law->sorted[(int64_t)(u * (double)law->count)] + law->first * normal_quantile(v);
    }
    if (!isfinite(*x)) TRY(fail(error, FAILED, "a draw from the fitted %s distribution is not finite", fitted_name(law->kind)));
    if (law->not_negative && *x < 0) *x = law->kind == KERNEL_LAW ? -*x : 0;
done:
    return status;
}

void fitted_judge(FittedDistribution *law, const double *sorted, int64_t count) {
    enum { GRID = 512 };
    double worst = 0, n = (double)count;
    if (!law->fits) return;
    int64_t step =
        law->kind == KERNEL_LAW && count > GRID ? count / GRID : 1; /* the kernel's law is smooth and dear: a grid of quantiles will do */
    for (int64_t i = 0; i < count; i += step) {
        int64_t first = i, last = i;
        while (first && sorted[first - 1] == sorted[i]) first--;
        while (last + 1 < count && sorted[last + 1] == sorted[i]) last++;
        double p = fitted_cdf(law, sorted[i]), left = fabs(p - (double)first / n), right = fabs(p - (double)(last + 1) / n);
        if (!(left <= worst)) worst = left;
        if (!(right <= worst)) worst = right;
        if (last > i) i = last + 1 - step > i ? last + 1 - step : i;
    }
    law->ks = worst;
}

/* With √n + 0.12 + 0.11/√n (Stephens 1970) distances of samples of different sizes have nearly one law: a sample of SAMPLE stands for
 * larger ones. */
static double scaled(double distance, int64_t count) {
    double root = sqrt((double)count);
    return (root + 0.12 + 0.11 / root) * distance;
}

void fitted_test(FittedDistribution *law) {
    enum { SAMPLE = 100, SAMPLES = 499 };
    double sample[SAMPLE];
    int64_t size = law->count < SAMPLE ? law->count : SAMPLE, as_far = 0, fitted = 0;
    Error ignored = ERROR_NONE;
    uint64_t word = 0;
    if (!law->fits || law->kind == KERNEL_LAW || isnan(law->ks)) return;
    for (int round = 0; round < SAMPLES; round++) {
        FittedDistribution again;
        bool drawn = true;
        for (int64_t i = 0; i < size; i++) /* the same draws for every law */
            if (fitted_draw(law, word_uniform(word_hash(++word)), 0.5, &sample[i], &ignored)) drawn = false;
        if (!drawn) continue;
        qsort(sample, (size_t)size, sizeof *sample, ascending_real);
        fitted_fit(law->kind, sample, size, &again);
        again.not_negative = law->not_negative;
        fitted_judge(&again, sample, size);
        if (!again.fits) continue;
        fitted++;
        as_far += scaled(again.ks, size) >= scaled(law->ks, law->count);
    }
    if (fitted >= SAMPLES / 2) law->p_value = (double)(1 + as_far) / (double)(1 + fitted);
}

int fitted_choose(FittedDistribution laws[LAWS]) {
    int best = -1;
    for (int k = 0; k < KERNEL_LAW; k++)
        if (laws[k].fits && (best < 0 || laws[k].ks < laws[best].ks)) best = k;
    if (best >= 0) fitted_test(&laws[best]);
    if (best >= 0 && laws[best].p_value >= 0.05) return best;
    if (laws[KERNEL_LAW].fits && (best < 0 || laws[KERNEL_LAW].ks < laws[best].ks)) best = KERNEL_LAW;
    return best;
}
