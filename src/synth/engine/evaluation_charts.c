/* Pictures of a synthesis beside its original: each column's distribution, associations, errors of pairs, copies, attacks. */
#include "synth/engine/evaluation_charts.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "classes/joint_codes.h"
#include "math/ranks.h"

enum { MOST_CHARTS = 24, MOST_BARS = 40, FEW_VALUES = 20, BINS = 24, MOST_COLUMNS = 40 };

/* ---- columns ---- */

static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The range in which 99% of the original's values lie: a few extreme ones would leave one bin for all others. */
static Status range_of(Work *work, const double *x, int64_t rows, double *low, double *high) {
    Status status = OK;
    double *sorted = NULL;
    int64_t count = 0;
    NEW(work, sorted, rows + 1);
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(x[i])) sorted[count++] = x[i];
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    *low = sorted_quantile(sorted, count, 0.005);
    *high = sorted_quantile(sorted, count, 0.995);
    arena_drop(work->arena, sorted);
done:
    return status;
}

/* Bins of equal width for both tables, whole numbers wide where the column holds whole numbers; the outer ones have all beyond. */
static Status histogram(Run *run, const Column *const column[2]) {
    Status status = OK;
    const double *x[2];
    double low, high, edge[BINS + 1], share[2][BINS] = { { 0 } };
    for (int t = 0; t < 2; t++) TRY(column_reals(&run->work, column[t], &x[t]));
    TRY(range_of(&run->work, x[0], column[0]->rows, &low, &high));
    if (!(high > low)) return OK;
    double width = (high - low) / BINS;
    if (column[0]->type == INTEGER_TYPE) width = ceil((high - low + 1) / BINS);
    for (int b = 0; b <= BINS; b++) edge[b] = low + b * width;
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < column[t]->rows; i++) {
            if (isnan(x[t][i])) continue;
            double place = floor((x[t][i] - low) / width);
            int b = place < 0 ? 0 : place >= BINS ? BINS - 1 : (int)place;
            share[t][b] += 100 / (double)column[t]->rows;
        }
    int used = BINS;
    while (used > 1 && share[0][used - 1] == 0 && share[1][used - 1] == 0) used--;
    Chart *chart = result_chart(run->result, CHART_HISTOGRAM, column[0]->name, column[0]->name, "% of the records");
    chart_series(chart, "original", used, edge, share[0], NULL, NULL);
    chart_series(chart, "synthetic", used, edge, share[1], NULL, NULL);
    chart_finding(chart, "The first and the last bin include all values beyond them.");
done:
    return status;
}

static Status bars(Run *run, const Column *const column[2]) {
    Status status = OK;
    Work *work = &run->work;
    JointCodes codes;
    TRY(joint_labelled(work, column[0], column[1], FEW_VALUES, FEW_VALUES, &codes));
    if (codes.count > MOST_BARS || !codes.count) return OK;
    Chart *chart = result_chart(run->result, CHART_BAR, column[0]->name, NULL, "% of the records");
    double *share[2] = { 0 }, moved = 0;
    char number[33];
    for (int t = 0; t < 2; t++) {
        NEW(work, share[t], codes.count + 1);
        for (int64_t i = 0; i < column[t]->rows; i++)
            if (codes.at[t][i] >= 0) share[t][codes.at[t][i]] += 100 / (double)column[t]->rows;
        chart_series(chart, t ? "synthetic" : "original", codes.count, NULL, share[t], NULL, codes.label);
    }
    for (int64_t k = 0; k < codes.count; k++) moved += fabs(share[0][k] - share[1][k]) / 2;
    chart_finding(chart, arena_print(work->arena, "The shares differ for %s%% of the records.", real_short(moved, 2, number)));
done:
    return status;
}

Status distributions_drawn(Run *run, const Table *original, const Table *synthetic, const Grouped *g) {
    Status status = OK;
    for (int64_t v = 0; v < g->columns && v < MOST_CHARTS; v++) {
        const Column *column[2] = { table_column(original, g->name[v]), table_column(synthetic, g->name[v]) };
        Codes codes = { 0 };
        bool number = column_numeric(column[0]) && column_numeric(column[1]);
        if (number) TRY(column_codes(&run->work, column[0], &codes));
        TRY((number && codes.count > FEW_VALUES ? histogram : bars)(run, column));
    }
done:
    return status;
}

/* ---- pairs of columns ---- */

/* Cramér's V of each table, and the share of records by which the two-way tables differ. */
typedef struct PairOfColumns {
    double association[2], error;
} PairOfColumns;
typedef struct PairErrors {
    const Grouped *g;
    int64_t columns;
    PairOfColumns *at; /* columns × columns, the first below the second */
} PairErrors;

static double cramer(const double *cell, int32_t rows, int32_t columns, double *margin) {
    double sum = 0;
    int32_t used[2] = { 0 };
    memset(margin, 0, (size_t)(rows + columns) * sizeof *margin);
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++) {
            margin[i] += cell[i * columns + j];
            margin[rows + j] += cell[i * columns + j];
        }
    for (int32_t k = 0; k < rows + columns; k++) used[k >= rows] += margin[k] > 0;
    int32_t free = used[0] < used[1] ? used[0] : used[1];
    if (free < 2) return NAN;
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++) {
            double p = cell[i * columns + j], e = margin[i] * margin[rows + j];
            if (e > 0) sum += (p - e) * (p - e) / e;
        }
    return sqrt(sum / (free - 1));
}

