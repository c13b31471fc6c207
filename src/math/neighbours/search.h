/* One search through the index by a group of at most LEAF queries that lie together. */
#ifndef SCRIM_MATH_NEIGHBOURS_SEARCH_H
#define SCRIM_MATH_NEIGHBOURS_SEARCH_H
#include "math/neighbours/float_filter.h"
#include "math/neighbours/gaussian_sum.h"

typedef enum { AIM_NEAREST, AIM_K, AIM_SUM, AIM_ROWS, AIM_COUNT } Aim;
typedef struct Hits {
    int32_t *row;
    int64_t count, room;
} Hits;
typedef struct Best {
    double measure;
    int64_t row, ties;
} Best;

typedef struct NeighbourSearch {
    const Neighbours *in;
    Aim aim;
    bool other;
    bool failed; /* memory ran out */
    int queries;
    int64_t k;
    int32_t query_row[LEAF];
    int32_t own[LEAF];        /* where the record itself stands, which does not count; -1 where it is not there or counts */
    double limit[LEAF];       /* nothing above it counts; falls as nearer records are found */
    double widest;            /* the greatest of them */
    double *lanes;            /* queries as [slots][LEAF] */
    double *query;            /* queries as [LEAF][slots] */
    double *lo, *hi, *centre; /* of their box */
    Best best[LEAF];
    double base[LEAF], sum[LEAF]; /* Σ exp(−(measure − base)/2) */
    const GaussianSum *series;
    const SumKernels *sums;
    double most_base, spent; /* the greatest base, and what series may have left out of each sum */
    Filtered filtered;       /* where it scans */
    int64_t visited;         /* leaves looked at, or into */
    bool merge;              /* records alike are one query: their answers are the same, */
    const double *within;    /* or, where each row has its own limit, begin in the same way */
    int twins;
    int32_t twin[LEAF], twin_of[LEAF]; /* rows that are no query, and whose answer is theirs */
    int32_t last_row;                  /* of the group before: its last query, -1 */
    double *last;
    int64_t held[LEAF];
    Near *heap; /* k for each query, greatest first */
    Hits hits[LEAF];
    int32_t *spare; /* room for sorting */
    int64_t spare_room;
} NeighbourSearch;

MUST_CHECK Status search_start(NeighbourSearch *search, const Neighbours *in, Aim aim, int64_t k, bool other, Error *error);
void search_end(NeighbourSearch *search);                                         /* harmless on one that did not start */
void search_group(NeighbourSearch *search, const Neighbours *from, int32_t leaf); /* its records are the queries, or twins of one */
MUST_CHECK Status search_run(NeighbourSearch *search, Error *error);              /* heaps end up sorted, nearest first */
/* The same for several groups at once, leaf by leaf: where boxes keep nothing out, a leaf is fetched once for all. */
MUST_CHECK Status search_scan(NeighbourSearch *groups, int count, const FloatFilter *filter, Error *error);
MUST_CHECK Status search_sorting_room(NeighbourSearch *search, Error *error); /* `spare` for the longest list of hits */
void rows_sort(int32_t *row, int64_t count, int32_t *spare);                  /* ascending; spare holds as many */

/* Max-heaps ordered by (measure, row). */
static inline bool farther(Near a, Near b) { return a.measure > b.measure || (a.measure == b.measure && a.row > b.row); }
void heap_offer(Near *heap, int64_t *held, int64_t k, Near near);
void heap_sort(Near *heap, int64_t held); /* nearest first */
#endif
