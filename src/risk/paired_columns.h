/* An original and its release, record by record: what the measures of perturbed tables begin with. */
#ifndef SCRIM_RISK_PAIRED_COLUMNS_H
#define SCRIM_RISK_PAIRED_COLUMNS_H
#include "method/method.h"

typedef struct PairColumns {
    Columns original, released;
} PairColumns;
/* A column of the original and of the release that is not of numbers in both: BAD where the caller named it (--vars), else a note says
 * that it is left out. */
MUST_CHECK Status leave_out(Run *run, const Column *original, const Column *released, const Table *from);
/* The columns in both tables (`vars`, else all that both have; where `numeric`, only numbers, see leave_out, and codes only where they are
 * named). BAD where the tables are empty
 * or of different length. */
MUST_CHECK Status pair_columns(Run *run, const Table *original, const Table *released, Columns vars, bool numeric, PairColumns *out);
/* The columns as doubles, NaN where missing. */
MUST_CHECK Status columns_reals(Work *work, Columns columns, const double ***out);
#endif
