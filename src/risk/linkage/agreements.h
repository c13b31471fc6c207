/* Pairs of an original and a released record by the columns on which they agree, never pair by pair. */
#ifndef SCRIM_RISK_LINKAGE_AGREEMENTS_H
#define SCRIM_RISK_LINKAGE_AGREEMENTS_H
#include "risk/linkage/packed_tuples.h"

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
/* `most`: tuples that are asked for at once. */
MUST_CHECK Status matcher_make(Work *work, const TupleSet *tuples, int64_t most, Matcher *out);
void matcher_drop(Work *work, Matcher *matcher);
MUST_CHECK Status matcher_count(Work *work, Matcher *matcher, uint32_t set, const int32_t *asked, int64_t count, uint32_t *found);
#endif
