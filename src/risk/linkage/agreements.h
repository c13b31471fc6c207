/* Pairs of an original and a released record by the columns on which they agree, never pair by pair. */
#ifndef SCRIM_RISK_LINKAGE_AGREEMENTS_H
#define SCRIM_RISK_LINKAGE_AGREEMENTS_H
#include "risk/linkage/tuples.h"

/* pairs[set]: pairs that agree on exactly these columns. */
MUST_CHECK Status count_agreements(Work *work, const TupleSet *tuples, double *pairs);

/* Original records that agree with released tuples on at least a set of columns. */
typedef struct Matcher {
    const TupleSet *tuples;
    uint32_t *lacks; /* tuple → columns that are missing; NULL where none is */
    uint64_t slots;
    uint64_t *slot; /* place among those asked for + 1, the first of its kind, below half of its hash; 0 = free */
    int32_t *first; /* place → the first place of its kind */
} Matcher;
MUST_CHECK Status matcher_make(Work *work, const TupleSet *tuples, Matcher *out);
void matcher_count(Matcher *matcher, uint32_t set, const int32_t *asked, int64_t count, double *found);
#endif
