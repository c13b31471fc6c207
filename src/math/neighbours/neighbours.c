/* The neighbour index: made from a space, and asked by groups of queries that lie together. */
#include "math/neighbours/neighbours.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/neighbours/box_tree.h"
#include "math/neighbours/gaussian_sum_by_class.h"
#include "math/neighbours/search.h"

/* ---- Making ---- */

static Shape shape_of(const Space *space, int32_t *slot) {
    Shape shape = { 0 };
    for (int64_t j = 0; j < space->axes; j++)
        if (!space->axis[j].half && !space->axis[j].gaps) slot[j] = (int32_t)shape.numbers++;
    for (int64_t j = 0; j < space->axes; j++)
        if (space->axis[j].gaps) {
            slot[j] = (int32_t)shape.numbers++;
            shape.gaps++;
        }
    for (int64_t j = 0; j < space->axes; j++)
        if (space->axis[j].half) slot[j] = (int32_t)(shape.numbers + 2 * shape.nominals++);
    if (!space->axes) shape.numbers = 1; /* every record is everywhere: one axis on which all are 0 */
    shape.slots = shape.numbers + 2 * shape.nominals;
    return shape;
}

static bool gather(const Space *space, const Neighbours *index, int64_t row, double *out) {
    for (int64_t j = 0; j < space->axes; j++) {
        double x = space->axis[j].x[row];
        if (isnan(x)) return false;
        out[index->slot[j]] = x;
        if (space->axis[j].half) out[index->slot[j] + 1] = space->axis[j].half[row];
    }
    out[index->shape.slots] = (double)row;
    return true;
}

typedef struct {
    const Space *space;
    const Neighbours *index;
    const int64_t *rows;
    double *records;
    int64_t *kept; /* block → how many */
} Gathering;

/* The complete records of a block, from where the block begins. */
static Status gather_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Gathering *g = self;
    const int64_t width = g->index->shape.slots + 1;
    (void)error;
    for (int64_t i = first; i < last; i++)
        g->kept[block] += gather(g->space, g->index, g->rows ? g->rows[i] : i, g->records + (first + g->kept[block]) * width);
    return OK;
}

/* Closes the gaps of records that lack a coordinate. */
static Status gather_all(Work *work, Gathering *g, int64_t count, int64_t *kept) {
    enum { ROWS = 1 << 14 };
    Status status = OK;
    const int64_t width = g->index->shape.slots + 1, blocks = blocks_of(count, ROWS);
    NEW(work, g->kept, blocks + 1);
    TRY(parallel_for(work, count, ROWS, gather_block, g));
    *kept = 0;
    for (int64_t b = 0; b < blocks; b++) {
        if (*kept < b * ROWS)
            memmove(g->records + *kept * width, g->records + b * ROWS * width, (size_t)(g->kept[b] * width) * sizeof *g->records);
        *kept += g->kept[b];
    }
done:
    return status;
}

/* `done_with`: the space itself where nobody needs it any more; its axes go as soon as they are copied. */
static Status make(Work *work, const Space *space, const int64_t *rows, int64_t count, Space *done_with, Neighbours **out) {
    Status status = OK;
    Neighbours *index = NULL;
    double *records = NULL;
    int64_t kept = 0;
    if (space->rows >= INT32_MAX) return fail(work->error, FAILED, "neighbours can be searched among 2,147,483,646 records at most");
    NEW(work, index, 1);
    index->metric = space->metric;
    index->kernels = kernels_for(space->metric);
    index->axes = space->axes;
    index->rows = space->rows;
    index->by_pairs = done_with; /* what is summed over records takes them in the order of the tree: that of the others stays as it is */
    index->in_place = done_with;
    NEW(work, index->slot, space->axes + 1);
    index->shape = shape_of(space, index->slot);
    NEW(work, index->point, 3 * index->shape.slots + 1);
    NEW(work, index->place, space->rows + 1);
    for (int64_t i = 0; i < space->rows; i++) index->place[i] = -1;
    NEW(work, records, record_room(index, count));
    TRY(gather_all(work, &(Gathering){ .space = space, .index = index, .rows = rows, .records = records }, count, &kept));
    if (done_with) space_drop(work, done_with);
    TRY(index_build(work, index, records, kept));
    *out = index;
done:
    if (!done_with) arena_drop(work->arena, records);
    return status;
}

