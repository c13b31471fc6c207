/* utility.weights: totals by hand, identity, missing weights and values, bad input. */
#include "methods.h"

static void test_by_hand(void **state) {
    (void)state;
    table_from("o", "x,g,w\n1,a,2\n2,b,3\n3,a,5\n");
    table_from("r", "x,g,w\n2,a,4\n2,,3\n3,b,4\n");
    run_ok("utility weights o r --weight w");
    near(value("population_original"), 10, 0);
    near(value("population_released"), 11, 0);
    near(table_value("totals", "original", 1), 2 + 6 + 15, 1e-12);
    near(table_value("totals", "released", 1), 8 + 6 + 12, 1e-12);
    near(table_value("totals", "relative_change", 1), 3. / 23, 1e-12);
    near(table_value("totals", "original", 2), 7, 0); /* a */
    near(table_value("totals", "released", 4), 3, 0); /* missing */
    near(value("largest_relative_change"), 3. / 7, 1e-12);
    near(value("largest_total_variation"), (fabs(.7 - 4. / 11) + fabs(.3 - 4. / 11) + 3. / 11) / 2, 1e-12);
}

/* Codes have totals of their records, no sum; recoded columns are compared as the release has them. */
static void test_codes_and_recoding(void **state) {
    (void)state;
    table_from("o", "sex,age,w\n1,21,2\n2,35,3\n1,28,5\n2,39,1\n");
    table_from("r", "sex,age,w\n1,20-29,2\n2,30-39,3\n1,20-29,5\n2,30-39,1\n");
    run_ok("utility weights o r --weight w");
    assert_int_equal(result_find_table(last_result, "totals")->rows, 5); /* all, two sexes, two classes of ages */
    near(table_value("totals", "original", 2), 4, 0);
    near(table_value("totals", "original", 3), 7, 0);
    near(value("largest_relative_change"), 0, 0);
    near(value("largest_total_variation"), 0, 0);
}

static void test_identity(void **state) {
    (void)state;
    table_from("o", "x,g,w\n1,a,2\n,b,3\n3,,0\n");
    run_ok("utility weights o o --weight w");
    near(value("largest_relative_change"), 0, 0);
    near(value("largest_total_variation"), 0, 0);
    near(table_value("totals", "original", 1), 2, 0);
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", "x,g,w\n1,a,2\n2,b,3\n");
    table_from("n", "x,g,w\n1,a,2\n2,b,-3\n");
    table_from("t", "x,g,w\n1,a,u\n2,b,v\n");
    table_from("e", "x,g,w\n");
    run_bad("utility weights o n --weight w", "negative");
    run_bad("utility weights o t --weight w", "needs numbers");
    run_bad("utility weights o o --weight g", "numbers");
    run_bad("utility weights o o", "weight");
    run_ok("utility weights o e --weight w --vars x");
    near(value("population_released"), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand), cmocka_unit_test(test_codes_and_recoding),
                                        cmocka_unit_test(test_identity), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
