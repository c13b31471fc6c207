/* Neighbourhood sampling: sizes of neighbourhoods, and rare values that survive. */
#include "protect/nbrs/report.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "math/ranks.h"

enum { BARS = 30, LISTED = 1000 };

/* 0, 1, 2–3, 4–7, … */
static void size_table(Run *run, const double *sorted, int64_t count) {
    Grid *grid = grid_new(run->result, "neighbourhoods", "from:integer to:integer records:integer share:real");
    for (int64_t at = 0, from = 0, to = 0; at < count; from = to + 1, to = to ? 2 * to + 1 : 1) {
        int64_t records = 0;
        while (at < count && sorted[at] <= (double)to) at++, records++;
        grid_integer(grid, from);
        grid_integer(grid, to);
        grid_integer(grid, records);
        grid_real(grid, (double)records / (double)count);
    }
    grid_done(grid);
}

static void size_chart(Run *run, const double *sorted, int64_t count) {
    double edge[BARS + 1], bar[BARS] = { 0 }, most = sorted[count - 1], width = ceil((most + 1) / BARS);
    int bars = (int)ceil((most + 1) / width);
    for (int b = 0; b <= bars; b++) edge[b] = b * width;
    for (int64_t i = 0; i < count; i++) bar[(int)(sorted[i] / width)]++;
    Chart *chart = result_chart(run->result, CHART_HISTOGRAM, "Number of neighbours of the modified records", "neighbours", "records");
    chart_of(chart, "neighbourhoods");
    chart_series(chart, "records", bars, edge, bar, NULL, NULL);
}

Status report_neighbourhoods(Run *run, const Sampling *s) {
    Status status = OK;
    double *sizes = NULL;
    int64_t count = 0;
    NEW(&run->work, sizes, s->modified + 1);
    for (int64_t i = 0; i < s->rows; i++)
        if (s->neighbours[i] >= 0) sizes[count++] = (double)s->neighbours[i];
    qsort(sizes, (size_t)count, sizeof *sizes, ascending_real);
    result_integer(run->result, "modified", s->modified);
    result_integer(run->result, "empty", s->emptied);
    if (count) {
        result_real(run->result, "neighbours_median", sorted_quantile(sizes, count, 0.5));
        result_integer(run->result, "neighbours_min", (int64_t)sizes[0]);
        size_table(run, sizes, count);
        size_chart(run, sizes, count);
    } else {
        result_null(run->result, "neighbours_median", "No record was modified, so that no neighbourhood was formed.");
        result_null(run->result, "neighbours_min", "No record was modified.");
    }
done:
    arena_drop(run->work.arena, sizes);
    return status;
}

static int64_t count_rare(const Codes *codes, const int32_t *donor, const Column *column, int64_t rare, int64_t *held, Grid *grid,
                          int64_t listed) {
    int64_t *now = held + codes->count, surviving = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        if (codes->at[i] >= 0) held[codes->at[i]]++;
        if (donor[i] >= 0 && codes->at[donor[i]] >= 0) now[codes->at[donor[i]]]++;
    }
    for (int64_t c = 0; c < codes->count; c++) {
        char number[33];
        if (held[c] >= rare || !now[c]) continue;
        if (listed + surviving++ >= LISTED) continue;
        grid_text(grid, column->name);
        grid_text(grid, column_cell(column, codes->first_row[c], number));
        grid_integer(grid, held[c]);
        grid_integer(grid, now[c]);
    }
    return surviving;
}

Status report_rare(Run *run, const Sampling *s, int64_t rare) {
    Status status = OK;
    int64_t surviving = 0, *held = NULL;
    Grid *grid = grid_new(run->result, "rare", "column:text value:text original:integer released:integer");
    for (int64_t j = 0; j < s->vars.count; j++) {
        Codes codes;
        TRY(column_codes(&run->work, s->vars.at[j], &codes));
        NEW(&run->work, held, 2 * (int64_t)codes.count + 1);
        surviving += count_rare(&codes, s->donor[j], s->vars.at[j], rare, held, grid, surviving);
        arena_drop(run->work.arena, held);
    }
    result_integer(run->result, "rare_surviving", surviving);
    if (surviving)
        result_note(run->result,
                    "%lld values that fewer than %lld records have are still in the release. An intruder who knows that only one person "
                    "has such a value learns that this person is in the data (Matloff & Tendick, section 7).",
                    (long long)surviving, (long long)rare);
done:
    grid_done(grid);
    return status;
}
