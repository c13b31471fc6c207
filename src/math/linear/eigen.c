/* Eigenvalues of a symmetric matrix: Householder's reduction to three diagonals, then QL steps with implicit shifts (Martin, Reinsch &
 * Wilkinson 1968; Bowdler et al. 1968). */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/dense.h"
#include "math/linear/symmetric.h"

/* The last n rows and columns of a: a −= v w' + w v' (v NULL: nothing), and p = a·next in the same pass. */
typedef struct Step {
    double *a;
    int64_t stride, n;
    const double *v, *w, *next;
    double *p;
} Step;
static Status step_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Step *s = self;
    double *a = s->a + first * s->stride;
    (void)block, (void)error;
    if (s->v) dense_turn_rows(a, s->stride, last - first, s->v + first, s->w, s->w + first, s->v, s->next, s->n, s->p + first);
    else dense_dot_rows(a, s->stride, last - first, s->next, s->n, s->p + first);
    return OK;
}

/* Makes of x, m long, the reflection's v, scaled to v·v = 2, and *e; false where x has nothing to reflect. */
static bool reflect(double *v, int64_t m, double *e) {
    double largest = 0;
    for (int64_t i = 0; i < m; i++) largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    *e = v[0];
    if (m == 1 || largest == 0) {
        memset(v, 0, (size_t)m * sizeof *v);
        return false;
    }
    for (int64_t i = 0; i < m; i++) v[i] /= largest;
    double size = sqrt(dense_dot(v, v, m)), sign = v[0] < 0 ? -1 : 1;
    *e = -sign * size * largest;
    v[0] += sign * size;
    double unit = sqrt(2 / dense_dot(v, v, m));
    for (int64_t i = 0; i < m; i++) v[i] *= unit;
    return true;
}

/* Brings a (n × n, destroyed) to tridiagonal form: diagonal d, e_i between i and i+1. Reflection k stays in row k of a, right of the
 * diagonal, scaled to v·v = 2. What reflection k takes from the rows below is taken once the next one is known, so that they are gone
 * through once for both; of it row k+1, which makes the next, before them. `scratch` has room for 2n. */
static Status reduce(Work *work, double *a, int64_t n, double *d, double *e, double *scratch) {
    Status status = OK;
    const double *v = NULL; /* of the reflection that is not yet taken from the rows from k+1 on */
    double *w = scratch, *p = scratch + n;
    for (int64_t k = 0; k + 1 < n; k++) {
        int64_t m = n - k - 1;
        double *row = a + k * n + k;
        if (v) dense_add_two(-v[0], w, -w[0], v, m + 1, row);
        d[k] = row[0];
        bool turns = reflect(row + 1, m, &e[k]);
        Step step = { row + n + 1, n, m, v ? v + 1 : NULL, w + 1, row + 1, p };
        if (v || turns) TRY(m > 400 ? parallel_for(work, m, 100, step_rows, &step) : step_rows(&step, 0, 0, m, NULL));
        v = turns ? row + 1 : NULL;
        if (turns) dense_add(-dense_dot(v, p, m) / 2, v, m, p);
        double *swap = w;
        w = p;
        p = swap;
        if (k % 64 == 0) TRY(work_check(work));
    }
    if (n) d[n - 1] = a[n * n - 1];
done:
    return status;
}

/* ---- the same of large matrices, by the half that tells all ---- */

enum { HALF = 256, BLOCK = 128 };
/* Each block of rows gathers its own share of p, from its first row on. */
typedef struct HalfStep {
    double *a, *share;
    int64_t n, first; /* rows and columns before the first are done */
    const double *v, *w, *next;
} HalfStep;
static Status half_step(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const HalfStep *s = self;
    double *p = s->share + block * s->n;
    (void)error;
    memset(p + s->first + first, 0, (size_t)(s->n - s->first - first) * sizeof *p);
    dense_half_rows(s->a, s->n, s->first + first, s->first + last, s->v, s->w, s->next, p);
    return OK;
}

/* reduce() of a padded with zeros to `width` rows and columns, a multiple of eight: of each row, what is left of the diagonal is neither
 * read nor written, and vectors are indexed as columns are. Half of the memory is gone through, so that sums are others than there. */
static Status reduce_half(Work *work, double *a, int64_t n, int64_t width, double *d, double *e) {
    Status status = OK;
    const int64_t blocks = blocks_of(n, BLOCK);
    Work alone = *work; /* for what is not worth a thread */
    double *room = NULL;
    alone.threads = 1;
    NEW(work, room, (blocks + 3) * width);
    const double *none = room, *v = none;
    double *w = room + width, *p = w + width, *share = p + width;
    for (int64_t k = 0; k + 1 < n; k++) {
        const int64_t m = n - k - 1;
        double *row = a + k * width;
        if (v != none) dense_add_two(-v[k], w + k, -w[k], v + k, m + 1, row + k);
        d[k] = row[k];
        bool turns = reflect(row + k + 1, m, &e[k]);
        HalfStep step = { a, share, width, k + 1, v, w, row };
        TRY(parallel_for(m > 400 ? work : &alone, m, BLOCK, half_step, &step));
        memset(p + k + 1, 0, (size_t)(width - k - 1) * sizeof *p);
        for (int64_t b = 0; b < blocks_of(m, BLOCK); b++)
            for (int64_t j = k + 1 + b * BLOCK; j < width; j++) p[j] += share[b * width + j];
        v = turns ? row : none;
        if (turns) dense_add(-dense_dot(row + k + 1, p + k + 1, m) / 2, row + k + 1, m, p + k + 1);
        double *swap = w;
        w = p;
        p = swap;
    }
    d[n - 1] = a[(n - 1) * width + n - 1];
done:
    arena_drop(work->arena, room);
    return status;
}

