/* Exact sums: fixed point in 128 bits, and superaccumulators read off by GMP. */
#include "base/exact_sum.h"
#include <gmp.h>
#include <string.h>
#include "base/double_double.h"
#include "base/elementary.h"
#include "base/exact_integer.h"

/* ---- fixed point ---- */

Status weight_sum(double value, WeightSum *out, Error *error) {
    if (!(fabs(value) < 0x1p62)) return fail(error, BAD, "a weight is no number, or too large to be summed exactly");
    double size = fabs(value), whole = floor(size), rest = size - whole; /* exact: the rest has no more bits than the value */
    WeightSum sum = ((WeightSum)(int64_t)whole << 64) + (WeightSum)(unsigned __int128)rint(rest * 0x1p64);
    *out = value < 0 ? -sum : sum;
    return OK;
}

double weight_real(WeightSum value) {
    bool negative = value < 0;
    unsigned __int128 size = negative ? -(unsigned __int128)value : (unsigned __int128)value;
    int shift = 0;
    while (size >> shift >> 55) shift++;
    if (shift) { /* to 55 bits, the last of them saying whether anything was cut off: the conversion then rounds once and rightly */
        bool cut = size & (((unsigned __int128)1 << shift) - 1);
        size = (size >> shift) | cut;
    }
    double real = ldexp((double)(uint64_t)size, shift - 64);
    return negative ? -real : real;
}

/* ---- superaccumulators ---- */

enum { LOWEST = 1088, OFTEN = 1 << 29 }; /* digit i counts 2^(32i − LOWEST) */

void exact_sum_normalize(ExactSum *sum) {
    int64_t carry = 0;
    for (int i = 0; i < EXACT_DIGITS; i++) {
        int64_t value = sum->digit[i] + carry;
        carry = i + 1 < EXACT_DIGITS ? value >> 32 : 0;
        sum->digit[i] = value - carry * (INT64_C(1) << 32);
    }
    sum->adds = 0;
}

/* ±mantissa·2^(exponent − 1075), the exponent as a double has it, from 1 on. */
static void add_at(ExactSum *sum, uint64_t mantissa, int exponent, bool negative) {
    unsigned place = (unsigned)(exponent - 1075 + LOWEST), low = place & 31; /* value = mantissa·2^(place − LOWEST) */
    int64_t *digit = sum->digit + (place >> 5);
    unsigned __int128 spread = (unsigned __int128)mantissa << low;
    int64_t a = (int64_t)(uint32_t)spread, b = (int64_t)(uint32_t)(spread >> 32), c = (int64_t)(uint32_t)(spread >> 64);
    if (negative) {
        digit[0] -= a;
        digit[1] -= b;
        digit[2] -= c;
    } else {
        digit[0] += a;
        digit[1] += b;
        digit[2] += c;
    }
    if (++sum->adds >= OFTEN) exact_sum_normalize(sum);
}

/* Sign and exponent, and the mantissa with its first bit. */
static unsigned taken_apart(double value, uint64_t *mantissa) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    unsigned head = (unsigned)(bits >> 52);
    *mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)((head & 2047) != 0) << 52;
    return head;
}

/* Eleven bits of `times` and a mantissa are a word. */
static inline void add_times(ExactSum *sum, double value, uint64_t times) {
    uint64_t mantissa;
    unsigned head = taken_apart(value, &mantissa), exponent = head & 2047;
    if (!mantissa) return;
    if (exponent == 2047) sum->infinite |= times != 0;
    for (int shift = 0; times && exponent < 2047; shift += 11, times >>= 11)
        add_at(sum, mantissa * (times & 2047), (exponent ? (int)exponent : 1) + shift, head >> 11);
}

void exact_sum_add(ExactSum *sum, double value) { add_times(sum, value, 1); }
void exact_sum_add_times(ExactSum *sum, double value, int64_t times) { add_times(sum, value, (uint64_t)times); }

void exact_sum_add_product_times(ExactSum *sum, double a, double b, int64_t times) {
    DoubleDouble product = two_product(a, b);
    exact_sum_add_times(sum, product.high, times);
    if (isfinite(product.low)) exact_sum_add_times(sum, product.low, times); /* near overflow the rounded product has to do */
}

