/* What noise guarantees: Rényi divergences against quadrature with 30 digits, and for every family, from a shift of 1e-9 to one of 1e6 (Student: 1e9)
 * scales, what must hold between the guarantees. */
#include <math.h>
#include "math/privacy/noise.h"
#include "math/special/normal.h"
#include "testing.h"

/* mpmath 1.3, quad over the densities; df, shift over scale, order, value. */
static void test_student_divergences(void **state) {
    (void)state;
    static const double known[][4] = {
        { 3, 1, 1, 0.313931569193227 },      { 3, 30, 1, 10.635150891099 },          { 3, 30, 2, 5.47409454458675 },
        { 3, 1000, 1.15, 21.5106032785692 }, { 10, 30, 1, 24.2249541349993 },        { 10, 30, 1.5, 16.249138101927 },
        { 2, 100, 5, 2.5014781618194 },      { 0.5, 50, 1, 4.24716427334452 },       { 0.5, 1e4, 3, 4.56278791584813 },
        { 100, 30, 1, 115.731775389875 },    { 100, 10, 7, 6.60826764557972 },       { 5, 0.01, 1, 3.74998250009375e-5 },
        { 1e6, 2, 3, 1.99992000796156 },     { 1e4, 0.1, 900, 0.00307153172778524 }, { 3, 5, 900, 0.00516402004646173 }
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        Noise noise = { STUDENT_NOISE, 1, known[i][0], known[i][1] };
        assert_true(fabs(renyi_over_order(&noise, known[i][2]) / known[i][3] - 1) < 1e-11);
    }
}

/* Sums over the whole numbers and over a fine grid. */
static void test_other_divergences(void **state) {
    (void)state;
    for (double order = 1; order < 40; order = order * 1.7 + 0.1) {
        for (double shift = 1; shift < 60; shift = floor(shift * 2.3) + 1) {
            Noise noise = { DISCRETE_LAPLACE_NOISE, 3, 0, shift };
            double sum = 0, share = tanh(1 / 6.0);
            for (double k = -1000; k <= 1100; k++) {
                double there = -fabs(k - shift) / 3, here = -fabs(k) / 3;
                sum += share * exp(there + (order - 1) * (there - here)) * (order == 1 ? there - here : 1);
            }
            double value = (order == 1 ? sum : log(sum) / (order - 1)) / order;
            assert_true(fabs(renyi_over_order(&noise, order) / value - 1) < 1e-9);
            Noise smooth = { LOGISTIC_NOISE, 1, 0, shift / 7 };
            sum = 0;
            for (double x = -80; x < 100; x += 0.01) {
                double d = smooth.shift, there = -(x - d) - 2 * log1p(exp(-(x - d))), here = -x - 2 * log1p(exp(-x));
                sum += 0.01 * exp(there + (order - 1) * (there - here)) * (order == 1 ? there - here : 1);
            }
            value = (order == 1 ? sum : log(sum) / (order - 1)) / order;
            assert_true(fabs(renyi_over_order(&smooth, order) / value - 1) < 1e-9);
        }
    }
}

/* Between the guarantees of one noise: pure ε bounds all others; a μ bounds δ at every ε and the area under the curve (Dong, Roth & Su
 * 2022); the divergence bounds the advantage (Pinsker). None is NaN, and none falls as the shift grows. */
