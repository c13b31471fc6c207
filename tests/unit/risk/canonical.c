/* Canonical correlations: the plain correlation, the multiple correlation, collinear columns, the edges. */
#include "methods.h"

static void pairs(void **state) {
    (void)state;
    table_from("t", "x,y,z\n1,2,5\n2,1,3\n3,4,4\n4,3,8\n5,7,1\n6,5,2\n");
    double sxy = 0, sxx = 0, syy = 0;
    const double x[] = { 1, 2, 3, 4, 5, 6 }, y[] = { 2, 1, 4, 3, 7, 5 };
    for (int i = 0; i < 6; i++) {
        sxy += (x[i] - 3.5) * (y[i] - 22 / 6.);
        sxx += pow(x[i] - 3.5, 2);
        syy += pow(y[i] - 22 / 6., 2);
    }
    run_ok("risk canonical t --confidential y --nonconfidential x");
    near(value("largest_squared"), sxy * sxy / sxx / syy, 1e-12);
    near(value("security"), 1 - value("largest_squared"), 1e-15);
    /* One column against several: the R² of its regression. */
    run_ok("risk canonical t --confidential y --nonconfidential x,z");
    double canonical = value("largest_squared");
    run_ok("risk predictive t --sensitive y --predictors x,z");
    near(canonical, value("r2"), 1e-12);
}

static void combinations(void **state) {
    (void)state;
    table_from("t", "a,b,c,d\n1,2,3,1\n2,1,3,4\n3,4,7,1\n4,3,7,5\n5,7,12,9\n6,5,11,2\n"); /* c = a + b */
    run_ok("risk canonical t --confidential c --nonconfidential a,b");
    near(value("largest_squared"), 1, 1e-12);
    run_ok("risk canonical t --confidential a,d --nonconfidential a,b,c"); /* a is on both sides, c is spanned */
    near(value("largest_squared"), 1, 1e-12);
    assert_int_equal((int)result_find_table(last_result, "correlations")->rows, 2);
    assert_true(table_value("correlations", "squared", 1) < 1);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "x,y\n");
    table_from("one", "x,y\n1,2\n");
    table_from("m", "x,y\n,\n,\n");
    table_from("c", "x,y\n1,2\n1,3\n1,4\n");
    for (int i = 0; i < 4; i++) {
        char command[80];
        sprintf(command, "risk canonical %s --confidential y --nonconfidential x", (const char *[]){ "none", "one", "m", "c" }[i]);
        run_ok(command);
        assert_int_equal(result_find(last_result, "largest_squared")->kind, VALUE_NULL);
    }
    table_from("h", "x,y\n1,2\n2,\n3,5\n,4\n4,1\n");
    run_ok("risk canonical h --confidential y --nonconfidential x");
    near(value("records"), 3, 0);
    assert_true(noted("3 of 5 records have all values"));
    table_from("few", "x,y\n1,2\n2,\n3,5\n,4\n4,1\n,5\n6,\n");
    run_ok("risk canonical few --confidential y --nonconfidential x"); /* 3 of 7: a few complete records say nothing of the others */
    assert_int_equal(result_find(last_result, "largest_squared")->kind, VALUE_NULL);
    assert_int_equal(result_find(last_result, "security")->kind, VALUE_NULL);
    near(value("records"), 3, 0);
    run_bad("risk canonical h --confidential q --nonconfidential x", "no column 'q'");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(pairs), cmocka_unit_test(combinations), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
