/* The distinct tuples of codes that two tables have, each in few words of memory. */
#ifndef SCRIM_RISK_LINKAGE_PACKED_TUPLES_H
#define SCRIM_RISK_LINKAGE_PACKED_TUPLES_H
#include "risk/linkage/linkage.h"

enum { AGREE_COLUMNS = 14 };

/* Where a column's code stands in a line, as code + 1; 0 where the cell is missing, which agrees with nothing. */
typedef struct Field {
    int word, shift;
    uint64_t mask; /* in place */
} Field;

/* Distinct tuples over both tables. A line is `stride` words: how many records of the original (low half) and of the release (high half)
 * have the tuple, then its codes. */
typedef struct TupleSet {
    int64_t columns, count, rows;
    int32_t values[AGREE_COLUMNS]; /* of each column */
    Field field[AGREE_COLUMNS];
    int place[AGREE_COLUMNS]; /* column → where it stands in a line: columns of most values first */
    int width;                /* bits of a code, the same for all columns: 8, 16 or 32 */
    int stride;
    uint64_t *line;
    const int32_t *of; /* original record i is tuple of[i], released record i tuple of[rows + i] */
} TupleSet;

/* Numbers with more than `bins` values are compared by interval. */
MUST_CHECK Status tuples_make(Work *work, const PairColumns *pair, int64_t rows, int64_t bins, TupleSet *out);
void tuple_set_drop(Work *work, TupleSet *tuples); /* gives their memory back early */

static inline const uint64_t *tuple_line(const TupleSet *t, int64_t tuple) { return t->line + tuple * t->stride; }
static inline uint32_t line_originals(const uint64_t *line) { return (uint32_t)line[0]; }
static inline uint32_t line_released(const uint64_t *line) { return (uint32_t)(line[0] >> 32); }
static inline bool lines_agree(const uint64_t *a, const uint64_t *b, const Field *f) {
    return (a[f->word] & f->mask) && !((a[f->word] ^ b[f->word]) & f->mask);
}
#endif
