/* Reals as text: read correctly rounded, written with the fewest digits that read back equal. */
#include "base/number_text.h"
#include <locale.h>
#include <stdlib.h>
#include "base/digits.h"
#include "base/elementary.h"
#include "base/shortest_digits.h"
#include "powers.h"

#define INLINE static inline __attribute__((always_inline))

static const double exact_power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* ---- reading ---- */

/* A number as scanned: significand · 10^exponent, where digits beyond the nineteenth were dropped. */
typedef struct Decimal {
    uint64_t significand;
    int64_t exponent;
    bool negative, truncated;
    const char *first, *point, *last;
} Decimal;

/* The rare hard case: all the digits (800 decide; a further non-zero one only breaks ties) through the library's exact reader. */
static double read_exactly(const Decimal *decimal, int64_t exponent) {
    char text[864];
    size_t count = 0;
    bool beyond = false;
    const char *p = decimal->first;
    while (p < decimal->last && (*p == '0' || p == decimal->point)) p++;
    for (; p < decimal->last; p++) {
        if (p == decimal->point) continue;
        if (count < 800) text[count++] = *p;
        else {
            beyond |= *p != '0';
            exponent++;
        }
    }
    if (beyond) {
        text[count++] = '1';
        exponent--;
    }
    text[count++] = 'e';
    exponent = exponent < -99999 ? -99999 : exponent > 99999 ? 99999 : exponent;
    text[count + write_integer(exponent, text + count)] = 0;
    locale_t plain = newlocale(LC_ALL_MASK, "C", NULL);
    double value = plain ? strtod_l(text, NULL, plain) : strtod(text, NULL);
    if (plain) freelocale(plain);
    return value;
}

static double to_real(const Decimal *decimal) {
    uint64_t w = decimal->significand, bits, next;
    int64_t q = decimal->exponent;
    if (w == 0) return 0;
    if (w <= (uint64_t)1 << 53 && q >= -22 && q <= 22 && !decimal->truncated) /* one rounding: W. Clinger, PLDI 1990 */
        return q < 0 ? (double)w / exact_power[-q] : (double)w * exact_power[q];
    if (nearest_bits(w, q, &bits) && (!decimal->truncated || (nearest_bits(w + 1, q, &next) && bits == next))) return real_from_bits(bits);
    return NAN; /* undecided */
}

/* The exponent's digits; a huge one is kept from overflowing. */
static bool read_exponent(const char *p, const char *end, int64_t *out) {
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p == end) return false;
    int64_t value = 0;
    for (; p < end && is_digit(*p); p++) value = value < 100000000 ? value * 10 + (*p - '0') : value;
    *out = negative ? -value : value;
    return p == end;
}

/* More than nineteen digits: the first nineteen that count, and how far the rest moves the exponent. */
static void scan_long(Decimal *decimal) {
    const char *p = decimal->first;
    uint64_t w = 0;
    int digits = 0;
    int64_t left = 0;
    while (p < decimal->last && (*p == '0' || p == decimal->point)) p++;
    for (; p < decimal->last; p++) {
        if (p == decimal->point) continue;
        if (digits < 19) {
            w = w * 10 + (uint64_t)(*p - '0');
            digits++;
        } else {
            left++;
            decimal->truncated |= *p != '0';
        }
    }
    decimal->significand = w;
    decimal->exponent += left;
}

bool read_real(const char *text, const char *end, char decimal, double *out) {
    Decimal number = { .negative = text < end && *text == '-' };
    const char *p = text + (text < end && (*text == '-' || *text == '+'));
    number.first = p;
    p = take_digits(p, end, &number.significand);
    int64_t digits = p - number.first, fraction = 0;
    number.point = p;
    if (p < end && *p == decimal) {
        p = take_digits(p + 1, end, &number.significand);
        fraction = p - number.point - 1;
    }
    number.last = p;
    digits += fraction;
    if (digits == 0) return false;
    int64_t exponent = 0;
    if (p < end && ((*p != 'e' && *p != 'E') || !read_exponent(p + 1, end, &exponent))) return false;
    number.exponent = exponent - fraction;
    if (digits > 19) scan_long(&number);
    double value = to_real(&number);
    if (value != value) value = read_exactly(&number, exponent - fraction);
    *out = number.negative ? -value : value;
    return value <= 1.7976931348623157e308;
}

