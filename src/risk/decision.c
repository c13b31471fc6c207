/* The intruder's decision (Duncan & Lambert 1989): the guess of least expected loss, and that loss: the larger, the safer. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/number_text.h"
#include "math/linear/least_squares.h"
#include "math/tree/tree.h"
#include "risk/design_matrix.h"
#include "risk/belief.h"
#include "risk/paired_columns.h"
#include "table/complete_predictors.h"

typedef struct {
    const Table *data, *posterior, *loss_table;
    const Column *sensitive;
    Columns vars;
    unsigned loss;
} args;
enum { ZERO_ONE, SQUARED, ABSOLUTE };
enum { BLOCK = 512 }; /* rows of a design at once */
static const Param params[] = {
    TABLE(args, data, "Table from which --sensitive is predicted by --vars", .flags = POSITIONAL),
    TABLE(args, posterior, "Beliefs of the intruder: columns value, probability and, if there are several records, record"),
    COLUMN(args, sensitive, data, "Sensitive column that the intruder wants to learn"),
    COLUMNS(args, vars, data, "Columns that the intruder may know", .role = "keys"),
    CHOICE(args, loss, "zero-one", "Loss of a wrong guess", WORDS("zero-one", "squared", "absolute")),
    TABLE(args, loss_table, "Table of losses with the columns guess, truth and loss, instead of --loss"),
    END,
};
static const Return values[] = {
    VALUE(uncertainty, REAL, "Uncertainty U: smallest expected loss over guesses, for the record at highest risk. Larger is safer"),
    VALUE(best_guess, TEXT, "Guess that attains it, if beliefs were given"),
    VALUE(mean_uncertainty, REAL, "Mean of U over records. Larger is safer", .flags = PUBLIC),
    VALUE(baseline, REAL,
          "Expected loss of an intruder who knows only the column's distribution. The difference to it is due to the other columns",
          .flags = PUBLIC),
    TABLE_OUT(guesses, "record:text guess:text uncertainty:real", "Each record of --posterior: the best guess and its U"),
    END,
};

typedef struct Guess {
    double uncertainty, number;
    const char *label;
} Guess;

/* ---- The best guess under a distribution ---- */

static int by_number(const void *a, const void *b) {
    double x = **(const double *const *)a, y = **(const double *const *)b;
    return (x > y) - (x < y);
}

/* Squared: the mean, U the variance. Absolute: the median. Zero-one: the mode, U = 1 − its probability. */
static Status guess_by_loss(Work *work, const Distribution *d, unsigned loss, Guess *out) {
    Status status = OK;
    const double **order = NULL;
    *out = (Guess){ .number = 0 };
    if (loss == ZERO_ONE) {
        int64_t mode = 0;
        for (int64_t k = 1; k < d->count; k++)
            if (d->probability[k] > d->probability[mode]) mode = k;
        *out = (Guess){ uncertainty_of(d, MISCLASSIFICATION), d->number[mode], d->label[mode] };
    } else if (loss == SQUARED) {
        for (int64_t k = 0; k < d->count; k++) out->number += d->probability[k] * d->number[k];
        out->uncertainty = uncertainty_of(d, VARIANCE);
    } else {
        double below = 0;
        int64_t k = 0;
        NEW(work, order, d->count);
        for (int64_t i = 0; i < d->count; i++) order[i] = &d->number[i];
        qsort(order, (size_t)d->count, sizeof *order, by_number);
        while (k < d->count - 1 && below + d->probability[order[k] - d->number] < 0.5 - 1e-12)
            below += d->probability[order[k++] - d->number];
        out->number = *order[k];
        for (int64_t i = 0; i < d->count; i++) out->uncertainty += d->probability[i] * fabs(d->number[i] - out->number);
    }
done:
    return status;
}

/* What each guess costs where each value is the truth, by the labels of the table. */
typedef struct Losses {
    int64_t guesses, truths;
    const char **guess, **truth;
    double *cost; /* guess × truth, NaN: not said */
} Losses;

static int64_t place_of(const char **words, int64_t *count, const char *word) {
    for (int64_t i = 0; i < *count; i++)
        if (!strcmp(words[i], word)) return i;
    words[*count] = word;
    return (*count)++;
}

