/* What MASSC lost: of distributions, of two-way tables, of correlations and of a regression that is named. */
#include "base/elementary.h"
#include "classes/joint_codes.h"
#include "protect/massc/massc.h"

/* Numbers of more than FEW values are compared in BINS classes, in two-way tables in CROSSED. */
enum { FEW = 50, BINS = 20, CROSSED = 5 };

typedef struct {
    Massc *m;
    const Table *table; /* what is released */
    double *weight;     /* of its records */
    int64_t count, left_out;
    const Column **column; /* keys and --vars */
    bool *key;
    JointCodes *codes; /* for two-way tables */
    double distributions, tables, correlations, regression;
} Loss;

static bool is_key(const Massc *m, const Column *column) {
    for (int64_t k = 0; k < m->keys.count; k++)
        if (m->keys.at[k] == column) return true;
    return false;
}

static bool is_compared(const Massc *m, const Column *column) {
    if (column == m->a->weight) return false;
    for (int64_t k = 0; k < m->a->vars.count; k++)
        if (m->a->vars.at[k] == column) return true;
    return is_key(m, column) || (!m->a->vars.count && column_numeric(column));
}

static int64_t rows_of(const Loss *l, int side) { return side ? l->table->rows : l->m->rows; }
static double weight_of(const Loss *l, int side, int64_t row) { return side ? l->weight[row] : l->m->weight[row]; }

/* ½Σ|p − q|, p and q the weighted shares of the cells of one column (b NULL) or of two, in the original and in the release; missing is a
 * value of its own. */
static Status variation(Loss *l, const JointCodes *a, const JointCodes *b, double *out) {
    Status status = OK;
    double *share[2] = { NULL }, sum[2] = { 0 };
    int64_t across = b ? b->count + 1 : 1, cells = (a->count + 1) * across;
    for (int side = 0; side < 2; side++) {
        NEW(&l->m->run->work, share[side], cells);
        for (int64_t i = 0; i < rows_of(l, side); i++) {
            int64_t cell = (a->at[side][i] + 1) * across + (b ? b->at[side][i] + 1 : 0);
            share[side][cell] += weight_of(l, side, i);
            sum[side] += weight_of(l, side, i);
        }
    }
    *out = 0;
    for (int64_t c = 0; c < cells; c++) *out += fabs(share[0][c] / sum[0] - share[1][c] / sum[1]) / 2;
    *out = snap_to_zero(*out, 1);
    arena_drop(l->m->run->work.arena, share[0]);
    arena_drop(l->m->run->work.arena, share[1]);
done:
    return status;
}

static Status compare_distributions(Loss *l) {
    Status status = OK;
    Work *work = &l->m->run->work;
    double sum = 0;
    Grid *grid = grid_new(l->m->run->result, "losses", "variable:text total_variation:real");
    for (int64_t j = 0; j < l->count; j++) {
        JointCodes codes;
        double distance;
        TRY(work_check(work));
        TRY(joint_codes(work, l->column[j], table_column(l->table, l->column[j]->name), FEW, BINS, &codes));
        TRY(variation(l, &codes, NULL, &distance));
        joint_drop(work, &codes);
        grid_text(grid, l->column[j]->name);
        grid_real(grid, distance);
        sum += distance;
    }
    l->distributions = l->count ? sum / (double)l->count : NAN;
done:
    grid_done(grid);
    return status;
}

/* Weighted Pearson correlation of two columns over the records that have both; NaN where either is constant. */
static double correlation(const Loss *l, int side, const Column *x, const Column *y) {
    double n = 0, mean[2] = { 0 }, square[2] = { 0 }, product = 0;
    for (int64_t i = 0; i < rows_of(l, side); i++) {
        if (column_missing(x, i) || column_missing(y, i)) continue;
        double w = weight_of(l, side, i), dx = column_number(x, i) - mean[0], dy = column_number(y, i) - mean[1];
        n += w;
        if (n == 0) continue; /* a negative weight of regression calibration takes the first away */
        mean[0] += w * dx / n;
        mean[1] += w * dy / n;
        square[0] += w * dx * (column_number(x, i) - mean[0]);
        square[1] += w * dy * (column_number(y, i) - mean[1]);
        product += w * dx * (column_number(y, i) - mean[1]);
    }
    return square[0] > 0 && square[1] > 0 ? product / sqrt(square[0] * square[1]) : NAN;
}

/* A correlation that was there and is no more, or the other way round, counts as one that became 0. */
static double correlation_change(const Loss *l, int64_t j, int64_t k) {
    const Column *x = l->column[j], *y = l->column[k];
    if (!column_numeric(x) || !column_numeric(y)) return NAN;
    const Column *after[] = { table_column(l->table, x->name), table_column(l->table, y->name) };
    if (!column_numeric(after[0]) || !column_numeric(after[1])) return NAN;
    double r[2] = { correlation(l, 0, x, y), correlation(l, 1, after[0], after[1]) };
    if (isnan(r[0]) && isnan(r[1])) return NAN;
    return snap_to_zero(fabs((isnan(r[0]) ? 0 : r[0]) - (isnan(r[1]) ? 0 : r[1])), 1);
}

