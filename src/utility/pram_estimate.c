/* utility.pram-estimate: unbiased counts after PRAM. Defined after Gouweleeuw et al. 1998; Kooiman et al. 1997:
 * docs/methods/utility-pram-estimate.md. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/symmetric.h"
#include "math/transition.h"
#include "method/method.h"

typedef struct {
    const Table *released, *matrix;
    Columns vars;
    const Column *weight;
} args;

static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, matrix,
          "Transition matrix: the first column names the original categories, the others are the released ones; or long form: variable, "
          "original, released, probability (as protect pram reports it)",
          .flags = REQUIRED),
    COLUMNS(args, vars, released, "Columns that were perturbed (default: those named in the matrix)"),
    COLUMN(args, weight, released, "Sampling weights, to estimate weighted counts", .flags = NUMERIC),
    END,
};

/* One column: released counts T*, the matrix over its categories, the estimate and its standard error. */
typedef struct Estimate {
    const Column *column;
    Codes codes;
    Transition matrix;
    double *released, *squared, *estimate, *error, missing;
} Estimate;

static Status count(Work *work, const args *a, Estimate *e) {
    Status status = OK;
    const double *weight = NULL;
    int64_t n = e->matrix.count;
    NEW(work, e->released, n);
    NEW(work, e->squared, n);
    NEW(work, e->estimate, n);
    NEW(work, e->error, n);
    if (a->weight) TRY(column_reals(work, a->weight, &weight));
    for (int64_t i = 0; i < e->column->rows; i++) {
        double w = weight ? weight[i] : 1;
        if (e->codes.at[i] < 0) e->missing += w;
        else {
            e->released[e->codes.at[i]] += w;
            e->squared[e->codes.at[i]] += w * w;
        }
    }
done:
    return status;
}

/* The matrix over the column's own categories, in the order of codes; those it does not name are never changed. */
static Status read_matrix(Work *work, const args *a, Estimate *e) {
    Status status = OK;
    Transition given;
    const char **name = NULL;
    char number[33];
    TRY(column_codes(work, e->column, &e->codes));
    NEW(work, name, e->codes.count + 1);
    for (int32_t c = 0; c < e->codes.count; c++) {
        name[c] = arena_text(work->arena, column_cell(e->column, e->codes.first_row[c], number));
        if (!name[c]) TRY(out_of_memory(work->error));
    }
    TRY(transition_read(work, a->matrix, e->column->name, &given));
    TRY(transition_with(work, &given, name, e->codes.count, &e->matrix));
    if (e->matrix.count > 2000) TRY(fail(work->error, BAD, "a matrix of %lld categories is too large", (long long)e->matrix.count));
done:
    return status;
}

/* T̂ = (P')⁻¹T*. A released record of category l contributes row l of (P')⁻¹' to the estimate; given the originals its variance is that of
 * one draw from the row of P it came from: V = (P')⁻¹ [Σ_k S_k (diag(p_k) − p_k p_k')] P⁻¹ (Kooiman et al. 1997), S the sum of squared
 * weights by original category, itself estimated by (P')⁻¹ of the released one. */
static Status invert(Work *work, Estimate *e) {
    Status status = OK;
    int64_t n = e->matrix.count;
    const double *p = e->matrix.p;
    double *unit = NULL, *inverse = NULL, *origin = NULL;
    NEW(work, unit, n * n);
    NEW(work, inverse, n * n);
    NEW(work, origin, n);
    for (int64_t i = 0; i < n; i++) unit[i * n + i] = 1;
    status = linear_solve(work, p, n, unit, n, inverse);
    if (status == BAD) { /* p is row-major: read column by column, P'; inverse column j holds (P')⁻¹ e_j */
        fail(work->error, BAD, "the matrix cannot be inverted: it sends different categories to the same released ones");
        TRY(error_column(work->error, e->column->name));
    }
    TRY(status);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            e->estimate[i] += inverse[j * n + i] * e->released[j];
            origin[i] += inverse[j * n + i] * e->squared[j];
        }
    for (int64_t i = 0; i < n; i++) {
        double variance = 0;
        for (int64_t k = 0; k < n; k++) {
            double mean = 0, square = 0;
            for (int64_t l = 0; l < n; l++) {
                mean += p[k * n + l] * inverse[l * n + i];
                square += p[k * n + l] * inverse[l * n + i] * inverse[l * n + i];
            }
            variance += fmax(0, origin[k]) * (square - mean * mean);
        }
        e->error[i] = sqrt(fmax(0, variance));
    }
