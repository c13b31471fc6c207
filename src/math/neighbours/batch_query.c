/* Several queries at once on many axes, where boxes keep nothing out: every leaf is fetched once for all of them, by all threads. */
#include <string.h>
#include "base/elementary.h"
#include "math/neighbours/search.h"

typedef struct {
    const Neighbours *index;
    int count;
    int64_t near, far;     /* wanted of each */
    const int64_t *row;    /* of the queries */
    const double *queries; /* [count][slots] */
    Near *nearest;         /* block → query → a heap of `near` */
    Near *farthest;        /* the same, measures negated: the heap's top is the least far */
    int64_t *held;         /* block → query → how many, of the nearest and of the farthest */
} Several;

static void offer_far(Near *heap, int64_t *held, int64_t far, const double *measure, uint32_t mask, const int32_t *row) {
    double least = *held == far ? -heap[0].measure : -1;
    uint32_t found = 0;
    for (int lane = 0; lane < LEAF; lane++) found |= (uint32_t)(measure[lane] >= least) << lane;
    for (mask &= found; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        heap_offer(heap, held, far, (Near){ -measure[lane], row[lane] });
    }
}

static void offer_near(Near *heap, int64_t *held, int64_t near, const double *measure, uint32_t mask, const int32_t *row) {
    for (; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        if (*held < near || measure[lane] <= heap[0].measure) heap_offer(heap, held, near, (Near){ measure[lane], row[lane] });
    }
}

/* One leaf for all queries. Who looks for the farthest measures every record; who does not, those within reach. */
static void several_leaf(const Several *s, int64_t block, int32_t leaf) {
    const Neighbours *index = s->index;
    const int32_t *row = index->row + (int64_t)leaf * LEAF;
    double measure[LEAF * LEAF], limit[LEAF];
    uint32_t mask[LEAF];
    int64_t *held = s->held + block * 2 * LEAF;
    for (int q = 0; q < s->count; q++) {
        const Near *heap = s->nearest + (block * LEAF + q) * s->near;
        limit[q] = s->far || held[q] < s->near ? INFINITY : heap[0].measure;
    }
    index->kernels->near(&index->shape, leaf_points(index, leaf), s->queries, (1u << s->count) - 1, limit, mask, measure);
    for (int q = 0; q < s->count; q++) {
        int32_t own = index->place[s->row[q]];
        if (own >= 0 && own / LEAF == leaf) mask[q] &= ~(1u << own % LEAF);
        if (!mask[q]) continue;
        offer_near(s->nearest + (block * LEAF + q) * s->near, &held[q], s->near, measure + q * LEAF, mask[q], row);
        if (s->far) offer_far(s->farthest + (block * LEAF + q) * s->far, &held[LEAF + q], s->far, measure + q * LEAF, mask[q], row);
    }
}

static Status several_leaves(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    for (int64_t leaf = first; leaf < last; leaf++) several_leaf(self, block, (int32_t)leaf);
    return OK;
}

/* The best of all blocks, sorted, and -1 after them. */
static void gather(const Near *heaps, const int64_t *held, int64_t blocks, int64_t wanted, int q, Near *out) {
    int64_t kept = 0;
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t i = 0; i < held[b * 2 * LEAF]; i++) heap_offer(out, &kept, wanted, heaps[(b * LEAF + q) * wanted + i]);
    heap_sort(out, kept);
    for (int64_t i = kept; i < wanted; i++) out[i] = (Near){ INFINITY, -1 };
}

bool neighbours_many_axes(const Neighbours *index) { return index->shape.slots > FEW_SLOTS; }

Status neighbours_several(Work *work, const Neighbours *index, const int64_t *rows, int count, int64_t near, Near *nearest, int64_t far,
                          Near *farthest) {
    enum { AT_LEAST = 128, PIECES = 4 };
    Status status = OK;
    Several s = { .index = index, .count = count, .near = near, .far = far, .row = rows };
    int64_t slots = index->shape.slots, size = blocks_of(index->leaves, PIECES) > AT_LEAST ? blocks_of(index->leaves, PIECES) : AT_LEAST;
    int64_t blocks = blocks_of(index->leaves, size);
    double *queries = NULL;
    NEW(work, queries, count * slots + 1);
    NEW(work, s.nearest, blocks * LEAF * near + 1);
    NEW(work, s.farthest, blocks * LEAF * far + 1);
    NEW(work, s.held, blocks * 2 * LEAF + 1);
    for (int q = 0; q < count; q++) {
        int32_t place = index->place[rows[q]];
        for (int64_t i = 0; i < slots; i++) queries[q * slots + i] = leaf_points(index, place / LEAF)[i * LEAF + place % LEAF];
    }
    s.queries = queries;
    TRY(parallel_for(work, index->leaves, size, several_leaves, &s));
    for (int q = 0; q < count; q++) {
        gather(s.nearest, s.held + q, blocks, near, q, nearest + q * near);
        gather(s.farthest, s.held + LEAF + q, blocks, far, q, farthest ? farthest + q * far : NULL);
        for (int64_t i = 0; i < far; i++) farthest[q * far + i].measure = -farthest[q * far + i].measure;
    }
done:
    arena_drop(work->arena, queries);
    arena_drop(work->arena, s.nearest);
    arena_drop(work->arena, s.farthest);
    arena_drop(work->arena, s.held);
    return status;
}