/* The orthogonal matrix of the reflections, transposed: its rows are what QL turns into eigenvectors. */
static void gather(const Work *work, const double *a, int64_t width, int64_t n, double *q, double *scratch) {
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    for (int64_t i = 0; i < n; i++) q[i * n + i] = 1;
    for (int64_t k = n - 2; k >= 0 && !work_stopped(work); k--) { /* columns k+1… of Q' from the right by H_k */
        const double *v = a + k * width + k + 1;
        int64_t m = n - k - 1;
        for (int64_t i = 0; i < m; i++) scratch[i] = dense_dot(q + (k + 1 + i) * n + k + 1, v, m);
        for (int64_t i = 0; i < m; i++) dense_add(-scratch[i], v, m, q + (k + 1 + i) * n + k + 1);
    }
}

/* Rows i and i+1 of the vectors turned by the rotation (c, s). */
static void turn(double *vectors, int64_t n, int64_t i, double c, double s) {
    double *a = vectors + i * n, *b = a + n;
    for (int64_t k = 0; k < n; k++) {
        double f = b[k];
        b[k] = s * a[k] + c * f;
        a[k] = c * a[k] - s * f;
    }
}

/* One QL sweep from m down to l with Wilkinson's shift. */
static void sweep(double *d, double *e, int64_t l, int64_t m, double *vectors, int64_t n) {
    double g = (d[l + 1] - d[l]) / (2 * e[l]), r = hypot(g, 1);
    g = d[m] - d[l] + e[l] / (g + copysign(r, g));
    double s = 1, c = 1, p = 0;
    for (int64_t i = m - 1; i >= l; i--) {
        double f = s * e[i], b = c * e[i];
        r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) {
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        if (vectors) turn(vectors, n, i, c, s);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

/* What is nothing beside its neighbours on the diagonal splits the matrix. Where many eigenvalues are nothing but rounding (more columns
 * than records, columns twice), neighbours may be that small for ever: from the first value on that does not come, what is nothing beside
 * the whole matrix splits it too. */
static bool iterate(const Work *work, double *d, double *e, int64_t n, double *vectors) {
    enum { MOST = 100 };
    bool lenient = false;
    double nothing = 0;
    for (int64_t l = 0; l < n && !work_stopped(work); l++)
        for (int step = 0;; step++) {
            int64_t m = l;
            while (m + 1 < n && fabs(e[m]) > 0x1p-53 * (fabs(d[m]) + fabs(d[m + 1])) + nothing) m++;
            if (m == l) break;
            if (step == MOST) {
                if (lenient) return false;
                lenient = true;
                for (int64_t i = 0; i < n; i++) nothing = larger(nothing, 0x1p-53 * (fabs(d[i]) + fabs(e[i])));
                step = -1;
                continue;
            }
            sweep(d, e, l, m, vectors, n);
        }
    return true;
}

/* Values in rising order, their rows with them. */
static void sort(double *d, int64_t n, double *vectors) {
    for (int64_t i = 0; i + 1 < n; i++) {
        int64_t least = i;
        for (int64_t j = i + 1; j < n; j++) least = d[j] < d[least] ? j : least;
        if (least == i) continue;
        double value = d[i];
        d[i] = d[least];
        d[least] = value;
        for (int64_t k = 0; vectors && k < n; k++) {
            double x = vectors[i * n + k];
            vectors[i * n + k] = vectors[least * n + k];
            vectors[least * n + k] = x;
        }
    }
}

Status symmetric_eigen(Work *work, const double *a, int64_t n, double *values, double *vectors) {
    Status status = OK;
    double *copy = NULL, *e = NULL, *scratch = NULL;
    const int64_t width = n < HALF ? n : blocks_of(n, 8) * 8;
    if (n == 0) return OK;
    for (int64_t i = 0; i < n * n; i++)
        if (!isfinite(a[i])) return fail(work->error, FAILED, "a matrix that is not finite has no eigenvalues");
    NEW(work, copy, width * width);
    NEW(work, e, n + 1);
    NEW(work, scratch, 2 * n);
    for (int64_t i = 0; i < n; i++) memcpy(copy + i * width, a + i * n, (size_t)n * sizeof *copy);
    TRY(n < HALF ? reduce(work, copy, n, values, e, scratch) : reduce_half(work, copy, n, width, values, e));
    if (vectors) gather(work, copy, width, n, vectors, scratch);
    if (!iterate(work, values, e, n, vectors))
        TRY(fail(work->error, FAILED, "the eigenvalues of a %lld × %lld matrix were not found", (long long)n, (long long)n));
    TRY(work_check(work)); /* what was stopped is half done */
    sort(values, n, vectors);
done:
    arena_drop(work->arena, copy);
    arena_drop(work->arena, e);
    arena_drop(work->arena, scratch);
    return status;
}
