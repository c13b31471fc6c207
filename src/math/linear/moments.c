/* Two passes: means, then products of deviations. Each block writes its own sums; they are merged in block order. */
#include "base/elementary.h"
#include "math/linear/dense.h"
#include "math/linear/moments.h"

enum { BLOCK = 4096 };
typedef struct {
    const double *const *x;
    const int64_t *row;
    const double *mean;
    int64_t columns, width; /* width: sums per block */
    double *sums;
    int64_t *used;
    bool *whole; /* the record lacks nothing */
    bool all;    /* they all do, and stand one after another */
} Sums;

/* Sums of up to LANES columns at once, each in the order of its records: one sum alone would wait for itself. What is left out adds zero,
 * which no sum that began with zero shows. */
enum { LANES = 8 };
static inline __attribute__((always_inline)) void add_some(const Sums *s, int64_t first, int64_t last, int64_t column, double *out,
                                                           bool all) {
    const double *x[LANES];
    double sum[LANES] = { 0 };
    int64_t lanes = s->columns - column < LANES ? s->columns - column : LANES;
    for (int64_t l = 0; l < LANES; l++) x[l] = s->x[column + (l < lanes ? l : 0)];
    for (int64_t k = first; k < last; k++) {
        int64_t i = s->row ? s->row[k] : k;
        for (int64_t l = 0; l < LANES; l++) sum[l] += all || s->whole[k] ? x[l][i] : 0;
    }
    for (int64_t l = 0; l < lanes; l++) out[column + l] = sum[l];
}
static void add_whole(const Sums *s, int64_t first, int64_t last, double *out) {
    for (int64_t j = 0; j < s->columns; j += LANES) add_some(s, first, last, j, out, false);
}

/* Sums of all records of the block; false where one of them may lack something. */
static bool add_all(const Sums *s, int64_t first, int64_t last, double *out) {
    bool fine = true;
    for (int64_t j = 0; fine && j < s->columns; j += LANES) {
        add_some(s, first, last, j, out, true);
        for (int64_t l = j; l < j + LANES && l < s->columns; l++) fine &= !isnan(out[l]);
    }
    return fine;
}

/* Column by column, as they lie in memory: which records of the block are complete, then the sums over those. */
static Status add_values(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Sums *s = self;
    bool *whole = s->whole;
    (void)error;
    for (int64_t k = first; k < last; k++) whole[k] = true;
    s->used[block] = last - first;
    if (add_all(s, first, last, s->sums + block * s->width)) return OK;
    for (int64_t j = 0; j < s->columns; j++) {
        const double *x = s->x[j];
        if (s->row)
            for (int64_t k = first; k < last; k++) whole[k] &= !isnan(x[s->row[k]]);
        else
            for (int64_t k = first; k < last; k++) whole[k] &= !isnan(x[k]);
    }
    add_whole(s, first, last, s->sums + block * s->width);
    s->used[block] = 0;
    for (int64_t k = first; k < last; k++) s->used[block] += whole[k];
    return OK;
}

/* Of two columns, whose sums need not wait for memory. */
static void add_pair(const Sums *s, int64_t first, int64_t last, double *sum) {
    const double *x = s->x[0], *y = s->x[1], mean[2] = { s->mean[0], s->mean[1] };
    double own[2] = { 0 }, both = 0;
    for (int64_t r = first; r < last; r++) {
        int64_t i = s->row ? s->row[r] : r;
        if (!s->all && !s->whole[r]) continue;
        double a = x[i] - mean[0], b = y[i] - mean[1];
        own[0] += a * a;
        both += b * a;
        own[1] += b * b;
    }
    sum[0] = own[0];
    sum[1] = both;
    sum[2] = own[1];
}

