/* Exact sums: the same bits in any order; against whole numbers, GMP's rationals, and what is known of rounding. */
#include "testing.h"
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/exact_integer.h"

static uint64_t state = 7;
static uint64_t word(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545F4914F6CDD1D);
}

/* Any finite double: every exponent alike, subnormals too. `narrow`: exponents near 0. */
static double any(int narrow) {
    double x;
    uint64_t bits;
    do {
        bits = word();
        if (narrow) bits = (bits & ~(UINT64_C(2047) << 52)) | (UINT64_C(1023) - 20 + (bits >> 32) % 40) << 52;
        memcpy(&x, &bits, 8);
    } while (!isfinite(x));
    return x;
}

static void shuffle(double *x, int n) {
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(word() % (uint64_t)(i + 1));
        double kept = x[i];
        x[i] = x[j];
        x[j] = kept;
    }
}

/* The double nearest to a rational, by trying both neighbours of GMP's, which cuts. */
static double nearest(const mpq_t q) {
    double cut = mpq_get_d(q), away = nextafter(cut, mpq_sgn(q) < 0 ? -INFINITY : INFINITY);
    mpq_t a, b;
    if (mpq_sgn(q) == 0 || !isfinite(away)) return cut;
    mpq_inits(a, b, NULL);
    mpq_set_d(a, cut);
    mpq_set_d(b, away);
    mpq_sub(a, q, a);
    mpq_sub(b, b, q);
    mpq_abs(a, a);
    mpq_abs(b, b);
    int order = mpq_cmp(a, b);
    uint64_t bits;
    memcpy(&bits, &cut, 8);
    double answer = order < 0 || (order == 0 && !(bits & 1)) ? cut : away;
    mpq_clears(a, b, NULL);
    return answer;
}

/* Whole numbers of up to 300 bits, of either sign, come back as GMP adds them up, however they were cut. */
static void test_integers(void **unused) {
    (void)unused;
    for (int round = 0; round < 300; round++) {
        ExactSum part[3] = { 0 };
        mpz_t sum, value, read;
        mpz_inits(sum, value, read, NULL);
        for (int i = 0; i < 40; i++) {
            mpz_set_ui(value, 0);
            for (uint64_t words = word() % 6; words > 0; words--) {
                mpz_mul_2exp(value, value, 50);
                mpz_add_ui(value, value, word() >> 14);
            }
            if (word() & 1) mpz_neg(value, value);
            mpz_add(sum, sum, value);
            exact_sum_add_integer(&part[word() % 3], value);
        }
        exact_sum_merge(&part[0], &part[2]);
        exact_sum_merge(&part[1], &part[0]);
        exact_integer(&part[1], read);
        assert_int_equal(mpz_cmp(sum, read), 0);
        mpz_clears(sum, value, read, NULL);
    }
}

static void test_any_order(void **unused) {
    (void)unused;
    enum { N = 200 };
    double x[N];
    for (int round = 0; round < 300; round++) {
        ExactSum whole = { 0 }, parts[3] = { { { 0 }, 0, 0 } };
        mpq_t sum, one;
        mpq_inits(sum, one, NULL);
        for (int i = 0; i < N; i++) {
            x[i] = any(round % 2);
            if (i % 3 == 2) x[i] = -x[i - 1]; /* much cancels */
            exact_sum_add(&whole, x[i]);
            mpq_set_d(one, x[i]);
            mpq_add(sum, sum, one);
        }
        shuffle(x, N);
        for (int i = 0; i < N; i++) exact_sum_add(&parts[word() % 3], x[i]);
        exact_sum_merge(&parts[2], &parts[0]);
        exact_sum_merge(&parts[2], &parts[1]);
        exact_sum_normalize(&whole);
        assert_memory_equal(whole.digit, parts[2].digit, sizeof whole.digit);
        double seen = exact_sum_real(&whole), wanted = nearest(sum);
        if (fabs(wanted) < 1.7e308) assert_memory_equal(&seen, &wanted, 8);
        mpq_clears(sum, one, NULL);
    }
}

/* So many times is that many additions, up to the largest numbers and counts. */
static void test_times(void **unused) {
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        ExactSum at_once = { 0 }, one_by_one = { 0 }, product = { 0 };
        double x = any(round % 2), y = any(1), seen, wanted;
        int64_t times = (int64_t)(word() % (round % 3 ? 5 : 3000));
        for (int64_t i = 0; i < times; i++) {
            exact_sum_add(&one_by_one, x);
            exact_sum_add_product(&product, x, y);
        }
        exact_sum_add_times(&at_once, x, times);
        exact_sum_normalize(&at_once);
        exact_sum_normalize(&one_by_one);
        assert_memory_equal(&at_once, &one_by_one, sizeof at_once);
        memset(&at_once, 0, sizeof at_once);
        exact_sum_add_product_times(&at_once, x, y, times);
        exact_sum_normalize(&at_once);
        exact_sum_normalize(&product);
        assert_memory_equal(&at_once, &product, sizeof at_once);
        memset(&at_once, 0, sizeof at_once);
        times = (int64_t)(word() >> 1) + 1 - (word() & 1); /* to 2^63 − 1 */
        exact_sum_add_times(&at_once, x, times > 0 ? times : 1);
        seen = exact_mean(&at_once, times > 0 ? times : 1);
        wanted = x;
        assert_memory_equal(&seen, &wanted, 8);
    }
}

