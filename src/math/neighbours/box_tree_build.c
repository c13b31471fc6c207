/* The neighbour index is built: records halved by the median of one axis until sixteen are left, three halvings to a node. The axis is the
 * widest, or the one that keeps records farthest apart. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/neighbours/box_tree.h"

enum { SMALL = 8, ALONE = 1 << 15 };
typedef struct {
    double *at;
    int64_t width, slots;
} Records; /* of `width` numbers each, the last one its row */

static inline double *record_at(const Records *r, int64_t i) { return r->at + i * r->width; }

static inline bool before(const double *a, const double *b, int64_t axis, int64_t row) {
    return a[axis] < b[axis] || (a[axis] == b[axis] && a[row] < b[row]);
}

static inline void swap(double *a, double *b, int64_t width) {
    for (int64_t i = 0; i < width; i++) {
        double keep = a[i];
        a[i] = b[i];
        b[i] = keep;
    }
}

/* The middle one of three records, by place. */
static int64_t middle(const Records *r, int64_t axis, int64_t a, int64_t b, int64_t c) {
    int64_t row = r->slots;
    const double *x = record_at(r, a), *y = record_at(r, b), *z = record_at(r, c);
    if (before(x, y, axis, row)) return before(y, z, axis, row) ? b : before(x, z, axis, row) ? c : a;
    return before(x, z, axis, row) ? a : before(y, z, axis, row) ? c : b;
}

static int64_t pivot_place(const Records *r, int64_t axis, int64_t first, int64_t last) {
    int64_t n = last - first;
    uint64_t jitter = (uint64_t)n * UINT64_C(0x9e3779b97f4a7c15); /* no order of the input is bad for every length */
    int64_t step = n / 9, shift = (int64_t)(jitter >> 33) % (step ? step : 1), at = first + shift;
    if (n < 256) return middle(r, axis, first, first + n / 2, last - 1);
    int64_t a = middle(r, axis, at, at + step, at + 2 * step), b = middle(r, axis, at + 3 * step, at + 4 * step, at + 5 * step);
    return middle(r, axis, a, b, middle(r, axis, at + 6 * step, at + 7 * step, at + 8 * step));
}

static void sort_few(const Records *r, int64_t axis, int64_t first, int64_t last) {
    for (int64_t i = first + 1; i < last; i++)
        for (int64_t j = i; j > first && before(record_at(r, j), record_at(r, j - 1), axis, r->slots); j--)
            swap(record_at(r, j), record_at(r, j - 1), r->width);
}

/* Puts the records that come first in (axis, row) order before place `nth`, and the rest after: which are where is the same however it is
 * done. */
static void halve(const Records *r, int64_t axis, int64_t first, int64_t last, int64_t nth) {
    while (last - first > SMALL) {
        int64_t row = r->slots, i = first - 1, j = last;
        const double *chosen = record_at(r, pivot_place(r, axis, first, last));
        double value = chosen[axis], number = chosen[row];
        for (;;) {
            const double *a, *b;
            do a = record_at(r, ++i);
            while (a[axis] < value || (a[axis] == value && a[row] < number));
            do b = record_at(r, --j);
            while (b[axis] > value || (b[axis] == value && b[row] > number));
            if (i >= j) break;
            swap(record_at(r, i), record_at(r, j), r->width);
        }
        if (nth <= j) last = j + 1;
        else first = j + 1;
    }
    sort_few(r, axis, first, last);
}

