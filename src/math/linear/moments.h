/* Means and covariances over the records where nothing is missing, summed in blocks of fixed size: the same bits for any number of threads.
 */
#ifndef SCRIM_MATH_MOMENTS_H
#define SCRIM_MATH_MOMENTS_H
#include "base/work.h"

typedef struct Moments {
    int64_t columns;
    int64_t rows;       /* complete records that were counted */
    double *mean;       /* NaN where there are none */
    double *covariance; /* columns × columns, divisor rows − 1; NaN with fewer than two records */
} Moments;
/* Column j of record i is x[j][i], NaN = missing. row lists the records to count (NULL: 0…rows-1). */
MUST_CHECK Status moments_make(Work *work, const double *const *x, int64_t columns, const int64_t *row, int64_t rows, Moments *out);

/* Of columns j and k; the variance where they are one. */
static inline double moments_covariance(const Moments *m, int64_t j, int64_t k) { return m->covariance[j * m->columns + k]; }
/* NaN where either is constant. */
double moments_correlation(const Moments *moments, int64_t j, int64_t k);
#endif
