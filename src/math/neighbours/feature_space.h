/* Records as points: columns scaled, weighted and coded, so that distances between records can be taken. */
#ifndef SCRIM_MATH_NEIGHBOURS_FEATURE_SPACE_H
#define SCRIM_MATH_NEIGHBOURS_FEATURE_SPACE_H
#include "table/table.h"

typedef enum { EUCLIDEAN, MANHATTAN, GOWER } Metric;

/* One coordinate of every record, NaN where missing: such a record is left out of every search. A number: records are |x − y| apart on it.
 * A number with gaps may be +∞, and adds nothing to a measure then: a nominal axis beside it says how far a missing number is. Nominal (half
 * is not NULL): x holds codes, and records whose codes differ are half[a] + half[b] apart (squares under the Euclidean metric are already
 * taken). */
typedef struct Axis {
    const double *x;
    const double *half;
    bool gaps;
} Axis;

/* The measure of two records sums over the axes: squared differences under EUCLIDEAN, absolute ones under MANHATTAN and GOWER. It orders
 * records as the distance does. `column` says which of the scale's columns each axis is, where there is a scale. */
typedef struct Space {
    Metric metric;
    int64_t rows, axes;
    const Axis *axis;
    const int64_t *column;
} Space;

double measure_of_distance(Metric metric, double distance); /* d² or d */
double distance_of_measure(Metric metric, double measure);  /* √m or m */
/* Scaling rounds: records that are equally near in exact arithmetic may differ in the last digits, and are ties all the same. All up to
 * this are as near. */
static inline double measure_as_near(double measure) { return measure * (1 + 1e-10) + 1e-24; }
double space_measure(const Space *a, int64_t row, const Space *b,
                     int64_t other); /* the same bits as the search computes; NaN where one is missing */

/* How columns become axes. All finite numbers are placed without overflow or underflow; an infinite one is BAD. EUCLIDEAN and MANHATTAN: a number over its standard deviation (n − 1), a category of c values as c − 1 dummies,
 * each over its own (not made: what they add to the measure is known in closed form), times the weight. GOWER (1971): a number over its
 * range, a category as equal or not, weights normed to sum 1. Constant columns and weight 0 make no axis. */
typedef struct Scale Scale;
/* From the present values of these columns; weight NULL = all 1. A record with a missing value is left out of every search. */
MUST_CHECK Status scale_make(Work *work, Columns columns, const double *weight, Metric metric, const Scale **out);
/* The same, with missing values as values (docs/missing.md): two cells that are missing by the same code are at distance 0; a missing number
 * is as far from any number, and from one missing by another code, as two random values of the column are on average (EUCLIDEAN: 2 added to
 * the measure, MANHATTAN: √2, GOWER: 1, each times the weight); in a category each missing code is a value. `others`: the same columns of
 * the other tables that will be placed on the scale. */
MUST_CHECK Status scale_make_with_missing(Work *work, Columns columns, const Columns *others, int64_t tables, Metric metric,
                                          const Scale **out);
/* The same scale on these columns, or on those of another table in the same order. A word that the scale has not seen differs from all
 * others. */
MUST_CHECK Status scale_space(Work *work, const Scale *scale, Columns columns, Space *out);
void space_drop(Work *work, Space *space); /* gives its axes back early, where scale_space made them in this arena */
/* What a number on this column was divided by (its weight included), NaN for categories, +∞ where it makes no axis. */
double scale_divisor(const Scale *scale, int64_t column);
#endif
