/* The special functions against values of 18 digits (tests/known/special_values.h), then what must hold at every argument, then arguments
 * outside the domain. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "draws.h"
#include "math/special/beta.h"
#include "math/special/gamma.h"
#include "math/special/log_gamma.h"
#include "math/special/normal.h"
#include "math/special/student.h"
#include "testing.h"

typedef struct {
    const char *name;
    double x[4], value;
} Known;
static const Known known[] = {
#include "known/special_values.h"
};

static double gamma_lower(double shape, double x) { return gamma_tails(shape, x).lower; }
static double gamma_upper(double shape, double x) { return gamma_tails(shape, x).upper; }
static double beta_lower(double a, double b, double x) { return beta_tails(a, b, x, 1 - x).lower; }
static double beta_upper(double a, double b, double x) { return beta_tails(a, b, x, 1 - x).upper; }
static double binomial_log(double k, double rest, double p) { return log_binomial_term(k, rest, p, 1 - p); }

typedef struct {
    const char *name;
    double (*one)(double), (*two)(double, double), (*three)(double, double, double), (*four)(double, double, double, double);
    double most;  /* error over the value */
    double floor; /* values smaller than this count as this: logarithms near 0, differences near a zero of ψ */
} Function;
static const Function functions[] = {
    { "normal_upper", normal_upper, .most = 1e-15 },
    { "normal_centre", normal_centre, .most = 1e-15 },
    { "normal_log_upper", normal_log_upper, .most = 1e-15 },
    { "normal_quantile", normal_quantile, .most = 1e-15 },
    { "normal_log_upper_quantile", normal_log_upper_quantile, .most = 1e-15 },
    { "log_gamma", log_gamma, .most = 1e-15 },
    { "digamma", digamma, .most = 1e-13 },
    { "trigamma", trigamma, .most = 1e-13 },
    { "log_minus_digamma", log_minus_digamma, .most = 1e-13 },
    { "log_gamma_difference", .two = log_gamma_difference, .most = 1e-13 },
    { "digamma_difference", .two = digamma_difference, .most = 1e-13 },
    { "trigamma_difference", .two = trigamma_difference, .most = 1e-13 },
    { "log_choose", .two = log_choose, .most = 1e-13 },
    { "log_poisson_term", .two = log_poisson_term, .most = 1e-15, .floor = 1000 },
    { "log_binomial_term", .three = binomial_log, .most = 1e-15, .floor = 1000 },
    { "log_hypergeometric_term", .four = log_hypergeometric_term, .most = 1e-15, .floor = 1000 },
    { "log_beta_binomial_term", .four = log_beta_binomial_term, .most = 2e-15, .floor = 1000 },
    { "gamma_lower", .two = gamma_lower, .most = 1e-12 },
    { "gamma_upper", .two = gamma_upper, .most = 1e-12 },
    { "beta_lower", .three = beta_lower, .most = 1e-12 },
    { "beta_upper", .three = beta_upper, .most = 1e-12 },
    { "student_upper", .two = student_upper, .most = 1e-12 },
    { "student_log_upper", .two = student_log_upper, .most = 1e-12, .floor = 1e-280 },
    { "student_characteristic", .two = student_characteristic, .most = 1e-12 },
};

static double call(const Function *f, const double *x) {
    return f->one ? f->one(x[0]) : f->two ? f->two(x[0], x[1]) : f->three ? f->three(x[0], x[1], x[2]) : f->four(x[0], x[1], x[2], x[3]);
}

static void test_known(void **state) {
    (void)state;
    size_t held = 0;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        double worst = 0;
        int seen = 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcmp(known[i].name, functions[f].name)) continue;
            double got = call(&functions[f], known[i].x),
                   error = fabs(got - known[i].value) / fmax(fabs(known[i].value), fmax(functions[f].floor, 1e-300));
            if (!(error <= functions[f].most))
                fail_msg("%s(%.17g, %.17g, %.17g, %.17g) is %.17g, not %.17g", known[i].name, known[i].x[0], known[i].x[1], known[i].x[2],
                         known[i].x[3], got, known[i].value);
            worst = fmax(worst, error);
            seen++;
        }
        assert_true(seen >= 10);
        held += (size_t)seen;
        printf("%-24s %3d values, error %.1e\n", functions[f].name, seen, worst);
    }
    assert_int_equal(held, sizeof known / sizeof *known);
}

