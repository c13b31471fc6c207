/* utility.weights: weighted totals of the original and the release. Defined after Singh et al. 2003: docs/methods/utility-weights.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "method/method.h"
#include "classes/joint_codes.h"
#include "utility/common_level.h"

typedef struct {
    const Table *original, *released;
    const Column *weight;
    Columns vars;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, weight, BOTH, "Sampling weights", .flags = REQUIRED | NUMERIC),
    COLUMNS(args, vars, BOTH, "Columns whose totals are compared (default: all common columns)"),
    END,
};

enum { MOST_CATEGORIES = 100 };

typedef struct Totals {
    Run *run;
    const args *a;
    const double *weight[2];
    Grid *grid;
    double largest, share_moved, population[2];
    int64_t lines;
} Totals;

static Status read_weights(Totals *t) {
    Status status = OK;
    Work *work = &t->run->work;
    for (int side = 0; side < 2; side++) {
        const Table *table = side ? t->a->released : t->a->original;
        const Column *column = table_column(table, t->a->weight->name);
        if (!column_numeric(column)) {
            fail(work->error, BAD, "the release's weights are not numbers");
            TRY(error_column(work->error, column->name));
        }
        TRY(column_reals(work, column, &t->weight[side]));
        for (int64_t i = 0; i < table->rows; i++) t->population[side] += t->weight[side][i];
    }
done:
    return status;
}

static void line(Totals *t, const char *variable, const char *category, double original, double released) {
    double relative = original != 0 ? (released - original) / fabs(original) : NAN;
    grid_text(t->grid, variable);
    grid_text(t->grid, category);
    grid_real(t->grid, original);
    grid_real(t->grid, released);
    grid_real(t->grid, released - original);
    grid_real(t->grid, relative);
    t->lines++;
    if (!isnan(relative)) t->largest = larger_known(t->largest, fabs(relative));
}

/* Σ w·x over the records that have both. */
static Status total_numbers(Totals *t, const char *name) {
    Status status = OK;
    double total[2] = { 0 };
    for (int side = 0; side < 2; side++) {
        const Table *table = side ? t->a->released : t->a->original;
        const double *x;
        TRY(column_reals(&t->run->work, table_column(table, name), &x));
        for (int64_t i = 0; i < table->rows; i++)
            if (!isnan(x[i]) && !isnan(t->weight[side][i])) total[side] += t->weight[side][i] * x[i];
    }
    line(t, name, NULL, total[0], total[1]);
done:
    return status;
}

/* The weight of each category's records; missing is a category of its own. */
static Status total_categories(Totals *t, const char *name) {
    Status status = OK;
    JointCodes codes;
    double *total[2] = { 0 };
    TRY(joint_labelled(&t->run->work, table_column(t->a->original, name), table_column(t->a->released, name), 0, 0, &codes));
    if (codes.count > MOST_CATEGORIES && !t->a->vars.count) return OK;
    for (int side = 0; side < 2; side++) {
        int64_t rows = side ? t->a->released->rows : t->a->original->rows;
        NEW(&t->run->work, total[side], codes.count + 1);
        for (int64_t i = 0; i < rows; i++)
            if (!isnan(t->weight[side][i])) total[side][codes.at[side][i] < 0 ? codes.count : codes.at[side][i]] += t->weight[side][i];
    }
    double moved = 0;
    for (int32_t c = 0; c <= codes.count; c++) {
        moved += fabs(total[1][c] / t->population[1] - total[0][c] / t->population[0]) / 2;
        if (c < codes.count || total[0][c] > 0 || total[1][c] > 0)
            line(t, name, c < codes.count ? codes.label[c] : "(missing)", total[0][c], total[1][c]);
    }
    if (moved > t->share_moved) t->share_moved = moved;
done:
    return status;
}

