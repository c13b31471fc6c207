/* utility.regression: one model fitted to the original and to the release, coefficients side by side. Defined after Matloff & Tendick;
 * Karr et al. 2006: docs/methods/utility-regression.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/linear/least_squares.h"
#include "math/special/normal.h"
#include "math/special/student.h"
#include "method/method.h"
#include "table/measurement_level.h"
#include "utility/common_level.h"

typedef struct {
    const Table *original, *released;
    const Formula *formula;
    unsigned family;
    bool robust;
    const Column *weight;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file; without it the model is fitted to the original only", .flags = POSITIONAL),
    FORMULA(args, formula, original, "The model: y ~ a + b + factor(c) + a:b", .flags = REQUIRED),
    CHOICE(args, family, "gaussian", "Distribution of the response: gaussian (identity link), binomial (logit) or poisson (log)",
           WORDS("gaussian", "binomial", "poisson")),
    FLAG(args, robust, "Huber's M-estimator instead of least squares"),
    ONLY_IF("robust", "family", "gaussian"),
    COLUMN(args, weight, BOTH, "Weights of the records", .flags = NUMERIC),
    END,
};

/* One table's fit. */
typedef struct Side {
    const char *which;
    const Table *table;
    Design design;
    LinearFit fit;
    double quantile;
} Side;

/* Weights of the design's rows. */
static Status design_weights(Work *work, const char *name, const Table *table, const Design *design, const double **out) {
    Status status = OK;
    const Column *column;
    const double *all;
    double *some = NULL;
    TRY(table_need(table, name, &column, work->error));
    TRY(column_reals(work, column, &all));
    NEW(work, some, design->rows);
    for (int64_t i = 0; i < design->rows; i++) some[i] = all[design->row[i]];
    *out = some;
done:
    return status;
}

static Status check_response(Work *work, const args *a, const Design *d) {
    if (!d->y) {
        fail(work->error, BAD, "the formula has no left side");
        return error_parameter(work->error, "formula");
    }
    if (d->level && (a->family != BINOMIAL || d->levels > 2)) {
        fail(work->error, BAD, "'%s' is a category%s", d->response, a->family == BINOMIAL ? " of more than two levels" : "");
        error_parameter(work->error, "formula");
        return error_advice(work->error, a->family == BINOMIAL ? "Recode it to two levels."
                                                               : "A response of two levels is fitted with --family binomial.");
    }
    return OK;
}

static Status fit_side(Run *run, const args *a, const Table *const *both, int64_t tables, Side *side) {
    Status status = OK;
    Work *work = &run->work;
    Design *d = &side->design;
    LinearModel model = { 0 };
    TRY(formula_design_over(work, a->formula, side->table, both, tables, d));
    TRY(check_response(work, a, d));
    model = (LinearModel){ .rows = d->rows, .columns = d->columns, .x = d->x, .y = d->y, .intercept = d->intercept };
    if (a->weight) TRY(design_weights(work, a->weight->name, side->table, d, &model.weight));
    TRY(a->robust ? robust_fit(work, &model, &side->fit) : glm_fit(work, a->family, &model, &side->fit));
    double df = (double)side->fit.residual_df;
    side->quantile = normal_quantile(0.975);
    if (a->family == GAUSSIAN && df > 0) TRY(student_quantile(df, 0.975, 0.025, &side->quantile, work->error));
    if (side->fit.rows < side->table->rows)
        result_note(run->result, "%s: %lld of %lld records have no missing value in the model%s and were used.", side->which,
                    (long long)side->fit.rows, (long long)side->table->rows, a->weight ? " and a weight above 0" : "");
    if (side->fit.rank < side->fit.columns)
        result_note(run->result, "%s: %lld of %lld terms are collinear with earlier ones and have no estimate.", side->which,
                    (long long)(side->fit.columns - side->fit.rank), (long long)side->fit.columns);
    if (side->fit.separated)
        result_note(run->result,
                    "Warning: %s: some terms separate the two outcomes perfectly. Their estimates have no limit, and their standard errors "
                    "have no meaning.",
                    side->which);
    else if (!side->fit.converged)
        result_note(run->result, "Warning: %s: the fit did not converge in %d iterations.", side->which, side->fit.iterations);
done:
    return status;
}

