/* Symmetric matrices: roots, eigenvalues. Row-major, n × n. */
#ifndef SCRIM_MATH_SYMMETRIC_H
#define SCRIM_MATH_SYMMETRIC_H
#include "base/work.h"

/* Lower-triangular L with L·Lᵀ = a, for a positive semidefinite a: a direction that is already spanned gets a zero column. False where a is
 * clearly indefinite (a pivot below −tolerance of its diagonal). */
bool semidefinite_root(const double *a, int64_t n, double *root);
/* Eigenvalues ascending; vectors (or NULL): row k is the unit eigenvector of value k. */
MUST_CHECK Status symmetric_eigen(Work *work, const double *a, int64_t n, double *values, double *vectors);
#endif
