/* protect.sample: release a simple random sample, of the table or of each stratum. Defined after Skinner, Marsh, Openshaw & Wymer 1994:
 * docs/methods/protect-sample.md. */
#include <stdlib.h>
#include "base/elementary.h"
#include "protect/changed_table.h"
#include "classes/strata.h"

typedef struct {
    const Table *data;
    Columns strata;
    const Column *weight;
    double fraction;
    int64_t n;
    bool replace;
    const Column *person;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to sample", .flags = REQUIRED | POSITIONAL),
    REAL(args, fraction, NAN, 0, 1, "Share of the records to release, 0 to 1. Smaller = more protection"),
    INT(args, n, ABSENT, 1, 1e15, "Number of records to release"),
    ONE_OF("fraction", "n"),
    COLUMNS(args, strata, data, "Sample each stratum in proportion to its records, with at least one of each if the size allows"),
    FLAG(args, replace, "Draw with replacement"),
    COLUMN(args, weight, data, "Sampling weights: rescaled so that each stratum's sum is unchanged", .flags = NUMERIC),
    PERSON(args, data),
    END,
};

/* ---- how many of each stratum ---- */

typedef struct {
    double remainder;
    int64_t stratum;
} Rest;
static int by_rest(const void *a, const void *b) {
    const Rest *x = a, *y = b;
    if (x->remainder != y->remainder) return x->remainder > y->remainder ? -1 : 1;
    return (x->stratum > y->stratum) - (x->stratum < y->stratum);
}

/* A stratum left with none takes one from the largest. */
static void give_each_one(int64_t strata, int64_t *size) {
    int64_t largest = 0;
    for (int64_t s = 0; s < strata; s++) {
        if (size[s]) continue;
        for (int64_t k = 0; k < strata; k++)
            if (size[k] > size[largest]) largest = k;
        if (size[largest] < 2) break;
        size[largest]--;
        size[s]++;
    }
}

/* Largest remainders; strata in the order of their first records. */
static Status allocate(Work *work, const int64_t *records, int64_t strata, int64_t rows, int64_t n, int64_t *size) {
    Status status = OK;
    Rest *rest = NULL;
    int64_t left = n;
    NEW(work, rest, strata + 1);
    for (int64_t s = 0; s < strata; s++) {
        double quota = (double)n * (double)records[s] / (double)rows;
        size[s] = (int64_t)floor(quota);
        rest[s] = (Rest){ quota - floor(quota), s };
        left -= size[s];
    }
    qsort(rest, (size_t)strata, sizeof *rest, by_rest);
    for (int64_t s = 0; s < left; s++) size[rest[s % strata].stratum]++;
    if (n >= strata) give_each_one(strata, size);
done:
    return status;
}

static Status sample_size(Work *work, const args *a, int64_t rows, int64_t *n) {
    *n = a->n != ABSENT ? a->n : (int64_t)llround(a->fraction * (double)rows);
    if (!rows) return fail(work->error, BAD, "the table has no records to sample");
    if (*n < 1) {
        fail(work->error, BAD, "leaves no record of %lld", (long long)rows);
        return error_parameter(work->error, "fraction");
    }
    if (*n > rows && !a->replace) {
        fail(work->error, BAD, "asks for %lld of %lld records", (long long)*n, (long long)rows);
        error_advice(work->error, "--replace draws with replacement.");
        return error_parameter(work->error, "n");
    }
    return OK;
}

/* What the fit says: strata by the numbers that their tuples have in its roll. */
typedef struct Plan {
    TupleCounts *roll;
    int64_t n, *order; /* strata in the order of their first records */
    int64_t *size;     /* tuple → records to release */
} Plan;

static Status make_plan(Work *work, const args *a, const PartState *fit, Plan *out) {
    Status status = OK;
    int64_t *records = NULL, *size = NULL;
    TRY(sample_size(work, a, fit->rows, &out->n));
    out->roll = fit->roll[0];
    int64_t strata = out->roll->count;
    TRY(tuple_counts_order(work, out->roll, &out->order));
    NEW(work, records, strata + 1);
    NEW(work, size, strata + 1);
    NEW(work, out->size, strata + 1);
    for (int64_t s = 0; s < strata; s++) records[s] = out->roll->times[out->order[s]];
    TRY(allocate(work, records, strata, fit->rows, out->n, size));
    for (int64_t s = 0; s < strata; s++) out->size[out->order[s]] = size[s];
done:
    return status;
}

/* ---- lots ---- */

