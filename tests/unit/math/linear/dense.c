/* The dense kernels: the same bits whatever the registers' width, and right by the plainest loops. */
#include "testing.h"
#include <stdio.h>
#include <stdlib.h>
#include "math/linear/dense.c"
#include "math/linear/symmetric.h"
#include "tables.h"

static uint64_t state_of = 88172645463325252u;
static double draw(void) {
    state_of ^= state_of << 13, state_of ^= state_of >> 7, state_of ^= state_of << 17;
    return (double)(state_of >> 11) * 0x1p-53 * 4 - 2;
}
static void fill(double *x, int64_t n) {
    for (int64_t i = 0; i < n; i++) x[i] = draw();
}

#if defined(__x86_64__)
static void same_as_plain(const Kernels *other) {
    enum { N = 203, S = 208 };
    const Kernels *plain = &plain_kernels;
    static double a[S * 8], b[S * 8], one[S * 8], two[S * 8];
    fill(a, S * 8), fill(b, S * 8);
    for (int64_t n = 0; n <= N; n++) {
        double x = plain->dot(a, b, n), y = other->dot(a, b, n);
        assert_memory_equal(&x, &y, sizeof x);
        memcpy(one, b, sizeof one), memcpy(two, b, sizeof two);
        plain->add(0.7, a, n, one), other->add(0.7, a, n, two);
        assert_memory_equal(one, two, sizeof one);
        other->add_two(0.3, a + S, -0.9, a + 2 * S, n, two); /* as two sums, one after the other */
        plain->add(0.3, a + S, n, one), plain->add(-0.9, a + 2 * S, n, one);
        assert_memory_equal(one, two, sizeof one);
    }
    for (int64_t n = 0; n <= S; n++) { /* rows together as each by itself */
        double by_row[GROUP], together[GROUP];
        memcpy(one, b, sizeof one), memcpy(two, b, sizeof two);
        for (int64_t j = 0; j < GROUP; j++) by_row[j] = plain->dot(one + j * S, a, n);
        other->dot_rows(two, S, a, n, together);
        assert_memory_equal(by_row, together, sizeof by_row);
        for (int64_t j = 0; j < GROUP; j++) {
            plain->add_two(-a[j], a + S, -a[S + j], a + 2 * S, n, one + j * S);
            by_row[j] = plain->dot(one + j * S, a + 3 * S, n);
        }
        other->turn_rows(two, S, a, a + S, a + S, a + 2 * S, a + 3 * S, n, together);
        assert_memory_equal(by_row, together, sizeof by_row);
        assert_memory_equal(one, two, sizeof one);
    }
    double out[2][GROUP] = { { 0 }, { 0 } };
    memcpy(one, b, sizeof one), memcpy(two, b, sizeof two);
    plain->half_rows(one, S, a, a + S, a + 9, a + 2 * S, a + 17, a + 3 * S, S, out[0], one + 4 * S);
    other->half_rows(two, S, a, a + S, a + 9, a + 2 * S, a + 17, a + 3 * S, S, out[1], two + 4 * S);
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    assert_memory_equal(one, two, sizeof one);
    memset(one, 0, sizeof one), memset(two, 0, sizeof two);
    for (int row = 0; row < 8; row += plain->rows) plain->tile(a + row, b, S, one + row * 8, 8);
    for (int row = 0; row < 8; row += other->rows) other->tile(a + row, b, S, two + row * 8, 8);
    assert_memory_equal(one, two, sizeof one);
    memset(one, 0, sizeof one), memset(two, 0, sizeof two);
    for (int row = 0; row < 16; row += plain->rows) plain->tile(a + row / 8 * (S * 4) + row % 8, b, S / 2, one + row * 8, 8);
    other->two(a, S * 4, b, S / 2, two, 8);
    assert_memory_equal(one, two, sizeof one);
    plain->dots(a, b, S, S, one), other->dots(a, b, S, S, two);
    assert_memory_equal(one, two, sizeof one);
    memcpy(one, b, sizeof one), memcpy(two, b, sizeof two);
    plain->subtract(a, S, 8, b, S, one, S), other->subtract(a, S, 8, b, S, two, S);
    assert_memory_equal(one, two, sizeof one);
}

static void widths_agree(void **state) {
    (void)state;
    if (!__builtin_cpu_supports("avx2")) skip();
    same_as_plain(&plain_kernels);
    same_as_plain(&wide_kernels);
}
#endif

typedef struct {
    const double *x;
    int64_t columns;
} Plain;
static void plain_rows(const void *self, int64_t first, int64_t count, DensePanels out) {
    const Plain *p = self;
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < p->columns; j++) dense_place(out, j / DENSE_PANEL, k)[j % DENSE_PANEL] = p->x[(first + k) * p->columns + j];
}

