/* Least squares: QR of blocks of rows merged in order, so that threads do not change the answer. */
#include "math/linear/least_squares.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/linear/dense.h"
#include "math/linear/symmetric.h"

static const double TOLERANCE = 1e-7;

/* Rows per block: many more than columns, so that merging costs little. */
static int64_t block_rows(int64_t columns) { return columns * 16 > 1024 ? columns * 16 : 1024; }

typedef struct Blocks {
    const LinearModel *model;
    const double *const *y;
    int64_t responses;
    double *r;
    int threads; /* of one block */
    Progress stop;
    ScratchPool *pads;
} Blocks;

/* Rows of X, column-major. */
static void read_rows(const LinearModel *m, int64_t first, int64_t count, double *out) {
    if (!m->x) {
        m->read(m->self, first, count, out);
        return;
    }
    for (int64_t j = 0; j < m->columns; j++) memcpy(out + j * count, m->x + j * m->rows + first, (size_t)count * sizeof *out);
}

/* √w·[X y] of one block: a pad holds the block, the roots, and room to factor it. */
static Status block_triangle(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Blocks *b = self;
    const LinearModel *m = b->model;
    int64_t n = m->columns + b->responses, count = last - first;
    double *a = scratch_pool_take(b->pads), *root = a + count * n, *room = root + count;
    read_rows(m, first, count, a);
    for (int64_t k = 0; k < b->responses; k++) memcpy(a + (m->columns + k) * count, b->y[k] + first, (size_t)count * sizeof *a);
    for (int64_t i = 0; i < count && m->weight; i++) root[i] = sqrt(m->weight[first + i]);
    for (int64_t j = 0; j < n && m->weight; j++)
        for (int64_t i = 0; i < count; i++) a[j * count + i] *= root[i];
    Work inner = { .error = error, .threads = b->threads, .progress = &b->stop };
    Status status = dense_triangle_in(&inner, a, count, n, room, b->r + block * n * n);
    scratch_pool_give(b->pads, a);
    return status;
}

/* The triangle of the whole: [X y] = QR, by merging the blocks' triangles in their order. */
static Status whole_triangle(Work *work, const LinearModel *m, const double *const *y, int64_t responses, double *r) {
    Status status = OK;
    int64_t n = m->columns + responses, size = block_rows(n), blocks = blocks_of(m->rows, size), most = m->rows < size ? m->rows : size;
    double *all = NULL, *stack = NULL, *room = NULL;
    ScratchPool pads = { 0 };
    NEW(work, all, (blocks ? blocks : 1) * n * n);
    NEW(work, stack, 2 * n * n);
    NEW(work, room, dense_triangle_room(2 * n, n));
    TRY(scratch_pool_make(work, blocks, (size_t)(most * (n + 1) + dense_triangle_room(most, n)) * sizeof *all, &pads));
    TRY(parallel_for(work, m->rows, size, block_triangle,
                     &(Blocks){ m, y, responses, all, blocks > 1 ? 1 : work->threads, progress_quiet(work->progress), &pads }));
    memcpy(r, all, (size_t)(n * n) * sizeof *r);
    for (int64_t b = 1; b < blocks; b++) {
        for (int64_t j = 0; j < n; j++) {
            memcpy(stack + j * 2 * n, r + j * n, (size_t)n * sizeof *r);
            memcpy(stack + j * 2 * n + n, all + b * n * n + j * n, (size_t)n * sizeof *r);
        }
        TRY(work_check(work));
        TRY(dense_triangle_in(work, stack, 2 * n, n, room, r));
    }
done:
    arena_drop(work->arena, all);
    arena_drop(work->arena, stack);
    arena_drop(work->arena, room);
    scratch_pool_drop(work, &pads);
    return status;
}

static double length(const double *v, int64_t n) {
    double scale = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) scale = fabs(v[i]) > scale ? fabs(v[i]) : scale;
    if (scale == 0) return 0;
    for (int64_t i = 0; i < n; i++) sum += v[i] / scale * (v[i] / scale);
    return scale * sqrt(sum);
}

/* Householder's reflection by v (n long, v·v = 2) of the vector a. */
static void reflect(const double *v, double *a, int64_t n) {
    double dot = 0;
    for (int64_t i = 0; i < n; i++) dot += v[i] * a[i];
    for (int64_t i = 0; i < n; i++) a[i] -= dot * v[i];
}

/* Goes through the columns of r (p of them, and y last; n = p + 1 rows) in order, keeping each that the kept ones before it do not nearly
 * span; what is kept becomes triangular in place. kept[k] is the k-th kept column. v holds the reflections. */
