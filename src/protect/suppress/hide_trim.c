/* Cells given back that nobody misses. */
#include <stdlib.h>
#include "protect/suppress/hide.h"

typedef struct {
    Hide *h;
    int64_t *have;
} Trim; /* open class → records that fit it and have a key left */

static bool some_left(const Hide *h, uint64_t lost) { return lost && lost != h->among; }

static void count_all(Trim *t) {
    Hide *h = t->h;
    for (int64_t r = 0; r < h->rows; r++) {
        const int32_t *member;
        uint64_t lost = h->lost[r] & h->among;
        int64_t members = some_left(h, lost) ? hide_members(h, h->of[r], lost, &member) : 0;
        for (int64_t m = 0; m < members; m++) t->have[member[m]] += hide_times(h, r);
    }
}

/* Would everyone still have k if row r lacked only `now`? */
static bool missed(const Trim *t, int64_t r, uint64_t now, bool apply) {
    const Hide *h = t->h;
    const int32_t *member;
    uint64_t mask[TUPLE_KEYS], lost = h->lost[r] & h->among;
    int64_t c = h->of[r];
    if (!some_left(h, lost)) return true;
    int64_t members = hide_members(h, c, lost, &member);
    hide_outside(h, now, mask);
    for (int64_t m = 0; m < members; m++) {
        int32_t other = member[m];
        if (now && hide_fits(h, c, other, mask)) continue; /* it fits that one all the same */
        if (other == c && now != h->lacks[c]) continue;
        if (apply) t->have[other] -= hide_times(h, r);
        else if (t->have[other] - hide_times(h, r) < h->k) return true;
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
    if (now == h->lacks[c]) {
        h->whole[c] += hide_times(h, r);
        h->light[c] += hide_times(h, r) == 1;
    }
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
    TRY(hide_views(work, h));
    count_all(&t);
    for (int64_t r = 0; r < h->rows; r++) {
        int64_t cells = __builtin_popcountll(h->lost[r] & h->among & ~h->before[r]);
        if (cells && !hide_is_guest(h, r)) {
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
