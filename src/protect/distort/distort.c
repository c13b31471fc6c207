/* protect.distort: probability distortion: a law is fitted to each column, and draws from it replace the values rank by rank. Defined
 * after Liew, Choi & Liew 1985: docs/methods/protect-distort.md. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/ranks.h"
#include "protect/distort/fitted_distributions.h"
#include "protect/changed_table.h"
#include "classes/strata.h"

typedef struct {
    const Table *data;
    Columns vars, strata;
    unsigned distribution;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to redraw", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    CHOICE(args, distribution, "auto", "auto: the distribution nearest by Kolmogorov–Smirnov, a parametric one if it is not rejected at 5%",
           WORDS("auto", "normal", "lognormal", "gamma", "weibull", "exponential", "uniform", "kernel")),
    COLUMNS(args, strata, data,
            "A distribution is fitted to each stratum of at least twenty values; smaller strata share that of the whole column"),
    END,
};

enum { LEAST = 20, BLOCK = 1 << 10, MOST_DRAWS = 1000 };
/* One column: rows with a value in ascending order, ties in random order, stratum by stratum; their values in the same order. */
typedef struct {
    const double *x;
    int64_t count, *sorted, *begin;
    double *value, *draw;
    bool whole;
    double range[2];
    int64_t rows; /* of the table */
    RandomStream stream;
} Distortion;
typedef struct {
    const FittedDistribution *law;
    const int64_t *row;
    double *draw;
    const RandomStream *stream;
    bool whole;      /* a column of whole numbers stays one */
    double range[2]; /* of the column: no draw leaves it */
    int64_t rows;    /* of the table: further draws have words of their own */
} Drawing;

static Status sort_column(Run *run, const args *a, int64_t v, const Strata *strata, Distortion *d) {
    Status status = OK;
    Work *work = &run->work;
    RandomStream ties = run_stream(run, a->vars.at[v]->name, "ties");
    int64_t rows = a->data->rows, *mixed = NULL, *order = NULL;
    uint64_t *words = NULL;
    double *x = NULL;
    TRY(column_reals(work, a->vars.at[v], &d->x));
    NEW(work, words, rows + 1);
    NEW(work, mixed, rows + 1);
    NEW(work, order, rows + 1);
    NEW(work, x, rows + 1);
    NEW(work, d->sorted, rows + 1);
    NEW(work, d->begin, strata->count + 1);
    NEW(work, d->value, rows + 1);
    NEW(work, d->draw, rows + 1);
    stream_words(&ties, 0, (size_t)rows, words);
    TRY(order_words(work, words, rows, mixed));
    for (int64_t r = 0; r < rows; r++) x[r] = d->x[mixed[r]];
    TRY(order_reals(work, x, rows, order, &d->count));
    for (int64_t r = 0; r < d->count; r++) order[r] = mixed[order[r]];
    TRY(strata_gather(work, strata, order, d->count, d->sorted, d->begin));
    for (int64_t r = 0; r < d->count; r++) d->value[r] = d->x[d->sorted[r]];
    d->whole = a->vars.at[v]->type == INTEGER_TYPE;
    d->rows = rows;
    d->range[0] = INFINITY;
    d->range[1] = -INFINITY;
    for (int64_t r = 0; r < d->count; r++) {
        d->range[0] = fmin(d->range[0], d->value[r]);
        d->range[1] = fmax(d->range[1], d->value[r]);
    }
    d->stream = run_stream(run, a->vars.at[v]->name, "draw");
done:
    arena_drop(work->arena, words);
    arena_drop(work->arena, mixed);
    arena_drop(work->arena, order);
    arena_drop(work->arena, x);
    return status;
}

static Status fit_laws(Work *work, const args *a, const double *sorted, int64_t count, FittedDistribution laws[LAWS], int *chosen) {
    for (int k = 0; k < LAWS; k++) {
        Status status = work_check(work);
        if (status) return status;
        fitted_fit((LawKind)k, sorted, count, &laws[k]);
        if (!a->distribution || (int)a->distribution - 1 == k) fitted_judge(&laws[k], sorted, count);
    }
    *chosen = a->distribution ? (int)a->distribution - 1 : fitted_choose(laws);
    if (a->distribution) fitted_test(&laws[*chosen]);
    if (*chosen >= 0 && !laws[*chosen].fits) *chosen = -1;
    return OK;
}

