/* utility.compare: original and released side by side, and the distances between them. Defined after Domingo-Ferrer & Torra 2001; Karr et
 * al. 2006; Gomatam et al. 2005: docs/methods/utility-compare.md. */
#include "utility/compare/compare.h"
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/ranks.h"

typedef struct {
    const Table *original, *released;
    Columns vars, by;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, BOTH, "Variables to compare (default: all common variables)"),
    COLUMNS(args, by, original, "Columns of the original: each of their groups is compared on its own as well"),
    END,
};

double relative_change(double original, double released) { return original == 0 ? NAN : (released - original) / fabs(original); }

const double quantile_at[QUANTILES] = { 0, .01, .05, .1, .25, .5, .75, .9, .95, .99, 1 };

static Grid *side_by_side(Grid *grid, const char *name, double original, double released) {
    grid_text(grid, name);
    grid_real(grid, original);
    grid_real(grid, released);
    grid_real(grid, relative_change(original, released));
    return grid;
}

static void say_moments(Run *run, const Comparison *c) {
    Grid *means = grid_new(run->result, "means", "variable:text original:real released:real relative_change:real");
    Grid *variances = grid_new(run->result, "variances", "variable:text original:real released:real relative_change:real");
    for (int64_t v = 0; v < c->numeric; v++) {
        const Pairing *p = &c->pair[v];
        side_by_side(means, p->name, p->mean[0], p->mean[1]);
        side_by_side(variances, p->name, p->variance[0], p->variance[1]);
    }
    grid_done(means);
    grid_done(variances);
}

static void say_quantiles(Run *run, const Comparison *c) {
    Grid *grid = grid_new(run->result, "quantiles", "variable:text probability:real original:real released:real relative_change:real");
    for (int64_t v = 0; v < c->numeric; v++)
        for (int q = 0; q < QUANTILES; q++) {
            double original = c->pair[v].quantile[0][q], released = c->pair[v].quantile[1][q];
            grid_text(grid, c->pair[v].name);
            grid_real(grid, quantile_at[q]);
            grid_real(grid, original);
            grid_real(grid, released);
            grid_real(grid, relative_change(original, released));
        }
    grid_done(grid);
}

/* The worst over the variables; NaN where none has it. */
static double worst_of(const Comparison *c, size_t offset) {
    double worst = NAN;
    for (int64_t v = 0; v < c->variables; v++) worst = fmax(worst, *(const double *)(const void *)((const char *)&c->pair[v] + offset));
    return worst;
}

static void say_distances(Run *run, const Comparison *c) {
    Result *result = run->result;
    Grid *grid = grid_new(result, "distances",
                          "variable:text ks:real hellinger:real total_variation:real entropy_original:real entropy_released:real "
                          "missing_original:integer missing_released:integer");
    double entropy = NAN;
    for (int64_t v = 0; v < c->variables; v++) {
        const Pairing *p = &c->pair[v];
        grid_text(grid, p->name);
        grid_real(grid, p->ks);
        grid_real(grid, p->hellinger);
        grid_real(grid, p->total_variation);
        grid_real(grid, p->entropy[0]);
        grid_real(grid, p->entropy[1]);
        for (int t = 0; t < 2; t++) grid_integer(grid, p->missing[t]);
        entropy = larger_known(entropy, fabs(p->entropy[1] - p->entropy[0]));
    }
    grid_done(grid);
    result_real(result, "hellinger", worst_of(c, offsetof(Pairing, hellinger)));
    result_real(result, "ks", worst_of(c, offsetof(Pairing, ks)));
    result_real(result, "total_variation", worst_of(c, offsetof(Pairing, total_variation)));
    result_real(result, "entropy_change", entropy);
}