static Status losses_read(Run *run, const Table *table, Losses *out) {
    Status status = OK;
    const Column *guess = table_column(table, "guess"), *truth = table_column(table, "truth"), *loss = table_column(table, "loss");
    int64_t rows = table->rows, *g = NULL, *t = NULL;
    char text[33];
    if (!guess || !truth || !loss || !column_numeric(loss) || guess->missing || truth->missing || loss->missing || !rows) {
        fail(run->work.error, BAD, "a table of losses has the columns guess, truth and loss (a number), and nothing is missing in it");
        TRY(error_parameter(run->work.error, "loss-table"));
    }
    NEW(&run->work, out->guess, rows);
    NEW(&run->work, out->truth, rows);
    NEW(&run->work, g, rows);
    NEW(&run->work, t, rows);
    for (int64_t i = 0; i < rows; i++) {
        g[i] = place_of(out->guess, &out->guesses, arena_text(run->work.arena, column_cell(guess, i, text)));
        t[i] = place_of(out->truth, &out->truths, arena_text(run->work.arena, column_cell(truth, i, text)));
    }
    NEW(&run->work, out->cost, out->guesses * out->truths);
    for (int64_t i = 0; i < out->guesses * out->truths; i++) out->cost[i] = NAN;
    for (int64_t i = 0; i < rows; i++) out->cost[g[i] * out->truths + t[i]] = column_number(loss, i);
done:
    return status;
}

/* U = min over t of Σ L(t, s)p(s). */
static Status guess_by_table(Run *run, const Distribution *d, const Losses *losses, Guess *out) {
    *out = (Guess){ .uncertainty = INFINITY, .number = NAN };
    for (int64_t g = 0; g < losses->guesses; g++) {
        double expected = 0;
        for (int64_t k = 0; k < d->count; k++) {
            int64_t t = 0;
            if (!(d->probability[k] > 0)) continue;
            while (t < losses->truths && strcmp(losses->truth[t], d->label[k])) t++;
            expected += d->probability[k] * (t < losses->truths ? losses->cost[g * losses->truths + t] : NAN);
        }
        if (isnan(expected)) {
            fail(run->work.error, BAD, "a guess has no loss for a possible value");
            return error_parameter(run->work.error, "loss-table");
        }
        if (expected < out->uncertainty) *out = (Guess){ expected, NAN, losses->guess[g] };
    }
    return OK;
}

static Status best_guess(Run *run, const args *a, const Distribution *d, const Losses *losses, Guess *out) {
    if (a->loss_table) return guess_by_table(run, d, losses, out);
    if (a->loss == ZERO_ONE || distribution_numeric(d)) return guess_by_loss(&run->work, d, a->loss, out);
    fail(run->work.error, BAD, "%s loss needs values that are numbers", a->loss == SQUARED ? "squared" : "absolute");
    return error_parameter(run->work.error, "loss");
}

/* ---- Beliefs that were given ---- */

static Status from_beliefs(Run *run, const args *a, const Losses *losses) {
    Status status = OK;
    Distributions all;
    Guess worst = { .uncertainty = INFINITY };
    double mean = 0;
    char number[33];
    TRY(distributions_read(run, a->posterior, "posterior", &all));
    Grid *grid = grid_new(run->result, "guesses", "record:text guess:text uncertainty:real");
    for (int64_t c = 0; c < all.count; c++) {
        Guess guess;
        TRY(best_guess(run, a, &all.at[c], losses, &guess));
        if (!guess.label) guess.label = arena_print(run->work.arena, "%s", real_short(guess.number, 15, number));
        grid_text(grid, all.record[c]);
        grid_text(grid, guess.label);
        grid_real(grid, guess.uncertainty);
        mean += guess.uncertainty / (double)all.count;
        if (guess.uncertainty < worst.uncertainty) worst = guess;
    }
    grid_done(grid);
    result_real(run->result, "uncertainty", worst.uncertainty);
    result_text(run->result, "best_guess", worst.label);
    result_real(run->result, "mean_uncertainty", mean);
    result_null(run->result, "baseline", "Beliefs were given, so the intruder's prior belief is unknown. See risk knowledge.");
done:
    return status;
}

/* ---- Beliefs from a predictive model ---- */

typedef struct Predicted {
    double *uncertainty, baseline;
} Predicted;

