/* What holds of the missing records however the records between two points of a curve are ordered, tied, or thinned out. */
#include "base/elementary.h"
#include "math/roc/roc.h"

/* Groups stand in the bags in order, any number in a bag while there is room for their records of each status. A bag that holds fewer
 * groups than it could leaves more to the later ones, so placing each group as early as it goes reaches furthest: after bag j between
 * least[j] and most[j] groups have been placed, and every number between them can be. */
typedef struct {
    const RocSteps *bags;
    const RocKnown *known;
    int64_t *least, *most;              /* groups in the first j bags */
    int64_t *records, *held, *positive; /* records in the first j bags; records, and those of status 1, in the first i groups */
} Reach;

/* Thresholds bound the scores of a bag, ends included. */
static inline bool within(const RocSteps *bags, int64_t j, double score) {
    return !bags->low || (score >= bags->low[j] && score <= bags->high[j]);
}

/* Do groups from+1 … to stand in bag j (from 1) together? */
static inline bool fits(const Reach *r, int64_t j, int64_t from, int64_t to) {
    const RocStep *bag = &r->bags->at[j - 1];
    int64_t k = r->held[to] - r->held[from], p = r->positive[to] - r->positive[from];
    if (p > bag->positives || k - p > bag->negatives) return false;
    return to == from || (within(r->bags, j - 1, r->known->at[from].score) && within(r->bags, j - 1, r->known->at[to - 1].score));
}

static Status reach_make(Work *work, const RocSteps *bags, const RocKnown *known, Reach *r) {
    Status status = OK;
    int64_t J = bags->count, K = known->count;
    *r = (Reach){ .bags = bags, .known = known };
    NEW(work, r->least, J + 1);
    NEW(work, r->most, J + 1);
    NEW(work, r->records, J + 1);
    NEW(work, r->held, K + 1);
    NEW(work, r->positive, K + 1);
    for (int64_t j = 0; j < J; j++) r->records[j + 1] = r->records[j] + bags->at[j].positives + bags->at[j].negatives;
    for (int64_t i = 0; i < K; i++) {
        r->held[i + 1] = r->held[i] + known->at[i].positives + known->at[i].negatives;
        r->positive[i + 1] = r->positive[i] + known->at[i].positives;
    }
    for (int64_t j = 1; j <= J; j++)
        for (r->most[j] = r->most[j - 1]; r->most[j] < K && fits(r, j, r->most[j - 1], r->most[j] + 1);) r->most[j]++;
    r->least[J] = K;
    for (int64_t j = J; j >= 1; j--)
        for (r->least[j - 1] = r->least[j]; r->least[j - 1] > 0 && fits(r, j, r->least[j - 1] - 1, r->least[j]);) r->least[j - 1]--;
done:
    return status;
}

static bool reach_whole(const Reach *r) { return r->most[r->bags->count] == r->known->count && r->least[0] == 0; }

/* Bag j, with `from` groups before it. The fewer groups it holds, the more missing records of each status: what they may be is seen with
 * the fewest; how low their scores may go, with the most groups that leave a missing record. */
static inline void widen(const Reach *r, int64_t j, int64_t from, RocMissing *at) {
    const RocStep *bag = &r->bags->at[j - 1];
    int64_t few = from > r->least[j] ? from : r->least[j], most = r->most[j], start = r->records[j - 1] - r->held[from];
    if (few > most || !fits(r, j, from, few)) return;
    int64_t records = (int64_t)bag->positives + bag->negatives, missing = records - (r->held[few] - r->held[from]), many = few;
    while (many < most && fits(r, j, from, many + 1) && r->held[many + 1] - r->held[from] < records) many++;
    bool one = bag->positives > r->positive[few] - r->positive[from],
         zero = missing > bag->positives - (r->positive[few] - r->positive[from]);
    double lower = many < r->known->count ? r->known->at[many].score : -INFINITY, upper = from ? r->known->at[from - 1].score : INFINITY;
    if (r->bags->low) {
        lower = fmax(lower, r->bags->low[j - 1]);
        upper = fmin(upper, r->bags->high[j - 1]);
    }
    for (int64_t m = start; m < start + missing; m++) {
        at[m].may_be_1 |= one;
        at[m].may_be_0 |= zero;
        if (lower < at[m].lower) at[m].lower = lower;
        if (upper > at[m].upper) at[m].upper = upper;
    }
}

Status roc_widen(Work *work, const RocSteps *bags, const RocKnown *known, RocMissing *at, bool *possible) {
    Status status = OK;
    Reach r;
    TRY(reach_make(work, bags, known, &r));
    *possible = reach_whole(&r);
    for (int64_t j = 1; *possible && j <= bags->count; j++) {
        for (int64_t from = r.least[j - 1]; from <= r.most[j - 1]; from++) widen(&r, j, from, at);
        if (j % 4096 == 0) TRY(work_check(work));
    }
done:
    return status;
}
