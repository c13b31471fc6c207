/* From a real to its decimal digits and back, each by one multiplication with a power of ten: what readers and writers of many share. */
#ifndef SCRIM_BASE_SHORTEST_DIGITS_H
#define SCRIM_BASE_SHORTEST_DIGITS_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 WideDigits;

/* The leading 128 bits of 10^e, rounded up (exact for e = 0 … 55); made by tools/powers.c. */
enum { POWER_LOWEST = -342, POWER_HIGHEST = 324 };
typedef struct PowerOfTen {
    uint64_t high, low;
} PowerOfTen;
extern const PowerOfTen power_of_ten[POWER_HIGHEST - POWER_LOWEST + 1];

static inline uint64_t real_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double real_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The nearest double to w · 10^q (w > 0), as bits; false where 128 bits of the power cannot decide. D. Lemire, "Number parsing at a
 * gigabyte per second", Software: Practice and Experience 51 (2021), algorithm 1. */
static inline __attribute__((always_inline)) bool nearest_bits(uint64_t w, int64_t q, uint64_t *out) {
    if (q < POWER_LOWEST) {
        *out = 0;
        return true;
    }
    if (q > 308) {
        *out = (uint64_t)0x7FF << 52;
        return true;
    }
    int shift = __builtin_clzll(w);
    w <<= shift;
    uint64_t high = power_of_ten[q - POWER_LOWEST].high, low = power_of_ten[q - POWER_LOWEST].low;
    if (q < -27 || q > 55) high -= low-- == 0; /* the algorithm wants these rounded down */
    WideDigits product = (WideDigits)w * high;
    if (((uint64_t)(product >> 64) & 0x1FF) == 0x1FF) product += (uint64_t)(((WideDigits)w * low) >> 64);
    uint64_t upper = (uint64_t)(product >> 64), lower = (uint64_t)product;
    if (lower == UINT64_MAX && (q < -27 || q > 55)) return false;
    int top = (int)(upper >> 63);
    uint64_t mantissa = upper >> (top + 9);
    int64_t exponent = ((217706 * q) >> 16) + 63 + top - shift + 1023;
    if (exponent <= 0) { /* subnormal */
        if (exponent <= -63) {
            *out = 0;
            return true;
        }
        mantissa >>= 1 - exponent;
        *out = (mantissa + (mantissa & 1)) >> 1; /* a carry into bit 52 is the smallest normal number */
        return true;
    }
    bool halfway = lower <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << (top + 9) == upper;
    if (halfway) mantissa &= ~(uint64_t)1; /* to even */
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa >= (uint64_t)1 << 53) {
        mantissa = (uint64_t)1 << 52;
        exponent++;
    }
    *out = exponent >= 0x7FF ? (uint64_t)0x7FF << 52 : (mantissa & ~((uint64_t)1 << 52)) | (uint64_t)exponent << 52;
    return true;
}

/* The shortest decimal that reads back as a positive real, nearest to it among those, as 16 or 17 digits n · 10^power, trailing zeros and
 * all. False where 64 bits behind the point do not decide, and for zeros, powers of two, subnormal numbers and what is not finite.
 *
 * After R. Giulietti, "The Schubfach way to render doubles" (2020). The real is c · 2^q = x · 10^k with k = floor(log10 2^q): one step of c
 * is 1 <= u < 10 steps of x, and what lies within u/2 of x reads back as c. At most one multiple of ten does, and is then the shortest;
 * else the integer nearest to x is. With g/2^128 = 10^-k · 2^(q-h), x is c·2^h·g/2^128: its integer part and 64 bits of its fraction come
 * from one product, in error by less than one unit of the last bit, and u/2 from g itself. So each comparison (in 60 bits behind the
 * point, for the digit before it) is right unless the two sides are within two units. */
static inline __attribute__((always_inline)) bool quick_digits(uint64_t bits, uint64_t *n, int *power) {
    const uint64_t ten = (uint64_t)10 << 60, half = (uint64_t)1 << 63;
    int exponent = (int)(bits >> 52);
    uint64_t fraction = bits << 12;
    if (!fraction || (unsigned)(exponent - 1) >= 2046) return false;
    int q = exponent - 1075, k = (q * 1262611) >> 22, h = q + ((-k * 1741647) >> 19) + 1; /* 1 <= h <= 4 */
    const PowerOfTen *g = &power_of_ten[-k - POWER_LOWEST];
    uint64_t c = ((fraction >> 12) | (uint64_t)1 << 52) << h;
    WideDigits x = (WideDigits)c * g->high + (uint64_t)(((WideDigits)c * g->low) >> 64);
    uint64_t whole = (uint64_t)(x >> 64), behind = (uint64_t)x, last = whole % 10;
    uint64_t below = last << 60 | behind >> 4, reach = g->high >> (5 - h), above = below + reach; /* below: to the multiple of ten */
    uint64_t up = 0 - (uint64_t)(above > ten), tens = up | (0 - (uint64_t)(below < reach));       /* masks: no branch can guess these */
    *n = whole + (((up & 10) - last) & tens) + ((behind >> 63) & ~tens);
    *power = k;
    return !((below - reach + 2 <= 4) | (above - ten + 2 <= 4) | (behind - half + 2 <= 4));
}
#endif
