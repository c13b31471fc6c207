/* A ladder: the numbers of a column in ascending order, each with how many records have it. What is counted in parts adds up to the same
 * ladder, whatever the parts and their order. Sixteen bytes a number, of which a roll takes a hundred. */
#ifndef SCRIM_AGGREGATE_VALUE_COUNTS_H
#define SCRIM_AGGREGATE_VALUE_COUNTS_H
#include <string.h>
#include "base/text.h"
#include "table/table.h"

typedef struct ValueCount {
    uint64_t key; /* as real_key or integer_key has it */
    int64_t times;
} ValueCount;
/* Numbers that ascend. */
typedef struct ValueCountRun {
    ValueCount *rung;
    int64_t count;
} ValueCountRun;
enum { VALUE_COUNTS_RUNS = 64 };
typedef struct ValueCounts {
    bool known, whole; /* of whole numbers: set by the first part */
    int64_t missing;
    int64_t runs; /* one, once settled; each is at least twice as long as the next, or long enough to be let be */
    ValueCountRun run[VALUE_COUNTS_RUNS];
    struct Shelf *shelf; /* what was laid aside on disk; NULL: nothing */
    void *mapped;        /* the one run lies in a file, and nothing can be added */
    size_t mapped_size;
} ValueCounts;

MUST_CHECK Status value_counts_new(ValueCounts **out, Error *error); /* empty; ends with value_counts_free */
void value_counts_free(ValueCounts *ladder);                         /* NULL is harmless */
/* A column of numbers, all of one type; -0 is 0. */
MUST_CHECK Status value_counts_add(Work *work, ValueCounts *ladder, const Column *column);
MUST_CHECK Status value_counts_merge(ValueCounts *ladder, const ValueCounts *other, Error *error);
MUST_CHECK Status value_counts_sort(ValueCounts *ladder, Error *error);
/* Once settled. */
static inline int64_t ladder_count(const ValueCounts *ladder) { return ladder->runs ? ladder->run[0].count : 0; }
static inline const ValueCount *ladder_rungs(const ValueCounts *ladder) { return ladder->run[0].rung; }
static inline int64_t ladder_whole(const ValueCounts *ladder, int64_t rung) { /* of whole numbers */
    return (int64_t)(ladder->run[0].rung[rung].key ^ UINT64_C(1) << 63);
}
static inline double ladder_real(const ValueCounts *ladder, int64_t rung) {
    uint64_t key = ladder->run[0].rung[rung].key, bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
    double value;
    if (ladder->whole) return (double)ladder_whole(ladder, rung);
    memcpy(&value, &bits, 8);
    return value;
}
int64_t value_counts_present(const ValueCounts *ladder); /* records whose number is not missing */
size_t value_counts_size(const ValueCounts *ladder);     /* bytes that it takes, and as many again while runs are merged */

/* As bytes: equal ladders give equal bytes. Of the numbers those of one of `pieces` alone, and of the first what is missing. */
void value_counts_save_piece(ValueCounts *ladder, int64_t piece, int64_t pieces, Buffer *out);
MUST_CHECK Status value_counts_load(const char **at, const char *end, ValueCounts **out, Error *error);

/* Lays the runs aside on disk, in a file without a name in this folder; value_counts_gather merges all of them into one that is read from there.
 */
MUST_CHECK Status value_counts_spill(ValueCounts *ladder, const char *folder, Error *error);
MUST_CHECK Status value_counts_gather(ValueCounts *ladder, Error *error);
void value_counts_rest(const ValueCounts *ladder); /* lets go of its pages, which are read again as they are needed; of others nothing */
#endif
