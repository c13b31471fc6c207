/* Model formulas: y ~ a + b + factor(c) + a:b + a*b + log(x) - 1. */
#ifndef SCRIM_TABLE_FORMULA_H
#define SCRIM_TABLE_FORMULA_H
#include "table/table.h"

/* The right side: terms joined by + ; a:b an interaction; a*b is a + b + a:b; (a + b + c)^2 all up to pairs; - takes a term out; . stands
 * for every column not on the left; 0 or - 1 leaves the intercept out; log(x), sqrt(x) and any other function of an expression, I(x^2 + z)
 * for arithmetic, factor(x) for a number whose values are categories. Terms come in the order of their degree, as in R. */
typedef struct Formula Formula;
/* Parsed against the table; the left side may be absent ("~ a + b"). A name that is exactly a column's (hours-per-week) is that column. */
MUST_CHECK Status formula_parse(Work *work, const Table *table, const char *source, const Formula **out);
/* The columns it reads, each once, the response's first. */
int64_t formula_columns(const Formula *formula);
const char *formula_column_at(const Formula *formula, int64_t index);
/* The column stands in it only by itself, as a number: as the response or as a term of its own, in no function and no interaction. */
bool formula_plain(const Formula *formula, const char *column);
/* The column is read, and never within a function: every term that has it has it as it is, or as factor(column), alone or in an
 * interaction. */
bool formula_bare(const Formula *formula, const char *column);

/* Its terms, without the intercept, and how many variables a term multiplies; the column that a variable of it is, NULL where it is a
 * function of columns (factor(x) is x). */
int64_t formula_terms(const Formula *formula);
int64_t formula_term_size(const Formula *formula, int64_t term);
const char *formula_term_column(const Formula *formula, int64_t term, int64_t index);

/* The design: rows where nothing is missing, column-major. Categorical, text and factor(x) columns become dummies against their first level
 * (named x + level, as R does); interactions are products; "(Intercept)" comes first unless removed by - 1 or + 0. A factor gets all its
 * dummies where the margin that the contrast would be against is not in the model (R's rule). Levels that no such row has are left out. */
typedef struct Design {
    int64_t rows, columns;
    const int64_t *row;                /* which record each row is */
    double *x;                         /* rows × columns, column-major */
    double *y;                         /* NULL without a left side; a two-level category is 0/1 */
    const char **term;                 /* names of the columns */
    const char *response;              /* its name, or NULL */
    const char **level;                /* of a categorical response: its words by code, else NULL */
    int64_t levels;                    /* how many */
    bool intercept;                    /* column 0 is the intercept */
    const struct DesignSource *source; /* where x is made of; while its columns live */
} Design;
/* Evaluates on `table` (any table with these columns); `levels` fixes factor levels to those of another table, or NULL for its own. A level
 * that the other lacks is BAD. */
MUST_CHECK Status formula_design(Work *work, const Formula *formula, const Table *table, const Table *levels, Design *out);
/* The same with the levels that any of several tables has: designs of the same terms, made to be compared. */
MUST_CHECK Status formula_design_over(Work *work, const Formula *formula, const Table *table, const Table *const *levels, int64_t count,
                                      Design *out);

/* The same without x, which may be many times the table where categories have many values: rows of it are made when they are asked for. */
MUST_CHECK Status formula_design_unfilled(Work *work, const Formula *formula, const Table *table, const Table *levels, Design *out);
/* Rows of x of such a design, column-major (out[j·count + i]), from any thread: rows first … of the design (self), or those of `count`
 * records that are complete. */
void design_read(const void *design, int64_t first, int64_t count, double *out);
void design_read_records(const Design *design, const int64_t *record, int64_t count, double *out);
#endif
