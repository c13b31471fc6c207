/* Model formulas: y ~ a + b + factor(c) + a:b + a*b + log(x) - 1. */
#ifndef SCRIM_TABLE_FORMULA_H
#define SCRIM_TABLE_FORMULA_H
#include "table/table.h"

typedef struct Formula Formula;
/* Parsed against the table; the left side may be absent ("~ a + b"). A name that is exactly a column's (hours-per-week) is that column. */
MUST_CHECK Status formula_parse(Work *work, const Table *table, const char *source, const Formula **out);
const char *formula_source(const Formula *formula);

/* The design: rows where nothing is missing, column-major. Categorical, text and factor(x) columns become dummies against their first level
 * (named x + level, as R does); interactions are products; "(Intercept)" comes first unless removed by - 1 or + 0. */
typedef struct Design {
    int64_t rows, columns;
    const int64_t *row;   /* which record each row is */
    double *x;            /* rows × columns, column-major */
    double *y;            /* NULL without a left side; a two-level category is 0/1 */
    const char **term;    /* names of the columns */
    const char *response; /* its name, or NULL */
    const char **level;   /* of a categorical response: its words by code, else NULL */
} Design;
/* Evaluates on `table` (any table with these columns); `levels` fixes factor levels to those of another table, or NULL for its own. */
MUST_CHECK Status formula_design(Work *work, const Formula *formula, const Table *table, const Table *levels, Design *out);
#endif
