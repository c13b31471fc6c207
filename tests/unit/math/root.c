/* The bracketing root finder: signs of both ends, the width that was asked for, hard functions, a NaN. */
#include <math.h>
#include "math/root.h"
#include "testing.h"

static int calls;
static double cubic(double x, void *p) { return calls++, *(double *)p - x * x * x; }
static double step(double x, void *p) { return calls++, x < *(double *)p ? 1e-300 : -1e300; }
static double flat(double x, void *p) { return calls++, pow(*(double *)p - x, 9); }
static double steep(double x, void *p) { return calls++, exp(30 * (*(double *)p - x)) - 1; }
static double broken(double x, void *p) { return x > *(double *)p ? NAN : 1; }

static void test_roots(void **state) {
    (void)state;
    RootFunction *functions[] = { cubic, step, flat, steep };
    for (int f = 0; f < 4; f++)
        for (double at = 0.3; at < 9; at *= 1.3) {
            double low = 0, high = 10, root = f ? at : cbrt(at);
            calls = 0;
            assert_int_equal(root_narrow(functions[f], &at, &low, &high, 1e-13, NULL), OK);
            assert_true(functions[f](low, &at) > 0 && functions[f](high, &at) <= 0 && high - low <= 1e-13);
            assert_true(f == 2 || fabs(low - root) < 2e-13);
            assert_true(calls < 160);
        }
    double low = 0, high = 10, at = 3;
    Error error = ERROR_NONE;
    assert_int_equal(root_narrow(broken, &at, &low, &high, 1e-9, &error), FAILED);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_roots) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