/* ---- writing ---- */

/* g · c / 2^128 rounded to odd: the last bit says that something was lost. */
static uint64_t round_to_odd(uint64_t high, uint64_t low, uint64_t c) {
    uint64_t x = (uint64_t)(((WideDigits)low * c) >> 64);
    WideDigits y = (WideDigits)high * c + x;
    return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

/* The shortest decimal s · 10^k in the interval that rounds to c · 2^q, the nearest to it among those. R. Giulietti, "The Schubfach way to
 * render doubles" (2020), figure 4. `closer`: c is a power of two, so that the double below is nearer. */
static uint64_t shortest(uint64_t c, int64_t q, bool closer, int64_t *power) {
    bool odd = c & 1;
    int64_t k = (q * 1262611 - (closer ? 524031 : 0)) >> 22; /* floor(log10(2^q)), or of 3/4·2^q */
    int64_t h = q + ((-k * 1741647) >> 19) + 1;              /* floor(log2(10^-k)) */
    uint64_t high = power_of_ten[-k - POWER_LOWEST].high, low = power_of_ten[-k - POWER_LOWEST].low;
    uint64_t below = round_to_odd(high, low, (4 * c - 2 + closer) << h) + odd;
    uint64_t value = round_to_odd(high, low, (4 * c) << h);
    uint64_t above = round_to_odd(high, low, (4 * c + 2) << h) - odd;
    uint64_t s = value / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = below <= 40 * tens, up = 40 * tens + 40 <= above;
        if (down != up) {
            *power = k + 1;
            return tens + up;
        }
    }
    *power = k;
    bool down = below <= 4 * s, up = 4 * s + 4 <= above;
    if (down != up) return s + up;
    return s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1)));
}

INLINE Shortest without_zeros(Shortest number) {
    if (number.digits % 10) return number;
    if (number.digits % 100000000 == 0) {
        number.digits /= 100000000;
        number.power = (int16_t)(number.power + 8);
        number.count = (int16_t)(number.count - 8);
    }
    if (number.digits % 10000 == 0) {
        number.digits /= 10000;
        number.power = (int16_t)(number.power + 4);
        number.count = (int16_t)(number.count - 4);
    }
    while (number.digits % 10 == 0) {
        number.digits /= 10;
        number.power++;
        number.count--;
    }
    return number;
}

/* Most reals people write have at most fifteen digits: then these digits, divided by a power of ten, give the real back, and no other
 * fifteen do. 1e-5 <= value < 1e15; the division rounds once, as reading does. False where it takes more digits. */
INLINE bool fifteen_digits(double value, int64_t exponent, Shortest *out) {
    int64_t before = ((exponent - 1023) * 1233) >> 12; /* floor(log10 value), or one less */
    before += before + 1 < 0 ? value * exact_power[-before - 1] >= 1 : value >= exact_power[before + 1];
    int64_t fraction = 14 - before;
    int64_t digits = (int64_t)(value * exact_power[fraction] + 0.5);
    *out = (Shortest){ (uint64_t)digits, (int16_t)-fraction, 15, false, false };
    return (double)digits / exact_power[fraction] == value;
}

/* Any positive finite real. */
static Shortest any_digits(uint64_t bits) {
    uint64_t digits;
    int quick;
    if (quick_digits(bits, &digits, &quick))
        return without_zeros((Shortest){ digits, (int16_t)quick, (int16_t)digit_count(digits), false, false });
    int64_t exponent = (int64_t)(bits >> 52), power = 0;
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1), c = exponent ? fraction | (uint64_t)1 << 52 : fraction;
    int64_t q = (exponent ? exponent : 1) - 1075;
    if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0) digits = c >> -q;
    else digits = shortest(c, q, fraction == 0 && exponent > 1, &power);
    return without_zeros((Shortest){ digits, (int16_t)power, (int16_t)digit_count(digits), false, false });
}

INLINE Shortest digits_of(double value) {
    uint64_t bits;
    Shortest number;
    memcpy(&bits, &value, sizeof bits);
    if (value >= 1e-5 && value < 1e15 && fifteen_digits(value, (int64_t)(bits >> 52), &number)) return without_zeros(number);
    return any_digits(bits);
}

