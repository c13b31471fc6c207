/* Numbers of a column as text, without a branch that depends on how many digits they have. */
#include "io/csv/number_cells.h"
#include <string.h>
#include "base/digits.h"
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/shortest_digits.h"
#include "io/csv/number_cells_wide.h"

#define INLINE static inline __attribute__((always_inline))

static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16 };

static const uint64_t EIGHT = 100000000u, SIXTEEN = 10000000000000000u; /* the first that take a digit more */
static const uint64_t NO_FIT = UINT64_MAX;                              /* more decimals than were thought */

/* ---- fifteen digits at most ----
 *
 * Where n < 10^15 and n / 10^k, rounded once, is the real, n · 10^-k reads back as it, and no other number of so few digits does: without
 * its trailing zeros it is the shortest. */

INLINE bool scaled(double size, int decimals, uint64_t *n) {
    double product = size * power[decimals];
    if (!(product < 1e15)) return false;
    *n = (uint64_t)(int64_t)(product + 0.5);
    return (double)(int64_t)*n / power[decimals] == size;
}

/* Eight digits of which the last `decimals`, 1 to 7, stand behind the point; `used` says which are not 0. All are stored, the point over
 * one of them and what stands behind it once more: what is not needed is not counted. A bit more in `used` keeps a digit before the point,
 * and one behind it where there must be one. */
INLINE void put_eight(uint64_t word, unsigned used, int decimals, bool negative, CellLook look, TextCell *cell) {
    int first = __builtin_ctz(used | 1u << (7 - decimals)), whole = 8 - decimals - first;
    int fraction = 24 + decimals - __builtin_clz(used | 1u << (7 - decimals + look.point));
    char *p = cell->text;
    *p = '-';
    p += negative;
    word >>= 8 * first;
    store_eight(p, word);
    store_eight(p + whole + 1, word >> (8 * whole));
    p[whole] = look.decimal;
    cell_close(cell, (size_t)(negative + whole + fraction + (fraction > 0)), look.separator);
}

/* The same for sixteen digits, of which `whole`, 0 to 15, stand before the point. Returns how many decimals it takes. */
INLINE int put_pointed(TwoEights two, int whole, CellLook look, char *p) {
    store_eight(p, two.word[0]);
    if (whole < 8) {
        store_eight(p + whole + 1, two.word[0] >> (8 * whole));
        store_eight(p + 9, two.word[1]);
    } else {
        store_eight(p + 8, two.word[1]);
        store_eight(p + whole + 1, two.word[1] >> (8 * whole - 64));
    }
    p[whole] = look.decimal;
    return 31 - __builtin_clz(two.used << 1 | 1u << (whole + look.point)) - whole;
}
INLINE int put_sixteen(uint64_t n, int whole, bool negative, CellLook look, TextCell *cell) {
    cell->text[0] = '-';
    int fraction = put_pointed(two_eights(n / EIGHT, n % EIGHT), whole, look, cell->text + negative);
    cell_close(cell, (size_t)(negative + whole + fraction + (fraction > 0)), look.separator);
    return fraction;
}

/* More than eight digits: filled up with zeros. */
INLINE void put_scaled(uint64_t n, int decimals, bool negative, CellLook look, TextCell *cell) {
    int digits = digit_count(n);
    put_sixteen(n * (uint64_t)(int64_t)power[16 - digits], digits - decimals, negative, look, cell);
}

/* As many decimals as fifteen digits leave; false also for the few sizes that this cannot do. */
INLINE bool fifteen(double size, int *whole, uint64_t *n) {
    uint64_t bits;
    if (!(size >= 0.125 && size < 1e14)) return false;
    memcpy(&bits, &size, sizeof bits);
    int before = (((int)(bits >> 52) - 1023) * 1233) >> 12; /* floor(log10 size), or one less */
    before += size >= power[before + 1];
    if (!scaled(size, 14 - before, n)) return false;
    *whole = before < 0 ? 1 : before + 1;
    *n *= before < 0 ? 1 : 10;
    return *n < SIXTEEN;
}

/* ---- all reals ---- */

/* Seventeen digits n / 10^16, 10^point times over, -5 <= point <= 15: the first of them by itself. Returns how many there are without
 * trailing zeros. */
