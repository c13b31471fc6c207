/* Products of matrices in tiles that stay in registers; wide registers by what the processor has, the same bits with all. No product is
 * fused with a sum. */
#include "math/linear/dense.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

enum { EIGHT = DENSE_PANEL, GROUP = DENSE_GROUP, CHUNK = DENSE_ROWS, PANEL = 32 };
typedef struct Kernels {
    double (*dot)(const double *a, const double *b, int64_t n);
    void (*add)(double s, const double *x, int64_t n, double *y);
    void (*add_two)(double s, const double *x, double t, const double *z, int64_t n, double *y);
    void (*tile)(const double *a, const double *b, int64_t count, double *out, int64_t stride);
    void (*two)(const double *a, int64_t apart, const double *b, int64_t count, double *out, int64_t stride);
    void (*dots)(const double *a, const double *c, int64_t stride, int64_t n, double *out);
    void (*subtract)(const double *v, int64_t above, int64_t count, const double *z, int64_t n, double *c, int64_t stride);
    void (*dot_rows)(const double *a, int64_t stride, const double *v, int64_t n, double *out);
    void (*turn_rows)(double *a, int64_t stride, const double *s, const double *x, const double *t, const double *z, const double *v,
                      int64_t n, double *out);
    void (*half_rows)(double *a, int64_t stride, const double *s, const double *x, const double *t, const double *z, const double *u,
                      const double *v, int64_t n, double *out, double *p);
    int rows; /* of a tile */
} Kernels;

#define TILE 2
#define LANE_COUNT 2
#define LANE_TARGET
#define LANE_NAME(name) plain_##name
#include "math/linear/dense_lanes.h"

#if defined(__x86_64__)
#define TILE 4
#define LANE_COUNT 4
#define LANE_TARGET __attribute__((target("avx2")))
#define LANE_NAME(name) wide_##name
#include "math/linear/dense_lanes.h"

static const Kernels *kernels(void) { return __builtin_cpu_supports("avx2") ? &wide_kernels : &plain_kernels; }
#else
static const Kernels *kernels(void) { return &plain_kernels; }
#endif

double dense_dot(const double *a, const double *b, int64_t n) { return kernels()->dot(a, b, n); }
void dense_add(double s, const double *x, int64_t n, double *y) { kernels()->add(s, x, n, y); }
void dense_add_two(double s, const double *x, double t, const double *z, int64_t n, double *y) { kernels()->add_two(s, x, t, z, n, y); }

void dense_dot_rows(const double *a, int64_t stride, int64_t rows, const double *v, int64_t n, double *out) {
    const Kernels *with = kernels();
    int64_t i = 0;
    for (; i + GROUP <= rows; i += GROUP) with->dot_rows(a + i * stride, stride, v, n, out + i);
    for (; i < rows; i++) out[i] = with->dot(a + i * stride, v, n);
}

void dense_turn_rows(double *a, int64_t stride, int64_t rows, const double *s, const double *x, const double *t, const double *z,
                     const double *v, int64_t n, double *out) {
    const Kernels *with = kernels();
    int64_t i = 0;
    for (; i + GROUP <= rows; i += GROUP) with->turn_rows(a + i * stride, stride, s + i, x, t + i, z, v, n, out + i);
    for (; i < rows; i++) {
        with->add_two(-s[i], x, -t[i], z, n, a + i * stride);
        out[i] = with->dot(a + i * stride, v, n);
    }
}

/* Columns before the first multiple of eight past the group's diagonal one by one, so that the others lie where a register's do. */
static void half_group(const Kernels *with, double *a, int64_t i, int64_t n, const double *v, const double *w, const double *next,
                       double *p) {
    const int64_t even = blocks_of(i + GROUP, EIGHT) * EIGHT;
    double out[GROUP] = { 0 };
    for (int64_t r = 0; r < GROUP; r++)
        for (int64_t j = i + r; j < even; j++) {
            double *cell = a + (i + r) * n + j;
            *cell = *cell - v[i + r] * w[j] - w[i + r] * v[j];
            out[r] += *cell * next[j];
            if (j > i + r) p[j] += next[i + r] * *cell;
        }
    with->half_rows(a + i * n + even, n, v + i, w + even, w + i, v + even, next + i, next + even, n - even, out, p + even);
    for (int64_t r = 0; r < GROUP; r++) p[i + r] += out[r];
}

void dense_half_rows(double *a, int64_t n, int64_t first, int64_t last, const double *v, const double *w, const double *next, double *p) {
    const Kernels *with = kernels();
    int64_t i = first;
    for (; i + GROUP <= last; i += GROUP) half_group(with, a, i, n, v, w, next, p);
    for (; i < last; i++) {
        double *row = a + i * n + i;
        with->add_two(-v[i], w + i, -w[i], v + i, n - i, row);
        p[i] += with->dot(row, next + i, n - i);
        with->add(next[i], row + 1, n - i - 1, p + i + 1);
    }
}

