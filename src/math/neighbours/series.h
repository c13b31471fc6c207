/* Sums of normal densities: record by record in lanes, or many records at once by a series about the middle of their box. */
#ifndef SCRIM_MATH_NEIGHBOURS_SERIES_H
#define SCRIM_MATH_NEIGHBOURS_SERIES_H
#include "math/neighbours/index.h"

/* Nodes of one or two numbers, of one value on every nominal axis, and narrow: the moments of their records. */
typedef struct Series {
    double *times;   /* leaf → how many records each of its LEAF stands for; NULL: one each */
    double **moment; /* node → its moments; NULL where it has none */
    double *error;   /* node → what the series leaves out, at most, next to the node and for base 0 */
    double *middle;  /* node → slots of its middle */
} Series;
/* times: by row, or NULL; out is zeroed. */
MUST_CHECK Status series_make(Work *work, const Neighbours *index, const double *times, Series *out);
void series_drop(Work *work, const Neighbours *index, Series *series);

/* LEAF lanes at a time, by run-time dispatch, the same bits with all. */
typedef struct SumKernels {
    /* Σ times·exp(−(measure − base)/2) over the lanes that are not above the limit */
    double (*leaf)(const double *measure, double base, double limit, const double *times);
    /* adds a node's records to the sum of each query (slot s of query q at lanes[s*LEAF + q]) */
    void (*node)(const Shape *shape, const double *lanes, const double *base, const double *middle, const double *moment, double *sum);
} SumKernels;
const SumKernels *sum_kernels(void);
const SumKernels *sum_kernels_plain(void); /* for tests */
#endif