/* The mean of the two shares that the common part takes of each 95% interval (Karr et al. 2006); 0 where they do not meet. */
static double overlap(double b1, double half1, double b2, double half2) {
    double low = fmax(b1 - half1, b2 - half2), high = fmin(b1 + half1, b2 + half2);
    if (isnan(half1) || isnan(half2) || isnan(b1) || isnan(b2)) return NAN;
    if (half1 == 0 || half2 == 0) return b1 == b2 && half1 == half2;
    return high > low ? ((high - low) / (2 * half1) + (high - low) / (2 * half2)) / 2 : 0;
}

typedef struct Summary {
    double overlap, relative, worst;
    int64_t overlaps, relatives;
} Summary;

static void say_coefficients(Run *run, const Side *o, const Side *r, Summary *sum) {
    Grid *grid = grid_new(run->result, "coefficients",
                          r ? "term:text original:real original_se:real released:real released_se:real difference_in_se:real overlap:real"
                            : "term:text original:real original_se:real");
    for (int64_t j = 0; j < o->design.columns; j++) {
        double b = o->fit.coefficient[j], se = o->fit.standard_error[j];
        grid_text(grid, o->design.term[j]);
        grid_real(grid, b);
        grid_real(grid, se);
        if (!r) continue;
        double b2 = r->fit.coefficient[j], se2 = r->fit.standard_error[j], common = overlap(b, o->quantile * se, b2, r->quantile * se2);
        grid_real(grid, b2);
        grid_real(grid, se2);
        grid_real(grid, se > 0 ? (b2 - b) / se : NAN);
        grid_real(grid, common);
        if (!isnan(common)) {
            sum->overlap += common;
            sum->overlaps++;
        }
        double relative = fabs(b2 - b) / fabs(b);
        if (!isfinite(relative) || (j == 0 && o->design.intercept)) continue;
        sum->relative += relative;
        sum->relatives++;
        sum->worst = fmax(sum->worst, relative);
    }
    grid_done(grid);
}

/* Intervals in standard errors of the original, so that terms of any scale stand on one axis. */
static Status draw(Run *run, const Side *o, const Side *r) {
    Status status = OK;
    double *five = NULL;
    const char **name = NULL;
    NEW(&run->work, five, 5 * o->design.columns);
    NEW(&run->work, name, o->design.columns);
    Chart *chart = result_chart(run->result, CHART_BOX, "Coefficients: 95% intervals (boxes 50%), in standard errors of the original",
                                "term", "difference from the original");
    for (const Side *side = o; side; side = side == o ? r : NULL) {
        int64_t count = 0;
        for (int64_t j = 0; j < o->design.columns; j++) {
            double b = o->fit.coefficient[j], se = o->fit.standard_error[j], centre = (side->fit.coefficient[j] - b) / se,
                   own = side->fit.standard_error[j] / se;
            static const double at[5] = { -1, -0.344, 0, 0.344, 1 }; /* quartiles of a normal, as a share of its 95% interval */
            if (!isfinite(centre) || !isfinite(own)) continue;
            for (int k = 0; k < 5; k++) five[5 * count + k] = centre + at[k] * side->quantile * own;
            name[count++] = o->design.term[j];
        }
        chart_series(chart, side == o ? "original" : "released", count, NULL, five, NULL, name);
    }
done:
    return status;
}

/* The response, or a column within a function: codes have no place there. */
static Status need_quantity(Run *run, const Table *table, const char *name) {
    const Column *column = table_column(table, name);
    if (!column || !column_is_codes(column) || column_two_values(column)) return OK;
    fail(run->work.error, BAD, "needs numbers, and the values of the column '%s' are codes (see inspect)", name);
    error_advice(run->work.error, "If they are numbers, say so: --types %s:numeric.", name);
    return error_parameter(run->work.error, "formula");
}

/* The predictors at the level that both tables know: intervals against numbers, merged against fine categories; and codes as categories.
 * Two codes are fitted alike as either, and stay. Columns within functions stay as they are. */
