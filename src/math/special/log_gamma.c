/* ln Γ by Stirling's series above ten and a series in ζ(k) − 1 around two below; differences term by term, so that nothing cancels. */
#include "math/special/log_gamma.h"
#include "base/double_double.h"
#include "base/elementary.h"
#include "math/special/tables.h"

enum {
    LARGE = 12,
    STIRLING_TERMS = sizeof STIRLING_SERIES / sizeof *STIRLING_SERIES,
    ZETA_TERMS = sizeof ZETA_SERIES / sizeof *ZETA_SERIES
};

/* Near 0 by ln((1+r)/(1−r)) = 2(r + r³/3 + …), r = x/(2 + x): ln(1+x) − x = 2(r³/3 + r⁵/5 + …) − x·r. */
double log1p_minus(double x) {
    if (!(x > -0.5 && x < 1)) return log1p(x) - x;
    double r = x / (2 + x), square = r * r, sum = 0;
    for (int k = (int)(sizeof ATANH_SERIES / sizeof *ATANH_SERIES) - 1; k >= 0; k--) sum = sum * square + ATANH_SERIES[k];
    return 2 * r * square * sum - x * r;
}

double expm1_minus(double x) {
    if (!(fabs(x) < 0.5)) return expm1(x) - x;
    double sum = 0;
    for (int k = (int)(sizeof EXP_SERIES / sizeof *EXP_SERIES) - 1; k >= 0; k--) sum = sum * x + EXP_SERIES[k];
    return sum * x * x;
}

/* The series beyond Stirling's formula, x ≥ LARGE. */
static double stirling_series(double x) {
    double square = 1 / (x * x), sum = 0;
    for (int k = STIRLING_TERMS - 1; k >= 0; k--) sum = sum * square + STIRLING_SERIES[k];
    return sum / x;
}

/* ln Γ(2 + t), |t| ≤ ½. */
static double around_two(double t) {
    double sum = 0;
    for (int k = ZETA_TERMS - 1; k >= 0; k--) sum = sum * t + ZETA_SERIES[k];
    return t * (ONE_LESS_EULER + t * sum);
}

double log_gamma(double x) {
    if (!(x > 0)) return NAN;
    if (x == INFINITY) return x;
    if (x >= LARGE) return (x - 0.5) * (log(x) - 1) + (HALF_LOG_TWO_PI - 0.5 + stirling_series(x));
    if (x < 0.5) return log_gamma(x + 1) - log(x);
    if (x < 1.5) return around_two(x - 1) - log1p(x - 1);
    double product = 1;
    while (x > 2.5) product *= x -= 1;
    return product > 1 ? log(product) + around_two(x - 2) : around_two(x - 2);
}

double stirling_error(double x) {
    if (!(x > 0)) return NAN;
    if (x >= LARGE) return stirling_series(x);
    return log_gamma(x + 1) - (x + 0.5) * log(x) + x - HALF_LOG_TWO_PI;
}

/* (x + d)^−m − x^−m. */
static double power_difference(double x, double log_ratio, double m) { return exp(-m * log(x)) * expm1(-m * log_ratio); }

/* Stirling's formula at x + d less that at x: x·(ln(1+r) − r) − ½ ln(1+r) + d ln(x+d), r = d/x, and the series term by term. */
static double difference_of_large(double x, double d) {
    double r = d / x, log_ratio = log1p(r), sum = 0;
    for (int k = STIRLING_TERMS - 1; k >= 0; k--) sum += STIRLING_SERIES[k] * power_difference(x, log_ratio, 2 * k + 1);
    return d * log(x + d) + (x * log1p_minus(r) - 0.5 * log_ratio) + sum;
}

double log_gamma_difference(double x, double d) {
    if (!(x > 0 && x + d > 0)) return NAN;
    if (d == 0) return 0;
    if (d < 0 && d < -x / 2) return -log_gamma_difference(x + d, -d);
    if (d > x && (x < LARGE || d > 1e3 * x)) return log_gamma(x + d) - log_gamma(x);
    double shift = 0;
    for (; x < LARGE || x + d < LARGE; x++) shift += log1p(d / x);
    return difference_of_large(x, d) - shift;
}

double log_choose(double n, double k) {
    if (!(n >= 0) || isnan(k)) return NAN;
    if (k < 0 || k > n) return -INFINITY;
    double less = k < n - k ? k : n - k;
    return less == 0 ? 0 : log_gamma_difference(n - less + 1, less) - log_gamma(less + 1);
}

/* ---- ψ and ψ₁ ---- */

static const int BERNOULLI_TERMS = sizeof BERNOULLI / sizeof *BERNOULLI;

/* ln x − ψ(x) = 1/(2x) + Σ B₂ₖ/(2k x²ᵏ), x ≥ LARGE. */
static double log_minus_digamma_large(double x) {
    double square = 1 / (x * x), sum = 0;
    for (int k = BERNOULLI_TERMS; k >= 1; k--) sum = (sum + BERNOULLI[k - 1] / (2 * k)) * square;
    return 0.5 / x + sum;
}

double log_minus_digamma(double x) {
    if (!(x > 0)) return NAN;
    double from = x, sum = 0;
    for (; x < LARGE; x++) sum += 1 / x - log1p(1 / x);
    return from == x ? log_minus_digamma_large(x) : sum + log_minus_digamma_large(x);
}

double digamma(double x) {
    if (!(x > 0)) return NAN;
    double sum = 0;
    for (; x < LARGE; x++) sum += 1 / x;
    return log(x) - log_minus_digamma_large(x) - sum;
}

double trigamma(double x) {
    if (!(x > 0)) return NAN;
    double shift = 0, sum = 0;
    for (; x < LARGE; x++) shift += 1 / (x * x);
    double square = 1 / (x * x);
    for (int k = BERNOULLI_TERMS; k >= 1; k--) sum = (sum + BERNOULLI[k - 1]) * square;
    return shift + (1 / x + square / 2 + sum / x);
}

double digamma_difference(double x, double d) {
    if (!(x > 0 && x + d > 0)) return NAN;
    if (d < -x / 2) return -digamma_difference(x + d, -d);
    double shift = 0;
    for (; x < LARGE || x + d < LARGE; x++) shift += d / (x * (x + d));
    double log_ratio = log1p(d / x), sum = 0;
    for (int k = BERNOULLI_TERMS; k >= 1; k--) sum -= BERNOULLI[k - 1] / (2 * k) * power_difference(x, log_ratio, 2 * k);
    return shift + (log_ratio + d / (2 * x * (x + d)) + sum);
}

double trigamma_difference(double x, double d) {
    if (!(x > 0 && x + d > 0)) return NAN;
    if (d < -x / 2) return -trigamma_difference(x + d, -d);
    double shift = 0;
    for (; x < LARGE || x + d < LARGE; x++) shift -= d / (x * (x + d)) * (1 / x + 1 / (x + d));
    double log_ratio = log1p(d / x), sum = 0;
    for (int k = BERNOULLI_TERMS; k >= 1; k--) sum += BERNOULLI[k - 1] * power_difference(x, log_ratio, 2 * k + 1);
    return shift - d / (x * (x + d)) - d / (x * (x + d)) * (1 / x + 1 / (x + d)) / 2 + sum;
}
