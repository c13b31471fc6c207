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

/* out_i = dense_dot of row i of a, rows `stride` apart, and v: in a fraction of the time. */
void dense_dot_rows(const double *a, int64_t stride, int64_t rows, const double *v, int64_t n, double *out);
/* The same, after a_i became (a_i − s_i·x) − t_i·z in the same pass. */
void dense_turn_rows(double *a, int64_t stride, int64_t rows, const double *s, const double *x, const double *t, const double *z,
                     const double *v, int64_t n, double *out);
/* Rows first … last−1 of a symmetric matrix, of which each row has what is right of its diagonal, and the diagonal (n × n, n a multiple of
 * eight): a −= v w' + w v', and what these rows have a share in of a·next is added to p. */
void dense_half_rows(double *a, int64_t n, int64_t first, int64_t last, const double *v, const double *w, const double *next, double *p);
/* c_g −= Σ_k z[k·DENSE_GROUP + g]·v_k for DENSE_GROUP rows c_g, `stride` apart, k < count in order, rows v_k `above` apart; n is a multiple
 * of eight. */
enum { DENSE_GROUP = 4 };
void dense_subtract_rows(const double *v, int64_t above, int64_t count, const double *z, int64_t n, double *c, int64_t stride);

/* Where rows that a product is summed over go, in panels of eight columns each. */
enum { DENSE_PANEL = 8 };
typedef struct DensePanels {
    double *at;
    int64_t apart, columns; /* one panel from the next; columns in all */
} DensePanels;
/* Columns panel·8 … of row `row`, end to end. */
static inline double *dense_place(DensePanels out, int64_t panel, int64_t row) { return out.at + panel * out.apart + row * DENSE_PANEL; }
/* Rows first … first + count − 1, which are row 0 … of `out`; DENSE_ROWS of them at most. What is past the last column is left alone. */
enum { DENSE_ROWS = 256 };
typedef void DenseRows(const void *self, int64_t first, int64_t count, DensePanels out);
/* X'X (columns × columns, both triangles) of `rows` rows, zeroed first: sums over 256 rows at a time, added in order. */
MUST_CHECK Status dense_cross(Work *work, DenseRows *read, const void *self, int64_t rows, int64_t columns, double *out);

/* R of the QR of an m × n column-major matrix, by Householder's reflections: r is n × n column-major, zeros below its diagonal and in rows
 * past m. Uses of `work` its threads, its error and its progress only. */
MUST_CHECK Status dense_triangle(Work *work, const double *a, int64_t m, int64_t n, double *r);
/* The same in memory of the caller's, dense_triangle_room(m, n) doubles that need not be zero: for many small ones. */
int64_t dense_triangle_room(int64_t m, int64_t n);
MUST_CHECK Status dense_triangle_in(Work *work, const double *a, int64_t m, int64_t n, double *room, double *r);
#endif
