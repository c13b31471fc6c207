/* Expressions over a table's columns: --where "sex == 2 & phd == 1 & age < 31". */
#ifndef SCRIM_TABLE_EXPR_H
#define SCRIM_TABLE_EXPR_H
#include "table/table.h"

/* Operators, loosest first: | , & , ! , comparisons == != < <= > >= %in% , + - , * / %% , unary - , ^ . Values: numbers, "text" or 'text', TRUE, FALSE,
 * c(1, 2), names, `names with other characters`, dates as text compared with date columns. Functions: is.missing(x), abs, log, exp, sqrt, round, floor,
 * min, max, nchar, lower, starts(x, "ab"), contains(x, "b"). A comparison with a missing value is missing; & | ! follow three-valued logic; missing is not true. */
typedef struct Expr Expr;
/* Parsed against the table: a name that is no column is an error naming the nearest, with the place in the text. Lives in the arena. */
MUST_CHECK Status expr_parse(Work *work, const Table *table, const char *source, const Expr **out);
const char *expr_source(const Expr *expr);
bool expr_logical(const Expr *expr); /* its value is true, false or missing */
/* Rows where it is true: mask[i] is 1 or 0. BAD where the expression is not logical. */
MUST_CHECK Status expr_mask(Work *work, const Expr *expr, const Table *table, uint8_t **mask, int64_t *count);
/* Its value on every row as doubles (NaN = missing); BAD where it is text. */
MUST_CHECK Status expr_reals(Work *work, const Expr *expr, const Table *table, double **out);
/* Splits "f(a, b) where … by c,d"-like calls is not its business: release/ does that on top of expr_tokens. */
#endif
