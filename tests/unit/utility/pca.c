/* utility.pca: R's prcomp, identity, a turned axis, outliers that the robust one ignores, bad input. */
#include "methods.h"
#include "math/distributions.h"

static const char *five = "a,b,c\n1,2,5\n2,1,3\n3,5,4\n4,3,1\n5,6,0\n6,4,2\n";

/* eigen(cor(d)) in R: a and b correlate at 0.6571429, … */
static void test_as_r(void **state) {
    (void)state;
    table_from("o", five);
    run_ok("utility pca o o");
    near(table_value("eigenvalues", "original", 0), 2.28320900244326, 1e-9);
    near(table_value("eigenvalues", "original", 2), 0.19139808893744, 1e-9);
    near(fabs(table_value("loadings", "original", 0)), 0.61939896686953, 1e-9);
    near(value("largest_change"), 0, 1e-12);
    near(value("first_angle"), 0, 1e-5);
    assert_int_equal(last_result->charts, 2);
    assert_int_equal(result_find_table(last_result, "loadings")->rows, 9);
}

/* The sign of an axis is nothing; exchanging two columns turns the first axis by a known angle. */
static void test_turned(void **state) {
    (void)state;
    table_from("o", five);
    table_from("r", "b,a,c\n1,2,5\n2,1,3\n3,5,4\n4,3,1\n5,6,0\n6,4,2\n");
    run_ok("utility pca o r");
    near(value("largest_change"), 0, 1e-12);
    double la = table_value("loadings", "original", 0), lb = table_value("loadings", "original", 1),
           lc = table_value("loadings", "original", 2);
    near(value("first_angle"), acos(2 * la * lb + lc * lc) * 180 / M_PI, 1e-6);
}

static void test_robust(void **state) {
    (void)state;
    enum { N = 2000 };
    static double clean[3][N], dirty[3][N];
    Seed seed = seed_from_number(3);
    for (int j = 0; j < 3; j++) {
        RandomStream stream = stream_make(&seed, "test", j, "", "pca");
        draw_normals(&stream, 0, N, clean[j]);
    }
    for (int i = 0; i < N; i++) {
        clean[1][i] = 0.8 * clean[0][i] + 0.6 * clean[1][i];
        for (int j = 0; j < 3; j++) dirty[j][i] = i % 20 ? clean[j][i] : (j == 0 ? 40 : j == 1 ? -40 : 40) + clean[j][i];
    }
    table_reals("o", (const double *const[]){ clean[0], clean[1], clean[2] }, 3, N);
    table_reals("r", (const double *const[]){ dirty[0], dirty[1], dirty[2] }, 3, N);
    run_ok("utility pca o r --robust");
    near(table_value("eigenvalues", "original", 0), 1.8, .06);
    near(table_value("eigenvalues", "released", 0), 1.8, .06);
    assert_true(value("first_angle") < 5);
    run_ok("utility pca o r");
    assert_true(value("first_angle") > 20);
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", five);
    table_from("k", "a,b,c\n1,2,5\n1,1,3\n1,5,4\n");
    table_from("g", "a,b,c\nx,2,5\ny,1,3\n");
    table_from("m", "a,b,c\n1,,5\n,1,3\n1,5,\n");
    table_from("e", "a,b,c\n");
    run_bad("utility pca o k", "constant in the released");
    run_bad("utility pca o g --vars a,b", "needs numbers");
    run_bad("utility pca o m", "fewer than two");
    run_bad("utility pca e e", "two");
    run_bad("utility pca o o --vars a", "two numeric columns");
    run_ok("utility pca o g"); /* only b and c are numbers in both */
    assert_int_equal(result_find_table(last_result, "eigenvalues")->rows, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_as_r), cmocka_unit_test(test_turned), cmocka_unit_test(test_robust),
                                        cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
