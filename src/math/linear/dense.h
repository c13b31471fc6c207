/* The kernels under all dense linear algebra here: the same bits on every processor and for any number of threads. Each sum has one order,
 * fixed by its length alone; wide registers hold different sums, never parts of one, or always eight parts. */
#ifndef SCRIM_MATH_LINEAR_DENSE_H
#define SCRIM_MATH_LINEAR_DENSE_H
#include "base/work.h"

/* Σ a_i b_i: eight running sums (i mod 8), added ((0+1)+(2+3))+((4+5)+(6+7)). */
double dense_dot(const double *a, const double *b, int64_t n);
/* y_i += s·x_i */
void dense_add(double s, const double *x, int64_t n, double *y);
/* y_i = (y_i + s·x_i) + t·z_i */
void dense_add_two(double s, const double *x, double t, const double *z, int64_t n, double *y);

/* Rows that a product is summed over, read in pieces of DENSE_ROWS at most: fills out[k·columns + j] with row first + k, column j, for k <
 * count. */
enum { DENSE_ROWS = 256 };
typedef void DenseRows(const void *self, int64_t first, int64_t count, double *out);
/* X'X (columns × columns, both triangles) of `rows` rows, zeroed first: sums over 256 rows at a time, added in order. */
MUST_CHECK Status dense_cross(Work *work, DenseRows *read, const void *self, int64_t rows, int64_t columns, double *out);

/* R of the QR of an m × n column-major matrix, by Householder's reflections: r is n × n column-major, zeros below its diagonal and in rows
 * past m. Uses of `work` its threads, its error and its progress only. */
MUST_CHECK Status dense_triangle(Work *work, const double *a, int64_t m, int64_t n, double *r);
/* The same in memory of the caller's, dense_triangle_room(m, n) doubles that need not be zero: for many small ones. */
int64_t dense_triangle_room(int64_t m, int64_t n);
MUST_CHECK Status dense_triangle_in(Work *work, const double *a, int64_t m, int64_t n, double *room, double *r);
#endif
