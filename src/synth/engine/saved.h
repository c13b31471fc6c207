/* What all saved models have in common: they are tables, whose columns are the data's, each sorted by itself, and beside each its parts. */
#ifndef SCRIM_SYNTH_ENGINE_SAVED_H
#define SCRIM_SYNTH_ENGINE_SAVED_H
#include "base/work.h"
#include "table/table.h"

extern const char SAVED_SIZE[]; /* the column that says how many records the data had */

/* Numbers above as many missing cells as the model's rows leave. The caller releases it. */
MUST_CHECK Status saved_column(Work *work, const char *name, Type type, const double *x, int64_t count, int64_t rows, Column **out);
/* "PART of COLUMN", NULL where the model has none. */
MUST_CHECK Status saved_part(Work *work, const Table *model, const char *part, const char *column, const Column **out);
/* The numbers above the first missing cell, in the arena; BAD where there are none, or others below. */
MUST_CHECK Status saved_numbers(Work *work, const Column *column, double **out, int64_t *count);
/* How many records the data had; BAD where the table is no model. */
MUST_CHECK Status saved_records(Work *work, const Table *model, int64_t *out);
/* The data's columns, those that have a part, so many rows of each. */
MUST_CHECK Status saved_values(Work *work, const Table *model, int64_t records, Table **out);
/* BAD: this cell is not what --save-model wrote. */
MUST_CHECK Status not_saved(Work *work, const char *column, int64_t row);
#endif
