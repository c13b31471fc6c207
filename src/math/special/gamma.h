/* The gamma and chi-square distributions: both tails and quantiles. */
#ifndef SCRIM_MATH_SPECIAL_GAMMA_H
#define SCRIM_MATH_SPECIAL_GAMMA_H
#include "base/status.h"
#include "math/special/tail_integral.h"

/* P(X ≤ x) and P(X > x) for scale 1: shape from 1e-3 to 1e12, any x ≥ 0 (below 0 the lower tail is 0); relative error under 1e-12 in both
 * tails down to 1e-300. NaN where the shape is not positive or an argument is NaN. */
Tails gamma_tails(double shape, double x);

/* x with P(X ≤ x) = lower and P(X > x) = upper; lower + upper = 1, and the smaller of the two decides, so both tails have their digits.
 * Shape from 1e-3 to 1e9, probabilities from 1e-300; relative error under 1e-12, rising with `lower`. 0 and ∞ at the ends. BAD outside the
 * domain, with *x untouched. At shapes below about 0.2 x can be below the smallest number, and is then 0: take the logarithm. */
MUST_CHECK Status gamma_quantile(double shape, double lower, double upper, double *x, Error *error);
/* ln of the same, which never underflows: absolute error under 1e-12 of its size plus 1e-13. Probabilities strictly between 0 and 1. */
MUST_CHECK Status gamma_log_quantile(double shape, double lower, double upper, double *log_x, Error *error);

/* Chi-square with df > 0 degrees of freedom, through the gamma distribution: shape df/2, scale 2. */
Tails chi_square_tails(double df, double x);
MUST_CHECK Status chi_square_quantile(double df, double lower, double upper, double *x, Error *error);

/* The distance r at which the planar Laplace law with density ε²/(2π)·e^(−εr) has the probability u within: ε·r is a gamma quantile of
 * shape 2 (Andrés et al. 2013, without Lambert's function). u strictly between 0 and 1, ε > 0; relative error under 1e-12. */
MUST_CHECK Status planar_laplace_radius(double epsilon, double u, double *radius, Error *error);
#endif
