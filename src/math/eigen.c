/* Symmetric matrices, by LAPACK. */
#include "math/eigen.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

static Status check_size(Work *work, int64_t n) { return n > 30000 ? fail(work->error, FAILED, "a matrix of %lld rows is too large", (long long)n) : OK; }

/* A vector and its negative are both right: the one whose largest component is positive is taken. */
static void fix_sign(double *v, int64_t n) {
    int64_t largest = 0;
    for (int64_t i = 1; i < n; i++)
        if (fabs(v[i]) > fabs(v[largest]) * (1 + 1e-9)) largest = i;
    for (int64_t i = 0; v[largest] < 0 && i < n; i++)
        if (i != largest) v[i] = -v[i];
    v[largest] = fabs(v[largest]);
}

Status symmetric_eigen(Work *work, const double *matrix, int64_t n, double *values, double *vectors) {
    Status status = OK;
    double *a = NULL, *w = NULL;
    TRY(check_size(work, n));
    NEW(work, a, n * n);
    NEW(work, w, n);
    memcpy(a, matrix, (size_t)(n * n) * sizeof *a);
    for (int64_t i = 0; i < n * n; i++)
        if (!isfinite(a[i])) TRY(fail(work->error, FAILED, "eigenvalues of a matrix that is not finite"));
    if (n && LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', (lapack_int)n, a, (lapack_int)n, w)) TRY(fail(work->error, FAILED, "the eigenvalues did not converge"));
    for (int64_t k = 0; k < n; k++) {
        values[k] = w[n - 1 - k];
        memcpy(vectors + k * n, a + (n - 1 - k) * n, (size_t)n * sizeof *a);
        fix_sign(vectors + k * n, n);
    }
done:
    arena_drop(work->arena, a);
    return status;
}

Status cholesky(Work *work, const double *matrix, int64_t n, double *lower) {
    Status status = check_size(work, n);
    if (status) return status;
    memcpy(lower, matrix, (size_t)(n * n) * sizeof *lower);
    if (n && LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)n, lower, (lapack_int)n)) return fail(work->error, FAILED, "the matrix is not positive definite");
    for (int64_t j = 1; j < n; j++) memset(lower + j * n, 0, (size_t)j * sizeof *lower);
    return OK;
}

Status symmetric_root(Work *work, const double *matrix, int64_t n, double *root) {
    Status status = OK;
    double *values = NULL;
    NEW(work, values, n);
    TRY(symmetric_eigen(work, matrix, n, values, root));
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++) root[k * n + i] *= sqrt(values[k] > 0 ? values[k] : 0);
done:
    return status;
}

Status symmetric_inverse(Work *work, const double *matrix, int64_t n, double *inverse) {
    Status status = OK;
    TRY(cholesky(work, matrix, n, inverse));
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
    TRY(check_size(work, n));
    NEW(work, lu, n * n);
    NEW(work, pivot, n);
    memcpy(lu, a, (size_t)(n * n) * sizeof *lu);
    memcpy(x, b, (size_t)(n * columns) * sizeof *x);
    if (n && LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)columns, lu, (lapack_int)n, pivot, x, (lapack_int)n)) TRY(fail(work->error, FAILED, "the matrix is singular"));
done:
    arena_drop(work->arena, lu);
    return status;
}
