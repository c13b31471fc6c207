/* ln Γ, its differences, ψ and ψ₁ with their differences, and logarithms of probabilities of counts. Nothing here allocates or fails:
 * outside the stated domain the answer is NaN. "Relative to a difference" holds away from its zeros. */
#ifndef SCRIM_MATH_SPECIAL_LOG_GAMMA_H
#define SCRIM_MATH_SPECIAL_LOG_GAMMA_H

double log1p_minus(double x); /* ln(1 + x) − x for x > −1, relative error under 1e-15 */
double expm1_minus(double x); /* e^x − 1 − x, relative error under 1e-15 */

/* For x from 1e-300 to 1e300, relative error under 1e-15. */
double log_gamma(double x);
/* ln Γ(x + d) − ln Γ(x) for x > 0, x + d > 0, both up to 1e15: error under 1e-13 of the difference. */
double log_gamma_difference(double x, double d);
/* ln Γ(x + 1) − ((x + ½) ln x − x + ½ ln 2π) for x > 0: what Stirling's formula lacks. */
double stirling_error(double x);
/* ln of the number of ways to choose k of n; −∞ where k is below 0 or above n. */
double log_choose(double n, double k);

/* For x > 0, up to 1e15; differences where x + d > 0 too: error under 1e-13, of the difference where it is one. */
double digamma(double x), trigamma(double x);
double digamma_difference(double x, double d);  /* ψ(x + d) − ψ(x) */
double trigamma_difference(double x, double d); /* ψ₁(x + d) − ψ₁(x) */
double log_minus_digamma(double x);             /* ln x − ψ(x) */

/* Logarithms of probabilities, after Loader (2000): error under 1e-12 for parameters up to 1e9, growing with the logarithm itself where
 * that is below −1000. −∞ where the probability is 0. */
double log_poisson_term(double k, double mean);                      /* mean^k e^−mean/Γ(k + 1), k and mean real */
double log_binomial_term(double k, double rest, double p, double q); /* Γ(k+rest+1)/(Γ(k+1)Γ(rest+1)) p^k q^rest, p + q = 1, all real */
double log_hypergeometric_term(double k, double marked, double plain, double drawn); /* k of `drawn` are among the marked */
double log_beta_binomial_term(double k, double n, double a, double b);               /* k of n, the chance drawn from Beta(a, b) */
#endif
