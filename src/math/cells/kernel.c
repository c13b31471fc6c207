/* By elimination: each relation in turn tells one of its cells, a total where it can be, by the others; what is left untold is free. */
#include "math/cells/kernel.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

enum { DENSE = 100 }; /* entries a cell, on the average: more than these are not worth it */

/* A sum of cells that is being worked on: coefficients by cell, and the cells that have had one. */
typedef struct Sum {
    double *of;
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
    int32_t *cell; /* what tells them */
    double *coefficient;
} Elimination;

static void add(Sum *sum, int32_t cell, double x) {
    if (!sum->in[cell]) {
        sum->in[cell] = 1;
        sum->cell[sum->count++] = cell;
    }
    sum->of[cell] += x;
    if (fabs(sum->of[cell]) < 1e-9) sum->of[cell] = 0;
}

static void clear(Sum *sum) {
    for (int64_t k = 0; k < sum->count; k++) {
        sum->in[sum->cell[k]] = 0;
        sum->of[sum->cell[k]] = 0;
    }
    sum->count = 0;
}

/* In place of told cells what tells them, in the order in which they were told: a cell is told by none that was told before it. */
static void replace_told(Elimination *e) {
    for (;;) {
        int32_t first = -1;
        for (int64_t k = 0; k < e->sum.count; k++) {
            int32_t cell = e->sum.cell[k];
            if (e->order[cell] && e->sum.of[cell] != 0 && (first < 0 || e->order[cell] < e->order[first])) first = cell;
        }
        if (first < 0) return;
        double x = e->sum.of[first];
        e->sum.of[first] = 0;
        for (int64_t k = e->from[e->order[first] - 1]; k < e->from[e->order[first]]; k++) add(&e->sum, e->cell[k], x * e->coefficient[k]);
    }
}

/* The cell that the sum tells: one with a coefficient of ±1, the total of as many relations as possible; -1 where nothing is left. */
static int32_t choose(const Elimination *e) {
    int32_t best = -1;
    for (int64_t k = 0; k < e->sum.count; k++) {
        int32_t cell = e->sum.cell[k];
        double x = fabs(e->sum.of[cell]);
        if (x == 0) continue;
        if (best < 0) {
            best = cell;
            continue;
        }
        bool unit = fabs(x - 1) < 1e-12, was = fabs(fabs(e->sum.of[best]) - 1) < 1e-12;
        if (unit != was ? unit : e->totals[cell] > e->totals[best]) best = cell;
    }
    return best;
}

static Status keep(Elimination *e, int32_t cell) {
    Status status = OK;
    const double x = e->sum.of[cell];
    for (int64_t k = 0; k < e->sum.count; k++) {
        int32_t other = e->sum.cell[k];
        if (other == cell || e->sum.of[other] == 0) continue;
        GROW(e->work, e->cell, e->room, e->entries + 1);
        GROW(e->work, e->coefficient, e->at_room, e->entries + 1);
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
    for (int row = 0; row < r->count && e->entries <= most; row++) {
        if (row % 64 == 0) TRY(work_check(e->work));
        clear(&e->sum);
        for (int64_t k = r->start[row]; k < r->start[row + 1]; k++) add(&e->sum, r->at[k], r->coefficient[k]);
        replace_told(e);
        int32_t cell = choose(e);
        if (cell >= 0) TRY(keep(e, cell));
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
    return fail(work->error, FAILED, "out of memory");
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
    int64_t entries, room, at_room;
    int32_t *cell;
    double *coefficient;
} Settled;

static Status settle_one(Elimination *e, int32_t place, Settled *s) {
    Status status = OK;
    clear(&e->sum);
    for (int64_t k = e->from[place]; k < e->from[place + 1]; k++) {
        int32_t later = e->order[e->cell[k]] - 1;
        if (later < 0) add(&e->sum, e->cell[k], e->coefficient[k]);
        else
            for (int64_t j = s->begin[later]; j < s->end[later]; j++) add(&e->sum, s->cell[j], e->coefficient[k] * s->coefficient[j]);
    }
    s->begin[place] = s->entries;
    for (int64_t k = 0; k < e->sum.count; k++) {
        if (e->sum.of[e->sum.cell[k]] == 0) continue;
        GROW(e->work, s->cell, s->room, s->entries + 1);
        GROW(e->work, s->coefficient, s->at_room, s->entries + 1);
        s->cell[s->entries] = e->sum.cell[k];
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
    if (*found) TRY(write_out(e, cells, &s, out));
done:
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
    NEW(work, e.sum.cell, n + 1);
    NEW(work, e.sum.in, n + 1);
    count_totals(&by_row, e.totals);
    TRY(tell_all(&e, DENSE * n));
    *found = e.entries <= DENSE * n && n - e.tolds <= most;
    if (*found) TRY(settle(&e, n, DENSE * n, out, found));
done:
    return status;
}
