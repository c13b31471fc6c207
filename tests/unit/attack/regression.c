/* Predictive disclosure: an exact relation is learned to the last digit, no relation no better than the mean. */
#include "methods.h"

static void exact(void **state) {
    (void)state;
    table_from("r", "y,a,g\n3,1,u\n5,2,u\n7,3,u\n14,1,v\n16,2,v\n18,3,v\n");
    table_from("t", "y,a,g\n13,6,u\n30,9,v\n1,1,w\n");
    run_ok("attack regression r --sensitive y --predictors a,g --target t --tolerance 1e-9");
    assert_true(value("targets") == 2 && value("within") == 1 && value("baseline") == 0 && value("gain") == 1);
    near(value("r2"), 1, 1e-12);
}

static void against_the_mean(void **state) {
    (void)state;
    table_from("r", "y,a\n10,1\n10,2\n12,1\n8,2\n10,1\n10,2\n");
    run_ok("attack regression r --sensitive y --predictors a --tolerance 0.1");
    near(value("r2"), 1 - (2 * (4.0 / 9 + 4.0 / 9 + 16.0 / 9)) / 8, 1e-12); /* two group means, 10 2/3 and 9 1/3 */
    assert_true(value("baseline") > 0 && value("gain") == value("within") - value("baseline"));
}

static void bad(void **state) {
    (void)state;
    table_from("few", "y,a\n1,2\n2,3\n");
    run_bad("attack regression few --sensitive y --predictors a", "too few");
    table_from("words", "y,a\nu,2\nv,3\n");
    run_bad("attack regression words --sensitive y --predictors a", "numbers");
    run_bad("attack regression few --sensitive y", "predictors");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(exact), cmocka_unit_test(against_the_mean), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