static int64_t keep_columns(const Work *work, double *r, int64_t p, int64_t *kept, double *v) {
    int64_t n = p + 1, rank = 0;
    for (int64_t j = 0; j <= p && !work_stopped(work); j++) {
        double *a = r + j * n, whole = length(a, n);
        for (int64_t k = 0; k < rank; k++) reflect(v + k * n + k, a + k, n - k);
        double rest = length(a + rank, n - rank);
        if (j == p || rest == 0 || rest < TOLERANCE * whole) continue;
        double *w = v + rank * n + rank, sign = a[rank] < 0 ? -1 : 1;
        memcpy(w, a + rank, (size_t)(n - rank) * sizeof *w);
        w[0] += sign * rest;
        double scale = sqrt(2) / length(w, n - rank);
        for (int64_t i = 0; i < n - rank; i++) w[i] *= scale;
        a[rank] = -sign * rest;
        memset(a + rank + 1, 0, (size_t)(n - rank - 1) * sizeof *a);
        kept[rank++] = j;
    }
    return rank;
}

/* (R'R)⁻¹ of the kept triangle, spread over all columns. */
static Status invert(Work *work, const double *t, int64_t rank, const int64_t *kept, LinearFit *out) {
    Status status = OK;
    double *inverse = NULL;
    int64_t p = out->columns;
    NEW(work, inverse, rank * rank);
    for (int64_t j = 0; j < rank; j++) /* a column-major upper R is a row-major lower R' */
        for (int64_t i = 0; i < rank; i++) inverse[j * rank + i] = i <= j ? t[j * rank + i] : 0;
    TRY(triangle_inverse(work, inverse, rank, inverse));
    for (int64_t i = 0; i < p * p; i++) out->unscaled[i] = NAN;
    for (int64_t j = 0; j < rank; j++)
        for (int64_t i = 0; i <= j; i++)
            out->unscaled[kept[j] * p + kept[i]] = out->unscaled[kept[i] * p + kept[j]] = inverse[j * rank + i];
done:
    arena_drop(work->arena, inverse);
    return status;
}

/* Coefficients and (X'WX)⁻¹ from the triangle of [X y]. */
static Status solve(Work *work, double *r, LinearFit *out) {
    Status status = OK;
    int64_t p = out->columns, n = p + 1, *kept = NULL;
    double *v = NULL, *t = NULL, *b = NULL;
    NEW(work, kept, n);
    NEW(work, v, n * n);
    int64_t rank = out->rank = keep_columns(work, r, p, kept, v);
    TRY(work_check(work));
    NEW(work, t, rank * rank);
    NEW(work, b, rank);
    for (int64_t j = 0; j < rank; j++) memcpy(t + j * rank, r + kept[j] * n, (size_t)rank * sizeof *t);
    memcpy(b, r + p * n, (size_t)rank * sizeof *b);
    for (int64_t k = rank - 1; k >= 0; k--) { /* R b = Q'y from below; no kept column has a zero on the diagonal */
        b[k] /= t[k * rank + k];
        dense_add(-b[k], t + k * rank, k, b);
    }
    for (int64_t j = 0; j < p; j++) out->coefficient[j] = NAN;
    for (int64_t k = 0; k < rank; k++) out->coefficient[kept[k]] = b[k];
    TRY(invert(work, t, rank, kept, out));
done:
    arena_drop(work->arena, v);
    arena_drop(work->arena, t);
    return status;
}

enum { PREDICTED = 4096, READ = 512 };

typedef struct Prediction {
    const LinearModel *model;
    const double *coefficient;
    double *out;
    ScratchPool *pads; /* where rows are read */
} Prediction;

/* out += X·b over rows of `stride` between columns. */
static void add_columns(const double *x, int64_t stride, int64_t count, const double *coefficient, int64_t columns, double *out) {
    memset(out, 0, (size_t)count * sizeof *out);
    for (int64_t j = 0; j < columns; j++, x += stride) {
        double b = coefficient[j];
        if (isnan(b)) continue;
        for (int64_t i = 0; i < count; i++) out[i] += b * x[i];
    }
}

static Status predict_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Prediction *p = self;
    const LinearModel *m = p->model;
    (void)block, (void)error;
    if (m->x) {
        add_columns(m->x + first, m->rows, last - first, p->coefficient, m->columns, p->out + first);
        return OK;
    }
    double *x = scratch_pool_take(p->pads);
    for (int64_t count; first < last; first += count) {
        count = last - first < READ ? last - first : READ;
        m->read(m->self, first, count, x);
        add_columns(x, count, count, p->coefficient, m->columns, p->out + first);
    }
    scratch_pool_give(p->pads, x);
    return OK;
}

Status linear_predict(Work *work, const LinearModel *model, const double *coefficient, double *out) {
    Status status = OK;
    ScratchPool pads = { 0 };
    if (!model->x)
        TRY(scratch_pool_make(work, blocks_of(model->rows, PREDICTED), (size_t)(READ * model->columns + 1) * sizeof(double), &pads));
    TRY(parallel_for(work, model->rows, PREDICTED, predict_rows, &(Prediction){ model, coefficient, out, &pads }));
done:
    scratch_pool_drop(work, &pads);
    return status;
}

