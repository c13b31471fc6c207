/* Cells: records summed at the finest codes, then along each dimension up to its totals; contributors kept on the way. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "table/group.h"
#include "tabular/build/build.h"

/* One face as a dense box: the codes it has of each axis, numbered again. */
typedef struct Box {
    int64_t dims, cells, top;
    int32_t size[8], axis[8];
    int64_t stride[8];
    int32_t *code[8];   /* number in the box → code */
    int32_t *number[8]; /* code → number in the box, or -1 */
    int64_t *count;
    double *value, *weighted, *largest;
    int32_t *by; /* whose each of the largest is: a holding, else a record, from 1 on */
    int64_t *holdings;
    int64_t *holder; /* who is alone: the holding; in linked tables without holdings the record, as the sum of the numbers of all */
    uint64_t *key;
} Box;

static Status box_axes(Work *work, const Axis *axes, const Face *face, Box *b) {
    Status status = OK;
    double cells = 1;
    b->dims = face->dims;
    for (int64_t d = 0; d < b->dims; d++) {
        const Axis *axis = &axes[b->axis[d] = face->axis[d]];
        NEW(work, b->code[d], axis->d.codes + 1);
        NEW(work, b->number[d], axis->d.codes + 1);
        for (int32_t c = 0; c < axis->d.codes; c++) {
            bool in = axis->level[c] >= face->from[d];
            b->number[d][c] = in ? b->size[d] : -1;
            if (in) b->code[d][b->size[d]++] = c;
        }
        cells *= b->size[d];
    }
    if (cells > 5e8) TRY(fail(work->error, BAD, "a table of these dimensions would have more than 500 million cells"));
    b->cells = 1;
    for (int64_t d = b->dims - 1; d >= 0; d--) {
        b->stride[d] = b->cells;
        b->cells *= b->size[d];
    }
done:
    return status;
}

static Status box_room(Work *work, const BuildArgs *a, Box *b) {
    Status status = OK;
    b->top = a->summed || a->holding ? a->top : 0;
    NEW(work, b->count, b->cells);
    if (a->summed || a->weight) NEW(work, b->value, b->cells);
    if (a->mean) NEW(work, b->weighted, b->cells);
    if (a->keys) NEW(work, b->key, b->cells);
    if (b->top) NEW(work, b->largest, b->cells * b->top);
    if (b->top) NEW(work, b->by, b->cells * b->top);
    if (a->holding) NEW(work, b->holdings, b->cells);
    if (a->holding || (a->dims.count > 1 && !a->keys)) NEW(work, b->holder, b->cells);
done:
    return status;
}

/* The finest code of this face that a record stands under. */
static int32_t number_in(const Box *b, const Axis *axis, int64_t d, int64_t row) {
    int32_t leaf = axis->of[row];
    for (int64_t k = axis->start[leaf]; k < axis->start[leaf + 1]; k++)
        if (b->number[d][axis->up[k]] >= 0) return b->number[d][axis->up[k]];
    return 0;
}

/* Contributions of 0 count, too: they are somebody's. */
static void keep_largest(double *largest, int32_t *by, int64_t top, double x, int32_t who) {
    for (int64_t k = 0; k < top && who; k++)
        if (!by[k] || fabs(x) > fabs(largest[k])) {
            double t = largest[k];
            int32_t other = by[k];
            largest[k] = x;
            by[k] = who;
            x = t;
            who = other;
        }
}

static double contribution(const BuildArgs *a, int64_t row, bool *missing) {
    double w = a->weight ? column_number(a->weight, row) : 1, x = a->summed ? column_number(a->summed, row) : 1;
    *missing = isnan(w) || isnan(x);
    return w * x;
}

static void box_fill(const BuildArgs *a, const Axis *axes, Box *b) {
    for (int64_t i = 0; i < a->data->rows; i++) {
        bool missing;
        int64_t cell = 0;
        double x = contribution(a, i, &missing);
        if (missing) continue;
        for (int64_t d = 0; d < b->dims; d++) cell += number_in(b, &axes[b->axis[d]], d, i) * b->stride[d];
        b->count[cell]++;
        if (b->value) b->value[cell] += x;
        if (b->key) b->key[cell] += a->keys[i];
        if (b->holder) b->holder[cell] += i + 1;
        if (b->weighted) b->weighted[cell] += a->weight ? column_number(a->weight, i) : 1;
        if (b->top && !a->holding) keep_largest(b->largest + cell * b->top, b->by + cell * b->top, b->top, x, (int32_t)(i + 1));
    }
}

