/* The lattice of all choices of a level per key, and the search for its best node. */
#ifndef SCRIM_PROTECT_LATTICE_H
#define SCRIM_PROTECT_LATTICE_H
#include "protect/generalize/node_check.h"

typedef struct LatticeNode {
    uint8_t level[KEYS_MOST];
    int64_t total;
    double sum;
    Outcome outcome;
} LatticeNode; /* sum: what the loss is a rising function of */

typedef struct Search {
    int64_t keys, nodes, checked, pruned;
    int64_t found, wanted; /* nodes kept below, best first */
    LatticeNode *best;
    bool tied;     /* another node is as good as the best */
    bool finished; /* false: time ran out */
    double bound;  /* no node scores less than this */
} Search;

/* The best `wanted` valid nodes: least loss, then least total level, then the first. `settled`: key → the level it must have, -1: any; or
 * NULL. time_limit in seconds; NaN: none. */
MUST_CHECK Status lattice_search(Work *work, const Checker *checker, const int64_t *settled, int64_t wanted, double time_limit,
                                 Search *out);
#endif