static void say_law(Grid *grid, const char *stratum, const char *variable, const FittedDistribution *law, bool chosen) {
    static const char *const first[] = { "mean", "mean_log", "shape", "shape", "mean", "least", "bandwidth" }, *const second[] = {
        "sd", "sd_log", "scale", "scale", NULL, "most", NULL
    };
    char text[120], a[33], b[33];
    if (stratum) grid_text(grid, stratum);
    grid_text(grid, variable);
    grid_text(grid, fitted_name(law->kind));
    if (!law->fits) grid_missing(grid);
    else {
        size_t at = 0;
        const char *pieces[] = { first[law->kind],
                                 "=",
                                 real_short(law->first, 6, a),
                                 second[law->kind] ? ", " : "",
                                 second[law->kind] ? second[law->kind] : "",
                                 second[law->kind] ? "=" : "",
                                 second[law->kind] ? real_short(law->second, 6, b) : "" };
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++)
            for (const char *c = pieces[p]; *c && at < sizeof text - 1; c++) text[at++] = *c;
        text[at] = 0;
        grid_text(grid, text);
    }
    grid_real(grid, law->ks);
    grid_real(grid, law->p_value);
    grid_integer(grid, chosen);
}

static Status draw_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Drawing *d = self;
    Status status = OK;
    uint64_t words[2];
    (void)block;
    for (int64_t r = first; r < last; r++) {
        int64_t tried = 0;
        bool within = false;
        for (; tried < MOST_DRAWS && !within; tried++) {
            stream_words(d->stream, 2 * (uint64_t)(d->row[r] + tried * d->rows), 2, words);
            TRY(fitted_draw(d->law, word_uniform(words[0]), word_uniform(words[1]), &d->draw[r], error));
            if (d->whole) d->draw[r] = rint(d->draw[r]);
            within = d->draw[r] >= d->range[0] && d->draw[r] <= d->range[1];
        }
        if (!within) TRY(fail(error, FAILED, "the fitted %s distribution lies outside the column's range", fitted_name(d->law->kind)));
    }
done:
    return status;
}

/* Liew, Choi & Liew 1985: the r-th smallest value is replaced by the r-th smallest of as many draws. */
static Status replace(Work *work, const FittedDistribution *law, Distortion *d, int64_t first, int64_t count, double *y) {
    Status status = OK;
    Drawing drawing = { law, d->sorted + first, d->draw, &d->stream, d->whole, { d->range[0], d->range[1] }, d->rows };
    int64_t *order = NULL, used = 0;
    NEW(work, order, count + 1);
    TRY(parallel_for(work, count, BLOCK, draw_block, &drawing));
    TRY(order_reals(work, d->draw, count, order, &used));
    if (used < count) TRY(fail(work->error, FAILED, "fewer values were drawn than are replaced"));
    for (int64_t r = 0; r < used; r++) y[d->sorted[first + r]] = d->draw[order[r]];
done:
    arena_drop(work->arena, order);
    return status;
}

typedef struct {
    Run *run;
    const args *a;
    Strata strata;
    Grid *grid;
    int64_t unfit;
} Context;

/* A distribution that is off by a tenth of the records or more describes another column. */
static void warn_of_fit(Run *run, const char *name, const FittedDistribution *law) {
    const double far = 0.1;
    char distance[33];
    if (law->ks < far) return;
    result_note(run->result,
                "Warning: no distribution fits %s: the %s that was used differs from it by %s (Kolmogorov-Smirnov distance), and the "
                "released values are distributed otherwise than the originals. Strata may help.",
                name, fitted_name(law->kind), real_short(law->ks, 2, distance));
}

/* The whole column's law, for strata too small for one of their own: its values sorted across strata. */
static Status whole_law(Context *c, const Distortion *d, FittedDistribution laws[LAWS], int *chosen) {
    Status status = OK;
    Work *work = &c->run->work;
    double *sorted = NULL;
    int64_t *order = NULL, used = 0;
    NEW(work, sorted, d->count + 1);
    NEW(work, order, d->count + 1);
    TRY(order_reals(work, d->value, d->count, order, &used));
    for (int64_t r = 0; r < used; r++) sorted[r] = d->value[order[r]];
    TRY(fit_laws(work, c->a, sorted, used, laws, chosen));
done:
    arena_drop(work->arena, order);
    return status;
}

