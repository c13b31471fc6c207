/* Risk under a log-linear model: smooths the counts over the keys, so that a unique among many neighbours counts less than one in empty
 * space. Defined after Skinner & Shlomo 2008: docs/methods/risk-log-linear.md. */
#include "risk/log_linear/log_linear.h"
#include <string.h>
#include "base/number_text.h"
#include "risk/paired_columns.h"
#include "risk/population.h"
#include "base/extremes.h"

typedef struct {
    const Table *data;
    Columns keys;
    const Column *weight;
    double sampling_fraction;
    unsigned model;
    const Formula *formula;
} args;
enum { AUTO, INDEPENDENCE, TWO_WAY };
static const Param params[] = {
    TABLE(args, data, "Table to examine: a sample", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    REAL(args, sampling_fraction, NAN, 0, 1,
         "Share of the population that is in the sample (default: records over the sum of the weights)"),
    WEIGHT(args, data),
    CHOICE(args, model, "auto", "Model: auto adds pairs of keys to independence until the bias is not significant",
           WORDS("auto", "independence", "two-way")),
    FORMULA(args, formula, data,
            "The full model, instead of --model: ~ a + b + a:b. The keys are factors, and every term includes those within it"),
    END,
};
static const Return values[] = {
    VALUE(tau1, REAL, "Expected number of sample uniques that are population unique. 0 = safe", .flags = PUBLIC),
    VALUE(tau2, REAL, "Expected number of correct matches, with one guess for each sample unique. 0 = safe", .flags = PUBLIC),
    VALUE(b1, REAL,
          "Estimated bias of tau1: positive if the model lacks interactions (underfitting), negative if it has too many (overfitting)",
          .flags = PUBLIC),
    VALUE(b2, REAL, "Estimated bias of tau2, with the same signs", .flags = PUBLIC),
    VALUE(b1_standardised, REAL, "b1 over its standard error. Within ±1.96 the model is acceptable", .flags = PUBLIC),
    VALUE(b2_standardised, REAL, "The same for tau2", .flags = PUBLIC),
    VALUE(model, TEXT, "The model used", .flags = PUBLIC),
    VALUE(sample_uniques, INTEGER, "Sample uniques", .flags = PUBLIC),
    VALUE(cells, INTEGER, "Possible key combinations, including empty ones", .flags = PUBLIC),
    VALUE(sampling_fraction, REAL, "Sampling fraction π, 0 to 1", .flags = PUBLIC),
    TABLE_OUT(models, "model:text tau1:real tau2:real b1_standardised:real b2_standardised:real", "The models tried, in order",
              .flags = PUBLIC),
    RECORD(tau1, REAL, "Estimated probability that a sample unique is population unique"),
    RECORD(tau2, REAL, "Expected 1/F of a sample unique"),
    END,
};

static Status sample_of(Run *run, const args *a, Sample *out) {
    Status status = OK;
    Codes codes[GRID_KEYS];
    int32_t sizes[GRID_KEYS + 1] = { 0 };
    int64_t keys = a->keys.count, left_out = 0;
    for (int64_t k = 0; k < keys && k < GRID_KEYS; k++) {
        TRY(column_codes(&run->work, a->keys.at[k], &codes[k]));
        sizes[k] = codes[k].count;
    }
    TRY(grid_of_cells(&run->work, sizes, keys > GRID_KEYS ? GRID_KEYS + 1 : keys, &out->grid));
    NEW(&run->work, out->count, out->grid.cells);
    if (run_wants(run, "tau1") || run_wants(run, "tau2")) NEW(&run->work, out->cell, a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        int64_t cell = 0;
        for (int64_t k = 0; k < keys && cell >= 0; k++) cell = codes[k].at[i] < 0 ? -1 : cell * out->grid.size[k] + codes[k].at[i];
        if (out->cell) out->cell[i] = (int32_t)cell;
        if (cell >= 0) {
            out->count[cell]++;
            out->records++;
        } else left_out++;
    }
    for (int64_t i = 0; i < out->grid.cells; i++) out->uniques += out->count[i] == 1;
    result_note(run->result, "Records with a missing key were left out: %lld of %lld.", (long long)left_out, (long long)a->data->rows);
done:
    return status;
}

/* The margins of a formula: its terms, but for those within another. */
static Status model_of_formula(Run *run, const args *a, Model *model) {
    Status status = OK;
    for (int64_t t = 0; t < formula_terms(a->formula); t++) {
        uint32_t term = 0;
        for (int64_t i = 0; i < formula_term_size(a->formula, t); i++) {
            const char *column = formula_term_column(a->formula, t, i);
            int64_t k = 0;
            while (column && k < a->keys.count && strcmp(a->keys.at[k]->name, column)) k++;
            if (!column || k == a->keys.count) {
                fail(run->work.error, BAD, "the formula's terms must be keys and their interactions");
                TRY(error_parameter(run->work.error, "formula"));
            }
            term |= UINT32_C(1) << k;
        }
        int64_t kept = 0;
        bool within = false;
        for (int64_t m = 0; m < model->margins; m++) {
            within |= (model->margin[m] & term) == term;
            if ((model->margin[m] & term) != model->margin[m] || within) model->margin[kept++] = model->margin[m];
        }
        model->margins = kept;
        if (within) continue;
        if (kept == MOST_MARGINS) TRY(fail(run->work.error, BAD, "the formula has more than %d terms", MOST_MARGINS));
        model->margin[model->margins++] = term;
    }
done:
    return status;
}

/* "sex + age:region": the margins, which stand for themselves and all within them. */
static const char *model_text(Run *run, const args *a, const Model *model) {
    const char *text = "";
    for (int64_t m = 0; text && m < model->margins; m++) {
        const char *term = "";
        for (int64_t k = 0; term && k < a->keys.count; k++)
            if (model->margin[m] >> k & 1) term = arena_print(run->work.arena, "%s%s%s", term, *term ? ":" : "", a->keys.at[k]->name);
        text = arena_print(run->work.arena, "%s%s%s", text, *text ? " + " : "", term ? term : "");
    }
    return text && *text ? text : "1";
}

static void real_or_null(Run *run, const char *name, double value, double fraction) {
    if (isnan(value))
        result_null(run->result, name,
                    fraction < 1
                        ? "At this sampling fraction no sample unique is likely to be unique in the population: the standard error is 0."
                        : "The sample is the whole population, so there is nothing to estimate.");
    else result_real(run->result, name, value);
}

static void report(Run *run, const args *a, const Sample *sample, const Model *model, const Model *steps, int64_t count) {
    result_real(run->result, "tau1", model->tau1);
    result_real(run->result, "tau2", model->tau2);
    result_real(run->result, "b1", model->b1);
    result_real(run->result, "b2", model->b2);
    real_or_null(run, "b1_standardised", model->standard1, sample->fraction);
    real_or_null(run, "b2_standardised", model->standard2, sample->fraction);
    result_text(run->result, "model", model_text(run, a, model));
    result_integer(run->result, "sample_uniques", sample->uniques);
    result_integer(run->result, "cells", sample->grid.cells);
    result_real(run->result, "sampling_fraction", sample->fraction);
    Grid *grid = grid_new(run->result, "models", "model:text tau1:real tau2:real b1_standardised:real b2_standardised:real");
    for (int64_t s = 0; s < count; s++) {
        grid_text(grid, model_text(run, a, &steps[s]));
        grid_real(grid, steps[s].tau1);
        grid_real(grid, steps[s].tau2);
        grid_real(grid, steps[s].standard1);
        grid_real(grid, steps[s].standard2);
    }
    grid_done(grid);
    if (!model->converged) result_note(run->result, "The fit did not converge in 1000 iterations. The values are approximate.");
    if (fabs(model->standard2) > 1.96)
        result_note(run->result, model->standard2 > 0
                                     ? "The model lacks important interactions (b2 is significantly positive)."
                                     : "The model has more interactions than the data support (b2 is significantly negative).");
}

/* Per record: Pr(F = 1) and E(1/F) where it is a sample unique, 0 where it is not. */
static Status put_records(Run *run, const Sample *sample, const double *mean, int64_t rows) {
    Status status = OK;
    double *one = NULL, *two = NULL;
    if (!sample->cell) return OK;
    NEW(&run->work, one, rows + 1);
    NEW(&run->work, two, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        int64_t cell = sample->cell[i];
        one[i] = cell < 0 ? NAN : sample->count[cell] == 1 ? unique_in_population(mean[cell], sample->fraction) : 0;
        two[i] = cell < 0 ? NAN : sample->count[cell] == 1 ? expected_match(mean[cell], sample->fraction) : 0;
    }
    TRY(put_reals(run, "data", "tau1", one, rows));
    TRY(put_reals(run, "data", "tau2", two, rows));
done:
    return status;
}

static Status log_linear_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Sample sample = { 0 };
    Model *model = NULL, *steps = NULL;
    double *mean = NULL;
    int64_t count = 0;
    TRY(sampling_fraction(run, a->data, a->sampling_fraction, a->weight, NULL, &sample.fraction));
    TRY(sample_of(run, a, &sample));
    NEW(&run->work, model, 1);
    NEW(&run->work, steps, a->keys.count * (a->keys.count + 1) / 2 + 2);
    NEW(&run->work, mean, sample.grid.cells);
    if (!a->formula && a->model == AUTO) TRY(model_search(&run->work, &sample, model, mean, steps, &count));
    else {
        if (a->formula) TRY(model_of_formula(run, a, model));
        else (a->model == TWO_WAY ? all_pairs : independence)(&sample.grid, model);
        TRY(model_fit(&run->work, &sample, model, mean));
        steps[count++] = *model;
    }
    report(run, a, &sample, model, steps, count);
    TRY(put_records(run, &sample, mean, a->data->rows));
done:
    return status;
}

