/* protect.suppress-records: drop, blank, by rule and by risk. */
#include "methods.h"

static void test_rule(void **state) {
    (void)state;
    table_from("t", "x,g,w\n1,a,1\n2,b,2\n,a,3\n4,b,4\n");
    run_ok("protect suppress-records t --where 'x > 1' --weight w");
    assert_string_equal(cells_of(output_column("x")), "1 ."); /* missing is not true */
    assert_int_equal((int)value("suppressed"), 2);
    near(value("population_share"), .6, 1e-12);
    run_ok("protect suppress-records t --where 'x > 1' --action blank");
    assert_string_equal(cells_of(output_column("x")), "1 . . .");
    assert_string_equal(cells_of(output_column("g")), "a . a .");
    run_ok("protect suppress-records t --where 'x > 1' --action blank --vars g");
    assert_string_equal(cells_of(output_column("x")), "1 2 . 4");
    assert_string_equal(cells_of(output_column("g")), "a . a .");
    assert_int_equal((int)value("cells"), 2);
    run_ok("protect suppress-records t --where 'w > 0'");
    assert_int_equal(output()->rows, 0);
}

static void test_risk(void **state) {
    (void)state;
    if (!method_find("risk", "individual")) skip();
    table_from("t", "k,w\na,1\na,1\na,1\nb,1\nc,50\n");
    run_ok("protect suppress-records t --keys k --weight w --risk-above 0.9"); /* b stands for itself alone */
    assert_string_equal(cells_of(output_column("k")), "a a a c");
}

static void test_bad_input(void **state) {
    (void)state;
    table_from("t", "x,g\n1,a\n2,b\n");
    run_bad("protect suppress-records t", "--where or --risk-above");
    run_bad("protect suppress-records t --where 'y > 1'", "'y'");
    run_bad("protect suppress-records t --where 'x + 1'", "true");
    run_bad("protect suppress-records t --risk-above 0.1", "keys");
    run_bad("protect suppress-records t --where 'x > 1' --vars g", "blank");
    table_from("empty", "x,g\n");
    run_ok("protect suppress-records empty --where 'x > 1'");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rule), cmocka_unit_test(test_risk), cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
