/* Regression: what a model fitted to the release predicts of a target's sensitive value (Palley & Simonoff 1987). */
#include <string.h>
#include "attack/regression/regression.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/least_squares.h"
#include "math/proportion.h"
#include "table/complete_predictors.h"
#include "math/order_statistics.h"
#include "math/special/student.h"
#include "classes/joint_codes.h"

static const Param params[] = {
    TABLE(RegressionArgs, released, "The release to which the model is fitted", .flags = REQUIRED | POSITIONAL),
    COLUMN(RegressionArgs, sensitive, released, "Sensitive column that the intruder wants to learn: a number or a category",
           .flags = REQUIRED),
    COLUMNS(RegressionArgs, predictors, released, "Columns that the intruder knows about a target", .flags = REQUIRED, .role = "keys"),
    TABLE(RegressionArgs, target, "Targets, with their true values if known (default: the released records)"),
    REAL(RegressionArgs, tolerance, 0.1, 0, 1e9, "A prediction within this share of the true value counts as correct"),
    END,
};
static const Return values[] = {
    VALUE(known, INTEGER, "Targets whose true value is known. The others are predicted, not judged", .flags = PUBLIC),
    VALUE(true_probability, REAL, "Category: mean probability that the model gives to the true category. Smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(r2, REAL, "R² of the predictions. 1 = exact, 0 or less = no better than the targets' mean; smaller is safer", .flags = PUBLIC),
    VALUE(within, REAL, "Share of the known targets predicted to within --tolerance; for a category, predicted correctly. Smaller is safer",
          .flags = PUBLIC),
    VALUE(targets, INTEGER, "Targets predicted", .flags = PUBLIC),
    VALUE(width_ratio, REAL, "Median width of a prediction interval over that without predictors. 1 = nothing is learned; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(covered, REAL, "Share of true values within their 95% prediction interval", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share if the released mean, or the most frequent category, is predicted for everyone", .flags = PUBLIC),
    VALUE(gain, REAL, "Increase of the share of correct predictions by the model: within − baseline. 0 = safe", .flags = PUBLIC | LESS),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    TABLE_OUT(categories, "category:text mean_probability:real", "Category: mean probability of each over the targets"),
    RECORD(category, TEXT, "Most probable category of the target", .of = "target"),
    RECORD(probability, REAL, "Its probability", .of = "target"),
    RECORD(probabilities, TEXT, "All categories with their probabilities, in descending order: b 0.6, a 0.25, c 0.15", .of = "target"),
    RECORD(prediction, REAL, "Predicted value of the target", .of = "target"),
    RECORD(lower, REAL, "Lower end of the 95% prediction interval", .of = "target"),
    RECORD(upper, REAL, "Upper end of the 95% prediction interval", .of = "target"),
    RECORD(width_ratio, REAL, "Its width over that of the interval without predictors", .of = "target"),
    END,
};

static LinearModel model_of(const Design *d) {
    return (LinearModel){ .rows = d->rows, .columns = d->columns, .y = d->y, .intercept = true, .read = design_read, .self = d };
}

/* ŷ ± t·s·√(1 + h), h = x'(X'X)⁻¹x: where a new observation at x lies with 95% (Seber & Lee 2003, section 5.3). Without predictors: mean ±
 * t·sd·√(1 + 1/n). */
typedef struct {
    double *prediction, *half; /* half of the interval's width */
    double wide;               /* of the interval without predictors */
} Predicted;
/* An exact fit (the sensitive column follows from the predictors) has intervals as narrow as the rounding of its sums, which depends on the
 * order of the records: what differs from the truth by less is the truth. */
static double rounding_of(double truth, double wide) { return 1e-9 * (fabs(truth) + (isnan(wide) ? 0 : wide)); }
static double ratio_of(const Predicted *p, int64_t i) { return p->wide > 0 ? 2 * p->half[i] / p->wide : NAN; }

enum { BLOCK = 512 };

/* The rows of `count` records in x; what is 0 adds nothing. */
static double leverage(const LinearFit *fit, const double *x, int64_t count, int32_t *used) {
    int64_t p = fit->columns, uses = 0;
    double h = 0;
    for (int64_t j = 0; j < p; j++)
        if (x[j * count] != 0) used[uses++] = (int32_t)j;
    for (int64_t j = 0; j < uses; j++)
        for (int64_t k = 0; k < uses; k++) {
            double c = fit->unscaled[used[j] * p + used[k]];
            if (!isnan(c)) h += x[used[j] * count] * c * x[used[k] * count];
        }
    return h;
}

typedef struct {
    const Design *targets;
    const LinearFit *fit;
    double t;
    Predicted *out;
    ScratchPool *pads; /* a block of the design, and the columns that a row uses */
} Widths;

static Status interval_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Widths *w = self;
    const Predicted *out = w->out;
    double *x = scratch_pool_take(w->pads);
    int32_t *used = (int32_t *)(x + BLOCK * w->targets->columns);
    (void)block, (void)error;
    design_read(w->targets, first, last - first, x);
    for (int64_t i = first; i < last; i++) {
        out->half[i] = w->t * sqrt(w->fit->dispersion * (1 + larger(0, leverage(w->fit, x + i - first, last - first, used))));
    }
    scratch_pool_give(w->pads, x);
    return OK;
}