/* Relative change of each numeric total, and of the population. */
static Status draw(Totals *t) {
    Status status = OK;
    const Table *totals = result_find_table(t->run->result, "totals");
    double *height[2] = { 0 };
    const char **name = NULL;
    int64_t bars = 0;
    if (!totals) return OK;
    for (int side = 0; side < 2; side++) NEW(&t->run->work, height[side], totals->rows);
    NEW(&t->run->work, name, totals->rows);
    char number[33];
    for (int64_t i = 0; i < totals->rows && bars < 40; i++) {
        double original = column_number(table_column(totals, "original"), i), released = column_number(table_column(totals, "released"), i);
        const char *variable = column_cell(table_column(totals, "variable"), i, number),
                   *category = column_cell(table_column(totals, "category"), i, number);
        if (!(original > 0)) continue;
        height[0][bars] = 1;
        height[1][bars] = released / original;
        name[bars++] = category ? arena_print(t->run->work.arena, "%s: %s", variable, category) : variable;
    }
    Chart *chart = result_chart(t->run->result, CHART_BAR, "Weighted totals relative to the original", "total", "share of the original's");
    chart_series(chart, "original", bars, NULL, height[0], NULL, name);
    chart_series(chart, "released", bars, NULL, height[1], NULL, name);
done:
    return status;
}

static Status weights_run(Run *run, const void *p) {
    Status status = OK;
    args a = *(const args *)p;
    CommonTables common = { { 0 } };
    Totals t = { .run = run, .a = &a };
    const char **name = NULL;
    int64_t count = 0, others = 0;
    TRY(common_columns(&run->work, a.original, a.released, a.vars, &name, &count));
    for (int64_t j = 0; j < count; j++)
        if (strcmp(name[j], a.weight->name)) name[others++] = name[j];
    TRY(common_named(run, a.original, a.released, name, others, 0, &common));
    a.original = common.at[0];
    a.released = common.at[1];
    TRY(read_weights(&t));
    t.grid = grid_new(run->result, "totals", "variable:text category:text original:real released:real change:real relative_change:real");
    line(&t, "(population)", NULL, t.population[0], t.population[1]);
    for (int64_t j = 0; j < others; j++) {
        const Column *o = table_column(a.original, name[j]), *r = table_column(a.released, name[j]);
        TRY(column_numeric(o) && column_numeric(r) ? total_numbers(&t, name[j]) : total_categories(&t, name[j]));
    }
    grid_done(t.grid);
    result_real(run->result, "population_original", t.population[0]);
    result_real(run->result, "population_released", t.population[1]);
    result_real(run->result, "largest_relative_change", t.largest);
    result_real(run->result, "largest_total_variation", t.share_moved);
    result_note(run->result,
                "Numbers: Σ w·x over the records that have both. Categories and codes: Σ w; missing is a category of its own. Dates and "
                "text of more than %d values are left out unless named.",
                MOST_CATEGORIES);
    TRY(draw(&t));
done:
    common_release(&common);
    return status;
}

static const Return values[] = {
    VALUE(population_original, REAL, "Sum of weights in the original", .flags = PUBLIC),
    VALUE(population_released, REAL, "Sum of weights in the release", .flags = PUBLIC),
    VALUE(largest_relative_change, REAL, "Largest |released − original|/|original| over all totals that are not 0. 0 = unchanged",
          .flags = PUBLIC | LESS),
    VALUE(largest_total_variation, REAL,
          "Largest total variation distance ½Σ|p − q| of weighted shares over the categorical columns. 0 = unchanged", .flags = PUBLIC),
    TABLE_OUT(totals, "variable:text category:text original:real released:real change:real relative_change:real",
              "Each weighted total in both files: of a number, or of a category's weights"),
    COARSENED_OUT,
    END,
};

const Method utility_weights = {
    .group = "utility",
    .name = "weights",
    .summary = "Compare weighted totals of original and release",
    .source = "Singh et al. 2003",
    .params = params,
    .size = sizeof(args),
    .run = weights_run,
    .headline = "-largest_relative_change",
    .values = values,
    .example = "scrim utility weights examples/clinic.csv examples/clinic-released.csv --weight w --vars income,visits,sex,education",
};
