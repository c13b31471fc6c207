/* Exact samplers on the whole numbers (Canonne, Kamath & Steinke 2020): rational arithmetic only, no floating point anywhere. */
#ifndef SCRIM_MATH_DISCRETE_NOISE_H
#define SCRIM_MATH_DISCRETE_NOISE_H
#include <gmp.h>
#include "math/random_bits.h"

typedef __int128 Wide;

/* P(x) ∝ e^(−|x|·den/num): discrete Laplace of scale num/den. Both from 1 to 2⁶². */
MUST_CHECK Status draw_discrete_laplace(RandomBits *bits, uint64_t num, uint64_t den, Wide *out);
/* P(x) ∝ e^(−x²/(2·variance)), the variance a whole number from 1 to 2¹²⁰. */
typedef struct DiscreteGaussian {
    mpz_t variance, scale, bottom, top, quotient, rest;
    uint64_t proposal;
} DiscreteGaussian;
/* Sets up for this variance; BAD outside of its range. discrete_gaussian_close gives the numbers back. */
MUST_CHECK Status discrete_gaussian_open(DiscreteGaussian *gaussian, const mpz_t variance, Error *error);
void discrete_gaussian_close(DiscreteGaussian *gaussian);
/* One draw; fails where the source of bits does. */
MUST_CHECK Status draw_discrete_gaussian(RandomBits *bits, DiscreteGaussian *gaussian, Wide *out);

/* The pieces, for tests: true with probability num/den, and with e^(−num/den). */
bool draw_bernoulli(RandomBits *bits, const mpz_t num, const mpz_t den);
bool draw_bernoulli_exp(RandomBits *bits, const mpz_t num, const mpz_t den);
#endif
