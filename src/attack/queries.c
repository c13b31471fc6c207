/* Queries: a regression learned only through counts and means of cells, never from a record (Palley & Simonoff 1987). */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "method/method.h"

typedef struct {
    const Table *data;
    const Column *sensitive;
    Columns predictors;
    int64_t budget, min_size;
} args;
static const Param params[] = {
    TABLE(args, data, "The table behind the query system", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, sensitive, data, "Numeric column that the intruder wants to learn", .flags = REQUIRED | NUMERIC),
    COLUMNS(args, predictors, data, "Columns that the intruder knows about a target", .flags = REQUIRED, .role = "keys"),
    INT(args, budget, 200, 4, 1000000, "Queries that the intruder may ask. A count is one query, a mean is one query"),
    INT(args, min_size, 5, 1, 1000000000, "A query about fewer records than this is refused"),
    END,
};
static const Return values[] = {
    VALUE(r2, REAL, "R² of the model learned from the answers. 1 = exact, 0 or less = no better than the mean; smaller is safer",
          .flags = PUBLIC),
    VALUE(r2_records, REAL, "R² of a model fitted to the records themselves", .flags = PUBLIC),
    VALUE(queries, INTEGER, "Queries asked", .flags = PUBLIC),
    VALUE(cells, INTEGER, "Cells of the grid of predictors", .flags = PUBLIC),
    VALUE(refused, INTEGER, "Cells whose count was refused", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records predicted", .flags = PUBLIC),
    VALUE(baseline, REAL, "R² of the overall mean, which takes one query", .flags = PUBLIC),
    VALUE(gain, REAL, "r2 − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    TABLE_OUT(grid, "predictor:text parts:integer", "Number of parts of each predictor", .flags = PUBLIC),
    TABLE_OUT(model, "term:text value:text coefficient:real",
              "Coefficients learned from the answers; categories are relative to the most frequent one"),
    END,
};

typedef struct Word {
    int64_t count;
    int32_t code;
} Word;
enum { MOST_WORDS = 64 }; /* parts of a predictor of words: a column of the model each */

/* A predictor cut into parts. Numbers: equal widths of the range, or each value where there are as many parts as values; words: the most
 * frequent on their own, the rest together. */
typedef struct Predictor {
    const Column *column;
    bool number;
    Codes codes;
    const double *value; /* numbers: of each code */
    double least, most;
    int64_t parts;
    const int32_t *part; /* words: of each code */
    const Word *word;    /* words: by frequency */
    int64_t first;       /* its first column in the design */
} Predictor;

/* Records complete in the predictors and the sensitive column are what queries are about. */
typedef struct Asked {
    Predictor *predictor;
    int64_t predictors, rows;
    const int32_t *row;
    const double *y; /* theirs */
    int64_t cells, columns;
} Asked;

static Status read_predictor(Run *run, const Column *column, Predictor *out) {
    Status status = OK;
    *out = (Predictor){ .column = column, .number = column_linear(column), .least = INFINITY, .most = -INFINITY, .parts = 1 };
    TRY(column_codes(&run->work, column, &out->codes));
    if (!out->number) goto done;
    double *value = NULL;
    NEW(&run->work, value, out->codes.count + 1);
    for (int32_t c = 0; c < out->codes.count; c++) {
        value[c] = column_number(column, out->codes.first_row[c]);
        if (isnan(value[c])) continue;
        out->least = fmin(out->least, value[c]);
        out->most = fmax(out->most, value[c]);
    }
    out->value = value;
done:
    return status;
}

static Status take_complete(Run *run, const args *a, Asked *q) {
    Status status = OK;
    int32_t *row = NULL;
    double *y = NULL;
    NEW(&run->work, y, a->data->rows + 1);
    NEW(&run->work, row, a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        bool complete = !column_missing(a->sensitive, i);
        for (int64_t j = 0; j < q->predictors; j++) complete &= q->predictor[j].codes.at[i] >= 0;
        if (!complete) continue;
        y[q->rows] = column_number(a->sensitive, i);
        row[q->rows++] = (int32_t)i;
    }
    q->row = row;
    q->y = y;
done:
    return status;
}

/* The next part goes to the predictor that has fewest, the first-named before the others, while the cells are no more than may be asked:
 * two queries each, besides the count and mean of all; and so few that a cell holds twice the least size on average, since refused cells
 * tell nothing. */
static void choose_parts(const args *a, Asked *q) {
    int64_t by_size = q->rows / (2 * a->min_size), most = (a->budget - 2) / 2;
    if (by_size < most) most = by_size;
    q->cells = 1;
    for (;;) {
        Predictor *next = NULL;
        for (int64_t j = 0; j < q->predictors; j++) {
            Predictor *p = &q->predictor[j];
            int64_t full = !p->number && p->codes.count > MOST_WORDS ? MOST_WORDS : p->codes.count;
            bool fits = p->parts < full && q->cells / p->parts * (p->parts + 1) <= most;
            if (fits && (!next || p->parts < next->parts)) next = p;
        }
        if (!next) return;
        q->cells = q->cells / next->parts * (next->parts + 1);
        next->parts++;
    }
}

static int by_frequency(const void *a, const void *b) {
    const Word *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : (x->code > y->code) - (x->code < y->code);
}

/* Words by frequency: the first parts−1 stand alone. */
static Status part_words(Run *run, const Asked *q, Predictor *p) {
    Status status = OK;
    int64_t *count = NULL;
    int32_t *part = NULL;
    Word *word = NULL;
    NEW(&run->work, word, p->codes.count + 1);
    NEW(&run->work, count, p->codes.count + 1);
    NEW(&run->work, part, p->codes.count + 1);
    for (int64_t k = 0; k < q->rows; k++) count[p->codes.at[q->row[k]]]++;
    for (int32_t v = 0; v < p->codes.count; v++) word[v] = (Word){ count[v], v };
    qsort(word, (size_t)p->codes.count, sizeof *word, by_frequency);
    for (int32_t i = 0; i < p->codes.count; i++) part[word[i].code] = i < p->parts ? i : (int32_t)p->parts - 1;
    p->part = part;
    p->word = word;
done:
    return status;
}

static bool by_value(const Predictor *p) { return p->parts == p->codes.count; }

static int64_t part_of(const Predictor *p, int64_t row) {
    if (!p->number) return p->part[p->codes.at[row]];
    if (by_value(p)) return p->codes.at[row];
    int64_t part = (int64_t)((p->value[p->codes.at[row]] - p->least) / (p->most - p->least) * (double)p->parts);
    return part < p->parts ? part : p->parts - 1;
}

/* What stands for a part in the model: its midpoint, or the value itself where it has but one. */
static double middle(const Predictor *p, int64_t part) {
    if (by_value(p)) return p->value[part];
    return p->least + (p->most - p->least) * ((double)part + 0.5) / (double)p->parts;
}

/* One row of the design: numbers as they are, words as dummies of their part. */
static void design_row(const Asked *q, const int64_t *part, const double *number, double *x, int64_t stride) {
    x[0] = 1;
    for (int64_t j = 0; j < q->predictors; j++) {
        const Predictor *p = &q->predictor[j];
        if (p->parts < 2) continue;
        if (p->number) x[p->first * stride] = number[j];
        else if (part[j]) x[(p->first + part[j] - 1) * stride] = 1;
    }
}

static Status lay_out(Run *run, const args *a, Asked *q) {
    Status status = OK;
    choose_parts(a, q);
    q->columns = 1;
    Grid *grid = grid_new(run->result, "grid", "predictor:text parts:integer");
    for (int64_t j = 0; j < q->predictors; j++) {
        Predictor *p = &q->predictor[j];
        if (!p->number) TRY(part_words(run, q, p));
        p->first = q->columns;
        q->columns += p->number ? p->parts > 1 : p->parts - 1;
        grid_text(grid, p->column->name);
        grid_integer(grid, p->parts);
    }
    grid_done(grid);
done:
    return status;
}

/* The answers: how many records a cell has and their mean, where that is not refused. */
typedef struct Answers {
    int64_t *count;
    double *mean;
    int64_t answered;
} Answers;

static Status ask(Run *run, const args *a, const Asked *q, Answers *out) {
    Status status = OK;
    out->answered = 0;
    NEW(&run->work, out->count, q->cells + 1);
    NEW(&run->work, out->mean, q->cells + 1);
    for (int64_t k = 0; k < q->rows; k++) {
        int64_t cell = 0;
        for (int64_t j = 0; j < q->predictors; j++) cell = cell * q->predictor[j].parts + part_of(&q->predictor[j], q->row[k]);
        out->count[cell]++;
        out->mean[cell] += (q->y[k] - out->mean[cell]) / (double)out->count[cell];
    }
    for (int64_t c = 0; c < q->cells; c++) out->answered += out->count[c] >= a->min_size;
done:
    return status;
}

/* Weighted least squares on the answered cells: a mean of n records has weight n. */
static Status learn(Run *run, const args *a, const Asked *q, const Answers *answers, LinearFit *out) {
    Status status = OK;
    double *x = NULL, *y = NULL, *weight = NULL, *number = NULL;
    int64_t *part = NULL, row = 0;
    NEW(&run->work, x, answers->answered * q->columns + 1);
    NEW(&run->work, y, answers->answered + 1);
    NEW(&run->work, weight, answers->answered + 1);
    NEW(&run->work, number, q->predictors + 1);
    NEW(&run->work, part, q->predictors + 1);
    for (int64_t c = 0; c < q->cells; c++) {
        int64_t rest = c;
        if (answers->count[c] < a->min_size) continue;
        for (int64_t j = q->predictors - 1; j >= 0; j--) {
            const Predictor *p = &q->predictor[j];
            part[j] = rest % p->parts;
            rest /= p->parts;
            number[j] = p->number && p->parts > 1 ? middle(p, part[j]) : 0;
        }
        design_row(q, part, number, x + row, answers->answered);
        y[row] = answers->mean[c];
        weight[row++] = (double)answers->count[c];
    }
    TRY(least_squares(
        &run->work, &(LinearModel){ .rows = answers->answered, .columns = q->columns, .x = x, .y = y, .weight = weight, .intercept = true },
        out));
done:
    return status;
}

/* Rows of the records' own design: what the intruder knows of each target. */
static void read_records(const void *self, int64_t first, int64_t count, double *x) {
    const Asked *q = self;
    memset(x, 0, (size_t)(count * q->columns) * sizeof *x);
    for (int64_t i = 0; i < count; i++) x[i] = 1;
    for (int64_t j = 0; j < q->predictors; j++) {
        const Predictor *p = &q->predictor[j];
        const int32_t *row = q->row + first;
        double *own = x + p->first * count;
        if (p->parts < 2) continue;
        for (int64_t i = 0; i < count; i++) {
            int64_t part = p->number ? 0 : part_of(p, row[i]);
            if (p->number) own[i] = p->value[p->codes.at[row[i]]];
            else if (part) own[(part - 1) * count + i] = 1;
        }
    }
}

/* R² = Σd/Σt with t = (y − ȳ)² and d = t − (y − ŷ)²; the interval is that of a ratio of sums over independent records, the model given:
 * Var ≈ n/(n−1) Σ(d − R²t)² / (Σt)² (Cochran 1977, ch. 6). */
static void report(Run *run, int64_t rows, const double *y, const double *predicted) {
    double n = (double)rows, mean = 0, explained = 0, total = 0, spread = 0;
    for (int64_t i = 0; i < rows; i++) mean += y[i] / n;
    for (int64_t i = 0; i < rows; i++) {
        double t = (y[i] - mean) * (y[i] - mean), residual = y[i] - predicted[i];
        total += t;
        explained += t - residual * residual;
    }
    double r2 = explained / total;
    for (int64_t i = 0; i < rows; i++) {
        double t = (y[i] - mean) * (y[i] - mean), residual = y[i] - predicted[i], off = t - residual * residual - r2 * t;
        spread += off * off;
    }
    double reach = 1.959963984540054 * sqrt(n / (n - 1) * spread) / total;
    result_real(run->result, "r2", r2);
    result_real(run->result, "baseline", 0);
    result_real(run->result, "gain", r2);
    result_real(run->result, "lower", r2 - reach);
    result_real(run->result, "upper", fmin(1, r2 + reach));
}

static void put_model(Run *run, const Asked *q, const LinearFit *fit) {
    Grid *grid = grid_new(run->result, "model", "term:text value:text coefficient:real");
    grid_text(grid, "(Intercept)");
    grid_text(grid, NULL);
    grid_real(grid, fit->coefficient[0]);
    for (int64_t j = 0; j < q->predictors; j++) {
        const Predictor *p = &q->predictor[j];
        for (int64_t k = 1; k < (p->number && p->parts > 1 ? 2 : p->parts); k++) {
            grid_text(grid, p->column->name);
            char number[33];
            bool rest = !p->number && k + 1 == p->parts && p->parts < p->codes.count;
            grid_text(grid, p->number ? NULL : rest ? "(all others)" : column_cell(p->column, p->codes.first_row[p->word[k].code], number));
            grid_real(grid, fit->coefficient[p->first + k - 1]);
        }
    }
    grid_done(grid);
}

/* Nothing varies, or nothing was answered: nothing was learned. */
static bool varies(const Asked *q) {
    for (int64_t k = 1; k < q->rows; k++)
        if (q->y[k] != q->y[0]) return true;
    return false;
}

static void report_nothing(Run *run, const char *why) {
    result_null(run->result, "r2", "%s", why);
    result_real(run->result, "baseline", 0);
    result_real(run->result, "gain", 0);
    result_real(run->result, "lower", 0);
    result_real(run->result, "upper", 0);
}

static Status attack(Run *run, const args *a, const Asked *q, const Answers *answers) {
    Status status = OK;
    LinearFit fit, full;
    double *predicted = NULL;
    TRY(learn(run, a, q, answers, &fit));
    NEW(&run->work, predicted, q->rows + 1);
    LinearModel model = { .rows = q->rows, .columns = q->columns, .y = q->y, .intercept = true, .read = read_records, .self = q };
    TRY(linear_predict(&run->work, &model, fit.coefficient, predicted));
    TRY(least_squares(&run->work, &model, &full));
    report(run, q->rows, q->y, predicted);
    result_real(run->result, "r2_records", full.r2);
    put_model(run, q, &fit);
    if (fit.rank < q->columns) result_note(run->result, "The answers do not determine every coefficient. Missing ones count as 0.");
done:
    return status;
}

static Status queries_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Asked q = { .predictors = a->predictors.count };
    Answers answers;
    NEW(&run->work, q.predictor, q.predictors + 1);
    for (int64_t j = 0; j < q.predictors; j++) {
        if (a->predictors.at[j] == a->sensitive) {
            fail(run->work.error, BAD, "names the sensitive column itself");
            TRY(error_parameter(run->work.error, "predictors"));
        }
        TRY(read_predictor(run, a->predictors.at[j], &q.predictor[j]));
    }
    TRY(take_complete(run, a, &q));
    TRY(lay_out(run, a, &q));
    TRY(ask(run, a, &q, &answers));
    if (!answers.answered) report_nothing(run, "Every query was refused.");
    else if (!varies(&q)) report_nothing(run, "The sensitive column does not vary.");
    else TRY(attack(run, a, &q, &answers));
    result_integer(run->result, "queries", (q.rows < a->min_size ? 1 : 2) + (q.cells > 1 ? q.cells + answers.answered : 0));
    result_integer(run->result, "cells", q.cells);
    result_integer(run->result, "refused", q.cells - answers.answered);
    result_integer(run->result, "records", q.rows);
    if (q.cells == 1 && answers.answered)
        result_note(run->result, "The budget and the smallest query size allow one cell only, so just the overall mean was learned.");
    result_note(run->result, "Records with a missing value in a predictor or in the sensitive column are in no cell. Ranges of numbers and "
                             "the frequent categories count as public.");
done:
    return status;
}

const Method attack_queries = {
    .group = "attack",
    .name = "queries",
    .summary = "Regression attack on a query system: learn a model of the sensitive column from counts and means",
    .source = "Palley & Simonoff 1987",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL,
    .run = queries_run,
    .values = values,
    .example = "scrim attack queries examples/clinic.csv --sensitive income --predictors age,sex,education --budget 100",
};
