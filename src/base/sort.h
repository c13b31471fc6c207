/* Rows by 64-bit keys: a stable sort on all threads, linear in the number of rows; the same answer for any number of threads. */
#ifndef SCRIM_BASE_SORT_H
#define SCRIM_BASE_SORT_H
#include <string.h>
#include "base/work.h"

/* Keys and their rows, end to end: 12 bytes a row, and as many again while they are sorted. */
typedef struct Keyed {
    uint64_t *key;
    int32_t *row; /* NULL: the keys alone are wanted */
} Keyed;
/* Room for `count`; both arrays are in the arena. */
MUST_CHECK Status keyed_new(Work *work, int64_t count, Keyed *out);
void keyed_drop(Work *work, Keyed *keyed);
/* Ascending by key, those of one key in the order in which they came. */
MUST_CHECK Status keyed_sort(Work *work, Keyed here, int64_t count);
/* The same on the calling thread; `there` is scratch of the same size. */
void keyed_sort_here(Keyed here, Keyed there, int64_t count);
/* Rows of words, in the order of their bytes, equal ones in the order in which they came; `here` holds the rows, its keys are scratch. */
void text_sort_here(const char *const *text, Keyed here, Keyed there, int64_t count);
static inline Keyed keyed_from(Keyed keyed, int64_t first) { return (Keyed){ keyed.key + first, keyed.row ? keyed.row + first : NULL }; }

/* 0…count-1 by group, each group's in their order: those of group g are at[start[g]] … at[start[g + 1] - 1]; of[i] < 0 is in no group.
 * `start` has room for groups + 2. */
void list_groups(const int32_t *of, int64_t count, int64_t groups, int64_t *start, int32_t *at);
/* The same in new arrays. */
MUST_CHECK Status groups_listed(Work *work, const int32_t *of, int64_t count, int64_t groups, int64_t **start, int32_t **at);
/* The same for rows, as others take them. */
MUST_CHECK Status rows_listed(Work *work, const int32_t *of, int64_t rows, int64_t groups, int64_t **start, int64_t **row);

/* Keys whose order is that of the numbers; -0 is 0. */
static inline uint64_t real_key(double value) {
    uint64_t bits;
    value = value == 0 ? 0 : value;
    memcpy(&bits, &value, 8);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}
static inline uint64_t integer_key(int64_t value) { return (uint64_t)value ^ UINT64_C(1) << 63; }
#endif
