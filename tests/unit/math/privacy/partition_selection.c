/* Partition selection: the recursion's own inequalities, met with equality, and better than any threshold. */
#include "math/privacy/partition_selection.h"
#include <math.h>
#include <stdbool.h>
#include "testing.h"

static void optimal(void **state) {
    (void)state;
    static const double epsilons[] = { 0.1, 0.5, 1, 3 }, deltas[] = { 1e-9, 1e-5, 1e-2 };
    for (int e = 0; e < 4; e++)
        for (int d = 0; d < 3; d++) {
            double epsilon = epsilons[e], delta = deltas[d], before = 0, factor = exp(epsilon);
            assert_true(selection_probability(epsilon, delta, 0) == 0);
            for (int64_t n = 1; n < 600; n++) {
                double shown = selection_probability(epsilon, delta, n);
                assert_true(shown >= before && shown <= 1);
                assert_true(shown <= (factor * before + delta) * (1 + 1e-12));                   /* one more person, shown */
                assert_true(1 - before <= (factor * (1 - shown) + delta) * (1 + 1e-12) + 1e-12); /* one less, not shown */
                bool tight =
                    fabs(shown - factor * before - delta) < 1e-9 || fabs(1 - before - factor * (1 - shown) - delta) < 1e-9 || shown == 1;
                assert_true(tight); /* nothing is left to gain */
                /* Laplace noise of scale 1/ε on the count, and a threshold that 1 passes with δ */
                double t = 1 - log(2 * delta) / epsilon, laplace = n < t ? exp((n - t) * epsilon) / 2 : 1 - exp((t - n) * epsilon) / 2;
                assert_true(shown >= laplace - 1e-9);
                before = shown;
            }
        }
    assert_true(selection_probability(1, 1e-5, 1) == 1e-5);
    assert_true(fabs(selection_probability(1, 1e-5, 2) - 1e-5 * (1 + exp(1))) < 1e-18);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(optimal) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