Status neighbours_make(Work *work, const Space *space, const int64_t *rows, int64_t count, Neighbours **out) {
    return make(work, space, rows, rows ? count : space->rows, NULL, out);
}

Status neighbours_take(Work *work, Space *space, Neighbours **out) { return make(work, space, NULL, space->rows, space, out); }

void neighbours_drop(Work *work, Neighbours *index) {
    if (!index) return;
    index_clear(work, index);
    arena_drop(work->arena, index->place);
    arena_drop(work->arena, index->cone);
    index->cone = NULL;
    index->count = 0;
}

int64_t neighbours_count(const Neighbours *index) { return index->count; }

/* ---- Batches: each leaf of `from` is a group of queries ---- */

enum { AT_ONCE = 16 }; /* groups of queries to a block */
typedef struct {
    const Neighbours *from, *in;
    const FloatFilter *filter; /* where leaves are scanned */
    bool other;
    int64_t k;
    Nearest nearest;
    int64_t *row;
    double *measure;
    const double *limit;
    bool inclusive;
    Visit *visit;
    void *self;
    int64_t *count;
    double *kth;
    const double *base;
    const GaussianSum *series;
    double *sum;
} Batch;

/* Beyond it a record counts less than e^−30 times the nearest. */
static void set_bases(const Batch *b, NeighbourSearch *search) {
    search->series = b->series;
    search->sums = sum_kernels();
    for (int i = 0; i < LEAF; i++) {
        search->base[i] = i < search->queries ? b->base[search->query_row[i]] : 0;
        search->limit[i] = search->base[i] + 60;
    }
}

static void set_limits(const Batch *b, NeighbourSearch *search) {
    for (int i = 0; i < search->queries; i++) {
        double limit = b->limit ? b->limit[search->query_row[i]] : INFINITY;
        if (b->limit && !b->inclusive) limit = limit > 0 ? nextafter(limit, 0) : -1;
        search->limit[i] = isnan(limit) ? -1 : limit;
    }
}

static void take_nearest(const Batch *b, const NeighbourSearch *search) {
    for (int i = 0; i < search->queries; i++) {
        int64_t row = search->query_row[i];
        if (b->nearest.row) b->nearest.row[row] = search->best[i].row;
        if (b->nearest.measure) b->nearest.measure[row] = search->best[i].measure;
        if (b->nearest.ties) b->nearest.ties[row] = search->best[i].ties;
    }
}

static void take_k(const Batch *b, const NeighbourSearch *search) {
    for (int i = 0; i < search->queries; i++) {
        int64_t row = search->query_row[i], found = search->held[i];
        const Near *near = search->heap + i * search->k;
        for (int64_t j = 0; j < b->k; j++) {
            if (b->row) b->row[row * b->k + j] = j < found ? near[j].row : -1;
            if (b->measure) b->measure[row * b->k + j] = j < found ? near[j].measure : INFINITY;
        }
    }
}

static void take_kth(const Batch *b, const NeighbourSearch *search) {
    for (int i = 0; i < search->queries; i++)
        b->kth[search->query_row[i]] = search->held[i] == b->k ? search->heap[i * search->k + b->k - 1].measure : INFINITY;
}

static void heap_to_hits(NeighbourSearch *search) {
    for (int i = 0; i < search->queries; i++) {
        for (int64_t j = 0; j < search->held[i]; j++) search->hits[i].row[j] = (int32_t)search->heap[i * search->k + j].row;
        search->hits[i].count = search->held[i];
    }
}

static Status take_hits(const Batch *b, NeighbourSearch *search, Error *error) {
    Status status = search_sorting_room(search, error);
    if (status) return status;
    for (int i = 0; i < search->queries; i++) {
        const Hits *hits = &search->hits[i];
        rows_sort(hits->row, hits->count, search->spare);
        status = b->visit(b->self, search->query_row[i], hits->row, hits->count, error);
        if (status) return status;
    }
    return OK;
}