/* Up to sixteen digits as characters, the first in the lowest byte. */
INLINE WideDigits characters(uint64_t value, int count) {
    uint64_t upper = value / 100000000u;
    return ((WideDigits)eight_characters(value - upper * 100000000u) << 64 | eight_characters(upper)) >> (8 * (16 - count));
}
INLINE void store_sixteen(char *p, WideDigits word) {
    store_eight(p, (uint64_t)word);
    store_eight(p + 8, (uint64_t)(word >> 64));
}

/* The digits (at most seventeen) with a point after the first `point` of them, 0 < point < count; or with none where point is count. The
 * digits are kept in registers and stored twice, the second time one place further, which is faster than moving them in memory. */
INLINE void put_pointed(uint64_t value, int count, int64_t point, char *out) {
    const uint64_t sixteen = 10000000000000000u;
    if (count == 17) {
        *out++ = (char)('0' + value / sixteen);
        value %= sixteen;
        count--;
        point--;
    }
    WideDigits digits = characters(value, count);
    store_sixteen(out, digits);
    if (point == count) return;
    store_sixteen(out + point + 1, digits >> (8 * point));
    out[point] = '.';
}

INLINE size_t put_plain(uint64_t value, int count, int64_t power, char *out) {
    int64_t point = count + power; /* digits before the point */
    if (point <= 0) {
        memcpy(out, "0.000000", 8);
        put_pointed(value, count, count, out + 2 - point);
        return (size_t)(2 - point + count);
    }
    put_pointed(value, count, power < 0 ? point : count, out);
    if (power < 0) return (size_t)count + 1;
    memset(out + count, '0', 24);
    return (size_t)point;
}

/* Needs 64 bytes of room. */
INLINE size_t put_decimal(bool negative, Shortest number, char *out) {
    int64_t point = number.count + number.power;
    out[0] = '-';
    out += negative;
    if (point <= 21 && point >= -5) return put_plain(number.digits, number.count, number.power, out) + negative;
    put_pointed(number.digits, number.count, 1, out);
    char *p = out + number.count + (number.count > 1);
    *p++ = 'e';
    return (size_t)(p - out) + write_integer(point - 1, p) + negative;
}

/* Zero, not a number and the infinities; 0 where it is none of them. */
static size_t put_special(double value, char *out) {
    if (value != value) {
        memcpy(out, "nan", 3);
        return 3;
    }
    size_t sign = signbit(value) ? 1 : 0;
    if (value == 0) {
        memcpy(out, sign ? "-0" : "0", sign + 1);
        return sign + 1;
    }
    if (!isinf(value)) return 0;
    memcpy(out, sign ? "-inf" : "inf", sign + 3);
    return sign + 3;
}

static bool is_special(double value) { return value == 0 || !(fabs(value) <= 1.7976931348623157e308); }

Shortest shortest_real(double value) {
    double size = fabs(value);
    uint64_t bits;
    if (is_special(value)) return (Shortest){ .special = true };
    memcpy(&bits, &size, sizeof bits);
    Shortest number = any_digits(bits);
    number.negative = value < 0;
    return number;
}

size_t write_real(double value, char *out) {
    char text[64];
    size_t count = is_special(value) ? put_special(value, text) : put_decimal(value < 0, digits_of(fabs(value)), text);
    memcpy(out, text, count);
    return count;
}

const char *real_text(double value, char out[33]) {
    out[write_real(value, out)] = 0;
    return out;
}

/* Rounds the shortest digits half away from zero, as people do: 0.15 to one digit is 0.2. */
const char *real_short(double value, int digits, char out[33]) {
    size_t special = put_special(value == 0 ? 0 : value, out);
    out[special] = 0;
    if (special) return out;
    Shortest number = digits_of(fabs(value));
    int drop = number.count - (digits < 1 ? 1 : digits);
    for (int i = 0; i < drop; i++, number.power++) number.digits = i + 1 < drop ? number.digits / 10 : (number.digits + 5) / 10;
    number.count = (int16_t)digit_count(number.digits);
    char text[64];
    size_t count = put_decimal(value < 0, without_zeros(number), text);
    memcpy(out, text, count);
    out[count] = 0;
    return out;
}
