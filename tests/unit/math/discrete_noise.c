/* Exact samplers: known words give known draws, undecided digits go on, a fork shares nothing. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "draws.h"
#include "testing.h"
#include "math/discrete_noise.h"

static Error error;
static uint64_t words[4096];

/* SplitMix64 from 42: the words behind the expected draws, which a separate program computed with fractions. */
static void make_words(void) {
    uint64_t x = 42;
    for (int i = 0; i < 4096; i++) words[i] = draw_word(&x);
}

static void laplace_is(uint64_t num, uint64_t den, const int64_t *expected, size_t used) {
    RandomBits bits;
    assert_int_equal(random_bits_open_known(&bits, words, 4096, &error), OK);
    for (int i = 0; i < 12; i++) {
        Wide x;
        assert_int_equal(draw_discrete_laplace(&bits, num, den, &x), OK);
        assert_true(x == expected[i]);
    }
    assert_int_equal(4096 - bits.known_count, used);
    random_bits_close(&bits);
}

static void gaussian_is(unsigned power, unsigned long times, const int64_t *expected, size_t used) {
    RandomBits bits;
    DiscreteGaussian g;
    mpz_t variance;
    mpz_init_set_ui(variance, times);
    mpz_mul_2exp(variance, variance, power);
    assert_int_equal(random_bits_open_known(&bits, words, 4096, &error), OK);
    assert_int_equal(discrete_gaussian_open(&g, variance, &error), OK);
    for (int i = 0; i < 12; i++) {
        Wide x;
        assert_int_equal(draw_discrete_gaussian(&bits, &g, &x), OK);
        assert_true(x == expected[i]);
    }
    assert_int_equal(4096 - bits.known_count, used);
    discrete_gaussian_close(&g);
    random_bits_close(&bits);
    mpz_clear(variance);
}

static void known_words(void **state) {
    (void)state;
    make_words();
    laplace_is(10, 1, (int64_t[]){ -47, -16, 6, -6, 1, -10, 10, -3, -8, 23, -2, -22 }, 104);
    laplace_is(7, 2, (int64_t[]){ -16, -5, 2, -2, 0, -3, 3, -1, -3, 8, -2, 7 }, 104);
    laplace_is(INT64_C(1) << 31, 1,
               (int64_t[]){ -10182433043, -3575902606, -156881774, 159259129, -1686847244, -1696315088, 341567818, -56001410, -1193925741,
                            3485720601, -1926152754, -4977114254 },
               85);
    gaussian_is(0, 100, (int64_t[]){ -8, 8, -7, -8, 0, -6, -11, 9, -1, 1, -6, 7 }, 151);
    gaussian_is(60, 1,
                (int64_t[]){ -665525621, 745367495, -170783909, -345091269, 28000705, -939674027, -348919099, 957283300, -175966684,
                             193077872, -681205414, 1717623257 },
                156);
}

/* 1/3 = 0.0101…₂: a word of exactly those digits decides nothing, and the next one does. */
static void undecided_digits(void **state) {
    (void)state;
    uint64_t third = UINT64_C(0x5555555555555555);
    uint64_t low[] = { third, third, third - 1 }, high[] = { third, third, third + 1 };
    RandomBits bits;
    mpz_t one, three;
    mpz_init_set_ui(one, 1);
    mpz_init_set_ui(three, 3);
    assert_int_equal(random_bits_open_known(&bits, low, 3, &error), OK);
    assert_true(draw_bernoulli(&bits, one, three));
    assert_int_equal(bits.known_count, 0);
    random_bits_close(&bits);
    assert_int_equal(random_bits_open_known(&bits, high, 3, &error), OK);
    assert_false(draw_bernoulli(&bits, one, three));
    random_bits_close(&bits);
    /* e^(−1/3): the coin of (1/3)/1 is undecided, then fails: k = 1 is odd, true; then one that succeeds and (1/3)/2 fails: k = 2, false */
    uint64_t fails[] = { third, third + 1 }, succeeds[] = { third, third - 1, UINT64_MAX };
    assert_int_equal(random_bits_open_known(&bits, fails, 2, &error), OK);
    assert_true(draw_bernoulli_exp(&bits, one, three));
    random_bits_close(&bits);
    assert_int_equal(random_bits_open_known(&bits, succeeds, 3, &error), OK);
    assert_false(draw_bernoulli_exp(&bits, one, three));
    assert_int_equal(bits.status, OK);
    random_bits_close(&bits);
    mpz_clear(one);
    mpz_clear(three);
}

static void runs_out(void **state) {
    (void)state;
    RandomBits bits;
    Wide x;
    assert_int_equal(random_bits_open_known(&bits, words, 2, &error), OK);
    Status status = OK;
    for (int i = 0; i < 5 && !status; i++) status = draw_discrete_laplace(&bits, 1000, 1, &x);
    assert_int_equal(status, FAILED);
    random_bits_close(&bits);
    mpz_t variance;
    DiscreteGaussian g;
    mpz_init(variance);
    assert_int_equal(discrete_gaussian_open(&g, variance, &error), FAILED);
    discrete_gaussian_close(&g);
    mpz_clear(variance);
}

/* After a fork both sides hold half a page: the child's is wiped, and it draws its own. */
static void fork_shares_nothing(void **state) {
    (void)state;
    RandomBits bits;
    uint64_t own[64], other[64];
    int ends[2], outcome;
    assert_int_equal(random_bits_open(&bits, &error), OK);
    bits_word(&bits);
    bits_coin(&bits);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    for (int i = 0; i < 64; i++) own[i] = i == 0 ? bits_coin(&bits) : bits_word(&bits);
    if (!child) _exit(write(ends[1], own, sizeof own) == (ssize_t)sizeof own ? 0 : 1);
    assert_int_equal(read(ends[0], other, sizeof other), sizeof other);
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_int_equal(outcome, 0);
    for (int i = 1; i < 64; i++) assert_true(own[i] != other[i]);
    close(ends[0]);
    close(ends[1]);
    random_bits_close(&bits);
}

static void below_is_fair(void **state) {
    (void)state;
    /* n = 3: 2⁶⁴ mod 3 = 1, so the word 0 (low half 0 < 1) is thrown away */
    uint64_t list[] = { 0, UINT64_MAX };
    RandomBits bits;
    assert_int_equal(random_bits_open_known(&bits, list, 2, &error), OK);
    assert_int_equal(bits_below(&bits, 3), 2);
    assert_int_equal(bits.known_count, 0);
    random_bits_close(&bits);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_words), cmocka_unit_test(undecided_digits), cmocka_unit_test(runs_out),
                                        cmocka_unit_test(fork_shares_nothing), cmocka_unit_test(below_is_fair) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