static Status draw_distances(Run *run, const Comparison *c) {
    Status status = OK;
    const char **name = NULL;
    double *height = NULL;
    NEW(&run->work, name, c->variables + 1);
    NEW(&run->work, height, c->variables + 1);
    for (int64_t v = 0; v < c->variables; v++) {
        name[v] = c->pair[v].name;
        height[v] = c->pair[v].total_variation;
    }
    Chart *chart = result_chart(run->result, CHART_BAR, "Change of each variable's distribution", "variable", "total variation");
    chart_of(chart, "distances");
    chart_series(chart, "total variation", c->variables, NULL, height, NULL, name);
done:
    return status;
}

/* What is codes, and what the release has coarser. */
static Status say_levels(Run *run, const Comparison *c) {
    Status status = OK;
    RecodedColumn *what = NULL;
    Buffer list = { 0 };
    int64_t recoded = 0;
    NEW(&run->work, what, c->variables + 1);
    for (int64_t v = 0; v < c->variables; v++) {
        if (c->pair[v].codes) buffer_print(&list, "%s%s", list.count ? ", " : "", c->pair[v].name);
        if (c->pair[v].coarse.name) what[recoded++] = c->pair[v].coarse;
    }
    if (list.count) common_say_codes(run, buffer_get(&list));
    common_say(run, what, recoded);
done:
    buffer_free(&list);
    return status;
}

/* Variables, on all threads. */
typedef struct {
    const Work *work;
    Comparison *c;
    const PartState *done;
} Variables;

static Status some_distances(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Variables *s = self;
    Status status = OK;
    Work here = *s->work;
    (void)block;
    here.error = error;
    here.threads = 1;
    for (int64_t v = first; v < last; v++) TRY(compare_distances(&here, s->c, &s->c->pair[v], s->done));
done:
    return status;
}

static Status all_distances(Work *work, Comparison *c, const PartState *done) {
    if (c->fit || c->variables < 3 * work->threads) { /* ladders on disk, and long columns, are taken up one by one */
        for (int64_t v = 0; v < c->variables; v++) {
            Status status = work_check(work);
            work_show(work, "distances", (double)v / (double)c->variables);
            if (!status) status = compare_distances(work, c, &c->pair[v], done);
            if (status) return status;
        }
        return OK;
    }
    return parallel_for(work, c->variables, 1, some_distances, &(Variables){ work, c, done });
}

static Status say_all(Run *run, Comparison *c, const PartState *done) {
    Status status = OK;
    TRY(all_distances(&run->work, c, done));
    TRY(say_levels(run, c));
    say_moments(run, c);
    say_quantiles(run, c);
    TRY(compare_joint(run, c, done));
    say_distances(run, c);
    TRY(draw_distances(run, c));
    result_note(run->result, "ks, hellinger, total_variation and entropy_change are the largest over the variables; the table distances "
                             "has each of them. For these, numbers with over fifty values are grouped into twenty bins of equal original "
                             "frequency, and missing is a value of its own. Means, variances, quantiles and ks leave missing values out.");
    if (c->numeric)
        result_note(run->result, "Correlations use the records without a missing number: %lld of the original, %lld of the release.",
                    (long long)c->joint[0].rows, (long long)c->joint[1].rows);
done:
    return status;
}

/* ---- at once ---- */

static Status compare_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    PartState done = { 0 };
    Comparison c = { .table = { a->original, a->released },
                     .rows = { a->original->rows, a->released->rows },
                     .placed = table_places(a->released) };
    TRY(compare_decide(&run->work, a->vars, &c));
    TRY(compare_pairs(&run->work, &c, c.table, &done));
    TRY(compare_settle(&run->work, &c, &done));
    TRY(compare_sums(&run->work, &c, c.table, &done));
    TRY(say_all(run, &c, &done));
    TRY(compare_groups(run, a->original, a->released, a->vars, a->by, c.placed));
done:
    state_clear(&done);
    return status;
}

/* ---- in parts ---- */

