/* Cells where they serve most: greedily, the move that fills most of what is wanting for each cell first.
 *
 * A record that loses a set of keys serves the classes in its group by the keys outside the set. The groups of a set are counted when the
 * set may hold the best move, and forgotten again: how much its best group can fill only falls, and is at most what that of a larger set
 * can, so that most sets are never counted, and no table of sets by classes is kept. */
#include "base/elementary.h"
#include "protect/suppress/hide.h"
#include "table/group.h"
#include <string.h>

enum { MOVED_MOST = 64 }; /* records that have moved and may move on */

/* A set of keys, and what its moves can be worth at most. */
typedef struct {
    int64_t most; /* classes that its best group still serves, at most */
    double least; /* cells that a move to it takes, at least */
    double worth; /* of its best move, at most */
} Option;

typedef struct {
    uint32_t stamp;  /* of the count it belongs to */
    int32_t example; /* a class of the group */
    int32_t count;   /* classes in it that want candidates */
    int64_t row;     /* its best mover, and what that is worth; -1 none */
    double worth;
} Slot;

typedef struct {
    int64_t row, has; /* has: classes that want, and that it fits already */
    uint64_t lost;
} Moved;

typedef struct {
    Hide *h;
    Option *option;
    int32_t *larger; /* set, key → the set with that key too, or -1 */
    int keys;
    Slot *slot;
    uint64_t slots;
    int32_t *used; /* slots in use */
    int64_t groups;
    uint32_t stamp;
    uint64_t mask[TUPLE_KEYS];
    Moved moved[MOVED_MOST];
    int64_t count;
} Greedy;

/* ---- counting one set ---- */

static Slot *find(const Greedy *g, int64_t c) {
    const Hide *h = g->h;
    const uint64_t *word = h->packed + c * h->words;
    uint64_t at = 0;
    for (int w = 0; w < h->words; w++) at = word_hash(at ^ (word[w] & g->mask[w]));
    for (at >>= 20;; at++) {
        Slot *slot = &g->slot[at & (g->slots - 1)];
        if (slot->stamp != g->stamp || hide_fits(h, slot->example, c, g->mask)) return slot;
    }
}

static void propose(Slot *slot, int64_t row, double gain, double cost) {
    if (gain <= 0 || gain / cost <= slot->worth) return;
    slot->worth = gain / cost;
    slot->row = row;
}

/* One that stands for itself alone, where there is such. */
static int64_t first_whole(const Hide *h, int64_t c) {
    int64_t heavy = -1;
    for (int64_t i = h->start[c]; i < h->start[c + 1]; i++) {
        int64_t r = h->row[i];
        if ((h->lost[r] & h->among) != h->lacks[c]) continue;
        if (hide_times(h, r) == 1) return r;
        if (heavy < 0) heavy = r;
    }
    return heavy;
}

/* Whole records of open classes must lose a key anyhow: one more that is filled. Safe classes lend what they do not need. */
static void propose_whole(const Greedy *g, int s) {
    const Hide *h = g->h;
    for (int64_t c = 0; c < h->classes; c++) {
        if (h->open[c] ? !h->whole[c] : hide_spare(h, c) <= 0) continue;
        if ((h->lacks[c] & ~h->set[s]) || h->lacks[c] == h->set[s]) continue;
        Slot *slot = find(g, c);
        if (slot->stamp != g->stamp) continue;
        int32_t others = slot->count - (h->open[c] && h->need[c] > 0);
        if (others) propose(slot, c, others + h->open[c], h->cost[s] - hide_price(h, h->lacks[c]));
    }
}

static void propose_moved(const Greedy *g, int s) {
    const Hide *h = g->h;
    for (int64_t m = 0; m < g->count; m++) {
        const Moved *moved = &g->moved[m];
        if ((moved->lost & ~h->set[s]) || moved->lost == h->set[s]) continue;
        Slot *slot = find(g, h->of[moved->row]);
        if (slot->stamp == g->stamp)
            propose(slot, h->classes + m, (double)(slot->count - moved->has), h->cost[s] - hide_price(h, moved->lost));
    }
}

/* The groups of set s: its best mover in each. */
static double weigh(Greedy *g, int s) {
    const Hide *h = g->h;
    double best = 0;
    g->stamp++;
    g->groups = 0;
    hide_outside(h, h->set[s], g->mask);
    for (int64_t i = 0; i < h->wants; i++) {
        Slot *slot = find(g, h->want[i]);
        if (slot->stamp != g->stamp) {
            *slot = (Slot){ .stamp = g->stamp, .example = h->want[i], .row = -1 };
            g->used[g->groups++] = (int32_t)(slot - g->slot);
        }
        slot->count++;
    }
    propose_whole(g, s);
    propose_moved(g, s);
    g->option[s].most = 0;
    for (int64_t i = 0; i < g->groups; i++) {
        const Slot *slot = &g->slot[g->used[i]];
        if (slot->count > g->option[s].most) g->option[s].most = slot->count;
        if (slot->worth > best) best = slot->worth;
    }
    return best;
}

/* ---- what a set can be worth at most ---- */

/* A group lies within one of any larger set. */
static bool refresh(Greedy *g, int s) {
    Option *o = &g->option[s];
    int64_t most = g->h->wants < o->most ? g->h->wants : o->most;
    for (int key = 0; key < g->keys; key++) {
        int32_t larger = g->larger[s * g->keys + key];
        if (larger >= 0 && g->option[larger].most < most) most = g->option[larger].most;
    }
    o->most = most;
    double worth = most ? (double)(most + 1) / o->least : 0;
    bool fell = worth < o->worth;
    if (fell) o->worth = worth;
    return fell;
}

