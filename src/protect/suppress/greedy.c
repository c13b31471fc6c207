/* The smallest sets of keys first, all tuples at once. Blanking only ever raises counts, so what is safe stays safe. */
#include "protect/suppress/counts.h"

/* The share of what is pending that may take a larger set before smaller ones are tried again; sets that the last resort tries. */
enum { SHARE = 4, STEPS = 3000 };

typedef struct {
    Problem *problem;
    Counts counts;
    int32_t *pending; /* tuples with a want left */
    int64_t left;
    int64_t quota; /* how many may still be settled in this round */
} Greedy;

static void give_up(Greedy *g, int64_t place, uint64_t set) {
    int32_t tuple = g->pending[place];
    g->problem->blanked[tuple] |= set;
    g->problem->tuples.lacks[tuple] |= set;
    g->pending[place] = g->pending[--g->left];
}

static Status try_set(Work *work, Greedy *g, uint64_t set) {
    Status status = OK;
    for (int64_t i = 0; i < g->left && g->quota > 0;) {
        bool good;
        TRY(counts_fulfil(work, &g->counts, g->pending[i], set, g->problem->own, &good));
        if (good) {
            give_up(g, i, set);
            g->quota--;
        } else i++;
    }
done:
    return status;
}

/* All sets of this size. Places are counted along the order in which keys are given up, and sets go by their greatest place first: a set of
 * keys that may go comes before one with a key to be kept. */
static Status try_size(Work *work, Greedy *g, int64_t size) {
    Status status = OK;
    const Problem *p = g->problem;
    if (!size) return try_set(work, g, 0);
    for (uint64_t places = low_bits(size), end = UINT64_C(1) << p->keys; places < end && g->left && g->quota > 0; places = next_set(places))
        TRY(try_set(work, g, keys_at(p, places)));
done:
    return status;
}

/* The last resort, where sets are too many to try: each pending tuple gives up, one by one, the key that wins most, and all keys in the
 * end. */
static Status best_key(Work *work, Greedy *g, int64_t tuple, uint64_t have, int64_t *steps, uint64_t *out) {
    Status status = OK;
    const Problem *p = g->problem;
    int64_t best = -1;
    *out = low_bits(p->keys) & ~p->tuples.lacks[tuple] & ~have;
    for (int64_t i = 0; i < p->keys && *steps < STEPS; i++) {
        uint64_t key = UINT64_C(1) << p->order[i];
        if ((have | p->tuples.lacks[tuple]) & key) continue;
        int64_t worth = 0;
        for (int64_t w = p->start[tuple]; w < p->start[tuple + 1]; w++) {
            const int64_t *count;
            int64_t before = g->counts.count;
            TRY(counts_about(work, &g->counts, p->want[w].keys & ~have & ~key, &count));
            *steps += g->counts.count != before;
            if (p->want[w].keys & (have | key)) worth += count[tuple] < p->want[w].k ? count[tuple] : p->want[w].k;
        }
        if (worth > best) {
            best = worth;
            *out = key;
        }
    }
done:
    return status;
}

static Status key_by_key(Work *work, Greedy *g) {
    Status status = OK;
    int64_t steps = 0;
    while (g->left) {
        uint64_t have = 0;
        int32_t tuple = g->pending[0];
        bool good = false;
        do {
            uint64_t key;
            TRY(best_key(work, g, tuple, have, &steps, &key));
            have |= key;
            if (!(low_bits(g->problem->keys) & ~g->problem->tuples.lacks[tuple] & ~have))
                break; /* everything: agrees with its whole stratum */
            TRY(counts_fulfil(work, &g->counts, tuple, have, g->problem->own, &good));
        } while (!good);
        give_up(g, 0, have);
    }
done:
    return status;
}

/* Size by size. What is blanked in one round makes the others match more in the next: so the smallest sets are tried again after every
 * round that settled some, and only a part of what is pending may take a larger set at a time. */
static Status size_by_size(Work *work, Greedy *g) {
    Status status = OK;
    const int64_t keys = g->problem->keys, all = g->left, first = g->problem->own ? 1 : 0;
    int64_t least = g->left / 512 + 4; /* a round settles at least so many, so that rounds are few */
    for (int64_t size = first; size <= keys && g->left && choose(keys, size) <= SETS_MOST;) {
        int64_t before = g->left;
        g->quota = size == first ? g->left : g->left / SHARE > least ? g->left / SHARE : least;
        counts_forget(work, &g->counts);
        TRY(try_size(work, g, size));
        work_show(work, "suppressing", 1 - (double)g->left / (double)all);
        if (g->left == before || size == 0) size++;
        else size = first;
    }
done:
    counts_forget(work, &g->counts);
    return status;
}

Status problem_solve_greedily(Work *work, Problem *problem) {
    Status status = OK;
    Greedy g = { .problem = problem, .counts = { .problem = problem } };
    NEW(work, g.pending, problem->tuples.count);
    for (int64_t i = 0; i < problem->tuples.count; i++)
        if (problem->start[i] < problem->start[i + 1]) g.pending[g.left++] = (int32_t)i;
    TRY(size_by_size(work, &g));
    if (g.left) TRY(key_by_key(work, &g));
done:
    counts_forget(work, &g.counts);
    arena_drop(work->arena, g.pending);
    return status;
}
