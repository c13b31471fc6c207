/* MDAV on many axes: what the next steps will ask is asked beforehand, many questions in one pass over the records. */
#ifndef SCRIM_PROTECT_MICROAGGREGATE_BATCH_QUERIES_H
#define SCRIM_PROTECT_MICROAGGREGATE_BATCH_QUERIES_H
#include "math/neighbours/neighbours.h"
#include "protect/microaggregate/farthest_heap.h"

/* Lists of the nearest and of the farthest of some records, made when fewer were gone: those of a list that are not gone are still the
 * nearest and the farthest of all that are left, in order, as long as there are enough of them. */
typedef struct Ahead {
    Work *work;
    const Neighbours *index;
    FarthestHeap *fringe;
    int64_t near, far, wanted; /* lengths of the lists; nearest that are asked for */
    int32_t *list;             /* row → its lists, -1 where there are none */
    int64_t *row;              /* lists → row, -1 */
    Near *nearest, *farthest;
    int64_t oldest; /* lists that give way next */
} Ahead;
MUST_CHECK Status ahead_start(Work *work, const Neighbours *index, FarthestHeap *fringe, int64_t rows, int64_t k, Ahead *out);
/* Makes the lists of the record that is farthest from the average, where there are none, and of those likely to be it next. */
MUST_CHECK Status ahead_first(Ahead *ahead, int64_t row);
/* The same for the record that is farthest from the last: its nearest alone, with those of the ones likely to be it next. */
MUST_CHECK Status ahead_second(Ahead *ahead, int64_t row);
/* The k−1 nearest of a record that are left, nearest first: how many, and -1 where its list says too little. */
int64_t ahead_nearest(const Ahead *ahead, int64_t row, Near *out);
/* The farthest of a record; -1 where its list does not say. */
int64_t ahead_farthest(const Ahead *ahead, int64_t row);
#endif
