/* Tabu search: take one cell back, then move blanks about, cell for cell, until everyone is safe again; repeat while that works. */
#include <string.h>
#include "protect/suppress/small.h"

enum { WIDE = 2 }; /* every so many steps a cell may come from anywhere */

typedef struct {
    int64_t record;
    uint64_t set;
    int64_t other;
    uint64_t other_set;
    int64_t penalty;
    uint64_t tie;
} Move; /* other -1: none */

typedef struct {
    Small *s;
    int64_t *barred; /* record × key: no change of this cell before this step */
    int64_t step;
    uint64_t random; /* breaks ties; the same for everyone */
} Tabu;

static uint64_t next(Tabu *t) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    return t->random ^= t->random << 17;
}

static bool free_to_move(const Tabu *t, int64_t record, uint64_t cell) { return t->barred[record * 64 + __builtin_ctzll(cell)] <= t->step; }

static void consider(Tabu *t, Move move, Move *best) {
    move.tie = next(t);
    if (move.penalty < best->penalty || (move.penalty == best->penalty && move.tie < best->tie)) *best = move;
}

/* One blank of record j goes to another of its keys; where `useful` is not 0, only to one of those. */
static void try_swaps(Tabu *t, int64_t j, uint64_t useful, Move *best) {
    Small *s = t->s;
    for (uint64_t off = s->set[j]; off; off &= off - 1)
        for (uint64_t on = low_bits(s->problem->keys) & ~s->set[j] & ~s->missing[j] & useful; on; on &= on - 1) {
            uint64_t a = off & -off, b = on & -on, set = (s->set[j] & ~a) | b;
            if (!small_allows(s, j, set)) continue;
            int64_t penalty = small_change(s, j, set);
            if (penalty && (!free_to_move(t, j, a) || !free_to_move(t, j, b))) continue;
            consider(t, (Move){ j, set, -1, 0, penalty, 0 }, best);
        }
}

/* A blank can be taken back: the last one only where records may stay whole. */
static bool may_lose_one(const Small *s, int64_t j) { return s->problem->own ? s->set[j] & (s->set[j] - 1) : s->set[j] != 0; }

/* A cell less for record j. */
static void try_less(Tabu *t, int64_t j, int64_t i, uint64_t more, Move *best) {
    Small *s = t->s;
    if (j == i || !may_lose_one(s, j)) return;
    for (uint64_t off = s->set[j]; off; off &= off - 1) {
        uint64_t a = off & -off;
        if (!free_to_move(t, j, a) || !small_allows(s, j, s->set[j] & ~a)) continue;
        consider(t, (Move){ i, more, j, s->set[j] & ~a, small_change(s, j, s->set[j] & ~a), 0 }, best);
    }
}

/* A cell more for record i, paid by a cell less nearby, and now and then anywhere. */
static void try_transfers(Tabu *t, int64_t i, Move *best) {
    Small *s = t->s;
    uint64_t before = s->set[i];
    for (uint64_t on = low_bits(s->problem->keys) & ~before & ~s->missing[i]; on; on &= on - 1) {
        uint64_t b = on & -on;
        if (!free_to_move(t, i, b) || !small_allows(s, i, before | b)) continue;
        small_apply(s, i, before | b);
        if (t->step % WIDE == 0)
            for (int64_t j = 0; j < s->records; j++) try_less(t, j, i, before | b, best);
        else
            for (int64_t n = s->near_start[i]; n < s->near_start[i + 1]; n++) try_less(t, s->near[n].record, i, before | b, best);
        small_apply(s, i, before);
    }
}

/* Some record that still wants agreement. */
static int64_t wanting(Tabu *t) {
    const Small *s = t->s;
    int64_t start = (int64_t)(next(t) % (uint64_t)s->records);
    for (int64_t n = 0; n < s->records; n++) {
        int64_t i = (start + n) % s->records;
        for (int64_t w = 0; w < small_wants(s, i); w++)
            if (s->f[s->first[i] + w] < small_want(s, i, w)->k) return i;
    }
    return -1;
}

static void bar(Tabu *t, int64_t record, uint64_t before, uint64_t after) {
    for (uint64_t changed = before ^ after; changed; changed &= changed - 1)
        t->barred[record * 64 + __builtin_ctzll(changed)] = t->step + 5 + (int64_t)(next(t) % 8);
}

static bool step(Tabu *t) {
    Small *s = t->s;
    Move best = { .record = -1, .penalty = INT64_MAX };
    int64_t i = wanting(t);
    try_swaps(t, i, UINT64_MAX, &best);
    for (int64_t n = s->near_start[i]; n < s->near_start[i + 1]; n++) try_swaps(t, s->near[n].record, s->near[n].differs, &best);
    if (best.penalty) try_transfers(t, i, &best);
    t->step++;
    if (best.record < 0) return false;
    bar(t, best.record, s->set[best.record], best.set);
    small_apply(s, best.record, best.set);
    if (best.other >= 0) {
        bar(t, best.other, s->set[best.other], best.other_set);
        small_apply(s, best.other, best.other_set);
    }
    return true;
}

/* Takes back the cell that is missed least. */
static bool take_back(Tabu *t) {
    Small *s = t->s;
    Move best = { .record = -1, .penalty = INT64_MAX };
    for (int64_t i = 0; i < s->records; i++) {
        if (!may_lose_one(s, i)) continue;
        for (uint64_t off = s->set[i]; off; off &= off - 1) {
            uint64_t set = s->set[i] & (s->set[i] ^ (off & -off));
            if (small_allows(s, i, set)) consider(t, (Move){ i, set, -1, 0, small_change(s, i, set), 0 }, &best);
        }
    }
    if (best.record < 0) return false;
    small_apply(s, best.record, best.set);
    return true;
}

Status small_search(Work *work, Small *s, int64_t lower_bound) {
    Status status = OK;
    Tabu t = { .s = s, .random = UINT64_C(0x9e3779b97f4a7c15) };
    uint64_t *best = NULL;
    int64_t reserve = s->records > 100 ? s->work_left / 10 : s->work_left / 2; /* for the proof, which has a chance where records are few */
    if (!s->records) return OK;
    NEW(work, t.barred, s->records * 64);
    NEW(work, best, s->records);
    memcpy(best, s->set, (size_t)s->records * sizeof *best);
    while (s->cells > lower_bound && s->work_left > reserve && take_back(&t)) {
        while (s->penalty && s->work_left > reserve) {
            TRY(work_check(work));
            if (!step(&t)) break;
        }
        if (s->penalty) break;
        memcpy(best, s->set, (size_t)s->records * sizeof *best);
    }
    for (int64_t i = 0; i < s->records; i++)
        if (s->set[i] != best[i]) small_apply(s, i, best[i]);
done:
    return status;
}