static void test_moments(void **unused) {
    (void)unused;
    for (int round = 0; round < 500; round++) {
        ExactSum x = { 0 }, y = { 0 }, xy = { 0 };
        mpq_t sx, sy, sxy, a, b, n;
        int count = 2 + (int)(word() % 60);
        mpq_inits(sx, sy, sxy, a, b, n, NULL);
        double far = round % 3 ? 0 : 1e9; /* a mean that drowns the variance in plain sums */
        for (int i = 0; i < count; i++) {
            double u = far + any(1), v = any(1);
            exact_sum_add(&x, u);
            exact_sum_add(&y, v);
            exact_sum_add_product(&xy, u, v);
            mpq_set_d(a, u);
            mpq_set_d(b, v);
            mpq_add(sx, sx, a);
            mpq_add(sy, sy, b);
            mpq_mul(a, a, b);
            mpq_add(sxy, sxy, a);
        }
        mpq_set_si(n, count, 1);
        mpq_div(a, sx, n);
        double seen = exact_mean(&x, count), wanted = nearest(a);
        assert_memory_equal(&seen, &wanted, 8);
        mpq_mul(a, a, sy);
        mpq_sub(a, sxy, a);
        mpq_set_si(n, count - 1, 1);
        mpq_div(a, a, n);
        seen = exact_covariance(&xy, &x, &y, count);
        wanted = nearest(a);
        assert_memory_equal(&seen, &wanted, 8);
        mpq_clears(sx, sy, sxy, a, b, n, NULL);
    }
    ExactSum none = { 0 };
    assert_true(isnan(exact_mean(&none, 0)) && isnan(exact_covariance(&none, &none, &none, 1)));
}

static void test_weights(void **unused) {
    (void)unused;
    WeightSum sum = 0, one;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(weight_sum(0.1, &one, NULL), OK);
        sum += one;
    }
    assert_true(weight_real(sum) == 1); /* ten times the double 0.1 is nearest to 1; added one by one they fall short */
    for (int i = 0; i < 100000; i++) {
        double x = any(1);
        assert_int_equal(weight_sum(x, &one, NULL), OK);
        if (fabs(x) >= 0x1p-11) assert_true(weight_real(one) == x);
        else assert_true(fabs(weight_real(one) - x) <= 0x1p-65);
        assert_int_equal(weight_sum(-x, &sum, NULL), OK);
        if (fabs(x) >= 0x1p-11) assert_true(sum == -one);
    }
    assert_int_equal(weight_sum(0x1p62, &one, NULL), BAD);
    assert_int_equal(weight_sum(NAN, &one, NULL), BAD);
    assert_int_equal(weight_sum(-INFINITY, &one, NULL), BAD);
}

static void test_too_large(void **unused) {
    (void)unused;
    ExactSum sum = { 0 };
    exact_sum_add_product(&sum, 1e200, 1e200);
    assert_true(isnan(exact_sum_real(&sum)));
    ExactSum inf = { 0 };
    exact_sum_add(&inf, INFINITY);
    assert_true(isnan(exact_sum_real(&inf)));
}

/* Many products at a time are the same digits as one by one: of all sizes, with zeros, subnormal ones and such as no double holds. */
static void test_products_at_a_time(void **state) {
    (void)state;
    enum { MANY = 2500 };
    static double a[MANY], b[MANY];
    for (int round = 0; round < 20; round++) {
        ExactSum one = { { 0 }, 0, 0 }, all = one;
        for (int i = 0; i < MANY; i++) {
            a[i] = ldexp((double)(rand() - (1 << 29)), rand() % (round < 10 ? 20 : 1200) - 600 * (round > 9));
            b[i] = rand() % 9 ? ldexp((double)rand(), -rand() % 40) : 0;
            if (round == 19 && i % 500 == 7) a[i] = b[i] = 1e300;
            exact_sum_add_product(&one, a[i], b[i]);
        }
        exact_sum_add_products(&all, a, b, MANY);
        exact_sum_normalize(&one);
        exact_sum_normalize(&all);
        assert_memory_equal(one.digit, all.digit, sizeof one.digit);
        assert_int_equal(one.infinite, all.infinite);
    }
}

/* Sums and sums of squares of many values, each some times: the same digits as one by one, in and out of order, where squares leave the
 * range of a double, too. */
static void test_powers_at_a_time(void **unused) {
    (void)unused;
    enum { MANY = 3000 };
    static double x[MANY];
    static int64_t times[MANY];
    uint64_t state = 9;
    for (int round = 0; round < 40; round++) {
        ExactSum each[2] = { { { 0 }, 0, 0 } }, all[2] = { { { 0 }, 0, 0 } };
        for (int i = 0; i < MANY; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            double size = ldexp(1 + (double)(state >> 12) * 0x1p-52, round % 4 == 3 ? (int)(state % 1400) - 700 : i / 200);
            x[i] = i % 500 == 3 ? 0 : round % 2 ? size : i < MANY / 2 ? -size : size;
            times[i] = i % 7 && round % 5 < 4 ? 1 : (int64_t)(state >> (round % 5 == 4 ? 2 : round % 3 ? 40 : 20)); /* up to 2^62 */
            exact_sum_add_times(&each[0], x[i], times[i]);
            exact_sum_add_product_times(&each[1], x[i], x[i], times[i]);
        }
        exact_sum_add_powers(&all[0], &all[1], x, times, MANY);
        for (int k = 0; k < 2; k++) {
            exact_sum_normalize(&each[k]);
            exact_sum_normalize(&all[k]);
            assert_memory_equal(each[k].digit, all[k].digit, sizeof each[k].digit);
            assert_int_equal(each[k].infinite, all[k].infinite);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_powers_at_a_time),
                                        cmocka_unit_test(test_products_at_a_time),
                                        cmocka_unit_test(test_integers),
                                        cmocka_unit_test(test_any_order),
                                        cmocka_unit_test(test_times),
                                        cmocka_unit_test(test_moments),
                                        cmocka_unit_test(test_weights),
                                        cmocka_unit_test(test_too_large) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
