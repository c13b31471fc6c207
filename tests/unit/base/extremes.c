/* larger, smaller and clamp_finite: what they do with a NaN. */
#include "base/extremes.h"
#include "testing.h"

static void test_extremes(void **state) {
    (void)state;
    assert_true(larger(1, 2) == 2 && larger(2, 1) == 2 && smaller(1, 2) == 1 && smaller(-INFINITY, 3) == -INFINITY);
    assert_true(isnan(larger(NAN, 2)) && isnan(larger(2, NAN)) && isnan(smaller(NAN, 2)) && isnan(smaller(2, NAN)));
    assert_true(larger_known(NAN, 2) == 2 && smaller_known(2, NAN) == 2 && isnan(larger_known(NAN, NAN)));
    double out = 7;
    Error error = ERROR_NONE;
    assert_int_equal(clamp_finite(NAN, 0, 1, &out, &error), FAILED);
    assert_true(out == 7);
    const double from[] = { -3, 0.5, 9, INFINITY, -INFINITY }, to[] = { 0, 0.5, 1, 1, 0 };
    for (int i = 0; i < 5; i++) {
        assert_int_equal(clamp_finite(from[i], 0, 1, &out, &error), OK);
        assert_true(out == to[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_extremes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
