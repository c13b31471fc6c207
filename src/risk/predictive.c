/* Predictive disclosure: how well a confidential column can be told from the others by regression. Defined after Palley & Simonoff 1987;
 * Willenborg & de Waal 2001: docs/methods/risk-predictive.md. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "risk/design_matrix.h"
#include "table/complete_predictors.h"

typedef struct {
    const Table *data;
    Columns sensitive, predictors;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, sensitive, data, "Sensitive columns that the intruder wants to infer", .flags = REQUIRED),
    COLUMNS(args, predictors, data, "Columns that the intruder may know", .flags = REQUIRED, .role = "keys"),
    END,
};
static const Return values[] = {
    VALUE(r2, REAL, "Share of variance that the predictors explain (R²), for the worst sensitive column, 0 to 1. Smaller is safer",
          .flags = PUBLIC),
    VALUE(privacy, REAL, "1 − r2: share that stays unknown. Larger is safer", .flags = PUBLIC),
    VALUE(r2_cross_validated, REAL, "Cross-validated R²: prediction of people who are not in the data", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records used (without missing values)", .flags = PUBLIC),
    TABLE_OUT(sensitive, "sensitive:text r2:real privacy:real r2_cross_validated:real records:integer",
              "The same for each sensitive column", .flags = PUBLIC),
    END,
};

typedef struct Prediction {
    double residual, total, press, press_total;
} Prediction;

/* Leave-one-out residuals without refitting: e/(1−h), h the leverage x'(X'X)⁻¹x (Allen 1974). A record that alone determines a coefficient
 * (h = 1) is predicted by the mean. */
static void predict(const Design *d, const LinearFit *fit, const double *y, const double *leverage, Prediction *out) {
    double n = (double)d->rows, mean = 0;
    for (int64_t i = 0; i < d->rows; i++) mean += y[i] / n;
    for (int64_t i = 0; i < d->rows; i++) {
        double e = y[i] - fit->fitted[i], from_mean = (y[i] - mean) * n / (n - 1),
               left_out = leverage[i] < 1 - 1e-9 ? e / (1 - leverage[i]) : from_mean;
        out->residual += e * e;
        out->total += (y[i] - mean) * (y[i] - mean);
        out->press += left_out * left_out;
        out->press_total += from_mean * from_mean;
    }
}

typedef struct Leverages {
    const Design *d;
    const LinearFit *fit;
    double *out;
    ScratchPool *pads; /* a block of the design, and the places of what is not 0 in it */
} Leverages;

enum { BLOCK = 512, TOGETHER = 16 };

/* A few hundred records at a time, column by column, as they lie in memory. */
static void leverage_dense(const Leverages *l, const double *x, int64_t count, double *out) {
    int64_t p = l->d->columns;
    for (int64_t j = 0; j < p; j++) {
        double sum[BLOCK] = { 0 };
        if (isnan(l->fit->coefficient[j])) continue;
        for (int64_t k = 0; k < p; k++) {
            double with = l->fit->unscaled[j * p + k];
            if (isnan(l->fit->coefficient[k])) continue;
            for (int64_t i = 0; i < count; i++) sum[i] += with * x[k * count + i];
        }
        for (int64_t i = 0; i < count; i++) out[i] += sum[i] * x[j * count + i];
    }
}

/* Indicators are mostly 0: only what is not is multiplied, in the same order. */
static void leverage_sparse(const Leverages *l, const double *x, int64_t count, const int32_t *column, const int64_t *start, double *out) {
    int64_t p = l->d->columns;
    for (int64_t i = 0; i < count; i++) {
        double h = 0;
        for (int64_t a = start[i]; a < start[i + 1]; a++) {
            double sum = 0;
            for (int64_t b = start[i]; b < start[i + 1]; b++) sum += l->fit->unscaled[column[a] * p + column[b]] * x[column[b] * count + i];
            h += sum * x[column[a] * count + i];
        }
        out[i] = h;
    }
}

static Status leverage_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Leverages *l = self;
    int64_t p = l->d->columns, count = last - first, start[BLOCK + 2] = { 0 };
    double *x = scratch_pool_take(l->pads);
    int32_t *column = (int32_t *)(x + BLOCK * p);
    (void)block, (void)error;
    design_read(l->d, first, count, x);
    for (int64_t j = 0; j < p; j++)
        for (int64_t i = 0; i < count && !isnan(l->fit->coefficient[j]); i++) start[i + 2] += x[j * count + i] != 0;
    for (int64_t i = 1; i <= count; i++) start[i + 1] += start[i];
    if (start[count + 1] * 4 > count * p) leverage_dense(l, x, count, l->out + first);
    else {
        for (int64_t j = 0; j < p; j++) /* start[i + 1] walks from record i's first place to its end */
            for (int64_t i = 0; i < count && !isnan(l->fit->coefficient[j]); i++)
                if (x[j * count + i] != 0) column[start[i + 1]++] = (int32_t)j;
        leverage_sparse(l, x, count, column, start, l->out + first);
    }
    scratch_pool_give(l->pads, x);
    return OK;
}

static Status leverages(Work *work, const Design *d, const LinearFit *fit, double *out) {
    Status status = OK;
    ScratchPool pads = { 0 };
    TRY(scratch_pool_make(work, blocks_of(d->rows, BLOCK), (size_t)(BLOCK * d->columns) * (sizeof(double) + sizeof(int32_t)), &pads));
    TRY(parallel_for(work, d->rows, BLOCK, leverage_block, &(Leverages){ d, fit, out, &pads }));
done:
    scratch_pool_drop(work, &pads);
    return status;
}

