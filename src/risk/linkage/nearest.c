/* Linkage by distance: the nearest original, exactly, on values or on ranks. */
#include "math/neighbours/neighbours.h"
#include "math/order.h"
#include "risk/linkage/linkage.h"

static void judge(Links *out, const Space *original, const Space *released, const double *measure, const int64_t *ties) {
    for (int64_t i = 0; i < out->rows; i++) {
        if (!(measure[i] < INFINITY)) continue;
        out->distance[i] = distance_of_measure(released->metric, measure[i]);
        if (space_measure(released, i, original, i) <= measure_as_near(measure[i])) out->right[i] = 1 / (double)ties[i];
    }
}

static void guess(Run *run, Links *out) {
    for (int64_t i = 0; i < out->rows; i++) {
        out->right[i] = 1 / (double)out->rows;
        out->distance[i] = 0;
    }
    result_note(run->result, "Every column is constant in the original: all records are equally near.");
}

Status link_nearest(Run *run, const PairColumns *pair, Metric metric, Links *out) {
    Status status = OK;
    const Scale *scale;
    Space original, released;
    Neighbours *from, *in;
    double *measure = NULL, *limit = NULL;
    int64_t *ties = NULL;
    TRY(scale_make(&run->work, pair->original, NULL, metric, &scale));
    TRY(scale_space(&run->work, scale, pair->original, &original));
    TRY(scale_space(&run->work, scale, pair->released, &released));
    if (!original.axes) {
        guess(run, out);
        return OK;
    }
    NEW(&run->work, measure, out->rows);
    NEW(&run->work, limit, out->rows);
    NEW(&run->work, ties, out->rows);
    for (int64_t i = 0; i < out->rows; i++) measure[i] = INFINITY;
    TRY(neighbours_make(&run->work, &original, NULL, 0, &in));
    TRY(neighbours_make(&run->work, &released, NULL, 0, &from));
    TRY(neighbours_nearest(&run->work, from, in, false, (Nearest){ .measure = measure }));
    for (int64_t i = 0; i < out->rows; i++) limit[i] = measure_as_near(measure[i]);
    TRY(neighbours_within_count(&run->work, from, in, false, limit, true, ties));
    judge(out, &original, &released, measure, ties);
done:
    return status;
}

/* The columns live in the arena and are borrowed by whoever scales them; NaN, not a bitmap, says missing. */
static Status rank_columns(Run *run, Columns columns, Columns *out) {
    Status status = OK;
    Column *made = NULL;
    NEW(&run->work, out->at, columns.count + 1);
    NEW(&run->work, made, columns.count + 1);
    for (int64_t j = 0; j < columns.count; j++) {
        const Column *column = columns.at[j];
        const double *x;
        out->at[out->count++] = column;
        if (!column_numeric(column)) continue;
        TRY(column_reals(&run->work, column, &x));
        made[j].type = REAL_TYPE;
        made[j].name = column->name;
        made[j].rows = column->rows;
        made[j].missing = column->missing;
        NEW(&run->work, made[j].real, column->rows);
        TRY(mid_ranks(&run->work, x, column->rows, made[j].real));
        out->at[j] = &made[j];
    }
done:
    return status;
}

Status link_by_rank(Run *run, const PairColumns *pair, Metric metric, Links *out) {
    Status status = OK;
    PairColumns ranks = { 0 };
    TRY(rank_columns(run, pair->original, &ranks.original));
    TRY(rank_columns(run, pair->released, &ranks.released));
    TRY(link_nearest(run, &ranks, metric, out));
done:
    return status;
}
