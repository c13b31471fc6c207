/* Kim's transformation undone. */
#ifndef SCRIM_MATH_KIM_TRANSFORM_H
#define SCRIM_MATH_KIM_TRANSFORM_H
#include "table/table.h"

/* Kim 1986: z = a·y + b_j with the mean of each column kept, so that y = z̄ + (z − z̄)/a. Every column of numbers is replaced by that
 * in `columns`; what was made is the caller's, columns.count of them, NULL where a column stayed. */
MUST_CHECK Status columns_unscale(Work *work, Columns *columns, double a, Column ***made);
#endif
