/* protect.resample: each value becomes the mean of the values of its rank in t bootstrap samples of the column (Heer 1993; Domingo-Ferrer &
 * Torra 2001): docs/methods/protect-resample.md. */
#include <string.h>
#include "base/elementary.h"
#include "classes/strata.h"
#include "math/ranks.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data;
    Columns vars, strata;
    int64_t samples;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to resample", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    INT(args, samples, 3, 1, 1000, "Bootstrap samples whose values are averaged; fewer change the values more"),
    COLUMNS(args, strata, data, "Samples are drawn within each stratum"),
    END,
};

/* The n values from `sorted` on, ascending: adds to sum[j] the j-th smallest value of one sample with replacement. A sample is held as the
 * number of times that each value was drawn, so that it needs no sorting. */
static void add_sample(const double *x, const int64_t *sorted, int64_t n, RandomStream *stream, uint64_t first, uint64_t *words,
                       int64_t *drawn, double *sum) {
    stream_words(stream, first, (size_t)n, words);
    memset(drawn, 0, (size_t)n * sizeof *drawn);
    for (int64_t i = 0; i < n; i++) drawn[word_below(words[i], (uint64_t)n)]++;
    for (int64_t i = 0, rank = 0; i < n; i++)
        for (int64_t k = 0; k < drawn[i]; k++) sum[rank++] += x[sorted[i]];
}

typedef struct Resampling {
    const Column *column;
    const double *x;
    int64_t samples;
    uint64_t *words;
    int64_t *drawn;
    double *sum;
    Column *made;
} Resampling;

static Status resample_stratum(Resampling *r, const int64_t *sorted, int64_t n, RandomStream *stream, uint64_t *used, Error *error) {
    memset(r->sum, 0, (size_t)n * sizeof *r->sum);
    for (int64_t k = 0; k < r->samples; k++, *used += (uint64_t)n) add_sample(r->x, sorted, n, stream, *used, r->words, r->drawn, r->sum);
    for (int64_t j = 0; j < n; j++) {
        double mean = r->sum[j] / (double)r->samples;
        if (!isfinite(mean)) {
            fail(error, FAILED, "the sum of resampled values is too large for a number");
            return error_column(error, r->column->name);
        }
        if (r->made->type == INTEGER_TYPE) r->made->integer[sorted[j]] = (int64_t)nearbyint(mean);
        else r->made->real[sorted[j]] = mean;
    }
    return OK;
}

static Status resample_column(Run *run, const args *a, const Column *column, const Strata *strata, Column **out) {
    Status status = OK;
    Work *work = &run->work;
    Resampling r = { .column = column, .samples = a->samples };
    int64_t rows = column->rows, count = 0, *order = NULL, *sorted = NULL, *begin = NULL;
    uint64_t used = 0;
    RandomStream stream = run_stream(run, column->name, "samples");
    TRY(work_check(work));
    TRY(column_reals(work, column, &r.x));
    NEW(work, order, rows + 1);
    NEW(work, sorted, rows + 1);
    NEW(work, begin, strata->count + 1);
    NEW(work, r.words, rows + 1);
    NEW(work, r.drawn, rows + 1);
    NEW(work, r.sum, rows + 1);
    TRY(column_copy(column, &r.made, work->error));
    TRY(order_reals(work, r.x, rows, order, &count));
    TRY(strata_gather(work, strata, order, count, sorted, begin));
    for (int64_t s = 0; s < strata->count; s++)
        if (begin[s + 1] > begin[s]) TRY(resample_stratum(&r, sorted + begin[s], begin[s + 1] - begin[s], &stream, &used, work->error));
    *out = r.made;
    r.made = NULL;
done:
    column_release(r.made);
    arena_drop(work->arena, order);
    arena_drop(work->arena, sorted);
    arena_drop(work->arena, r.words);
    arena_drop(work->arena, r.drawn);
    arena_drop(work->arena, r.sum);
    return status;
}

static Status resample_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Strata strata;
    Column **made = NULL;
    NEW(&run->work, made, a->vars.count + 1);
    TRY(strata_make(&run->work, a->strata, a->data->rows, &strata));
    for (int64_t v = 0; v < a->vars.count; v++) TRY(resample_column(run, a, a->vars.at[v], &strata, &made[v]));
    TRY(output_changed(run, a->data, made, a->vars.count));
    result_note(run->result,
                "Ranks are kept: an intruder who knows the order of people's values links them. Measure the release with `scrim "
                "risk reidentification`.");
    result_note(run->result, "Missing values stay missing.");
done:
    columns_release(made, a->vars.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    RELEASED("The protected table"),
    END,
};

const Method protect_resample = {
    .group = "protect",
    .name = "resample",
    .summary = "Resampling: replace values by means of the same rank in bootstrap samples",
    .source = "Heer 1993; Domingo-Ferrer & Torra 2001",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = resample_run,
    .values = values,
    .example = "scrim protect resample examples/clinic.csv --vars income,cholesterol --samples 3",
};
