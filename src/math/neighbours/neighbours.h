/* Exact search for near and far records: every answer is what comparing all pairs would give, ties by the lowest row, on any number of
 * threads. */
#ifndef SCRIM_MATH_NEIGHBOURS_H
#define SCRIM_MATH_NEIGHBOURS_H
#include "math/neighbours/feature_space.h"

/* An index over records of a space; it lives in the arena. Few axes: boxes prune nearly all of it; many: blocks of records are compared
 * with blocks of queries, lanes wide. */
typedef struct Neighbours Neighbours;
/* rows: which records (NULL: all of them); one with a missing coordinate is left out. */
MUST_CHECK Status neighbours_make(Work *work, const Space *space, const int64_t *rows, int64_t count, Neighbours **out);
/* Over all of them, where nobody needs the space any more: it is given back (space_drop) before the index takes its own memory. */
MUST_CHECK Status neighbours_take(Work *work, Space *space, Neighbours **out);
void neighbours_drop(Work *work, Neighbours *index); /* gives its memory back early */
int64_t neighbours_count(const Neighbours *index);   /* records in it now */

/* Many queries at once: for each record of `from`, its neighbours in `in` (the same index, or one over another table with the same axes).
 * `other`: the record of the same row number does not count (both are of one table). Answers are stored at the row number of the query;
 * records that are not in `from` are left as they are. */

/* The nearest: row (lowest of equals; -1 where there is none), its measure (+∞) and how many share that measure. Each may be NULL. */
typedef struct Nearest {
    int64_t *row;
    double *measure;
    int64_t *ties;
} Nearest;
MUST_CHECK Status neighbours_nearest(Work *work, const Neighbours *from, const Neighbours *in, bool other, Nearest out);
/* The k nearest, nearest first: row[i*k…], measure[i*k…] (either may be NULL); -1 and +∞ where there are fewer. */
MUST_CHECK Status neighbours_k(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, int64_t *row,
                               double *measure);
/* The same among those that are not above limit[i], i the query's row: where a near record is known, the search begins there. */
MUST_CHECK Status neighbours_k_below(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, const double *limit,
                                     int64_t *row, double *measure);
/* Only the measure of the k-th nearest: +∞ where there are fewer. */
MUST_CHECK Status neighbours_kth(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, double *measure);

/* Called once for each query, on any thread; rows ascend. No list outlives its visit, so that memory does not grow with the lists. */
typedef Status Visit(void *self, int64_t query, const int32_t *rows, int64_t count, Error *error);
/* The k nearest, or all where there are fewer. */
MUST_CHECK Status neighbours_each_k(Work *work, const Neighbours *from, const Neighbours *in, bool other, int64_t k, Visit *visit,
                                    void *self);
/* All within a radius: those whose measure is below limit[i] (or not above it, where inclusive), i the query's row. */
MUST_CHECK Status neighbours_within(Work *work, const Neighbours *from, const Neighbours *in, bool other, const double *limit,
                                    bool inclusive, Visit *visit, void *self);
/* Only how many they are. */
MUST_CHECK Status neighbours_within_count(Work *work, const Neighbours *from, const Neighbours *in, bool other, const double *limit,
                                          bool inclusive, int64_t *count);

/* Σ times·exp(−(measure − base[i])/2), to within 1e-10 of itself, over the records that are not more than 60 above base[i], the measure of
 * the nearest: what normal errors make of all that may be it. EUCLIDEAN; times: row of `in` → how many records it stands for (NULL: one).
 */
MUST_CHECK Status neighbours_normal_sum(Work *work, const Neighbours *from, const Neighbours *in, const double *times, const double *base,
                                        double *sum);

/* One query at a time, on an index from which records may be taken away: what partitioning methods need. A point has one number for each
 * axis, in the space's order (a nominal axis: the code, and its half in `half`, which may be NULL where no axis is nominal). Not from two
 * threads at once. */
typedef struct Near {
    double measure;
    int64_t row;
} Near;
int64_t neighbours_at(Neighbours *index, const double *point, const double *half, int64_t k,
                      Near *out); /* the k nearest, nearest first; how many */
/* Before the farthest are asked for: what narrows that search down, kept as records are taken away. FAILED where a number has gaps. */
MUST_CHECK Status neighbours_far_ready(Work *work, Neighbours *index);
Near neighbours_farthest(Neighbours *index, const double *point, const double *half); /* row -1 where it is empty */
/* On many axes (more than boxes and cones are of use for), for several records of the index at once, NEIGHBOURS_SEVERAL at most: of each
 * the `near` nearest others, nearest first, and the `far` farthest (0: not asked for), farthest first; row -1 where there are fewer. */
enum { NEIGHBOURS_SEVERAL = 16 };
bool neighbours_many_axes(const Neighbours *index);
MUST_CHECK Status neighbours_several(Work *work, const Neighbours *index, const int64_t *rows, int count, int64_t near, Near *nearest,
                                     int64_t far, Near *farthest);
/* Takes a record away; it must be in the index. The index is rebuilt, smaller, as it empties: this may fail for memory. */
MUST_CHECK Status neighbours_remove(Work *work, Neighbours *index, int64_t row);
#endif
