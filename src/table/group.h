/* Equal 64-bit words numbered in order of first appearance: what all grouping of records comes down to. */
#ifndef SCRIM_TABLE_GROUP_H
#define SCRIM_TABLE_GROUP_H
#include "table/column.h"

typedef struct Grouping {
    int64_t count;
    int32_t *of;    /* row → group */
    int32_t *first; /* its first row */
    int64_t *size;
} Grouping;

/* `range`: every word is below it; 0 where they may be any. Small ranges are addressed directly, the rest partitioned by hash on all
 * threads; the numbering is the same either way. */
MUST_CHECK Status group_words(Work *work, const uint64_t *words, uint64_t range, int64_t rows, Grouping *out);

/* Rows grouped by `keys` columns of codes (-1, a missing value, is a value here). Any number of keys, of any number of values. */
MUST_CHECK Status group_codes(Work *work, const Codes *codes, int64_t keys, int64_t rows, Grouping *out);

void grouping_drop(Work *work, Grouping *groups); /* gives its memory back early */

/* Mixes all bits of a word into the high ones. */
static inline uint64_t word_hash(uint64_t word) {
    word ^= word >> 32;
    word *= UINT64_C(0xd6e8feb86659fd93);
    word ^= word >> 29;
    return word * UINT64_C(0x9e3779b97f4a7c15);
}
#endif
