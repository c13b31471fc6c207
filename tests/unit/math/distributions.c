/* Binomial and multinomial draws against the exact probabilities. Chi-squared over 20,000 draws at 1e-6 a case: 13 cases, fixed seed. */
#include <math.h>
#include "math/distributions.h"
#include "math/special/gamma.h"
#include "math/special/log_gamma.h"
#include "testing.h"

static void test_binomial(void **state) {
    (void)state;
    enum { DRAWS = 20000 };
    static const double cases[][2] = { { 1, 0.3 },      { 7, 0.5 },    { 40, 0.05 }, { 40, 0.9 },   { 30, 0.4 },
                                       { 1000, 0.02 },  { 1000, 0.7 }, { 1e6, 0.5 }, { 1e9, 1e-9 }, { 1e9, 0.3 },
                                       { 1e15, 2e-14 }, { 5, 1e-12 },  { 25, 0.4 } };
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, NULL, "binomial");
    RandomReader reader = reader_make(&stream);
    for (int c = 0; c < 13; c++) {
        double n = cases[c][0], p = cases[c][1], sd = sqrt(n * p * (1 - p)), width = fmax(1, floor(sd / 3)), sum = 0, statistic = 0,
               used = 0;
        double from = fmax(0, floor(n * p - 5 * sd)), seen[64] = { 0 };
        int bins = 64, degrees = -1;
        for (int i = 0; i < DRAWS; i++) {
            double k = reader_binomial(&reader, n, p);
            assert_true(k >= 0 && k <= n && k == floor(k));
            sum += k;
            double bin = floor((k - from) / width);
            if (bin >= 0 && bin < bins) seen[(int)bin]++;
        }
        assert_true(fabs(sum / DRAWS - n * p) <= 5 * sd / sqrt(DRAWS));
        if (width > 1000) continue;
        for (int b = 0; b < bins; b++) {
            double expected = 0;
            for (double k = from + b * width; k < from + (b + 1) * width && k <= n; k++)
                expected += DRAWS * exp(log_binomial_term(k, n - k, p, 1 - p));
            if (expected < 5) continue;
            statistic += (seen[b] - expected) * (seen[b] - expected) / expected;
            used += seen[b];
            degrees++;
        }
        if (degrees > 0) assert_true(chi_square_tails(degrees, statistic).upper > 1e-6);
        assert_true(used > 0.99 * DRAWS);
    }
    assert_true(reader_binomial(&reader, 9, 0) == 0 && reader_binomial(&reader, 9, 1) == 9 && reader_binomial(&reader, 0, 0.5) == 0);
}

static void test_multinomial(void **state) {
    (void)state;
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, NULL, "multinomial");
    RandomReader reader = reader_make(&stream);
    const double weight[] = { 0, 3, 1e-3, 0, 7, 2, 0 };
    double total[7] = { 0 }, out[7];
    for (int i = 0; i < 2000; i++) {
        double sum = 0;
        reader_multinomial(&reader, 500, weight, 7, out);
        for (int k = 0; k < 7; k++) {
            assert_true(out[k] >= 0 && (weight[k] > 0 || out[k] == 0));
            sum += out[k];
            total[k] += out[k] / 1e6;
        }
        assert_true(sum == 500);
    }
    for (int k = 0; k < 7; k++) assert_true(fabs(total[k] - weight[k] / 12.001) < 5 * sqrt(weight[k] / 12.001 / 1e6) + 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_binomial), cmocka_unit_test(test_multinomial) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
