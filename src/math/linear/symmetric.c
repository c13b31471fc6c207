/* Roots by Cholesky's recursion (one skips null directions), inverses, linear equations. */
#include "math/linear/symmetric.h"
#include <string.h>
#include "base/elementary.h"
#include "math/linear/dense.h"

bool semidefinite_root(const double *a, int64_t n, double *root) {
    const double tolerance = 1e-10;
    memset(root, 0, (size_t)(n * n) * sizeof *root);
    for (int64_t j = 0; j < n; j++) {
        double pivot = a[j * n + j];
        for (int64_t k = 0; k < j; k++) pivot -= root[j * n + k] * root[j * n + k];
        if (pivot < -1e4 * tolerance * fabs(a[j * n + j])) return false;
        if (!(pivot > tolerance * fabs(a[j * n + j]))) continue;
        root[j * n + j] = sqrt(pivot);
        for (int64_t i = j + 1; i < n; i++) {
            double sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++) sum -= root[i * n + k] * root[j * n + k];
            root[i * n + j] = sum / root[j * n + j];
        }
    }
    return true;
}

/* A vector and its negative are both right: the one whose largest component is positive is taken. */
static void fix_sign(double *v, int64_t n) {
    int64_t largest = 0;
    for (int64_t i = 1; i < n; i++)
        if (fabs(v[i]) > fabs(v[largest]) * (1 + 1e-9)) largest = i;
    for (int64_t i = 0; v[largest] < 0 && i < n; i++)
        if (i != largest) v[i] = -v[i];
    v[largest] = fabs(v[largest]);
}

Status principal_axes(Work *work, const double *a, int64_t n, double *values, double *vectors) {
    Status status = OK;
    double *up = NULL, *rising = NULL;
    NEW(work, up, n * n);
    NEW(work, rising, n);
    TRY(symmetric_eigen(work, a, n, rising, up));
    for (int64_t k = 0; k < n; k++) {
        values[k] = rising[n - 1 - k];
        memcpy(vectors + k * n, up + (n - 1 - k) * n, (size_t)n * sizeof *up);
        fix_sign(vectors + k * n, n);
    }
done:
    arena_drop(work->arena, up);
    return status;
}

/* Row i from its column `from` on, which are done before: L_ij = (a_ij − Σ_k<j L_ik L_jk)/L_jj. */
static Status factor_row(Work *work, double *a, int64_t n, int64_t i, int64_t from) {
    Status status = OK;
    for (int64_t j = from; j <= i; j++) {
        double rest = a[i * n + j] - dense_dot(a + i * n, a + j * n, j);
        if (j < i) a[i * n + j] = rest / a[j * n + j];
        else if (!(rest > 0) || isinf(rest)) TRY(fail(work->error, BAD, "the matrix is not positive definite"));
        else a[i * n + i] = sqrt(rest);
    }
done:
    return status;
}

/* Some rows at a time. Lower, row-major; what is above the diagonal is left alone. */
static Status factor(Work *work, double *a, int64_t n) {
    Status status = OK;
    double with[DENSE_GROUP];
    for (int64_t i = 0; i < n; i += DENSE_GROUP) {
        int64_t rows = n - i < DENSE_GROUP ? n - i : DENSE_GROUP;
        TRY(work_check(work));
        for (int64_t j = 0; j < i; j++) {
            dense_dot_rows(a + i * n, n, rows, a + j * n, j, with);
            for (int64_t r = 0; r < rows; r++) a[(i + r) * n + j] = (a[(i + r) * n + j] - with[r]) / a[j * n + j];
        }
        for (int64_t r = 0; r < rows; r++) TRY(factor_row(work, a, n, i + r, i));
    }
done:
    return status;
}

/* c_r −= Σ_k L_ik·(row k of l), k = 0 … i−1 in order, for rows r = i … i + DENSE_GROUP − 1 of L: their columns before i. What is above the
 * diagonal of l is zero there and takes nothing away. */
static void subtract_above(const double *l, int64_t n, int64_t i, double *c) {
    enum { TOGETHER = 8 };
    double z[TOGETHER * DENSE_GROUP];
    for (int64_t k = 0; k < i; k += TOGETHER) {
        int64_t count = i - k < TOGETHER ? i - k : TOGETHER, width = blocks_of(k + count, 8) * 8;
        if (width > n) width = n / 8 * 8;
        for (int64_t b = 0; b < count; b++)
            for (int64_t r = 0; r < DENSE_GROUP; r++) z[b * DENSE_GROUP + r] = l[(i + r) * n + k + b];
        dense_subtract_rows(l + k * n, n, count, z, width, c, n);
        for (int64_t b = 0; b < count; b++)
            for (int64_t r = 0; r < DENSE_GROUP; r++)
                for (int64_t j = width; j <= k + b; j++) c[r * n + j] -= z[b * DENSE_GROUP + r] * l[(k + b) * n + j];
    }
}

/* L⁻¹ in place of L, by rows: row i of it is (e_i − Σ_k<i L_ik · row k)/L_ii, the rows of a group together as far as they can be. Zeros
 * above the diagonal. */
