/* Exponentials and logarithms from one kernel each, in pairs of doubles: tables of exact points (tools/elementary.c), a short series
 * between them (Tang 1989, 1990). */
#include "base/elementary.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/double_double.h"
#include "elementary_tables.h"

static const double TO_WHOLE = 0x1.8p52; /* adding and taking it away rounds to a whole number, ties to even */

/* x·2^k, rounded once. */
static double scale(double x, int k) {
    while (k > 1000) x *= 0x1p1000, k -= 1000;
    while (k < -960) x *= 0x1p-960, k += 960;
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

/* e^(n·ln2/128 + r) = (high + low)·2^exponent for the reduced r = rh + rl, |r| ≤ ln2/256; the pair is in [1, 2]. */
typedef struct Exponential {
    DoubleDouble value;
    int exponent;
} Exponential;

static Exponential exp_reduced(double n, double rh, double rl) {
    int64_t whole = (int64_t)n;
    int64_t j = whole & 127;
    /* e^r − 1 − r by its series: |r| < 0.0028, so that the term left out is below 2^-72 */
    double q = rh * rh * (1.0 / 2 + rh * (1.0 / 6 + rh * (1.0 / 24 + rh * (1.0 / 120 + rh * (1.0 / 720)))));
    double high = exp_table[j].high, low = exp_table[j].low;
    DoubleDouble p = two_product(high, rh), s = fast_sum(high, p.high);
    double rest = s.low + (p.low + (low + (high * (rl + q + rh * rl) + low * (rh + q))));
    return (Exponential){ fast_sum(s.high, rest), (int)((whole - j) / 128) };
}

/* e^(x.high + x.low), |x| < 800. */
static Exponential exp_pair(DoubleDouble x) {
    double n = x.high * (128 / 0x1.62e42fefa39efp-1) + TO_WHOLE - TO_WHOLE;
    DoubleDouble r = two_sum(x.high - n * step_part[0], -n * step_part[1]);
    return exp_reduced(n, r.high, r.low + (x.low - n * step_part[2]));
}

/* The value, rounded to a double: once where it is normal. */
static double exp_round(Exponential e) {
    return e.exponent > -1021 ? scale(e.value.high + e.value.low, e.exponent)
                              : scale(e.value.high, e.exponent) + scale(e.value.low, e.exponent);
}

double fixed_exp(double x) {
    if (isnan(x)) return x;
    if (x > 709.8) return INFINITY;
    if (x < -746) return 0;
    return exp_round(exp_pair((DoubleDouble){ x, 0 }));
}

double fixed_exp2(double x) {
    if (isnan(x)) return x;
    if (x >= 1024) return INFINITY;
    if (x < -1076) return 0;
    double n = x * 128 + TO_WHOLE - TO_WHOLE;
    DoubleDouble r = two_product(x - n / 128, ln2_part[0]);
    return exp_round(exp_reduced(n, r.high, r.low + (x - n / 128) * ln2_part[1]));
}

/* e^x − 1 as a pair, for −40 < x < 700. */
static DoubleDouble expm1_pair(double x) {
    if (fabs(x) < 0.0027) {
        double q = x * x * (1.0 / 2 + x * (1.0 / 6 + x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720)))));
        return fast_sum(x, q);
    }
    Exponential e = exp_pair((DoubleDouble){ x, 0 });
    DoubleDouble s = two_sum(scale(e.value.high, e.exponent), -1);
    return fast_sum(s.high, s.low + scale(e.value.low, e.exponent));
}

double fixed_expm1(double x) {
    if (isnan(x) || fabs(x) < 0x1p-54) return x;
    if (x >= 700) return fixed_exp(x);
    return x < -40 ? -1 : expm1_pair(x).high;
}

