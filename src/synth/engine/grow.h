/* Trees for synthesis: grown on states, so that a node costs what its records cost; their leaves are pools of donors. */
#ifndef SCRIM_SYNTH_ENGINE_GROW_H
#define SCRIM_SYNTH_ENGINE_GROW_H
#include "base/work.h"

/* A predictor. Ordered: numbers, whose missing state (if any) is the last and may go to either side. */
typedef struct Feature {
    const uint16_t *state;
    int32_t states;
    bool ordered, missing;
} Feature;

/* What is predicted: numbers, or classes 0…classes-1. Both by row of the whole table. */
typedef struct Target {
    const double *real;
    const uint16_t *class;
    int32_t classes;
    const double *weight; /* by row, or NULL */
} Target;

typedef struct GrowOptions {
    int64_t min_leaf;  /* fewest records in a leaf */
    int64_t min_split; /* fewest in a node that is divided */
    double complexity; /* a split must take off this share of the root's impurity */
    int32_t depth;
    const Work *work; /* whether to stop; may be NULL */
} GrowOptions;

typedef struct DonorNode {
    int32_t feature; /* -1: a leaf */
    int32_t left, right;
    uint16_t threshold; /* ordered: states up to it go left */
    bool missing_left;
    int64_t set;         /* categories: first word of the bits of those that go left */
    int32_t first, last; /* donors[first…last) */
    int32_t leaf;        /* number of the leaf */
} DonorNode;

typedef struct DonorTree {
    int64_t nodes, leaves, words, rows;
    DonorNode *node; /* the root first */
    uint64_t *word;
    int32_t *donor;             /* rows, leaf by leaf */
    int32_t *leaf_node;         /* leaf → its node */
    double impurity, explained; /* of the root; taken off by the splits */
} DonorTree;

/* Grows on rows[0…count). Near-linear: each level of the tree reads each record once per feature. Allocates by itself (may run on any
 * thread); free it. */
MUST_CHECK Status donor_tree_grow(const Feature *feature, int32_t features, const Target *target, const int32_t *rows, int64_t count,
                                  const GrowOptions *options, DonorTree *out, Error *error);
void donor_tree_free(DonorTree *tree); /* zeroed is harmless */
/* The leaf for a record whose states are at[f][row]; features by their number in the array that the tree was grown on. */
int32_t donor_tree_find(const DonorTree *tree, const Feature *feature, const uint16_t *const *at, int64_t row);
#endif
