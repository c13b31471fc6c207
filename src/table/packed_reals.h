/* A column's cells as numbers in little memory: those of few values, as most whole numbers are, by their place among these. */
#ifndef SCRIM_TABLE_PACKED_REALS_H
#define SCRIM_TABLE_PACKED_REALS_H
#include "table/column.h"

typedef struct PackedReals {
    const double *real;    /* one a row, NaN where missing; or NULL: by place */
    const uint16_t *place; /* one a row, into `value`, which ascends; its last one, NaN, is of what is missing */
    const double *value;
    int32_t values; /* without that one */
} PackedReals;
/* The numbers of column_reals: the column's own memory, the work's memo's or its arena's. */
MUST_CHECK Status packed_reals_of(Work *work, const Column *column, PackedReals *out);
/* Two columns' numbers end to end, in the arena. */
MUST_CHECK Status packed_reals_stack(Work *work, const Column *const column[2], PackedReals *out);
static inline bool numbers_any(const PackedReals *numbers) { return numbers->real || numbers->place; }
static inline double number_at(const PackedReals *numbers, int64_t row) {
    return numbers->place ? numbers->value[numbers->place[row]] : numbers->real[row];
}
/* Rows by their number, those without one last and all equal ones as they stand. `present`: how many have one. FAILED for more than 2^31.
 */
MUST_CHECK Status packed_reals_order(Work *work, const PackedReals *numbers, int64_t rows, int32_t *out, int64_t *present);
#endif
