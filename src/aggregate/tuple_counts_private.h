/* What the files of rolls share. */
#ifndef SCRIM_AGGREGATE_TUPLE_COUNTS_PRIVATE_H
#define SCRIM_AGGREGATE_TUPLE_COUNTS_PRIVATE_H
#include <string.h>
#include "aggregate/tuple_counts.h"

/* What a tuple's bytes say first of a cell: 0 missing, 1 a value, 2 missing by a code, which follows. */
enum { MISSING_BY_CODE = 2 };
/* The code at *at, whose text is malloc'ed; false where there is none. */
bool unpack_code(const char **at, const char *end, CodeValue *out, char **text);
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