INLINE int put_seventeen(uint64_t n, int point, bool negative, CellLook look, TextCell *cell) {
    uint64_t first = n / SIXTEEN, upper = n / EIGHT;
    TwoEights two = two_eights(upper - first * EIGHT, n - upper * EIGHT);
    int count = 32 - __builtin_clz(two.used << 1 | 1);
    char *p = cell->text;
    *p = '-';
    p += negative;
    if (point > 0) {
        *p = (char)('0' + first);
        int fraction = put_pointed(two, point - 1, look, p + 1);
        p += point + fraction + (fraction > 0);
    } else {
        memcpy(p, "0.000000", 8);
        p[1] = look.decimal;
        p += 2 - point;
        *p = (char)('0' + first);
        store_eight(p + 1, two.word[0]);
        store_eight(p + 9, two.word[1]);
        p += count;
    }
    cell_close(cell, (size_t)(p - cell->text), look.separator);
    return count;
}

/* Also a number that looks like an integer which no double holds gets its ".0", so that it is read as a real. */
__attribute__((noinline)) static void put_odd(double value, CellLook look, TextCell *cell) {
    char text[64];
    if (value != value) {
        cell_close(cell, 0, look.separator);
        return;
    }
    size_t count = write_real(value, text);
    bool large = fabs(value) >= 0x1p53 && fabs(value) < 1e21;
    if ((look.point || large) && isfinite(value) && !memchr(text, 'e', count) && !memchr(text, '.', count)) {
        memcpy(text + count, ".0", 2);
        count += 2;
    }
    if (look.decimal != '.') {
        char *mark = memchr(text, '.', count);
        if (mark) *mark = look.decimal;
    }
    memcpy(cell->text, text, CELL_TEXT);
    cell_close(cell, count, look.separator);
}

/* The digits of a real, seventeen and where the point stands among them; ODD: to be written as put_odd does. */
enum { ODD = 99 };
typedef struct Digits {
    uint64_t n;
    int point;
} Digits;

__attribute__((noinline)) static Digits slow_digits(double value) {
    if (value == 0) return (Digits){ 0, 1 };
    Shortest shortest = shortest_real(value);
    if (shortest.special) return (Digits){ 0, ODD };
    return (Digits){ shortest.digits * (uint64_t)(int64_t)power[17 - shortest.count], shortest.count + shortest.power };
}
INLINE Digits digits_of(double value) {
    Digits digits;
    int places;
    if (!quick_digits(real_bits(fabs(value)), &digits.n, &places)) return slow_digits(value);
    int sixteen = digits.n < SIXTEEN;
    digits.n *= 1 + 9 * (uint64_t)sixteen;
    digits.point = places + 17 - sixteen;
    return digits;
}

/* Whether fifteen digits were enough. */
INLINE bool put_digits_of(double value, Digits digits, CellLook look, TextCell *cell) {
    if (digits.point >= -5 && digits.point <= 15) return put_seventeen(digits.n, digits.point, signbit(value), look, cell) <= 15;
    put_odd(value, look, cell);
    return false;
}

__attribute__((noinline)) static void put_any(double value, CellLook look, TextCell *cell) {
    put_digits_of(value, digits_of(value), look, cell);
}

static void put_alone(double value, uint64_t n, int decimals, CellLook look, TextCell *cell) {
    if (n == NO_FIT) put_any(value, look, cell);
    else if (n < EIGHT) put_eight(two_eights(n, 0).word[0], two_eights(n, 0).used & 0xFF, decimals, signbit(value), look, cell);
    else put_scaled(n, decimals, signbit(value), look, cell);
}

/* Two at a time, as most have no more than eight digits. */
static void with_decimals(const double *values, int64_t count, int decimals, CellLook look, TextCell *out, Seen *seen) {
    uint64_t n[CELLS_AT_ONCE + 1];
    for (int64_t i = 0; i < count; i++) {
        bool fits = scaled(fabs(values[i]), decimals, &n[i]);
        if (!fits) n[i] = NO_FIT;
        seen->fit += fits;
    }
    n[count] = NO_FIT;
    for (int64_t i = 0; i < count; i += 2) {
        if (n[i] < EIGHT && n[i + 1] < EIGHT) {
            TwoEights two = two_eights(n[i], n[i + 1]);
            put_eight(two.word[0], two.used & 0xFF, decimals, signbit(values[i]), look, &out[i]);
            put_eight(two.word[1], two.used >> 8, decimals, signbit(values[i + 1]), look, &out[i + 1]);
            continue;
        }
        put_alone(values[i], n[i], decimals, look, &out[i]);
        if (i + 1 < count) put_alone(values[i + 1], n[i + 1], decimals, look, &out[i + 1]);
    }
}

