/* Expressions over a table's columns: --where "sex == 2 & phd == 1 & age < 31". */
#ifndef SCRIM_TABLE_EXPR_H
#define SCRIM_TABLE_EXPR_H
#include "base/text.h"
#include "table/table.h"

/* Operators, loosest first: | , & , ! , comparisons == != < <= > >= %in% , + - , * / %% , unary - , ^ . Values: numbers, "text" or 'text',
 * TRUE, FALSE, c(1, 2), names, `names with other characters`, dates as text compared with date columns. Functions: is.missing(x), abs, log,
 * exp, sqrt, round, floor, min, max (of their arguments, record by record), nchar, lower, starts(x, "ab"), contains(x, "b"). A comparison
 * with a missing value is missing; & | ! follow three-valued logic; missing is not true. What has no value (log(-1)) is missing. Text is
 * ordered by its bytes, an ordered category by its own order. A number that is held to be equal to text is taken as it was typed (zip ==
 * 01), text that reads as a number can be compared with numbers. */
typedef struct Expr Expr;
/* Parsed against the table: a name that is no column is an error naming the nearest, with the place in the text. Lives in the arena. */
MUST_CHECK Status expr_parse(Work *work, const Table *table, const char *source, const Expr **out);
/* Parses from byte *at as far as an expression goes, and leaves *at behind it: for those who read calls ("mean(x) where …") or formulas
 * around one. `what` ("expression", "query") begins the errors. */
MUST_CHECK Status expr_parse_part(Work *work, const Table *table, const char *source, const char *what, int64_t *at, const Expr **out);
/* The expression that is nothing but this column. */
MUST_CHECK Status expr_of_column(Work *work, const Table *table, int64_t place, const Expr **out);
const char *expr_source(const Expr *expr);
/* What it says, in one fixed form whatever blanks and brackets it was written with. */
void expr_identity(const Expr *expr, Buffer *out);
bool expr_logical(const Expr *expr);       /* its value is true, false or missing */
bool expr_is_text(const Expr *expr);       /* its value is text */
const char *expr_column(const Expr *expr); /* the column it is, where it is nothing but a column; else NULL */
/* The columns it reads: names, expr_columns of them. */
int64_t expr_columns(const Expr *expr);
const char *expr_column_at(const Expr *expr, int64_t index);
/* Rows where it is true: mask[i] is 1 or 0. BAD where the expression is not logical. count may be NULL. */
MUST_CHECK Status expr_mask(Work *work, const Expr *expr, const Table *table, uint8_t **mask, int64_t *count);
/* Its value on every row as doubles (NaN = missing); BAD where it is text. */
MUST_CHECK Status expr_reals(Work *work, const Expr *expr, const Table *table, double **out);
#endif
