/* The smallest sets of keys first, all tuples at once. Blanking only ever raises counts, so what is safe stays safe. */
#include <string.h>
#include "protect/suppress/pairs.h"

/* The share of what is pending that may take a larger set before smaller ones are tried again; sets that the last resort tries. */
enum { SHARE = 4, STEPS = 3000 };

typedef struct {
    Problem *problem;
    AllPairs pairs;
    bool paired; /* counted over pairs from here on */
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
            *steps = problem_late(p) ? STEPS : *steps + (g->counts.count != before);
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

/* After the first round there are many sets to try, and many patterns of lacking keys: all pairs are looked at once instead. */
static Status pair_up(Work *work, Greedy *g) {
    Status status = OK;
    TRY(pairs_make(work, g->problem, &g->pairs));
    TRY(pairs_begin(work, &g->pairs, g->pending, g->left));
    g->paired = true;
done:
    return status;
}

/* Size by size. What is blanked in one round makes the others match more in the next: so the smallest sets are tried again after every
 * round that settled some, and only a part of what is pending may take a larger set at a time. */
static Status size_by_size(Work *work, Greedy *g) {
    Status status = OK;
    const int64_t keys = g->problem->keys, all = g->left, first = g->problem->own ? 1 : 0;
    bool again = false;
    int64_t least = g->left / 512 + 4; /* a round settles at least so many, so that rounds are few */
    for (int64_t size = first; size <= keys && g->left && choose(keys, size) <= SETS_MOST && !problem_late(g->problem);) {
        int64_t before = g->left;
        g->quota = size == first ? g->left : g->left / SHARE > least ? g->left / SHARE : least;
        counts_forget(work, &g->counts);
        if (!g->paired && again && pairs_suit(g->problem, g->left)) TRY(pair_up(work, g));
        again = true;
        if (g->paired) pairs_try(&g->pairs, (int)size, g->quota);
        else TRY(try_size(work, g, size));
        if (g->paired) g->left = g->pairs.left;
        work_show(work, "suppressing", 1 - (double)g->left / (double)all);
        if (g->left == before || size == 0) size++;
        else size = first;
    }
done:
    counts_forget(work, &g->counts);
    return status;
}

static int64_t cells_of(const Problem *p) {
    int64_t cells = 0;
    for (int64_t t = 0; t < p->tuples.count; t++) cells += __builtin_popcountll(p->blanked[t]) * p->tuples.size[t];
    return cells;
}

/* Another way, from where it began: one tuple after the other, each with what the others have lost before it. The better is kept. */
static Status one_by_one(Work *work, Problem *p, const int32_t *pending, int64_t left, const uint64_t *blanked, const uint64_t *lacks) {
    Status status = OK;
    AllPairs pairs = { 0 };
    const size_t bytes = (size_t)p->tuples.count * sizeof *blanked;
    const int64_t cells = cells_of(p);
    uint64_t *other_blanked = NULL, *other_lacks = NULL;
    NEW(work, other_blanked, p->tuples.count);
    NEW(work, other_lacks, p->tuples.count);
    memcpy(other_blanked, p->blanked, bytes);
    memcpy(other_lacks, p->tuples.lacks, bytes);
    memcpy(p->blanked, blanked, bytes);
    memcpy(p->tuples.lacks, lacks, bytes);
    TRY(pairs_make(work, p, &pairs));
    TRY(pairs_one_by_one(work, &pairs, pending, left));
    if (cells_of(p) < cells) goto done;
    memcpy(p->blanked, other_blanked, bytes);
    memcpy(p->tuples.lacks, other_lacks, bytes);
done:
    pairs_drop(work, &pairs);
    arena_drop(work->arena, other_blanked);
    arena_drop(work->arena, other_lacks);
    return status;
}

/* Few are searched through afterwards; many take too long. */
static bool worth_another(const Problem *p, int64_t left) {
    enum { FEW = 300, PAIRS_MOST = 200 * 1000 * 1000 };
    return left > FEW && (double)left * (double)p->tuples.count <= PAIRS_MOST && pairs_suit(p, left);
}

Status problem_solve_greedily(Work *work, Problem *problem) {
    Status status = OK;
    Greedy g = { .problem = problem, .counts = { .problem = problem } };
    const int64_t n = problem->tuples.count;
    int32_t *pending = NULL;
    uint64_t *blanked = NULL, *lacks = NULL;
    NEW(work, g.pending, n);
    NEW(work, pending, n);
    NEW(work, blanked, n);
    NEW(work, lacks, n);
    for (int64_t i = 0; i < n; i++)
        if (problem->start[i] < problem->start[i + 1]) g.pending[g.left++] = (int32_t)i;
    const int64_t left = g.left;
    if (n) {
        memcpy(pending, g.pending, (size_t)n * sizeof *pending);
        memcpy(blanked, problem->blanked, (size_t)n * sizeof *blanked);
        memcpy(lacks, problem->tuples.lacks, (size_t)n * sizeof *lacks);
    }
    TRY(size_by_size(work, &g));
    if (g.left && !g.paired && pairs_suit(problem, g.left)) TRY(pair_up(work, &g)); /* out of time, or too many sets to try */
    if (g.left && g.paired) TRY(pairs_one_by_one(work, &g.pairs, g.pairs.pending, g.pairs.left));
    else if (g.left) TRY(key_by_key(work, &g));
    if (g.paired) pairs_drop(work, &g.pairs);
    g.paired = false;
    if (!problem_late(problem) && cells_of(problem) > problem->lower_bound && worth_another(problem, left))
        TRY(one_by_one(work, problem, pending, left, blanked, lacks));
done:
    if (g.paired) pairs_drop(work, &g.pairs);
    counts_forget(work, &g.counts);
    arena_drop(work->arena, g.pending);
    arena_drop(work->arena, pending);
    arena_drop(work->arena, blanked);
    arena_drop(work->arena, lacks);
    return status;
}
