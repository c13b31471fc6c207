/* Comparing two tables: what each part computes. */
#ifndef SCRIM_UTILITY_COMPARE_H
#define SCRIM_UTILITY_COMPARE_H
#include "method/method.h"
#include "math/linear/moments.h"

/* One variable in both tables. Numbers in both: x[0], x[1] with NaN = missing and the values present sorted; else they are NULL. */
typedef struct Pairing {
    const char *name;
    const Column *column[2];
    const double *x[2];
    double *sorted[2];
    int64_t present[2];
    double ks, hellinger, total_variation, entropy[2];
} Pairing;

typedef struct Comparison {
    Run *run;
    const Table *table[2];
    int64_t variables, numeric;
    Pairing *pair;    /* numeric variables first */
    Moments joint[2]; /* of the numeric variables, over complete records */
} Comparison;

MUST_CHECK Status compare_distances(Comparison *c);       /* fills ks, hellinger, total_variation, entropy */
MUST_CHECK Status compare_joint(Comparison *c);           /* il1s, eigenvalues, correlation_loss, kullback_leibler, table correlations */
double relative_change(double original, double released); /* NaN where the original is zero */
#endif
