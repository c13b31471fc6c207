/* protect.top-bottom: values beyond a threshold are replaced by the threshold, by their tail's mean or median, or by a label. Defined
 * after Matthews & Harel 2011, section 2.1: docs/methods/protect-top-bottom.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/ranks.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data;
    const Column *var, *weight;
    double top, bottom, top_quantile, bottom_quantile;
    unsigned replace;
} args;
enum { THRESHOLD, TAIL_MEAN, TAIL_MEDIAN, LABEL };

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, var, data, "Column to code", .flags = REQUIRED | NUMERIC),
    REAL(args, top, NAN, -INFINITY, INFINITY, "Top threshold: values above it are replaced"),
    REAL(args, bottom, NAN, -INFINITY, INFINITY, "Bottom threshold: values below it are replaced"),
    REAL(args, top_quantile, NAN, 0, 1, "Top threshold as a quantile, such as 0.99"),
    REAL(args, bottom_quantile, NAN, 0, 1, "Bottom threshold as a quantile"),
    CHOICE(args, replace, "threshold", "Replacement of a value beyond the threshold",
           WORDS("threshold", "tail-mean", "tail-median", "label")),
    COLUMN(args, weight, data, "Sampling weights: quantiles, tail means and tail medians are those of the population", .flags = NUMERIC),
    END,
};

/* One tail: which records, and what they become. */
typedef struct {
    double threshold, replacement, population;
    int64_t records;
    char label[48];
} Tail;
/* The values in order, each with the records up to and with it, and their weights. A row stands for one record, or in a roll for several.
 */
typedef struct {
    const double *x;
    bool weighted;
    int64_t rows, count;
    int64_t *order, *upto;
    WeightSum *own, *cumulated; /* where there are weights */
} Sorted;

static Status weigh_values(Work *work, const args *a, Sorted *s) {
    Status status = OK;
    WeightSum sum = 0;
    NEW(work, s->own, s->rows + 1);
    NEW(work, s->cumulated, s->rows + 1);
    for (int64_t i = 0; i < s->count; i++) {
        int64_t row = s->order[i];
        TRY(work_weight(work, row, column_number(a->weight, row), &s->own[i]));
        s->cumulated[i] = sum += s->own[i];
    }
done:
    return status;
}

static Status sort_values(Work *work, const args *a, Sorted *s) {
    Status status = OK;
    int64_t records = 0;
    *s = (Sorted){ .rows = a->data->rows, .weighted = a->weight != NULL };
    TRY(column_reals(work, a->var, &s->x));
    NEW(work, s->order, s->rows + 1);
    NEW(work, s->upto, s->rows + 1);
    TRY(order_reals(work, s->x, s->rows, s->order, &s->count));
    for (int64_t i = 0; i < s->count; i++) s->upto[i] = records += work_times(work, s->order[i]);
    if (a->weight) TRY(weigh_values(work, a, s));
done:
    return status;
}

/* The records up to value i, exclusive. */
static int64_t before(const Sorted *s, int64_t i) { return i ? s->upto[i - 1] : 0; }
static double value_at(const Sorted *s, int64_t rank) {
    int64_t low = 0, high = s->count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->upto[middle] > rank) high = middle;
        else low = middle + 1;
    }
    return s->x[s->order[low]];
}

static double population(const Sorted *s, int64_t first, int64_t last) {
    if (first >= last) return 0;
    return s->weighted ? weight_real(s->cumulated[last - 1] - (first ? s->cumulated[first - 1] : 0))
                       : (double)(before(s, last) - before(s, first));
}

/* Quantile of the values first…last-1: unweighted by interpolation over records (type 7); weighted, the least value whose cumulated weight
 * reaches the share. */
static double quantile(const Sorted *s, int64_t first, int64_t last, double p) {
    if (first >= last) return NAN;
    if (!s->weighted) {
        int64_t from = before(s, first), to = before(s, last);
        double place = (double)from + p * (double)(to - from - 1), share = place - floor(place);
        int64_t at = (int64_t)place;
        double low = value_at(s, at);
        return at + 1 < to && share > 0 ? low + share * (value_at(s, at + 1) - low) : low;
    }
    double start = first ? weight_real(s->cumulated[first - 1]) : 0, target = start + p * (weight_real(s->cumulated[last - 1]) - start);
    int64_t at = first;
    while (at + 1 < last && weight_real(s->cumulated[at]) < target) at++;
    return s->x[s->order[at]];
}