/* A record that has lost `lost` moves on to a larger set for less. */
static void note_moved(Greedy *g, uint64_t lost) {
    const Hide *h = g->h;
    double price = hide_price(h, lost);
    for (int s = 0; s < h->sets; s++) {
        Option *o = &g->option[s];
        if ((lost & ~h->set[s]) || lost == h->set[s]) continue;
        if (h->cost[s] - price < o->least) o->least = h->cost[s] - price;
        if (o->most && (double)(o->most + 1) / o->least > o->worth) o->worth = (double)(o->most + 1) / o->least;
    }
}

/* ---- moving ---- */

static int64_t fitting(const Hide *h, int64_t c, uint64_t lost) {
    uint64_t mask[TUPLE_KEYS];
    int64_t count = 0;
    hide_outside(h, lost, mask);
    for (int64_t i = 0; i < h->wants; i++) count += hide_fits(h, c, h->want[i], mask);
    return count;
}

static void play(Greedy *g, const Slot *slot, uint64_t set) {
    Hide *h = g->h;
    bool again = slot->row >= h->classes;
    int64_t row = again ? g->moved[slot->row - h->classes].row : first_whole(h, slot->row), wants = h->wants;
    int64_t m = again ? slot->row - h->classes : g->count;
    hide_move(h, row, set);
    if (!again && g->count < MOVED_MOST) g->count++;
    if (m < MOVED_MOST) g->moved[m] = (Moved){ .row = row, .lost = set };
    for (int64_t i = 0; i < g->count; i++)
        if (h->wants != wants || i == m) g->moved[i].has = fitting(h, h->of[g->moved[i].row], g->moved[i].lost);
    if (m < MOVED_MOST) note_moved(g, set);
}

/* The most promising set, and what the next may be worth. */
static int most_promising(const Greedy *g, double *next) {
    int best = -1;
    *next = 0;
    for (int s = 0; s < g->h->sets; s++) {
        double worth = g->option[s].worth;
        if (worth <= 0) continue;
        if (best < 0 || worth > g->option[best].worth) {
            if (best >= 0) *next = g->option[best].worth;
            best = s;
        } else if (worth > *next) *next = worth;
    }
    return best;
}

/* Groups of one set have no class in common: all that are worth more than any other set go at once. */
static Status run_greedy(Work *work, Greedy *g) {
    Status status = OK;
    double next;
    for (int s; g->h->wants && !problem_late(g->h->problem) && (s = most_promising(g, &next)) >= 0;) {
        TRY(work_check(work));
        if (refresh(g, s)) continue;
        double best = weigh(g, s);
        g->option[s].worth = best;
        int64_t plays = 0;
        for (int64_t i = 0; i < g->groups && best >= next; i++) {
            const Slot *slot = &g->slot[g->used[i]];
            bool again = slot->row >= g->h->classes;
            if (slot->worth <= 0 || slot->worth < next || (again && plays)) continue; /* those that have moved have changed */
            play(g, slot, g->h->set[s]);
            plays++;
        }
    }
done:
    return status;
}

static Status make_options(Work *work, Greedy *g) {
    Status status = OK;
    Hide *h = g->h;
    int key[TUPLE_KEYS];
    for (uint64_t left = h->among; left; left &= left - 1) key[g->keys++] = __builtin_ctzll(left);
    NEW(work, g->option, h->sets + 1);
    NEW(work, g->larger, (h->sets + 1) * g->keys);
    NEW(work, g->used, h->wants + 1);
    for (g->slots = 64; g->slots < (uint64_t)h->wants * 2;) g->slots *= 2;
    NEW(work, g->slot, g->slots);
    for (int s = 0; s < h->sets; s++) {
        g->option[s] = (Option){ .most = h->wants, .least = h->cost[s], .worth = (double)(h->wants + 1) / h->cost[s] };
        for (int i = 0; i < g->keys; i++)
            g->larger[s * g->keys + i] = h->set[s] >> key[i] & 1 ? -1 : hide_find(h, h->set[s] | UINT64_C(1) << key[i]);
    }
    for (int64_t c = 0; c < h->classes; c++)
        for (int s = 0; h->lacks[c] && s < h->sets; s++) /* who lacks keys from the start pays for the others only */
            if (!(h->lacks[c] & ~h->set[s]) && h->lacks[c] != h->set[s])
                g->option[s].least = fmin(g->option[s].least, h->cost[s] - hide_price(h, h->lacks[c]));
done:
    return status;
}

/* The large sets first: what they cannot do no smaller one can. */
static Status look_at_large(Work *work, Greedy *g) {
    Status status = OK;
    double best = 0;
    for (int size = g->keys - 1; size > 0; size--)
        for (int s = 0; s < g->h->sets; s++) {
            if (__builtin_popcountll(g->h->set[s]) != size) continue;
            g->option[s].worth = (double)(g->option[s].most + 1) / g->option[s].least;
            refresh(g, s);
            if (g->option[s].worth < best || problem_late(g->h->problem)) continue;
            TRY(work_check(work));
            g->option[s].worth = weigh(g, s);
            if (g->option[s].worth > best) best = g->option[s].worth;
        }
done:
    return status;
}

Status hide_greedily(Work *work, Hide *h) {
    Status status = OK;
    Greedy g = { .h = h };
    if (!h->wants) return OK;
    TRY(make_options(work, &g));
    TRY(look_at_large(work, &g));
    TRY(run_greedy(work, &g));
done:
    arena_drop(work->arena, g.option);
    arena_drop(work->arena, g.larger);
    arena_drop(work->arena, g.used);
    arena_drop(work->arena, g.slot);
    return status;
}
