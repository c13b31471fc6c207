/* The fast way: smallest sets of keys first, all tuples at once. Blanking only ever raises counts, so what is safe stays safe. */
#include <string.h>
#include "protect/suppress/suppress.h"

/* Sets per size that are tried; the share of what is pending that may take a larger set before smaller ones are tried again; sets that the last
 * resort tries. */
enum { SETS = 500, SHARE = 4, STEPS = 3000 };

typedef struct {
    Problem *problem;
    uint64_t *blank;      /* tuple → keys blanked */
    int32_t *pending;     /* tuples with a want left */
    int64_t left;
    int64_t quota;        /* how many may still be settled in this round */
    int64_t counts, room; /* counts of agreeing records that are at hand, by the keys they are about */
    uint64_t *about;
    int64_t **count;
} Greedy;

static void forget_counts(Work *work, Greedy *g) {
    for (int64_t i = 0; i < g->counts; i++) arena_drop(work->arena, g->count[i]);
    g->counts = 0;
}

/* How many agree with each tuple on these keys. A count from before the last blanking is too low at most: still safe to act on. */
static Status counts_about(Work *work, Greedy *g, uint64_t keys, const int64_t **out) {
    Status status = OK;
    for (int64_t i = 0; i < g->counts; i++)
        if (g->about[i] == keys) { *out = g->count[i]; return OK; }
    if (g->counts && g->counts * g->problem->tuples.count > (INT64_C(1) << 26)) forget_counts(work, g);
    int64_t room = g->room;
    GROW(work, g->about, room, g->counts + 1);
    GROW(work, g->count, g->room, g->counts + 1);
    NEW(work, g->count[g->counts], g->problem->tuples.count);
    TRY(work_check(work));
    TRY(tuples_agreeing(work, &g->problem->tuples, keys | g->problem->stratum, false, g->count[g->counts], NULL));
    g->about[g->counts] = keys;
    *out = g->count[g->counts++];
done:
    return status;
}

/* Would blanking `set` fulfil every want of the tuple? */
static Status fulfils(Work *work, Greedy *g, int64_t tuple, uint64_t set, bool *out) {
    Status status = OK;
    const Problem *p = g->problem;
    *out = false;
    if (set & p->tuples.lacks[tuple]) return OK; /* some of it is missing already: a smaller set does as much */
    for (int64_t w = p->start[tuple]; w < p->start[tuple + 1]; w++)
        if (!(p->want[w].keys & set)) return OK;
    for (int64_t w = p->start[tuple]; w < p->start[tuple + 1]; w++) {
        const int64_t *count;
        TRY(counts_about(work, g, p->want[w].keys & ~set, &count));
        if (count[tuple] < p->want[w].k) return OK;
    }
    *out = true;
done:
    return status;
}

static void give_up(Greedy *g, int64_t place, uint64_t set) {
    int32_t tuple = g->pending[place];
    g->blank[tuple] |= set;
    g->problem->tuples.lacks[tuple] |= set;
    g->pending[place] = g->pending[--g->left];
}

static Status try_set(Work *work, Greedy *g, uint64_t set) {
    Status status = OK;
    for (int64_t i = 0; i < g->left && g->quota > 0;) {
        bool good;
        TRY(fulfils(work, g, g->pending[i], set, &good));
        if (good) {
            give_up(g, i, set);
            g->quota--;
        } else i++;
    }
done:
    return status;
}

static double choose(int64_t n, int64_t size) {
    double sets = 1;
    for (int64_t i = 0; i < size; i++) sets *= (double)(n - i) / (double)(i + 1);
    return sets;
}

/* All sets of this size. Places are counted along the order in which keys are given up, and sets go by their greatest place first: a set of
 * keys that may go comes before one with a key to be kept. */
static Status try_size(Work *work, Greedy *g, int64_t size) {
    Status status = OK;
    const Problem *p = g->problem;
    for (uint64_t places = low_bits(size), end = UINT64_C(1) << p->keys; places < end && g->left && g->quota > 0;) {
        uint64_t set = 0;
        for (uint64_t left = places; left; left &= left - 1) set |= UINT64_C(1) << p->order[__builtin_ctzll(left)];
        TRY(try_set(work, g, set));
        uint64_t low = places & -places, ripple = places + low;
        places = (((ripple ^ places) >> 2) / low) | ripple;
    }
done:
    return status;
}

/* The last resort, where sets are too many to try: each pending tuple gives up, one by one, the key that wins most, and all keys in the end. */
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
            int64_t before = g->counts;
            TRY(counts_about(work, g, p->want[w].keys & ~have & ~key, &count));
            *steps += g->counts != before;
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
            if (!(low_bits(g->problem->keys) & ~g->problem->tuples.lacks[tuple] & ~have)) break; /* everything: agrees with its whole stratum */
            TRY(fulfils(work, g, tuple, have, &good));
        } while (!good);
        give_up(g, 0, have);
    }
done:
    return status;
}

/* Size by size. What is blanked in one round makes the others match more in the next: so the smallest sets are tried again after every round that
 * settled some, and only a part of what is pending may take a larger set at a time. */
static Status size_by_size(Work *work, Greedy *g) {
    Status status = OK;
    const int64_t keys = g->problem->keys, all = g->left;
    int64_t least = g->left / 512 + 4; /* a round settles at least so many, so that rounds are few */
    for (int64_t size = 1; size <= keys && g->left && choose(keys, size) <= SETS;) {
        int64_t before = g->left;
        g->quota = size == 1 ? g->left : g->left / SHARE > least ? g->left / SHARE : least;
        forget_counts(work, g);
        TRY(try_size(work, g, size));
        work_show(work, "suppressing", 1 - (double)g->left / (double)all);
        if (g->left == before) size++;
        else size = 1;
    }
done:
    forget_counts(work, g);
    return status;
}

Status problem_solve_greedily(Work *work, Problem *problem, uint64_t *blank) {
    Status status = OK;
    Greedy g = { .problem = problem, .blank = blank };
    NEW(work, g.pending, problem->tuples.count);
    for (int64_t i = 0; i < problem->tuples.count; i++)
        if (problem->start[i] < problem->start[i + 1]) g.pending[g.left++] = (int32_t)i;
    TRY(size_by_size(work, &g));
    if (g.left) TRY(key_by_key(work, &g));
done:
    forget_counts(work, &g);
    arena_drop(work->arena, g.pending);
    return status;
}
