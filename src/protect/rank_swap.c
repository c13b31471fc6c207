/* protect.rank-swap: rank-based proximity swapping: values are exchanged between records of similar rank. Defined after Greenberg 1987;
 * Moore 1996: docs/methods/protect-rank-swap.md. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/ranks.h"
#include "protect/changed_table.h"
#include "classes/strata.h"

typedef struct {
    const Table *data;
    Columns vars, strata;
    double range, correlation;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to swap, each separately", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    REAL(args, range, NAN, 0, 100,
         "p: values are exchanged between ranks that differ by at most p percent of the records. Larger = more protection"),
    REAL(args, correlation, NAN, 0, 1, "R0: use the widest range at which each column keeps this correlation with its original",
         .flags = EXCLUSIVE),
    ONE_OF("range", "correlation"),
    COLUMNS(args, strata, data, "Values are exchanged within each stratum; ranks are those of the stratum"),
    END,
};

/* One column: its rows in order of value, stratum by stratum; where each record's new value comes from. */
typedef struct {
    const double *x;
    int64_t count, *sorted, *begin; /* sorted[begin[s]] … sorted[begin[s+1]-1]: a stratum's rows with a value, ascending */
    uint8_t *taken;                 /* by place in `sorted` */
    int64_t *from;                  /* by row; -1 = missing */
    int64_t swapped, furthest;
    RandomStream stream;
} Ranked;
typedef struct {
    Run *run;
    const args *a;
    Strata strata;
    Ranked *column;
    double range;
} Swapping;

static Status rank(Swapping *w, int64_t v) {
    Status status = OK;
    Work *work = &w->run->work;
    Ranked *c = &w->column[v];
    int64_t rows = w->a->data->rows, *order = NULL;
    TRY(column_reals(work, w->a->vars.at[v], &c->x));
    NEW(work, order, rows + 1);
    NEW(work, c->sorted, rows + 1);
    NEW(work, c->begin, w->strata.count + 1);
    NEW(work, c->taken, rows + 1);
    NEW(work, c->from, rows + 1);
    TRY(order_reals(work, c->x, rows, order, &c->count));
    TRY(strata_gather(work, &w->strata, order, c->count, c->sorted, c->begin));
    c->stream = run_stream(w->run, w->a->vars.at[v]->name, "partner");
    arena_drop(work->arena, order);
done:
    return status;
}

/* A partner among the next `window` places that is still free: drawn until one is (at least half of them are, on average), then looked for
 * from a random place on. -1 where none is left. */
static int64_t partner(const Ranked *c, RandomReader *reader, int64_t at, int64_t last) {
    int64_t window = last - at;
    if (window < 1) return -1;
    for (int tries = 0; tries < 16; tries++) {
        int64_t other = at + 1 + (int64_t)word_below(reader_word(reader), (uint64_t)window);
        if (!c->taken[other]) return other;
    }
    int64_t start = (int64_t)word_below(reader_word(reader), (uint64_t)window);
    for (int64_t k = 0; k < window; k++) {
        int64_t other = at + 1 + (start + k) % window;
        if (!c->taken[other]) return other;
    }
    return -1;
}

static void swap_stratum(Ranked *c, RandomReader *reader, int64_t first, int64_t end, double range) {
    int64_t window = (int64_t)floor(range / 100 * (double)(end - first) * (1 + 1e-12));
    for (int64_t at = first; at < end; at++) {
        if (c->taken[at]) continue;
        int64_t other = partner(c, reader, at, at + window < end - 1 ? at + window : end - 1);
        if (other < 0) continue;
        c->taken[at] = c->taken[other] = 1;
        c->from[c->sorted[at]] = c->sorted[other];
        c->from[c->sorted[other]] = c->sorted[at];
        c->swapped += 2;
        if (other - at > c->furthest) c->furthest = other - at;
    }
}

/* One column to a block: columns are swapped side by side. */
static Status swap_column(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Swapping *w = self;
    (void)block, (void)error;
    for (int64_t v = first; v < last; v++) {
        Ranked *c = &w->column[v];
        RandomReader reader = reader_make(&c->stream);
        c->swapped = c->furthest = 0;
        for (int64_t i = 0; i < w->a->data->rows; i++) c->from[i] = isnan(c->x[i]) ? -1 : i;
        for (int64_t k = 0; k < c->count; k++) c->taken[k] = 0;
        for (int64_t s = 0; s < w->strata.count; s++) swap_stratum(c, &reader, c->begin[s], c->begin[s + 1], w->range);
    }
    return OK;
}