/* Levels from this one on, TOGETHER of them at most; or the number itself. */
static Status examine_levels(Run *run, const Design *d, int64_t level, double *leverage, Prediction *sum) {
    Status status = OK;
    LinearFit fit[TOGETHER];
    double *y[TOGETHER] = { NULL };
    int64_t count = !d->level ? 1 : d->levels - level < TOGETHER ? d->levels - level : TOGETHER;
    LinearModel model = { .rows = d->rows, .columns = d->columns, .intercept = true, .read = design_read, .self = d };
    for (int64_t k = 0; k < count; k++) {
        NEW(&run->work, y[k], d->rows);
        for (int64_t i = 0; i < d->rows; i++) y[k][i] = d->level ? d->y[i] == (double)(level + k) : d->y[i];
    }
    TRY(least_squares_several(&run->work, &model, (const double *const *)y, count, fit));
    if (!level) TRY(leverages(&run->work, d, &fit[0], leverage));
    for (int64_t k = 0; k < count; k++) {
        predict(d, &fit[k], y[k], leverage, sum);
        arena_drop(run->work.arena, fit[k].fitted);
    }
done:
    for (int64_t k = 0; k < TOGETHER; k++) arena_drop(run->work.arena, y[k]);
    return status;
}

/* Sums of squares about a mean that is rounded would not be 0. */
static bool is_constant(const Design *d) {
    for (int64_t i = 1; i < d->rows; i++)
        if (d->y[i] != d->y[0]) return false;
    return true;
}

/* A number by least squares; a category by least squares on the indicator of each of its values, the sums of squares added up: then 1 − r2
 * is the share of the Gini uncertainty that is left (Goodman & Kruskal's τ where the predictors are categories too). */
static Status examine(Run *run, const args *a, const Column *column, int64_t *records, double *r2, double *validated) {
    Status status = OK;
    Design d = { 0 };
    Prediction sum = { 0 };
    double *leverage = NULL;
    *r2 = *validated = NAN;
    *records = 0;
    if (column->missing == column->rows) return OK;
    TRY(design_of_columns(&run->work, a->data, column, a->predictors, &d));
    *records = d.rows;
    if (d.rows < 3 || is_constant(&d)) goto done;
    NEW(&run->work, leverage, d.rows);
    for (int64_t level = 0; level < (d.level ? d.levels : 1); level += TOGETHER) TRY(examine_levels(run, &d, level, leverage, &sum));
    if (!(sum.total > 0)) goto done;
    *r2 = fmax(0, 1 - sum.residual / sum.total);
    *validated = 1 - sum.press / sum.press_total;
done: /* the next column has a design of its own, as large */
    arena_drop(run->work.arena, d.y);
    arena_drop(run->work.arena, (int64_t *)(uintptr_t)d.row);
    arena_drop(run->work.arena, leverage);
    return status;
}

static Status predictive_run(Run *run, const void *p) {
    Status status = OK;
    args all = *(const args *)p;
    const args *a = &all;
    Table *completed = NULL;
    double worst = NAN, worst_validated = NAN;
    int64_t worst_records = 0;
    TRY(complete_predictors(&run->work, &a->data, 1, a->predictors, &completed, &all.predictors));
    all.data = completed;
    Grid *grid = grid_new(run->result, "sensitive", "sensitive:text r2:real privacy:real r2_cross_validated:real records:integer");
    for (int64_t j = 0; j < a->sensitive.count; j++) {
        double r2, validated;
        int64_t records;
        for (int64_t k = 0; k < a->predictors.count; k++)
            if (!strcmp(a->predictors.at[k]->name, a->sensitive.at[j]->name))
                TRY(fail(run->work.error, BAD, "'%s' is both sensitive and a predictor", a->sensitive.at[j]->name));
        TRY(examine(run, a, a->sensitive.at[j], &records, &r2, &validated));
        grid_text(grid, a->sensitive.at[j]->name);
        grid_real(grid, r2);
        grid_real(grid, 1 - r2);
        grid_real(grid, validated);
        grid_integer(grid, records);
        if (!isnan(r2) && !(r2 <= worst)) {
            worst = r2;
            worst_validated = validated;
            worst_records = records;
        }
    }
    grid_done(grid);
    if (isnan(worst)) {
        result_null(run->result, "r2", "No sensitive column varies over at least three records.");
        result_null(run->result, "privacy", "There is nothing to predict.");
        result_null(run->result, "r2_cross_validated", "There is nothing to predict.");
    } else {
        result_real(run->result, "r2", worst);
        result_real(run->result, "privacy", 1 - worst);
        result_real(run->result, "r2_cross_validated", worst_validated);
    }
    result_integer(run->result, "records", worst_records);
    result_note(run->result, "Records that lack the sensitive value are left out. A missing predictor enters as 0 with an indicator.");
done:
    table_release(completed);
    return status;
}

const Method risk_predictive = {
    .group = "risk",
    .name = "predictive",
    .summary = "Predictive disclosure: how well other columns predict a sensitive one (inferential disclosure)",
    .source = "Palley & Simonoff 1987; Willenborg & de Waal 2001",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL | ATTRIBUTE | CODES_AS_CATEGORIES,
    .run = predictive_run,
    .values = values,
    .example = "scrim risk predictive examples/clinic.csv --sensitive income --predictors sex,age,education,occupation",
};
