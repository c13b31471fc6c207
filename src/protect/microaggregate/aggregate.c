/* Microaggregation: means, medians and modes of groups, put in the place of the values. */
#include "protect/microaggregate/aggregate.h"
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/sort.h"
#include "protect/changed_table.h"

Status group_rows(Work *work, const Partition *partition, int64_t rows, GroupRows *out) {
    *out = (GroupRows){ .count = partition->groups };
    return rows_listed(work, partition->group, rows, partition->groups, &out->start, &out->row);
}

/* A mean that lies between the values: about the first one, so that large values of one size keep their digits. */
static double mean_of(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += x[i] - x[0];
    return x[0] + sum / (double)count;
}

static double median_of(double *x, int64_t count) {
    qsort(x, (size_t)count, sizeof *x, ascending_real);
    return count % 2 ? x[count / 2] : x[count / 2 - 1] + (x[count / 2] - x[count / 2 - 1]) / 2;
}

typedef struct {
    const GroupRows *groups;
    const double *x;
    double *out;
    Centre centre;
} Averaging;

static Status average_groups(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Averaging *a = self;
    const GroupRows *g = a->groups;
    int64_t most = 0;
    (void)block;
    for (int64_t i = first; i < last; i++)
        if (g->start[i + 1] - g->start[i] > most) most = g->start[i + 1] - g->start[i];
    double *x = malloc(sizeof *x * (size_t)(most + 1));
    if (!x) return out_of_memory(error);
    for (int64_t i = first; i < last; i++) {
        int64_t count = 0;
        for (int64_t r = g->start[i]; r < g->start[i + 1]; r++)
            if (!isnan(a->x[g->row[r]])) x[count++] = a->x[g->row[r]];
        if (!count) continue;
        double centre = a->centre == BY_MEAN ? mean_of(x, count) : median_of(x, count);
        for (int64_t r = g->start[i]; r < g->start[i + 1]; r++)
            if (!isnan(a->x[g->row[r]])) a->out[g->row[r]] = centre;
    }
    free(x);
    return OK;
}

static Status aggregate_number(Work *work, const Column *column, const GroupRows *groups, const Partition *partition, Centre centre,
                               bool blank, Column **out) {
    Status status = OK;
    const double *x = NULL;
    double *y = NULL;
    TRY(column_reals(work, column, &x));
    NEW(work, y, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) y[i] = partition->group[i] < 0 && blank ? NAN : x[i];
    Averaging a = { groups, x, y, centre };
    TRY(parallel_for(work, groups->count, 4096, average_groups, &a));
    TRY(column_of_reals(column, y, out, work->error));
done:
    arena_drop(work->arena, y);
    return status;
}

/* The row of a record that has the group's most frequent value, or -1 where all are missing. */
static int64_t mode_row(const Codes *codes, const int64_t *row, int64_t count, int32_t *scratch) {
    int64_t present = 0, best = 0;
    int32_t mode = -1;
    for (int64_t i = 0; i < count; i++)
        if (codes->at[row[i]] >= 0) scratch[present++] = codes->at[row[i]];
    qsort(scratch, (size_t)present, sizeof *scratch, ascending_int32);
    for (int64_t i = 0, run; i < present; i += run) {
        for (run = 1; i + run < present && scratch[i + run] == scratch[i]; run++) {}
        if (run > best) {
            best = run;
            mode = scratch[i];
        }
    }
    return mode < 0 ? -1 : codes->first_row[mode];
}

static Status aggregate_category(Work *work, const Column *column, const GroupRows *groups, const Partition *partition, bool blank,
                                 Column **out) {
    Status status = OK;
    Codes codes;
    int64_t *from = NULL;
    int32_t *scratch = NULL;
    TRY(column_codes(work, column, &codes));
    NEW(work, from, column->rows + 1);
    NEW(work, scratch, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) from[i] = partition->group[i] < 0 && blank ? -1 : i;
    for (int64_t g = 0; g < groups->count; g++) {
        const int64_t *row = groups->row + groups->start[g];
        int64_t count = groups->start[g + 1] - groups->start[g], mode = mode_row(&codes, row, count, scratch);
        for (int64_t r = 0; r < count; r++)
            if (codes.at[row[r]] >= 0) from[row[r]] = mode;
    }
    TRY(column_of_rows(column, from, out, work->error));
done:
    arena_drop(work->arena, from);
    arena_drop(work->arena, scratch);
    return status;
}

Status aggregate_column(Work *work, const Column *column, const GroupRows *groups, const Partition *partition, Centre centre, bool blank,
                        Column **out) {
    if (column_numeric(column)) return aggregate_number(work, column, groups, partition, centre, blank, out);
    return aggregate_category(work, column, groups, partition, blank, out);
}
