/* Branch and bound: is there an answer with this many cells? Every "no" raises the lower bound, and a "yes" is the least. */
#include <string.h>
#include "protect/suppress/small.h"

typedef struct {
    Small *s;
    int *least;    /* record → the fewest cells it needs in any answer */
    uint64_t *set; /* what is chosen so far; records in order of their number */
    bool found;
} Branch;

/* The most that could agree with record i, with `extra` cells to spend beyond the least on those not chosen yet (from `chosen` on). */
static int64_t at_most(Branch *b, int64_t i, const Want *want, uint64_t set, int64_t chosen, int64_t extra) {
    Small *s = b->s;
    uint64_t among = want->keys | s->problem->stratum;
    int64_t f = small_safe_others(s, i, among & ~set) + 1;
    for (int64_t n = s->near_start[i]; n < s->near_start[i + 1]; n++) {
        int64_t j = s->near[n].record;
        uint64_t differs = s->near[n].differs & among & ~set;
        if (j < chosen) f += !(differs & ~b->set[j]);
        else f += __builtin_popcountll(differs) <= b->least[j] + extra;
    }
    s->work_left -= s->near_start[i + 1] - s->near_start[i] + 4;
    return f;
}

static bool hopeful(Branch *b, int64_t i, uint64_t set, int64_t chosen, int64_t extra) {
    for (int64_t w = 0; w < small_wants(b->s, i); w++)
        if (at_most(b, i, small_want(b->s, i, w), set, chosen, extra) < small_want(b->s, i, w)->k) return false;
    return true;
}

/* Every record chosen so far must still be able to reach k. */
static bool all_hopeful(Branch *b, int64_t chosen, int64_t extra) {
    for (int64_t i = chosen - 1; i >= 0; i--)
        if (!hopeful(b, i, b->set[i], chosen, extra)) return false;
    return true;
}

/* Chooses for record i and those after it. Records of one tuple are alike: their sets go in falling order. */
static void descend(Branch *b, int64_t i, int64_t extra) {
    Small *s = b->s;
    if (i == s->records) {
        b->found = true;
        return;
    }
    uint64_t has = low_bits(s->problem->keys) & ~s->missing[i];
    uint64_t most = i && s->tuple[i] == s->tuple[i - 1] ? b->set[i - 1] : UINT64_MAX;
    for (uint64_t set = has;; set = (set - 1) & has) {
        int64_t more = __builtin_popcountll(set) - b->least[i];
        if ((s->work_left -= 8) <= 0) return;
        if (set <= most && more <= extra && small_allows(s, i, set) && hopeful(b, i, set, i, extra - more)) {
            b->set[i] = set;
            if (all_hopeful(b, i + 1, extra - more)) descend(b, i + 1, extra - more);
            if (b->found) return;
        }
        if (!set) return;
    }
}

static int fewest_cells(const Small *s, int64_t i) {
    uint64_t has = low_bits(s->problem->keys) & ~s->missing[i];
    if (!s->problem->own) return 0;
    for (int size = 1; size <= __builtin_popcountll(has); size++)
        for (uint64_t set = has; set; set = (set - 1) & has)
            if (__builtin_popcountll(set) == size && small_allows(s, i, set)) return size;
    return 0;
}

Status small_prove(Work *work, Small *s, int64_t *lower_bound) {
    Status status = OK;
    Branch b = { .s = s };
    int64_t least = 0;
    if (s->problem->keys > 16) return OK; /* too many sets to go through */
    NEW(work, b.least, s->records);
    NEW(work, b.set, s->records);
    for (int64_t i = 0; i < s->records; i++) least += b.least[i] = fewest_cells(s, i);
    while (*lower_bound < s->cells && s->work_left > 0) {
        TRY(work_check(work));
        b.found = false;
        descend(&b, 0, *lower_bound - least);
        if (b.found) {
            for (int64_t i = 0; i < s->records; i++) small_apply(s, i, b.set[i]);
            break;
        }
        if (s->work_left > 0) ++*lower_bound;
    }
done:
    return status;
}