static void add_cell(Box *b, int64_t to, int64_t from, bool tops) {
    b->count[to] += b->count[from];
    if (b->value) b->value[to] += b->value[from];
    if (b->weighted) b->weighted[to] += b->weighted[from];
    if (b->key) b->key[to] += b->key[from];
    if (b->holder) b->holder[to] += b->holder[from];
    for (int64_t k = 0; tops && k < b->top; k++)
        keep_largest(b->largest + to * b->top, b->by + to * b->top, b->top, b->largest[from * b->top + k], b->by[from * b->top + k]);
}

/* One sum of one dimension, for all codes of the others. */
static void add_up(Box *b, int64_t d, int32_t to, int32_t from, bool tops) {
    int64_t inner = b->stride[d], outer = b->cells / (inner * b->size[d]);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) add_cell(b, (o * b->size[d] + to) * inner + i, (o * b->size[d] + from) * inner + i, tops);
}

/* Sums whose parts are all known, again and again: parts before totals, each total once. */
static Status roll_up(Work *work, const Axis *axis, Box *b, int64_t d, bool tops) {
    Status status = OK;
    uint8_t *known = NULL;
    NEW(work, known, axis->d.codes + 1);
    for (int32_t c = 0; c < axis->d.codes; c++) known[c] = b->number[d][c] >= 0;
    for (int64_t s = 0; s < axis->d.sums; s++) {
        const Sum *sum = &axis->d.sum[s];
        bool inside = b->number[d][sum->total] >= 0;
        for (int32_t k = 0; k < sum->count && inside; k++) inside = b->number[d][sum->part[k]] >= 0;
        if (inside) known[sum->total] = 0;
    }
    for (bool again = true; again;) {
        again = false;
        for (int64_t s = 0; s < axis->d.sums; s++) {
            const Sum *sum = &axis->d.sum[s];
            bool ready = b->number[d][sum->total] >= 0 && !known[sum->total];
            for (int32_t k = 0; k < sum->count && ready; k++) ready = b->number[d][sum->part[k]] >= 0 && known[sum->part[k]];
            if (!ready) continue;
            for (int32_t k = 0; k < sum->count; k++) add_up(b, d, b->number[d][sum->total], b->number[d][sum->part[k]], tops);
            known[sum->total] = again = true;
        }
    }
done:
    return status;
}

/* ---- holdings: what one holding has in a cell is one contribution ---- */

typedef struct {
    int64_t cell;
    int32_t holding;
    double x;
} Part;
static int by_cell(const void *a, const void *b) {
    const Part *x = a, *y = b;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    return (x->holding > y->holding) - (x->holding < y->holding);
}

/* Every cell of the box that a record counts in. */
static Status record_parts(Work *work, const Axis *axes, const Box *b, int64_t row, Part part, Part **parts, int64_t *room, int64_t *count,
                           int64_t d, int64_t cell) {
    Status status = OK;
    if (d == b->dims) {
        GROW(work, *parts, *room, *count + 1);
        part.cell = cell;
        (*parts)[(*count)++] = part;
        return OK;
    }
    const Axis *axis = &axes[b->axis[d]];
    int32_t leaf = axis->of[row];
    for (int64_t k = axis->start[leaf]; k < axis->start[leaf + 1]; k++)
        if (b->number[d][axis->up[k]] >= 0)
            TRY(record_parts(work, axes, b, row, part, parts, room, count, d + 1, cell + b->number[d][axis->up[k]] * b->stride[d]));
done:
    return status;
}

static Status count_holdings(Work *work, const BuildArgs *a, const Axis *axes, Box *b) {
    Status status = OK;
    Codes codes;
    Part *parts = NULL;
    int64_t room = 0, count = 0;
    bool missing;
    TRY(column_codes(work, a->holding, &codes));
    for (int64_t i = 0; i < a->data->rows; i++) {
        double x = contribution(a, i, &missing);
        int32_t holding = codes.at[i] < 0 ? codes.count + (int32_t)i : codes.at[i]; /* none said: a holding of its own */
        if (!missing) TRY(record_parts(work, axes, b, i, (Part){ 0, holding, x }, &parts, &room, &count, 0, 0));
    }
    if (count) qsort(parts, (size_t)count, sizeof *parts, by_cell);
    for (int64_t i = 0, end; i < count; i = end) {
        double x = 0;
        for (end = i; end < count && parts[end].cell == parts[i].cell && parts[end].holding == parts[i].holding; end++) x += parts[end].x;
        b->holdings[parts[i].cell]++;
        b->holder[parts[i].cell] = parts[i].holding + 1;
        keep_largest(b->largest + parts[i].cell * b->top, b->by + parts[i].cell * b->top, b->top, x, parts[i].holding + 1);
    }
done:
    return status;
}