/* The axis on which these records lie farthest apart. */
static int64_t widest(const Neighbours *index, const Records *r, int64_t first, int64_t last, double *lo, double *hi) {
    int64_t best = 0;
    double most = -1;
    for (int64_t s = 0; s < r->slots; s++) {
        lo[s] = INFINITY;
        hi[s] = -INFINITY;
    }
    for (int64_t i = first; i < last; i++) {
        const double *x = record_at(r, i);
        for (int64_t s = 0; s < r->slots; s++) {
            lo[s] = x[s] < lo[s] ? x[s] : lo[s];
            hi[s] = x[s] > hi[s] && x[s] < INFINITY ? x[s] : hi[s]; /* a missing number is no place */
        }
    }
    for (int64_t s = 0; s < r->slots; s += s < index->shape.numbers ? 1 : 2) {
        double extent = hi[s] - lo[s];
        if (s >= index->shape.numbers) extent = extent > 0 ? distance_of_measure(index->metric, 2 * hi[s + 1]) : 0;
        if (extent > most) {
            most = extent;
            best = s;
        }
    }
    return best;
}

/* The axis that adds most to the measures between records, by pairs at random: a few outliers make no axis wide, and a nominal one counts
 * as often as codes differ. Where all pairs are alike, the widest. */
static int64_t farthest_apart(const Neighbours *index, const Records *r, int64_t first, int64_t last, double *lo, double *hi) {
    enum { PAIRS = 64 };
    const uint64_t n = (uint64_t)(last - first), pairs = n / 2 < PAIRS ? n / 2 : PAIRS;
    const int64_t numbers = index->shape.numbers;
    int64_t best = -1;
    double *sum = lo, most = 0;
    uint32_t at = 0;
    for (int64_t s = 0; s < r->slots; s++) sum[s] = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        const double *pair[2];
        for (int k = 0; k < 2; k++) pair[k] = record_at(r, first + (int64_t)((at += UINT32_C(2654435769)) * n >> 32));
        const double *x = pair[0], *y = pair[1];
        for (int64_t s = 0; s < numbers; s++)
            if (x[s] < INFINITY && y[s] < INFINITY) sum[s] += measure_of_distance(index->metric, fabs(x[s] - y[s]));
        for (int64_t s = numbers; s < r->slots; s += 2) sum[s] += x[s] != y[s] ? x[s + 1] + y[s + 1] : 0;
    }
    for (int64_t s = 0; s < r->slots; s += s < numbers ? 1 : 2)
        if (sum[s] > most) {
            most = sum[s];
            best = s;
        }
    return best < 0 ? widest(index, r, first, last, lo, hi) : best;
}

static int64_t leaf_edge(const BoxNode *node, int c) { return node->first + (int64_t)(node->last - node->first) * c / node->fan; }

/* Records of children [from, to) of a node: halved until each child has its own. */
static void part_children(const Neighbours *index, const Records *r, const BoxNode *node, int from, int to, double *lo, double *hi) {
    if (to - from < 2) return;
    int mid = (from + to) / 2;
    int64_t first = leaf_edge(node, from) * LEAF, last = leaf_edge(node, to) * LEAF, nth = leaf_edge(node, mid) * LEAF;
    if (last > index->count) last = index->count;
    halve(r, (index->by_pairs ? farthest_apart : widest)(index, r, first, last, lo, hi), first, last, nth);
    part_children(index, r, node, from, mid, lo, hi);
    part_children(index, r, node, mid, to, lo, hi);
}

typedef struct {
    Neighbours *index;
    Records records;
    int32_t first;
    double *extent;
} Parting;

static Status part_nodes(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Parting *p = self;
    int64_t slots = p->index->shape.slots;
    (void)error;
    double *lo = p->extent + block * 2 * slots, *hi = lo + slots;
    for (int64_t i = first; i < last; i++) {
        const BoxNode *node = &p->index->node[p->first + i];
        part_children(p->index, &p->records, node, 0, node->fan, lo, hi);
    }
    return OK;
}

/* As few children as hold the leaves when all below are full: it is the lowest nodes that are many. */
static int32_t fan_of(int32_t leaves) {
    int64_t each = 1;
    while (each * FAN < leaves) each *= FAN;
    return (int32_t)blocks_of(leaves, each);
}