/* The variance that a regression on the other records leaves for record i: normal about their prediction with s₋ᵢ²(1 + h₋ᵢ), which is
 * s₋ᵢ²/(1−h), h the leverage in the fit of all; s₋ᵢ² = (RSS − e²/(1−h))/(df − 1) is theirs, without i (Cook & Weisberg 1982, 2.2). NaN
 * where the others cannot predict it. */
static double variance_without(const double *x, int64_t stride, double y, const LinearFit *fit, double *error) {
    double h = 0, e = y;
    for (int64_t j = 0; j < fit->columns; j++) {
        double xj = x[j * stride];
        if (isnan(fit->coefficient[j]) || xj == 0) continue; /* which adds nothing */
        e -= fit->coefficient[j] * xj;
        for (int64_t k = 0; k < fit->columns; k++)
            if (!isnan(fit->coefficient[k])) h += xj * fit->unscaled[j * fit->columns + k] * x[k * stride];
    }
    if (!(h < 1 - 1e-9) || fit->residual_df < 2) return NAN;
    double left = fmax(0, fit->residual_sum - e * e / (1 - h)) / (double)(fit->residual_df - 1);
    *error = e / (1 - h);
    return left / (1 - h);
}

/* The mean absolute deviation from the median: what the guess of least expected loss costs anyone who knows the distribution alone. */
static Status absolute_baseline(Run *run, const Design *d, double *out) {
    Status status = OK;
    double *y = NULL;
    NEW(&run->work, y, d->rows);
    memcpy(y, d->y, (size_t)d->rows * sizeof *y);
    qsort(y, (size_t)d->rows, sizeof *y, ascending_real);
    const double median = y[d->rows / 2];
    *out = 0;
    for (int64_t i = 0; i < d->rows; i++) *out += fabs(y[i] - median) / (double)d->rows;
done:
    return status;
}

/* A number, from a regression on the other records. Absolute loss: of how many standard deviations the errors are on average is taken from
 * the errors themselves (√(2/π) if they were normal; incomes are not). */
static Status predict_number(Run *run, const args *a, Predicted *out) {
    Status status = OK;
    Table *completed = NULL;
    Columns vars = { 0 };
    Design d;
    LinearFit fit;
    double mean = 0, square = 0, errors = 0, deviations = 0, *x = NULL;
    TRY(complete_predictors(&run->work, &a->data, 1, a->vars, &completed, &vars));
    TRY(design_of_columns(&run->work, completed, a->sensitive, vars, &d));
    if (d.rows < 3) goto done;
    LinearModel model = { .rows = d.rows, .columns = d.columns, .y = d.y, .intercept = true, .read = design_read, .self = &d };
    TRY(least_squares(&run->work, &model, &fit));
    for (int64_t i = 0; i < d.rows; i++) mean += d.y[i] / (double)d.rows;
    for (int64_t i = 0; i < d.rows; i++) square += (d.y[i] - mean) * (d.y[i] - mean);
    square /= (double)(d.rows - 1);
    out->baseline = square;
    if (a->loss == ABSOLUTE) TRY(absolute_baseline(run, &d, &out->baseline));
    NEW(&run->work, x, BLOCK * d.columns);
    for (int64_t i = 0; i < d.rows; i++) {
        int64_t first = i / BLOCK * BLOCK, count = d.rows - first < BLOCK ? d.rows - first : BLOCK;
        if (i == first) design_read(&d, first, count, x);
        double error = d.y[i] - mean, variance = variance_without(x + i - first, count, d.y[i], &fit, &error);
        if (isnan(variance)) variance = square; /* nothing but the column's distribution is left to go by */
        out->uncertainty[d.row[i]] = a->loss == ABSOLUTE ? sqrt(variance) : variance;
        errors += fabs(error);
        deviations += sqrt(variance);
    }
    for (int64_t i = 0; a->loss == ABSOLUTE && i < d.rows; i++) out->uncertainty[d.row[i]] *= deviations > 0 ? errors / deviations : 1;
done:
    table_release(completed);
    return status;
}

/* The shares of a node, without one record where it is among them; the whole table's where nobody is left. */
static Distribution shares_without(const double *count, const double *all, int32_t levels, int32_t own, const char **label, double *number,
                                   double *probability) {
    double total = 0;
    for (int32_t v = 0; v < levels; v++) total += count[v];
    const double *from = total > 1.5 ? count : all;
    total = 0;
    for (int32_t v = 0; v < levels; v++) total += probability[v] = from[v] - (v == own);
    for (int32_t v = 0; v < levels; v++) probability[v] = total > 0 ? probability[v] / total : 1.0 / levels;
    return (Distribution){ .count = levels, .label = label, .number = number, .probability = probability };
}