static Status marginal_width(const Design *design, double mean, double *width, Error *error) {
    Status status = OK;
    double square = 0, n = (double)design->rows, t;
    *width = NAN;
    if (!(n > 1)) return OK;
    for (int64_t i = 0; i < design->rows; i++) square += (design->y[i] - mean) * (design->y[i] - mean);
    TRY(student_quantile(n - 1, 0.975, 0.025, &t, error));
    *width = 2 * t * sqrt(square / (n - 1) * (1 + 1 / n));
done:
    return status;
}

static Status intervals(Run *run, const Design *design, const Design *targets, const LinearFit *fit, double mean, double *predicted,
                        Predicted *out) {
    Status status = OK;
    ScratchPool pads = { 0 };
    Widths widths = { targets, fit, NAN, out, &pads };
    *out = (Predicted){ .prediction = predicted };
    TRY(marginal_width(design, mean, &out->wide, run->work.error));
    if (fit->residual_df > 0) TRY(student_quantile((double)fit->residual_df, 0.975, 0.025, &widths.t, run->work.error));
    NEW(&run->work, out->half, targets->rows + 1);
    TRY(scratch_pool_make(&run->work, blocks_of(targets->rows, BLOCK), (size_t)((BLOCK + 1) * targets->columns) * sizeof(double), &pads));
    TRY(parallel_for(&run->work, targets->rows, BLOCK, interval_block, &widths));
done:
    scratch_pool_drop(&run->work, &pads);
    return status;
}

/* Row i of the targets' design is record row[i] of the targets that were kept, and kept[…] of those given. */
Status put_targets(Run *run, const RegressionArgs *a, const char *name, const double *x, const Design *targets, const int64_t *kept) {
    Status status = OK;
    int64_t rows = a->target ? a->target->rows : a->released->rows;
    double *all = NULL;
    if (!run_wants(run, name)) return OK;
    NEW(&run->work, all, rows + 1);
    for (int64_t i = 0; i < rows; i++) all[i] = NAN;
    for (int64_t i = 0; i < targets->rows; i++) all[kept[targets->row[i]]] = x[i];
    TRY(put_reals(run, a->target ? "target" : "released", name, all, rows));
done:
    arena_drop(run->work.arena, all);
    return status;
}

