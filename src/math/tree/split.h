/* Inside trees: the best split of one node by one column. Only tree*.c include it. */
#ifndef SCRIM_MATH_TREE_SPLIT_H
#define SCRIM_MATH_TREE_SPLIT_H
#include "math/tree/tree.h"

/* Records on one side: their weight, and the sum of the response or of each class. */
typedef struct Side {
    int64_t count;
    double weight, sum;
    double *of_class;
    double squares; /* Σ of_class² */
} Side;

typedef struct Split {
    double gain;
    double threshold;
    uint8_t *goes_left;
    bool missing_left, found;
} Split;

/* A node: its records in every column's own order, [first, last). */
typedef struct Patch {
    const TreeData *data;
    const TreeResponse *response;
    int32_t *const *order; /* numbers: by value; categories: as they come */
    int64_t first, last, min_leaf;
    double mean;  /* of a numeric response in the node: sums are taken about it */
    int64_t ones; /* of a response of bits in the node */
    bool root;    /* all records, in the data's own order */
} Patch;

/* Gain over leaving the node whole; found is false where no split leaves min_leaf on both sides. */
MUST_CHECK Status best_split(const Patch *patch, int64_t column, Split *out, Error *error);
#endif
