/* Eigenvalues of a symmetric matrix: Householder's reduction to three diagonals, then QL steps with implicit shifts (Martin, Reinsch &
 * Wilkinson 1968; Bowdler et al. 1968). */
#include <string.h>
#include "base/elementary.h"
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

/* The orthogonal matrix of the reflections, transposed: its rows are what QL turns into eigenvectors. */
static void gather(const Work *work, const double *a, int64_t n, double *q, double *scratch) {
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    for (int64_t i = 0; i < n; i++) q[i * n + i] = 1;
    for (int64_t k = n - 2; k >= 0 && !work_stopped(work); k--) { /* columns k+1… of Q' from the right by H_k */
        const double *v = a + k * n + k + 1;
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

static bool iterate(const Work *work, double *d, double *e, int64_t n, double *vectors) {
    for (int64_t l = 0; l < n && !work_stopped(work); l++)
        for (int step = 0;; step++) {
            int64_t m = l;
            while (m + 1 < n && fabs(e[m]) > 0x1p-53 * (fabs(d[m]) + fabs(d[m + 1]))) m++;
            if (m == l) break;
            if (step == 100) return false;
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
    if (n == 0) return OK;
    for (int64_t i = 0; i < n * n; i++)
        if (!isfinite(a[i])) return fail(work->error, FAILED, "a matrix that is not finite has no eigenvalues");
    NEW(work, copy, n * n);
    NEW(work, e, n + 1);
    NEW(work, scratch, 2 * n);
    memcpy(copy, a, (size_t)(n * n) * sizeof *copy);
    TRY(reduce(work, copy, n, values, e, scratch));
    if (vectors) gather(work, copy, n, vectors, scratch);
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