static Status distort_column(Context *c, int64_t v, Column **out) {
    Status status = OK;
    Work *work = &c->run->work;
    const char *name = c->a->vars.at[v]->name;
    bool by_stratum = c->a->strata.count > 0;
    Distortion d = { 0 };
    FittedDistribution whole[LAWS], own[LAWS];
    int chosen_whole = -1, chosen = -1;
    double *y = NULL;
    TRY(sort_column(c->run, c->a, v, &c->strata, &d));
    NEW(work, y, c->a->data->rows + 1);
    for (int64_t i = 0; i < c->a->data->rows; i++) y[i] = d.x[i];
    TRY(whole_law(c, &d, whole, &chosen_whole));
    for (int k = 0; k < LAWS; k++) {
        TRY(work_check(work));
        if (isnan(whole[k].p_value)) fitted_test(&whole[k]);
    }
    for (int k = 0; k < LAWS; k++) say_law(c->grid, by_stratum ? "(all)" : NULL, name, &whole[k], k == chosen_whole);
    if (chosen_whole >= 0 && !by_stratum) warn_of_fit(c->run, name, &whole[chosen_whole]);
    for (int64_t s = 0; s < c->strata.count; s++) {
        int64_t first = d.begin[s], count = d.begin[s + 1] - first;
        const FittedDistribution *law = chosen_whole < 0 ? NULL : &whole[chosen_whole];
        if (by_stratum && count >= LEAST) {
            TRY(fit_laws(work, c->a, d.value + first, count, own, &chosen));
            law = chosen < 0 ? NULL : &own[chosen];
            if (law) say_law(c->grid, strata_name(work, c->a->strata, &c->strata, s), name, law, true);
        }
        if (law) TRY(replace(work, law, &d, first, count, y));
        else if (count) c->unfit++;
    }
    TRY(column_of_draws(c->a->vars.at[v], y, out, work->error));
done:
    return status;
}

static Status distort_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Column **made = NULL;
    Context c = { .run = run, .a = a };
    NEW(&run->work, made, a->vars.count + 1);
    TRY(strata_make(&run->work, a->strata, a->data->rows, &c.strata));
    c.grid = grid_new(run->result, "fits",
                      a->strata.count ? "stratum:text variable:text distribution:text parameters:text ks:real p_value:real chosen:integer"
                                      : "variable:text distribution:text parameters:text ks:real p_value:real chosen:integer");
    for (int64_t v = 0; v < a->vars.count; v++) TRY(distort_column(&c, v, &made[v]));
    grid_done(c.grid);
    TRY(output_changed(run, a->data, made, a->vars.count));
    if (c.unfit)
        result_note(
            run->result,
            "Warning: no such distribution fits %lld column%s or strata (constant, or out of its range). Their values are unchanged.",
            (long long)c.unfit, c.unfit == 1 ? "" : "s");
    result_note(
        run->result,
        "Every released value is drawn from a fitted distribution, within the column's range (whole numbers are rounded). Means and "
        "variances are those of the distributions within that range, up to chance. Ranks are kept, so an "
        "intruder who knows a record's rank knows its value approximately. p_value is simulated: the probability that a sample "
        "of the fitted distribution, refitted, lies at least as far from it.");
    result_note(run->result, "Missing values stay missing.");
done:
    columns_release(made, a->vars.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    TABLE_OUT(fits, "variable:text distribution:text parameters:text ks:real p_value:real chosen:integer",
              "Each distribution: its parameters, Kolmogorov–Smirnov distance, p-value if fitted, and whether it was chosen"),
    RELEASED("The protected table"),
    END,
};

const Method protect_distort = {
    .group = "protect",
    .name = "distort",
    .summary = "Probability distortion: replace values, rank by rank, by draws from a fitted distribution",
    .source = "Liew, Choi & Liew 1985",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = distort_run,
    .values = values,
    .example = "scrim protect distort examples/clinic.csv --vars income,bmi",
};
