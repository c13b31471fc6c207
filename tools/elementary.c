/* Writes the tables behind base/elementary.c, computed in fixed point of 1,400 bits: the same wherever it is built. */
#include <gmp.h>
#include <math.h>
#include <stdio.h>

enum { POINT = 1400, EXP_STEPS = 128, LOG_FIRST = 88, LOG_LAST = 184, ATAN_STEPS = 16, TURN_WORDS = 20 };

/* The first `most` bits of a·2^-POINT as a double; a loses them. */
static double take_bits(mpz_t a, size_t most) {
    mpz_t high;
    mpz_init(high);
    size_t bits = mpz_sizeinbase(a, 2), drop = bits > most ? bits - most : 0;
    mpz_tdiv_q_2exp(high, a, drop);
    double value = ldexp(mpz_get_d(high), (int)drop - POINT);
    mpz_mul_2exp(high, high, drop);
    mpz_sub(a, a, high);
    mpz_clear(high);
    return value;
}

static void print_pair(const mpz_t a) {
    mpz_t rest;
    mpz_init_set(rest, a);
    double high = take_bits(rest, 53);
    printf("    { %a, %a },\n", high, take_bits(rest, 53));
    mpz_clear(rest);
}

/* Parts of `bits` bits each, so that a small whole number times a part is exact; the last part has 53. */
static void print_parts(const char *name, const mpz_t a, int parts, size_t bits) {
    mpz_t rest;
    mpz_init_set(rest, a);
    printf("static const double %s[] = { ", name);
    for (int i = 0; i < parts; i++) printf("%a%s", take_bits(rest, i + 1 < parts ? bits : 53), i + 1 < parts ? ", " : " };\n");
    mpz_clear(rest);
}

/* 2·atanh(p/q) = ln((q+p)/(q−p)) = 2 Σ (p/q)^(2n+1)/(2n+1). */
static void log_ratio(mpz_t out, long above, unsigned long below) {
    mpz_t power, term;
    mpz_init(term);
    mpz_init_set_si(power, above - (long)below);
    mpz_mul_2exp(power, power, POINT + 1);
    mpz_tdiv_q_ui(power, power, (unsigned long)above + below);
    mpz_set_ui(out, 0);
    for (unsigned long n = 1; mpz_sgn(power); n += 2) {
        mpz_tdiv_q_ui(term, power, n);
        mpz_add(out, out, term);
        for (int twice = 0; twice < 2; twice++) {
            mpz_mul_si(power, power, above - (long)below);
            mpz_tdiv_q_ui(power, power, (unsigned long)above + below);
        }
    }
    mpz_clears(power, term, (mpz_ptr)NULL);
}

/* e^x of x in fixed point, by its series. */
static void exponential(mpz_t out, const mpz_t x) {
    mpz_t term;
    mpz_init_set_ui(term, 1);
    mpz_mul_2exp(term, term, POINT);
    mpz_set_ui(out, 0);
    for (unsigned long n = 1; mpz_sgn(term); n++) {
        mpz_add(out, out, term);
        mpz_mul(term, term, x);
        mpz_tdiv_q_2exp(term, term, POINT);
        mpz_tdiv_q_ui(term, term, n);
    }
    mpz_clear(term);
}

/* atan(p/q) by Euler's series Σ 2^(2n)(n!)²/(2n+1)! · x^(2n+1)/(1+x²)^(n+1): term n+1 is term n times (2n+2)/(2n+3) · p²/(p²+q²). */
static void arc_tangent(mpz_t out, unsigned long p, unsigned long q) {
    mpz_t term;
    mpz_init_set_ui(term, p * q);
    mpz_mul_2exp(term, term, POINT);
    mpz_tdiv_q_ui(term, term, p * p + q * q);
    mpz_set_ui(out, 0);
    for (unsigned long n = 0; mpz_sgn(term); n++) {
        mpz_add(out, out, term);
        mpz_mul_ui(term, term, (2 * n + 2) * p * p);
        mpz_tdiv_q_ui(term, term, (2 * n + 3) * (p * p + q * q));
    }
    mpz_clear(term);
}

