/* An original and its release, record by record: what the measures of perturbed tables begin with. */
#ifndef SCRIM_RISK_PAIRED_COLUMNS_H
#define SCRIM_RISK_PAIRED_COLUMNS_H
#include "method/method.h"

typedef struct PairColumns {
    Columns original, released;
} PairColumns;
/* The columns in both tables (`vars`, else all that both have; where `numeric`, only numbers). BAD where the tables are empty or of
 * different length. */
MUST_CHECK Status pair_columns(Run *run, const Table *original, const Table *released, Columns vars, bool numeric, PairColumns *out);
/* The columns as doubles, NaN where missing. */
MUST_CHECK Status columns_reals(Work *work, Columns columns, const double ***out);
#endif