void dense_subtract_rows(const double *v, int64_t above, int64_t count, const double *z, int64_t n, double *c, int64_t stride) {
    kernels()->subtract(v, above, count, z, n, c, stride);
}

/* ---- X'X ---- */

/* Columns in panels of eight, row after row, padded with zeros: panel p's row k is at (p·rows + k)·8. */
typedef struct Cross {
    DenseRows *read;
    const void *self;
    int64_t first, rows, columns, panels;
    double *packed, *sum, *out;
} Cross;

static Status pack_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Cross *c = self;
    (void)block, (void)error;
    c->read(c->self, c->first + first, last - first, (DensePanels){ c->packed + first * EIGHT, c->rows * EIGHT, c->columns });
    return OK;
}

/* The rows of the product that panels first … last−1 make, left of the diagonal: chunk by chunk, and each panel of a chunk with all of
 * these, which stay in a near cache. */
static void multiply_panels(const Cross *c, int64_t first, int64_t last) {
    const Kernels *with = kernels();
    int64_t stride = c->panels * EIGHT, apart = c->rows * EIGHT;
    for (int64_t k = 0; k < c->rows; k += CHUNK) {
        const double *x = c->packed + k * EIGHT;
        int64_t count = c->rows - k < CHUNK ? c->rows - k : CHUNK;
        for (int64_t q = 0; q < last; q++) {
            int64_t p = q > first ? q : first;
            for (; p + 1 < last; p += 2)
                with->two(x + p * apart, apart, x + q * apart, count, c->sum + p * EIGHT * stride + q * EIGHT, stride);
            for (int row = 0; p < last && row < EIGHT; row += with->rows)
                with->tile(x + p * apart + row, x + q * apart, count, c->sum + (p * EIGHT + row) * stride + q * EIGHT, stride);
        }
    }
}

/* Panels from the last, which have most to do. */
static Status multiply(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Cross *c = self;
    (void)block, (void)error;
    multiply_panels(c, c->panels - last, c->panels - first);
    return OK;
}

/* Both triangles, from what is left of the diagonal, a square of eight by eight at a time. */
static Status mirror(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Cross *c = self;
    const int64_t stride = c->panels * EIGHT, n = c->columns;
    (void)block, (void)error;
    for (int64_t p = first; p < last; p++)
        for (int64_t q = 0; q < c->panels; q++)
            for (int64_t i = p * EIGHT; i < (p + 1) * EIGHT && i < n; i++)
                for (int64_t j = q * EIGHT; j < (q + 1) * EIGHT && j < n; j++)
                    c->out[i * n + j] = j <= i ? c->sum[i * stride + j] : c->sum[j * stride + i];
    return OK;
}

Status dense_cross(Work *work, DenseRows *read, const void *self, int64_t rows, int64_t columns, double *out) {
    Status status = OK;
    Cross c = { .read = read, .self = self, .columns = columns, .panels = blocks_of(columns, EIGHT) };
    int64_t stride = c.panels * EIGHT, most = (int64_t)1 << 20; /* at most 8 MB of the rows at once, in whole chunks */
    int64_t piece = stride ? most / stride / CHUNK * CHUNK : CHUNK;
    if (piece < CHUNK) piece = CHUNK;
    if (piece > rows) piece = rows ? rows : 1;
    NEW(work, c.packed, piece * stride + 1);
    NEW(work, c.sum, stride * stride + 1);
    for (c.first = 0; c.first < rows; c.first += piece) {
        c.rows = rows - c.first < piece ? rows - c.first : piece;
        TRY(parallel_for(work, c.rows, CHUNK, pack_rows, &c));
        TRY(parallel_for(work, c.panels, EIGHT, multiply, &c));
    }
    c.out = out;
    TRY(parallel_for(work, c.panels, EIGHT, mirror, &c));
done:
    arena_drop(work->arena, c.packed);
    arena_drop(work->arena, c.sum);
    return status;
}

/* ---- QR ---- */

/* The matrix with its rows padded to a multiple of eight and its columns to a multiple of GROUP (zeros), and one panel's reflections I −
 * V·T·V' (Schreiber & Van Loan 1989): v column-major, zeros above its unit diagonal; t holds T', row k, columns 0…k. */
typedef struct Triangle {
    double *a, *v, *t;
    int64_t height, width, first, count;
} Triangle;

static double length(const double *v, int64_t n) {
    double scale = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) scale = fabs(v[i]) > scale ? fabs(v[i]) : scale;
    if (scale == 0 || !isfinite(scale)) return scale;
    if (scale > 1e-140 && scale < 1e140) return sqrt(dense_dot(v, v, n));
    for (int64_t i = 0; i < n; i++) sum += v[i] / scale * (v[i] / scale);
    return scale * sqrt(sum);
}

/* Turns x (n long) into (beta, 0, …): v = x scaled so that v_0 = 1; gives tau with H = I − tau v v'. */
static double reflection(const double *x, int64_t n, double *v, double *beta) {
    double rest = n > 1 ? length(x + 1, n - 1) : 0;
    memset(v, 0, (size_t)n * sizeof *v);
    v[0] = 1;
    *beta = x[0];
    if (rest == 0) return 0;
    double whole = hypot(x[0], rest);
    *beta = x[0] > 0 ? -whole : whole;
    for (int64_t i = 1; i < n; i++) v[i] = x[i] / (x[0] - *beta);
    return (*beta - x[0]) / *beta;
}

