/* Rows in the order of their values: stable, linear in the number of rows, on all threads (base/sort.h). */
#ifndef SCRIM_MATH_RANKS_H
#define SCRIM_MATH_RANKS_H
#include "base/work.h"

/* order: rows by ascending x, ties by row; rows where x is NaN are left out. order holds `rows` places; *count says how many are used. */
MUST_CHECK Status order_reals(Work *work, const double *x, int64_t rows, int64_t *order, int64_t *count);
/* The same for 64-bit words (rows by ascending word, ties by row). */
MUST_CHECK Status order_words(Work *work, const uint64_t *words, int64_t rows, int64_t *order);

/* Mid-ranks 1…count of the values (ties share the mean of their ranks); NaN where x is NaN. */
MUST_CHECK Status mid_ranks(Work *work, const double *x, int64_t rows, double *ranks);
/* The quantile of sorted values by linear interpolation between order statistics (Hyndman & Fan's type 7); NaN where count is 0. */
double sorted_quantile(const double *sorted, int64_t count, double probability);
/* The same of values by their rank, from 0: at(self, rank). */
double ranked_quantile(double (*at)(void *self, int64_t rank), void *self, int64_t count, double probability);
#endif
