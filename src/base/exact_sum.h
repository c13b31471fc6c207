/* Sums that do not depend on the order of what is added, nor on how it was cut into parts: every bit is kept, and rounded once at the end.
 */
#ifndef SCRIM_BASE_EXACT_SUM_H
#define SCRIM_BASE_EXACT_SUM_H
#include <stdint.h>
#include "base/status.h"

/* Weights and the like: multiples of 2^-64, up to 2^62 in size. A double of at least 2^-11 is such a multiple; a smaller one is rounded to
 * the nearest, whatever it is added to. */
typedef __int128 WeightSum;
MUST_CHECK Status weight_sum(double value, WeightSum *out, Error *error); /* BAD where it is too large, or no number */
double weight_real(WeightSum value);                                      /* the nearest double, halves to even */

/* Any finite doubles, and products of two: digits of 32 bits from 2^-1088 on (Neal 2015, the small superaccumulator). Zero-initialise. */
enum { EXACT_DIGITS = 69 };
typedef struct ExactSum {
    int64_t digit[EXACT_DIGITS];
    int64_t adds;     /* since carries were last passed on */
    int64_t infinite; /* 1 where a product is none that a double holds: the sum is infinite, and what is made of it is no number */
} ExactSum;
void exact_sum_add(ExactSum *sum, double value);               /* finite */
void exact_sum_add_product(ExactSum *sum, double a, double b); /* a·b in full; of what is below 2^-969, its rounding */
/* The same so many times, from 0 on. */
void exact_sum_add_times(ExactSum *sum, double value, int64_t times);
void exact_sum_add_product_times(ExactSum *sum, double a, double b, int64_t times);
/* Σ a[i]·b[i], as if each was added by itself: in less than half the time. */
void exact_sum_add_products(ExactSum *sum, const double *a, const double *b, int64_t count);
/* Σ times[i]·x[i] and Σ times[i]·x[i]², likewise: quick where neighbours are of one sign and size, as in ascending order. */
void exact_sum_add_powers(ExactSum *one, ExactSum *two, const double *x, const int64_t *times, int64_t count);
void exact_sum_add_weighted(ExactSum *sum, WeightSum weight, double value); /* weight·value, all of it */
/* Adds the other sum, all of it: in any order, the same digits once settled. */
void exact_sum_merge(ExactSum *sum, const ExactSum *other);
void exact_sum_normalize(ExactSum *sum); /* passes carries on: equal sums then have equal digits */
/* The nearest double, halves to even. */
double exact_sum_real(const ExactSum *sum);

/* Σx/n, and (Σxy − Σx·Σy/n)/(n−1), each rounded once; NaN where n is too small. */
double exact_mean(const ExactSum *x, int64_t n);
double exact_covariance(const ExactSum *xy, const ExactSum *x, const ExactSum *y, int64_t n);
#endif
