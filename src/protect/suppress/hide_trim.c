/* Cells given back that nobody misses. */
#include <stdlib.h>
#include "protect/suppress/hide.h"

typedef struct {
    Hide *h;
    int64_t *have;
} Trim; /* open class → records that fit it and have a key left */

/* The open classes that a row of class c fits with these keys lost: a group of a set at hand. */
static void group_of(const Hide *h, int64_t c, uint64_t lost, int *set, int64_t *first, int64_t *last) {
    *set = lost && lost != h->among ? hide_find(h, lost) : -1;
    int32_t g = *set >= 0 ? h->group[*set][c] : -1;
    *first = g >= 0 ? h->first[*set][g] : 0;
    *last = g >= 0 ? h->first[*set][g + 1] : 0;
}

static void count_all(Trim *t) {
    Hide *h = t->h;
    for (int64_t r = 0; r < h->rows; r++) {
        int set;
        int64_t first, last;
        uint64_t lost = h->lost[r] & h->among;
        group_of(h, h->of[r], lost, &set, &first, &last);
        if (set < 0 && lost && lost != h->among && h->open[h->of[r]]) t->have[h->of[r]]++; /* a set not at hand: its own class at least */
        for (int64_t m = first; m < last; m++) t->have[h->member[set][m]]++;
    }
}

/* Would everyone still have k if row r lacked only `now`? */
static bool missed(const Trim *t, int64_t r, uint64_t now, bool apply) {
    const Hide *h = t->h;
    int set, kept;
    int64_t first, last, a, b, c = h->of[r];
    group_of(h, c, h->lost[r] & h->among, &set, &first, &last);
    group_of(h, c, now, &kept, &a, &b);
    if (set < 0 || (now && kept < 0)) return true;
    for (int64_t m = first; m < last; m++) {
        int32_t other = h->member[set][m];
        if (kept >= 0 && h->group[kept][other] == h->group[kept][c]) continue; /* it fits that one all the same */
        if (other == c && now != h->lacks[c]) continue;
        if (apply) t->have[other]--;
        else if (t->have[other] - 1 < h->k) return true;
    }
    return false;
}

static bool give_back(Trim *t, int64_t r, uint64_t now) {
    Hide *h = t->h;
    int64_t c = h->of[r];
    if (h->open[c] && now == h->lacks[c]) return false;
    if (missed(t, r, now, false)) return false;
    missed(t, r, now, true);
    hide_set(h, r, (h->lost[r] & ~h->among) | now);
    if (now == h->lacks[c]) h->whole[c]++;
    return true;
}

static int by_cells(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

Status hide_trim(Work *work, Hide *h) {
    Status status = OK;
    Trim t = { .h = h };
    int64_t(*order)[2] = NULL, count = 0;
    NEW(work, t.have, h->classes + 1);
    NEW(work, order, h->rows + 1);
    count_all(&t);
    for (int64_t r = 0; r < h->rows; r++) {
        int64_t cells = __builtin_popcountll(h->lost[r] & h->among & ~h->before[r]);
        if (cells) {
            order[count][0] = cells;
            order[count++][1] = r;
        }
    }
    if (count) qsort(order, (size_t)count, sizeof *order, by_cells);
    for (int64_t i = 0; i < count; i++) {
        int64_t r = order[i][1];
        uint64_t mine = h->lost[r] & h->among & ~h->before[r];
        if (give_back(&t, r, h->before[r] & h->among)) continue; /* all of them at once */
        for (; mine; mine &= mine - 1) give_back(&t, r, h->lost[r] & h->among & ~(mine & -mine));
    }
done:
    arena_drop(work->arena, t.have);
    arena_drop(work->arena, order);
    return status;
}
