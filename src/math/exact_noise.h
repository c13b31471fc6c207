/* Exact samplers on the whole numbers (Canonne, Kamath & Steinke 2020): rational arithmetic only, no floating point anywhere. */
#ifndef SCRIM_MATH_EXACT_NOISE_H
#define SCRIM_MATH_EXACT_NOISE_H
#include <gmp.h>
#include "math/bits.h"

typedef __int128 Wide;

/* P(x) ∝ e^(−|x|·den/num): discrete Laplace of scale num/den. Both from 1 to 2⁶². */
MUST_CHECK Status exact_laplace(Bits *bits, uint64_t num, uint64_t den, Wide *out);
/* P(x) ∝ e^(−x²/(2·variance)), the variance a whole number from 1 to 2¹²⁰. */
typedef struct ExactGaussian {
    mpz_t variance, scale, bottom, top, quotient, rest;
    uint64_t proposal;
} ExactGaussian;
/* Sets up for this variance; BAD outside of its range. exact_gaussian_close gives the numbers back. */
MUST_CHECK Status exact_gaussian_open(ExactGaussian *gaussian, const mpz_t variance, Error *error);
void exact_gaussian_close(ExactGaussian *gaussian);
/* One draw; fails where the source of bits does. */
MUST_CHECK Status exact_gaussian(Bits *bits, ExactGaussian *gaussian, Wide *out);

/* The pieces, for tests: true with probability num/den, and with e^(−num/den). */
bool exact_bernoulli(Bits *bits, const mpz_t num, const mpz_t den);
bool exact_bernoulli_exp(Bits *bits, const mpz_t num, const mpz_t den);
#endif
