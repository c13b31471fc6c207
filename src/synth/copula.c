/* synth.copula: a normal copula over the columns' own distributions. Defined after Cario & Nelson 1997; Reiter 2002:
 * docs/methods/synth-copula.md. */
#include "math/special/normal.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/moments.h"
#include "math/linear/nearest_correlation.h"
#include "math/linear/symmetric.h"
#include "synth/engine/copula.h"
#include "synth/engine/direct_columns.h"
#include "synth/engine/params.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, vars, data, "Columns to synthesise (default: all). Others are left out"),
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "Records of each synthetic table (default: as in the data)"),
    SYNTH_RULES,
    DIRECT_ROLES(data),
    SYNTH_M,
    SYNTH_STACKED,
    SYNTH_SAVE_MODEL,
    SYNTH_PROTECT,
    SYNTH_EVALUATE,
    ONLY_WITH("keys", "evaluate", "protect"),
    END,
};

/* ---- latent correlations ---- */

enum { NODES = 161, FINE = 4096, TERMS = 100 };
static const double REACH = 6;    /* normals beyond this do not count */
static const double SERIES = 0.9; /* up to this correlation the series has converged: 0.9^100 is under 3e-5 */

/* The value at latent normal z: the order statistic of rank Φ(z)·n. Standardised, on a fine grid of z. */
static Status tabulate(Copula *c, Margin *m) {
    Status status = OK;
    NEW(&c->run->work, m->table, FINE + 1);
    for (int k = 0; k < FINE; k++) {
        double z = REACH * (2 * (k + 0.5) / FINE - 1);
        int64_t at = (int64_t)(normal_lower(z) * (double)c->rows);
        m->table[k] = (m->sorted[at < 0 ? 0 : at >= c->rows ? c->rows - 1 : at] - m->mean) / m->sd;
    }
done:
    return status;
}

static double value_at(const Margin *m, double z) {
    int at = (int)((z / REACH + 1) / 2 * FINE);
    return m->table[at < 0 ? 0 : at >= FINE ? FINE - 1 : at];
}

/* E[g(Z₁)·h(ρZ₁ + √(1−ρ²)Z₂)] by the trapezium rule in both: spectrally exact for smooth tails, and near enough for steps. */
static double implied(const Margin *one, const Margin *other, const double *z, const double *weight, double rho) {
    double sum = 0, rest = sqrt(fmax(0, 1 - rho * rho));
    for (int i = 0; i < NODES; i++) {
        double mean = 0;
        for (int k = 0; k < NODES; k++) mean += weight[k] * value_at(other, rho * z[i] + rest * z[k]);
        sum += weight[i] * value_at(one, z[i]) * mean;
    }
    return sum;
}

/* E[g(Z)·h_k(Z)] for k < TERMS, h_k normalised: √(k+1)·h_(k+1) = z·h_k − √k·h_(k−1). */
static Status project(Copula *c, Margin *m) {
    Status status = OK;
    double whole = 0;
    NEW(&c->run->work, m->hermite, TERMS);
    for (int i = 0; i < FINE; i++) {
        double z = REACH * (2 * (i + 0.5) / FINE - 1), weight = exp(-z * z / 2), before = 0, at = 1;
        whole += weight;
        for (int k = 0; k < TERMS; k++) {
            m->hermite[k] += weight * m->table[i] * at;
            double next = (z * at - sqrt((double)k) * before) / sqrt((double)k + 1);
            before = at;
            at = next;
        }
    }
    for (int k = 0; k < TERMS; k++) m->hermite[k] /= whole;
done:
    return status;
}

/* The same expectation by Mehler's formula: Σ g_k·h_k·ρᵏ. */
static double implied_by_series(const Margin *one, const Margin *other, double rho) {
    double sum = 0, power = 1;
    for (int k = 0; k < TERMS; k++, power *= rho) sum += one->hermite[k] * other->hermite[k] * power;
    return sum;
}

typedef struct Solving {
    Copula *c;
    double z[NODES], weight[NODES];
} Solving;

