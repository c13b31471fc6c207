/* The inside of the neighbour index: a tree of boxes, eight to a node, over leaves of sixteen records stored axis by axis. */
#ifndef SCRIM_MATH_NEIGHBOURS_BOX_TREE_H
#define SCRIM_MATH_NEIGHBOURS_BOX_TREE_H
#include "math/neighbours/neighbours.h"

enum { LEAF = 16, FAN = 8 };
enum { KEPT_FAR = 64 };
enum { FEW_SLOTS = 24 }; /* on more, boxes and cones are as wide as can be */

/* A number takes one slot; a nominal axis two, its code and its half. Numbers come first, the last `gaps` of them those that may be
 * missing (+∞). */
typedef struct Shape {
    int64_t numbers, gaps, nominals, slots;
} Shape;

/* Lanes side by side, by run-time dispatch. Every lane adds its axes in the same order without contraction, so all variants give the same
 * bits; and since rounding is monotone, a bound computed from a box never passes the measure computed from a record in it: pruning is exact
 * without a tolerance. */
typedef struct Kernels {
    /* The records of a leaf from some queries (bit q of asked: query q, of `slots` numbers from queries + q·slots, limit limit[q]): bit r
     * of mask[q] says that record r is not above the limit; out, which may be NULL, gets their measures, LEAF for each query, where the
     * mask is not 0. */
    void (*near)(const Shape *shape, const double *leaf, const double *queries, uint32_t asked, const double *limit, uint32_t *mask,
                 double *out);
    /* The queries (lanes: slot s of query q at lanes[s*LEAF + q]) for which a box (slot s at lo[s*FAN], hi[s*FAN]) may hold a record not
     * above the limit. */
    uint32_t (*able)(const Shape *shape, const double *lanes, const double *lo, const double *hi, const double *limit);
    /* Least (gap) and greatest (reach) measure between FAN boxes (slot s of lane c at lo[s*stride + c]) and one box. */
    void (*gap)(const Shape *shape, const double *lo, const double *hi, int64_t stride, const double *box_lo, const double *box_hi,
                double *out);
    void (*reach)(const Shape *shape, const double *lo, const double *hi, int64_t stride, const double *box_lo, const double *box_hi,
                  double *out);
    /* For the FAN children of a node, by their boxes and cones (far.c), the greatest measure from the point `away` from the centre in the
     * direction opposite to `unit`, and a little more than what is rounded; bit c of the answer: child c's is not below `most`. */
    uint32_t (*beyond)(const Shape *shape, const double *lo, const double *hi, const double *cone, const double *centre, const double *unit,
                       double away, double most, double *out);
} Kernels;
const Kernels *kernels_for(Metric metric);   /* the widest that this machine has */
const Kernels *kernels_plain(Metric metric); /* for tests */

/* A child is a node, or ~leaf. */
typedef struct BoxNode {
    int32_t fan, child[FAN], parent, lane, first, last; /* leaves first…last-1 */
} BoxNode;

struct Neighbours {
    Metric metric;
    Shape shape;
    const Kernels *kernels;
    int64_t axes, rows;   /* of the space */
    bool by_pairs;        /* halved by the axis that keeps records farthest apart, not by the widest */
    bool in_place;        /* leaves take the place of the records that they are built from, and of their rows too */
    int32_t *slot;        /* axis → its first slot */
    int64_t count, built; /* records in it now, and when it was built */
    int32_t leaves, nodes, levels;
    int32_t *level; /* first node of each level, one more at the end */
    BoxNode *node;
    double *box;  /* node → lo[slots][FAN], hi[slots][FAN] of its children */
    double *leaf; /* leaf → [slots][LEAF], a row more where they are in place; NaN where there is no record */
    int32_t *row; /* leaf → LEAF rows; -1 where there is none */
    int32_t *leaf_node, *leaf_lane;
    int32_t *place; /* row → leaf·LEAF + lane, -1 where it is not here */
    double *point;  /* scratch of single queries: a query and its box */
    double *cone;   /* node → of its children as seen from the centre: unit direction[slots][FAN], cosine and sine of the half angle,
                     * greatest distance; NULL where nobody asks for the farthest */
    double *centre;
    int32_t far[KEPT_FAR], far_next; /* records that were farthest for a while, row + 1: searches begin with the best of them */
};

static inline double *node_lo(const Neighbours *index, int32_t node) { return index->box + (int64_t)node * 2 * index->shape.slots * FAN; }
static inline double *node_hi(const Neighbours *index, int32_t node) { return node_lo(index, node) + index->shape.slots * FAN; }
static inline double *leaf_points(const Neighbours *index, int32_t leaf) {
    return index->leaf + (int64_t)leaf * (index->shape.slots + index->in_place) * LEAF;
}

static inline double *node_cone(const Neighbours *index, int32_t node) {
    return index->cone + (int64_t)node * (index->shape.slots + 3) * FAN;
}

/* Builds leaves, nodes and boxes over records [slots coordinates, row] of slots + 1 numbers each, which are put into another order; there
 * is room for as many as whole leaves hold (record_room). Where it is in place, the index keeps their memory. */
static inline int64_t record_room(const Neighbours *index, int64_t count) {
    return (blocks_of(count, LEAF) * LEAF + 1) * (index->shape.slots + 1);
}
MUST_CHECK Status index_build(Work *work, Neighbours *index, double *records, int64_t count);
void index_clear(Work *work, Neighbours *index); /* gives leaves, nodes and boxes back */
void leaf_box(const Neighbours *index, int32_t leaf, double *lo, double *hi, int64_t stride);
/* Boxes of the children of this node, over all of them. */
void node_box(const Neighbours *index, int32_t node, double *lo, double *hi, int64_t stride);
const double *index_point(Neighbours *index, const double *point, const double *half); /* as a query, in the order of slots */

/* Cones over the index as it is, the average of its records as their centre; and after a record of a leaf was taken away. */
MUST_CHECK Status cones_build(Work *work, Neighbours *index);
void cones_shrink(Neighbours *index, int32_t leaf);
#endif
