/* Intervals of shares: published ones, and the coverage of paired differences counted over every outcome. */
#include "math/proportion.h"
#include <math.h>
#include "testing.h"

static void near(double seen, double wanted, double within) {
    if (!(fabs(seen - wanted) <= within)) fail_msg("saw %.12g, wanted %.12g", seen, wanted);
}

/* Newcombe 1998 (Statistics in Medicine 17, 857–872), table I: Wilson's interval without correction. */
static void one_share(void **state) {
    (void)state;
    static const double known[][4] = { { 81, 263, 0.2553, 0.3662 },
                                       { 15, 148, 0.0624, 0.1605 },
                                       { 0, 20, 0, 0.1611 },
                                       { 1, 29, 0.0061, 0.1718 } };
    for (int i = 0; i < 4; i++) {
        Interval seen = wilson_interval(known[i][0], known[i][1]);
        near(seen.low, known[i][2], 5e-5);
        near(seen.high, known[i][3], 5e-5);
    }
    Interval none = wilson_interval(0, 0);
    assert_true(none.low == 0 && none.high == 1);
}

/* The same volume, 873–890, table II, method 10: 56/70 − 48/80. */
static void two_shares(void **state) {
    (void)state;
    Interval seen = newcombe_interval(56, 70, 48, 80);
    near(seen.low, 0.0524, 5e-5);
    near(seen.high, 0.3339, 5e-5);
}

/* One of 21 against seven of 21, by hand: (2 − 8)/23 ± 1.96 √((10/23 − 36/529)/23). */
static void paired(void **state) {
    (void)state;
    Interval seen = paired_interval(1, 7, 21);
    near(seen.low, -0.5084, 5e-5);
    near(seen.high, -0.0134, 5e-5);
    seen = paired_interval(8, 0, 8); /* certain of eight is not certain of all */
    assert_true(seen.low > 0.3 && seen.low < 0.63 && seen.high == 1);
    seen = paired_interval(0, 0, 50);
    assert_true(seen.low < 0 && seen.high > 0 && seen.high < 0.06);
    seen = paired_interval(0, 0, 0);
    assert_true(seen.low == -1 && seen.high == 1);
}

static double coverage(int n, double p, double q) {
    double covered = 0;
    for (int b = 0; b <= n; b++)
        for (int c = 0; b + c <= n; c++) {
            Interval seen = paired_interval(b, c, n);
            double rest = 1 - p - q, log_chance = lgamma(n + 1) - lgamma(b + 1) - lgamma(c + 1) - lgamma(n - b - c + 1) + b * log(p) +
                                                  c * log(q) + (n - b - c) * log(rest);
            if (seen.low <= p - q && p - q <= seen.high) covered += exp(log_chance);
        }
    return covered;
}

static void covers(void **state) {
    (void)state;
    static const int sizes[] = { 8, 20, 60 };
    static const double shares[][2] = { { 0.9, 0.01 }, { 0.5, 0.1 }, { 0.3, 0.3 }, { 0.05, 0.05 }, { 0.2, 0.01 }, { 0.98, 0.01 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            if (!(coverage(sizes[i], shares[j][0], shares[j][1]) >= 0.92))
                fail_msg("n = %d, shares %g and %g: %g", sizes[i], shares[j][0], shares[j][1],
                         coverage(sizes[i], shares[j][0], shares[j][1]));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_share), cmocka_unit_test(two_shares), cmocka_unit_test(paired),
                                        cmocka_unit_test(covers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