static Status report_intervals(Run *run, const RegressionArgs *a, const Design *targets, const double *truth, const Predicted *p,
                               const int64_t *kept) {
    Status status = OK;
    static const char *const name[] = { "lower", "upper", "width_ratio" };
    double *some = NULL, covered = 0;
    int64_t count = 0, known = 0;
    NEW(&run->work, some, targets->rows + 1);
    for (int64_t i = 0; i < targets->rows; i++) {
        double ratio = ratio_of(p, i);
        known += !isnan(truth[i]);
        covered += fabs(truth[i] - p->prediction[i]) <= p->half[i] + rounding_of(truth[i], p->wide);
        if (!isnan(ratio)) some[count++] = ratio;
    }
    if (count) result_real(run->result, "width_ratio", select_median(some, count));
    else result_null(run->result, "width_ratio", "The released values do not vary, or there are no targets.");
    result_real(run->result, "covered", known ? covered / (double)known : NAN);
    TRY(put_targets(run, a, "prediction", p->prediction, targets, kept));
    for (int k = 0; k < 3; k++) {
        if (!run_wants(run, name[k])) continue;
        for (int64_t i = 0; i < targets->rows; i++) some[i] = k == 2 ? ratio_of(p, i) : p->prediction[i] + (k ? p->half[i] : -p->half[i]);
        TRY(put_targets(run, a, name[k], some, targets, kept));
    }
done:
    arena_drop(run->work.arena, some);
    return status;
}

