/* Columns that are an exact linear function of others in every record: they are computed from what is drawn, and not drawn. */
#ifndef SCRIM_SYNTH_ENGINE_IDENTITIES_H
#define SCRIM_SYNTH_ENGINE_IDENTITIES_H
#include "base/work.h"
#include "table/table.h"

/* column = constant + Σ coefficient · term, to the column's decimals, in every record where they are present. A column is missing where its
 * terms are. */
typedef struct Identity {
    const Column *column;
    int64_t terms;
    const Column **term; /* none of them is the column of an identity */
    double *coefficient, constant;
    int digits;
    int64_t absent; /* a row whose cell is missing, or -1 */
} Identity;
typedef struct Identities {
    int64_t count;
    Identity *at;
} Identities;

/* Among these columns; those for which `fixed` is true are never computed. Coefficients have at most four decimals. */
MUST_CHECK Status identities_find(Work *work, Columns columns, const bool *fixed, Identities *out);
/* total = income + 1.2 bonus − 3 */
const char *equation_text(Work *work, const Identity *identity);
const Identity *identity_of(const Identities *identities, const char *name);
/* Its values for the records of a table that has its terms. */
MUST_CHECK Status identity_values(Work *work, const Identity *identity, Column *const *made, int64_t count, int64_t rows, double **out);
#endif
