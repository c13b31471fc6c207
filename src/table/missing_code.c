/* Why cells are missing. */
#include "table/missing_code.h"

MissingCodes missing_codes(const Column *column) {
    bool told = column->reason && column->about && column->about->missing && column_tells_reasons(column);
    return (MissingCodes){ .count = 1 + (told ? column->about->missing : 0), .told = told };
}

const char *missing_code_text(const Column *column, int32_t code, char out[33]) {
    return code ? code_text(column->about->missing_of[code - 1], out) : "";
}