/* ln(x) as a pair, x finite and above 0: x = 2^k z, z·near − 1 = r exactly, ln x = k ln 2 − ln near + ln(1 + r). */
static DoubleDouble log_pair(double x) {
    int k = 0;
    if (x < 0x1p-1022) x *= 0x1p54, k = -54;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    k += (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | UINT64_C(1023) << 52;
    double z;
    memcpy(&z, &bits, sizeof z);
    if (z >= 1.4140625) z /= 2, k++;
    int i = (int)(z * 128) - LOG_FIRST;
    /* z in two halves of 27 bits, each times nine bits: exact */
    memcpy(&bits, &z, sizeof bits);
    bits &= ~UINT64_C(0x3ffffff);
    double top;
    memcpy(&top, &bits, sizeof top);
    double near = log_table[i].near;
    DoubleDouble r = two_sum(top * near - 1, (z - top) * near);
    /* ln(1 + r) = r − r²/2 + r³(1/3 − r/4 + …), |r| < 2^-7 */
    double h = r.high;
    double tail =
        h * h * h *
        (1.0 / 3 -
         h * (1.0 / 4 - h * (1.0 / 5 - h * (1.0 / 6 - h * (1.0 / 7 - h * (1.0 / 8 - h * (1.0 / 9 - h * (1.0 / 10 - h * (1.0 / 11)))))))));
    DoubleDouble square = two_product(h, -h / 2), sum = fast_sum(h, square.high);
    sum.low += square.low + (r.low - h * r.low) + tail;
    DoubleDouble far = two_sum(k * ln2_part[0], log_table[i].high), all = two_sum(far.high, sum.high);
    return fast_sum(all.high, all.low + (far.low + (sum.low + log_table[i].low + k * ln2_part[1])));
}

/* What ln gives where x is not finite and positive; true where that is the answer. */
static bool log_edge(double x, double *out) {
    if (x > 0 && x < INFINITY) return false;
    *out = isnan(x) ? x : x == 0 ? -INFINITY : x < 0 ? NAN : x;
    return true;
}

double fixed_log(double x) {
    double edge;
    return log_edge(x, &edge) ? edge : log_pair(x).high;
}

double fixed_log1p(double x) {
    double edge;
    if (log_edge(1 + x, &edge)) return x < -1 || isnan(x) || x == INFINITY || x == -1 ? edge : x;
    if (fabs(x) < 0x1p-54) return x;
    DoubleDouble u = two_sum(1, x), l = log_pair(u.high);
    return l.high + (l.low + u.low / u.high);
}

static double log_over(double x, DoubleDouble base) {
    double edge;
    return log_edge(x, &edge) ? edge : pair_over(log_pair(x), base).high;
}
double fixed_log2(double x) { return log_over(x, (DoubleDouble){ ln2_part[0], ln2_part[1] }); }
double fixed_log10(double x) { return log_over(x, (DoubleDouble){ ln10_part[0], ln10_part[1] }); }

/* 0 not whole, 1 odd, 2 even. */
static int parity(double y) {
    if (fabs(y) >= 0x1p53) return 2;
    return floor(y) != y ? 0 : fmod(y, 2) != 0 ? 1 : 2;
}

/* The cases of pow without a finite positive base and a finite exponent (C17 F.10.4.4). */
static double pow_edge(double x, double y) {
    int whole = isinf(y) ? 2 : parity(y);
    if (isnan(x) || isnan(y)) return x + y;
    if (isinf(y)) return fabs(x) == 1 ? 1 : (fabs(x) > 1) == (y > 0) ? INFINITY : 0;
    double size = (x == 0) == (y > 0) ? 0 : INFINITY; /* x is 0 or infinite */
    return whole == 1 ? copysign(size, x) : size;
}

double fixed_pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (y == 2) return x * x; /* the commonest, and exact to the last bit */
    if (isnan(x) || isnan(y) || isinf(x) || isinf(y) || x == 0) return pow_edge(x, y);
    double sign = 1;
    if (x < 0) {
        int whole = parity(y);
        if (!whole) return NAN;
        sign = whole == 1 ? -1 : 1;
    }
    DoubleDouble l = log_pair(fabs(x));
    double rough = y * l.high;
    if (rough > 710) return sign * INFINITY;
    if (rough < -750) return sign * 0;
    if (fabs(rough) < 0x1p-60) return sign;
    DoubleDouble p = two_product(y, l.high);
    return sign * exp_round(exp_pair(fast_sum(p.high, p.low + y * l.low)));
}

double fixed_cbrt(double x) {
    if (x == 0 || isnan(x) || isinf(x)) return x;
    return copysign(exp_round(exp_pair(pair_over(log_pair(fabs(x)), (DoubleDouble){ 3, 0 }))), x);
}

/* With E = e^|x| − 1: sinh = (E + E/(E+1))/2, cosh = 1 + E²/(2(E+1)), tanh = E'/(E'+2) with E' of 2|x|. */
double fixed_sinh(double x) {
    double a = fabs(x);
    if (isnan(x) || isinf(x) || a < 0x1p-28) return x;
    if (a > 690) {
        double half = fixed_exp(a / 2);
        return copysign(half / 2 * half, x);
    }
    DoubleDouble e = expm1_pair(a), s = pair_add(e, pair_over(e, pair_add(e, (DoubleDouble){ 1, 0 })));
    return copysign(s.high / 2, x);
}

double fixed_cosh(double x) {
    double a = fabs(x);
    if (isnan(x)) return x;
    if (a > 690) {
        double half = fixed_exp(fmin(a, 1500) / 2);
        return half / 2 * half;
    }
    DoubleDouble e = expm1_pair(a), one = pair_add(e, (DoubleDouble){ 1, 0 });
    return pair_add(one, pair_over((DoubleDouble){ 1, 0 }, one)).high / 2;
}

double fixed_tanh(double x) {
    double a = fabs(x);
    if (isnan(x) || a < 0x1p-28) return x;
    if (a > 20) return copysign(1, x);
    DoubleDouble e = expm1_pair(2 * a);
    return copysign(pair_over(e, pair_add(e, (DoubleDouble){ 2, 0 })).high, x);
}

static double log_twice(double x) { return pair_add(log_pair(x), (DoubleDouble){ ln2_part[0], ln2_part[1] }).high; }

double fixed_asinh(double x) {
    double a = fabs(x);
    if (isnan(x) || isinf(x) || a < 0x1p-28) return x;
    if (a > 0x1p28) return copysign(log_twice(a), x);
    return copysign(fixed_log1p(a + a * a / (1 + sqrt(a * a + 1))), x);
}

double fixed_acosh(double x) {
    if (isnan(x) || x < 1) return NAN;
    if (x > 0x1p28) return isinf(x) ? x : log_twice(x);
    double t = x - 1;
    return fixed_log1p(t + sqrt(2 * t + t * t));
}

double fixed_atanh(double x) {
    double a = fabs(x);
    if (isnan(x) || a > 1) return NAN;
    if (a < 0x1p-28) return x;
    return copysign(a < 0.5 ? fixed_log1p(2 * a + 2 * a * a / (1 - a)) / 2 : fixed_log1p(2 * a / (1 - a)) / 2, x);
}
