/* Linkage by distance: the nearest original, exactly, on values or on ranks. */
#include "math/neighbours/neighbours.h"
#include "math/ranks.h"
#include "risk/linkage/linkage.h"
#include "table/column_cache.h"

static void judge(Links *out, Metric metric, const double *source, const double *measure, const int64_t *ties) {
    for (int64_t i = 0; i < out->rows; i++) {
        if (!(measure[i] < INFINITY)) continue;
        out->distance[i] = distance_of_measure(metric, measure[i]);
        if (source[i] <= measure_as_near(measure[i])) out->right[i] = 1 / (double)ties[i];
    }
}

static void guess(Links *out) {
    for (int64_t i = 0; i < out->rows; i++) {
        out->right[i] = 1 / (double)out->rows;
        out->distance[i] = 0;
    }
    out->constant = true;
}

Status links_make(Work *work, int64_t rows, Links *out) {
    Status status = OK;
    *out = (Links){ .rows = rows };
    NEW(work, out->right, rows);
    NEW(work, out->distance, rows);
    for (int64_t i = 0; i < rows; i++) out->distance[i] = NAN;
done:
    return status;
}

/* The nearest, and how many are as near. A record's source is at hand: none farther need be looked at. Where the second is not as near as
 * the first there are no ties to count, and that is nearly everywhere. */
static Status find_nearest(Work *work, const double *source, int64_t rows, const Neighbours *from, const Neighbours *in, double *measure,
                           int64_t *ties) {
    Status status = OK;
    int64_t tied = 0;
    double *limit = NULL, *two = NULL;
    NEW(work, limit, rows + 1);
    NEW(work, two, 2 * rows + 2);
    for (int64_t i = 0; i < rows; i++) {
        limit[i] = isnan(source[i]) ? INFINITY : measure_as_near(source[i]);
        two[2 * i] = two[2 * i + 1] = INFINITY;
    }
    TRY(neighbours_k_below(work, from, in, false, 2, limit, NULL, two));
    for (int64_t i = 0; i < rows; i++) {
        measure[i] = two[2 * i];
        bool as_near = measure[i] < INFINITY && two[2 * i + 1] <= measure_as_near(measure[i]);
        ties[i] = 1;
        limit[i] = as_near ? measure_as_near(measure[i]) : -1;
        tied += as_near;
    }
    if (!tied) goto done;
    int64_t *count = NULL;
    NEW(work, count, rows + 1);
    TRY(neighbours_within_count(work, from, in, false, limit, true, count));
    for (int64_t i = 0; i < rows; i++)
        if (limit[i] >= 0) ties[i] = count[i];
done:
    arena_drop(work->arena, two);
    arena_drop(work->arena, limit);
    return status;
}

typedef struct {
    const Space *original, *released;
    double *measure;
} Sources;

/* How far records are from their sources. */
static Status measure_sources(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Sources *s = self;
    (void)block, (void)error;
    for (int64_t i = first; i < last; i++) s->measure[i] = space_measure(s->released, i, s->original, i);
    return OK;
}

/* All but the links themselves is in the work's arena for a while only. */
static Status search(Work *work, const PairColumns *pair, Metric metric, Links *out) {
    Status status = OK;
    const Scale *scale;
    Space original, released;
    Neighbours *from, *in;
    double *measure = NULL, *source = NULL;
    int64_t *ties = NULL;
    TRY(scale_make_with_missing(work, pair->original, &pair->released, 1, metric, &scale));
    TRY(scale_space(work, scale, pair->original, &original));
    TRY(scale_space(work, scale, pair->released, &released));
    if (!original.axes) { /* nothing differs in the original */
        guess(out);
        return OK;
    }
    NEW(work, source, out->rows);
    TRY(parallel_for(work, out->rows, 1 << 14, measure_sources, &(Sources){ &original, &released, source }));
    space_drop(work, &released); /* two spaces and an index would be more than two indexes */
    TRY(neighbours_take(work, &original, &in));
    TRY(scale_space(work, scale, pair->released, &released));
    TRY(neighbours_take(work, &released, &from));
    NEW(work, measure, out->rows);
    NEW(work, ties, out->rows);
    TRY(find_nearest(work, source, out->rows, from, in, measure, ties));
    judge(out, metric, source, measure, ties);
done:
    return status;
}

/* Of the originals, then of as many released ones. */
static Status make_links(Work *work, Columns columns, int metric, void *made) {
    Status status = OK;
    int64_t half = columns.count / 2;
    PairColumns pair = { .original = { half, columns.at }, .released = { half, columns.at + half } };
    Work scratch = *work;
    if (!(scratch.arena = arena_new())) return out_of_memory(work->error);
    TRY(links_make(work, columns.at[half]->rows, made));
    TRY(search(&scratch, &pair, (Metric)metric, made));
done:
    arena_free(scratch.arena);
    return status;
}

/* risk.linkage and risk.found ask the same of the same columns. */
Status link_nearest(Run *run, const PairColumns *pair, Metric metric, Links *out) {
    Status status = OK;
    Columns both = { 0 };
    NEW(&run->work, both.at, pair->original.count + pair->released.count + 1);
    for (int64_t j = 0; j < pair->original.count; j++) both.at[both.count++] = pair->original.at[j];
    for (int64_t j = 0; j < pair->released.count; j++) both.at[both.count++] = pair->released.at[j];
    TRY(cache_take(&run->work, CACHE_NEAREST, both, (int)metric, make_links, out, sizeof *out));
    if (out->constant) result_note(run->result, "Every column is constant in the original, so all records are equally near.");
done:
    return status;
}

/* The columns live in the arena and are borrowed by the scale; what is missing, and why, is borrowed from their columns. */
static Status rank_columns(Run *run, Columns columns, Columns *out) {
    Status status = OK;
    Column *made = NULL;
    NEW(&run->work, out->at, columns.count + 1);
    NEW(&run->work, made, columns.count + 1);
    for (int64_t j = 0; j < columns.count; j++) {
        const Column *column = columns.at[j];
        const double *x;
        out->at[out->count++] = column;
        if (!column_numeric(column)) continue;
        TRY(column_reals(&run->work, column, &x));
        made[j].type = REAL_TYPE;
        made[j].name = column->name;
        made[j].rows = column->rows;
        made[j].missing = column->missing;
        made[j].valid = column->valid;
        made[j].reason = column->reason;
        made[j].about = column->about;
        NEW(&run->work, made[j].real, column->rows);
        TRY(mid_ranks(&run->work, x, column->rows, made[j].real));
        out->at[j] = &made[j];
    }
done:
    return status;
}

Status link_by_rank(Run *run, const PairColumns *pair, Metric metric, Links *out) {
    Status status = OK;
    PairColumns ranks = { 0 };
    TRY(rank_columns(run, pair->original, &ranks.original));
    TRY(rank_columns(run, pair->released, &ranks.released));
    TRY(link_nearest(run, &ranks, metric, out));
done:
    return status;
}
