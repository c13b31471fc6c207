/* Symmetric matrices: roots, eigenvalues, inverses; linear equations. Row-major, n × n, unless said. The same bits on every processor
 * (math/dense.h). */
#ifndef SCRIM_MATH_SYMMETRIC_H
#define SCRIM_MATH_SYMMETRIC_H
#include "base/work.h"

/* Lower-triangular L with L·Lᵀ = a, for a positive semidefinite a: a direction that is already spanned gets a zero column. False where a is
 * clearly indefinite (a pivot below −tolerance of its diagonal). */
bool semidefinite_root(const double *a, int64_t n, double *root);
/* Eigenvalues ascending; vectors (or NULL): row k is the unit eigenvector of value k. */
MUST_CHECK Status symmetric_eigen(Work *work, const double *a, int64_t n, double *values, double *vectors);
/* Eigenvalues in falling order; row k of vectors is the unit eigenvector of value k, its largest component positive (the first such). */
MUST_CHECK Status principal_axes(Work *work, const double *a, int64_t n, double *values, double *vectors);
/* Lower L with LL' = a, zeros above. BAD where a is not positive definite. */
MUST_CHECK Status cholesky(Work *work, const double *a, int64_t n, double *lower);
/* (LL')⁻¹ of a lower L without a zero on its diagonal; may be in place. */
MUST_CHECK Status triangle_inverse(Work *work, const double *lower, int64_t n, double *inverse);
/* Its diagonal alone, to the same bits; lower becomes L⁻¹. */
MUST_CHECK Status triangle_inverse_diagonal(Work *work, double *lower, int64_t n, double *diagonal);
/* The inverse of a positive definite matrix; may be in place. BAD where it is singular. */
MUST_CHECK Status symmetric_inverse(Work *work, const double *a, int64_t n, double *inverse);
/* Solves A·X = B for `columns` right sides (all column-major; A general n × n). BAD where A is singular. */
MUST_CHECK Status linear_solve(Work *work, const double *a, int64_t n, const double *b, int64_t columns, double *x);
#endif
