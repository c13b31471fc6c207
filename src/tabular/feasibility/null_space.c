/* By elimination: each relation in turn tells one of its cells, a total where it can be, by the others; what is left untold is free.
 *
 * Whether a coefficient is 0 must be known exactly: a residue of rounding taken for a coefficient tells a cell that is free, and every
 * interval behind it is too narrow. So each goes twice, as a double and modulo a prime of 61 bits, and is 0 where it is so modulo that. (A
 * number that is not 0 is so modulo the prime in one of 10^18.) */
#include "tabular/feasibility/null_space.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

enum { DENSE = 100 };             /* entries a cell, on the average: more than these are not worth it */
static const double TINY = 1e-6;  /* a coefficient below this may be rounding for the most part: no cell is told by it */
static const double CLOSE = 1e-7; /* as well as a kernel must keep the relations */

/* ---- modulo 2^61 - 1 ---- */

static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;
__extension__ typedef unsigned __int128 Wide;

static uint64_t fold(uint64_t x) { return x >= PRIME ? x - PRIME : x; }
static uint64_t times(uint64_t a, uint64_t b) {
    Wide product = (Wide)a * b;
    return fold((uint64_t)(product & PRIME) + (uint64_t)(product >> 61));
}
static uint64_t minus(uint64_t a) { return a ? PRIME - a : 0; }

/* a^(p - 2). */
static uint64_t inverse(uint64_t a) {
    uint64_t result = 1;
    for (uint64_t left = PRIME - 2; left; left >>= 1, a = times(a, a))
        if (left & 1) result = times(result, a);
    return result;
}

/* Of a double, which is a whole number times a power of 2; 2^61 is 1. */
static uint64_t residue(double x) {
    int power;
    uint64_t whole = (uint64_t)ldexp(frexp(fabs(x), &power), 53);
    uint64_t size = times(whole, UINT64_C(1) << ((power - 53) % 61 + 61) % 61);
    return x < 0 ? minus(size) : size;
}

/* ---- elimination ---- */

/* A sum of cells that is being worked on: coefficients by cell, and the cells that have had one. */
typedef struct Sum {
    double *of;
    uint64_t *exact; /* the same modulo the prime */
    int32_t *cell;
    uint8_t *in;
    int64_t count;
} Sum;

typedef struct Elimination {
    Work *work;
    const Sparse *by_row; /* the relations, by row */
    int32_t *order;       /* cell → 1 + its place among those that are told, or 0 */
    int32_t *totals;      /* in how many relations a cell is the total */
    int64_t *from;        /* place → where what tells it begins */
    Sum sum;
    int32_t tolds;
    int64_t entries, room, at_room;
    int64_t exact_room;
    int32_t *cell; /* what tells them */
    double *coefficient;
    uint64_t *exact;
    bool lost; /* what is left of a relation is too small to be told from rounding */
} Elimination;

static void add(Sum *sum, int32_t cell, double x, uint64_t exact) {
    if (!sum->in[cell]) {
        sum->in[cell] = 1;
        sum->cell[sum->count++] = cell;
    }
    sum->exact[cell] = fold(sum->exact[cell] + exact);
    sum->of[cell] = sum->exact[cell] ? sum->of[cell] + x : 0;
}

static void clear(Sum *sum) {
    for (int64_t k = 0; k < sum->count; k++) {
        sum->in[sum->cell[k]] = 0;
        sum->of[sum->cell[k]] = 0;
        sum->exact[sum->cell[k]] = 0;
    }
    sum->count = 0;
}

/* In place of told cells what tells them, in the order in which they were told: a cell is told by none that was told before it. */
static void replace_told(Elimination *e) {
    for (;;) {
        int32_t first = -1;
        for (int64_t k = 0; k < e->sum.count; k++) {
            int32_t cell = e->sum.cell[k];
            if (e->order[cell] && e->sum.exact[cell] && (first < 0 || e->order[cell] < e->order[first])) first = cell;
        }
        if (first < 0) return;
        const double x = e->sum.of[first];
        const uint64_t exact = e->sum.exact[first];
        e->sum.of[first] = 0;
        e->sum.exact[first] = 0;
        for (int64_t k = e->from[e->order[first] - 1]; k < e->from[e->order[first]]; k++)
            add(&e->sum, e->cell[k], x * e->coefficient[k], times(exact, e->exact[k]));
    }
}

/* Is the sum better solved for cell a than for b? One with a coefficient of ±1, of those the total of as many relations as possible; else
 * the one with the largest. */
static bool tells_better(const Elimination *e, int32_t a, int32_t b) {
    double x = fabs(e->sum.of[a]), y = fabs(e->sum.of[b]);
    bool one = e->sum.exact[a] == 1 || e->sum.exact[a] == PRIME - 1, other = e->sum.exact[b] == 1 || e->sum.exact[b] == PRIME - 1;
    if (one != other) return one;
    return one ? e->totals[a] > e->totals[b] : x > y;
}