static Status measure_pair(const Grouped *g, int64_t u, int64_t v, PairOfColumns *out, Error *error) {
    int32_t rows = g->values[u], columns = g->values[v];
    int64_t size = (int64_t)rows * columns;
    *out = (PairOfColumns){ { NAN, NAN }, NAN };
    if (size > 1 << 20) return OK;
    double *cell = calloc((size_t)(2 * size + rows + columns), sizeof *cell);
    if (!cell) return out_of_memory(error);
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < g->rows[t]; i++)
            cell[t * size + (int64_t)(g->at[t][u][i] + 1) * columns + g->at[t][v][i] + 1] += 1 / (double)g->rows[t];
    for (int t = 0; t < 2; t++) out->association[t] = cramer(cell + t * size, rows, columns, cell + 2 * size);
    out->error = 0;
    for (int64_t k = 0; k < size; k++) out->error += fabs(cell[k] - cell[size + k]) / 2;
    free(cell);
    return OK;
}

static Status measure_pairs(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    PairErrors *p = self;
    Status status = OK;
    (void)block;
    for (int64_t k = first; k < last; k++)
        if (k / p->columns < k % p->columns) TRY(measure_pair(p->g, k / p->columns, k % p->columns, &p->at[k], error));
done:
    return status;
}

typedef double PairValue(const PairOfColumns *pair);
static double before(const PairOfColumns *pair) { return pair->association[0]; }
static double after(const PairOfColumns *pair) { return pair->association[1]; }
static double error_of(const PairOfColumns *pair) { return 100 * pair->error; }

static Status draw_map(Run *run, const PairErrors *p, const char *title, const char *scale, PairValue *value, bool largest) {
    Status status = OK;
    int64_t n = p->columns, cells = 0, worst = -1;
    double *at[3] = { 0 };
    char number[33];
    for (int k = 0; k < 3; k++) NEW(&run->work, at[k], n * n + 1);
    for (int64_t k = 0; k < n * n; k++) {
        int64_t u = k / n, v = k % n;
        if (u == v) continue;
        double own = value(&p->at[u < v ? k : v * n + u]);
        if (isnan(own)) continue;
        at[0][cells] = (double)v;
        at[1][cells] = (double)u;
        at[2][cells] = own;
        if (worst < 0 || own > at[2][worst]) worst = cells;
        cells++;
    }
    if (!cells) return OK;
    Chart *chart = result_chart(run->result, CHART_HEAT, title, NULL, NULL);
    chart->z_label = scale;
    chart_names(chart, n, p->g->name, n, p->g->name);
    chart_series(chart, scale, cells, at[0], at[1], at[2], NULL);
    chart_finding(chart, arena_print(run->work.arena, "The %s is %s%s (%s and %s).", largest ? "largest error" : "strongest association",
                                     real_short(at[2][worst], 2, number), largest ? "%" : "", p->g->name[(int64_t)at[1][worst]],
                                     p->g->name[(int64_t)at[0][worst]]));
done:
    return status;
}

Status pairs_drawn(Run *run, const Grouped *g) {
    Status status = OK;
    PairErrors p = { .g = g, .columns = g->columns < MOST_COLUMNS ? g->columns : MOST_COLUMNS };
    if (p.columns < 2) return OK;
    NEW(&run->work, p.at, p.columns * p.columns + 1);
    TRY(parallel_for(&run->work, p.columns * p.columns, 8, measure_pairs, &p));
    TRY(draw_map(run, &p, "Associations in the original", "Cramér's V", before, false));
    TRY(draw_map(run, &p, "Associations in the synthetic table", "Cramér's V", after, false));
    TRY(draw_map(run, &p, "Errors of the tables of two columns", "% of the records", error_of, true));
done:
    return status;
}

/* ---- disclosure ---- */

void copies_drawn(Run *run, double original, double holdout) {
    const char *const name[] = { "original", "holdout" };
    double share[] = { 100 * original, 100 * holdout };
    Chart *chart = result_chart(run->result, CHART_BAR, "Unique records that are in the synthetic table", NULL, "% of the unique records");
    chart_series(chart, "copied", isnan(holdout) ? 1 : 2, NULL, share, NULL, name);
    chart_finding(chart, isnan(holdout) ? "A holdout would show how many copies arise by chance."
                                        : "Copies of the holdout's records, which the synthesis did not see, arise by chance.");
}

/* An attack's rate of success with the release, and without. */
typedef struct Success {
    const char *within, *label, *with, *without;
} Success;
static const Success successes[] = {
    { "membership", "membership (AUC)", "best_auc", "baseline" },
    { "singling-out", "singling out", "rate", "baseline" },
    { "inference", "attribute inference", "accuracy", "baseline" },
};

void attacks_drawn(Run *run) {
    enum { ATTACKS = sizeof successes / sizeof *successes };
    const char *name[ATTACKS];
    double rate[2][ATTACKS];
    int64_t count = 0;
    for (int k = 0; k < ATTACKS; k++) {
        const Result *inner = result_within(run->result, successes[k].within);
        double with = inner ? result_number(inner, successes[k].with) : NAN,
               without = inner ? result_number(inner, successes[k].without) : NAN;
        if (isnan(with) || isnan(without)) continue;
        name[count] = successes[k].label;
        rate[0][count] = 100 * with;
        rate[1][count++] = 100 * without;
    }
    if (!count) return;
    Chart *chart = result_chart(run->result, CHART_BAR, "Attacks and their baselines", NULL, "% correct (less is better)");
    chart_series(chart, "with the release", count, NULL, rate[0], NULL, name);
    chart_series(chart, "without it", count, NULL, rate[1], NULL, name);
    chart_finding(chart, "Without the release an attack succeeds as often as its baseline.");
}
