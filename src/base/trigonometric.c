/* Sines and arcs: exact reduction by quarter turns, then the series. */
#include <stdint.h>
#include <string.h>
#include "base/double_double.h"
#include "base/elementary.h"
#include "elementary_tables.h"

/* x = quarter·π/2 + the rest, |rest| ≤ about π/4. */
typedef struct Reduced {
    DoubleDouble rest;
    int quarter;
} Reduced;

static Reduced reduce_small(double x) {
    double n = x * (2 / 0x1.921fb54442d18p+1) + 0x1.8p52 - 0x1.8p52;
    DoubleDouble r = two_sum(x - n * half_pi_part[0], -n * half_pi_part[1]);
    DoubleDouble s = two_sum(r.high, -n * half_pi_part[2]);
    return (Reduced){ fast_sum(s.high, s.low + (r.low - n * half_pi_part[3])), (int)((int64_t)n & 3) };
}

/* Payne & Hanek 1983: x = m·2^e with whole m; only the bits of 2/π that m·2^e brings next to the point count. From word `e/64` on, four
 * words give the quarter and at least 128 bits of the fraction. */
static Reduced reduce_large(double x) {
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
    e -= 53;                          /* above −53 + 20 here: x is large */
    int64_t skip = e > 2 ? e - 2 : 0; /* bits of 2/π whose product with m·2^e is a multiple of four */
    uint64_t w[4], product[5] = { 0 };
    for (int i = 0; i < 4; i++) {
        int64_t at = skip / 64 + i, shift = skip % 64;
        w[i] = turn_bits[at] << shift | (shift ? turn_bits[at + 1] >> (64 - shift) : 0);
    }
    unsigned __int128 carry = 0;
    for (int i = 3; i >= 0; i--) {
        carry += (unsigned __int128)w[i] * m;
        product[i + 1] = (uint64_t)carry;
        carry >>= 64;
    }
    product[0] = (uint64_t)carry; /* the product's point: `256 − (e − skip)` bits up from the end */
    int up = (int)(e - skip);     /* −33 … 2 */
    unsigned __int128 fraction;
    uint64_t whole;
    if (up > 0) {
        whole = product[0] << up | product[1] >> (64 - up);
        fraction = ((unsigned __int128)product[1] << 64 | product[2]) << up | product[3] >> (64 - up);
    } else if (up == 0) {
        whole = product[0];
        fraction = (unsigned __int128)product[1] << 64 | product[2];
    } else {
        whole = product[0] >> -up;
        fraction = ((unsigned __int128)product[0] << (64 - -up) << 64) | ((unsigned __int128)product[1] << 64 | product[2]) >> -up;
    }
    int negative = fraction >> 127 != 0; /* nearest quarter */
    if (negative) fraction = -fraction, whole++;
    double high = (double)(uint64_t)(fraction >> 75), low = (double)(uint64_t)(fraction >> 22 & ((UINT64_C(1) << 53) - 1));
    DoubleDouble f = fast_sum(high * 0x1p-53, low * 0x1p-106), r = pair_times(f, (DoubleDouble){ half_pi_pair[0], half_pi_pair[1] });
    int sign = (x < 0) != negative ? -1 : 1;
    return (Reduced){ { sign * r.high, sign * r.low }, (int)((x < 0 ? -whole : whole) & 3) };
}

static Reduced reduce(double x) { return fabs(x) < 1e6 ? reduce_small(x) : reduce_large(x); }

/* sin r = r − r³/3! + …, |r| ≤ π/4: 21 is the last power above 2^-80. The leading terms are kept apart so that the sum is rounded once. */
static double sine(DoubleDouble r) {
    double x = r.high, z = x * x;
    double p =
        z * (1.0 / 120 -
             z * (1.0 / 5040 - z * (1.0 / 362880 - z * (1.0 / 39916800 - z * (1.0 / 6227020800 -
                                                                              z * (1.0 / 1307674368000 - z * (1.0 / 355687428096000)))))));
    DoubleDouble sum = fast_sum(x, -x * z * (1.0 / 6));
    DoubleDouble cube = two_product(x * z, -1.0 / 6);
    return sum.high + (sum.low + cube.low + x * z * p + r.low * (1 - z / 2));
}

static double cosine(DoubleDouble r) {
    double x = r.high, z = x * x;
    double p =
        z * z *
        (1.0 / 24 -
         z * (1.0 / 720 - z * (1.0 / 40320 - z * (1.0 / 3628800 -
                                                  z * (1.0 / 479001600 - z * (1.0 / 87178291200 - z * (1.0 / 20922789888000 -
                                                                                                       z * (1.0 / 6402373705728000))))))));
    DoubleDouble square = two_product(x, x), sum = fast_sum(1, -square.high / 2);
    return sum.high + (sum.low - square.low / 2 + p - x * r.low);
}