/* Mantissas of one sign and exponent add up to 64 bits, 2^11 of them (Neal 2015, the large superaccumulator). */
enum { HEADS = 1 << 12, AT_A_TIME = 1 << 10 };
static void put_mantissa(uint64_t *bin, double value) {
    uint64_t mantissa;
    unsigned head = taken_apart(value, &mantissa);
    bin[head] += mantissa;
}

void exact_sum_add_products(ExactSum *sum, const double *a, const double *b, int64_t count) {
    uint64_t bin[HEADS];
    for (int64_t first = 0; first < count; first += AT_A_TIME) {
        int64_t last = first + AT_A_TIME < count ? first + AT_A_TIME : count;
        memset(bin, 0, sizeof bin);
        for (int64_t i = first; i < last; i++) {
            DoubleDouble product = two_product(a[i], b[i]);
            if (isfinite(product.high) && isfinite(product.low)) {
                put_mantissa(bin, product.high);
                put_mantissa(bin, product.low);
            } else exact_sum_add_product(sum, a[i], b[i]);
        }
        for (unsigned head = 0; head < HEADS; head++)
            if (bin[head]) add_at(sum, bin[head], head & 2047 ? (int)(head & 2047) : 1, head >> 11);
    }
}

void exact_sum_add_product(ExactSum *sum, double a, double b) { exact_sum_add_product_times(sum, a, b, 1); }

static void add_wide(ExactSum *sum, unsigned __int128 mantissa, int exponent, bool negative) {
    add_at(sum, (uint64_t)mantissa, exponent, negative);
    add_at(sum, (uint64_t)(mantissa >> 64), exponent + 64, negative);
}

/* Mantissas of one sign and exponent, and the halves of their squares, add up to 128 bits. Gives how many it has added: 0 where squares
 * may leave the range of a double, or there are too many of one. */
static int64_t add_run(ExactSum *one, ExactSum *two, const double *x, const int64_t *times, int64_t count) {
    enum { MIDDLE = 1023, RANGE = 300, LONGEST = 1 << 10, OFTENEST = 1 << 20 };
    uint64_t mantissa;
    const unsigned head = taken_apart(x[0], &mantissa);
    const int exponent = head & 2047;
    unsigned __int128 sum = 0, low = 0, high = 0;
    int64_t i = 0;
    if (exponent < MIDDLE - RANGE || exponent > MIDDLE + RANGE) return 0;
    for (; i < count && i < LONGEST && times[i] <= OFTENEST && taken_apart(x[i], &mantissa) == head; i++) {
        unsigned __int128 square = (unsigned __int128)mantissa * mantissa;
        sum += (unsigned __int128)mantissa * (uint64_t)times[i];
        low += (unsigned __int128)(uint64_t)square * (uint64_t)times[i];
        high += (unsigned __int128)(uint64_t)(square >> 64) * (uint64_t)times[i];
    }
    add_wide(one, sum, exponent, head >> 11);
    add_wide(two, low, 2 * exponent - 1075, false);
    add_wide(two, high, 2 * exponent - 1075 + 64, false);
    return i;
}

void exact_sum_add_powers(ExactSum *one, ExactSum *two, const double *x, const int64_t *times, int64_t count) {
    for (int64_t i = 0, added; i < count; i += added) {
        added = add_run(one, two, x + i, times + i, count - i);
        if (added) continue;
        exact_sum_add_times(one, x[i], times[i]);
        exact_sum_add_product_times(two, x[i], x[i], times[i]);
        added = 1;
    }
}

void exact_sum_add_weighted(ExactSum *sum, WeightSum weight, double value) {
    while (weight) { /* 53 bits at a time */
        double part = weight_real(weight);
        WeightSum taken = 0;
        if (weight_sum(part, &taken, NULL)) return;
        exact_sum_add_product(sum, part, value);
        weight -= taken;
    }
}

void exact_sum_merge(ExactSum *sum, const ExactSum *other) {
    ExactSum more = *other;
    exact_sum_normalize(&more);
    exact_sum_normalize(sum);
    for (int i = 0; i < EXACT_DIGITS; i++) sum->digit[i] += more.digit[i];
    sum->infinite |= more.infinite;
    exact_sum_normalize(sum);
}

