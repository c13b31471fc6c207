/* Student's t distribution: both tails, quantiles, and its characteristic function. */
#ifndef SCRIM_MATH_SPECIAL_STUDENT_H
#define SCRIM_MATH_SPECIAL_STUDENT_H
#include "base/status.h"
#include "math/special/tail_integral.h"

/* P(T ≤ t) and P(T > t) for df from 0.01 to 1e18, every t; relative error under 1e-12 in both tails down to 1e-300. NaN outside. */
Tails student_tails(double df, double t);
double student_upper(double df, double t); /* the upper tail alone */
/* ln P(T > t), which never underflows: absolute error under 1e-12 of its size plus 1e-12. */
double student_log_upper(double df, double t);

/* t with P(T ≤ t) = lower and P(T > t) = upper, which add up to 1; the smaller decides. The same domain, probabilities from 1e-300;
 * relative error under 1e-12. BAD outside the domain. Where |t| has no double (df below about 1) the status is BAD too, and *t is ±∞. */
MUST_CHECK Status student_quantile(double df, double lower, double upper, double *t, Error *error);
/* ln t of the upper tail `upper` below ½, which never overflows. */
MUST_CHECK Status student_log_quantile(double df, double upper, double *log_t, Error *error);

/* E cos(uT), in constant time: relative error under 1e-12 while it is above 1e-300. df from 0.01 to 1e12. */
double student_characteristic(double df, double u);
#endif