static double solve(const Solving *s, int64_t i, int64_t j, double wanted, bool series) {
    const Margin *one = &s->c->margin[i], *other = &s->c->margin[j];
    double low = series ? -SERIES : -0.9999, high = -low;
    for (int step = 0; step < 24; step++) {
        double middle = (low + high) / 2;
        double at = series ? implied_by_series(one, other, middle) : implied(one, other, s->z, s->weight, middle);
        if (at < wanted) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

/* The latent correlation at which the columns' own correlation is what it is in the data (Cario & Nelson 1997: normal to anything). It
 * grows with ρ: bisection. */
static Status solve_pairs(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Solving *s = self;
    Copula *c = s->c;
    (void)block, (void)error;
    for (int64_t t = first; t < last; t++) {
        int64_t i = t / c->columns, j = t % c->columns;
        double wanted = c->correlation[t], at = 0;
        if (i >= j) continue;
        if (!isnan(wanted)) {
            bool far = wanted < implied_by_series(&c->margin[i], &c->margin[j], -SERIES) ||
                       wanted > implied_by_series(&c->margin[i], &c->margin[j], SERIES);
            at = solve(s, i, j, wanted, !far);
        }
        c->latent[i * c->columns + j] = c->latent[j * c->columns + i] = at;
    }
    return OK;
}

/* Pairwise solutions need not fit together: the nearest that do. */
static Status mend(Copula *c, bool *bent) {
    Status status = OK;
    Work *work = &c->run->work;
    TRY(nearest_correlation(work, c->latent, c->columns, bent));
    NEW(work, c->root, c->columns * c->columns + 1);
    if (!semidefinite_root(c->latent, c->columns, c->root))
        TRY(fail(work->error, FAILED, "the correlations cannot be brought into a matrix that has a root"));
done:
    return status;
}

static Status fit(Copula *c) {
    Status status = OK;
    Work *work = &c->run->work;
    int64_t p = c->columns;
    const double **x = NULL;
    Moments moments;
    Solving solving = { .c = c };
    double whole = 0;
    bool bent;
    NEW(work, x, p + 1);
    NEW(work, c->correlation, p * p + 1);
    NEW(work, c->latent, p * p + 1);
    for (int64_t j = 0; j < p; j++) x[j] = c->margin[j].value;
    TRY(moments_make(work, x, p, NULL, c->rows, &moments));
    for (int64_t j = 0; j < p; j++) {
        double variance = moments_covariance(&moments, j, j);
        c->margin[j].mean = moments.mean[j];
        c->margin[j].sd = variance > 0 ? sqrt(variance) : 1;
        c->latent[j * p + j] = 1;
        for (int64_t i = 0; i < p; i++) c->correlation[i * p + j] = moments_correlation(&moments, i, j);
    }
    for (int64_t j = 0; j < p; j++) TRY(tabulate(c, &c->margin[j]));
    for (int64_t j = 0; j < p; j++) TRY(project(c, &c->margin[j]));
    for (int k = 0; k < NODES; k++) {
        solving.z[k] = REACH * (2.0 * k / (NODES - 1) - 1);
        whole += solving.weight[k] = exp(-solving.z[k] * solving.z[k] / 2);
    }
    for (int k = 0; k < NODES; k++) solving.weight[k] /= whole;
    TRY(parallel_for(work, p * p, 1, solve_pairs, &solving));
    TRY(mend(c, &bent));
    if (bent)
        result_note(c->run->result, "The columns' correlations do not fit one normal copula; the nearest matrix that does was taken. The "
                                    "table 'correlations' shows what became of them.");
done:
    return status;
}

/* The categories of a table that was made, in the places that they have in the data. Codes of both ascend by value. */
static Status same_places(Copula *again, const Margin *data, Margin *made) {
    char one[33], other[33];
    int32_t at = 0;
    if (!data->nominal || !made->nominal) return OK;
    for (int32_t k = 0; k < made->codes.count; k++) {
        const char *word = column_cell(made->column, made->codes.first_row[k], one);
        while (at < data->codes.count && !same_text(word, column_cell(data->column, data->codes.first_row[at], other))) at++;
        made->place[k] = data->place[at];
    }
    made->place[made->codes.count] = data->place[data->codes.count];
    return copula_sort_places(again, made);
}

/* Correlations of the first table beside those of the data; `ratio` is their difference in standard errors of a sample. */
static Status say(Copula *c, const Table *made) {
    Status status = OK;
    Work *work = &c->run->work;
    Copula again = { .run = c->run, .args = c->args, .columns = c->columns, .rows = made->rows };
    const double **x = NULL;
    Moments moments;
    double worst = 0, n = fmin((double)c->rows, (double)made->rows);
    NEW(work, again.margin, c->columns + 1);
    NEW(work, x, c->columns + 1);
    for (int64_t j = 0; j < c->columns; j++) {
        TRY(copula_margin(&again, made->column[j], &again.margin[j]));
        TRY(same_places(&again, &c->margin[j], &again.margin[j]));
        x[j] = again.margin[j].value;
    }
    TRY(moments_make(work, x, c->columns, NULL, made->rows, &moments));
    Grid *grid = grid_new(c->run->result, "correlations", "first:text second:text original:real synthetic:real latent:real");
    for (int64_t i = 0; i < c->columns; i++)
        for (int64_t j = i + 1; j < c->columns; j++) {
            double before = c->correlation[i * c->columns + j], after = moments_correlation(&moments, i, j);
            grid_text(grid, c->margin[i].column->name);
            grid_text(grid, c->margin[j].column->name);
            grid_real(grid, before);
            grid_real(grid, after);
            grid_real(grid, c->latent[i * c->columns + j]);
            if (!isnan(before) && !isnan(after)) worst = larger(worst, fabs(after - before));
        }
    grid_done(grid);
    result_real(c->run->result, "largest_difference", worst);
    result_real(c->run->result, "sampling_error", n > 3 ? 1 / sqrt(n - 3) : NAN);
done:
    return status;
}

static Status choose_columns(Copula *c) {
    Status status = OK;
    Columns vars = c->args->vars;
    NEW(&c->run->work, c->margin, c->args->data->columns + 1);
    for (int64_t j = 0; j < (vars.count ? vars.count : c->args->data->columns); j++)
        TRY(copula_margin(c, vars.count ? vars.at[j] : c->args->data->column[j], &c->margin[c->columns++]));
    TRY(copula_order_categories(c));
done:
    return status;
}

static Status copula_run(Run *run, const void *p) {
    SynthArgs own = *(const SynthArgs *)p, *a = &own;
    Status status = OK;
    Copula c = { .run = run, .args = a, .rows = a->data->rows };
    Table **made = NULL;
    Columns drawn = { 0 };
    int64_t rows = a->n == ABSENT ? a->data->rows : a->n;
    if (!a->data->rows) TRY(fail(run->work.error, BAD, "the table is empty: nothing can be learned from it"));
    NEW(&run->work, made, a->m + 1);
    TRY(check_saved(run, a));
    if (a->rules) TRY(edit_rules_make(&run->work, a->rules, a->data, &c.rules));
    TRY(direct_leave_out(run, a));
    TRY(direct_refuse_rules(run, a, &c.rules));
    TRY(choose_columns(&c));
    NEW(&run->work, drawn.at, c.columns + 1);
    for (int64_t j = 0; j < c.columns; j++) drawn.at[drawn.count++] = c.margin[j].column;
    TRY(protect_uniques(run, a, drawn, &c.uniques));
    TRY(fit(&c));
    if (a->save_model) {
        TRY(copula_table(&c, &made[0]));
        give_model(run, a, table_retain(made[0]), "how they correlate");
        goto done;
    }
    for (int64_t set = 0; set < a->m; set++) TRY(copula_draw(&c, set, rows, &made[set]));
    TRY(report_outputs(run, a, made));
    say_protected(run, &c.uniques);
    TRY(say(&c, made[0]));
    if (a->evaluate) TRY(evaluate(run, a->data, made[0], a->holdout, a->keys));
    result_note(run->result, "Each column has its own distribution; between columns only correlations are kept: of the values for numbers, "
                             "of the ranks where cells are missing or are categories.");
done:
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    replicated_uniques_free(&c.uniques);
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Records of each synthetic table", .flags = PUBLIC),
    VALUE(tables_made, INTEGER, "Synthetic tables", .flags = PUBLIC),
    VALUE(largest_difference, REAL, "Largest change of a correlation, in the first table", .flags = PUBLIC | LESS),
    VALUE(sampling_error, REAL, "1/√(n − 3): standard error of a correlation near 0, for comparison", .flags = PUBLIC),
    TABLE_OUT(correlations, "first:text second:text original:real synthetic:real latent:real",
              "Each pair of columns: correlation in the data, in the first synthetic table, and of the latent normals"),
    PROTECT_VALUES,
    EVALUATE_VALUES,
    RELEASED("The synthetic table"),
    END,
};

const Method synth_copula = {
    .group = "synth",
    .name = "copula",
    .summary = "Synthetic data from a normal copula with the columns' marginal distributions",
    .source = "Cario & Nelson 1997; Reiter 2002",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE,
    .run = copula_run,
    .values = values,
    .headline = "-largest_difference",
    .example = "scrim synth copula examples/clinic.csv --vars age,visits,income,cholesterol,bmi",
};
