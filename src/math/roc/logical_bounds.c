/* What holds of the missing records however the records between two points of a curve are ordered, tied, or thinned out. */
#include "base/elementary.h"
#include "math/roc/bags.h"

Status roc_reach(Work *work, const RocSteps *bags, const RocKnown *known, RocReach *r) {
    Status status = OK;
    int64_t J = bags->count, K = known->count;
    *r = (RocReach){ .bags = bags, .known = known };
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
        for (r->most[j] = r->most[j - 1]; r->most[j] < K && roc_bag_fits(r, j, r->most[j - 1], r->most[j] + 1);) r->most[j]++;
    r->least[J] = K;
    for (int64_t j = J; j >= 1; j--)
        for (r->least[j - 1] = r->least[j]; r->least[j - 1] > 0 && roc_bag_fits(r, j, r->least[j - 1] - 1, r->least[j]);) r->least[j - 1]--;
done:
    return status;
}

Status roc_bags_misfit(Work *work, const RocSteps *bags, const RocKnown *known, int64_t *group, int64_t *after) {
    Status status = OK;
    RocReach r;
    TRY(roc_reach(work, bags, known, &r));
    *group = roc_reach_whole(&r) ? -1 : r.most[bags->count];
    for (*after = 0; *after < bags->count && r.most[*after] < r.most[bags->count];) ++*after;
done:
    return status;
}

/* Bag j, with `from` groups before it. The fewer groups it holds, the more missing records of each status: what they may be is seen with
 * the fewest; how low their scores may go, with the most groups that leave a missing record. */
static inline void widen(const RocReach *r, int64_t j, int64_t from, RocMissing *at) {
    const RocStep *bag = &r->bags->at[j - 1];
    int64_t few = from > r->least[j] ? from : r->least[j], most = r->most[j], start = r->records[j - 1] - r->held[from];
    if (few > most || !roc_bag_fits(r, j, from, few)) return;
    int64_t records = (int64_t)bag->positives + bag->negatives, missing = records - (r->held[few] - r->held[from]), many = few;
    while (many < most && roc_bag_fits(r, j, from, many + 1) && r->held[many + 1] - r->held[from] < records) many++;
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
    RocReach r;
    TRY(roc_reach(work, bags, known, &r));
    *possible = roc_reach_whole(&r);
    for (int64_t j = 1; *possible && j <= bags->count; j++) {
        for (int64_t from = r.least[j - 1]; from <= r.most[j - 1]; from++) widen(&r, j, from, at);
        if (j % 4096 == 0) TRY(work_check(work));
    }
done:
    return status;
}
