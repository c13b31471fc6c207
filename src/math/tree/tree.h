/* Classification and regression trees (Breiman et al. 1984): binary splits of numbers at a threshold and of categories into two sets, grown
 * to the stopping rules. */
#ifndef SCRIM_MATH_TREE_H
#define SCRIM_MATH_TREE_H
#include "table/packed_reals.h"
#include "table/table.h"

/* A predictor: numbers (NaN = missing) or codes 0…codes-1 (-1 = missing). */
typedef struct TreeColumn {
    PackedReals number;
    const int32_t *code;
    int32_t codes;
} TreeColumn;
static inline bool tree_numbers(const TreeColumn *column) { return numbers_any(&column->number); }
static inline double tree_number(const TreeColumn *column, int64_t row) { return number_at(&column->number, row); }

/* Predictors, sorted once: any number of trees can be grown on them. */
typedef struct TreeData {
    int64_t rows, columns;
    TreeColumn *column;
    int32_t **order;  /* of numbers: rows by value, missing last; of categories as they come, one and the same for all of them */
    uint64_t **fresh; /* of numbers: bit i is set where place i of the order has another value than the place before */
} TreeData;
/* Sorts the numbers; columns and order lie in the arena, the cells stay the caller's. */
MUST_CHECK Status tree_data(Work *work, const TreeColumn *columns, int64_t count, int64_t rows, TreeData *out);
/* Columns of a table as predictors: numbers and dates as numbers, categories and text as codes. */
MUST_CHECK Status tree_columns(Work *work, Columns columns, TreeColumn *out);

/* What is predicted: numbers, numbers 0 and 1 as bits (unweighted; much faster), or classes 0…codes-1; nothing may be missing. */
typedef struct TreeResponse {
    const double *real;
    const uint64_t *bits;
    const int32_t *code;
    int32_t codes;
    const double *weight; /* or NULL */
} TreeResponse;

typedef struct TreeOptions {
    int64_t min_leaf;  /* fewest records in a leaf; 0 means 1 */
    int64_t min_split; /* fewest in a node that may be split; 0 means 2·min_leaf */
    int32_t depth;     /* most splits from the root down; 0 means 30 */
    double complexity; /* a split must take off this share of the root's impurity (sum of squares, or Gini) */
} TreeOptions;

typedef struct TreeNode {
    int32_t column;           /* that is split on; -1: a leaf */
    int32_t left, right;      /* numbers of the nodes below */
    double threshold;         /* numbers: value <= threshold goes left */
    const uint8_t *goes_left; /* categories: by code */
    bool missing_left;        /* where a missing value (or a code that the node never saw) goes */
    int64_t count;            /* records in it */
    double weight;            /* and their weight */
    double mean;              /* of a numeric response */
    const double *share;      /* of each class */
    double gain;              /* impurity that its split takes off */
} TreeNode;

typedef struct Tree {
    int64_t nodes, leaves;
    TreeNode *node;  /* the root first */
    int32_t *leaf;   /* row → the node it ends in */
    double impurity; /* of the root */
} Tree;

/* The same tree for any number of threads: among equal splits the first column wins, and its lowest threshold. */
MUST_CHECK Status tree_grow(Work *work, const TreeData *data, const TreeResponse *response, const TreeOptions *options, Tree *out);
/* The leaf in which a record of other columns (of the same meaning and codes) ends. */
int32_t tree_find(const Tree *tree, const TreeColumn *columns, int64_t row);
#endif