static double mean(const Sorted *s, int64_t first, int64_t last) {
    ExactSum sum = { 0 };
    double weights = population(s, first, last);
    for (int64_t i = first; i < last; i++) {
        double x = s->x[s->order[i]];
        if (s->weighted) exact_sum_add_weighted(&sum, s->own[i], x);
        else exact_sum_add_times(&sum, x, s->upto[i] - before(s, i));
    }
    return weights > 0 ? exact_sum_real(&sum) / weights : NAN;
}

static void fill_tail(const Sorted *s, const args *a, int64_t first, int64_t last, const char *sign, Tail *tail) {
    char number[33];
    tail->records = before(s, last) - before(s, first);
    tail->population = population(s, first, last);
    tail->replacement = tail->threshold;
    if (a->replace == TAIL_MEAN) tail->replacement = mean(s, first, last);
    if (a->replace == TAIL_MEDIAN) tail->replacement = quantile(s, first, last, 0.5);
    strcpy(tail->label, sign);
    strcat(tail->label, real_text(tail->threshold, number));
}

static Status make_tails(Work *work, const args *a, const Sorted *s, Tail *top, Tail *bottom) {
    int64_t low = 0, high = s->count;
    top->threshold = isnan(a->top_quantile) ? a->top : quantile(s, 0, s->count, a->top_quantile);
    bottom->threshold = isnan(a->bottom_quantile) ? a->bottom : quantile(s, 0, s->count, a->bottom_quantile);
    if (bottom->threshold > top->threshold) {
        fail(work->error, BAD, "the bottom threshold is above the top one");
        return error_column(work->error, a->var->name);
    }
    while (low < s->count && s->x[s->order[low]] < bottom->threshold) low++;
    while (high > low && s->x[s->order[high - 1]] > top->threshold) high--;
    fill_tail(s, a, 0, low, "<", bottom);
    fill_tail(s, a, high, s->count, ">", top);
    return OK;
}

static const Tail *tail_of(double x, const Tail *top, const Tail *bottom) {
    return x > top->threshold ? top : x < bottom->threshold ? bottom : NULL;
}

static Status numbers(Work *work, const args *a, const Sorted *s, const Tail *top, const Tail *bottom, Column **out) {
    Status status = OK;
    double *y = NULL;
    NEW(work, y, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        const Tail *tail = tail_of(s->x[i], top, bottom);
        y[i] = tail ? tail->replacement : s->x[i];
    }
    TRY(column_of_reals(a->var, y, out, work->error));
done:
    return status;
}

static Status labels(Work *work, const args *a, const Sorted *s, const Tail *top, const Tail *bottom, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    char number[33];
    NEW(work, cells, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        const Tail *tail = tail_of(s->x[i], top, bottom);
        const char *cell = tail ? tail->label : column_cell(a->var, i, number);
        cells[i] = cell == number ? arena_text(work->arena, cell) : cell;
        if (cell && !cells[i]) TRY(out_of_memory(work->error));
    }
    TRY(column_category(a->var->name, cells, s->rows, out, work->error));
done:
    return status;
}

static Status state_treatment(Work *work, const args *a, const Tail *top, const Tail *bottom, Column *made) {
    char low[33], high[33];
    const bool labelled = a->replace == LABEL;
    const char *to[] = { labelled ? bottom->label : real_text(bottom->replacement, low),
                         labelled ? top->label : real_text(top->replacement, high) };
    Treatment *treatment = treatment_new(TREATED_CODED, 2, NULL, to, NULL);
    if (treatment) {
        treatment->low = bottom->threshold;
        treatment->high = top->threshold;
    }
    return column_treat(made, treatment, work->error);
}

