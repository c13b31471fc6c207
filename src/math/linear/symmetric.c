/* Roots by Cholesky's recursion, which skips null directions; eigenvalues by LAPACK. */
#include "math/linear/symmetric.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

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

Status symmetric_eigen(Work *work, const double *a, int64_t n, double *values, double *vectors) {
    Status status = OK;
    double *copy = vectors;
    if (n == 0) return OK;
    if (!copy) NEW(work, copy, n * n);
    memcpy(copy, a, (size_t)(n * n) * sizeof *copy);
    /* column-major for LAPACK: the same matrix, and its eigenvectors come back as our rows */
    if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, vectors ? 'V' : 'N', 'U', (lapack_int)n, copy, (lapack_int)n, values))
        TRY(fail(work->error, FAILED, "the eigenvalues of a %lld × %lld matrix were not found", (long long)n, (long long)n));
done:
    if (copy != vectors) arena_drop(work->arena, copy);
    return status;
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
    for (int64_t i = 0; i < n * n; i++)
        if (!isfinite(a[i])) TRY(fail(work->error, FAILED, "a matrix that is not finite has no eigenvalues"));
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

Status cholesky(Work *work, const double *a, int64_t n, double *lower) {
    memcpy(lower, a, (size_t)(n * n) * sizeof *lower);
    if (n && LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)n, lower, (lapack_int)n)) return fail(work->error, FAILED, "the matrix is not positive definite");
    for (int64_t j = 1; j < n; j++) memset(lower + j * n, 0, (size_t)j * sizeof *lower);
    return OK;
}

Status symmetric_inverse(Work *work, const double *a, int64_t n, double *inverse) {
    Status status = OK;
    TRY(cholesky(work, a, n, inverse));
    if (n && LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', (lapack_int)n, inverse, (lapack_int)n)) TRY(fail(work->error, FAILED, "the matrix is singular"));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) inverse[j * n + i] = inverse[i * n + j];
done:
    return status;
}

Status linear_solve(Work *work, const double *a, int64_t n, const double *b, int64_t columns, double *x) {
    Status status = OK;
    double *lu = NULL;
    lapack_int *pivot = NULL;
    NEW(work, lu, n * n);
    NEW(work, pivot, n);
    memcpy(lu, a, (size_t)(n * n) * sizeof *lu);
    memcpy(x, b, (size_t)(n * columns) * sizeof *x);
    if (n && LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)columns, lu, (lapack_int)n, pivot, x, (lapack_int)n)) TRY(fail(work->error, FAILED, "the matrix is singular"));
done:
    arena_drop(work->arena, lu);
    return status;
}
