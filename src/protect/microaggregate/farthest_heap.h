/* The record farthest from an average that moves a little at a time. */
#ifndef SCRIM_PROTECT_MICROAGGREGATE_FARTHEST_HEAP_H
#define SCRIM_PROTECT_MICROAGGREGATE_FARTHEST_HEAP_H
#include "base/sort.h"
#include "math/neighbours/feature_space.h"

/* By the triangle inequality a record measured d away when the average had moved m in all is, once it has moved m', at most d + (m' − m)
 * away: d − m orders records for good, and only those whose bound passes the best found are measured again. */
typedef struct FarthestHeap {
    const Space *space;
    const bool *gone; /* by row */
    Keyed sorted;     /* bounds as they were first, ascending: those up to `left` are still to be looked at */
    Keyed scratch;    /* until they are sorted */
    int64_t left;
    int64_t count; /* of the heap: records that were measured again */
    struct Bound {
        double bound;
        int32_t row;
    } * heap, *asked;
    double *point, *half, moved;
    bool started;
} FarthestHeap;
MUST_CHECK Status farthest_heap_start(Work *work, const Space *space, const int64_t *rows, int64_t count, const bool *gone,
                                      FarthestHeap *out);
/* The row not gone that is farthest from the point (the lowest of equals); -1 where all are gone. */
int64_t farthest_heap_top(FarthestHeap *fringe, const double *point, const double *half);
/* Up to `count` others that are about as far, the likeliest to be the farthest next: how many. */
int64_t farthest_heap_next(FarthestHeap *fringe, int64_t but, int64_t count, int64_t *rows);
#endif
