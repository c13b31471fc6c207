/* Risk by the number of variables that an intruder knows. */
#include "risk/key_subsets.h"
#include <stdlib.h>
#include "base/compare.h"

typedef struct {
    Columns keys;
    SubsetRisk *risk;
    const void *self;
} Family;

static const char *names_of(Run *run, Columns keys, unsigned subset) {
    Buffer text = { 0 };
    for (int64_t j = 0; j < keys.count; j++)
        if (subset >> j & 1) buffer_print(&text, "%s%s", text.count ? ", " : "", keys.at[j]->name);
    const char *copy = arena_text(run->work.arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

static Status by_size(Run *run, const Family *f, int size, double *share, Grid *grid, double line[3]) {
    Status status = OK;
    unsigned worst = 0;
    double most = -1;
    int64_t count = 0;
    for (unsigned subset = 1; subset < 1u << f->keys.count; subset++) {
        if (__builtin_popcount(subset) != size) continue;
        TRY(work_check(&run->work));
        TRY(f->risk(run, f->self, subset, &share[count]));
        if (share[count] > most) {
            most = share[count];
            worst = subset;
        }
        count++;
    }
    qsort(share, (size_t)count, sizeof *share, ascending_real);
    line[0] = share[0];
    line[1] = count % 2 ? share[count / 2] : (share[count / 2 - 1] + share[count / 2]) / 2;
    line[2] = share[count - 1];
    grid_integer(grid, size);
    grid_integer(grid, count);
    for (int i = 0; i < 3; i++) grid_real(grid, line[i]);
    grid_text(grid, names_of(run, f->keys, worst));
done:
    return status;
}

Status by_number_of_keys(Run *run, Columns keys, const char *title, SubsetRisk *risk, const void *self) {
    static const char *const names[] = { "least", "median", "worst" };
    Status status = OK;
    double *share = NULL, x[MOST_KEYS], line[MOST_KEYS][3], y[3][MOST_KEYS];
    Family family = { keys, risk, self };
    int count = (int)keys.count;
    if (keys.count > MOST_KEYS) {
        fail(run->work.error, BAD, "examines every subset of the keys, of at most %d", MOST_KEYS);
        error_advice(run->work.error, "Name fewer keys, or use risk suda.");
        return error_parameter(run->work.error, "by-keys");
    }
    NEW(&run->work, share, 1 << count);
    Grid *grid = grid_new(run->result, "by_keys", BY_KEYS_COLUMNS);
    for (int size = 1; size <= count; size++) {
        work_show(&run->work, "subsets of the keys", (double)size / count);
        TRY(by_size(run, &family, size, share, grid, line[size - 1]));
        x[size - 1] = size;
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_LINE, title, "keys", "share of records");
    chart_of(chart, "by_keys");
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < count; i++) y[s][i] = line[i][s];
        chart_series(chart, names[s], count, x, y[s], NULL, NULL);
    }
done:
    return status;
}
