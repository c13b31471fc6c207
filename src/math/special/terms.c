/* Logarithms of Poisson, binomial, hypergeometric and beta-binomial probabilities by deviances: no large terms cancel (Loader 2000). */
#include "base/double_double.h"
#include "base/elementary.h"
#include "math/special/log_gamma.h"
#include "math/special/tables.h"

/* k ln(k/mean) + mean − k, the deviance: −k·(ln(1+r) − r) with r = (mean − k)/k = excess/k. */
static double deviance(double k, double mean, double excess) {
    double r = excess / k;
    return r > -0.5 ? -k * log1p_minus(r) : -k * (log(mean / k) - r);
}

double log_poisson_term(double k, double mean) {
    if (!(k >= 0 && mean >= 0)) return NAN;
    if (mean == 0) return k == 0 ? 0 : -INFINITY;
    if (k < 1) return k * log(mean) - mean - log_gamma(k + 1);
    return -deviance(k, mean, mean - k) - stirling_error(k) - 0.5 * log(k) - HALF_LOG_TWO_PI;
}

/* (k + rest)·p − k with the sum and the product in two doubles. */
static double mean_less(double k, double rest, double p) {
    DoubleDouble n = two_sum(k, rest), product = two_product(n.high, p);
    return (product.high - k) + (product.low + n.low * p);
}

double log_binomial_term(double k, double rest, double p, double q) {
    double n = k + rest;
    if (!(k >= 0 && rest >= 0 && p >= 0 && q >= 0)) return NAN;
    if (p == 0) return k == 0 ? 0 : -INFINITY;
    if (q == 0) return rest == 0 ? 0 : -INFINITY;
    double log_p = p < 0.5 ? log(p) : log1p(-q), log_q = q < 0.5 ? log(q) : log1p(-p);
    if (k < 1 && rest < 1) return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(rest + 1) + k * log_p + rest * log_q;
    if (k < 1) return log_gamma_difference(rest + 1, k) - log_gamma(k + 1) + k * log_p + rest * log_q;
    if (rest < 1) return log_gamma_difference(k + 1, rest) - log_gamma(rest + 1) + k * log_p + rest * log_q;
    /* n·p − k and n·q − rest are each other's negatives: the one of the smaller chance has the digits */
    double excess = p <= q ? mean_less(k, rest, p) : -mean_less(rest, k, q);
    return stirling_error(n) - stirling_error(k) - stirling_error(rest) - deviance(k, n * p, excess) - deviance(rest, n * q, -excess) +
           0.5 * (log(n / rest) - log(k)) - HALF_LOG_TWO_PI;
}

double log_hypergeometric_term(double k, double marked, double plain, double drawn) {
    double all = marked + plain;
    if (!(marked >= 0 && plain >= 0 && drawn >= 0 && drawn <= all)) return NAN;
    if (k < 0 || k > marked || k > drawn || drawn - k > plain) return -INFINITY;
    double p = drawn / all, q = (all - drawn) / all;
    return log_binomial_term(k, marked - k, p, q) + log_binomial_term(drawn - k, plain - (drawn - k), p, q) -
           log_binomial_term(drawn, all - drawn, p, q);
}

/* Γ(k+a)/(Γ(a) k!) q^a p^k: of a + k, but with the last trial fixed. */
static double log_negative_binomial_term(double k, double a, double p, double q) {
    return log_binomial_term(k, a, p, q) + log(a / (a + k));
}

/* Three negative binomial terms, whose chance cancels; it is chosen so that each is near its mean. */
double log_beta_binomial_term(double k, double n, double a, double b) {
    if (!(n >= 0 && a > 0 && b > 0)) return NAN;
    if (k < 0 || k > n) return -INFINITY;
    double p = n / (n + a + b), q = (a + b) / (n + a + b);
    return log_negative_binomial_term(k, a, p, q) + log_negative_binomial_term(n - k, b, p, q) - log_negative_binomial_term(n, a + b, p, q);
}