static Status add_products(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Sums *s = self;
    double *sum = s->sums + block * s->width;
    (void)error;
    if (s->columns == 2) {
        add_pair(s, first, last, sum);
        return OK;
    }
    for (int64_t r = first; r < last; r++) {
        int64_t i = s->row ? s->row[r] : r;
        if (!s->whole[r]) continue;
        for (int64_t j = 0, at = 0; j < s->columns; j++) {
            double deviation = s->x[j][i] - s->mean[j];
            for (int64_t k = 0; k <= j; k++) sum[at++] += deviation * (s->x[k][i] - s->mean[k]);
        }
    }
    return OK;
}

/* Many columns: deviations of the complete records (zeros elsewhere) go through the tiles of math/dense.h. */
enum { FEW_COLUMNS = 16 };
static void deviations(const void *self, int64_t first, int64_t count, DensePanels out) {
    const Sums *s = self;
    for (int64_t j = 0; j < s->columns; j++) {
        const double *x = s->x[j], mean = s->mean[j];
        double *to = dense_place(out, j / DENSE_PANEL, 0) + j % DENSE_PANEL;
        if (s->all)
            for (int64_t k = 0; k < count; k++) to[k * DENSE_PANEL] = x[first + k] - mean;
        else
            for (int64_t k = first; k < first + count; k++, to += DENSE_PANEL) *to = s->whole[k] ? x[s->row ? s->row[k] : k] - mean : 0;
    }
}

static Status summed(Work *work, Sums *s, int64_t rows, Block *body, double *total) {
    Status status = OK;
    int64_t blocks = blocks_of(rows, BLOCK);
    s->sums = NULL;
    NEW(work, s->sums, blocks * s->width + 1);
    TRY(parallel_for(work, rows, BLOCK, body, s));
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t j = 0; j < s->width; j++) total[j] += s->sums[b * s->width + j];
done:
    arena_drop(work->arena, s->sums);
    return status;
}

Status moments_make(Work *work, const double *const *x, int64_t columns, const int64_t *row, int64_t rows, Moments *out) {
    Status status = OK;
    Sums s = { .x = x, .row = row, .columns = columns, .width = columns };
    double *products = NULL;
    *out = (Moments){ .columns = columns };
    NEW(work, out->mean, columns + 1);
    NEW(work, out->covariance, columns * columns + 1);
    NEW(work, s.used, blocks_of(rows, BLOCK) + 1);
    NEW(work, s.whole, rows + 1);
    TRY(summed(work, &s, rows, add_values, out->mean));
    for (int64_t b = 0; b < blocks_of(rows, BLOCK); b++) out->rows += s.used[b];
    for (int64_t j = 0; j < columns; j++) out->mean[j] = out->rows ? out->mean[j] / (double)out->rows : NAN;
    s.mean = out->mean;
    s.all = out->rows == rows && !row;
    if (columns > FEW_COLUMNS) {
        TRY(dense_cross(work, deviations, &s, rows, columns, out->covariance));
        for (int64_t i = 0; i < columns * columns; i++)
            out->covariance[i] = out->rows > 1 ? out->covariance[i] / (double)(out->rows - 1) : NAN;
        goto done;
    }
    NEW(work, products, columns * (columns + 1) / 2 + 1);
    s.width = columns * (columns + 1) / 2;
    TRY(summed(work, &s, rows, add_products, products));
    for (int64_t j = 0, at = 0; j < columns; j++)
        for (int64_t k = 0; k <= j; k++, at++)
            out->covariance[j * columns + k] = out->covariance[k * columns + j] =
                out->rows > 1 ? products[at] / (double)(out->rows - 1) : NAN;
done:
    arena_drop(work->arena, products);
    arena_drop(work->arena, s.used);
    arena_drop(work->arena, s.whole);
    return status;
}

double moments_correlation(const Moments *moments, int64_t j, int64_t k) {
    double both = moments_covariance(moments, j, j) * moments_covariance(moments, k, k);
    if (!(both > 0)) return NAN;
    if (j == k) return 1;
    double r = moments_covariance(moments, j, k) / sqrt(both);
    return r > 1 ? 1 : r < -1 ? -1 : r;
}
