/* The elementary functions against the C library's long double ones, at their edges, and where they are exact. */
#include "testing.h"
#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"

static uint64_t state_of = 88172645463325252u;
static double draw(double low, double high) {
    state_of ^= state_of << 13, state_of ^= state_of >> 7, state_of ^= state_of << 17;
    return low + (high - low) * ((double)(state_of >> 11) * 0x1p-53);
}
static double unit_of(double v) { return nextafter(fabs(v), INFINITY) - fabs(v); }

typedef struct {
    const char *name;
    double (*ours)(double);
    long double (*theirs)(long double);
    double low, high, most;
} Case;
static const Case cases[] = {
    { "exp", fixed_exp, expl, -700, 700, 0.51 },
    { "exp", fixed_exp, expl, -1, 1, 0.51 },
    { "exp2", fixed_exp2, exp2l, -1000, 1000, 0.51 },
    { "expm1", fixed_expm1, expm1l, -1, 1, 0.51 },
    { "expm1", fixed_expm1, expm1l, -0.003, 0.003, 0.51 },
    { "expm1", fixed_expm1, expm1l, -30, 600, 0.51 },
    { "log", fixed_log, logl, 0.5, 2, 0.51 },
    { "log", fixed_log, logl, 1e-300, 1e-290, 0.51 },
    { "log", fixed_log, logl, 0.99, 1.01, 0.51 },
    { "log1p", fixed_log1p, log1pl, -0.9, 1, 0.51 },
    { "log1p", fixed_log1p, log1pl, -1e-5, 1e-5, 0.51 },
    { "log2", fixed_log2, log2l, 0.001, 100, 0.51 },
    { "log10", fixed_log10, log10l, 0.001, 100, 0.51 },
    { "cbrt", fixed_cbrt, cbrtl, -1000, 1000, 0.51 },
    { "sin", fixed_sin, sinl, -3.2, 3.2, 0.7 },
    { "sin", fixed_sin, sinl, -1e6, 1e6, 0.7 },
    { "sin", fixed_sin, sinl, 1e6, 1e9, 0.7 },
    { "sin", fixed_sin, sinl, -1e18, 1e18, 0.7 },
    { "cos", fixed_cos, cosl, -3.2, 3.2, 0.7 },
    { "cos", fixed_cos, cosl, -1e9, 1e9, 0.7 },
    { "tan", fixed_tan, tanl, -3.2, 3.2, 2.2 },
    { "atan", fixed_atan, atanl, -3, 3, 0.51 },
    { "atan", fixed_atan, atanl, -1e3, 1e3, 0.51 },
    { "asin", fixed_asin, asinl, -1, 1, 2 },
    { "acos", fixed_acos, acosl, -1, 1, 2 },
    { "sinh", fixed_sinh, sinhl, -709, 709, 2 },
    { "cosh", fixed_cosh, coshl, -709, 709, 2 },
    { "tanh", fixed_tanh, tanhl, -3, 3, 0.51 },
    { "asinh", fixed_asinh, asinhl, -3, 3, 2 },
    { "asinh", fixed_asinh, asinhl, -1e10, 1e10, 2 },
    { "acosh", fixed_acosh, acoshl, 1, 9, 2 },
    { "atanh", fixed_atanh, atanhl, -1, 1, 2 },
};

static void near_the_truth(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int i = 0; i < 20000; i++) {
            double x = draw(cases[c].low, cases[c].high), saw = cases[c].ours(x);
            long double truth = cases[c].theirs((long double)x);
            double off = (double)fabsl((long double)saw - truth) / unit_of((double)truth);
            if (!(off <= cases[c].most)) fail_msg("%s(%a) is off by %g units", cases[c].name, x, off);
        }
}

static void two_arguments(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        double x = fixed_exp(draw(-20, 20)), y = draw(-30, 30), a = draw(-2, 2), b = draw(-2, 2);
        long double power = powl((long double)x, (long double)y), angle = atan2l((long double)b, (long double)a),
                    side = hypotl((long double)a, (long double)b);
        assert_true((double)fabsl((long double)fixed_pow(x, y) - power) <= 0.51 * unit_of((double)power));
        assert_true((double)fabsl((long double)fixed_atan2(b, a) - angle) <= 0.51 * unit_of((double)angle));
        assert_true((double)fabsl((long double)fixed_hypot(a, b) - side) <= 1.5 * unit_of((double)side));
    }
}

