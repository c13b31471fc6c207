/* What each column weighs in the distance of neighbourhood sampling, and who is left out for a rare value. */
#ifndef SCRIM_PROTECT_NBRS_WEIGHTS_H
#define SCRIM_PROTECT_NBRS_WEIGHTS_H
#include "method/method.h"

typedef struct Weighing {
    Pairs named;            /* these stand as they are given */
    const char *discrete;   /* of the discrete columns: NULL, "auto" or a number */
    double decay;           /* column j weighs j^−decay times as much; NaN or 0: all alike */
    double discrete_weight; /* out: what the discrete columns got before decay */
} Weighing;

MUST_CHECK Status discrete_columns(Work *work, Columns vars, bool **out);
MUST_CHECK Status column_weights(Work *work, Weighing *weighing, Columns vars, const bool *discrete, double **out);
/* Section 7: everyone who holds a value of a discrete column, or a combination of values of up to `order` of them, that fewer than `least` of
 * those who stay hold. */
MUST_CHECK Status exclude_rare(Work *work, Columns vars, const bool *discrete, int64_t least, int64_t order, bool **out, int64_t *count);
#endif
