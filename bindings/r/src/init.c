/* What R may call. */
#include "binding.h"
#include <R_ext/Rdynload.h>

#define CALL(name, arguments)                                                                                                              \
    { #name, (DL_FUNC)&name, arguments }
static const R_CallMethodDef calls[] = {
    CALL(r_table, 6),         CALL(r_table_rows, 1),          CALL(r_copy, 1),          CALL(r_result_own, 1),
    CALL(r_table_mark, 2),    CALL(r_table_marks, 1),         CALL(r_table_read, 2),    CALL(r_table_write, 2),
    CALL(r_table_shares, 3),  CALL(r_table_in_place, 1),      CALL(r_table_columns, 2), CALL(r_hold, 1),
    CALL(r_same_columns, 2),  CALL(r_same_missing, 2),        CALL(r_run, 3),           CALL(r_live, 1),
    CALL(r_result, 1),        CALL(r_result_inner, 2),        CALL(r_result_table, 2),  CALL(r_result_records, 2),
    CALL(r_result_output, 2), CALL(r_result_verdict, 1),      CALL(r_result_render, 3), CALL(r_result_chart, 4),
    CALL(r_result_write, 2),  CALL(r_result_output_write, 2), CALL(r_describe, 1),      CALL(r_version, 0),
    { NULL, NULL, 0 }
};

void R_init_scrim(DllInfo *info) {
    mind_the_thread();
    R_registerRoutines(info, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
    R_forceSymbols(info, TRUE);
}
