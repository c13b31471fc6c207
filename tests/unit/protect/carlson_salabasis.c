/* protect.carlson-salabasis: every value comes from the other half, at the same rank. */
#include "methods.h"
#include "math/distributions.h"

static void test_halves(void **state) {
    (void)state;
    enum { N = 1000 };
    double x[N], y[N];
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "x", "cs");
    draw_normals(&stream, 0, N, x);
    for (int i = 0; i < N; i++) y[i] = x[i] * x[i] * x[i]; /* the same ranks: it must stay the cube */
    table_reals("t", (const double *const[]){ x, y }, 2, N);
    run_ok("protect carlson-salabasis t --vars a,b");
    assert_int_equal((int)value("first_half"), 500);
    assert_int_equal((int)value("cells"), 2 * N);
    const double *a = output_column("a")->real, *b = output_column("b")->real;
    double sum = 0, was = 0;
    for (int i = 0; i < N; i++) {
        near(b[i], a[i] * a[i] * a[i], 1e-12);
        sum += a[i];
        was += x[i];
    }
    near(sum, was, 1e-9); /* halves of one size: the multiset is kept */
}

static void test_edges(void **state) {
    (void)state;
    table_from("t", "x,g\n1,a\n2,b\n3,a\n,b\n5,a\n");
    run_ok("protect carlson-salabasis t --vars x --strata g");
    assert_true(column_missing(output_column("x"), 3));
    assert_int_equal(output_column("x")->missing, 1);
    run_bad("protect carlson-salabasis t --vars g", "needs numbers");
    table_from("two", "x\n1\n9\n");
    run_ok("protect carlson-salabasis two --vars x");
    assert_string_equal(cells_of(output_column("x")), "9 1");
    table_from("one", "x\n1\n");
    run_ok("protect carlson-salabasis one --vars x");
    assert_string_equal(cells_of(output_column("x")), "1");
    table_from("empty", "x,y\n");
    run_ok("protect carlson-salabasis empty --vars x");
    table_from("none", "x,y\n,1\n,2\n");
    run_ok("protect carlson-salabasis none --vars x");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_halves), cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
