/* Kim's transformation undone, column by column. */
#include "math/kim_transform.h"
#include "base/elementary.h"

static double mean_of(const double *x, int64_t rows) {
    double sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(x[i])) continue;
        sum += x[i];
        count++;
    }
    return count ? sum / (double)count : 0;
}

static Status unscale(Work *work, const Column *column, double a, Column **out) {
    Status status = OK;
    const double *z;
    Column *made = NULL;
    TRY(column_reals(work, column, &z));
    TRY(column_new(REAL_TYPE, column->name, column->rows, &made, work->error));
    *out = made;
    TRY(column_need_valid(made, work->error));
    double mean = mean_of(z, column->rows);
    for (int64_t i = 0; i < column->rows; i++) {
        if (isnan(z[i])) column_set_missing(made, i);
        else made->real[i] = mean + (z[i] - mean) / a;
    }
    column_seal(made);
done:
    return status;
}

Status columns_unscale(Work *work, Columns *columns, double a, Column ***made) {
    Status status = OK;
    NEW(work, *made, columns->count + 1);
    for (int64_t j = 0; j < columns->count; j++) {
        if (!column_numeric(columns->at[j])) continue;
        TRY(unscale(work, columns->at[j], a, &(*made)[j]));
        columns->at[j] = (*made)[j];
    }
done:
    return status;
}
