/* Bags: the records between two points of a curve, in no known order, and how many of the known groups the first of them can hold. */
#ifndef SCRIM_MATH_ROC_BAGS_H
#define SCRIM_MATH_ROC_BAGS_H
#include "math/roc/roc.h"

/* Groups stand in the bags in order, any number in a bag while there is room for their records of each status. A bag that holds fewer
 * groups than it could leaves more to the later ones, so placing each group as early as possible reaches furthest: after bag j between
 * least[j] and most[j] groups have been placed, and every number between them can be. */
typedef struct RocReach {
    const RocSteps *bags;
    const RocKnown *known;
    int64_t *least, *most;              /* groups in the first j bags */
    int64_t *records, *held, *positive; /* records in the first j bags; records, and those of status 1, in the first i groups */
} RocReach;
MUST_CHECK Status roc_reach(Work *work, const RocSteps *bags, const RocKnown *known, RocReach *out);
static inline bool roc_reach_whole(const RocReach *r) { return r->most[r->bags->count] == r->known->count && r->least[0] == 0; }

/* Thresholds bound the scores of a bag, ends included. */
static inline bool roc_within(const RocSteps *bags, int64_t j, double score) {
    return !bags->low || (score >= bags->low[j] && score <= bags->high[j]);
}

/* Do groups from+1 … to stand in bag j (from 1) together? */
static inline bool roc_bag_fits(const RocReach *r, int64_t j, int64_t from, int64_t to) {
    const RocStep *bag = &r->bags->at[j - 1];
    int64_t k = r->held[to] - r->held[from], p = r->positive[to] - r->positive[from];
    if (p > bag->positives || k - p > bag->negatives) return false;
    return to == from || (roc_within(r->bags, j - 1, r->known->at[from].score) && roc_within(r->bags, j - 1, r->known->at[to - 1].score));
}
#endif