typedef struct {
    double zcdp, mu, one, two;
} Guarantees;
static void consistent(Noise noise, Guarantees *smaller) {
    double epsilon = noise_epsilon(&noise), zcdp = noise_zcdp(&noise), mu = noise_gdp(&noise), advantage = noise_advantage(&noise);
    double one = noise_auc_one_release(&noise), two = noise_auc(&noise);
    const char *what = "family %d df %g scale %g shift %g: %s";
#define HOLDS(condition)                                                                                                                   \
    if (!(condition)) fail_msg(what, noise.family, noise.df, noise.scale, noise.shift, #condition)
    HOLDS(zcdp > 0 && zcdp <= epsilon * (1 + 1e-9) && zcdp <= epsilon * epsilon / 2 * (1 + 1e-9));
    HOLDS(mu > 0 && (isinf(epsilon) || mu <= pure_gdp(epsilon) * (1 + 1e-6) + 1e-12));
    HOLDS(advantage > 0 && advantage <= 1 && advantage <= sqrt(zcdp / 2) * (1 + 1e-9));
    HOLDS(one >= 0.5 && one <= 1 && one <= normal_lower(mu / sqrt(2)) + 1e-9);
    HOLDS(two >= 0.5 && two <= 1);
    for (int i = 0; i <= 20; i++) {
        double at = (isfinite(epsilon) ? epsilon : mu * (6 + mu)) * i / 20, delta = noise_delta(&noise, at);
        HOLDS(delta >= 0 && delta <= 1 && delta <= gaussian_delta(mu, at) * (1 + 1e-6) + 1e-13);
    }
    HOLDS(zcdp >= smaller->zcdp * (1 - 1e-9) && mu >= smaller->mu * (1 - 1e-9) && one >= smaller->one - 1e-9 && two >= smaller->two - 1e-5);
    *smaller = (Guarantees){ zcdp, mu, one, two };
#undef HOLDS
}

static void test_consistent(void **state) {
    (void)state;
    static const double df[] = { 0.05, 0.5, 3, 30, 1e4, 1e8 };
    for (int law = 0; law < 13; law++) {
        Guarantees before = { 0 };
        for (double d = 1e-9; d < (law < 6 ? 2e9 : 2e6); d *= law < 6 ? 91.7 : 5.3) {
            Noise noise = law < 6    ? (Noise){ STUDENT_NOISE, 2, df[law], 2 * d }
                          : law == 6 ? (Noise){ LOGISTIC_NOISE, 0.3, 0, 0.3 * d }
                          : law == 7 ? (Noise){ LAPLACE_NOISE, 5, 0, 5 * d }
                          : law == 8 ? (Noise){ GAUSSIAN_NOISE, 5, 0, 5 * d }
                          : law < 11 ? (Noise){ DISCRETE_LAPLACE_NOISE, law == 9 ? 0.7 : 40, 0, ceil((law == 9 ? 0.7 : 40) * d) }
                                     : (Noise){ DISCRETE_GAUSSIAN_NOISE, law == 11 ? 1.3 : 90, 0, ceil((law == 11 ? 1.3 : 90) * d) };
            consistent(noise, &before);
        }
    }
}

/* The scale that a guarantee asks for gives it, and a scale a millionth smaller does not. */
static void test_scales(void **state) {
    (void)state;
    static const double wanted[] = { 0.3, 76, 2000 };
    for (int i = 0; i < 3; i++)
        for (int law = 0; law < 6; law++) {
            Noise noise = law < 3    ? (Noise){ STUDENT_NOISE, 1, law ? law == 1 ? 7 : 1e8 : 1, 3 }
                          : law == 3 ? (Noise){ LOGISTIC_NOISE, 1, 0, 3 }
                          : law == 4 ? (Noise){ DISCRETE_LAPLACE_NOISE, 1, 0, 1e12 }
                                     : (Noise){ LAPLACE_NOISE, 1, 0, 3 };
            NoisePromise *promises[] = { noise_epsilon, noise_zcdp, noise_gdp };
            for (int p = 0; p < 3; p++) {
                if (p == 2 && wanted[i] > 100) continue;
                assert_int_equal(noise_scale_for(&noise, promises[p], wanted[i], NULL), OK);
                double now = promises[p](&noise);
                assert_true(now <= wanted[i] && (now >= wanted[i] * (1 - 1e-6) || noise.scale < 1e-60));
                Noise less = noise;
                less.scale *= 1 - 1e-5;
                assert_true(promises[p](&less) > wanted[i] || noise.scale < 1e-60);
            }
        }
}

/* ln P(X ≥ from) of the discrete Gaussian where it is far below the smallest double, by sums of long doubles relative to the first term, on
 * both sides of every scale at which another way is taken. */
static void test_far_tails(void **state) {
    (void)state;
    static const double sigmas[] = { 0.7, 1, 3, 7.5, 8, 8.5, 20, 40, 63.5 };
    for (size_t i = 0; i < sizeof sigmas / sizeof *sigmas; i++)
        for (int64_t from = (int64_t)(40 * sigmas[i]); from < 2000 * sigmas[i]; from = from * 3 + 1) {
            const Noise noise = { .family = DISCRETE_GAUSSIAN_NOISE, .scale = sigmas[i] };
            const long double two = 2 * (long double)sigmas[i] * sigmas[i];
            long double tail = 0, total = 1;
            for (int64_t k = 0; k < 60 * sigmas[i] + 60; k++) tail += expl(-(long double)k * (2 * (long double)from + k) / two);
            for (int64_t k = 1; k < 60 * sigmas[i] + 60; k++) total += 2 * expl(-(long double)k * k / two);
            long double exact = -(long double)from * from / two + logl(tail / total);
            assert_true(exact < -650);
            assert_true(fabsl(discrete_log_tail(&noise, from) / exact - 1) < 1e-13L);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_student_divergences), cmocka_unit_test(test_other_divergences),
                                        cmocka_unit_test(test_consistent), cmocka_unit_test(test_scales),
                                        cmocka_unit_test(test_far_tails) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