enum { MOST_COLUMNS = STATE_TUPLE_COUNTS / 2 };
static const char too_many_numbers[] = "correlations of more than 32 numeric columns need all records at once (--vars names fewer)";
static const char *whole_for(const void *p) {
    const args *a = p;
    const int64_t count = a->vars.count ? a->vars.count : a->original->columns;
    if (a->by.count) return "groups are compared with all records at once";
    int64_t numbers = 0; /* by their types: which whole numbers are codes is known once they are read */
    if (count > MOST_COLUMNS) return "more than 512 columns cannot be learned at once in parts";
    for (int64_t j = 0; j < count; j++) {
        const Column *before = a->vars.count ? a->vars.at[j] : a->original->column[j], *after = table_column(a->released, before->name);
        numbers += before->type == REAL_TYPE && after && column_numeric(after);
    }
    return numbers > MOST_TOGETHER ? too_many_numbers : NULL;
}

/* Of each table: its records, and the last of them. They are as many where no record is missing between parts. */
static void count_records(PartState *state, const Run *run, const args *a) {
    const Table *table[2] = { a->original, a->released };
    for (int t = 0; t < 2; t++) {
        int64_t end = table[t]->rows ? run->first_row + table[t]->rows : 0;
        state->count[t] += table[t]->rows;
        if (end > state->most[t]) state->most[t] = end;
    }
}

static Status all_there(const Run *run, const PartState *state) {
    for (int t = 0; t < 2; t++) {
        if (state->count[t] == state->most[t]) continue;
        fail(run->work.error, BAD, "the parts of the two tables are not aligned: records of one are missing");
        return error_advice(run->work.error, "Parts of both tables must begin with the same record. The shorter table ends first.");
    }
    return OK;
}

static Status learn(Run *run, const void *p, PartState *fit) {
    Status status = OK;
    const args *a = p;
    const char **name = NULL;
    Comparison c = { .table = { a->original, a->released } };
    TRY(common_columns(&run->work, a->original, a->released, a->vars, &name, &c.variables));
    NEW(&run->work, c.pair, c.variables + 1);
    for (int64_t v = 0; v < c.variables; v++) c.pair[v] = (Pairing){ .name = name[v], .place = v };
    TRY(values_learn(run, &c, fit));
    count_records(fit, run, a);
done:
    return status;
}

/* What was decided of the whole, made once. */
typedef struct Decided {
    Arena *arena;
    Comparison comparison;
} Decided;

static void drop_decided(void *self) {
    Decided *d = self;
    arena_free(d->arena);
    free(d);
}

static Status unsure_of(const Run *run, const char *name) {
    fail(run->work.error, BAD,
         "holds codes in the original and decimals in the release: only the whole tables show whether it was recoded");
    error_advice(run->work.error, "Declare it as a number (--types %s:real), leave it out of --vars, or omit --max-memory.", name);
    return error_column(run->work.error, name);
}

static Status decide(const Run *run, const args *a, const PartState *fit, Decided *d) {
    Status status = OK;
    Work own = run->work;
    Comparison *c = &d->comparison;
    if (!(own.arena = d->arena = arena_new())) return out_of_memory(run->work.error);
    *c = (Comparison){ .table = { a->original, a->released },
                       .rows = { fit->count[0], fit->count[1] },
                       .placed = !a->released->reordered,
                       .fit = fit };
    TRY(all_there(run, fit));
    TRY(compare_decide(&own, a->vars, c));
    for (int64_t v = 0; v < c->variables; v++)
        if (c->pair[v].unsure && c->pair[v].asked) TRY(unsure_of(run, c->pair[v].name));
    if (c->numeric > MOST_TOGETHER) TRY(parts_refuse(run->method, too_many_numbers, run->work.error));
done:
    return status;
}

/* The tables are those of the part at hand. */
static Status decided(const Run *run, const args *a, const PartState *fit, Comparison **out) {
    Status status = OK;
    Decided *d = run->once->at;
    if (!d) {
        if (!(d = calloc(1, sizeof *d))) return out_of_memory(run->work.error);
        status = decide(run, a, fit, d);
        if (status) {
            drop_decided(d);
            return status;
        }
        *run->once = (Once){ d, drop_decided };
    }
    *out = &d->comparison;
    (*out)->table[0] = a->original;
    (*out)->table[1] = a->released;
    return OK;
}