done:
    return status;
}

static Status draw(Run *run, const Estimate *e) {
    Chart *chart = result_chart(run->result, CHART_BAR,
                                arena_print(run->work.arena, "'%s': released counts and estimates of the original", e->column->name),
                                "category", "records");
    int64_t bars = e->matrix.count < 60 ? e->matrix.count : 60;
    chart_series(chart, "released", bars, NULL, e->released, NULL, e->matrix.name);
    chart_series(chart, "estimated original", bars, NULL, e->estimate, NULL, e->matrix.name);
    return OK;
}

/* The columns that a long matrix names, each once. */
static Status named_columns(Work *work, const args *a, Columns *out) {
    Status status = OK;
    const Column *variable = table_column(a->matrix, "variable");
    char number[33];
    *out = a->vars;
    if (a->vars.count) return OK;
    if (!variable) { /* a square matrix: its first column may bear the name */
        NEW(work, out->at, 1);
        out->at[0] = a->matrix->columns ? table_column(a->released, a->matrix->column[0]->name) : NULL;
        if (out->at[0]) {
            out->count = 1;
            return OK;
        }
        fail(work->error, BAD, "is needed: the matrix does not name the perturbed column");
        return error_parameter(work->error, "vars");
    }
    NEW(work, out->at, a->matrix->rows);
    for (int64_t i = 0; i < a->matrix->rows; i++) {
        const char *name = column_cell(variable, i, number);
        const Column *column;
        bool known = !name;
        for (int64_t j = 0; j < out->count && !known; j++) known = !strcmp(out->at[j]->name, name);
        if (known) continue;
        TRY(table_need(a->released, name, &column, work->error));
        out->at[out->count++] = column;
    }
done:
    return status;
}

static Status pram_estimate_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Columns vars;
    int64_t negative = 0;
    double missing = 0;
    if (table_column(a->matrix, "stratum"))
        TRY(fail(work->error, BAD, "the matrix differs between strata: estimate each stratum separately, with --where and its own matrix"));
    TRY(named_columns(work, a, &vars));
    Grid *grid = grid_new(run->result, "counts", "variable:text category:text released:real estimate:real standard_error:real");
    for (int64_t v = 0; v < vars.count; v++) {
        Estimate e = { .column = vars.at[v] };
        TRY(read_matrix(work, a, &e));
        TRY(count(work, a, &e));
        TRY(invert(work, &e));
        for (int64_t k = 0; k < e.matrix.count; k++) {
            grid_text(grid, e.column->name);
            grid_text(grid, e.matrix.name[k]);
            grid_real(grid, e.released[k]);
            grid_real(grid, e.estimate[k]);
            grid_real(grid, e.error[k]);
            negative += e.estimate[k] < 0;
        }
        missing += e.missing;
        TRY(draw(run, &e));
    }
    grid_done(grid);
    result_integer(run->result, "negative", negative);
    if (negative)
        result_note(run->result, "%lld estimates are below 0. They are unbiased; their categories are rarer than the noise of PRAM.",
                    (long long)negative);
    if (missing > 0) result_note(run->result, "Missing values were not perturbed and are not counted.");
    result_note(run->result, "Standard errors cover the perturbation only.");
done:
    return status;
}

static const Return values[] = {
    VALUE(negative, INTEGER, "Estimated frequencies below 0, which rare categories can have. 0 = none", .flags = PUBLIC),
    TABLE_OUT(counts, "variable:text category:text released:real estimate:real standard_error:real",
              "Each category: released count, unbiased estimate of the original count, and its standard error from PRAM"),
    END,
};

const Method utility_pram_estimate = {
    .group = "utility",
    .name = "pram-estimate",
    .summary = "PRAM correction: original frequencies estimated from the protected file",
    .source = "Gouweleeuw et al. 1998; Kooiman et al. 1997",
    .params = params,
    .size = sizeof(args),
    .run = pram_estimate_run,
    .values = values,
    .example = "scrim utility pram-estimate examples/clinic-released.csv --matrix examples/pram-smoker.csv",
};
