/* The beta and binomial distributions: both tails. */
#ifndef SCRIM_MATH_SPECIAL_BETA_H
#define SCRIM_MATH_SPECIAL_BETA_H
#include <stdbool.h>
#include "math/special/tail_integral.h"

/* P(X ≤ x) and P(X > x), y = 1 − x: both are passed because each has digits that the other lacks. a and b from 0.005 to 1e15; relative
 * error under 1e-12 in both tails down to 1e-300. NaN where a or b is not positive, or x or y is not in [0, 1]. */
Tails beta_tails(double a, double b, double x, double y);

/* P(X ≤ k) and P(X > k) of a binomial count of n trials with chance p; n from 0 to 1e15, whole; the same error. */
Tails binomial_tails(double k, double n, double p);

/* The smaller side at x: the lower tail where a − (a+b)x is not negative (*below true), else the upper one. In the logit of x. */
Tail beta_near_tail(double a, double b, double x, double y, bool *below);
#endif
