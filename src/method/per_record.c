/* Per-record columns, put into a result from plain arrays. */
#include "method/method.h"

bool run_wants(const Run *run, const char *name) { return !run->session->record || !strcmp(run->session->record, name); }

Status put_reals(Run *run, const char *of, const char *name, const double *x, int64_t rows) {
    Status status = OK;
    Column *column = NULL;
    if (!run_wants(run, name)) return OK;
    TRY(column_new(REAL_TYPE, name, rows, &column, run->work.error));
    TRY(column_need_valid(column, run->work.error));
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(x[i])) column_set_missing(column, i);
        else column->real[i] = x[i];
    }
    column_seal(column);
    result_column(run->result, of, column);
    return OK;
done:
    column_release(column);
    return status;
}

Status put_integers(Run *run, const char *of, const char *name, const int64_t *x, int64_t rows) {
    Column *column = NULL;
    if (!run_wants(run, name)) return OK;
    Status status = column_new(INTEGER_TYPE, name, rows, &column, run->work.error);
    if (status) return status;
    for (int64_t i = 0; i < rows; i++) column->integer[i] = x[i];
    result_column(run->result, of, column);
    return OK;
}

void put_record(Run *run, const char *of, Column *column) {
    if (run_wants(run, column->name)) result_column(run->result, of, column);
    else column_release(column);
}