/* A record's lot follows from the seed, the size asked for, its cells and its number. */
static Status draw_lots(Run *run, const args *a, int64_t **out) {
    Status status = OK;
    unsigned char key[ROW_PRINT_KEY];
    run_key(run, "sample", &(double[2]){ a->fraction, (double)a->n }, sizeof(double[2]), key);
    NEW(&run->work, *out, a->data->rows + 1);
    TRY(rows_lots(&run->work, a->data, run->first_row, key, *out));
done:
    return status;
}

static Status sample_fit(Run *run, const void *p, PartState *fit) {
    Status status = OK;
    const args *a = p;
    TupleCounts *roll;
    int64_t *lot = NULL, *place;
    TRY(state_tuple_counts(fit, 0, a->strata.count, 0, false, &roll, run->work.error));
    if (!a->replace) {
        roll->lots = true;
        roll->apart = a->n != ABSENT ? a->n : INT64_MAX;
        roll->share = a->n != ABSENT ? 1 : a->fraction;
        TRY(draw_lots(run, a, &lot));
    }
    TRY(tuple_counts_add(&run->work, roll, a->strata, NULL, a->data->rows, run->first_row, &place));
    for (int64_t i = 0; lot && i < a->data->rows; i++) TRY(early_add(roll, place[i], lot[i], run->work.error));
done:
    return status;
}

/* Without replacement: the records of a stratum with the smallest lots. */
static Status choose(Run *run, const args *a, const Plan *plan, const int64_t *place, int64_t *times) {
    Status status = OK;
    int64_t *lot = NULL;
    TRY(draw_lots(run, a, &lot));
    early_sort(plan->roll);
    for (int64_t t = 0; t < plan->roll->count; t++)
        if (plan->size[t] > plan->roll->early[t].count) TRY(fail(run->work.error, FAILED, "this seed gives no valid draw: use another"));
    for (int64_t i = 0; i < a->data->rows; i++) {
        int64_t size = plan->size[place[i]];
        times[i] = size && lot[i] <= plan->roll->early[place[i]].at[size - 1];
    }
    arena_drop(run->work.arena, lot);
done:
    return status;
}

/* With replacement, of the whole table: each draw is a word. */
static Status draw_again(Run *run, const args *a, const Plan *plan, int64_t *times) {
    Status status = OK;
    RandomStream stream = run_stream(run, NULL, "sample");
    uint64_t *words = NULL;
    Strata strata;
    int64_t drawn = 0;
    TRY(strata_make(&run->work, a->strata, a->data->rows, &strata));
    NEW(&run->work, words, plan->n + 1);
    stream_words(&stream, 0, (size_t)plan->n, words);
    for (int64_t s = 0; s < strata.count; s++) {
        uint64_t records = (uint64_t)(strata.start[s + 1] - strata.start[s]);
        for (int64_t k = 0; k < plan->size[plan->order[s]]; k++)
            times[strata.row[strata.start[s] + (int64_t)word_below(words[drawn++], records)]]++;
    }
done:
    return status;
}

/* ---- what is released ---- */

enum { ALL, SAMPLED, SUMS };

/* Of each stratum, Σ of the weights and Σ of the sampled ones. */
static Status add_weights(Run *run, const args *a, const int64_t *times, PartState *did, TupleCounts **out) {
    Status status = OK;
    int64_t *place;
    TRY(state_tuple_counts(did, 0, a->strata.count, SUMS, false, out, run->work.error));
    TRY(tuple_counts_add(&run->work, *out, a->strata, NULL, a->data->rows, run->first_row, &place));
    for (int64_t i = 0; i < a->data->rows; i++) {
        double weight = column_number(a->weight, i);
        if (isnan(weight)) continue;
        exact_sum_add(&(*out)->sum[place[i] * SUMS + ALL], weight);
        exact_sum_add_product(&(*out)->sum[place[i] * SUMS + SAMPLED], weight, (double)times[i]);
    }
done:
    return status;
}

/* Σ of the stratum's weights / Σ of the sampled ones. */
static double weight_factor(const TupleCounts *sums, int64_t tuple) {
    double some = exact_sum_real(&sums->sum[tuple * SUMS + SAMPLED]);
    return some != 0 ? exact_sum_real(&sums->sum[tuple * SUMS + ALL]) / some : NAN;
}

static Status rescaled(Run *run, const args *a, const TupleCounts *sums, Column **out) {
    Status status = OK;
    double *w = NULL, *factor = NULL;
    int64_t *place;
    TRY(tuple_counts_find(&run->work, sums, a->strata, a->data->rows, &place));
    NEW(&run->work, w, a->data->rows + 1);
    NEW(&run->work, factor, sums->count + 1);
    for (int64_t t = 0; t < sums->count; t++) factor[t] = weight_factor(sums, t);
    for (int64_t i = 0; i < a->data->rows; i++) w[i] = column_number(a->weight, i) * factor[place[i]];
    TRY(column_of_reals(a->weight, w, out, run->work.error));
done:
    return status;
}