static Status common_predictors(Run *run, args *a, CommonTables *out) {
    Status status = OK;
    const char **name = NULL;
    int64_t count = 0, columns = formula_columns(a->formula);
    const Table *released = a->released ? a->released : a->original;
    NEW(&run->work, name, columns + 1);
    for (int64_t j = 0; j < columns; j++) {
        const char *column = formula_column_at(a->formula, j);
        if (formula_bare(a->formula, column)) name[count++] = column;
        else TRY(need_quantity(run, a->original, column));
    }
    TRY(common_named(run, a->original, released, name, count, 3, out));
    a->original = out->at[0];
    if (a->released) a->released = out->at[1];
done:
    return status;
}

static Status regression_run(Run *run, const void *p) {
    args own = *(const args *)p, *a = &own;
    Status status = OK;
    CommonTables common = { { 0 } };
    TRY(common_predictors(run, a, &common));
    const Table *both[] = { a->original, a->released };
    Side o = { .which = "Original", .table = a->original }, r = { .which = "Released", .table = a->released };
    Summary sum = { 0 };
    TRY(fit_side(run, a, both, a->released ? 2 : 1, &o));
    if (a->released) TRY(fit_side(run, a, both, 2, &r));
    if (!o.fit.rows || (a->released && !r.fit.rows)) {
        fail(run->work.error, BAD, "no record of the %s table is complete in the model's columns", o.fit.rows ? "released" : "original");
        TRY(error_parameter(run->work.error, "formula"));
    }
    result_real(run->result, "r2_original", o.fit.r2);
    if (a->released) result_real(run->result, "r2_released", r.fit.r2);
    say_coefficients(run, &o, a->released ? &r : NULL, &sum);
    if (a->released) {
        result_real(run->result, "mean_overlap", sum.overlaps ? sum.overlap / (double)sum.overlaps : NAN);
        result_real(run->result, "mean_relative_difference", sum.relatives ? sum.relative / (double)sum.relatives : NAN);
        result_real(run->result, "largest_relative_difference", sum.relatives ? sum.worst : NAN);
        TRY(draw(run, &o, &r));
        if (sum.overlaps < o.design.columns)
            result_note(run->result, "mean_overlap covers %lld of %lld terms. The others do not have an interval in both fits.",
                        (long long)sum.overlaps, (long long)o.design.columns);
    }
    result_integer(run->result, "rows_original", o.fit.rows);
    if (a->released) result_integer(run->result, "rows_released", r.fit.rows);
    if (a->family != GAUSSIAN) result_note(run->result, "R² is the share of the null model's deviance that the model explains.");
    if (a->robust) result_note(run->result, "R² weights each record as the robust fit does.");
done:
    common_release(&common);
    return status;
}

static const Return values[] = {
    VALUE(r2_original, REAL, "R² of the model in the original", .flags = PUBLIC),
    VALUE(r2_released, REAL, "R² of the model in the release", .flags = PUBLIC),
    VALUE(mean_overlap, REAL,
          "Mean confidence interval overlap of the terms, 95% intervals (Karr et al. 2006): 1 = identical, 0 = disjoint",
          .flags = PUBLIC | MORE),
    VALUE(mean_relative_difference, REAL, "Mean of |released − original|/|original| over the terms except the intercept. 0 = unchanged",
          .flags = PUBLIC),
    VALUE(largest_relative_difference, REAL, "Largest relative difference of a coefficient, over the terms. 0 = unchanged",
          .flags = PUBLIC),
    VALUE(rows_original, INTEGER, "Records of the original that were used", .flags = PUBLIC),
    VALUE(rows_released, INTEGER, "Records of the release that were used", .flags = PUBLIC),
    TABLE_OUT(coefficients, "term:text original:real original_se:real released:real released_se:real difference_in_se:real overlap:real",
              "Each term: estimate and standard error in both files, the difference in the original's standard errors, the overlap of the "
              "intervals"),
    COARSENED_OUT,
    END,
};

const Method utility_regression = {
    .group = "utility",
    .name = "regression",
    .summary = "Compare a regression fitted to original and release: confidence interval overlap",
    .source = "Matloff & Tendick; Karr et al. 2006",
    .params = params,
    .size = sizeof(args),
    .run = regression_run,
    .headline = "mean_overlap",
    .values = values,
    .example = "scrim utility regression examples/clinic.csv examples/clinic-released.csv --formula 'income ~ age + sex + education'",
};
