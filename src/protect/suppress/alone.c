/* What each unsafe tuple would have to lose if no other lost anything: the fewest keys, and which single ones will do. */
#include <limits.h>
#include "protect/suppress/pairs.h"

enum { PER_SET = 25 }; /* tuples to be compared with all others in the time that counting one set takes */

static Status try_set(Work *work, Problem *p, Counts *counts, int32_t *pending, int64_t *left, uint64_t set, int64_t size) {
    Status status = OK;
    for (int64_t i = 0; i < *left;) {
        int32_t tuple = pending[i];
        bool good;
        TRY(counts_fulfil(work, counts, tuple, set, true, &good));
        if (good) p->alone[tuple] = size;
        if (good && size == 1) p->single[tuple] |= set;
        if (good && size > 1) pending[i] = pending[--*left];
        else i++;
    }
done:
    return status;
}

/* Keys as important as the least important that makes the tuple safe by itself, or less. */
static uint64_t open_keys(const Problem *p, uint64_t single) {
    int least = INT_MAX;
    uint64_t open = 0;
    for (uint64_t left = single; left; left &= left - 1)
        if (p->spared[__builtin_ctzll(left)] < least) least = p->spared[__builtin_ctzll(left)];
    for (int64_t key = 0; key < p->keys; key++)
        if (p->spared[key] <= least) open |= UINT64_C(1) << key;
    return open;
}

Status problem_alone(Work *work, Problem *p) {
    Status status = OK;
    Counts counts = { .problem = p };
    AllPairs pairs = { 0 };
    int32_t *pending = NULL;
    int64_t left = 0;
    NEW(work, pending, p->tuples.count);
    NEW(work, p->alone, p->tuples.count);
    NEW(work, p->single, p->tuples.count);
    NEW(work, p->open, p->tuples.count);
    for (int64_t i = 0; i < p->tuples.count; i++)
        if (p->start[i] < p->start[i + 1]) pending[left++] = (int32_t)i;
    p->alone_known = true;
    for (int64_t size = 1; left && size <= p->keys; size++) {
        if (size > 1 && (double)left < PER_SET * choose(p->keys, size) && pairs_suit(p, left)) {
            TRY(pairs_make(work, p, &pairs));
            TRY(pairs_alone(work, &pairs, pending, left, &p->alone_known));
            break;
        }
        if (choose(p->keys, size) > SETS_MOST) {
            p->alone_known = false;
            break;
        }
        for (uint64_t places = low_bits(size), end = UINT64_C(1) << p->keys; places < end && left; places = next_set(places)) {
            TRY(try_set(work, p, &counts, pending, &left, keys_at(p, places), size));
            if (counts.count > 4 * p->combinations.count) counts_forget(work, &counts);
        }
        if (size > 1) continue;
        int64_t kept = 0;
        for (int64_t i = 0; i < left; i++)
            if (!p->alone[pending[i]]) pending[kept++] = pending[i];
        left = kept;
    }
    for (int64_t i = 0; i < left; i++)
        if (!p->alone[pending[i]]) p->alone[pending[i]] = p->keys;
    for (int64_t i = 0; i < p->tuples.count; i++) p->open[i] = open_keys(p, p->single[i]);
    for (int64_t i = 0; i < p->tuples.count; i++)
        if (p->alone[i] > p->most_alone) p->most_alone = p->alone[i];
done:
    counts_forget(work, &counts);
    pairs_drop(work, &pairs);
    arena_drop(work->arena, pending);
    return status;
}