/* A category, from a classification tree: the shares among the others of its leaf (at least five). */
typedef struct Leaves {
    TreeData data;
    Tree tree;
    Codes codes;
    int64_t count, *row; /* of those whose value is known; NULL: all */
    double *in, *all;
    const char **label;
} Leaves;
static int64_t row_of(const Leaves *l, int64_t i) { return l->row ? l->row[i] : i; }

static Status grow(Run *run, const args *a, Leaves *out) {
    Status status = OK;
    TreeColumn *columns = NULL;
    const int32_t *y = NULL;
    int32_t *some = NULL;
    Column **known = NULL;
    Columns vars = { 0 };
    char text[33];
    TRY(column_codes(&run->work, a->sensitive, &out->codes));
    NEW(&run->work, columns, a->vars.count + 1);
    NEW(&run->work, known, a->vars.count + 1);
    y = out->codes.at;
    out->count = a->data->rows;
    if (a->sensitive->valid) {
        NEW(&run->work, out->row, a->data->rows + 1);
        NEW(&run->work, some, a->data->rows + 1);
        y = some;
        out->count = 0;
        for (int64_t i = 0; i < a->data->rows; i++)
            if (out->codes.at[i] >= 0) {
                some[out->count] = out->codes.at[i];
                out->row[out->count++] = i;
            }
    }
    if (!out->count) goto done;
    for (; out->row && vars.count < a->vars.count; vars.count++)
        TRY(column_take(a->vars.at[vars.count], out->row, out->count, &known[vars.count], run->work.error));
    vars.at = (const Column **)known;
    TRY(tree_columns(&run->work, out->row ? vars : a->vars, columns));
    TRY(tree_data(&run->work, columns, a->vars.count, out->count, &out->data));
    TRY(tree_grow(&run->work, &out->data, &(TreeResponse){ .code = y, .codes = out->codes.count },
                  &(TreeOptions){ .min_leaf = 5, .complexity = 0.01 }, &out->tree));
    NEW(&run->work, out->in, out->tree.nodes * out->codes.count + 1);
    NEW(&run->work, out->all, out->codes.count + 1);
    NEW(&run->work, out->label, out->codes.count + 1);
    for (int32_t v = 0; v < out->codes.count; v++)
        out->label[v] = arena_text(run->work.arena, column_cell(a->sensitive, out->codes.first_row[v], text));
    for (int64_t i = 0; i < out->count; i++) {
        out->in[(int64_t)out->tree.leaf[i] * out->codes.count + y[i]]++;
        out->all[y[i]]++;
    }
done:
    for (int64_t j = 0; j < vars.count; j++) column_release(known[j]);
    return status;
}

/* How often the commonest value of some shares is there, and of how many values that is true. */
typedef struct Top {
    double total, most, values;
} Top;
static Top top_of(const double *count, int32_t levels) {
    Top top = { 0 };
    for (int32_t v = 0; v < levels; v++) {
        top.total += count[v];
        if (count[v] > top.most) top = (Top){ top.total, count[v], 0 };
        top.values += count[v] == top.most;
    }
    return top;
}

/* Zero-one loss: 1 − the largest of shares_without, of which a node's commonest value tells all. */
static Status modes(Run *run, const Leaves *l, double *uncertainty) {
    Status status = OK;
    int32_t levels = l->codes.count;
    Top *top = NULL, all = top_of(l->all, levels);
    NEW(&run->work, top, l->tree.nodes);
    for (int64_t n = 0; n < l->tree.nodes; n++) top[n] = top_of(l->in + n * levels, levels);
    for (int64_t i = 0; i < l->count; i++) {
        int64_t n = l->tree.leaf[i], own = l->codes.at[row_of(l, i)];
        bool others = top[n].total > 1.5;
        Top t = others ? top[n] : all;
        double mine = others ? l->in[n * levels + own] : l->all[own];
        double most = t.most - (mine == t.most && t.values == 1);
        uncertainty[row_of(l, i)] = 1 - most / (t.total - 1); /* there are at least two records */
    }
done:
    return status;
}