static uint64_t random_state = 20261119;
static double uniform(void) { return ((double)(draw_word(&random_state) >> 11) + 0.5) * 0x1p-53; }
static double between(double low, double high) { return low + (high - low) * uniform(); } /* powers of ten: pow(10, between(…)) */

/* A probability, its complement, and whether the lower one is the small one. */
typedef struct {
    double lower, upper;
} Pair;
static Pair random_pair(double deepest) {
    double tail = uniform() < 0.5 ? uniform() / 2 : fmin(pow(10, between(deepest, -0.31)), 0.49);
    return uniform() < 0.5 ? (Pair){ tail, 1 - tail } : (Pair){ 1 - tail, tail };
}
static double small_of(Pair p) { return fmin(p.lower, p.upper); }

/* Every shape, every tail: finite, back to the probability, and rising. The probability's error is the quantile's times the density. */
static void test_gamma_quantiles(void **state) {
    (void)state;
    for (int i = 0; i < 4000; i++) {
        double shape = pow(10, between(-3, 9)), x = NAN, next = NAN, log_x = NAN;
        Pair p = random_pair(-300);
        assert_int_equal(gamma_quantile(shape, p.lower, p.upper, &x, NULL), OK);
        assert_int_equal(gamma_log_quantile(shape, p.lower, p.upper, &log_x, NULL), OK);
        assert_true(isfinite(x) && x >= 0 && isfinite(log_x));
        if (x > 1e-290) {
            assert_true(fabs(log(x) - log_x) <= 1e-13 + 4e-16 * fabs(log_x));
            Tails back = gamma_tails(shape, x);
            double slope = exp(log_poisson_term(shape, x)) * shape, small = small_of(p), got = p.lower < p.upper ? back.lower : back.upper;
            assert_true(fabs(got - small) <= 1e-12 * slope * fmax(1, fabs(log_x)) + 1e-12 * small);
            assert_true(fabs(back.lower + back.upper - 1) < 1e-14);
        }
        double more = small_of(p) * 1e-9;
        Pair up = p.lower < p.upper ? (Pair){ p.lower + more, p.upper - more } : (Pair){ p.lower + more, p.upper - more };
        assert_int_equal(gamma_quantile(shape, up.lower, up.upper, &next, NULL), OK);
        assert_true(next >= x);
    }
}

/* Where GSL's gave NaN or infinity: every one of the draws is a number, and their mean and variance are the law's. Five standard errors:
 * a false alarm once in 1.7 million. */
static void test_draws_of_small_and_large_shapes(void **state) {
    (void)state;
    const double shapes[] = { 0.001, 0.1, 1, 5e4, 1e6, 1e9 };
    for (int s = 0; s < 6; s++) {
        enum { N = 4000 };
        double sum = 0;
        for (int i = 0; i < N; i++) {
            double u = uniform(), x = NAN;
            assert_int_equal(gamma_quantile(shapes[s], u, 1 - u, &x, NULL), OK);
            assert_true(isfinite(x) && x >= 0);
            sum += x / shapes[s];
        }
        assert_true(fabs(sum / N - 1) < 5 / sqrt(N * shapes[s]));
    }
}

static void test_student_quantiles(void **state) {
    (void)state;
    for (int i = 0; i < 3000; i++) {
        double df = pow(10, between(-2, 18)), t = NAN, log_t = NAN;
        Pair p = random_pair(-300);
        Status status = student_quantile(df, p.lower, p.upper, &t, NULL);
        assert_int_equal(student_log_quantile(df, small_of(p), &log_t, NULL), OK);
        assert_true(isfinite(log_t));
        if (log_t > 709.7) {
            assert_int_equal(status, BAD);
            assert_true(isinf(t) && (t < 0) == (p.lower < p.upper));
            continue;
        }
        assert_int_equal(status, OK);
        assert_true(isfinite(t) && (t < 0) == (p.lower < p.upper));
        Tails back = student_tails(df, t);
        double got = t < 0 ? back.lower : back.upper;
        assert_true(fabs(got / small_of(p) - 1) < 1e-10); /* the logarithm's slope is df·ln t at most: a few hundred */
        assert_true(fabs(back.lower + back.upper - 1) < 1e-14);
    }
    double t = 1;
    assert_int_equal(student_quantile(7, 0.5, 0.5, &t, NULL), OK);
    assert_true(t == 0);
    assert_int_equal(student_quantile(1, 0.25, 0.75, &t, NULL), OK); /* Cauchy's quartile */
    assert_true(fabs(t + 1) < 1e-14);
    assert_int_equal(student_quantile(4, 0.975, 0.025, &t, NULL), OK);
    assert_true(fabs(t - 2.7764451051977987) < 1e-13);
}

