/* Columns as charts, of one table or of two side by side. */
#ifndef SCRIM_RECIPE_PICTURES_H
#define SCRIM_RECIPE_PICTURES_H
#include "method/method.h"

/* One chart for each column (`vars`: these alone), titled by its name: a histogram of numbers, else bars of the commonest values, dates by
 * their year. The series are named "before" and "after" (of the table beside); where a column has become another kind in the other table,
 * that has a chart of its own, under the same title. What is missing is told behind the axis's name. */
MUST_CHECK Status draw_columns(Run *run, const Table *data, const Table *beside, Columns vars);
#endif
