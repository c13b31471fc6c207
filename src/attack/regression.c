/* Regression: what a model fitted to the release predicts of a target's sensitive value (Palley & Simonoff 1987). */
#include <gsl/gsl_cdf.h>
#include <string.h>
#include "base/elementary.h"
#include "math/linear/linear.h"
#include "math/proportion.h"
#include "math/select.h"
#include "method/method.h"

typedef struct {
    const Table *released;
    const Column *sensitive;
    Columns predictors;
    const Table *target;
    double tolerance;
} args;
static const Param params[] = {
    TABLE(args, released, "The release that the model is fitted to", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, sensitive, released, "The number that an intruder wants to learn", .flags = REQUIRED | NUMERIC),
    COLUMNS(args, predictors, released, "Columns the intruder knows of a target", .flags = REQUIRED, .role = "keys"),
    TABLE(args, target, "Targets with their true values (default: the released records themselves)"),
    REAL(args, tolerance, 0.1, 0, 1e9, "A prediction within this share of the true value counts as learned"),
    END,
};
static const Return values[] = {
    VALUE(r2, REAL, "Share of the targets' variance that the predictions explain", .flags = PUBLIC),
    VALUE(within, REAL, "Share of the targets predicted to within --tolerance", .flags = PUBLIC),
    VALUE(targets, INTEGER, "Targets predicted", .flags = PUBLIC),
    VALUE(width_ratio, REAL,
          "Median width of a target's prediction interval over that of the interval without predictors: small, much is told",
          .flags = PUBLIC | MORE),
    VALUE(covered, REAL, "Share of the true values that lie in their 95% prediction interval", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share by predicting the released mean for everyone", .flags = PUBLIC),
    VALUE(gain, REAL, "within − baseline", .flags = PUBLIC),
    VALUE(lower, REAL, "95% interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "95% interval of the gain", .flags = PUBLIC),
    RECORD(prediction, REAL, "What the model predicts of a target", .of = "target"),
    RECORD(lower, REAL, "Lower end of the 95% prediction interval", .of = "target"),
    RECORD(upper, REAL, "Upper end of the 95% prediction interval", .of = "target"),
    RECORD(width_ratio, REAL, "Its width over that of the interval without predictors", .of = "target"),
    END,
};

/* ŷ ± t·s·√(1 + h), h = x'(X'X)⁻¹x: where a new observation at x lies with 95% (Seber & Lee 2003, section 5.3). Without predictors: mean ±
 * t·sd·√(1 + 1/n). */
typedef struct {
    double *prediction, *lower, *upper, *ratio;
} Predicted;

static double leverage(const Design *targets, const LinearFit *fit, int64_t i) {
    double h = 0;
    for (int64_t j = 0; j < fit->columns; j++)
        for (int64_t k = 0; k < fit->columns; k++) {
            double c = fit->unscaled[j * fit->columns + k];
            if (!isnan(c)) h += targets->x[j * targets->rows + i] * c * targets->x[k * targets->rows + i];
        }
    return h;
}

static double marginal_width(const Design *design, double mean) {
    double square = 0, n = (double)design->rows;
    for (int64_t i = 0; i < design->rows; i++) square += (design->y[i] - mean) * (design->y[i] - mean);
    return n > 1 ? 2 * gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(square / (n - 1) * (1 + 1 / n)) : NAN;
}

static Status intervals(Run *run, const Design *design, const Design *targets, const LinearFit *fit, double mean, double *predicted,
                        Predicted *out) {
    Status status = OK;
    double t = gsl_cdf_tdist_Pinv(0.975, (double)fit->residual_df), wide = marginal_width(design, mean);
    out->prediction = predicted;
    NEW(&run->work, out->lower, targets->rows + 1);
    NEW(&run->work, out->upper, targets->rows + 1);
    NEW(&run->work, out->ratio, targets->rows + 1);
    for (int64_t i = 0; i < targets->rows; i++) {
        double half = t * sqrt(fit->dispersion * (1 + fmax(0, leverage(targets, fit, i))));
        out->lower[i] = predicted[i] - half;
        out->upper[i] = predicted[i] + half;
        out->ratio[i] = wide > 0 ? 2 * half / wide : NAN;
    }
done:
    return status;
}

/* Row i of the targets' design is record row[i] of the targets that were kept, and kept[…] of those given. */
static Status put_column(Run *run, const args *a, const char *name, const double *x, const Design *targets, const int64_t *kept) {
    Status status = OK;
    int64_t rows = a->target ? a->target->rows : a->released->rows;
    double *all = NULL;
    NEW(&run->work, all, rows + 1);
    for (int64_t i = 0; i < rows; i++) all[i] = NAN;
    for (int64_t i = 0; i < targets->rows; i++) all[kept[targets->row[i]]] = x[i];
    TRY(put_reals(run, a->target ? "target" : "released", name, all, rows));
done:
    return status;
}

static Status report_intervals(Run *run, const args *a, const Design *targets, const Predicted *p, const int64_t *kept) {
    Status status = OK;
    double *ratio = NULL, covered = 0;
    int64_t count = 0;
    NEW(&run->work, ratio, targets->rows + 1);
    for (int64_t i = 0; i < targets->rows; i++) {
        covered += targets->y[i] >= p->lower[i] && targets->y[i] <= p->upper[i];
        if (!isnan(p->ratio[i])) ratio[count++] = p->ratio[i];
    }
    if (count) result_real(run->result, "width_ratio", select_median(ratio, count));
    else result_null(run->result, "width_ratio", "The released values do not vary, or there are no targets.");
    result_real(run->result, "covered", targets->rows ? covered / (double)targets->rows : NAN);
    TRY(put_column(run, a, "prediction", p->prediction, targets, kept));
    TRY(put_column(run, a, "lower", p->lower, targets, kept));
    TRY(put_column(run, a, "upper", p->upper, targets, kept));
    TRY(put_column(run, a, "width_ratio", p->ratio, targets, kept));
done:
    return status;
}

/* "y ~ a + b" in backticks, as the names stand. */
static const char *formula_text(Run *run, const args *a) {
    Buffer text = { 0 };
    buffer_print(&text, "`%s` ~ ", a->sensitive->name);
    for (int64_t i = 0; i < a->predictors.count; i++) buffer_print(&text, "%s`%s`", i ? " + " : "", a->predictors.at[i]->name);
    const char *copy = arena_text(run->work.arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* Targets whose categories the release has not seen cannot be predicted: they are left out by taking only those that the design takes. */
static Status target_rows(Run *run, const args *a, const Table *target, Table **out, int64_t **which) {
    Status status = OK;
    int64_t *rows = NULL, kept = 0;
    uint8_t *bad = NULL;
    NEW(&run->work, rows, target->rows + 1);
    NEW(&run->work, bad, target->rows + 1);
    for (int64_t j = 0; j < a->predictors.count; j++) {
        const Column *mine = a->predictors.at[j], *theirs;
        TRY(table_need(target, mine->name, &theirs, run->work.error));
        if (mine->type != CATEGORY_TYPE) continue;
        for (int64_t i = 0; i < target->rows; i++) {
            char number[33];
            const char *cell = column_cell(theirs, i, number);
            bad[i] |= cell && dictionary_find(mine->words, cell) < 0;
        }
    }
    for (int64_t i = 0; i < target->rows; i++)
        if (!bad[i]) rows[kept++] = i;
    if (kept < target->rows)
        result_note(run->result, "%lld targets have a category that the release lacks and are left out.", (long long)(target->rows - kept));
    *which = rows;
    TRY(table_take(target, rows, kept, out, run->work.error));
done:
    return status;
}

/* Without targets the released records are the targets, and their design is at hand. */
static Status targets_make(Run *run, const args *a, const Formula *formula, const Design *design, Design *targets, int64_t **kept) {
    Status status = OK;
    Table *target = NULL;
    if (!a->target) {
        *targets = *design;
        NEW(&run->work, *kept, a->released->rows + 1);
        for (int64_t i = 0; i < a->released->rows; i++) (*kept)[i] = i;
        return OK;
    }
    TRY(target_rows(run, a, a->target, &target, kept));
    TRY(formula_design(&run->work, formula, target, a->released, targets));
done:
    table_release(target);
    return status;
}

static void report(Run *run, const args *a, const Design *target, const double *predicted, double released_mean) {
    double n = (double)target->rows, mean = 0, residual = 0, total = 0, learned = 0, before = 0, only_now = 0, only_before = 0;
    for (int64_t i = 0; i < target->rows; i++) mean += target->y[i] / n;
    for (int64_t i = 0; i < target->rows; i++) {
        double y = target->y[i], near = a->tolerance * fabs(y);
        bool now = fabs(predicted[i] - y) <= near, then = fabs(released_mean - y) <= near;
        residual += (y - predicted[i]) * (y - predicted[i]);
        total += (y - mean) * (y - mean);
        learned += now;
        before += then;
        only_now += now && !then;
        only_before += then && !now;
    }
    Interval gain = paired_interval(only_now, only_before, n);
    if (total > 0) result_real(run->result, "r2", 1 - residual / total);
    else result_null(run->result, "r2", "The targets do not vary.");
    result_real(run->result, "within", n > 0 ? learned / n : NAN);
    result_integer(run->result, "targets", target->rows);
    result_real(run->result, "baseline", n > 0 ? before / n : NAN);
    result_real(run->result, "gain", n > 0 ? (learned - before) / n : NAN);
    result_real(run->result, "lower", gain.low);
    result_real(run->result, "upper", gain.high);
    chart_series(result_chart(run->result, CHART_SCATTER, "Predicted against true values", "true", "predicted"), "targets", target->rows,
                 target->y, predicted, NULL, NULL);
}

static Status regression_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    const Formula *formula;
    Design design, targets;
    LinearFit fit;
    double *predicted = NULL, mean = 0;
    int64_t *kept = NULL;
    Predicted p95 = { 0 };
    const char *text = formula_text(run, a);
    if (!text) TRY(fail(run->work.error, FAILED, "out of memory"));
    TRY(formula_parse(&run->work, a->released, text, &formula));
    TRY(formula_design(&run->work, formula, a->released, NULL, &design));
    if (design.rows <= design.columns)
        TRY(fail(run->work.error, BAD, "%lld complete records are too few for a model of %lld terms", (long long)design.rows,
                 (long long)design.columns));
    TRY(least_squares(&run->work, &(LinearModel){ design.rows, design.columns, design.x, design.y, NULL, true }, &fit));
    TRY(targets_make(run, a, formula, &design, &targets, &kept));
    NEW(&run->work, predicted, targets.rows + 1);
    if (targets.columns != design.columns)
        TRY(fail(run->work.error, BAD, "the targets and the release differ in the categories of a predictor"));
    TRY(linear_predict(&run->work, targets.x, targets.rows, targets.columns, fit.coefficient, predicted));
    for (int64_t i = 0; i < design.rows; i++) mean += design.y[i] / (double)design.rows;
    report(run, a, &targets, predicted, mean);
    TRY(intervals(run, &design, &targets, &fit, mean, predicted, &p95));
    TRY(report_intervals(run, a, &targets, &p95, kept));
    if (!a->target)
        result_note(run->result, "No targets were given: the released values stand for the true ones, which flatters the prediction where "
                                 "they are as they were.");
done:
    return status;
}

const Method attack_regression = {
    .group = "attack",
    .name = "regression",
    .summary = "Predict targets' sensitive values by a model fitted to the release",
    .source = "Palley & Simonoff 1987",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL,
    .run = regression_run,
    .values = values,
    .example = "scrim attack regression examples/clinic-released.csv --sensitive income --predictors age,sex,education --target "
               "examples/clinic.csv",
};
