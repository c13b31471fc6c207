/* Symmetric matrices: eigenvalues and vectors, roots, inverses. Small: all in one thread. */
#ifndef SCRIM_MATH_EIGEN_H
#define SCRIM_MATH_EIGEN_H
#include "base/work.h"

/* Of an n × n symmetric matrix: values in falling order; vector k is vectors[k*n … k*n+n-1], of length 1, its largest component positive (the first such). */
MUST_CHECK Status symmetric_eigen(Work *work, const double *matrix, int64_t n, double *values, double *vectors);
/* L with LL' = matrix (column-major, lower; zeros above). FAILED where the matrix is not positive definite. */
MUST_CHECK Status cholesky(Work *work, const double *matrix, int64_t n, double *lower);
/* The same for a positive semi-definite matrix, by its eigenvectors: B with BB' = matrix. Eigenvalues below 0 count as 0. */
MUST_CHECK Status symmetric_root(Work *work, const double *matrix, int64_t n, double *root);
/* The inverse of a positive definite matrix. FAILED where it is singular. */
MUST_CHECK Status symmetric_inverse(Work *work, const double *matrix, int64_t n, double *inverse);
/* Solves A·X = B for `columns` right sides (column-major; A general n × n). FAILED where A is singular. */
MUST_CHECK Status linear_solve(Work *work, const double *a, int64_t n, const double *b, int64_t columns, double *x);
#endif
