/* The chance that a draw of one kind is below a draw of another (Mann & Whitney 1947), with its interval. */
#ifndef SCRIM_MATH_MANN_WHITNEY_H
#define SCRIM_MATH_MANN_WHITNEY_H
#include "base/work.h"

/* all: `first` values of the one kind, then `second` of the other; NaN counts as absent. *area: Pr(first < second) + ½ Pr(equal), NaN where
 * a kind has none. *variance: after DeLong, DeLong & Clarke-Pearson (1988). */
MUST_CHECK Status mann_whitney(Work *work, const double *all, int64_t first, int64_t second, double *area, double *variance);
/* The 95% interval: by that variance or, where no placement varies and it would be 0, Newcombe's score interval. */
void mann_whitney_interval(double area, double variance, double first, double second, double *low, double *high);
/* The same at another level: z is the quantile of the normal distribution. */
void mann_whitney_bounds(double area, double variance, double first, double second, double z, double *low, double *high);
#endif