static Status release(Run *run, const args *a, const int64_t *times, Column *weight) {
    Status status = OK;
    Work *work = &run->work;
    int64_t kept = 0, *rows = NULL;
    Table *weighted = NULL, *sampled = NULL;
    for (int64_t i = 0; i < a->data->rows; i++) kept += times[i];
    NEW(work, rows, kept + 1);
    kept = 0;
    for (int64_t i = 0; i < a->data->rows; i++)
        for (int64_t k = 0; k < times[i]; k++) rows[kept++] = i;
    TRY(table_with(a->data, &weight, weight != NULL, &weighted, work->error));
    TRY(table_take(weighted, rows, kept, &sampled, work->error));
    result_output(run->result, sampled);
done:
    table_release(weighted);
    return status;
}

static Status sample_part(Run *run, const void *p, const PartState *fit, PartState *did) {
    Status status = OK;
    const args *a = p;
    Plan plan;
    TupleCounts *sums;
    int64_t *times = NULL, *place;
    Column *weight = NULL;
    TRY(make_plan(&run->work, a, fit, &plan));
    TRY(tuple_counts_find(&run->work, plan.roll, a->strata, a->data->rows, &place));
    NEW(&run->work, times, a->data->rows + 1);
    TRY(a->replace ? draw_again(run, a, &plan, times) : choose(run, a, &plan, place, times));
    if (a->weight) {
        TRY(add_weights(run, a, times, did, &sums));
        TRY(rescaled(run, a, sums, &weight));
    }
    TRY(release(run, a, times, weight));
done:
    column_release(weight);
    return status;
}

static Status sample_say(Run *run, const void *p, const PartState *fit, const PartState *did) {
    Status status = OK;
    const args *a = p;
    Plan plan;
    int64_t empty = 0;
    const char **names;
    TRY(make_plan(&run->work, a, fit, &plan));
    TRY(tuple_counts_names(&run->work, plan.roll, &names));
    Grid *grid = grid_new(run->result, "strata", "stratum:text records:integer sampled:integer fraction:real factor:real");
    for (int64_t s = 0; s < plan.roll->count; s++) {
        int64_t t = plan.order[s], records = plan.roll->times[t], size = plan.size[t];
        grid_text(grid, names[s]);
        grid_integer(grid, records);
        grid_integer(grid, size);
        grid_real(grid, (double)size / (double)records);
        grid_real(grid, a->weight ? weight_factor(did->roll[0], t) : size ? (double)records / (double)size : NAN);
        empty += !size;
    }
    grid_done(grid);
    result_integer(run->result, "sampled", plan.n);
    result_real(run->result, "fraction", (double)plan.n / (double)fit->rows);
    if (a->weight) result_note(run->result, "Weights were multiplied by `factor`, so each stratum's weights keep their sum.");
    else result_note(run->result, "To estimate totals, multiply by `factor`: the number of original records per released record.");
    if (empty) result_note(run->result, "Warning: %lld strata are not in the sample.", (long long)empty);
    if (a->replace) result_note(run->result, "Drawn with replacement: a record may appear more than once.");
done:
    return status;
}

static const char *sample_whole(const void *p) {
    const args *a = p;
    if (a->replace) return "--replace draws records by their places in the strata";
    return a->weight ? "--weight is multiplied by what the sampled weights add up to" : NULL;
}
static const InParts in_parts = { .shape = BY_ROW, .whole = sample_whole, .fit = sample_fit, .apply = sample_part, .say = sample_say };

static const Return values[] = {
    VALUE(sampled, INTEGER, "Records released", .flags = PUBLIC),
    VALUE(fraction, REAL, "Share of the records released", .flags = PUBLIC),
    TABLE_OUT(strata, "stratum:text records:integer sampled:integer fraction:real factor:real",
              "Each stratum: its records, those sampled, and the factor that expands sample totals to the table's"),
    RELEASED("The protected table"),
    END,
};

const Method protect_sample = {
    .group = "protect",
    .name = "sample",
    .summary = "Sampling: release a random sample of the records, simple or stratified",
    .source = "Skinner, Marsh, Openshaw & Wymer 1994",
    .params = params,
    .size = sizeof(args),
    .traits = BY_PERSON | RANDOM | IDENTITY | POPULATION,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect sample examples/clinic.csv --fraction 0.5 --strata region --weight w",
};
