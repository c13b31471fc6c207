/* Cells where they serve most, where other combinations look on: greedily, the move that fills most of what is wanting for each cell first,
 * less what it does to the others. */
#include "protect/suppress/hide.h"

/* Classes grouped by the keys outside a set; only groups with an open class count. */
static Status group_outside(Work *work, Hide *h, int s) {
    Status status = OK;
    int32_t *number = NULL, *of = NULL;
    int64_t groups, used = 0;
    TRY(hide_group(work, h, h->set[s], &of, &groups));
    NEW(work, number, groups + 1);
    for (int64_t c = 0; c < h->classes; c++)
        if (h->open[c] && !number[of[c]]) number[of[c]] = (int32_t)++used;
    for (int64_t c = 0; c < h->classes; c++) of[c] = number[of[c]] - 1;
    h->group[s] = of;
    NEW(work, h->wanting[s], used + 1);
    for (int64_t c = 0; c < h->classes; c++) {
        if (h->open[c] && h->need[c] > 0) h->wanting[s][of[c]]++;
        if (!h->alike || !h->open[c] || h->lacks[c] != h->set[s]) continue;
        if (!h->alike[s]) NEW(work, h->alike[s], used + 1);
        h->alike[s][of[c]] = (int32_t)c + 1;
    }
done:
    arena_drop(work->arena, number);
    return status;
}

static Status make_groups(Work *work, Hide *h) {
    Status status = OK;
    NEW(work, h->group, h->sets + 1);
    NEW(work, h->wanting, h->sets + 1);
    if (h->guest) NEW(work, h->alike, h->sets + 1);
    for (int s = 0; s < h->sets; s++) {
        TRY(work_check(work));
        TRY(group_outside(work, h, s));
    }
done:
    return status;
}

/* The best move of a row of class c that lacks `lost`: candidates given, and a key of its own where it must lose one, for each cell. */
typedef struct {
    double worth;
    int set;
} Best;

bool hide_alike(const Hide *h, int s, int64_t c) {
    return h->alike && s >= 0 && h->alike[s] && h->group[s][c] >= 0 && h->alike[s][h->group[s][c]] && h->alike[s][h->group[s][c]] != c + 1;
}

static Best best_move(const Hide *h, int64_t row, int32_t c, uint64_t lost) {
    Best best = { 0, -1 };
    int from = lost ? hide_find(h, lost) : -1;
    int32_t has = from >= 0 ? (h->group[from][c] >= 0 ? h->wanting[from][h->group[from][c]] : 0) : h->open[c] && h->need[c] > 0;
    int must = h->open[c] && lost == h->lacks[c];
    for (int s = 0; s < h->sets; s++) {
        if ((lost & ~h->set[s]) || h->set[s] == lost || hide_alike(h, s, c)) continue;
        int32_t gain = (h->group[s][c] >= 0 ? h->wanting[s][h->group[s][c]] : 0) - has + must;
        int64_t harm = 0, help = 0;
        if (h->board && gain > 0) board_judge(h->board, h->problem, row, h->lost[row], h->lost[row] | h->set[s], &harm, &help);
        double worth =
            gain > 0 ? (double)(gain + help) / (h->cost[s] - (from >= 0 ? h->cost[from] : hide_price(h, lost)) + (double)(harm * h->k)) : 0;
        if (worth > best.worth) best = (Best){ worth, s };
    }
    return best;
}

/* ---- a heap of movers: rows of open classes, and classes that can lend a row (numbered after the rows) ---- */

typedef struct {
    double worth;
    int64_t who;
} Entry;
typedef struct {
    Entry *at;
    int64_t count, room;
} Heap;

static bool above(Entry a, Entry b) { return a.worth > b.worth || (a.worth == b.worth && a.who < b.who); }

static Status push(Work *work, Heap *heap, Entry e) {
    Status status = OK;
    GROW(work, heap->at, heap->room, heap->count + 1);
    int64_t i = heap->count++;
    for (; i && above(e, heap->at[(i - 1) / 2]); i = (i - 1) / 2) heap->at[i] = heap->at[(i - 1) / 2];
    heap->at[i] = e;
done:
    return status;
}

static Entry pop(Heap *heap) {
    Entry top = heap->at[0], e = heap->at[--heap->count];
    int64_t i = 0;
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= heap->count) break;
        if (child + 1 < heap->count && above(heap->at[child + 1], heap->at[child])) child++;
        if (!above(heap->at[child], e)) break;
        heap->at[i] = heap->at[child];
        i = child;
    }
    if (heap->count) heap->at[i] = e;
    return top;
}

/* A class that has more whole rows than it needs lends one that stands for itself alone: the last, or, where other combinations look on, of
 * the last few the one that is missed least. */
static int64_t lent_row(const Hide *h, int64_t c) {
    enum { LOOK_AT = 8 };
    int64_t best = -1, least = INT64_MAX, seen = 0;
    for (int64_t i = h->start[c + 1] - 1; i >= h->start[c] && seen < LOOK_AT; i--) {
        int64_t r = h->row[i], harm = 0, help = 0;
        if ((h->lost[r] & h->among) != h->lacks[c] || hide_times(h, r) > 1) continue;
        if (!h->board) return r;
        board_judge(h->board, h->problem, r, h->lost[r], h->lost[r] | h->among, &harm, &help);
        if (harm < least) {
            least = harm;
            best = r;
        }
        seen++;
    }
    return best;
}

static Best judge(const Hide *h, int64_t who) {
    if (who < h->rows && hide_is_guest(h, who)) return (Best){ 0, -1 };
    if (who < h->rows) return best_move(h, who, h->of[who], h->lost[who] & h->among);
    int64_t c = who - h->rows;
    return !h->open[c] && hide_spare(h, c) > 0 ? best_move(h, lent_row(h, c), (int32_t)c, h->lacks[c]) : (Best){ 0, -1 };
}

Status hide_side_by_side(Work *work, Hide *h) {
    Status status = OK;
    Heap heap = { 0 };
    TRY(make_groups(work, h));
    for (int64_t who = 0; who < h->rows + h->classes; who++) {
        if (who < h->rows && !h->open[h->of[who]]) continue;
        Best best = judge(h, who);
        if (best.set >= 0) TRY(push(work, &heap, (Entry){ best.worth, who }));
    }
    for (int64_t n = 0; heap.count && !(n % 64 == 0 && problem_late(h->problem)); n++) {
        Entry top = pop(&heap);
        Best best = judge(h, top.who);
        if (!(n & 1023)) TRY(work_check(work));
        if (best.set < 0) continue;
        if (best.worth < top.worth && heap.count && above(heap.at[0], (Entry){ best.worth, top.who })) {
            TRY(push(work, &heap, (Entry){ best.worth, top.who }));
            continue;
        }
        int64_t row = top.who < h->rows ? top.who : lent_row(h, top.who - h->rows);
        hide_move(h, row, h->set[best.set]);
        best = judge(h, top.who);
        if (best.set >= 0) TRY(push(work, &heap, (Entry){ best.worth, top.who }));
    }
done:
    arena_drop(work->arena, heap.at);
    return status;
}
