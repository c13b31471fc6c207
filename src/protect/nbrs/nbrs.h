/* Neighbourhood sampling: which records are changed, and from which record each of their values comes. */
#ifndef SCRIM_PROTECT_NBRS_H
#define SCRIM_PROTECT_NBRS_H
#include "base/random.h"
#include "math/neighbours/neighbours.h"

typedef enum { WITHIN_EPS, K_NEAREST, OWN_EPS } Reach;
typedef enum { EMPTY_MISSING, EMPTY_KEEP, EMPTY_NEAREST } EmptyRule;

typedef struct Sampling {
    Columns vars;
    const double *weight; /* one for each column */
    Metric metric;
    Reach reach;
    double eps;    /* WITHIN_EPS */
    int64_t k;     /* K_NEAREST, OWN_EPS */
    double modify; /* share of records changed */
    EmptyRule empty;
    const bool *excluded; /* who is left out: becomes missing, and lends to nobody; NULL: nobody */
    int64_t left_out;
    RandomStream chosen, draws; /* word i decides whether record i is changed; words i·p … draw its donors */
    /* What comes out: */
    int64_t rows, modified, emptied;
    int32_t **donor;     /* for each column, the record that each value comes from (its own where it stays; -1 = missing) */
    int64_t *neighbours; /* |S| of each record that is changed; -1 for the others */
    double *needed;      /* distance to the nearest record, of each record without neighbours */
    int64_t needed_count, needed_room;
    const Space *space;
} Sampling;

MUST_CHECK Status sampling_run(Work *work, Sampling *sampling);
/* The least ε, to three digits, at which fewer than 1% of the changed records have an empty neighbourhood; +∞ where none will do. */
double sampling_better_eps(const Sampling *sampling);
#endif
