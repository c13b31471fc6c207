/* Columns as a design matrix: numbers as they are, categories as dummies. */
#ifndef SCRIM_RISK_DESIGN_MATRIX_H
#define SCRIM_RISK_DESIGN_MATRIX_H
#include "method/method.h"

/* "response ~ a + b" (response NULL: "~ a + b") as a Design, with the intercept; rows where nothing is missing. Its x is not filled in:
 * design_read makes rows of it. */
MUST_CHECK Status design_of_columns(Work *work, const Table *table, const Column *response, Columns columns, Design *out);
#endif