/* Sums over rows in blocks of fixed size. */
typedef struct Sums {
    double weight, y, residual, total;
    int64_t rows;
} Sums;
typedef struct Summing {
    const LinearModel *model;
    const double *fitted;
    double centre;
    Sums *block;
} Summing;

static Status sum_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Summing *of = self;
    const LinearModel *m = of->model;
    Sums s = { 0 };
    (void)error;
    for (int64_t i = first; i < last; i++) {
        double w = m->weight ? m->weight[i] : 1, r = m->y[i] - of->fitted[i], c = m->y[i] - of->centre;
        s.weight += w;
        s.y += w * m->y[i];
        s.residual += w * r * r;
        s.total += w * c * c;
        s.rows += w > 0;
    }
    of->block[block] = s;
    return OK;
}

static Status residual_sums(Work *work, const LinearModel *m, const double *fitted, double centre, Sums *all) {
    Status status = OK;
    Summing of = { m, fitted, centre, NULL };
    int64_t blocks = blocks_of(m->rows, PREDICTED);
    NEW(work, of.block, blocks + 1);
    TRY(parallel_for(work, m->rows, PREDICTED, sum_block, &of));
    *all = (Sums){ 0 };
    for (const Sums *s = of.block; s < of.block + blocks; s++) {
        all->weight += s->weight, all->y += s->y, all->residual += s->residual, all->total += s->total, all->rows += s->rows;
    }
done:
    arena_drop(work->arena, of.block);
    return status;
}

static Status check_model(Work *work, const LinearModel *m) {
    if (m->rows > INT32_MAX || m->columns > INT32_MAX / 16) return fail(work->error, FAILED, "the model is too large");
    for (int64_t i = 0; m->weight && i < m->rows; i++)
        if (!(m->weight[i] >= 0) || isinf(m->weight[i])) {
            fail(work->error, BAD, "weights must be 0 or more");
            return error_row(work->error, i);
        }
    return OK;
}

/* The triangle of [X y_k] out of that of [X y_0 y_1 …]: what y_k has below X's rows is as long as its residuals, wherever it lies. */
static void one_triangle(const double *whole, int64_t p, int64_t responses, int64_t k, double *r) {
    int64_t n = p + responses;
    const double *y = whole + (p + k) * n;
    memset(r, 0, (size_t)((p + 1) * (p + 1)) * sizeof *r);
    for (int64_t j = 0; j < p; j++) memcpy(r + j * (p + 1), whole + j * n, (size_t)(j + 1) * sizeof *r);
    memcpy(r + p * (p + 1), y, (size_t)p * sizeof *r);
    r[p * (p + 1) + p] = responses == 1 ? y[p] : length(y + p, responses);
}

static Status fit_triangle(Work *work, const LinearModel *m, double *r, LinearFit *out) {
    Status status = OK;
    int64_t p = m->columns;
    Sums s;
    *out = (LinearFit){ .columns = p, .converged = true };
    NEW(work, out->coefficient, p);
    NEW(work, out->standard_error, p);
    NEW(work, out->unscaled, p * p);
    NEW(work, out->fitted, m->rows);
    TRY(solve(work, r, out));
    TRY(linear_predict(work, m, out->coefficient, out->fitted));
    TRY(residual_sums(work, m, out->fitted, 0, &s));
    if (m->intercept) TRY(residual_sums(work, m, out->fitted, s.y / s.weight, &s));
    out->rows = s.rows;
    out->residual_df = s.rows - out->rank;
    out->residual_sum = out->deviance = s.residual;
    out->null_deviance = s.total;
    out->dispersion = out->residual_df > 0 ? s.residual / (double)out->residual_df : NAN;
    out->r2 = s.total > 0 ? 1 - s.residual / s.total : NAN;
    for (int64_t j = 0; j < p; j++) out->standard_error[j] = sqrt(out->dispersion * out->unscaled[j * p + j]);
done:
    return status;
}

Status least_squares_several(Work *work, const LinearModel *m, const double *const *y, int64_t responses, LinearFit *out) {
    Status status = OK;
    int64_t p = m->columns, n = p + responses;
    double *whole = NULL, *r = NULL;
    TRY(check_model(work, m));
    NEW(work, whole, n * n);
    NEW(work, r, (p + 1) * (p + 1));
    TRY(whole_triangle(work, m, y, responses, whole));
    for (int64_t k = 0; k < responses; k++) {
        LinearModel one = *m;
        one.y = y[k];
        one_triangle(whole, p, responses, k, r);
        TRY(fit_triangle(work, &one, r, &out[k]));
    }
done:
    arena_drop(work->arena, whole);
    arena_drop(work->arena, r);
    return status;
}

Status least_squares(Work *work, const LinearModel *m, LinearFit *out) { return least_squares_several(work, m, &m->y, 1, out); }