/* The nodes, level by level: how leaves are shared out follows from their number alone. */
static Status lay_out(Work *work, Neighbours *index) {
    Status status = OK;
    int64_t room = 0, levels = 0;
    int32_t made = 1, from = 0;
    index->node = NULL;
    index->level = NULL;
    GROW(work, index->node, room, 1);
    index->node[0] = (BoxNode){ .first = 0, .last = index->leaves, .parent = -1 };
    for (;;) {
        GROW(work, index->level, levels, index->levels + 2);
        index->level[index->levels++] = from;
        index->level[index->levels] = made;
        int32_t end = made;
        for (int32_t i = from; i < end; i++) {
            GROW(work, index->node, room, made + FAN);
            BoxNode *node = &index->node[i];
            node->fan = fan_of(node->last - node->first);
            for (int c = 0; c < node->fan; c++) {
                int32_t first = (int32_t)leaf_edge(node, c), last = (int32_t)leaf_edge(node, c + 1);
                if (last - first == 1) {
                    node->child[c] = ~first;
                    index->leaf_node[first] = i;
                    index->leaf_lane[first] = c;
                } else {
                    index->node[made] = (BoxNode){ .first = first, .last = last, .parent = i, .lane = c };
                    node->child[c] = made++;
                }
            }
        }
        if (made == end) break;
        from = end;
    }
    index->nodes = made;
done:
    return status;
}

/* Of few records: waking the other threads takes longer than they save. */
static Work alone_if_small(const Work *work, int64_t count) {
    Work here = *work;
    if (count < ALONE) here.threads = 1;
    return here;
}

static Status part_levels(Work *work, Neighbours *index, double *records) {
    Status status = OK;
    int64_t slots = index->shape.slots;
    Parting p = { .index = index, .records = { records, slots + 1, slots } };
    Work here = alone_if_small(work, index->count);
    for (int32_t level = 0; level < index->levels; level++) {
        p.first = index->level[level];
        int64_t count = index->level[level + 1] - p.first, size = count > 512 ? 8 : 1;
        NEW(work, p.extent, blocks_of(count, size) * 2 * slots);
        TRY(parallel_for(&here, count, size, part_nodes, &p));
        arena_drop(work->arena, p.extent);
    }
done:
    return status;
}

static void fill_leaf(Neighbours *index, const double *records, int32_t leaf) {
    int64_t slots = index->shape.slots, first = (int64_t)leaf * LEAF;
    double *points = leaf_points(index, leaf);
    for (int lane = 0; lane < LEAF; lane++) {
        const double *x = records + lane * (slots + 1);
        bool there = first + lane < index->count;
        index->row[first + lane] = there ? (int32_t)x[slots] : -1;
        if (there) index->place[(int64_t)x[slots]] = (int32_t)first + lane;
        for (int64_t s = 0; s < slots; s++) points[s * LEAF + lane] = there ? x[s] : NAN;
    }
}