/* The cell that the sum tells; -1 where nothing is left. */
static int32_t choose(Elimination *e) {
    int32_t best = -1;
    for (int64_t k = 0; k < e->sum.count; k++) {
        int32_t cell = e->sum.cell[k];
        if (e->sum.exact[cell] && (best < 0 || tells_better(e, cell, best))) best = cell;
    }
    e->lost |= best >= 0 && !(fabs(e->sum.of[best]) >= TINY);
    return best;
}

static Status keep(Elimination *e, int32_t cell) {
    Status status = OK;
    const double x = e->sum.of[cell];
    const uint64_t by = minus(inverse(e->sum.exact[cell]));
    for (int64_t k = 0; k < e->sum.count; k++) {
        int32_t other = e->sum.cell[k];
        if (other == cell || !e->sum.exact[other]) continue;
        GROW(e->work, e->cell, e->room, e->entries + 1);
        GROW(e->work, e->coefficient, e->at_room, e->entries + 1);
        GROW(e->work, e->exact, e->exact_room, e->entries + 1);
        e->exact[e->entries] = times(e->sum.exact[other], by);
        e->cell[e->entries] = other;
        e->coefficient[e->entries++] = -e->sum.of[other] / x;
    }
    e->order[cell] = ++e->tolds;
    e->from[e->tolds] = e->entries;
done:
    return status;
}

static Status tell_all(Elimination *e, int64_t most) {
    Status status = OK;
    const Sparse *r = e->by_row;
    for (int row = 0; row < r->count && e->entries <= most && !e->lost; row++) {
        if (row % 64 == 0) TRY(work_check(e->work));
        clear(&e->sum);
        for (int64_t k = r->start[row]; k < r->start[row + 1]; k++) add(&e->sum, r->at[k], r->coefficient[k], residue(r->coefficient[k]));
        replace_told(e);
        int32_t cell = choose(e);
        if (cell >= 0 && !e->lost) TRY(keep(e, cell));
    }
done:
    return status;
}

/* Rows in place of columns. */
static Status turn(Work *work, const Sparse *in, Sparse *out) {
    Status status = OK;
    const int64_t entries = in->start[in->count];
    *out = (Sparse){ .count = in->width, .width = (int)in->count };
    NEW(work, out->start, in->width + 2);
    NEW(work, out->at, entries + 1);
    NEW(work, out->coefficient, entries + 1);
    for (int64_t k = 0; k < entries; k++) out->start[in->at[k] + 2]++;
    for (int r = 0; r < in->width; r++) out->start[r + 2] += out->start[r + 1];
    for (int64_t i = 0; i < in->count; i++)
        for (int64_t k = in->start[i]; k < in->start[i + 1]; k++) {
            int64_t to = out->start[in->at[k] + 1]++;
            out->at[to] = (int32_t)i;
            out->coefficient[to] = in->coefficient[k];
        }
done:
    return status;
}

/* One negative coefficient among positive ones is a total's, or the other way about. */
static void count_totals(const Sparse *by_row, int32_t *totals) {
    for (int64_t row = 0; row < by_row->count; row++) {
        int64_t negative = 0, size = by_row->start[row + 1] - by_row->start[row];
        for (int64_t k = by_row->start[row]; k < by_row->start[row + 1]; k++) negative += by_row->coefficient[k] < 0;
        for (int64_t k = by_row->start[row]; k < by_row->start[row + 1]; k++)
            totals[by_row->at[k]] += (negative == 1 && by_row->coefficient[k] < 0) || (negative == size - 1 && by_row->coefficient[k] > 0);
    }
}

static Status sparse_new(Work *work, int64_t count, int64_t entries, Sparse *out) {
    *out = (Sparse){ .count = count };
    out->start = calloc((size_t)count + 1, sizeof *out->start);
    out->at = malloc((size_t)(entries + 1) * sizeof *out->at);
    out->coefficient = malloc((size_t)(entries + 1) * sizeof *out->coefficient);
    if (out->start && out->at && out->coefficient) return OK;
    sparse_free(out);
    return out_of_memory(work->error);
}

void sparse_free(Sparse *sparse) {
    free(sparse->start);
    free(sparse->at);
    free(sparse->coefficient);
    *sparse = (Sparse){ 0 };
}

/* Told cells by free ones alone. */
typedef struct Settled {
    int64_t *begin, *end; /* by place */
    int64_t entries, room, at_room, exact_room;
    int32_t *cell;
    double *coefficient;
    uint64_t *exact;
} Settled;