/* Sums of probabilities, term by term. */
static void test_counts(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        double n = floor(between(1, 60)), p = uniform(), sum = 0, a = pow(10, between(-2, 3)), b = pow(10, between(-2, 3)), all = 0;
        for (double k = 0; k <= n; k++) {
            sum += exp(log_binomial_term(k, n - k, p, 1 - p));
            assert_true(fabs(binomial_tails(k, n, p).lower - sum) < 1e-12);
            all += exp(log_beta_binomial_term(k, n, a, b));
        }
        assert_true(fabs(sum - 1) < 1e-13 && fabs(all - 1) < 1e-12);
        double marked = floor(between(0, 40)), plain = floor(between(0, 40)), drawn = floor(between(0, marked + plain + 1)), every = 0;
        for (double k = 0; k <= drawn; k++) every += exp(log_hypergeometric_term(k, marked, plain, drawn));
        assert_true(fabs(every - 1) < 1e-12);
    }
    assert_true(fabs(chi_square_tails(2, 3).upper - exp(-1.5)) < 1e-15);
    double x, radius;
    assert_int_equal(chi_square_quantile(1, 0.95, 0.05, &x, NULL), OK);
    assert_true(fabs(x - 3.841458820694124) < 1e-13);
    for (double u = 1e-9; u < 1; u = u < 0.5 ? u * 3 : 1 - (1 - u) / 3) {
        if (u > 1 - 1e-9) break;
        assert_int_equal(planar_laplace_radius(0.01, u, &radius, NULL), OK);
        double r = 0.01 * radius;
        assert_true(fabs(-expm1(-r) - r * exp(-r) - u) < 1e-13 && radius > 0);
    }
}

static void test_symmetry(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double x = between(-40, 40), p = uniform();
        assert_true(normal_lower(x) == normal_upper(-x));
        assert_true(fabs(normal_lower(x) + normal_upper(x) - 1) < 3e-16);
        assert_true(normal_quantile(p) == -normal_upper_quantile(p));
        assert_true(fabs(normal_lower(normal_quantile(p)) / p - 1) < 1e-13);
        assert_true(normal_upper(x) >= normal_upper(x + 1e-9));
    }
    assert_true(normal_lower(0) == 0.5 && normal_centre(0) == 0 && normal_quantile(0.5) == 0);
    assert_true(normal_upper(INFINITY) == 0 && normal_lower(INFINITY) == 1 && normal_log_upper(INFINITY) == -INFINITY);
    assert_true(normal_quantile(0) == -INFINITY && normal_quantile(1) == INFINITY);
    assert_true(log_gamma(1) == 0 && log_gamma(2) == 0 && fabs(log_gamma(0.5) - 0.57236494292470008707) < 1e-16);
    assert_true(student_characteristic(3, 0) == 1 && fabs(student_characteristic(1, 2) - exp(-2)) < 1e-14); /* Cauchy's: e^−|u| */
}

static bool is_share(Tails t) { return t.lower >= 0 && t.lower <= 1 && t.upper >= 0 && t.upper <= 1; }