static void print_exponentials(const mpz_t ln2) {
    mpz_t x, y;
    mpz_inits(x, y, (mpz_ptr)NULL);
    printf("/* 2^(j/%d) */\nstatic const struct { double high, low; } exp_table[] = {\n", EXP_STEPS);
    for (unsigned long j = 0; j < EXP_STEPS; j++) {
        mpz_mul_ui(x, ln2, j);
        mpz_tdiv_q_ui(x, x, EXP_STEPS);
        exponential(y, x);
        print_pair(y);
    }
    printf("};\n");
    mpz_clears(x, y, (mpz_ptr)NULL);
}

/* For z in [i/128, (i+1)/128): near, a number of nine bits after the point next to 1/z, and −ln(near). Both cells beside z = 1 have near
 * = 1. */
static void print_logarithms(void) {
    mpz_t y;
    mpz_init(y);
    printf("enum { LOG_FIRST = %d };\nstatic const struct { double near, high, low; } log_table[] = {\n", LOG_FIRST);
    for (int i = LOG_FIRST; i <= LOG_LAST; i++) {
        long near = i == 127 || i == 128 ? 512 : lround(512 * 128 / (i + 0.5));
        log_ratio(y, 512, (unsigned long)near);
        double high = take_bits(y, 53);
        printf("    { %a, %a, %a },\n", (double)near / 512, high, take_bits(y, 53));
    }
    printf("};\n");
    mpz_clear(y);
}

/* The bits of 2/π after the point, 64 a word: enough to turn the largest double. */
static void print_turns(const mpz_t pi) {
    mpz_t two, word;
    mpz_init_set_ui(two, 2);
    mpz_init(word);
    mpz_mul_2exp(two, two, 2 * POINT);
    mpz_tdiv_q(two, two, pi);
    printf("static const uint64_t turn_bits[] = {");
    for (int i = 1; i <= TURN_WORDS; i++) {
        mpz_tdiv_q_2exp(word, two, (mp_bitcnt_t)(POINT - 64 * i));
        mpz_tdiv_r_2exp(word, word, 64);
        gmp_printf("%s0x%Zxu", i > 1 ? ", " : " ", word);
    }
    printf(" };\n");
    mpz_clears(two, word, (mpz_ptr)NULL);
}

int main(void) {
    mpz_t ln2, ten, pi, other;
    mpz_inits(ln2, ten, pi, other, (mpz_ptr)NULL);
    printf("/* Made by tools/elementary.c. */\n");
    log_ratio(ln2, 2, 1);
    log_ratio(ten, 10, 1);
    print_parts("ln2_part", ln2, 3, 42); /* k·part is exact for |k| < 2^11 */
    print_parts("ln10_part", ten, 2, 53);
    mpz_tdiv_q_ui(other, ln2, EXP_STEPS);
    print_parts("step_part", other, 3, 35); /* n·part is exact for |n| < 2^18 */
    print_exponentials(ln2);
    print_logarithms();
    arc_tangent(pi, 1, 1);
    mpz_mul_ui(pi, pi, 2);
    print_parts("half_pi_part", pi, 4, 33); /* n·part is exact for |n| < 2^20 */
    print_parts("half_pi_pair", pi, 2, 53);
    printf("/* atan(i/%d) */\nstatic const struct { double high, low; } atan_table[] = {\n    { 0, 0 },\n", ATAN_STEPS);
    for (unsigned long i = 1; i <= ATAN_STEPS; i++) {
        arc_tangent(other, i, ATAN_STEPS);
        print_pair(other);
    }
    printf("};\n");
    mpz_mul_ui(pi, pi, 2);
    print_turns(pi);
    mpz_clears(ln2, ten, pi, other, (mpz_ptr)NULL);
    return 0;
}