static Status add_up(Run *run, const void *p, const PartState *fit, PartState *done) {
    Status status = OK;
    const args *a = p;
    Comparison *c = NULL;
    TRY(decided(run, a, fit, &c));
    TRY(compare_pairs(&run->work, c, c->table, done));
    TRY(compare_sums(&run->work, c, c->table, done));
    count_records(done, run, a);
done:
    return status;
}

static Status tell(Run *run, const void *p, const PartState *fit, const PartState *done) {
    Status status = OK;
    Comparison *c = NULL;
    TRY(decided(run, p, fit, &c));
    for (int t = 0; t < 2; t++)
        if (done->count[t] != fit->count[t])
            TRY(fail(run->work.error, FAILED, "a part of the tables is missing, or was counted more than once"));
    TRY(say_all(run, c, done));
done:
    return status;
}

static const InParts parts = { .shape = BY_ROW, .beside = "released", .whole = whole_for, .fit = learn, .apply = add_up, .say = tell };

static const Return values[] = {
    VALUE(il1s, REAL,
          "Σ|x − x′|/(√2·S) over all numeric cells, S the original's standard deviation. 0 = unchanged; larger = more information loss",
          .flags = PUBLIC),
    VALUE(il1s_mean, REAL, "il1s per cell. 0 = unchanged; larger = more information loss", .flags = PUBLIC),
    VALUE(eigenvalues, REAL, "Σ|λ − λ′|/λ over the eigenvalues of the correlation matrices. 0 = unchanged", .flags = PUBLIC),
    VALUE(correlation_loss, REAL, "Młodak's distance between the diagonals of the inverse correlation matrices, 0 (equal) to 1",
          .flags = PUBLIC),
    VALUE(kullback_leibler, REAL,
          "Kullback–Leibler divergence between original and release, both treated as multivariate normal, in nats (Karr et al. 2006). 0 = "
          "equal",
          .flags = PUBLIC),
    VALUE(hellinger, REAL, "Hellinger distance of distributions, largest over the variables: 0 (equal) to 1", .flags = PUBLIC | LESS),
    VALUE(ks, REAL, "Kolmogorov–Smirnov distance, largest over the numeric variables: 0 (equal) to 1", .flags = PUBLIC),
    VALUE(total_variation, REAL, "Total variation distance, largest over the variables: 0 (equal) to 1", .flags = PUBLIC),
    VALUE(entropy_change, REAL, "Largest change of a variable's entropy, in nats (Gomatam et al. 2005). 0 = unchanged", .flags = PUBLIC),
    TABLE_OUT(means, "variable:text original:real released:real relative_change:real", "Means in both files"),
    TABLE_OUT(variances, "variable:text original:real released:real relative_change:real", "Variances in both files"),
    TABLE_OUT(quantiles, "variable:text probability:real original:real released:real relative_change:real", "Quantiles in both files"),
    TABLE_OUT(correlations, "variable:text other:text original:real released:real difference:real relative_change:real",
              "Correlations in both files"),
    TABLE_OUT(distances,
              "variable:text ks:real hellinger:real total_variation:real entropy_original:real entropy_released:real "
              "missing_original:integer missing_released:integer",
              "Distances, entropies and missing values of each variable", .flags = PUBLIC),
    TABLE_OUT(groups, "group:text original:integer released:integer total_variation:real variable:text ks:real",
              "With --by: each group's records, its largest total variation distance and the variable that has it, its largest "
              "Kolmogorov–Smirnov distance"),
    COARSENED_OUT,
    END,
};

const Method utility_compare = {
    .group = "utility",
    .name = "compare",
    .summary = "Compare original and release: moments, quantiles, correlations, distribution distances",
    .source = "Domingo-Ferrer & Torra 2001; Karr et al. 2006; Gomatam et al. 2005",
    .params = params,
    .size = sizeof(args),
    .run = compare_run,
    .parts = &parts,
    .headline = "-hellinger",
    .values = values,
    .example = "scrim utility compare examples/clinic.csv examples/clinic-released.csv --vars age,income,visits,region",
};