/* No NaN within the domain, its edges included: places drawn evenly in the logarithm. */
static double place(double low, double high) {
    const double at = uniform();
    return at < 0.04 ? pow(10, low) : at > 0.96 ? pow(10, high) : pow(10, between(low, high));
}
static void test_inside(void **state) {
    (void)state;
    for (int i = 0; i < 4000; i++) {
        double x = NAN, shape = place(-3, 9), df = place(-2, 18), tail = fmin(0.5, place(-300, -0.302)), a = place(-2.3, 15),
               b = place(-2.3, 15);
        const double lower = i % 2 ? tail : 1 - tail, upper = i % 2 ? 1 - tail : tail;
        assert_int_equal(gamma_quantile(shape, lower, upper, &x, NULL), OK);
        assert_true(x >= 0 && isfinite(x) && is_share(gamma_tails(shape, x)));
        assert_int_equal(gamma_log_quantile(shape, lower, upper, &x, NULL), OK);
        assert_true(isfinite(x));
        assert_true(student_quantile(df, lower, upper, &x, NULL) == OK ? isfinite(x) : isinf(x) && df < 1.2);
        assert_true(is_share(student_tails(df, place(-300, 300))));
        assert_true(isfinite(student_log_upper(df, place(-300, 300))));
        assert_true(is_share(gamma_tails(place(-3, 12), place(-300, 300))));
        x = uniform() < 0.5 ? uniform() : place(-300, 0);
        assert_true(is_share(beta_tails(a, b, x, 1 - x)));
        assert_true(is_share(binomial_tails(floor(uniform() * a), floor(a), x)));
        x = student_characteristic(place(-2, 12), place(-300, 300));
        assert_true(x >= 0 && x <= 1);
        assert_true(isfinite(normal_log_upper_quantile(-place(-299, 300))) && isfinite(normal_quantile(tail)));
        assert_true(normal_log_upper(place(-300, 300)) <= 0 && normal_log_upper(-place(-300, 300)) <= 0);
    }
}

/* A status outside the domain, and what was there stays. */
static void test_outside(void **state) {
    (void)state;
    Error error = ERROR_NONE;
    double x = 42;
    assert_int_equal(gamma_quantile(0, 0.5, 0.5, &x, &error), BAD);
    assert_int_equal(gamma_quantile(-1, 0.5, 0.5, &x, &error), BAD);
    assert_int_equal(gamma_quantile(NAN, 0.5, 0.5, &x, &error), BAD);
    assert_int_equal(gamma_quantile(2, 0.5, 0.6, &x, &error), BAD);
    assert_int_equal(gamma_quantile(2, -0.1, 1.1, &x, &error), BAD);
    assert_int_equal(gamma_quantile(2, NAN, 0.5, &x, &error), BAD);
    assert_int_equal(gamma_log_quantile(2, 0, 1, &x, &error), BAD);
    assert_int_equal(chi_square_quantile(0, 0.5, 0.5, &x, &error), BAD);
    assert_int_equal(student_quantile(0, 0.5, 0.5, &x, &error), BAD);
    assert_int_equal(student_quantile(1e19, 0.5, 0.5, &x, &error), BAD);
    assert_int_equal(student_quantile(3, 0.2, 0.2, &x, &error), BAD);
    assert_int_equal(student_log_quantile(3, 0.7, &x, &error), BAD);
    assert_int_equal(planar_laplace_radius(0, 0.5, &x, &error), BAD);
    assert_int_equal(planar_laplace_radius(1, 1, &x, &error), BAD);
    assert_true(x == 42);
    assert_int_equal(gamma_quantile(2, 0, 1, &x, &error), OK);
    assert_true(x == 0);
    assert_int_equal(gamma_quantile(2, 1, 0, &x, &error), OK);
    assert_true(isinf(x));
    assert_true(isnan(gamma_tails(0, 1).lower) && isnan(beta_tails(1, 0, .5, .5).upper) && isnan(student_tails(0, 1).upper));
    assert_true(isnan(normal_quantile(1.1)) && isnan(log_gamma(0)) && isnan(digamma(-1)) && isnan(log_gamma_difference(1, -2)));
    assert_true(log_choose(3, 4) == -INFINITY && log_binomial_term(1, 2, 0, 1) == -INFINITY && log_binomial_term(0, 2, 0, 1) == 0);
    assert_true(gamma_tails(2, -1).lower == 0 && gamma_tails(2, INFINITY).upper == 0 && binomial_tails(-1, 3, .5).lower == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_gamma_quantiles),
        cmocka_unit_test(test_draws_of_small_and_large_shapes),
        cmocka_unit_test(test_student_quantiles),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
