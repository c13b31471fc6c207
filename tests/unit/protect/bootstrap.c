/* protect.bootstrap: moments, one donor for all columns, strata, bad input. */
#include "methods.h"
#include "math/distributions.h"

static void test_one_donor(void **state) {
    (void)state;
    table_from("t", "x,y\n1,10\n2,20\n4,40\n9,90\n"); /* y = 10x: deviations keep that, if both come from one donor */
    run_ok("protect bootstrap t --vars x,y --alpha 0.5 --beta 0.8");
    for (int i = 0; i < 4; i++) near(column_number(output_column("y"), i), 10 * column_number(output_column("x"), i), 1e-9);
    double deviation = (column_number(output_column("x"), 0) - .8) / .5 + 4; /* = the donor's x */
    assert_true(fabs(deviation - 1) < 1e-9 || fabs(deviation - 2) < 1e-9 || fabs(deviation - 4) < 1e-9 || fabs(deviation - 9) < 1e-9);
    near(value("variance_ratio"), .89, 1e-12);
    run_ok("protect bootstrap t --vars x --alpha 0");
    assert_int_equal((int)value("cells"), 0);
    assert_int_equal(output_column("x")->type, INTEGER_TYPE);
}

static void test_moments(void **state) {
    (void)state;
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x), *g = malloc(N * sizeof *g);
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "x", "bootstrap");
    draw_normals(&stream, 0, N, x);
    for (int i = 0; i < N; i++) {
        g[i] = i % 2;
        x[i] = exp(x[i]) * (i % 2 ? 100 : 1);
    }
    table_reals("t", (const double *const[]){ x, g }, 2, N);
    run_ok("protect bootstrap t --vars a --alpha 0.5 --beta 0.9 --strata b");
    for (int s = 0; s < 2; s++) {
        double m = 0, v = 0, om = 0, ov = 0, n = N / 2;
        const double *y = output_column("a")->real;
        for (int i = s; i < N; i += 2) {
            m += y[i] / n;
            om += x[i] / n;
        }
        for (int i = s; i < N; i += 2) {
            v += pow(y[i] - m, 2) / n;
            ov += pow(x[i] - om, 2) / n;
        }
        near(m / om, .9, .05);
        near(v / ov, .25 + .81, .2);
    }
    run_threads = 1;
    Table *two = table_retain(output());
    run_ok("protect bootstrap t --vars a --alpha 0.5 --beta 0.9 --strata b");
    assert_true(table_equal(two, output()));
    table_release(two);
    free(x);
    free(g);
}

/* Donors are complete records; where they vary more than all values do, the promised variance holds all the same. */
static void test_missing(void **state) {
    (void)state;
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), n = 0, m = 0, om = 0, v = 0, ov = 0;
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "x", "missing");
    draw_normals(&stream, 0, N, x);
    for (int i = 0; i < N; i++) {
        y[i] = i % 2 ? x[i] : NAN;
        x[i] = 50 + (i % 2 ? 20 : 5) * x[i];
    }
    table_reals("t", (const double *const[]){ x, y }, 2, N);
    run_ok("protect bootstrap t --vars a,b --alpha 1 --beta 1");
    const double *z = output_column("a")->real;
    for (int i = 0; i < N; i++) m += z[i] / N, om += x[i] / N;
    for (int i = 0; i < N; i++) v += pow(z[i] - m, 2) / N, ov += pow(x[i] - om, 2) / N;
    near(v / ov, 2, .08); /* four standard errors; 2.9 with the donors' own variance */
    for (int i = 0; i < N; i++) n += !column_missing(output_column("b"), i);
    near(n, N / 2, 0);
    free(x);
    free(y);
}

static void test_edges(void **state) {
    (void)state;
    table_from("t", "x,y,g\n1,,a\n,2,b\n");
    run_bad("protect bootstrap t --vars x,y", "every one of these columns");
    run_bad("protect bootstrap t --vars g", "needs numbers");
    run_bad("protect bootstrap t --vars x --beta 0", "more than 0");
    table_from("empty", "x,y\n");
    run_ok("protect bootstrap empty --vars x");
    table_from("one", "x\n3\n");
    run_ok("protect bootstrap one --vars x");
    near(column_number(output_column("x"), 0), 3, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_one_donor), cmocka_unit_test(test_moments), cmocka_unit_test(test_missing),
                                        cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
