/* Location and covariance that a minority of outliers does not move: the orthogonalised Gnanadesikan–Kettenring estimate (Maronna & Zamar
 * 2002), reweighted. Deterministic: no random starts. */
#ifndef SCRIM_MATH_ROBUST_COVARIANCE_H
#define SCRIM_MATH_ROBUST_COVARIANCE_H
#include "base/work.h"

typedef struct RobustMoments {
    int64_t columns, rows; /* complete records that were used */
    double *mean;
    double *covariance; /* columns × columns */
    double *distance;   /* per record of x: squared robust (Mahalanobis) distance; NaN where the record is not complete */
    bool plain_scale; /* some column has a median absolute deviation of 0 (most records share a value): its standard deviation was taken */
} RobustMoments;
/* Column j of record i is x[j][i], NaN = missing. BAD where a column is constant or there are fewer than columns + 2 complete records. */
MUST_CHECK Status robust_moments(Work *work, const double *const *x, int64_t columns, int64_t rows, RobustMoments *out);
#endif