/* The sum times 2^LOWEST. */
static void whole_of(const ExactSum *sum, mpz_t out) {
    ExactSum settled = *sum;
    exact_sum_normalize(&settled);
    mpz_set_si(out, (long)settled.digit[EXACT_DIGITS - 1]);
    for (int i = EXACT_DIGITS - 2; i >= 0; i--) {
        mpz_mul_2exp(out, out, 32);
        mpz_add_ui(out, out, (unsigned long)settled.digit[i]);
    }
}

void exact_sum_add_integer(ExactSum *sum, const mpz_t value) {
    uint32_t digit[EXACT_DIGITS] = { 0 };
    size_t count = 0;
    int64_t sign = mpz_sgn(value);
    mpz_export(digit, &count, -1, sizeof *digit, 0, 0, value);
    for (size_t i = 0; i < count; i++) sum->digit[LOWEST / 32 + (int)i] += sign * (int64_t)digit[i];
    if (++sum->adds >= OFTEN) exact_sum_normalize(sum);
}

void exact_integer(const ExactSum *sum, mpz_t out) {
    whole_of(sum, out);
    mpz_fdiv_q_2exp(out, out, LOWEST);
}

/* The double nearest to top·2^-scale / bottom, halves to even. bottom > 0. */
static double nearest(mpz_t top, long scale, const mpz_t bottom) {
    mpz_t quotient, rest, size;
    double real = 0;
    if (!mpz_sgn(top)) return 0;
    mpz_inits(quotient, rest, size, NULL);
    mpz_abs(size, top);
    long shift = 64 + (long)mpz_sizeinbase(bottom, 2) - (long)mpz_sizeinbase(size, 2); /* the quotient then has 64 or 65 bits */
    if (shift > 0) mpz_mul_2exp(size, size, (mp_bitcnt_t)shift);
    else shift = 0;
    mpz_tdiv_qr(quotient, rest, size, bottom);
    long power = -scale - shift, bits = (long)mpz_sizeinbase(quotient, 2), keep = 55;
    if (power + bits < -1021) keep = 55 - (-1021 - power - bits); /* subnormal: fewer bits are left */
    if (bits > keep) {                                            /* one bit more than a double has, and whether anything was cut off */
        bool cut = mpz_sgn(rest) != 0;
        long drop = bits - (keep > 2 ? keep : 2);
        cut |= mpz_scan1(quotient, 0) < (mp_bitcnt_t)drop;
        mpz_tdiv_q_2exp(quotient, quotient, (mp_bitcnt_t)drop);
        if (cut) mpz_setbit(quotient, 0);
        power += drop;
    }
    real = ldexp((double)mpz_get_ui(quotient), (int)power);
    if (mpz_sgn(top) < 0) real = -real;
    mpz_clears(quotient, rest, size, NULL);
    return real;
}

double exact_sum_real(const ExactSum *sum) { return exact_mean(sum, 1); }

double exact_mean(const ExactSum *x, int64_t n) {
    mpz_t top, bottom;
    if (n < 1 || x->infinite) return NAN;
    mpz_inits(top, bottom, NULL);
    whole_of(x, top);
    mpz_set_si(bottom, (long)n);
    double mean = nearest(top, LOWEST, bottom);
    mpz_clears(top, bottom, NULL);
    return mean;
}

double exact_covariance(const ExactSum *xy, const ExactSum *x, const ExactSum *y, int64_t n) {
    mpz_t top, first, second, bottom;
    if (n < 2 || xy->infinite || x->infinite || y->infinite) return NAN;
    mpz_inits(top, first, second, bottom, NULL);
    whole_of(xy, top);
    mpz_mul_2exp(top, top, LOWEST); /* both terms in units of 2^(−2·LOWEST) */
    mpz_mul_si(top, top, (long)n);
    whole_of(x, first);
    whole_of(y, second);
    mpz_submul(top, first, second);
    mpz_set_si(bottom, (long)n);
    mpz_mul_si(bottom, bottom, (long)(n - 1));
    double covariance = nearest(top, 2 * LOWEST, bottom);
    mpz_clears(top, first, second, bottom, NULL);
    return covariance;
}