/* Values that a key can have: an upper bound without sorting it. */
static double values_of(const Column *column) {
    double least = INFINITY, most = -INFINITY, rows = fmax(1, (double)column->rows);
    if (column->type == CATEGORY_TYPE) return column->words ? fmax(1, column->words->count) : 1;
    if (column->type != INTEGER_TYPE) return rows;
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        least = smaller(least, (double)column_integer(column, i));
        most = larger(most, (double)column_integer(column, i));
    }
    return smaller(rows, larger(1, most - least + 1));
}

/* A pass over the cells for each margin, a few rounds a model; auto fits every pair at each of about two steps. Too many cells are refused
 * at once. */
static double cost(const void *p) {
    const args *a = p;
    double cells = 1, keys = (double)a->keys.count, pairs = keys * (keys - 1) / 2;
    for (int64_t k = 0; k < a->keys.count; k++) cells *= values_of(a->keys.at[k]);
    if (cells > GRID_CELLS) return 0;
    return 2e-8 * cells * keys * (!a->formula && a->model == AUTO ? 1 + 2 * pairs : 4);
}

const Method risk_log_linear = { .group = "risk",
                                 .name = "log-linear",
                                 .summary = "Risk of sample uniques under a log-linear model (Skinner–Shlomo)",
                                 .source = "Skinner & Shlomo 2008",
                                 .params = params,
                                 .size = sizeof(args),
                                 .traits = FREQUENCY | IDENTITY | POPULATION,
                                 .run = log_linear_run,
                                 .values = values,
                                 .cost = cost,
                                 .example = "scrim risk log-linear examples/clinic.csv --keys sex,region,education,marital --weight w",
                                 .instead = "risk linkage" };