static Status box_make(Work *work, const BuildArgs *a, const Axis *axes, const Face *face, Box *b) {
    Status status = OK;
    TRY(box_axes(work, axes, face, b));
    TRY(box_room(work, a, b));
    box_fill(a, axes, b);
    for (int64_t d = 0; d < b->dims; d++) TRY(roll_up(work, &axes[b->axis[d]], b, d, !a->holding));
    if (a->holding) TRY(count_holdings(work, a, axes, b));
done:
    return status;
}

/* ---- all faces, each cell once ---- */

static Status made_room(Work *work, const Box *boxes, int64_t faces, int64_t axes, Made *out) {
    Status status = OK;
    int64_t most = 0;
    for (int64_t f = 0; f < faces; f++) most += boxes[f].cells;
    out->top = boxes[0].top;
    NEW(work, out->place, axes + 1);
    for (int64_t d = 0; d < axes; d++) NEW(work, out->place[d], most + 1);
    NEW(work, out->count, most + 1);
    if (boxes[0].value) NEW(work, out->value, most + 1);
    if (boxes[0].weighted) NEW(work, out->weighted, most + 1);
    if (out->top) NEW(work, out->largest, most * out->top + 1);
    if (out->top) NEW(work, out->by, most * out->top + 1);
    if (boxes[0].holdings) NEW(work, out->holdings, most + 1);
    if (boxes[0].holder) NEW(work, out->holder, most + 1);
    if (boxes[0].key) NEW(work, out->key, most + 1);
done:
    return status;
}

static void copy_cell(const Box *b, int64_t cell, Made *out) {
    int64_t to = out->cells++;
    out->count[to] = b->count[cell];
    if (out->value) out->value[to] = b->value[cell];
    if (out->weighted) out->weighted[to] = b->weighted[cell];
    if (out->key) out->key[to] = b->key[cell];
    if (out->top) memcpy(out->largest + to * out->top, b->largest + cell * out->top, (size_t)out->top * sizeof *out->largest);
    if (out->top) memcpy(out->by + to * out->top, b->by + cell * out->top, (size_t)out->top * sizeof *out->by);
    if (out->holdings) out->holdings[to] = b->holdings[cell];
    if (out->holder) out->holder[to] = (b->holdings ? b->holdings : b->count)[cell] == 1 ? b->holder[cell] : 0;
}

/* Does an earlier face have the cell at this place? */
static bool in_earlier(const Box *boxes, int64_t face, const Axis *axes, int64_t axis_count, const int32_t *place) {
    for (int64_t f = 0; f < face; f++) {
        bool in = true;
        for (int64_t x = 0; x < axis_count && in; x++) {
            int64_t d = 0;
            while (d < boxes[f].dims && boxes[f].axis[d] != x) d++;
            in = d < boxes[f].dims ? boxes[f].number[d][place[x]] >= 0 : place[x] == axes[x].total;
        }
        if (in) return true;
    }
    return false;
}

Status cells_make(Work *work, const BuildArgs *a, const Axis *axes, int64_t axis_count, const Face *faces, int64_t face_count, Made *out) {
    Status status = OK;
    Box *boxes = NULL;
    int32_t place[64];
    *out = (Made){ 0 };
    NEW(work, boxes, face_count);
    for (int64_t f = 0; f < face_count; f++) TRY(box_make(work, a, axes, &faces[f], &boxes[f]));
    bool is_signed = false, missing;
    for (int64_t i = 0; i < a->data->rows && (a->summed || a->weight); i++) is_signed |= contribution(a, i, &missing) < 0;
    TRY(made_room(work, boxes, face_count, axis_count, out));
    out->is_signed = is_signed;
    for (int64_t f = 0; f < face_count; f++) {
        const Box *b = &boxes[f];
        for (int64_t cell = 0; cell < b->cells; cell++) {
            for (int64_t x = 0; x < axis_count; x++) place[x] = axes[x].total;
            for (int64_t d = 0; d < b->dims; d++) place[b->axis[d]] = b->code[d][cell / b->stride[d] % b->size[d]];
            if (in_earlier(boxes, f, axes, axis_count, place)) continue;
            for (int64_t x = 0; x < axis_count; x++) out->place[x][out->cells] = place[x];
            copy_cell(b, cell, out);
        }
    }
done:
    return status;
}
