/* Calibration: closed forms, raking, totals that depend on one another, totals that cannot be had. */
#include <math.h>
#include "testing.h"
#include "math/linear/calibration.h"
#include "base/random.h"

static Error error;
static void near(double seen, double wanted, double within) {
    if (!(fabs(seen - wanted) <= within)) fail_msg("saw %.17g, wanted %.17g", seen, wanted);
}

static Calibrated solve(Work *work, int64_t rows, int64_t totals, const double *const *x, const double *total, const double *weight,
                        CalibrationDistance distance) {
    Calibrated out;
    Calibration c = { rows, totals, x, total, weight };
    assert_int_equal(calibrate_weights(work, &c, distance, &out), OK);
    return out;
}

/* One total, linear: w = d(1 + x(T − X)/Σdx²). One category each, raked: w = d·T_c/Σd of the category. */
static void test_closed_forms(void **state) {
    (void)state;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    const double x[] = { 1, 2, 3, 4 }, d[] = { 1, 2, 1, 2 }, total[] = { 20 };
    Calibrated c = solve(&work, 4, 1, (const double *[]){ x }, total, d, LINEAR);
    for (int i = 0; i < 4; i++) near(c.weight[i], d[i] * (1 + x[i] * (20 - 16) / 50), 1e-14);
    const double a[] = { 1, 1, 0, 0 }, b[] = { 0, 0, 1, 1 }, both[] = { 1, 1, 1, 1 }, counts[] = { 6, 2, 8 };
    for (int distance = RAKED; distance <= LINEAR; distance++) {
        c = solve(&work, 4, 3, (const double *[]){ a, b, both }, counts, d, distance); /* the third is the sum of the first two */
        assert_true(c.error < 1e-13);
        for (int i = 0; i < 4; i++) near(c.weight[i], d[i] * (i < 2 ? 2 : 2. / 3), 1e-13);
    }
    arena_free(work.arena);
}

static void test_random_tables(void **state) {
    (void)state;
    enum { N = 500, M = 6 };
    static double x[M][N], d[N];
    const double *at[M];
    double total[M] = { 0 };
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "calibration", "x");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) {
        d[i] = 1 + reader_uniform(&reader);
        x[0][i] = 1;
        x[1][i] = 1e6 * exp(reader_normal(&reader)); /* scales far apart */
        x[2][i] = 1e-4 * reader_normal(&reader);
        for (int j = 3; j < M; j++) x[j][i] = (double)reader_below(&reader, 2);
        for (int j = 0; j < M; j++) total[j] += d[i] * x[j][i] * (.9 + .2 * reader_uniform(&reader));
    }
    for (int j = 0; j < M; j++) at[j] = x[j];
    for (int distance = RAKED; distance <= LINEAR; distance++) {
        Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
        Calibrated c = solve(&work, N, M, at, total, d, distance);
        for (int j = 0; j < M; j++) {
            double sum = 0;
            for (int i = 0; i < N; i++) sum += c.weight[i] * x[j][i];
            near(sum / total[j], 1, 1e-11);
        }
        for (int i = 0; i < N && distance == RAKED; i++) assert_true(c.weight[i] > 0);
        arena_free(work.arena);
    }
}

static void test_impossible(void **state) {
    (void)state;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    const double x[] = { 1, 2, 3, 4 }, one[] = { 1, 1, 1, 1 }, d[] = { 1, 1, 1, 1 }, zero[] = { 0, 0, 0, 0 };
    assert_true(solve(&work, 4, 2, (const double *[]){ one, x }, (double[]){ 4, 40 }, d, RAKED).error >
                1e-6); /* a mean above the largest value */
    assert_true(solve(&work, 4, 2, (const double *[]){ one, x }, (double[]){ 4, 40 }, d, LINEAR).error < 1e-13); /* with negative weights */
    Calibrated c = solve(&work, 4, 2, (const double *[]){ one, zero }, (double[]){ 4, 1 }, d, LINEAR);
    near(c.error, 1, 1e-12);
    assert_int_equal(c.worst, 1);
    assert_int_equal(solve(&work, 4, 1, (const double *[]){ one }, (double[]){ 4 }, d, RAKED).iterations, 0);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_random_tables),
                                        cmocka_unit_test(test_impossible) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