/* X'X of odd sizes, by one thread and by three, against a loop. */
static void products(void **state) {
    (void)state;
    for (int64_t columns = 1; columns < 150; columns += columns < 30 ? 7 : 53) /* more than one block of panels, too */
        for (int64_t rows = 0; rows < 1200; rows += 233) {
            Work one = tables_work(1), three = tables_work(3);
            double *x = calloc((size_t)(rows * columns + 1), sizeof *x), *a = calloc((size_t)(columns * columns), sizeof *a),
                   *b = calloc((size_t)(columns * columns), sizeof *b);
            fill(x, rows * columns);
            tables_ok(dense_cross(&one, plain_rows, &(Plain){ x, columns }, rows, columns, a));
            tables_ok(dense_cross(&three, plain_rows, &(Plain){ x, columns }, rows, columns, b));
            assert_memory_equal(a, b, (size_t)(columns * columns) * sizeof *a);
            for (int64_t i = 0; i < columns; i++)
                for (int64_t j = 0; j < columns; j++) {
                    double sum = 0;
                    for (int64_t k = 0; k < rows; k++) sum += x[k * columns + i] * x[k * columns + j];
                    assert_true(fabs(sum - a[i * columns + j]) < 1e-9);
                }
            free(x), free(a), free(b);
            arena_free(one.arena), arena_free(three.arena);
        }
}

/* R'R = A'A, for tall, square and wide matrices, one more or less than a panel, and of tiny and huge numbers. */
static void triangles(void **state) {
    (void)state;
    const int64_t sizes[][2] = { { 1, 1 },   { 2, 3 },   { 5, 5 },    { 40, 31 }, { 40, 32 },
                                 { 40, 33 }, { 33, 70 }, { 600, 65 }, { 64, 64 }, { 3, 1 } };
    for (int scale = -150; scale <= 150; scale += 150)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int64_t m = sizes[s][0], n = sizes[s][1];
            Work one = tables_work(1), two = tables_work(2);
            double *a = calloc((size_t)(m * n), sizeof *a), *r = calloc((size_t)(n * n), sizeof *r),
                   *q = calloc((size_t)(n * n), sizeof *q);
            fill(a, m * n);
            for (int64_t i = 0; i < m * n; i++) a[i] = ldexp(a[i], scale);
            tables_ok(dense_triangle(&one, a, m, n, r));
            tables_ok(dense_triangle(&two, a, m, n, q));
            assert_memory_equal(r, q, (size_t)(n * n) * sizeof *r);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) {
                    double had = 0, has = 0;
                    for (int64_t k = 0; k < m; k++) had += ldexp(a[i * m + k], -scale) * ldexp(a[j * m + k], -scale);
                    for (int64_t k = 0; k < n; k++) has += ldexp(r[i * n + k], -scale) * ldexp(r[j * n + k], -scale);
                    assert_true(fabs(had - has) < 1e-9);
                    if (i < j) assert_true(r[i * n + j] == 0);
                }
            free(a), free(r), free(q);
            arena_free(one.arena), arena_free(two.arena);
        }
}

/* L and L⁻¹ as by one row after another, to the last bit: sizes about a group, and about eight. */
static void factors(void **state) {
    (void)state;
    for (int64_t n = 1; n < 70; n += n < 20 ? 1 : 7) {
        Work work = tables_work(1);
        size_t bytes = (size_t)(n * n) * sizeof(double);
        double *x = malloc(bytes), *a = malloc(bytes), *l = calloc(1, bytes), *whole = malloc(bytes), diagonal[70];
        fill(x, n * n);
        tables_ok(dense_cross(&work, plain_rows, &(Plain){ x, n }, n, n, a));
        for (int64_t i = 0; i < n; i++) a[i * n + i] += 1;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++) {
                double rest = a[i * n + j] - dense_dot(l + i * n, l + j * n, j);
                l[i * n + j] = i == j ? sqrt(rest) : rest / l[j * n + j];
            }
        tables_ok(cholesky(&work, a, n, a));
        assert_memory_equal(a, l, bytes);
        memset(x, 0, bytes);
        for (int64_t i = 0; i < n; i++) {
            for (int64_t k = 0; k < i; k++) dense_add(-l[i * n + k], x + k * n, k + 1, x + i * n);
            x[i * n + i] = 1;
            for (int64_t j = 0; j <= i; j++) x[i * n + j] /= l[i * n + i];
        }
        tables_ok(triangle_inverse(&work, l, n, whole));
        tables_ok(triangle_inverse_diagonal(&work, a, n, diagonal));
        assert_memory_equal(a, x, bytes);
        for (int64_t j = 0; j < n; j++) assert_memory_equal(&diagonal[j], &whole[j * n + j], sizeof *diagonal);
        free(x), free(a), free(l), free(whole);
        arena_free(work.arena);
    }
}