static void say(Run *run, const args *a, const Sorted *s, const Tail *top, const Tail *bottom) {
    Grid *grid = grid_new(run->result, "tails",
                          a->weight ? "tail:text threshold:real replacement:text records:integer population:real"
                                    : "tail:text threshold:real replacement:text records:integer");
    for (int i = 0; i < 2; i++) {
        const Tail *tail = i ? bottom : top;
        char number[33];
        if (isnan(tail->threshold)) continue;
        grid_text(grid, i ? "bottom" : "top");
        grid_real(grid, tail->threshold);
        grid_text(grid, !tail->records ? NULL : a->replace == LABEL ? tail->label : real_text(tail->replacement, number));
        grid_integer(grid, tail->records);
        if (a->weight) grid_real(grid, tail->population);
        if (tail->records && tail->records < 3 && a->replace != THRESHOLD && a->replace != LABEL)
            result_note(run->result,
                        "Warning: the %s tail holds %lld record%s: its %s discloses %s. Choose a lower quantile, or --replace threshold.",
                        i ? "bottom" : "top", (long long)tail->records, tail->records == 1 ? "" : "s",
                        a->replace == TAIL_MEAN ? "mean" : "median", tail->records == 1 ? "the value" : "values");
    }
    grid_done(grid);
    if (a->replace == TAIL_MEAN)
        result_note(run->result, "The column's %smean is preserved. Its variance is smaller than the original's.",
                    a->weight ? "weighted " : "");
    if (s->count < s->rows) result_note(run->result, "Missing values stay missing.");
}

static Status top_bottom_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column *made = NULL;
    Sorted s;
    Tail top = { 0 }, bottom = { 0 };
    if (isnan(a->top) && isnan(a->bottom) && isnan(a->top_quantile) && isnan(a->bottom_quantile))
        return fail(work->error, BAD, "protect top-bottom needs --top, --bottom, --top-quantile or --bottom-quantile");
    if ((!isnan(a->top) && !isnan(a->top_quantile)) || (!isnan(a->bottom) && !isnan(a->bottom_quantile)))
        return fail(work->error, BAD, "a threshold is given either as a value or as a quantile");
    TRY(sort_values(work, a, &s));
    TRY(make_tails(work, a, &s, &top, &bottom));
    result_integer(run->result, "top_coded", top.records);
    result_integer(run->result, "bottom_coded", bottom.records);
    TRY((a->replace == LABEL ? labels : numbers)(work, a, &s, &top, &bottom, &made));
    TRY(state_treatment(work, a, &top, &bottom, made));
    TRY(output_changed(run, a->data, &made, 1));
    say(run, a, &s, &top, &bottom);
done:
    column_release(made);
    return status;
}

static const Return values[] = {
    VALUE(top_coded, INTEGER, "Records above the top threshold", .flags = PUBLIC),
    VALUE(bottom_coded, INTEGER, "Records below the bottom threshold", .flags = PUBLIC),
    CHANGED_VALUES,
    TABLE_OUT(tails, "tail:text threshold:real replacement:text records:integer", "Each tail: its threshold, the replacement, its records"),
    RELEASED("The protected table"),
    END,
};

static const InParts in_parts = { .shape = BY_CLASS };

/* A threshold that is given looks at one value; a quantile, and the mean or median of a tail, at all of them. */
static bool looks_at_one(const Args *given) {
    const Arg *replace = args_find(given, "replace");
    bool by_threshold = !replace || (replace->count == 1 && replace->items && !strcmp(replace->items[0], "threshold"));
    return by_threshold && !args_any(given, WORDS("top_quantile", "bottom_quantile", "weight"));
}

const Method protect_top_bottom = {
    .group = "protect",
    .name = "top-bottom",
    .summary = "Top and bottom coding of a numeric column",
    .source = "Matthews & Harel 2011, section 2.1",
    .params = params,
    .size = sizeof(args),
    .record_by_record = looks_at_one,
    .traits = IDENTITY | ATTRIBUTE,
    .run = top_bottom_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect top-bottom examples/clinic.csv --var income --top-quantile 0.95 --replace tail-mean",
};
