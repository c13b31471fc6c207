/* What each column looks like before and after, at the level that the release has; and how the correlations of numbers moved. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "report/findings.h"
#include "classes/recoding.h"
#include "classes/joint_codes.h"

enum { MOST_PICTURES = 16, MOST_BARS = 12, FEW = 12, BINS = 10 };

/* The columns that the roles call keys, numbers or sensitive, and that both tables have. */
static Status columns_shown(Work *work, const Roles *roles, const Table *original, const Table *released, const char ***out,
                            int64_t *count) {
    static const char *const wanted[] = { "keys", "numeric", "sensitive" };
    Status status = OK;
    NEW(work, *out, original->columns + 1);
    *count = 0;
    for (int r = 0; r < 3; r++) {
        const Arg *arg = roles ? args_find(&roles->args, wanted[r]) : NULL;
        for (int64_t i = 0; arg && i < arg->count && *count < MOST_PICTURES; i++) {
            const char *name = arg->items[i];
            bool known = !table_column(original, name) || !table_column(released, name);
            for (int64_t j = 0; j < *count; j++) known |= !strcmp((*out)[j], name);
            if (!known) (*out)[(*count)++] = name;
        }
    }
done:
    return status;
}

/* Shares in per cent, the last for missing cells; the commonest values, the rest together. */
typedef struct Bars {
    int64_t count;
    const char *label[MOST_BARS + 2];
    double share[2][MOST_BARS + 2];
} Bars;

static Status fill_bars(Work *work, const Column *was, const Column *is, Bars *out) {
    Status status = OK;
    JointCodes codes;
    double *share[2] = { NULL, NULL }, missing[2], rest[2] = { 0, 0 };
    const Column *column[2] = { was, is };
    *out = (Bars){ 0 };
    TRY(joint_labelled(work, was, is, FEW, BINS, &codes));
    for (int t = 0; t < 2; t++) {
        double n = (double)(column[t]->rows > 0 ? column[t]->rows : 1);
        NEW(work, share[t], codes.count + 1);
        for (int64_t i = 0; i < column[t]->rows; i++)
            if (codes.at[t][i] >= 0) share[t][codes.at[t][i]] += 100 / n;
        missing[t] = 100 * (double)column[t]->missing / n;
    }
    for (int32_t c = 0; c < codes.count; c++) {
        int32_t above = 0;
        for (int32_t d = 0; d < codes.count; d++) above += share[0][d] > share[0][c] || (share[0][d] == share[0][c] && d < c);
        if (codes.count > MOST_BARS && above >= MOST_BARS - 1) {
            rest[0] += share[0][c];
            rest[1] += share[1][c];
            continue;
        }
        out->label[out->count] = codes.label[c];
        for (int t = 0; t < 2; t++) out->share[t][out->count] = share[t][c];
        out->count++;
    }
    const char *const more[] = { "all others", "missing" };
    for (int m = 0; m < 2; m++) {
        const double *from = m ? missing : rest;
        if (!(from[0] > 0 || from[1] > 0)) continue;
        out->label[out->count] = more[m];
        for (int t = 0; t < 2; t++) out->share[t][out->count] = from[t];
        out->count++;
    }
done:
    return status;
}

static Status draw_column(Work *work, Result *into, const Column *was, const Column *is) {
    Status status = OK;
    Bars bars;
    double moved = 0;
    char number[33];
    TRY(fill_bars(work, was, is, &bars));
    if (!bars.count) return OK;
    for (int64_t i = 0; i < bars.count; i++) moved += fabs(bars.share[0][i] - bars.share[1][i]) / 2;
    Chart *chart = result_chart(into, CHART_BAR, was->name, NULL, "% of the records");
    chart_series(chart, "before", bars.count, NULL, bars.share[0], NULL, bars.label);
    chart_series(chart, "after", bars.count, NULL, bars.share[1], NULL, bars.label);
    chart_finding(chart, arena_print(work->arena, "%s%% of the records moved, at the level that the release has.",
                                     real_short(snap_to_zero(moved, 100), 3, number)));
done:
    return status;
}

/* From the table of utility.compare: released less original, for each pair of numbers. */
static Status draw_correlations(Work *work, Result *into, const Table *table) {
    Status status = OK;
    const char *names[MOST_PICTURES];
    double x[2 * MOST_PICTURES * MOST_PICTURES], y[2 * MOST_PICTURES * MOST_PICTURES], z[2 * MOST_PICTURES * MOST_PICTURES], most = 0;
    int64_t count = 0, cells = 0;
    const Column *of[2] = { table ? table_column(table, "variable") : NULL, table ? table_column(table, "other") : NULL },
                 *difference = table ? table_column(table, "difference") : NULL;
    if (!of[0] || !of[1] || !difference || table->rows < 1) return OK;
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t place[2];
        for (int k = 0; k < 2; k++) {
            char cell[33];
            const char *name = column_cell(of[k], i, cell);
            for (place[k] = 0; place[k] < count && strcmp(names[place[k]], name); place[k]++) {}
            if (place[k] < count) continue;
            if (count == MOST_PICTURES) return OK; /* too many to read */
            if (!(names[count++] = arena_text(work->arena, name))) return out_of_memory(work->error);
        }
        if (column_missing(difference, i)) continue;
        double d = column_number(difference, i);
        most = larger_known(most, fabs(d));
        for (int k = 0; k < 2; k++) {
            x[cells] = (double)place[k];
            y[cells] = (double)place[1 - k];
            z[cells++] = d;
        }
    }
    if (count < 2 || !cells) return OK;
    char number[33];
    Chart *chart = result_chart(into, CHART_HEAT, "How correlations moved", NULL, NULL);
    chart->z_label = "released less original";
    chart_names(chart, count, names, count, names);
    chart_series(chart, "difference", cells, x, y, z, NULL);
    chart_finding(chart, arena_print(work->arena, "The largest change of a correlation is %s.", real_short(most, 2, number)));
    return status;
}

Status distribution_charts(Work *work, const Table *original, const Table *released, const Roles *roles, const Result *utility,
                           Result *into) {
    Status status = OK;
    const char **names;
    int64_t count, recoded;
    Table *coarse = NULL;
    RecodedColumn *what;
    TRY(columns_shown(work, roles, original, released, &names, &count));
    if (!count) return OK;
    TRY(recode_original(work, original, released, names, count, &coarse, &what, &recoded));
    for (int64_t i = 0; i < count; i++) TRY(draw_column(work, into, table_column(coarse, names[i]), table_column(released, names[i])));
    const Result *compare = utility ? result_within(utility, "utility.compare") : NULL;
    TRY(draw_correlations(work, into, compare ? result_find_table(compare, "correlations") : NULL));
done:
    table_release(coarse);
    return status;
}