static void take_counts(const Batch *b, const NeighbourSearch *search) {
    for (int i = 0; i < search->queries; i++) b->count[search->query_row[i]] = search->hits[i].count;
}

static Aim batch_aim(const Batch *b) { return b->k ? AIM_K : b->sum ? AIM_SUM : b->visit ? AIM_ROWS : b->count ? AIM_COUNT : AIM_NEAREST; }

/* Where answers do not depend on the record itself, and are stored. */
static bool may_merge(const Batch *b) { return !b->other && !b->visit && !b->sum && (!b->k || !b->limit || b->measure); }

/* The k nearest of another record that is alike, as far as they are within this one's limit. */
static void copy_k(const Batch *b, int64_t to, int64_t from) {
    for (int64_t j = 0; j < b->k; j++) {
        bool within = !b->limit || b->measure[from * b->k + j] <= b->limit[to];
        if (b->row) b->row[to * b->k + j] = within ? b->row[from * b->k + j] : -1;
        if (b->measure) b->measure[to * b->k + j] = within ? b->measure[from * b->k + j] : INFINITY;
    }
}

static void copy_twins(const Batch *b, const NeighbourSearch *search) {
    for (int i = 0; i < search->twins; i++) {
        int64_t to = search->twin[i], from = search->twin_of[i];
        if (b->nearest.row) b->nearest.row[to] = b->nearest.row[from];
        if (b->nearest.measure) b->nearest.measure[to] = b->nearest.measure[from];
        if (b->nearest.ties) b->nearest.ties[to] = b->nearest.ties[from];
        if (b->kth) b->kth[to] = b->kth[from];
        if (b->count) b->count[to] = b->count[from];
        if (b->row || b->measure) copy_k(b, to, from);
    }
}

static void set_group(const Batch *b, NeighbourSearch *search, int64_t leaf) {
    search->merge = may_merge(b);
    search->within = b->limit;
    search_group(search, b->from, (int32_t)leaf);
    set_limits(b, search);
    if (b->sum) set_bases(b, search);
}

static Status take_group(const Batch *b, NeighbourSearch *search, Error *error) {
    Status status = OK;
    Aim aim = search->aim;
    if (aim == AIM_K && b->visit) heap_to_hits(search);
    if (b->visit) TRY(take_hits(b, search, error));
    if (aim == AIM_COUNT) take_counts(b, search);
    for (int i = 0; aim == AIM_SUM && i < search->queries; i++) b->sum[search->query_row[i]] = search->sum[i];
    if (aim == AIM_K && !b->visit && b->kth) take_kth(b, search);
    if (aim == AIM_K && !b->visit && !b->kth) take_k(b, search);
    if (aim == AIM_NEAREST) take_nearest(b, search);
    copy_twins(b, search);
done:
    return status;
}

static Status ask_leaves(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Batch *b = self;
    Status status = OK;
    NeighbourSearch search;
    (void)block;
    TRY(search_start(&search, b->in, batch_aim(b), b->k, b->other, error));
    for (int64_t leaf = first; leaf < last; leaf++) {
        set_group(b, &search, leaf);
        TRY(search_run(&search, error));
        TRY(take_group(b, &search, error));
    }
done:
    search_end(&search);
    return status;
}

static Status scan_leaves(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Batch *b = self;
    Status status = OK;
    NeighbourSearch group[AT_ONCE] = { 0 };
    int count = (int)(last - first);
    (void)block;
    for (int g = 0; g < count; g++) {
        TRY(search_start(&group[g], b->in, batch_aim(b), b->k, b->other, error));
        set_group(b, &group[g], first + g);
    }
    TRY(search_scan(group, count, b->filter, error));
    for (int g = 0; g < count; g++) TRY(take_group(b, &group[g], error));
done:
    for (int g = 0; g < count; g++) search_end(&group[g]);
    return status;
}

