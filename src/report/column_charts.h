/* Columns as charts, of one table or of two side by side. */
#ifndef SCRIM_REPORT_COLUMN_CHARTS_H
#define SCRIM_REPORT_COLUMN_CHARTS_H
#include "method/method.h"

/* One chart for each column (`vars`: these alone), titled by its name: a histogram of numbers, else bars of the commonest values, dates by
 * their year. The series are named "before" and "after" (of the table beside); where a column has become another kind in the other table,
 * that has a chart of its own, under the same title. What is missing is told behind the axis's name. */
MUST_CHECK Status column_charts(Run *run, const Table *data, const Table *beside, Columns vars);
#endif
