/* What was done to the values of a column, as an intruder knows it who knows the method and its parameters. */
#ifndef SCRIM_TABLE_TREATMENT_H
#define SCRIM_TABLE_TREATMENT_H
#include <stdatomic.h>
#include "base/status.h"

/* Suppressed cells are no treatment: they show in the release.
 *   MAPPED     from[i] became to[i]; other values stayed
 *   INTERVALS  a number became the one of to[] that holds it
 *   CODED      numbers below `low` became to[0], those above `high` became to[1]; NaN: no such bound
 *   ROUNDED    to a multiple of `amount`: to the nearest, halves away from zero, or down
 *   DITHERED   the same, up or down at random without bias
 *   MATRIX     from[i] became from[j] with probability matrix[i * count + j]; values that it lacks stayed
 *   SWAPPED    the share `amount` of the values was exchanged with those of other records
 *   RANKED     exchanged with a value whose rank differs by at most the share `amount` of the records
 *   NOISY      noise with standard deviation `amount` was added
 *   SCALED     the same as a share of the value
 *   SHUFFLED   given the values of columns that an intruder does not know, the own value has no part in the released one
 *   OTHERWISE  changed in a way that is not described here */
typedef enum {
    TREATED_OTHERWISE,
    TREATED_MAPPED,
    TREATED_INTERVALS,
    TREATED_CODED,
    TREATED_ROUNDED,
    TREATED_ROUNDED_DOWN,
    TREATED_DITHERED,
    TREATED_MATRIX,
    TREATED_SWAPPED,
    TREATED_RANKED,
    TREATED_NOISY,
    TREATED_SCALED,
    TREATED_SHUFFLED,
    TREATMENTS
} TreatmentKind;
extern const char *const treatment_names[TREATMENTS]; /* as manifests write them */

/* Shared by reference and never changed. */
typedef struct Treatment {
    atomic_int references;
    TreatmentKind kind;
    double amount, low, high;
    int32_t count;
    char **from, **to; /* count texts each; NULL: none */
    double *matrix;
    struct Treatment *before; /* what was done earlier; NULL: nothing */
} Treatment;

/* Texts and the matrix (count x count) are copied; from, to and matrix may be NULL. NULL where memory is out. */
Treatment *treatment_new(TreatmentKind kind, int32_t count, const char *const *from, const char *const *to, const double *matrix);
Treatment *treatment_of_amount(TreatmentKind kind, double amount);
/* The same, done after `before`, which may be NULL. NULL where memory is out. */
Treatment *treatment_after(const Treatment *treatment, const Treatment *before);
Treatment *treatment_retain(const Treatment *treatment); /* NULL is harmless to both */
void treatment_release(Treatment *treatment);
bool treatment_known(const Treatment *treatment); /* no step is OTHERWISE, and there is one */
bool treatment_includes(const Treatment *treatment, TreatmentKind kind);
#endif
