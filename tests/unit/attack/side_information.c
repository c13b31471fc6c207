/* Terry Gross is two inches shorter than the average Lithuanian woman: once the average is out, so is she. */
#include "methods.h"

static void relations(void **state) {
    (void)state;
    run_ok("attack side-information --statistic 64 --relation '2 inches below the mean'");
    assert_true(value("estimate") == 62 && value("least") == 62 && value("most") == 62);
    run_ok("attack side-information --statistic 64 --relation '3 above'");
    assert_true(value("estimate") == 67);
    run_ok("attack side-information --statistic 50 --relation '1.5 times the mean' --sd 2 --noise normal --spread 12");
    assert_true(value("estimate") == 75 && value("sd") == 3);
    near(value("most"), 75 + 1.959963984540054 * 3, 1e-12);
    near(value("gain"), 0.75, 1e-15);
    run_ok("attack side-information --statistic 200 --relation '10 percent below it'");
    near(value("estimate"), 180, 1e-12);
    run_ok("attack side-information --statistic 7 --relation equal --sd 1.4142135623730951");
    near(value("most") - 7, log(20), 1e-12); /* Laplace of scale 1 */
}

static void bad(void **state) {
    (void)state;
    run_bad("attack side-information --statistic 64 --relation 'somewhat smaller'", "relation");
    run_bad("attack side-information --statistic 64 --relation '2 away'", "relation");
    run_bad("attack side-information --statistic 64", "relation");
    run_bad("attack side-information --statistic 64 --relation equal --sd -1", "at least 0");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(relations), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