/* A·v = λ·v, V V' = I and rising values, for random, diagonal, constant and low-rank matrices. */
static void eigenvectors(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int64_t n = 1; n < 270; n = n < 60 ? n + 1 + n / 4 : n < 255 ? 255 : n + (n == 259 ? 5 : 1)) { /* the larger ones by halves */
            Work work = tables_work(1);
            double *a = calloc((size_t)(n * n), sizeof *a), *v = calloc((size_t)(n * n), sizeof *v),
                   *value = calloc((size_t)n, sizeof *value), *u = calloc((size_t)n, sizeof *u);
            fill(u, n);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j <= i; j++)
                    a[i * n + j] = a[j * n + i] = kind == 0 ? draw() : kind == 1 ? (i == j ? draw() : 0) : kind == 2 ? 1 : u[i] * u[j];
            tables_ok(symmetric_eigen(&work, a, n, value, v));
            for (int64_t k = 0; k < n; k++) {
                if (k) assert_true(value[k] >= value[k - 1]);
                for (int64_t i = 0; i < n; i++) {
                    double left = 0, both = 0;
                    for (int64_t j = 0; j < n; j++) left += a[i * n + j] * v[k * n + j], both += v[k * n + j] * v[i * n + j];
                    assert_true(fabs(left - value[k] * v[k * n + i]) < 1e-11 * (double)n);
                    assert_true(fabs(both - (i == k)) < 1e-12 * (double)n);
                }
            }
            free(a), free(v), free(value), free(u);
            arena_free(work.arena);
        }
}

/* By halves: the same bits for any number of threads, and eigenvalues whose sum and sum of squares are the matrix's. */
static void by_halves(void **state) {
    (void)state;
    enum { N = 531 };
    double *a = calloc(N * N, sizeof *a), *value[2] = { calloc(N, sizeof *a), calloc(N, sizeof *a) }, trace = 0, squares = 0;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j <= i; j++) a[i * N + j] = a[j * N + i] = draw();
    for (int64_t i = 0; i < N * N; i++) squares += a[i] * a[i];
    for (int64_t i = 0; i < N; i++) trace += a[i * N + i];
    for (int t = 0; t < 2; t++) {
        Work work = tables_work(t ? 3 : 1);
        tables_ok(symmetric_eigen(&work, a, N, value[t], NULL));
        arena_free(work.arena);
    }
    assert_memory_equal(value[0], value[1], N * sizeof *a);
    for (int64_t i = 0; i < N; i++) trace -= value[0][i], squares -= value[0][i] * value[0][i];
    assert_true(fabs(trace) < 1e-9 && fabs(squares) < 1e-6);
    free(a), free(value[0]), free(value[1]);
}

/* More columns than records: all other eigenvalues are rounding, which QL, asked for each to its own last bit, does not end on. */
static void mostly_rounding(void **state) {
    (void)state;
    enum { MOST = 300 };
    double *x = calloc(MOST * MOST, sizeof *x), *a = calloc(MOST * MOST, sizeof *a), *v = calloc(MOST * MOST, sizeof *v), value[MOST];
    for (int64_t n = 254; n <= MOST; n += n < 258 ? 1 : 14) {
        const int64_t records = n / 3;
        Work work = tables_work(1);
        fill(x, records * n);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                a[i * n + j] = 0;
                for (int64_t k = 0; k < records; k++) a[i * n + j] += x[k * n + i] * x[k * n + j];
            }
        tables_ok(symmetric_eigen(&work, a, n, value, v));
        for (int64_t k = 0; k < n; k++) {
            assert_true(k < n - records ? fabs(value[k]) < 1e-10 : value[k] > 1);
            for (int64_t i = 0; i < n; i++) {
                double left = -value[k] * v[k * n + i];
                for (int64_t j = 0; j < n; j++) left += a[i * n + j] * v[k * n + j];
                assert_true(fabs(left) < 1e-10);
            }
        }
        arena_free(work.arena);
    }
    free(x), free(a), free(v);
}

/* The diagonal alone has the bits of the whole inverse's; more rows than one chunk of a product. */
static void inverse_diagonals(void **state) {
    (void)state;
    const int64_t sizes[] = { 1, 2, 9, 256, 257, 300 };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int64_t n = sizes[k];
        Work work = tables_work(1);
        double *a = calloc((size_t)(n * n), sizeof *a), *inverse = calloc((size_t)(n * n), sizeof *a),
               *diagonal = calloc((size_t)n, sizeof *a);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = i == j ? 3 * (double)n : draw();
        tables_ok(cholesky(&work, a, n, a));
        tables_ok(triangle_inverse(&work, a, n, inverse));
        tables_ok(triangle_inverse_diagonal(&work, a, n, diagonal));
        for (int64_t j = 0; j < n; j++) assert_memory_equal(&diagonal[j], &inverse[j * n + j], sizeof *diagonal);
        free(a), free(inverse), free(diagonal);
        arena_free(work.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#if defined(__x86_64__)
        cmocka_unit_test(widths_agree),
#endif
        cmocka_unit_test(products),
        cmocka_unit_test(triangles),
        cmocka_unit_test(inverse_diagonals),
        cmocka_unit_test(factors),
        cmocka_unit_test(eigenvectors),
        cmocka_unit_test(by_halves),
        cmocka_unit_test(mostly_rounding)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