/* Some groups are asked beforehand: where they look into a quarter of the leaves, scanning all of them block by block takes less time. */
static Status worth_scanning(const Batch *b, bool *out, Error *error) {
    enum { TRIED = 5, SHARE = 4 };
    Status status = OK;
    NeighbourSearch search = { 0 };
    int64_t visited = 0;
    *out = false;
    if (b->sum || !filter_fits(b->in) || b->from->leaves < AT_ONCE) return OK;
    TRY(search_start(&search, b->in, batch_aim(b), b->k, b->other, error));
    for (int t = 0; t < TRIED; t++) {
        set_group(b, &search, (2 * t + 1) * (int64_t)b->from->leaves / (2 * TRIED));
        TRY(search_run(&search, error));
        visited += search.visited;
    }
    *out = visited * SHARE > TRIED * (int64_t)b->in->leaves;
done:
    search_end(&search);
    return status;
}

static Status ask(Work *work, Batch *batch) {
    Status status = OK;
    FloatFilter filter = { 0 };
    bool scan;
    if (batch->from->shape.slots != batch->in->shape.slots || batch->from->shape.numbers != batch->in->shape.numbers ||
        batch->from->shape.gaps != batch->in->shape.gaps || batch->from->metric != batch->in->metric)
        return fail(work->error, FAILED, "neighbours are asked between two different spaces");
    TRY(worth_scanning(batch, &scan, work->error));
    if (!scan) return parallel_for(work, batch->from->leaves, AT_ONCE, ask_leaves, batch);
    int width = FILTER_WIDTHS - 1;
    while (!filter_width(width)) width--;
    TRY(filter_make(work, batch->in, width, &filter));
    batch->filter = &filter;
    TRY(parallel_for(work, batch->from->leaves, AT_ONCE, scan_leaves, batch));
done:
    filter_drop(work, &filter);
    return status;
}

Status neighbours_nearest(Work *work, const Neighbours *from, const Neighbours *in, bool other, Nearest out) {
    Batch batch = { .from = from, .in = in, .other = other, .nearest = out };
    return ask(work, &batch);
}

Status neighbours_k_below(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, const double *limit,
                          int64_t *row, double *measure) {
    Batch batch = { .from = from, .in = in, .other = other, .k = k, .limit = limit, .inclusive = true, .row = row, .measure = measure };
    return k > 0 ? ask(work, &batch) : OK;
}

Status neighbours_k(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, int64_t *row, double *measure) {
    Batch batch = { .from = from, .in = in, .other = other, .k = k, .row = row, .measure = measure };
    return k > 0 ? ask(work, &batch) : OK;
}

Status neighbours_kth(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, double *measure) {
    Batch batch = { .from = from, .in = in, .other = other, .k = k, .kth = measure };
    return ask(work, &batch);
}

Status neighbours_each_k(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, Visit *visit, void *self) {
    Batch batch = { .from = from, .in = in, .other = other, .k = k, .visit = visit, .self = self };
    return ask(work, &batch);
}

Status neighbours_within(Work *work, const Neighbours *from, const Neighbours *in, bool other, const double *limit, bool inclusive,
                         Visit *visit, void *self) {
    Batch batch = { .from = from, .in = in, .other = other, .limit = limit, .inclusive = inclusive, .visit = visit, .self = self };
    return ask(work, &batch);
}

Status neighbours_within_count(Work *work, const Neighbours *from, const Neighbours *in, bool other, const double *limit, bool inclusive,
                               int64_t *count) {
    Batch batch = { .from = from, .in = in, .other = other, .limit = limit, .inclusive = inclusive, .count = count };
    return ask(work, &batch);
}

Status neighbours_sum_weighed(Work *work, const Neighbours *from, const Neighbours *in, const GaussianSum *series, const double *base,
                              double *sum) {
    Batch batch = { .from = from, .in = in, .base = base, .series = series, .sum = sum };
    return ask(work, &batch);
}

Status neighbours_normal_sum(Work *work, const Neighbours *from, const Neighbours *in, const double *times, const double *base,
                             double *sum) {
    Status status = OK;
    GaussianSum series = { 0 };
    bool done = false;
    if (!in->shape.gaps) TRY(sum_by_class(work, from, in, times, base, sum, &done));
    if (done) return OK;
    TRY(series_make(work, in, &series));
    TRY(series_weigh(work, in, times, &series));
    TRY(neighbours_sum_weighed(work, from, in, &series, base, sum));
done:
    series_drop(work, &series);
    return status;
}
