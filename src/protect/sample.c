/* protect.sample: release a simple random sample, of the table or of each stratum. */
#include <stdlib.h>
#include "base/elementary.h"
#include "math/order.h"
#include "protect/output.h"
#include "table/strata.h"

typedef struct {
    const Table *data;
    Columns strata;
    const Column *weight;
    double fraction;
    int64_t n;
    bool replace;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to sample", .flags = REQUIRED | POSITIONAL),
    REAL(args, fraction, NAN, 0, 1, "Share of the records to release"),
    INT(args, n, ABSENT, 1, 1e15, "Records to release"),
    ONE_OF("fraction", "n"),
    COLUMNS(args, strata, data, "Sample each stratum in proportion to its records, and at least one of each where the size allows"),
    FLAG(args, replace, "Draw with replacement"),
    COLUMN(args, weight, data, "Sampling weights: rescaled so that each stratum's sum is kept", .flags = NUMERIC),
    END,
};

typedef struct {
    int64_t size;
    double remainder, factor;
} Share;
typedef struct {
    double remainder;
    int64_t stratum;
} Rest;
static int by_rest(const void *a, const void *b) {
    const Rest *x = a, *y = b;
    if (x->remainder != y->remainder) return x->remainder > y->remainder ? -1 : 1;
    return (x->stratum > y->stratum) - (x->stratum < y->stratum);
}

static int64_t records_in(const Strata *strata, int64_t s) { return strata->start[s + 1] - strata->start[s]; }

/* Largest remainders; then a stratum left with none takes one from the largest. */
static Status allocate(Work *work, const Strata *strata, int64_t n, Share *share) {
    Status status = OK;
    Rest *rest = NULL;
    int64_t left = n, largest = 0;
    NEW(work, rest, strata->count + 1);
    for (int64_t s = 0; s < strata->count; s++) {
        double quota = (double)n * (double)records_in(strata, s) / (double)strata->rows;
        share[s].size = (int64_t)floor(quota);
        rest[s] = (Rest){ quota - floor(quota), s };
        left -= share[s].size;
    }
    qsort(rest, (size_t)strata->count, sizeof *rest, by_rest);
    for (int64_t s = 0; s < left; s++) share[rest[s % strata->count].stratum].size++;
    for (int64_t s = 0; s < strata->count && n >= strata->count; s++) {
        if (share[s].size) continue;
        for (int64_t k = 0; k < strata->count; k++)
            if (share[k].size > share[largest].size) largest = k;
        if (share[largest].size < 2) break;
        share[largest].size--;
        share[s].size++;
    }
done:
    return status;
}

/* Without replacement: the records of a stratum with the smallest words. With: each draw is a word. Records keep their order. */
static Status choose(Run *run, const args *a, const Strata *strata, const Share *share, int64_t n, int64_t *times) {
    Status status = OK;
    Work *work = &run->work;
    Stream stream = run_stream(run, NULL, "sample");
    int64_t rows = strata->rows, drawn = 0, *order = NULL, *laid = NULL, *begin = NULL;
    uint64_t *words = NULL;
    NEW(work, words, (a->replace ? n : rows) + 1);
    stream_words(&stream, 0, (size_t)(a->replace ? n : rows), words);
    if (a->replace) {
        for (int64_t s = 0; s < strata->count; s++)
            for (int64_t k = 0; k < share[s].size; k++)
                times[strata->row[strata->start[s] + (int64_t)word_below(words[drawn++], (uint64_t)records_in(strata, s))]]++;
        return OK;
    }
    NEW(work, order, rows + 1);
    NEW(work, laid, rows + 1);
    NEW(work, begin, strata->count + 1);
    TRY(order_words(work, words, rows, order));
    TRY(strata_gather(work, strata, order, rows, laid, begin));
    for (int64_t s = 0; s < strata->count; s++)
        for (int64_t k = 0; k < share[s].size; k++) times[laid[begin[s] + k]] = 1;
done:
    return status;
}

/* factor = Σ of the stratum's weights / Σ of the sampled ones; without a weight, records over sampled records. */
static void scale(const args *a, const Strata *strata, const int64_t *times, Share *share) {
    for (int64_t s = 0; s < strata->count; s++) {
        double all = 0, some = 0;
        for (int64_t r = strata->start[s]; r < strata->start[s + 1]; r++) {
            int64_t i = strata->row[r];
            double weight = a->weight ? column_number(a->weight, i) : 1;
            if (isnan(weight)) continue;
            all += weight;
            some += weight * (double)times[i];
        }
        share[s].factor = some != 0 ? all / some : NAN;
    }
}

