/* Order statistics without sorting: linear in the number of values. */
#ifndef SCRIM_MATH_ORDER_STATISTICS_H
#define SCRIM_MATH_ORDER_STATISTICS_H
#include <stdint.h>

/* The k-th smallest (k from 0) of count values, none of them NaN. Reorders them: those before place k are at most as large, those behind at
 * least. */
double select_kth(double *values, int64_t count, int64_t k);
/* The median (the mean of the middle two), NaN where there is none. Reorders the values. */
double select_median(double *values, int64_t count);
/* The same of values that stay as they are; `room` holds as many. */
double median_aside(const double *values, int64_t count, double *room);
#endif
