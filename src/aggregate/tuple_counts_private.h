/* What the files of rolls share. */
#ifndef SCRIM_AGGREGATE_TUPLE_COUNTS_PRIVATE_H
#define SCRIM_AGGREGATE_TUPLE_COUNTS_PRIVATE_H
#include <string.h>
#include "aggregate/tuple_counts.h"

/* The tuple of these bytes, made where it is new. */
MUST_CHECK Status tuple_counts_tuple(TupleCounts *roll, const char *bytes, size_t length, int64_t *out, Error *error);
/* A roll of the same keys, without tuples. */
MUST_CHECK Status tuple_counts_like(const TupleCounts *roll, TupleCounts **out, Error *error);
/* Stretches of all hashes, in their order: which of `pieces` this one is in. */
static inline int64_t roll_piece(uint64_t hash, int64_t pieces) { return (int64_t)((unsigned __int128)hash * (uint64_t)pieces >> 64); }
static inline uint64_t real_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}
/* Tuples in the order of their first records. */
typedef struct FirstPlace {
    int64_t first, tuple;
} FirstPlace;
static inline int first_before(const void *a, const void *b) {
    const FirstPlace *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}
#endif
