/* Predictors of a model as columns without missing values: an indicator beside a number, one more category (docs/missing.md). */
#ifndef SCRIM_TABLE_COMPLETE_PREDICTORS_H
#define SCRIM_TABLE_COMPLETE_PREDICTORS_H
#include "table/table.h"

/* out[t]: table t (NULL where that is) with its predictors completed, the caller's to release. A number that is missing is 0, and a category
 * column "NAME: missing" stands beside it, which says by which code; a missing category is a category for each code. Only of predictors
 * that some table lacks a value of. `columns`: the predictors and their indicators, of out[0]. */
MUST_CHECK Status complete_predictors(Work *work, const Table *const *tables, int64_t count, Columns predictors, Table **out,
                                      Columns *columns);
#endif