static void exact_where_it_can_be(void **state) {
    (void)state;
    double ten = 1;
    for (int k = 0; k <= 22; k++, ten *= 10) assert_true(fixed_pow(10, k) == ten && fixed_log10(ten) == k);
    for (int k = -1074; k < 1024; k++)
        assert_true(fixed_exp2(k) == ldexp(1, k) && fixed_log2(ldexp(1, k)) == k && fixed_pow(2, k) == ldexp(1, k));
    for (int k = 1; k < 200; k++)
        assert_true(fixed_cbrt((double)k * k * k) == k && fixed_pow(k, 3) == (double)k * k * k && fixed_pow(-k, 3) == -(double)k * k * k);
    assert_true(fixed_sin(1e22) == -0.8522008497671888 &&
                fixed_cos(1.7e308) == 0.803536056087918); /* known answers (Ng 1992 for the first) */
}

/* Signs of zero, infinities and NaN as C17 Annex F has them: as the C library's own give. */
static bool alike(double a, double b) { return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)); }
static void edges(void **state) {
    (void)state;
    const double odd[] = { 0.0,  -0.0, INFINITY, -INFINITY, NAN,      1,       -1,       2,         -2,     0.5,
                           -0.5, 3,    -3,       DBL_MAX,   -DBL_MAX, DBL_MIN, 4.9e-324, -4.9e-324, 0x1p53, 1e-300 };
    enum { COUNT = sizeof odd / sizeof *odd };
    static const struct {
        const char *name;
        double (*ours)(double), (*theirs)(double);
    } pairs[] = { { "exp", fixed_exp, (exp) },       { "exp2", fixed_exp2, (exp2) },    { "expm1", fixed_expm1, (expm1) },
                  { "log", fixed_log, (log) },       { "log1p", fixed_log1p, (log1p) }, { "log2", fixed_log2, (log2) },
                  { "log10", fixed_log10, (log10) }, { "cbrt", fixed_cbrt, (cbrt) },    { "sin", fixed_sin, (sin) },
                  { "atan", fixed_atan, (atan) },    { "asin", fixed_asin, (asin) },    { "acos", fixed_acos, (acos) },
                  { "sinh", fixed_sinh, (sinh) },    { "cosh", fixed_cosh, (cosh) },    { "tanh", fixed_tanh, (tanh) },
                  { "asinh", fixed_asinh, (asinh) }, { "acosh", fixed_acosh, (acosh) }, { "atanh", fixed_atanh, (atanh) } };
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int i = 0; i < COUNT; i++) {
            double a = pairs[p].ours(odd[i]), b = pairs[p].theirs(odd[i]);
            if (!alike(a, b) && !(fabs(a - b) <= 2 * unit_of(b))) fail_msg("%s(%g) is %a, not %a", pairs[p].name, odd[i], a, b);
            if (b == 0 || isinf(b)) assert_true(alike(a, b));
        }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            double a = fixed_pow(odd[i], odd[j]), b = (pow)(odd[i], odd[j]), c = fixed_atan2(odd[i], odd[j]), d = (atan2)(odd[i], odd[j]);
            if (!alike(a, b) && !(fabs(a - b) <= unit_of(b) && !isinf(b))) fail_msg("pow(%g, %g) is %a, not %a", odd[i], odd[j], a, b);
            if (!alike(c, d) && !(fabs(c - d) <= unit_of(d))) fail_msg("atan2(%g, %g) is %a, not %a", odd[i], odd[j], c, d);
            assert_true(alike(fixed_hypot(odd[i], odd[j]), (hypot)(odd[i], odd[j])) ||
                        fabs(fixed_hypot(odd[i], odd[j]) / (hypot)(odd[i], odd[j]) - 1) < 4e-16);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(near_the_truth), cmocka_unit_test(two_arguments),
                                        cmocka_unit_test(exact_where_it_can_be), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
