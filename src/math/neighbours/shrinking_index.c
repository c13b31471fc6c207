/* One query at a time, on an index that shrinks: the k nearest of the records that are left. */
#include <string.h>
#include "base/elementary.h"
#include "math/neighbours/search.h"

typedef struct {
    Neighbours *index;
    const double *query;
    int64_t k, held;
    double limit;
    Near *heap;
} Asked;

static void ask_leaf(Asked *asked, int32_t leaf) {
    const Neighbours *index = asked->index;
    double measure[LEAF];
    uint32_t mask;
    index->kernels->near(&index->shape, leaf_points(index, leaf), asked->query, 1, &asked->limit, &mask, measure);
    for (; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        heap_offer(asked->heap, &asked->held, asked->k, (Near){ measure[lane], index->row[(int64_t)leaf * LEAF + lane] });
    }
    if (asked->held == asked->k) asked->limit = asked->heap[0].measure;
}

/* The children that may hold an answer, nearest first. */
static int near_children(int fan, const double *gap, double limit, int *order) {
    int count = 0;
    for (int c = 0; c < fan; c++) {
        if (gap[c] > limit) continue;
        int at = count++;
        for (; at > 0 && gap[order[at - 1]] > gap[c]; at--) order[at] = order[at - 1];
        order[at] = c;
    }
    return count;
}

static void near_node(Asked *asked, int32_t node) {
    const Neighbours *index = asked->index;
    double gap[FAN];
    int order[FAN];
    index->kernels->gap(&index->shape, node_lo(index, node), node_hi(index, node), FAN, asked->query, asked->query, gap);
    int count = near_children(index->node[node].fan, gap, asked->limit, order);
    for (int i = 0; i < count && gap[order[i]] <= asked->limit; i++) {
        int32_t child = index->node[node].child[order[i]];
        if (child < 0) ask_leaf(asked, ~child);
        else near_node(asked, child);
    }
}

int64_t neighbours_at(Neighbours *index, const double *point, const double *half, int64_t k, Near *out) {
    Asked asked = { .index = index, .query = index_point(index, point, half), .k = k, .limit = INFINITY, .heap = out };
    if (k < 1 || !index->count) return 0;
    near_node(&asked, 0);
    heap_sort(out, asked.held);
    return asked.held;
}

/* ---- Taking records away ---- */

/* Half of it is gone: a smaller tree has tighter boxes and fits nearer caches. */
static Status rebuild(Work *work, Neighbours *index) {
    Status status = OK;
    double *records = NULL;
    int64_t slots = index->shape.slots, kept = 0;
    NEW(work, records, record_room(index, index->count));
    for (int32_t leaf = 0; leaf < index->leaves; leaf++) {
        const double *points = leaf_points(index, leaf);
        for (int lane = 0; lane < LEAF; lane++) {
            int32_t row = index->row[(int64_t)leaf * LEAF + lane];
            if (row < 0) continue;
            for (int64_t s = 0; s < slots; s++) records[kept * (slots + 1) + s] = points[s * LEAF + lane];
            records[kept++ * (slots + 1) + slots] = row;
        }
    }
    TRY(index_build(work, index, records, kept));
    if (index->cone) TRY(cones_build(work, index));
done:
    if (!index->in_place) arena_drop(work->arena, records);
    return status;
}

/* Boxes shrink from the leaf up, as far as they change. */
static void shrink(Neighbours *index, int32_t leaf) {
    int32_t node = index->leaf_node[leaf], lane = index->leaf_lane[leaf];
    int64_t slots = index->shape.slots;
    double *lo = index->point + slots, *hi = lo + slots;
    leaf_box(index, leaf, lo, hi, 1);
    while (node >= 0) {
        double *old_lo = node_lo(index, node), *old_hi = node_hi(index, node);
        bool changed = false;
        for (int64_t s = 0; s < slots; s++) {
            changed |= old_lo[s * FAN + lane] != lo[s] || old_hi[s * FAN + lane] != hi[s];
            old_lo[s * FAN + lane] = lo[s];
            old_hi[s * FAN + lane] = hi[s];
        }
        if (!changed) return;
        node_box(index, node, lo, hi, 1);
        lane = index->node[node].lane;
        node = index->node[node].parent;
    }
}

Status neighbours_remove(Work *work, Neighbours *index, int64_t row) {
    if (row < 0 || row >= index->rows || index->place[row] < 0)
        return fail(work->error, FAILED, "a record is taken away that the index does not hold");
    int32_t place = index->place[row], leaf = place / LEAF;
    double *points = leaf_points(index, leaf);
    for (int64_t s = 0; s < index->shape.slots; s++) points[s * LEAF + place % LEAF] = NAN;
    index->row[place] = index->place[row] = -1;
    index->count--;
    if (index->count < index->built / 2 && index->built > 4 * LEAF) return rebuild(work, index);
    shrink(index, leaf);
    if (index->cone) cones_shrink(index, leaf);
    return OK;
}
