/* Data shuffling: ranks, the copula's fit, and the draw. */
#ifndef SCRIM_PROTECT_SHUFFLE_H
#define SCRIM_PROTECT_SHUFFLE_H
#include "method/method.h"
#include "classes/strata.h"

/* One stratum's conditional normal: Y* = slope·S* + root·z. */
typedef struct ShuffleFit {
    double *slope;
    double *root;
    double *sd;
    bool pooled;
} ShuffleFit;

typedef struct Shuffle {
    Run *run;
    int64_t rows, confidential, others; /* others: columns of S, dummies included */
    Strata strata;
    const double **x;          /* confidential columns, then those of S; NaN = missing */
    const Column **source;     /* of S: the column of numbers that it is, or NULL */
    int64_t room, sources;     /* of x, and of source */
    const uint8_t *used;       /* records that have a confidential value */
    double **u;                /* their mid-ranks within the stratum, as (rank − ½)/n; NaN = missing; ½ for a missing value of S */
    double **score;            /* of S: Φ⁻¹(u) */
    int64_t **sorted, **begin; /* of confidential columns: rows with a value, ascending, by stratum */
    ShuffleFit *fit;           /* per stratum */
    RandomStream *stream;
    double **y;     /* the draw, per confidential column */
    int64_t **from; /* where each record's value comes from; -1 = missing */
} Shuffle;

MUST_CHECK Status shuffle_rank(Shuffle *s);
MUST_CHECK Status shuffle_fit(Shuffle *s);
MUST_CHECK Status shuffle_draw(Shuffle *s);
#endif
