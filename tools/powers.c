/* Writes the table of powers of ten that reading and writing reals needs: 10^e for e = -342 … 324, its leading 128 bits, rounded up. */
#include <gmp.h>
#include <stdio.h>

enum { LOWEST = -342, HIGHEST = 324 }; /* as in base/shortest_digits.h */

static void power(int exponent) {
    mpz_t ten, one;
    mpz_init(ten);
    mpz_init_set_ui(one, 1);
    mpz_ui_pow_ui(ten, 10, (unsigned long)(exponent < 0 ? -exponent : exponent));
    size_t bits = mpz_sizeinbase(ten, 2);
    if (exponent >= 0 && bits <= 128) {
        mpz_mul_2exp(ten, ten, 128 - bits);
    } else if (exponent >= 0) {
        mpz_cdiv_q_2exp(ten, ten, bits - 128);
    } else { /* 2^(bits-1) < 10^-e < 2^bits, so 2^(bits+127)/10^-e has 128 bits */
        mpz_mul_2exp(one, one, bits + 127);
        mpz_cdiv_q(ten, one, ten);
    }
    gmp_printf("    { 0x%Zx", (mpz_tdiv_q_2exp(one, ten, 64), one));
    gmp_printf("u, 0x%Zxu }, /* 1e%d */\n", (mpz_tdiv_r_2exp(one, ten, 64), one), exponent);
    mpz_clears(ten, one, (mpz_ptr)NULL);
}

int main(void) {
    printf("/* Made by tools/powers.c: the leading 128 bits of powers of ten, rounded up (exact for 1e0 … 1e55). */\n");
    printf("const PowerOfTen power_of_ten[POWER_HIGHEST - POWER_LOWEST + 1] = {\n");
    for (int e = LOWEST; e <= HIGHEST; e++) power(e);
    printf("};\n");
    return 0;
}