/* "y ~ a + b" in backticks, as the names stand; or "~ a + b". */
static const char *formula_text(Run *run, const RegressionArgs *a, bool response) {
    Buffer text = { 0 };
    if (response) buffer_print(&text, "`%s` ", a->sensitive->name);
    buffer_text(&text, "~ ");
    for (int64_t i = 0; i < a->predictors.count; i++) buffer_print(&text, "%s`%s`", i ? " + " : "", a->predictors.at[i]->name);
    const char *copy = arena_text(run->work.arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

static Status parse(Run *run, const RegressionArgs *a, bool response, const Formula **out) {
    const char *text = formula_text(run, a, response);
    return text ? formula_parse(&run->work, a->released, text, out) : out_of_memory(run->work.error);
}

/* The columns that the model is made of, as a table. */
static Status model_columns(Run *run, const RegressionArgs *a, Table **out) {
    Status status = OK;
    Column **column = NULL;
    int64_t count = 0;
    NEW(&run->work, column, a->predictors.count + 1);
    column[count++] = (Column *)(uintptr_t)a->sensitive;
    for (int64_t j = 0; j < a->predictors.count; j++) {
        int64_t known = 0;
        while (known < count && column[known] != a->predictors.at[j]) known++;
        if (known == count) column[count++] = (Column *)(uintptr_t)a->predictors.at[j];
    }
    TRY(table_new(a->released->name, column, count, a->released->rows, out, run->work.error));
done:
    return status;
}

/* The records that the model is fitted to: nothing that it needs is missing in them. */
Status fitted_records(Run *run, const RegressionArgs *a, Table **out) {
    Status status = OK;
    Table *all = NULL;
    int64_t *rows = NULL, count = 0;
    NEW(&run->work, rows, a->released->rows + 1);
    for (int64_t i = 0; i < a->released->rows; i++) {
        bool complete = !column_missing(a->sensitive, i);
        for (int64_t j = 0; j < a->predictors.count; j++) complete &= !column_missing(a->predictors.at[j], i);
        if (complete) rows[count++] = i;
    }
    TRY(model_columns(run, a, &all));
    if (count == a->released->rows) {
        *out = all;
        all = NULL;
    } else TRY(table_take(all, rows, count, out, run->work.error));
done:
    arena_drop(run->work.arena, rows);
    table_release(all);
    return status;
}

Status fill_design(Work *work, Design *design) {
    Status status = OK;
    NEW(work, design->x, design->rows * design->columns);
    design_read(design, 0, design->rows, design->x);
done:
    return status;
}

Status fitted_design(Run *run, const RegressionArgs *a, const Table *fitted, bool response, Design *out) {
    const Formula *formula;
    Status status = parse(run, a, response, &formula);
    return status ? status : formula_design_unfilled(&run->work, formula, fitted, NULL, out);
}

/* Targets with a category that no record of the model has cannot be predicted. */
static Status strange_categories(Run *run, const RegressionArgs *a, const Table *fitted, const Table *target, uint8_t *bad) {
    Status status = OK;
    for (int64_t j = 0; j < a->predictors.count; j++) {
        const Column *mine = table_column(fitted, a->predictors.at[j]->name), *theirs;
        JointCodes codes;
        uint8_t *seen = NULL;
        TRY(table_need(target, mine->name, &theirs, run->work.error));
        if (mine->type != CATEGORY_TYPE && mine->type != TEXT_TYPE) continue;
        TRY(joint_codes(&run->work, mine, theirs, 0, 0, &codes));
        NEW(&run->work, seen, codes.count + 1);
        for (int64_t i = 0; i < fitted->rows; i++)
            if (codes.at[0][i] >= 0) seen[codes.at[0][i]] = 1;
        for (int64_t i = 0; i < target->rows; i++) bad[i] |= codes.at[1][i] >= 0 && !seen[codes.at[1][i]];
        arena_drop(run->work.arena, seen);
        joint_drop(&run->work, &codes);
    }
done:
    return status;
}

static Status design_column(Work *work, const Design *d, int64_t column, double *out) {
    Status status = OK;
    double *x = NULL;
    NEW(work, x, BLOCK * d->columns);
    for (int64_t first = 0; first < d->rows; first += BLOCK) {
        int64_t count = d->rows - first < BLOCK ? d->rows - first : BLOCK;
        design_read(d, first, count, x);
        memcpy(out + first, x + column * count, (size_t)count * sizeof *out);
    }
done:
    arena_drop(work->arena, x);
    return status;
}

/* Where a column of the design follows from those before it (one that is constant, two that run together), the model has no coefficient
 * for it, and says nothing of a target in whom it does not follow: such a one lies outside the space that the rows span. */
static Status strange_combinations(Run *run, const Design *design, const Design *targets, uint8_t *bad) {
    Status status = OK;
    LinearFit all, one;
    double *follows = NULL, *x = NULL, *y = NULL;
    LinearModel model = model_of(design), theirs = model_of(targets);
    if (!design->rows) return OK;
    NEW(&run->work, y, design->rows);
    model.y = y;
    TRY(design_column(&run->work, design, 0, y));
    TRY(least_squares(&run->work, &model, &all));
    arena_drop(run->work.arena, all.fitted);
    for (int64_t j = 0; j < design->columns; j++) {
        double size = 0;
        if (!isnan(all.coefficient[j])) continue;
        if (!x) NEW(&run->work, x, targets->rows + 1);
        if (!follows) NEW(&run->work, follows, targets->rows + 1);
        TRY(design_column(&run->work, design, j, y));
        TRY(design_column(&run->work, targets, j, x));
        for (int64_t i = 0; i < design->rows; i++) size = larger(size, fabs(y[i]));
        TRY(least_squares(&run->work, &model, &one));
        arena_drop(run->work.arena, one.fitted);
        TRY(linear_predict(&run->work, &theirs, one.coefficient, follows));
        for (int64_t i = 0; i < targets->rows; i++) bad[targets->row[i]] |= fabs(x[i] - follows[i]) > 1e-6 * (size + fabs(x[i]));
    }
done:
    arena_drop(run->work.arena, x);
    arena_drop(run->work.arena, y);
    arena_drop(run->work.arena, follows);
    return status;
}

/* Takes the marked targets away; how many are left is in the table. */
static Status leave_out(Run *run, const uint8_t *bad, const char *why, Table **target, int64_t *kept) {
    Status status = OK;
    Table *fewer = NULL;
    int64_t *rows = NULL, count = 0, all = (*target)->rows;
    NEW(&run->work, rows, all + 1);
    for (int64_t i = 0; i < all; i++) {
        if (bad[i]) continue;
        rows[count] = i;
        kept[count++] = kept[i];
    }
    if (count == all) goto done;
    result_note(run->result, "%lld targets %s and were left out.", (long long)(all - count), why);
    TRY(table_take(*target, rows, count, &fewer, run->work.error));
    table_release(*target);
    *target = fewer;
done:
    arena_drop(run->work.arena, rows);
    return status;
}

Status targets_design(Run *run, const RegressionArgs *a, const Table *fitted, const Design *design, Design *targets, int64_t **kept,
                      Table **of) {
    Status status = OK;
    Table *target = table_retain(a->target ? a->target : a->released);
    const Formula *formula;
    uint8_t *bad = NULL;
    NEW(&run->work, *kept, target->rows + 1);
    NEW(&run->work, bad, target->rows + 1);
    for (int64_t i = 0; i < target->rows; i++) (*kept)[i] = i;
    TRY(parse(run, a, false, &formula));
    TRY(strange_categories(run, a, fitted, target, bad));
    TRY(leave_out(run, bad, "have a category that the complete records of the release lack,", &target, *kept));
    for (int64_t i = 0; i < target->rows; i++) bad[i] = 0;
    TRY(formula_design_unfilled(&run->work, formula, target, fitted, targets));
    TRY(strange_combinations(run, design, targets, bad));
    int64_t before = target->rows;
    TRY(leave_out(run, bad,
                  "lie outside the released data (a predictor is constant there, or follows from others, and not for these targets)",
                  &target, *kept));
    if (target->rows < before) TRY(formula_design_unfilled(&run->work, formula, target, fitted, targets));
done:
    arena_drop(run->work.arena, bad);
    *of = target;
    return status;
}

void say_guesses(Run *run, const Guesses *g) {
    double n = (double)g->known;
    Interval gain = paired_interval(g->only_now, g->only_before, n);
    result_integer(run->result, "known", g->known);
    if (g->known) result_real(run->result, "within", g->right / n);
    else result_null(run->result, "within", "No target's true value is known. Predictions were made (-o), but they cannot be judged.");
    result_real(run->result, "baseline", n > 0 ? g->before / n : NAN);
    result_real(run->result, "gain", n > 0 ? (g->right - g->before) / n : NAN);
    result_real(run->result, "lower", n > 0 ? gain.low : NAN);
    result_real(run->result, "upper", n > 0 ? gain.high : NAN);
}

/* A target may be outside the data, its true value unknown: NaN. */
static Status truths_of(Run *run, const RegressionArgs *a, const Design *targets, const int64_t *kept, double **out) {
    Status status = OK;
    const Column *column = table_column(a->target ? a->target : a->released, a->sensitive->name);
    NEW(&run->work, *out, targets->rows + 1);
    if (column && !column_numeric(column)) {
        fail(run->work.error, BAD, "holds words where the release has numbers");
        TRY(error_column(run->work.error, column->name));
    }
    for (int64_t i = 0; i < targets->rows; i++) (*out)[i] = column ? column_number(column, kept[targets->row[i]]) : NAN;
done:
    return status;
}

static Status report(Run *run, const RegressionArgs *a, int64_t targets, const double *truth, const double *predicted, double released_mean,
                     double wide) {
    Status status = OK;
    double mean = 0, residual = 0, total = 0, *x = NULL, *y = NULL;
    Guesses g = { 0 };
    NEW(&run->work, x, targets + 1);
    NEW(&run->work, y, targets + 1);
    for (int64_t i = 0; i < targets; i++) {
        if (isnan(truth[i])) continue;
        x[g.known] = truth[i];
        y[g.known++] = predicted[i];
    }
    for (int64_t i = 0; i < g.known; i++) mean += x[i] / (double)g.known;
    for (int64_t i = 0; i < g.known; i++) {
        double near = a->tolerance * fabs(x[i]);
        bool now = fabs(y[i] - x[i]) <= near + rounding_of(x[i], wide), then = fabs(released_mean - x[i]) <= near;
        residual += (x[i] - y[i]) * (x[i] - y[i]);
        total += (x[i] - mean) * (x[i] - mean);
        g.right += now;
        g.before += then;
        g.only_now += now && !then;
        g.only_before += then && !now;
    }
    if (total > 0) result_real(run->result, "r2", 1 - residual / total);
    else result_null(run->result, "r2", g.known ? "The targets do not vary." : "No target's true value is known.");
    result_integer(run->result, "targets", targets);
    say_guesses(run, &g);
    chart_series(result_chart(run->result, CHART_SCATTER, "Predicted against true values", "true", "predicted"), "targets", g.known, x, y,
                 NULL, NULL);
done:
    arena_drop(run->work.arena, x);
    arena_drop(run->work.arena, y);
    return status;
}

static Status predict_number(Run *run, const RegressionArgs *a) {
    Status status = OK;
    Design design, targets;
    LinearFit fit;
    double *predicted = NULL, *truth = NULL, mean = 0;
    int64_t *kept = NULL;
    Predicted p95 = { 0 };
    Table *fitted = NULL, *of = NULL;
    TRY(fitted_records(run, a, &fitted));
    TRY(fitted_design(run, a, fitted, true, &design));
    if (design.rows <= design.columns)
        TRY(fail(run->work.error, BAD, "%lld complete records are too few for a model of %lld terms", (long long)design.rows,
                 (long long)design.columns));
    LinearModel model = model_of(&design);
    TRY(least_squares(&run->work, &model, &fit));
    arena_drop(run->work.arena, fit.fitted);
    TRY(targets_design(run, a, fitted, &design, &targets, &kept, &of));
    NEW(&run->work, predicted, targets.rows + 1);
    model = model_of(&targets);
    TRY(linear_predict(&run->work, &model, fit.coefficient, predicted));
    for (int64_t i = 0; i < design.rows; i++) mean += design.y[i] / (double)design.rows;
    TRY(truths_of(run, a, &targets, kept, &truth));
    TRY(intervals(run, &design, &targets, &fit, mean, predicted, &p95));
    TRY(report(run, a, targets.rows, truth, predicted, mean, p95.wide));
    TRY(report_intervals(run, a, &targets, truth, &p95, kept));
done:
    table_release(fitted);
    table_release(of);
    return status;
}

static Status regression_run(Run *run, const void *p) {
    Status status = OK;
    const RegressionArgs *a = p;
    const Table *given[] = { a->released, a->target };
    Table *completed[2] = { 0 };
    RegressionArgs all = *a;
    TRY(complete_predictors(&run->work, given, 2, a->predictors, completed, &all.predictors));
    all.released = completed[0];
    all.target = completed[1];
    TRY(column_numeric(a->sensitive) ? predict_number(run, &all) : predict_category(run, &all));
    if (all.predictors.count > a->predictors.count) result_note(run->result, "A missing predictor enters as 0 with an indicator.");
    if (!a->target)
        result_note(run->result, "No targets were given. The released values are used as the true ones, which overstates the success of "
                                 "the prediction if they are unchanged.");
done:
    for (int t = 0; t < 2; t++) table_release(completed[t]);
    return status;
}

static double terms_of(const Column *column) { return column->type == CATEGORY_TYPE ? (double)column->words->count : 1; }

/* A model of p terms: p² for each record; of a category, (p·(c − 1))² in each of some ten steps. */
static double cost(const void *p) {
    const RegressionArgs *a = p;
    double terms = 1, steps = 1;
    for (int64_t j = 0; j < a->predictors.count; j++) terms += terms_of(a->predictors.at[j]);
    if (!column_numeric(a->sensitive)) {
        terms *= larger(1, terms_of(a->sensitive) - 1);
        steps = 10;
    }
    return terms > 1000 && steps > 1 ? 0
                                     : 1e-9 * steps * (double)a->released->rows * terms * terms; /* too large a model is refused at once */
}

const Method attack_regression = {
    .group = "attack",
    .name = "regression",
    .headline = "-gain",
    .summary = "Regression attack: predict sensitive values by a model fitted to the release",
    .source = "Palley & Simonoff 1987",
    .params = params,
    .size = sizeof(RegressionArgs),
    .traits = INFERENTIAL | CODES_AS_CATEGORIES,
    .run = regression_run,
    .cost = cost,
    .values = values,
    .example = "scrim attack regression examples/clinic-released.csv --sensitive income --predictors age,sex,education --target "
               "examples/clinic.csv",
};