/* By a table of losses, once for each node and value. */
static Status by_losses(Run *run, const Leaves *l, const args *a, const Losses *losses, double *number, double *uncertainty) {
    Status status = OK;
    int32_t levels = l->codes.count;
    double *probability = NULL, *told = NULL;
    Guess guess;
    NEW(&run->work, probability, levels);
    NEW(&run->work, told, l->tree.nodes * levels);
    for (int64_t k = 0; k < l->tree.nodes * levels; k++) told[k] = NAN;
    for (int64_t i = 0; i < l->count; i++) {
        int64_t first = (int64_t)l->tree.leaf[i] * levels;
        int32_t own = l->codes.at[row_of(l, i)];
        if (isnan(told[first + own])) {
            Distribution d = shares_without(l->in + first, l->all, levels, own, l->label, number, probability);
            TRY(best_guess(run, a, &d, losses, &guess));
            told[first + own] = guess.uncertainty;
        }
        uncertainty[row_of(l, i)] = told[first + own];
    }
done:
    return status;
}

static Status predict_category(Run *run, const args *a, const Losses *losses, Predicted *out) {
    Status status = OK;
    Leaves l = { 0 };
    double *number = NULL, *probability = NULL;
    Guess guess;
    TRY(grow(run, a, &l));
    if (l.count < 2) goto done;
    NEW(&run->work, number, l.codes.count);
    NEW(&run->work, probability, l.codes.count);
    for (int32_t v = 0; v < l.codes.count; v++)
        number[v] = column_numeric(a->sensitive) ? column_number(a->sensitive, l.codes.first_row[v]) : NAN;
    Distribution d = shares_without(l.all, l.all, l.codes.count, -1, l.label, number, probability);
    TRY(best_guess(run, a, &d, losses, &guess));
    out->baseline = guess.uncertainty;
    TRY(a->loss_table ? by_losses(run, &l, a, losses, number, out->uncertainty) : modes(run, &l, out->uncertainty));
done:
    return status;
}

static Status from_model(Run *run, const args *a, const Losses *losses) {
    Status status = OK;
    Predicted predicted = { .baseline = NAN };
    double least = INFINITY, sum = 0;
    int64_t known = 0, rows = a->data->rows;
    NEW(&run->work, predicted.uncertainty, rows + 1);
    for (int64_t i = 0; i < rows; i++) predicted.uncertainty[i] = NAN;
    bool number = column_numeric(a->sensitive) && !a->loss_table && a->loss != ZERO_ONE;
    if (a->sensitive->missing < rows) TRY(number ? predict_number(run, a, &predicted) : predict_category(run, a, losses, &predicted));
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(predicted.uncertainty[i])) continue;
        known++;
        sum += predicted.uncertainty[i];
        least = fmin(least, predicted.uncertainty[i]);
    }
    if (known) result_real(run->result, "uncertainty", least);
    else result_null(run->result, "uncertainty", "There are too few records to predict from.");
    result_real(run->result, "mean_uncertainty", known ? sum / (double)known : NAN);
    result_real(run->result, "baseline", predicted.baseline);
    result_note(run->result, number ? "Predicted by a regression on the other records. A missing predictor enters as 0 with an indicator."
                                    : "Predicted by a classification tree, from the shares of the other records in a record's leaf.");
    TRY(put_reals(run, "data", "uncertainty", predicted.uncertainty, rows));
done:
    return status;
}

static Status decision_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Losses losses = { 0 };
    if (a->loss_table) TRY(losses_read(run, a->loss_table, &losses));
    if (a->posterior) TRY(from_beliefs(run, a, &losses));
    else if (a->data && a->sensitive && a->vars.count) TRY(from_model(run, a, &losses));
    else TRY(fail(run->work.error, BAD, "decision needs --posterior, or a table with --sensitive and --vars"));
done:
    return status;
}

const Method risk_decision = {
    .group = "risk",
    .name = "decision",
    .summary = "Decision-theoretic risk: smallest expected loss of an intruder's best guess",
    .source = "Duncan & Lambert 1989; Lambert 1993",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL | ATTRIBUTE | CODES_AS_CATEGORIES,
    .run = decision_run,
    .values = values,
    .example = "scrim risk decision --posterior examples/belief-posterior.csv --loss-table examples/belief-loss.csv",
};
