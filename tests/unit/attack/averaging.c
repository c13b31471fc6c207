/* Averaging M independent releases leaves 1/√M of the error, with the original and without. */
#include "methods.h"

static void falls_as_the_root(void **state) {
    (void)state;
    enum { N = 4000, M = 4 };
    static double x[N], y[M][N];
    Seed seed = seed_from_number(3);
    RandomStream stream = stream_make(&seed, "test", 0, "x", "values");
    RandomReader reader = reader_make(&stream);
    for (int i = 0; i < N; i++) x[i] = 10 * reader_normal(&reader);
    table_reals("x", (const double *[]){ x }, 1, N);
    for (int m = 0; m < M; m++) {
        char name[] = { 'r', (char)('0' + m), 0 };
        for (int i = 0; i < N; i++) y[m][i] = x[i] + 3 * reader_normal(&reader);
        table_reals(name, (const double *[]){ y[m] }, 1, N);
    }
    run_ok("attack averaging r0 r1 r2 r3 --original x");
    near(value("rmse_one"), 0.3, 0.01);
    near(value("gain"), 0.5, 0.02);
    assert_true(value("lower") < 0.5 && value("upper") > 0.5);
    near(table_value("columns", "rmse_all", 0), 1.5, 0.05);
    run_ok("attack averaging r0 r1 r2 r3");
    near(value("gain"), 0.5, 1e-9);
    near(table_value("columns", "rmse_one", 0), 3, 0.1);
}

static void edges(void **state) {
    (void)state;
    table_from("a", "x,y\n1,u\n2,v\n3,u\n");
    table_from("b", "x,y\n1,u\n2,v\n");
    run_bad("attack averaging a", "two releases");
    run_bad("attack averaging a b", "number of records");
    run_bad("attack averaging a a --vars y", "numbers");
    run_bad("attack averaging a a --vars z", "no column");
    table_from("w", "x,y\nu,u\nv,v\nw,u\n");
    run_bad("attack averaging a w", "numbers");  /* a number here, words there */
    for (int copies = 2; copies < 5; copies++) { /* there is no noise in copies of one file: no gain, rather than 1 − 1/√M */
        run_ok(copies == 2 ? "attack averaging a a" : copies == 3 ? "attack averaging a a a" : "attack averaging a a a a --vars x");
        assert_int_equal(result_find(last_result, "gain")->kind, VALUE_NULL);
        assert_true(noted("no noise to average away"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(falls_as_the_root), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
