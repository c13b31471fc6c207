/* Roots by Cholesky's recursion, which skips null directions; eigenvalues by LAPACK. */
#include "math/symmetric.h"
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
