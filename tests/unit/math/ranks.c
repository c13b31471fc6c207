/* Radix order against libc's sort, ranks, quantiles, moments and draws. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "math/special/normal.h"
#include "testing.h"
#include "math/distributions.h"
#include "math/linear/moments.h"
#include "math/ranks.h"
#include "classes/strata.h"

static Error error;
static Work work_new(int threads) {
    error = ERROR_NONE;
    return (Work){ .arena = arena_new(), .error = &error, .threads = threads };
}

static const double *sorting;
static int by_value(const void *a, const void *b) {
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    if (sorting[i] != sorting[j]) return sorting[i] < sorting[j] ? -1 : 1;
    return (i > j) - (i < j);
}

static void check_order(int64_t rows, int kind) {
    Work work = work_new(rows % 2 ? 1 : 3);
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "order", "x");
    double *x = malloc((rows + 1) * sizeof *x);
    int64_t *order = malloc((rows + 1) * sizeof *order), *wanted = malloc((rows + 1) * sizeof *wanted), count = 0, used = 0;
    draw_normals(&stream, 0, rows, x);
    for (int64_t i = 0; i < rows; i++) {
        if (kind == 1) x[i] = floor(x[i] * 3);
        if (kind == 2) x[i] = i % 7 ? x[i] * pow(10, i % 600 - 300) : NAN;
        if (kind == 3) x[i] = i % 2 ? 0.0 : -0.0;
        if (!isnan(x[i])) wanted[used++] = i;
    }
    sorting = x;
    qsort(wanted, used, sizeof *wanted, by_value);
    assert_int_equal(order_reals(&work, x, rows, order, &count), OK);
    assert_int_equal(count, used);
    assert_memory_equal(order, wanted, used * sizeof *order);
    free(x);
    free(order);
    free(wanted);
    arena_free(work.arena);
}

static void test_order(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int64_t rows = 0; rows < 90000; rows = rows * 3 + 1 + (rows == 40)) check_order(rows, kind);
}

static void test_ranks(void **state) {
    (void)state;
    Work work = work_new(1);
    double x[] = { 3, 1, NAN, 3, 2, 3 }, ranks[6], wanted[] = { 4, 1, NAN, 4, 2, 4 };
    assert_int_equal(mid_ranks(&work, x, 6, ranks), OK);
    for (int i = 0; i < 6; i++) assert_true(isnan(wanted[i]) ? isnan(ranks[i]) : ranks[i] == wanted[i]);
    double sorted[] = { 1, 2, 4, 8 }; /* R: quantile(c(1,2,4,8), c(0,.25,.5,.9,1)) */
    double p[] = { 0, .25, .5, .9, 1 }, q[] = { 1, 1.75, 3, 6.8, 8 };
    for (int i = 0; i < 5; i++) assert_true(fabs(sorted_quantile(sorted, 4, p[i]) - q[i]) < 1e-12);
    assert_true(isnan(sorted_quantile(sorted, 0, .5)));
    assert_true(sorted_quantile(sorted, 1, .5) == 1);
    arena_free(work.arena);
}

