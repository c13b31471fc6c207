/* How many records agree with each unsafe tuple, whatever set of keys it loses: counted once over all pairs, and kept as cells are blanked.
 */
#ifndef SCRIM_PROTECT_SUPPRESS_PAIRS_H
#define SCRIM_PROTECT_SUPPRESS_PAIRS_H
#include "protect/suppress/counts.h"

enum { PAIR_KEYS = 16 };

/* For one combination of keys. A key is a bit, in the order in which keys are given up; the stratum, where there is one, is the bit after
 * them, and in no set. Two tuples agree once one has lost S where the keys in which they differ, and that neither lacks, are all in S. */
typedef struct AllPairs {
    Problem *problem;
    int64_t k;
    int keys, bits, key[PAIR_KEYS];
    int sizes;    /* sets of so many keys and fewer are at hand */
    int64_t sets; /* smaller ones first; first[size] … */
    int64_t first[PAIR_KEYS + 2];
    uint16_t *set;
    int16_t *rank;                /* set → its number, or -1 */
    int32_t *above_start, *above; /* number → the sets that contain it */
    int64_t steps;                /* sums over subsets: sum[to] += sum[from], in this order */
    int16_t *to, *from;
    int64_t tuples, room; /* room: up to whole vectors */
    uint16_t *code;       /* bit → tuple → code */
    uint16_t *lacks;      /* tuple → bits */
    /* the tuples that still want something */
    int64_t left, pending_room;
    int32_t *pending;
    int32_t *lost;          /* scratch: tuples that have lost the set at hand */
    uint16_t *pending_code; /* bit → place → code */
    uint16_t *pending_lacks;
    int32_t *f;     /* place, number of a set → records that agree */
    uint8_t *ready; /* place → bit (size modulo 8): some set of that size may be enough */
    uint16_t *differs;
} AllPairs;

/* Is the problem one for pairs? One combination, few keys. `pending` many tuples, and how much that takes. */
bool pairs_suit(const Problem *problem, int64_t pending);
MUST_CHECK Status pairs_make(Work *work, Problem *problem, AllPairs *out);
/* What each of these tuples would have to lose alone, where a single key is not enough: problem->alone; false: some not found. */
MUST_CHECK Status pairs_alone(Work *work, AllPairs *pairs, const int32_t *tuple, int64_t count, bool *all);
/* Counts for the tuples pending, as things are now. */
MUST_CHECK Status pairs_begin(Work *work, AllPairs *pairs, const int32_t *pending, int64_t left);
/* Sets of this size, one after the other: the pending tuples that one is enough for lose it, `quota` of them at most. */
void pairs_try(AllPairs *pairs, int size, int64_t quota);
/* One tuple after the other loses the smallest set that is enough by now; where none is at hand, key after key, the one that wins most. */
MUST_CHECK Status pairs_one_by_one(Work *work, AllPairs *pairs, const int32_t *tuple, int64_t count);
void pairs_drop(Work *work, AllPairs *pairs);
#endif
