/* Many axes, where boxes keep nothing out: which leaves may hold an answer for which queries, by single precision and whole blocks. */
#ifndef SCRIM_MATH_NEIGHBOURS_FLOAT_FILTER_H
#define SCRIM_MATH_NEIGHBOURS_FLOAT_FILTER_H
#include "math/neighbours/box_tree.h"

/* |x − q|² ≤ limit where x·q − |x|²/2 ≥ (|q|² − limit)/2: one product an axis, for LEAF records and LEAF queries at a time. Rounding is
 * allowed for, so that whatever it leaves out is above the limit; what it lets through is measured as ever. */
typedef uint32_t FilterPass(const float *leaf, const float *queries, int64_t numbers, const float *least);
typedef struct FloatFilter {
    const Neighbours *in;
    FilterPass *pass; /* bit q where some record's x·q − |x|²/2 is at least least[q] */
    int64_t numbers;
    double *centre; /* coordinates are taken from it: small numbers round little */
    float *leaf;    /* leaf → −|x|²/2 of its records, then [numbers][LEAF] */
    double *norm;   /* leaf → the greatest |x| */
    int32_t *node;  /* nodes with leaves among their children */
    int64_t nodes;
} FloatFilter;
bool filter_fits(const Neighbours *in); /* squares of differences, and many of them */
enum { FILTER_WIDTHS = 2 };
bool filter_width(int width); /* has this machine the plain kernel (0), the one for AVX2 (1)? */
MUST_CHECK Status filter_make(Work *work, const Neighbours *in, int width, FloatFilter *out);
void filter_drop(Work *work, FloatFilter *filter);

/* A group of queries, as the filter sees them. */
typedef struct Filtered {
    float *x; /* [numbers][LEAF] */
    double square[LEAF], most;
} Filtered;
/* lanes: slot s of query q at lanes[s*LEAF + q]. */
void filter_queries(const FloatFilter *filter, const double *lanes, Filtered *out);
/* Of these queries, those that may have a record of the leaf within their limits. */
uint32_t filter_leaf(const FloatFilter *filter, const Filtered *queries, uint32_t asked, const double *limit, int32_t leaf);
#endif