static Status rescaled(Work *work, const args *a, const Strata *strata, const Share *share, Column **out) {
    Status status = OK;
    double *w = NULL;
    NEW(work, w, strata->rows + 1);
    for (int64_t i = 0; i < strata->rows; i++) w[i] = column_number(a->weight, i) * share[strata->of[i]].factor;
    TRY(column_of_reals(a->weight, w, out, work->error));
done:
    return status;
}

static void say(Run *run, const args *a, const Strata *strata, const Share *share, int64_t n) {
    int64_t empty = 0;
    Grid *grid = grid_new(run->result, "strata", "stratum:text records:integer sampled:integer fraction:real factor:real");
    for (int64_t s = 0; s < strata->count; s++) {
        grid_text(grid, strata_name(&run->work, a->strata, strata, s));
        grid_integer(grid, records_in(strata, s));
        grid_integer(grid, share[s].size);
        grid_real(grid, (double)share[s].size / (double)records_in(strata, s));
        grid_real(grid, share[s].factor);
        empty += !share[s].size;
    }
    grid_done(grid);
    result_integer(run->result, "sampled", n);
    result_real(run->result, "fraction", (double)n / (double)strata->rows);
    if (a->weight) result_note(run->result, "Weights were multiplied by `factor`, so that each stratum's weights sum to what they did.");
    else result_note(run->result, "To estimate totals, multiply by `factor`: each released record stands for that many.");
    if (empty) result_note(run->result, "Warning: %lld strata are not in the sample at all.", (long long)empty);
    if (a->replace) result_note(run->result, "Drawn with replacement: a record may appear more than once.");
}

static Status sample_size(Work *work, const args *a, int64_t *n) {
    *n = a->n != ABSENT ? a->n : (int64_t)llround(a->fraction * (double)a->data->rows);
    if (!a->data->rows) return fail(work->error, BAD, "the table has no records to sample");
    if (*n < 1) {
        fail(work->error, BAD, "leaves no record of %lld", (long long)a->data->rows);
        return error_parameter(work->error, "fraction");
    }
    if (*n > a->data->rows && !a->replace) {
        fail(work->error, BAD, "asks for %lld of %lld records", (long long)*n, (long long)a->data->rows);
        error_advice(work->error, "--replace draws with replacement.");
        return error_parameter(work->error, "n");
    }
    return OK;
}

static Status sample_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Strata strata;
    Share *share = NULL;
    int64_t n = 0, kept = 0, *times = NULL, *rows = NULL;
    Column *weight = NULL;
    Table *weighted = NULL, *sampled = NULL;
    TRY(sample_size(work, a, &n));
    TRY(strata_make(work, a->strata, a->data->rows, &strata));
    NEW(work, share, strata.count + 1);
    NEW(work, times, a->data->rows + 1);
    NEW(work, rows, n + 1);
    TRY(allocate(work, &strata, n, share));
    TRY(choose(run, a, &strata, share, n, times));
    scale(a, &strata, times, share);
    for (int64_t i = 0; i < a->data->rows; i++)
        for (int64_t k = 0; k < times[i]; k++) rows[kept++] = i;
    if (a->weight) TRY(rescaled(work, a, &strata, share, &weight));
    TRY(table_with(a->data, &weight, a->weight ? 1 : 0, &weighted, work->error));
    TRY(table_take(weighted, rows, kept, &sampled, work->error));
    result_output(run->result, sampled);
    say(run, a, &strata, share, n);
done:
    column_release(weight);
    table_release(weighted);
    return status;
}

static const Return values[] = {
    VALUE(sampled, INTEGER, "Records released", .flags = PUBLIC),
    VALUE(fraction, REAL, "Share of the records released", .flags = PUBLIC),
    TABLE_OUT(strata, "stratum:text records:integer sampled:integer fraction:real factor:real",
              "Each stratum: its records, those sampled, and the factor that takes sample totals to the table's"),
    OUTPUT("The protected table"),
    END,
};

const Method protect_sample = {
    .group = "protect",
    .name = "sample",
    .summary = "Release a random sample of the records",
    .source = "Skinner, Marsh, Openshaw & Wymer 1994",
    .params = params,
    .size = sizeof(args),
    .traits = RANDOM | IDENTITY | POPULATION,
    .run = sample_run,
    .values = values,
    .example = "scrim protect sample examples/clinic.csv --fraction 0.5 --strata region --weight w",
};