void leaf_box(const Neighbours *index, int32_t leaf, double *lo, double *hi, int64_t stride) {
    const double *points = leaf_points(index, leaf);
    for (int64_t s = 0; s < index->shape.slots; s++) {
        double least = INFINITY, most = -INFINITY;
        for (int lane = 0; lane < LEAF; lane++) { /* a missing lane is NaN and loses both comparisons */
            double x = points[s * LEAF + lane];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        if (most == INFINITY) least = -INFINITY; /* a number is missing: it is as near to one as to another */
        lo[s * stride] = least;
        hi[s * stride] = most;
    }
}

void node_box(const Neighbours *index, int32_t node, double *lo, double *hi, int64_t stride) {
    const double *from_lo = node_lo(index, node), *from_hi = node_hi(index, node);
    for (int64_t s = 0; s < index->shape.slots; s++) {
        double least = INFINITY, most = -INFINITY;
        for (int c = 0; c < FAN; c++) {
            least = from_lo[s * FAN + c] < least ? from_lo[s * FAN + c] : least;
            most = from_hi[s * FAN + c] > most ? from_hi[s * FAN + c] : most;
        }
        lo[s * stride] = least;
        hi[s * stride] = most;
    }
}

static void fill_node(Neighbours *index, int32_t node) {
    int64_t slots = index->shape.slots;
    double *lo = node_lo(index, node), *hi = node_hi(index, node);
    for (int64_t s = 0; s < slots * FAN; s++) {
        lo[s] = INFINITY;
        hi[s] = -INFINITY;
    }
    for (int c = 0; c < index->node[node].fan; c++) {
        int32_t child = index->node[node].child[c];
        if (child < 0) leaf_box(index, ~child, lo + c, hi + c, FAN);
        else node_box(index, child, lo + c, hi + c, FAN);
    }
}

typedef struct {
    Neighbours *index;
    const double *records;
    int32_t first;
} Filling;

static Status fill_leaves(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Filling *f = self;
    const size_t numbers = (size_t)(f->index->shape.slots + 1) * LEAF;
    (void)block;
    double *copy = malloc(numbers * sizeof *copy);
    if (!copy) return out_of_memory(error);
    for (int64_t leaf = first; leaf < last; leaf++) {
        memcpy(copy, f->records + (size_t)leaf * numbers, numbers * sizeof *copy); /* its place may be the leaf's own */
        fill_leaf(f->index, copy, (int32_t)leaf);
    }
    free(copy);
    return OK;
}

static Status fill_nodes(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Filling *f = self;
    (void)block, (void)error;
    for (int64_t i = first; i < last; i++) fill_node(f->index, f->first + (int32_t)i);
    return OK;
}

/* Leaves, then the boxes over them from the lowest level up. */
static Status fill(Work *work, Neighbours *index, const double *records) {
    enum { LEAVES = 256, NODES = 64 };
    Status status = OK;
    Filling f = { .index = index, .records = records };
    Work here = alone_if_small(work, index->count);
    TRY(parallel_for(&here, index->leaves, LEAVES, fill_leaves, &f));
    for (int32_t level = index->levels - 1; level >= 0; level--) {
        f.first = index->level[level];
        TRY(parallel_for(&here, index->level[level + 1] - f.first, NODES, fill_nodes, &f));
    }
done:
    return status;
}

void index_clear(Work *work, Neighbours *index) {
    void *pieces[] = { index->level, index->node, index->box, index->leaf, index->row, index->leaf_node, index->leaf_lane };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) arena_drop(work->arena, pieces[i]);
    index->level = NULL, index->node = NULL, index->box = NULL, index->leaf = NULL, index->row = NULL, index->leaf_node = NULL,
    index->leaf_lane = NULL;
    index->leaves = index->nodes = index->levels = 0;
}

Status index_build(Work *work, Neighbours *index, double *records, int64_t count) {
    Status status = OK;
    int64_t slots = index->shape.slots;
    index_clear(work, index);
    index->count = index->built = count;
    index->leaves = (int32_t)((count + LEAF - 1) / LEAF);
    if (!count) return OK;
    NEW(work, index->leaf_node, index->leaves);
    NEW(work, index->leaf_lane, index->leaves);
    TRY(lay_out(work, index));
    TRY(part_levels(work, index, records));
    if (index->in_place) index->leaf = records;
    else NEW(work, index->leaf, index->leaves * slots * LEAF);
    NEW(work, index->row, (int64_t)index->leaves * LEAF);
    NEW(work, index->box, (int64_t)index->nodes * 2 * slots * FAN);
    TRY(fill(work, index, records));
done:
    return status;
}

const double *index_point(Neighbours *index, const double *point, const double *half) {
    double *query = index->point;
    for (int64_t j = 0; j < index->axes; j++) {
        query[index->slot[j]] = point[j];
        if (index->slot[j] >= index->shape.numbers) query[index->slot[j] + 1] = half[j];
    }
    return query;
}
