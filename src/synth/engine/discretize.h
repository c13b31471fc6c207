/* A column as the synthesisers see it: every cell is one of a few states, missing among them. */
#ifndef SCRIM_SYNTH_ENGINE_DISCRETIZE_H
#define SCRIM_SYNTH_ENGINE_DISCRETIZE_H
#include "synth/engine/spacing.h"
#include "table/table.h"

enum { MOST_STATES = 65535, MOST_BINS = 511 };

/* Categories and text: a state per category, in the order of the words. Numbers and dates: a state per value, or per interval of equally
 * many records where there are more than MOST_BINS values. Where a cell is missing, the last state. */
typedef struct Variable {
    const Column *column;
    bool numeric;       /* numbers and dates */
    bool nominal;       /* numbers that are codes: their order means nothing */
    bool spaced;        /* numbers of many values, drawn from between those of a leaf */
    bool missing;       /* some cell is missing */
    bool whole;         /* numeric: every value is a whole number */
    int32_t states;     /* with the missing one */
    int32_t bins;       /* without it */
    uint16_t *state;    /* row → state */
    const double *real; /* numeric: row → value, NaN where missing */
    double *edge;       /* numeric: interval b holds values above edge[b-1] up to edge[b] */
    double least, most; /* numeric: of the values that are present */
    int digits;         /* numeric: decimals that its values have, at most 15 */
    int32_t *first_row; /* a row that has the state */
    int64_t absent;     /* rows whose cell is missing */
    int32_t *absent_row;
    Spacing spacing; /* numeric, not nominal */
} Variable;

MUST_CHECK Status variable_make(Work *work, const Column *column, Variable *out);
/* The state of a number (NaN: missing; where the column has no such state, that of the middle). */
uint16_t variable_state(const Variable *variable, double value);
/* The same variable in another table, by the words of its cells; a word that the first never had is taken as missing, or as the commonest.
 */
MUST_CHECK Status variable_states_of(Work *work, const Variable *variable, const Column *other, uint16_t *out);
/* Numeric: which states are a spike, a value that more than 3% of the records share (no income, a code). Columns of few values have none.
 */
MUST_CHECK Status variable_spikes(Work *work, const Variable *variable, bool **out);
/* Rounded to the decimals of the data and kept within its range. */
double variable_round(const Variable *variable, double value);
#endif