/* Pearson's correlation of a column with its swapped self: both have the same mean and variance. */
static double correlation_of(const Ranked *c) {
    double mean = 0, squares = 0, products = 0;
    for (int64_t k = 0; k < c->count; k++) mean += c->x[c->sorted[k]] / (double)c->count;
    for (int64_t k = 0; k < c->count; k++) {
        double deviation = c->x[c->sorted[k]] - mean;
        squares += deviation * deviation;
        products += deviation * (c->x[c->from[c->sorted[k]]] - mean);
    }
    return squares > 0 ? products / squares : NAN;
}

static Status swap_all(Swapping *w, double range, double *least) {
    Status status = OK;
    w->range = range;
    TRY(parallel_for(&w->run->work, w->a->vars.count, 1, swap_column, w));
    *least = NAN;
    for (int64_t v = 0; v < w->a->vars.count; v++) *least = smaller_known(*least, correlation_of(&w->column[v]));
done:
    return status;
}

/* Bisection over the range; the correlation falls as the range widens, but for chance, so the last range that kept R0 is used. */
static Status find_range(Swapping *w, double *least) {
    Status status = OK;
    double low = 0, high = 100;
    for (int step = 0; step < 24 && high - low > 1e-3; step++) {
        double middle = (low + high) / 2;
        TRY(work_check(&w->run->work));
        work_show(&w->run->work, "range", step / 24.0);
        TRY(swap_all(w, middle, least));
        if (*least < w->a->correlation) high = middle;
        else low = middle;
    }
    TRY(swap_all(w, low, least));
done:
    return status;
}

static void say(Swapping *w, double least) {
    Result *result = w->run->result;
    char range[33], asked[33], reached[33];
    Grid *grid = grid_new(result, "columns", "variable:text swapped:integer furthest:integer correlation:real");
    int64_t swapped = 0;
    for (int64_t v = 0; v < w->a->vars.count; v++) {
        const Ranked *c = &w->column[v];
        grid_text(grid, w->a->vars.at[v]->name);
        grid_integer(grid, c->swapped);
        grid_integer(grid, c->furthest);
        grid_real(grid, correlation_of(c));
        swapped += c->swapped;
    }
    grid_done(grid);
    result_real(result, "range", w->range);
    result_real(result, "correlation", least);
    result_note(result,
                "Every column keeps its values, and therefore all one-way statistics%s. Correlations between columns decrease. No value "
                "moved by more than %s%% of the ranks.",
                w->a->strata.count ? ", in every stratum" : "", real_short(w->range, 6, range));
    if (!isnan(w->a->correlation) && !isnan(least))
        result_note(result, "The requested correlation is %s. The column with the smallest correlation has %s. A wider range gives less.",
                    real_short(w->a->correlation, 6, asked), real_short(least, 6, reached));
    if (!swapped) result_note(result, "Warning: the range is too narrow for any exchange.");
    result_note(result, "Missing values stay missing; ranks are those of the values present.");
}

static Status rank_swap_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column **made = NULL;
    Swapping w = { .run = run, .a = a };
    double least = NAN;
    NEW(work, made, a->vars.count + 1);
    NEW(work, w.column, a->vars.count + 1);
    TRY(strata_make(work, a->strata, a->data->rows, &w.strata));
    for (int64_t v = 0; v < a->vars.count; v++) TRY(rank(&w, v));
    TRY(isnan(a->range) ? find_range(&w, &least) : swap_all(&w, a->range, &least));
    for (int64_t v = 0; v < a->vars.count; v++) TRY(column_of_rows(a->vars.at[v], w.column[v].from, &made[v], work->error));
    for (int64_t v = 0; v < a->vars.count && !a->strata.count; v++)
        TRY(column_treat(made[v], treatment_of_amount(TREATED_RANKED, w.range / 100), work->error));
    TRY(output_changed(run, a->data, made, a->vars.count));
    say(&w, least);
done:
    columns_release(made, a->vars.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(range, REAL, "Range used, in percent of the records"),
    VALUE(correlation, REAL, "Smallest correlation of a column with its original", .flags = PUBLIC),
    TABLE_OUT(columns, "variable:text swapped:integer furthest:integer correlation:real",
              "Each column: values exchanged, largest change of rank, correlation with its original"),
    RELEASED("The protected table"),
    END,
};

const Method protect_rank_swap = {
    .group = "protect",
    .name = "rank-swap",
    .summary = "Rank swapping: exchange values between records of similar rank",
    .source = "Greenberg 1987; Moore 1996",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = rank_swap_run,
    .values = values,
    .example = "scrim protect rank-swap examples/clinic.csv --vars income,cholesterol --range 5",
};
