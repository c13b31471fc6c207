/* protect.resample: ranks are kept; with one sample every value is one of the column's; expected order statistics of pairs; strata; missing
 * values; bad input. */
#include "methods.h"
#include "math/distributions.h"

enum { N = 1000, PAIRS = 2000 };

static void make_numbers(double *x) {
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "x", "resample");
    draw_normals(&stream, 0, N, x);
    table_reals("t", (const double *const[]){ x }, 1, N);
}

static void test_ranks(void **state) {
    (void)state;
    double x[N];
    make_numbers(x);
    for (int t = 1; t <= 5; t += 2) {
        int64_t own = 0;
        run_ok(t == 1   ? "protect resample t --vars a --samples 1"
               : t == 3 ? "protect resample t --vars a"
                        : "protect resample t --vars a --samples 5");
        const double *y = output_column("a")->real;
        for (int i = 0; i < N; i++) {
            int64_t found = 0;
            own += y[i] == x[i];
            for (int j = 0; j < N; j++) {
                if (x[i] < x[j]) assert_true(y[i] <= y[j]);
                found += y[i] == x[j];
            }
            if (t == 1) assert_true(found);
        }
        assert_true(own < N / 10);
    }
}

/* Of two values 0 and 1 a sample is 00, 01, 10 or 11: the smaller is 1 in one case of four, the larger in three. 4 standard errors:
 * 4·√(3/16 / 2000 / t), a false alarm in 10,000 runs; the seed is fixed. */
static void test_pairs(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "x,g\n");
    for (int i = 0; i < PAIRS; i++) at += sprintf(at, "0.0,p%d\n1.0,p%d\n", i, i);
    table_from("t", text);
    for (int t = 1; t <= 4; t += 3) {
        double low = 0, high = 0;
        run_ok_seeded(7,
                      t == 1 ? "protect resample t --vars x --strata g --samples 1" : "protect resample t --vars x --strata g --samples 4");
        for (int i = 0; i < PAIRS; i++) {
            low += column_number(output_column("x"), 2 * i) / PAIRS;
            high += column_number(output_column("x"), 2 * i + 1) / PAIRS;
        }
        near(low, .25, .039 / sqrt(t));
        near(high, .75, .039 / sqrt(t));
    }
}

static void test_edges(void **state) {
    (void)state;
    table_from("t", "x,g\n1,a\n2,b\n3,a\n,b\n5,a\n");
    run_ok("protect resample t --vars x --strata g");
    assert_true(column_missing(output_column("x"), 3));
    assert_int_equal(output_column("x")->type, INTEGER_TYPE);
    assert_string_equal(column_cell(output_column("x"), 1, (char[33]){ 0 }), "2"); /* alone in its stratum */
    run_bad("protect resample t --vars g", "needs numbers");
    run_bad("protect resample t --vars x --samples 0", "samples");
    table_from("empty", "x,y\n");
    run_ok("protect resample empty --vars x");
    table_from("none", "x,y\n,1\n,2\n");
    run_ok("protect resample none --vars x");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ranks), cmocka_unit_test(test_pairs), cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