static Status invert_lower(Work *work, double *l, int64_t n) {
    Status status = OK;
    double *rows = NULL;
    NEW(work, rows, DENSE_GROUP * n + 1);
    for (int64_t i = 0; i < n; i++) {
        int64_t group = i / DENSE_GROUP * DENSE_GROUP, whole = group + DENSE_GROUP <= n ? group : 0;
        double pivot = l[i * n + i], *row = rows + i % DENSE_GROUP * n;
        if (i == group) {
            TRY(work_check(work));
            memset(rows, 0, (size_t)(DENSE_GROUP * n) * sizeof *rows);
            if (whole) subtract_above(l, n, i, rows);
        }
        for (int64_t k = whole; k < i; k++) dense_add(-l[i * n + k], l + k * n, k + 1, row);
        row[i] = 1;
        for (int64_t j = 0; j <= i; j++) l[i * n + j] = row[j] / pivot;
        memset(l + i * n + i + 1, 0, (size_t)(n - i - 1) * sizeof *l);
    }
done:
    arena_drop(work->arena, rows);
    return status;
}

typedef struct Square {
    const double *at;
    int64_t n;
} Square;
static void square_rows(const void *self, int64_t first, int64_t count, DensePanels out) {
    const Square *s = self;
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < s->n; j += DENSE_PANEL) {
            int64_t width = s->n - j < DENSE_PANEL ? s->n - j : DENSE_PANEL;
            memcpy(dense_place(out, j / DENSE_PANEL, k), s->at + (first + k) * s->n + j, (size_t)width * sizeof *out.at);
        }
}

Status triangle_inverse(Work *work, const double *lower, int64_t n, double *inverse) {
    Status status = OK;
    memmove(inverse, lower, (size_t)(n * n) * sizeof *inverse);
    TRY(invert_lower(work, inverse, n));
    TRY(dense_cross(work, square_rows, &(Square){ inverse, n }, n, n, inverse)); /* (LL')⁻¹ = L⁻ᵀ L⁻¹ */
done:
    return status;
}

/* Sums of squares in the order of dense_cross. */
Status triangle_inverse_diagonal(Work *work, double *lower, int64_t n, double *diagonal) {
    enum { CHUNK = 256 };
    Status status = OK;
    double *sum = NULL;
    NEW(work, sum, n + 1);
    TRY(invert_lower(work, lower, n));
    for (int64_t j = 0; j < n; j++) diagonal[j] = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j <= i; j++) sum[j] += lower[i * n + j] * lower[i * n + j];
        if (i % CHUNK != CHUNK - 1 && i != n - 1) continue;
        for (int64_t j = 0; j <= i; j++) {
            diagonal[j] += sum[j];
            sum[j] = 0;
        }
    }
done:
    arena_drop(work->arena, sum);
    return status;
}

Status cholesky(Work *work, const double *a, int64_t n, double *lower) {
    memmove(lower, a, (size_t)(n * n) * sizeof *lower);
    Status status = factor(work, lower, n);
    for (int64_t i = 0; i < n && !status; i++) memset(lower + i * n + i + 1, 0, (size_t)(n - i - 1) * sizeof *lower);
    return status;
}

Status symmetric_inverse(Work *work, const double *a, int64_t n, double *inverse) {
    Status status = cholesky(work, a, n, inverse);
    return status ? status : triangle_inverse(work, inverse, n, inverse);
}

/* Gauss's elimination with the largest pivot of each column, on rows of [A B]. */
static Status eliminate(Work *work, double *a, int64_t n, int64_t width) {
    Status status = OK;
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        TRY(work_check(work));
        for (int64_t i = k + 1; i < n; i++) best = fabs(a[i * width + k]) > fabs(a[best * width + k]) ? i : best;
        double *pivot = a + k * width, *other = a + best * width;
        for (int64_t j = k; best != k && j < width; j++) {
            double x = pivot[j];
            pivot[j] = other[j];
            other[j] = x;
        }
        if (!(fabs(pivot[k]) > 0)) TRY(fail(work->error, BAD, "the matrix is singular"));
        for (int64_t i = k + 1; i < n; i++) dense_add(-a[i * width + k] / pivot[k], pivot + k, width - k, a + i * width + k);
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        double *row = a + k * width;
        TRY(work_check(work));
        for (int64_t i = k + 1; i < n; i++) dense_add(-row[i], a + i * width + n, width - n, row + n);
        for (int64_t j = n; j < width; j++) row[j] /= row[k];
    }
done:
    return status;
}

Status linear_solve(Work *work, const double *a, int64_t n, const double *b, int64_t columns, double *x) {
    Status status = OK;
    double *both = NULL;
    int64_t width = n + columns;
    NEW(work, both, n * width + 1);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) both[i * width + j] = a[j * n + i];
        for (int64_t j = 0; j < columns; j++) both[i * width + n + j] = b[j * n + i];
    }
    TRY(eliminate(work, both, n, width));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < columns; j++) x[j * n + i] = both[i * width + n + j];
done:
    arena_drop(work->arena, both);
    return status;
}