static void with_fifteen(const double *values, int64_t count, CellLook look, TextCell *out, Seen *seen) {
    uint64_t n;
    for (int64_t i = 0; i < count; i++) {
        int whole;
        double size = fabs(values[i]);
        if (fifteen(size, &whole, &n)) {
            int fraction = put_sixteen(n, whole, signbit(values[i]), look, &out[i]);
            seen->fit++;
            seen->decimals = fraction > seen->decimals ? fraction : seen->decimals;
            seen->largest = size > seen->largest ? size : seen->largest;
        } else {
            put_any(values[i], look, &out[i]);
        }
    }
}

/* First the digits of all: found so, they need not wait for one another. */
static void with_any(const double *values, int64_t count, CellLook look, TextCell *out, Seen *seen) {
    Digits digits[CELLS_AT_ONCE];
    for (int64_t i = 0; i < count; i++) digits[i] = digits_of(values[i]);
    for (int64_t i = 0; i < count; i++) seen->fit += put_digits_of(values[i], digits[i], look, &out[i]);
}

static void with_wide(const double *values, int64_t count, CellLook look, TextCell *out, Seen *seen) {
    uint8_t odd[CELLS_AT_ONCE / 8];
    int64_t eights = count / 8;
    csv_wide_cells(values, eights, look, out, odd, seen);
    for (int64_t j = 0; j < eights; j++)
        for (unsigned left = odd[j]; left; left &= left - 1) {
            int64_t i = 8 * j + __builtin_ctz(left);
            put_any(values[i], look, &out[i]);
        }
    for (int64_t i = 8 * eights; i < count; i++) put_any(values[i], look, &out[i]);
}

/* One number in eight may take the long way. */
static int next_digits(int digits, int64_t count, const Seen *seen) {
    bool most = seen->fit >= count - count / 8;
    if (digits > 0) return most ? digits : FIFTEEN_DIGITS;
    if (digits == ANY_DIGITS) return most ? FIFTEEN_DIGITS : ANY_DIGITS;
    if (seen->fit < count / 2) return ANY_DIGITS;
    int decimals = seen->decimals ? seen->decimals : 1;
    return most && decimals <= MOST_DECIMALS && seen->largest * power[decimals] < 1e14 ? decimals : FIFTEEN_DIGITS;
}

void csv_real_cells(const double *values, int64_t count, CellLook look, int *digits, TextCell *out) {
    Seen seen = { 0 };
    if (*digits > 0) with_decimals(values, count, *digits, look, out, &seen);
    else if (look.wide) with_wide(values, count, look, out, &seen);
    else if (*digits == FIFTEEN_DIGITS) with_fifteen(values, count, look, out, &seen);
    else with_any(values, count, look, out, &seen);
    *digits = next_digits(*digits, count, &seen);
}

/* ---- whole numbers ---- */

static uint64_t size_of(int64_t value) { return value < 0 ? 0 - (uint64_t)value : (uint64_t)value; }

INLINE void put_whole(uint64_t word, unsigned used, bool negative, char separator, TextCell *cell) {
    int first = __builtin_ctz(used | 1u << 7);
    cell->text[0] = '-';
    store_eight(cell->text + negative, word >> (8 * first));
    cell_close(cell, (size_t)(negative + 8 - first), separator);
}

static void put_integer(int64_t value, char separator, TextCell *cell) { cell_close(cell, write_integer(value, cell->text), separator); }

static void wide_integers(const int64_t *values, int64_t count, char separator, TextCell *out) {
    uint8_t odd[CELLS_AT_ONCE / 8];
    int64_t eights = count / 8;
    csv_wide_integers(values, eights, separator, out, odd);
    for (int64_t j = 0; j < eights; j++)
        for (unsigned left = odd[j]; left; left &= left - 1) {
            int64_t i = 8 * j + __builtin_ctz(left);
            put_integer(values[i], separator, &out[i]);
        }
    for (int64_t i = 8 * eights; i < count; i++) put_integer(values[i], separator, &out[i]);
}

void csv_integer_cells(const int64_t *values, int64_t count, CellLook look, TextCell *out) {
    int64_t i = 0;
    if (look.wide) {
        wide_integers(values, count, look.separator, out);
        return;
    }
    while (i < count) {
        if (i + 1 < count && size_of(values[i]) < EIGHT && size_of(values[i + 1]) < EIGHT) {
            TwoEights two = two_eights(size_of(values[i]), size_of(values[i + 1]));
            put_whole(two.word[0], two.used & 0xFF, values[i] < 0, look.separator, &out[i]);
            put_whole(two.word[1], two.used >> 8, values[i + 1] < 0, look.separator, &out[i + 1]);
            i += 2;
        } else {
            put_integer(values[i], look.separator, &out[i]);
            i++;
        }
    }
}
