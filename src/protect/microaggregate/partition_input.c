/* Microaggregation: which records are parted together, in which space. */
#include "base/elementary.h"
#include "math/linear/moments.h"
#include "math/linear/symmetric.h"
#include "protect/microaggregate/job.h"
#include "table/group.h"

static Status nominal_axis(Work *work, const Column *column, Axis *out) {
    Status status = OK;
    Codes codes;
    double *x = NULL, *half = NULL;
    TRY(column_codes(work, column, &codes));
    NEW(work, x, column->rows + 1);
    NEW(work, half, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        x[i] = codes.at[i] < 0 ? NAN : (double)codes.at[i];
        half[i] = 0.5;
    }
    *out = (Axis){ .x = x, .half = half };
done:
    return status;
}

Status job_space(Work *work, Columns vars, Space *out) {
    Status status = OK;
    Axis *axis = NULL;
    int64_t *column = NULL;
    NEW(work, axis, vars.count + 1);
    NEW(work, column, vars.count + 1);
    *out = (Space){ .metric = EUCLIDEAN, .rows = vars.at[0]->rows, .axis = axis, .column = column };
    for (int64_t j = 0; j < vars.count; j++) {
        const Scale *scale;
        Space one;
        if (column_numeric(vars.at[j])) {
            TRY(scale_make(work, (Columns){ 1, vars.at + j }, NULL, EUCLIDEAN, &scale));
            TRY(scale_space(work, scale, (Columns){ 1, vars.at + j }, &one));
            if (one.axes) axis[out->axes] = one.axis[0];
            else continue; /* constant */
        } else TRY(nominal_axis(work, vars.at[j], &axis[out->axes]));
        column[out->axes++] = j;
    }
done:
    return status;
}

/* ---- One part: records of one stratum that lack the same columns ---- */

static Status first_component(Work *work, const Space *space, const int64_t *rows, int64_t count, double **out) {
    Status status = OK;
    int64_t p = 0;
    const double **x = NULL;
    double *values_of = NULL, *vectors = NULL;
    Moments moments;
    NEW(work, x, space->axes + 1);
    for (int64_t j = 0; j < space->axes; j++)
        if (!space->axis[j].half) x[p++] = space->axis[j].x;
    NEW(work, *out, space->rows + 1);
    if (!p) return OK;
    TRY(moments_make(work, x, p, rows, count, &moments));
    NEW(work, values_of, p);
    NEW(work, vectors, p * p);
    TRY(principal_axes(work, moments.covariance, p, values_of, vectors));
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < p; j++) (*out)[rows[i]] += vectors[j] * (x[j][rows[i]] - moments.mean[j]);
done:
    return status;
}

static Status part_records(Job *job, const Space *space, const int64_t *rows, int64_t count, Partition *out) {
    Status status = OK;
    Work *work = &job->run->work;
    const args *a = job->a;
    double *score = NULL;
    if (a->method == MDAV) return part_mdav(work, space, rows, count, a->k, out);
    if (a->method == VMDAV) return part_vmdav(work, space, rows, count, a->k, a->gamma, out);
    TRY(first_component(work, space, rows, count, &score));
    TRY(part_sorted(work, score, rows, count, a->k, out));
done:
    arena_drop(work->arena, score);
    return status;
}

/* The axes that these records have. */
static Status present_axes(Work *work, const Space *space, int64_t row, Space *out) {
    Status status = OK;
    Axis *axis = NULL;
    NEW(work, axis, space->axes + 1);
    *out = (Space){ .metric = space->metric, .rows = space->rows, .axis = axis };
    for (int64_t j = 0; j < space->axes; j++)
        if (!isnan(space->axis[j].x[row])) axis[out->axes++] = space->axis[j];
done:
    return status;
}

static Status part_pattern(Job *job, const int64_t *rows, int64_t count, Partition *out) {
    Status status = OK;
    Space space;
    bool any = false;
    for (int64_t j = 0; j < job->a->vars.count; j++) any |= !column_missing(job->a->vars.at[j], rows[0]);
    if (any && count < job->a->k) job->blanked += count;
    if (!any || count < job->a->k) return OK;
    TRY(present_axes(&job->run->work, &job->space, rows[0], &space));
    TRY(part_records(job, &space, rows, count, out));
done:
    return status;
}

Status job_part_all(Job *job, Partition *out) {
    Status status = OK;
    Work *work = &job->run->work;
    Codes *codes = NULL;
    Grouping grouping;
    Partition parts = { 0 };
    GroupRows rows;
    int64_t keys = 1, n = job->a->data->rows;
    NEW(work, codes, job->a->vars.count + 2);
    codes[0] = (Codes){ .count = (int32_t)job->strata.count, .at = job->strata.of };
    for (int64_t j = 0; j < job->a->vars.count; j++) {
        int32_t *at = NULL;
        if (!job->a->vars.at[j]->missing) continue;
        NEW(work, at, n + 1);
        for (int64_t i = 0; i < n; i++) at[i] = column_missing(job->a->vars.at[j], i);
        codes[keys++] = (Codes){ .count = 2, .at = at };
    }
    TRY(group_codes(work, codes, keys, n, &grouping));
    parts = (Partition){ .group = grouping.of, .groups = grouping.count };
    TRY(group_rows(work, &parts, n, &rows));
    for (int64_t g = 0; g < rows.count; g++) TRY(part_pattern(job, rows.row + rows.start[g], rows.start[g + 1] - rows.start[g], out));
done:
    return status;
}

Status job_part_column(Job *job, const Column *column, Partition *out) {
    Status status = OK;
    Work *work = &job->run->work;
    const double *x = NULL;
    double *own = NULL;
    int64_t *rows = NULL;
    NEW(work, rows, column->rows + 1);
    if (column_numeric(column)) TRY(column_reals(work, column, &x));
    else {
        Codes codes;
        TRY(column_codes(work, column, &codes));
        NEW(work, own, column->rows + 1);
        for (int64_t i = 0; i < column->rows; i++) own[i] = codes.at[i] < 0 ? NAN : (double)codes.at[i];
        x = own;
    }
    for (int64_t s = 0; s < job->strata.count; s++) {
        int64_t count = 0;
        for (int64_t i = job->strata.start[s]; i < job->strata.start[s + 1]; i++)
            if (!isnan(x[job->strata.row[i]])) rows[count++] = job->strata.row[i];
        if (count < job->a->k) job->blanked += count;
        else TRY((job->a->method == OPTIMAL_UNIVARIATE ? part_optimal : part_sorted)(work, x, rows, count, job->a->k, out));
    }
done:
    arena_drop(work->arena, rows);
    arena_drop(work->arena, own);
    return status;
}
