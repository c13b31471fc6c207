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

/* Row by row: L_ij = (a_ij − Σ_k<j L_ik L_jk)/L_jj. Lower, row-major; what is above the diagonal is left alone. */
static Status factor(Work *work, double *a, int64_t n) {
    Status status = OK;
    for (int64_t i = 0; i < n; i++) {
        TRY(work_check(work));
        for (int64_t j = 0; j <= i; j++) {
            double rest = a[i * n + j] - dense_dot(a + i * n, a + j * n, j);
            if (j < i) a[i * n + j] = rest / a[j * n + j];
            else if (!(rest > 0) || isinf(rest)) TRY(fail(work->error, BAD, "the matrix is not positive definite"));
            else a[i * n + i] = sqrt(rest);
        }
    }
done:
    return status;
}

/* L⁻¹ in place of L, by rows: row i of it is (e_i − Σ_k<i L_ik · row k)/L_ii. Zeros above the diagonal. */
static Status invert_lower(Work *work, double *l, int64_t n) {
    Status status = OK;
    double *row = NULL;
    NEW(work, row, n + 1);
    for (int64_t i = 0; i < n; i++) {
        double pivot = l[i * n + i];
        TRY(work_check(work));
        memset(row, 0, (size_t)n * sizeof *row);
        for (int64_t k = 0; k < i; k++) dense_add(-l[i * n + k], l + k * n, k + 1, row);
        row[i] = 1;
        for (int64_t j = 0; j <= i; j++) l[i * n + j] = row[j] / pivot;
        memset(l + i * n + i + 1, 0, (size_t)(n - i - 1) * sizeof *l);
    }
done:
    arena_drop(work->arena, row);
    return status;
}

typedef struct Square {
    const double *at;
    int64_t n;
} Square;
static void square_rows(const void *self, int64_t first, int64_t count, double *out) {
    const Square *s = self;
    memcpy(out, s->at + first * s->n, (size_t)(count * s->n) * sizeof *out);
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