/* Pairs of which at least one is a key: substitution moves keys alone. A table of more cells than records tells of chance, not of the
 * association. */
static Status compare_pairs(Loss *l) {
    Status status = OK;
    Work *work = &l->m->run->work;
    double sum = 0, most = 0;
    int64_t tables = 0;
    Grid *grid = grid_new(l->m->run->result, "associations", "variables:text total_variation:real correlation_change:real");
    for (int64_t j = 0; j < l->count; j++)
        TRY(joint_codes(work, l->column[j], table_column(l->table, l->column[j]->name), CROSSED, CROSSED, &l->codes[j]));
    for (int64_t j = 0; j < l->count; j++)
        for (int64_t k = j + 1; k < l->count; k++) {
            double distance = NAN, change = correlation_change(l, j, k);
            if (!l->key[j] && !l->key[k]) continue;
            bool sparse = (double)l->codes[j].count * l->codes[k].count > (double)l->m->rows;
            TRY(work_check(work));
            l->left_out += sparse;
            if (!sparse) {
                TRY(variation(l, &l->codes[j], &l->codes[k], &distance));
                sum += distance;
                tables++;
            }
            if (change > most) most = change;
            grid_text(grid, arena_print(work->arena, "%s × %s", l->column[j]->name, l->column[k]->name));
            grid_real(grid, distance);
            grid_real(grid, change);
        }
    l->tables = tables ? sum / (double)tables : 0;
    l->correlations = most;
done:
    grid_done(grid);
    return status;
}

/* The original with its weights, which are 1 where it has none. */
static Status weighted_original(Loss *l, const char *name, Table **out) {
    Status status = OK;
    Column *column = NULL;
    TRY(column_new(REAL_TYPE, name, l->m->rows, &column, l->m->run->work.error));
    for (int64_t i = 0; i < l->m->rows; i++) column->real[i] = l->m->weight[i];
    column_seal(column);
    TRY(table_with(l->m->a->data, &column, 1, out, l->m->run->work.error));
done:
    column_release(column);
    return status;
}

/* 1 − the mean overlap of the coefficients' intervals (Karr et al. 2006), as utility regression computes it. */
static Status compare_regression(Loss *l) {
    Status status = OK;
    Table *original = NULL, *released = (Table *)(uintptr_t)l->table;
    Result *result = NULL;
    const char *weight = l->m->a->weight ? l->m->a->weight->name : "weight";
    TRY(weighted_original(l, weight, &original));
    Arg list[] = { { .name = "original", .count = 1, .tables = &original },
                   { .name = "released", .count = 1, .tables = &released },
                   { .name = "formula", .count = 1, .items = &l->m->a->formula },
                   { .name = "weight", .count = 1, .items = &weight } };
    TRY(run_method(l->m->run, "utility.regression", &(Args){ 4, list }, &result));
    const Value *overlap = result_find(result, "mean_overlap");
    double mean = overlap && overlap->kind == VALUE_REAL ? overlap->real : 0;
    l->regression = snap_to_zero(1 - fmin(1, mean), 1);
done:
    result_free(result);
    table_release(original);
    return status;
}

static void report(const Loss *l) {
    Result *result = l->m->run->result;
    double loss = l->distributions;
    loss = l->tables > loss ? l->tables : loss;
    loss = l->correlations > loss ? l->correlations : loss;
    loss = l->regression > loss ? l->regression : loss;
    result_real(result, "loss", loss);
    result_real(result, "loss_distributions", l->distributions);
    result_real(result, "loss_tables", l->tables);
    result_real(result, "loss_correlations", l->correlations);
    if (l->m->a->formula) result_real(result, "loss_regression", l->regression);
    result_note(result,
                "loss is the largest of loss_distributions, loss_tables, loss_correlations%s. Numbers with many values are compared in %d "
                "classes, and in two-way tables in %d.",
                l->m->a->formula ? " and loss_regression" : "", BINS, CROSSED);
    if (l->left_out)
        result_note(result, "%lld two-way tables have more cells than records and are left out of loss_tables.", (long long)l->left_out);
}

Status massc_loss(Massc *m, const Table *table) {
    Status status = OK;
    Work *work = &m->run->work;
    Loss l = { .m = m, .table = table };
    int64_t count = 0;
    NEW(work, l.weight, m->rows + 1);
    NEW(work, l.column, m->a->data->columns + 1);
    NEW(work, l.key, m->a->data->columns + 1);
    NEW(work, l.codes, m->a->data->columns + 1);
    for (int64_t i = 0; i < m->rows; i++)
        if (m->sampled[i]) l.weight[count++] = m->released[i];
    for (int64_t j = 0; j < m->a->data->columns; j++) {
        const Column *column = m->a->data->column[j];
        if (!is_compared(m, column)) continue;
        l.key[l.count] = is_key(m, column);
        l.column[l.count++] = column;
    }
    TRY(compare_distributions(&l));
    TRY(compare_pairs(&l));
    if (m->a->formula) TRY(compare_regression(&l));
    report(&l);
done:
    for (int64_t j = 0; l.codes && j < l.count; j++) joint_drop(work, &l.codes[j]);
    return status;
}