/* Reflects GROUP columns from column j on: C −= V·T'·(V'C), rows from the one at or before the panel's first that is a multiple of eight.
 */
static void reflect_group(const Triangle *q, int64_t j) {
    const Kernels *with = kernels();
    int64_t top = q->first / EIGHT * EIGHT;
    double w[PANEL * GROUP] = { 0 }, z[PANEL * GROUP] = { 0 };
    for (int64_t i = top; i < q->height; i += CHUNK) {
        int64_t n = q->height - i < CHUNK ? q->height - i : CHUNK;
        for (int64_t k = 0; k < q->count; k++) with->dots(q->v + k * q->height + i, q->a + j * q->height + i, q->height, n, w + k * GROUP);
    }
    for (int64_t k = 0; k < q->count; k++)
        for (int64_t l = 0; l <= k; l++)
            for (int g = 0; g < GROUP; g++) z[k * GROUP + g] += q->t[k * PANEL + l] * w[l * GROUP + g];
    for (int64_t i = top; i < q->height; i += CHUNK) {
        int64_t n = q->height - i < CHUNK ? q->height - i : CHUNK;
        with->subtract(q->v + i, q->height, q->count, z, n, q->a + j * q->height + i, q->height);
    }
}

static Status reflect_groups(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Triangle *q = self;
    (void)block, (void)error;
    for (int64_t g = first; g < last; g++) reflect_group(q, q->first + PANEL + g * GROUP);
    return OK;
}

/* Factors the panel's columns one by one and gathers T: column k of T is −tau_k·T·(V'v_k), its diagonal tau_k. */
static void factor_panel(Triangle *q) {
    int64_t h = q->height, n = h - q->first;
    memset(q->t, 0, sizeof(double) * PANEL * PANEL);
    memset(q->v, 0, sizeof(double) * (size_t)(h * PANEL));
    for (int64_t k = 0; k < q->count; k++) {
        double *x = q->a + (q->first + k) * h + q->first + k, *v = q->v + k * h + q->first + k, beta, with[PANEL] = { 0 };
        double tau = reflection(x, n - k, v, &beta);
        x[0] = beta;
        memset(x + 1, 0, (size_t)(n - k - 1) * sizeof *x);
        for (int64_t j = k + 1; j < PANEL; j++) { /* past `count` too: a matrix of fewer rows than columns */
            double *c = q->a + (q->first + j) * h + q->first + k;
            dense_add(-tau * dense_dot(v, c, n - k), v, n - k, c);
        }
        for (int64_t l = 0; l < k; l++) with[l] = dense_dot(q->v + l * h + q->first + k, v, n - k);
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = l; j < k; j++) q->t[k * PANEL + l] -= tau * q->t[j * PANEL + l] * with[j];
        q->t[k * PANEL + k] = tau;
    }
}

static int64_t padded_height(int64_t m) { return blocks_of(m, EIGHT) * EIGHT; }
static int64_t padded_width(int64_t n) { return blocks_of(n, PANEL) * PANEL; }

int64_t dense_triangle_room(int64_t m, int64_t n) { return padded_height(m) * (padded_width(n) + PANEL) + PANEL * PANEL; }

Status dense_triangle_in(Work *work, const double *a, int64_t m, int64_t n, double *room, double *r) {
    Status status = OK;
    int64_t k = m < n ? m : n;
    Triangle q = { .a = room, .height = padded_height(m), .width = padded_width(n) };
    q.v = q.a + q.height * q.width;
    q.t = q.v + q.height * PANEL;
    for (int64_t j = 0; j < q.width; j++) {
        int64_t filled = j < n ? m : 0;
        double *to = q.a + j * q.height;
        if (filled) memcpy(to, a + j * m, (size_t)m * sizeof *a);
        memset(to + filled, 0, (size_t)(q.height - filled) * sizeof *to);
    }
    for (q.first = 0; !status && q.first < k; q.first += PANEL) {
        q.count = k - q.first < PANEL ? k - q.first : PANEL;
        factor_panel(&q);
        int64_t groups = (q.width - q.first - PANEL) / GROUP;
        if (groups > 0) status = parallel_for(work, groups, groups > 32 ? 16 : groups, reflect_groups, &q);
    }
    for (int64_t j = 0; !status && j < n; j++)
        for (int64_t i = 0; i < n; i++) r[j * n + i] = i <= j && i < k ? q.a[j * q.height + i] : 0;
    return status;
}

Status dense_triangle(Work *work, const double *a, int64_t m, int64_t n, double *r) {
    double *room = malloc((size_t)dense_triangle_room(m, n) * sizeof *room);
    Status status = room ? dense_triangle_in(work, a, m, n, room, r) : out_of_memory(work->error);
    free(room);
    return status;
}
