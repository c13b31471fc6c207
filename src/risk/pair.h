/* An original and its release, record by record: what the measures of perturbed tables begin with. */
#ifndef SCRIM_RISK_PAIR_H
#define SCRIM_RISK_PAIR_H
#include "method/method.h"

typedef struct PairColumns { Columns original, released; } PairColumns;
/* The columns in both tables (`vars`, else all that both have; where `numeric`, only numbers). BAD where the tables are empty or of different length. */
MUST_CHECK Status pair_columns(Run *run, const Table *original, const Table *released, Columns vars, bool numeric, PairColumns *out);
/* The columns as doubles, NaN where missing. */
MUST_CHECK Status columns_reals(Work *work, Columns columns, const double ***out);
/* A column of doubles (NaN becomes missing) put into the result beside the records of table parameter `of`. */
MUST_CHECK Status put_reals(Run *run, const char *of, const char *name, const double *x, int64_t rows);
MUST_CHECK Status put_integers(Run *run, const char *of, const char *name, const int64_t *x, int64_t rows);
#endif