static void test_moments(void **state) {
    (void)state;
    enum { N = 20001 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "moments", "x");
    draw_normals(&stream, 0, N, x);
    for (int i = 0; i < N; i++) {
        y[i] = 1e6 + 2 * x[i] + (i % 3);
        if (i % 1000 == 5) y[i] = NAN;
    }
    const double *columns[] = { x, y };
    Moments one, two;
    Work work = work_new(1), work2 = work_new(2);
    assert_int_equal(moments_make(&work, columns, 2, NULL, N, &one), OK);
    assert_int_equal(moments_make(&work2, columns, 2, NULL, N, &two), OK);
    assert_int_equal(one.rows, N - 20);
    assert_memory_equal(one.covariance, two.covariance, 4 * sizeof(double));
    long double sx = 0, sy = 0, sxy = 0, n = 0;
    for (int i = 0; i < N; i++)
        if (!isnan(y[i])) {
            sx += x[i];
            sy += y[i];
            n++;
        }
    for (int i = 0; i < N; i++)
        if (!isnan(y[i])) sxy += (x[i] - sx / n) * (y[i] - sy / n);
    assert_true(fabs(one.mean[1] - (double)(sy / n)) < 1e-7);
    assert_true(fabs(moments_covariance(&one, 0, 1) - (double)(sxy / (n - 1))) < 1e-9);
    int64_t some[] = { 1, 2, 3 };
    assert_int_equal(moments_make(&work, columns, 1, some, 3, &one), OK);
    assert_true(fabs(one.mean[0] - (x[1] + x[2] + x[3]) / 3) < 1e-12);
    assert_int_equal(moments_make(&work, columns, 2, some, 1, &one), OK);
    assert_true(isnan(one.covariance[0]) && isnan(moments_correlation(&one, 0, 1)));
    assert_int_equal(moments_make(&work, columns, 2, NULL, 0, &one), OK);
    assert_true(isnan(one.mean[0]));
    arena_free(work.arena);
    arena_free(work2.arena);
    free(x);
    free(y);
}

/* Kolmogorov's distance of 20,000 draws from their law: above 1.63/√n once in a hundred seeds; this seed is fixed. */
static void check_law(void (*draw)(const RandomStream *, uint64_t, int64_t, double *), double (*law)(double)) {
    enum { N = 20000 };
    Work work = work_new(1);
    double *x = malloc(N * sizeof *x), *piece = malloc(N * sizeof *piece), worst = 0;
    int64_t *order = malloc(N * sizeof *order), count;
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "law", "x");
    draw(&stream, 0, N, x);
    draw(&stream, 777, 1234, piece); /* any piece can be drawn on its own */
    assert_memory_equal(piece, x + 777, 1234 * sizeof *x);
    assert_int_equal(order_reals(&work, x, N, order, &count), OK);
    for (int i = 0; i < N; i++) worst = fmax(worst, fabs((i + .5) / N - law(x[order[i]])));
    assert_true(worst < 1.63 / sqrt(N));
    free(x);
    free(piece);
    free(order);
    arena_free(work.arena);
}
static double laplace_law(double x) { return x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2; }
static double uniform_law(double x) { return x; }
static void test_draws(void **state) {
    (void)state;
    check_law(draw_normals, normal_lower);
    check_law(draw_laplaces, laplace_law);
    check_law(draw_uniforms, uniform_law);
}

static void test_strata(void **state) {
    (void)state;
    Work work = work_new(1);
    const char *cells[] = { "b", "a", NULL, "b", "a", NULL };
    Column *column;
    assert_int_equal(column_category("s", cells, 6, &column, &error), OK);
    const Column *columns[] = { column };
    Strata strata;
    assert_int_equal(strata_make(&work, (Columns){ 1, columns }, 6, &strata), OK);
    assert_int_equal(strata.count, 3);
    int64_t wanted[] = { 0, 3, 1, 4, 2, 5 }, list[] = { 5, 4, 3, 0 }, sorted[4], begin[4], gathered[] = { 3, 0, 4, 5 };
    assert_memory_equal(strata.row, wanted, sizeof wanted);
    assert_int_equal(strata_gather(&work, &strata, list, 4, sorted, begin), OK);
    assert_memory_equal(sorted, gathered, sizeof gathered);
    assert_int_equal(begin[1], 2);
    assert_int_equal(begin[3], 4);
    assert_int_equal(strata_make(&work, (Columns){ 0, NULL }, 6, &strata), OK);
    assert_int_equal(strata.count, 1);
    assert_int_equal(strata.row[5], 5);
    column_release(column);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_ranks), cmocka_unit_test(test_moments),
                                        cmocka_unit_test(test_draws), cmocka_unit_test(test_strata) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