static Status settle_one(Elimination *e, int32_t place, Settled *s) {
    Status status = OK;
    clear(&e->sum);
    for (int64_t k = e->from[place]; k < e->from[place + 1]; k++) {
        int32_t later = e->order[e->cell[k]] - 1;
        if (later < 0) add(&e->sum, e->cell[k], e->coefficient[k], e->exact[k]);
        else
            for (int64_t j = s->begin[later]; j < s->end[later]; j++)
                add(&e->sum, s->cell[j], e->coefficient[k] * s->coefficient[j], times(e->exact[k], s->exact[j]));
    }
    s->begin[place] = s->entries;
    for (int64_t k = 0; k < e->sum.count; k++) {
        if (!e->sum.exact[e->sum.cell[k]]) continue;
        GROW(e->work, s->cell, s->room, s->entries + 1);
        GROW(e->work, s->coefficient, s->at_room, s->entries + 1);
        GROW(e->work, s->exact, s->exact_room, s->entries + 1);
        s->cell[s->entries] = e->sum.cell[k];
        s->exact[s->entries] = e->sum.exact[e->sum.cell[k]];
        s->coefficient[s->entries++] = e->sum.of[e->sum.cell[k]];
    }
    s->end[place] = s->entries;
done:
    return status;
}

static Status write_out(Elimination *e, int64_t cells, const Settled *s, Sparse *out) {
    Status status = OK;
    int32_t *number = NULL;
    NEW(e->work, number, cells + 1);
    TRY(sparse_new(e->work, cells, s->entries + cells - e->tolds, out));
    for (int64_t i = 0; i < cells; i++)
        if (!e->order[i]) number[i] = out->width++;
    for (int64_t i = 0, n = 0; i < cells; i++) {
        int32_t place = e->order[i] - 1;
        if (place < 0) {
            out->at[n] = number[i];
            out->coefficient[n++] = 1;
        } else
            for (int64_t j = s->begin[place]; j < s->end[place]; j++, n++) {
                out->at[n] = number[s->cell[j]];
                out->coefficient[n] = s->coefficient[j];
            }
        out->start[i + 1] = n;
    }
done:
    return status;
}

/* Does every relation hold, whatever the free cells are? */
static Status keeps_relations(Work *work, const Sparse *by_row, const Sparse *kernel, bool *keeps) {
    Status status = OK;
    double *off = NULL;
    *keeps = true;
    NEW(work, off, kernel->width + 1);
    for (int64_t row = 0; row < by_row->count && *keeps; row++) {
        if (row % 64 == 0) TRY(work_check(work));
        for (int64_t k = by_row->start[row]; k < by_row->start[row + 1]; k++)
            for (int64_t j = kernel->start[by_row->at[k]]; j < kernel->start[by_row->at[k] + 1]; j++)
                off[kernel->at[j]] += by_row->coefficient[k] * kernel->coefficient[j];
        for (int64_t k = by_row->start[row]; k < by_row->start[row + 1]; k++)
            for (int64_t j = kernel->start[by_row->at[k]]; j < kernel->start[by_row->at[k] + 1]; j++) {
                *keeps &= fabs(off[kernel->at[j]]) <= CLOSE;
                off[kernel->at[j]] = 0;
            }
    }
done:
    return status;
}

/* The last told first: what tells a cell was told after it, or is free. */
static Status settle(Elimination *e, int64_t cells, int64_t most, Sparse *out, bool *found) {
    Status status = OK;
    Settled s = { 0 };
    NEW(e->work, s.begin, e->tolds + 1);
    NEW(e->work, s.end, e->tolds + 1);
    for (int32_t place = e->tolds; place-- > 0 && s.entries <= most;) {
        if (place % 64 == 0) TRY(work_check(e->work));
        TRY(settle_one(e, place, &s));
    }
    *found = s.entries <= most;
    if (!*found) goto done;
    TRY(write_out(e, cells, &s, out));
    TRY(keeps_relations(e->work, e->by_row, out, found));
done:
    if (status || !*found) sparse_free(out);
    return status;
}

Status kernel_make(Work *work, const Sparse *relations, int most, Sparse *out, bool *found) {
    Status status = OK;
    const int64_t n = relations->count;
    Sparse by_row;
    Elimination e = { .work = work, .by_row = &by_row };
    *out = (Sparse){ 0 };
    *found = n - relations->width <= most;
    if (!*found) return OK;
    TRY(turn(work, relations, &by_row));
    NEW(work, e.order, n + 1);
    NEW(work, e.totals, n + 1);
    NEW(work, e.from, n + 2);
    NEW(work, e.sum.of, n + 1);
    NEW(work, e.sum.exact, n + 1);
    NEW(work, e.sum.cell, n + 1);
    NEW(work, e.sum.in, n + 1);
    count_totals(&by_row, e.totals);
    TRY(tell_all(&e, DENSE * n));
    *found = !e.lost && e.entries <= DENSE * n && n - e.tolds <= most;
    if (*found) TRY(settle(&e, n, DENSE * n, out, found));
done:
    return status;
}
