/* utility.compare: original and released side by side, and the distances between them. Defined after Domingo-Ferrer & Torra 2001; Karr et
 * al. 2006; Gomatam et al. 2005: docs/methods/utility-compare.md. */
#include "utility/compare/compare.h"
#include <string.h>
#include "base/elementary.h"
#include "math/order.h"
#include "utility/common.h"

typedef struct {
    const Table *original, *released;
    Columns vars;
} args;

static const Param params[] = {
    TABLE(args, original, "The original table", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The released table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Variables to compare; all that both tables have unless named"),
    END,
};

double relative_change(double original, double released) { return original == 0 ? NAN : (released - original) / fabs(original); }

static Status fill_pair(Work *work, const args *a, const char *name, Pairing *p) {
    Status status = OK;
    int64_t *order = NULL;
    p->name = name;
    TRY(table_need(a->original, name, &p->column[0], work->error));
    TRY(table_need(a->released, name, &p->column[1], work->error));
    if (!column_numeric(p->column[0]) || !column_numeric(p->column[1])) return OK;
    for (int t = 0; t < 2; t++) {
        int64_t rows = p->column[t]->rows;
        TRY(column_reals(work, p->column[t], &p->x[t]));
        NEW(work, order, rows + 1);
        NEW(work, p->sorted[t], rows + 1);
        TRY(order_reals(work, p->x[t], rows, order, &p->present[t]));
        for (int64_t i = 0; i < p->present[t]; i++) p->sorted[t][i] = p->x[t][order[i]];
        arena_drop(work->arena, order);
    }
done:
    return status;
}

/* Variables by name, numeric ones first. */
static Status make_pairs(const args *a, Comparison *c) {
    Status status = OK;
    Work *work = &c->run->work;
    int64_t candidates = a->vars.count ? a->vars.count : a->original->columns, others = 0;
    Pairing *other = NULL;
    NEW(work, c->pair, candidates + 1);
    NEW(work, other, candidates + 1);
    for (int64_t v = 0; v < candidates; v++) {
        Pairing pair = { 0 };
        const char *name = a->vars.count ? a->vars.at[v]->name : a->original->column[v]->name;
        if (!a->vars.count && !table_column(a->released, name)) continue;
        TRY(fill_pair(work, a, name, &pair));
        if (pair.x[0]) c->pair[c->numeric++] = pair;
        else other[others++] = pair;
    }
    memcpy(c->pair + c->numeric, other, (size_t)others * sizeof *other);
    c->variables = c->numeric + others;
    if (!c->variables) TRY(fail(work->error, BAD, "the two tables have no column in common"));
done:
    return status;
}

static Grid *side_by_side(Grid *grid, const char *name, double original, double released) {
    grid_text(grid, name);
    grid_real(grid, original);
    grid_real(grid, released);
    grid_real(grid, relative_change(original, released));
    return grid;
}

static Status say_moments(Comparison *c) {
    Status status = OK;
    Grid *means = grid_new(c->run->result, "means", "variable:text original:real released:real relative_change:real");
    Grid *variances = grid_new(c->run->result, "variances", "variable:text original:real released:real relative_change:real");
    for (int64_t v = 0; v < c->numeric; v++) {
        Moments m[2];
        for (int t = 0; t < 2; t++)
            TRY(moments_make(&c->run->work, (const double *const *)&c->pair[v].x[t], 1, NULL, c->table[t]->rows, &m[t]));
        side_by_side(means, c->pair[v].name, m[0].mean[0], m[1].mean[0]);
        side_by_side(variances, c->pair[v].name, m[0].covariance[0], m[1].covariance[0]);
    }
    grid_done(means);
    grid_done(variances);
done:
    return status;
}

static void say_quantiles(const Comparison *c) {
    static const double probability[] = { 0, .01, .05, .1, .25, .5, .75, .9, .95, .99, 1 };
    Grid *grid = grid_new(c->run->result, "quantiles", "variable:text probability:real original:real released:real relative_change:real");
    for (int64_t v = 0; v < c->numeric; v++)
        for (size_t q = 0; q < sizeof probability / sizeof *probability; q++) {
            double original = sorted_quantile(c->pair[v].sorted[0], c->pair[v].present[0], probability[q]);
            double released = sorted_quantile(c->pair[v].sorted[1], c->pair[v].present[1], probability[q]);
            grid_text(grid, c->pair[v].name);
            grid_real(grid, probability[q]);
            grid_real(grid, original);
            grid_real(grid, released);
            grid_real(grid, relative_change(original, released));
        }
    grid_done(grid);
}

/* The worst over the variables; NaN where none has it. */
static double worst_of(const Comparison *c, size_t offset) {
    double worst = NAN;
    for (int64_t v = 0; v < c->variables; v++) worst = fmax(worst, *(const double *)(const void *)((const char *)&c->pair[v] + offset));
    return worst;
}

static void say_distances(const Comparison *c) {
    Result *result = c->run->result;
    Grid *grid = grid_new(result, "distances",
                          "variable:text ks:real hellinger:real total_variation:real entropy_original:real entropy_released:real "
                          "missing_original:integer missing_released:integer");
    double entropy = NAN;
    for (int64_t v = 0; v < c->variables; v++) {
        const Pairing *p = &c->pair[v];
        grid_text(grid, p->name);
        grid_real(grid, p->ks);
        grid_real(grid, p->hellinger);
        grid_real(grid, p->total_variation);
        grid_real(grid, p->entropy[0]);
        grid_real(grid, p->entropy[1]);
        for (int t = 0; t < 2; t++) grid_integer(grid, p->column[t]->missing);
        entropy = fmax(entropy, fabs(p->entropy[1] - p->entropy[0]));
    }
    grid_done(grid);
    result_real(result, "hellinger", worst_of(c, offsetof(Pairing, hellinger)));
    result_real(result, "ks", worst_of(c, offsetof(Pairing, ks)));
    result_real(result, "total_variation", worst_of(c, offsetof(Pairing, total_variation)));
    result_real(result, "entropy_change", entropy);
}

static Status draw_distances(const Comparison *c) {
    Status status = OK;
    const char **name = NULL;
    double *height = NULL;
    NEW(&c->run->work, name, c->variables + 1);
    NEW(&c->run->work, height, c->variables + 1);
    for (int64_t v = 0; v < c->variables; v++) {
        name[v] = c->pair[v].name;
        height[v] = c->pair[v].total_variation;
    }
    Chart *chart = result_chart(c->run->result, CHART_BAR, "How far each variable's distribution moved", "variable", "total variation");
    chart_of(chart, "distances");
    chart_series(chart, "total variation", c->variables, NULL, height, NULL, name);
done:
    return status;
}

static Status compare_run(Run *run, const void *p) {
    args a = *(const args *)p;
    Status status = OK;
    CommonTables common = { { 0 } };
    Comparison c = { .run = run };
    TRY(common_tables(run, a.original, a.released, a.vars, &common));
    a.original = c.table[0] = common.at[0];
    a.released = c.table[1] = common.at[1];
    TRY(make_pairs(&a, &c));
    TRY(compare_distances(&c));
    TRY(say_moments(&c));
    say_quantiles(&c);
    TRY(compare_joint(&c));
    say_distances(&c);
    TRY(draw_distances(&c));
    result_note(run->result, "ks, hellinger, total_variation and entropy_change are the worst over the variables; the table distances has "
                             "each. Numbers with over fifty values are "
                             "compared in twenty bins of equally many originals; missing is a value of its own there, and is left out of "
                             "means, variances, quantiles and ks.");
    if (c.numeric)
        result_note(run->result, "Correlations are over the records with no missing number: %lld of the original, %lld of the release.",
                    (long long)c.joint[0].rows, (long long)c.joint[1].rows);
done:
    common_release(&common);
    return status;
}

static const Return values[] = {
    VALUE(il1s, REAL, "Σ|x − x′|/(√2·S) over all numeric cells, S the original's standard deviation", .flags = PUBLIC),
    VALUE(il1s_mean, REAL, "The same per cell", .flags = PUBLIC),
    VALUE(eigenvalues, REAL, "Σ|λ − λ′|/λ over the eigenvalues of the correlation matrices", .flags = PUBLIC),
    VALUE(correlation_loss, REAL, "Młodak's 0…1 distance between the inverse correlation matrices' diagonals", .flags = PUBLIC),
    VALUE(kullback_leibler, REAL, "Divergence of the original from the release, both taken as normal (Karr et al. 2006)", .flags = PUBLIC),
    VALUE(hellinger, REAL, "Hellinger distance of a variable's distribution, the worst over variables", .flags = PUBLIC | LESS),
    VALUE(ks, REAL, "Kolmogorov–Smirnov distance, the worst over numeric variables", .flags = PUBLIC),
    VALUE(total_variation, REAL, "Total variation distance, the worst over variables", .flags = PUBLIC),
    VALUE(entropy_change, REAL, "Largest change of a variable's entropy, in nats (Gomatam et al. 2005)", .flags = PUBLIC),
    TABLE_OUT(means, "variable:text original:real released:real relative_change:real", "Means side by side"),
    TABLE_OUT(variances, "variable:text original:real released:real relative_change:real", "Variances side by side"),
    TABLE_OUT(quantiles, "variable:text probability:real original:real released:real relative_change:real", "Quantiles side by side"),
    TABLE_OUT(correlations, "variable:text other:text original:real released:real difference:real relative_change:real",
              "Correlations side by side"),
    TABLE_OUT(distances,
              "variable:text ks:real hellinger:real total_variation:real entropy_original:real entropy_released:real "
              "missing_original:integer missing_released:integer",
              "Each variable's distances, entropies and missing values", .flags = PUBLIC),
    COARSENED_OUT,
    END,
};

const Method utility_compare = {
    .group = "utility",
    .name = "compare",
    .summary = "Compare a release with its original: moments, quantiles, distances",
    .source = "Domingo-Ferrer & Torra 2001; Karr et al. 2006; Gomatam et al. 2005",
    .params = params,
    .size = sizeof(args),
    .run = compare_run,
    .headline = "-hellinger",
    .values = values,
    .example = "scrim utility compare examples/clinic.csv examples/clinic-released.csv --vars age,income,visits,region",
};
