/* Why a cell is missing, as a small number: an empty cell, or one of the codes that a file uses ("N", .a). Two cells are missing alike only
 * where their codes are the same (docs/missing.md). */
#ifndef SCRIM_TABLE_MISSING_CODE_H
#define SCRIM_TABLE_MISSING_CODE_H
#include "table/column.h"

typedef struct MissingCodes {
    int32_t count; /* 1 and the codes of the file */
    bool told;     /* the column tells one from another */
} MissingCodes;
MissingCodes missing_codes(const Column *column);
/* Of a missing cell: 0 where it is empty or scrim blanked it. */
static inline int32_t missing_code(const MissingCodes *codes, const Column *column, int64_t row) {
    return codes->told && column->reason[row] >= MISSING_CODE_FIRST ? column->reason[row] - MISSING_CODE_FIRST + 1 : 0;
}
/* As people write it; "" for an empty cell. */
const char *missing_code_text(const Column *column, int32_t code, char out[33]);
#endif
