/* Sums of normal densities where records are of a few classes: the tuples of their nominal values. */
#ifndef SCRIM_MATH_NEIGHBOURS_GAUSSIAN_SUM_BY_CLASS_H
#define SCRIM_MATH_NEIGHBOURS_GAUSSIAN_SUM_BY_CLASS_H
#include "math/neighbours/gaussian_sum.h"

/* What neighbours_normal_sum gives; *done is false where classes are too many for it, or numbers, or bases too large, and nothing was
 * summed. */
MUST_CHECK Status sum_by_class(Work *work, const Neighbours *from, const Neighbours *in, const double *times, const double *base,
                               double *sum, bool *done);
/* Over the records of `in` as its series weighs them. */
MUST_CHECK Status neighbours_sum_weighed(Work *work, const Neighbours *from, const Neighbours *in, const GaussianSum *series,
                                         const double *base, double *sum);
#endif
