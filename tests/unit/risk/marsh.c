/* Marsh's product: given, estimated, and what cannot be estimated. */
#include "methods.h"

static void given(void **state) {
    (void)state;
    table_from("data", "a,w\n1,4\n1,4\n2,2\n3,10\n");
    run_ok("risk marsh --p-recorded 0.5 --p-present 0.1 --p-unique 0.2 --p-verified 0.25");
    near(value("probability"), 0.0025, 1e-15);
}

static void estimated(void **state) {
    (void)state;
    table_from("data", "a,w\n1,4\n1,4\n2,2\n3,10\n");
    run_ok("risk marsh data --keys a --weight w --p-recorded 1 --p-verified 1");
    near(value("p_present"), 4.0 / 20, 1e-15);
    near(value("p_unique"), (0.5 + 0.1) / 4, 1e-15); /* two sample uniques, of weights 2 and 10 */
    near(value("probability"), 0.2 * 0.15, 1e-15);
    run_ok("risk marsh data --keys a --population-size 40 --p-recorded 1 --p-verified 1");
    near(value("p_unique"), 2 * 0.1 / 4, 1e-15);
}

static void bad(void **state) {
    (void)state;
    run_bad("risk marsh --p-recorded 0.5 --p-verified 1", "four");
    run_bad("risk marsh --p-recorded 0.5 --p-present 0.1 --p-unique 0.2", "p-verified");
    run_bad("risk marsh --p-recorded 1.5", "from 0 to 1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(given), cmocka_unit_test(estimated), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