double fixed_sin(double x) {
    if (isnan(x) || isinf(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    Reduced r = reduce(x);
    double v = r.quarter & 1 ? cosine(r.rest) : sine(r.rest);
    return r.quarter & 2 ? -v : v;
}

double fixed_cos(double x) {
    if (isnan(x) || isinf(x)) return NAN;
    Reduced r = reduce(x);
    double v = r.quarter & 1 ? sine(r.rest) : cosine(r.rest);
    return (r.quarter + 1) & 2 ? -v : v;
}

void fixed_sincos(double x, double *sine_of, double *cosine_of) {
    *sine_of = fixed_sin(x);
    *cosine_of = fixed_cos(x);
}

double fixed_tan(double x) {
    if (isnan(x) || isinf(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    Reduced r = reduce(x);
    double s = sine(r.rest), c = cosine(r.rest);
    return r.quarter & 1 ? -c / s : s / c;
}

/* atan(y/x) for 0 ≤ y ≤ x as a pair: with c = i/16 next to y/x, atan c + atan((y − cx)/(x + cy)), |the latter's argument| ≤ 1/32. */
static DoubleDouble arc(double y, double x) {
    double c = floor(y / x * 16 + 0.5);
    int i = (int)c;
    c /= 16;
    DoubleDouble cx = two_product(c, x), cy = two_product(c, y), above = two_sum(y, -cx.high), below = two_sum(x, cy.high);
    above = fast_sum(above.high, above.low - cx.low);
    below = fast_sum(below.high, below.low + cy.low);
    DoubleDouble t = pair_over(above, below);
    double u = t.high, z = u * u;
    double tail = u * z * (-1.0 / 3 + z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9 - z * (1.0 / 11 - z * (1.0 / 13))))));
    DoubleDouble sum = fast_sum(u, t.low + tail);
    return pair_add((DoubleDouble){ atan_table[i].high, atan_table[i].low }, sum);
}

/* Both brought near 1, so that no product overflows or vanishes. */
static DoubleDouble arc_scaled(double y, double x) {
    int e;
    frexp(x, &e);
    if (x == 0) return (DoubleDouble){ 0, 0 };
    double a = ldexp(y, -e), b = ldexp(x, -e);
    if (a < 0x1p-900) return (DoubleDouble){ y / x, 0 };
    return arc(a, b);
}

double fixed_atan2(double y, double x) {
    const DoubleDouble quarter = { half_pi_pair[0], half_pi_pair[1] }, half = { 2 * half_pi_pair[0], 2 * half_pi_pair[1] };
    if (isnan(x) || isnan(y)) return x + y;
    double a = fabs(x), b = fabs(y);
    if (b == 0) return signbit(x) ? copysign(half.high, y) : y;
    if (isinf(a) || isinf(b)) { /* the corner of the diagonal */
        if (!isinf(b)) return x > 0 ? copysign(0, y) : copysign(half.high, y);
        return copysign(!isinf(a) ? quarter.high : x > 0 ? quarter.high / 2 : 0x1.2d97c7f3321d2p+1, y);
    }
    DoubleDouble t = b <= a ? arc_scaled(b, a) : arc_scaled(a, b);
    if (b > a) t = pair_add(quarter, (DoubleDouble){ -t.high, -t.low });
    if (signbit(x)) t = pair_add(half, (DoubleDouble){ -t.high, -t.low });
    return copysign(t.high + t.low, y);
}

double fixed_atan(double x) { return isinf(x) ? copysign(half_pi_pair[0], x) : fabs(x) < 0x1p-27 || isnan(x) ? x : fixed_atan2(x, 1); }
double fixed_asin(double x) { return fabs(x) < 0x1p-27 ? x : fabs(x) > 1 ? NAN : fixed_atan2(x, sqrt((1 - x) * (1 + x))); }
double fixed_acos(double x) { return fabs(x) > 1 ? NAN : fixed_atan2(sqrt((1 - x) * (1 + x)), x); }

double fixed_hypot(double x, double y) {
    double a = fabs(x) > fabs(y) ? fabs(x) : fabs(y), b = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
    if (a > 0x1p-400 && a < 0x1p400 && b >= 0) return sqrt(a * a + b * b); /* the same bits as scaled by a power of two */
    if (isinf(x) || isinf(y)) return INFINITY;
    if (isnan(x) || isnan(y)) return x + y;
    if (b == 0) return a;
    int e;
    frexp(a, &e);
    a = ldexp(a, -e);
    b = ldexp(b, -e);
    return ldexp(sqrt(a * a + b * b), e);
}
