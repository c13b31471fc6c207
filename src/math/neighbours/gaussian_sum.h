/* Sums of normal densities: record by record in lanes, or many records at once by a series about the middle of their box. */
#ifndef SCRIM_MATH_NEIGHBOURS_GAUSSIAN_SUM_H
#define SCRIM_MATH_NEIGHBOURS_GAUSSIAN_SUM_H
#include "math/neighbours/box_tree.h"

enum { SERIES_ORDERS = 4 };
/* A node of one or two numbers, of one value on every nominal axis, and narrow. */
typedef struct SeriesNode {
    double *moment;              /* of its records; NULL where it has none */
    double *middle;              /* slots */
    double radius;               /* half the diagonal of its box */
    double error[SERIES_ORDERS]; /* what the series leaves out, at most, next to the node and for base 0, cut off at each order */
} SeriesNode;
typedef struct GaussianSum {
    double *times; /* leaf → how much each of its LEAF counts, 0 where there is none */
    SeriesNode *node;
    double *moment, *middle; /* of all nodes */
} GaussianSum;
/* out is zeroed; then weighed, as often as is wanted. times: by row, or NULL where each counts once. */
MUST_CHECK Status series_make(Work *work, const Neighbours *index, GaussianSum *out);
MUST_CHECK Status series_weigh(Work *work, const Neighbours *index, const double *times, GaussianSum *series);
void series_drop(Work *work, GaussianSum *series);

/* LEAF lanes at a time, by run-time dispatch, the same bits with all. */
typedef struct SumKernels {
    /* Σ times·exp(−(measure − base)/2) over the lanes that are not above the limit */
    double (*leaf)(const double *measure, double base, double limit, const double *times);
    /* adds a node's records to the sum of each query (slot s of query q at lanes[s*LEAF + q]) */
    void (*node)(const Shape *shape, const double *lanes, const double *base, const SeriesNode *node, int order, double *sum);
    /* adds a leaf's records to moments about a middle, eight running sums of each */
    void (*moments)(const Shape *shape, const double *points, const double *times, const double *middle, double *moment);
} SumKernels;
const SumKernels *sum_kernels(void);
const SumKernels *sum_kernels_plain(void); /* for tests */

/* All records of a node at once, by the lowest order that leaves out little enough: false where none does. */
typedef struct SeriesQueries {
    const Shape *shape;
    const double *lanes, *base;
    double scale, allowed; /* of what an order leaves out, for these queries; and how much may be left out of their sums, in all */
} SeriesQueries;
bool series_add(const GaussianSum *series, int32_t node, const SumKernels *kernels, const SeriesQueries *queries, double *spent,
                double *sum);
#endif
