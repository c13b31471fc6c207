/* Numbers of a column as CSV cells. Digits come from the fast path of base/shortest_digits.h; rare forms from write_real. */
#include "io/csv/number_cells.h"
#include <string.h>
#include "base/digits.h"
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/shortest_digits.h"

#define INLINE static inline __attribute__((always_inline))

static const uint64_t EIGHT = 100000000u, SIXTEEN = 10000000000000000u; /* the smallest numbers with more than 8 and 16 digits */

/* Sixteen digits, `whole` (0 to 15) of them before the point; returns how many decimals there are without trailing zeros. The digits behind
 * the point are stored twice, once where the point goes, so that no branch depends on their number. */
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
    uint64_t n = shortest.digits;
    for (int i = shortest.count; i < 17; i++) n *= 10;
    return (Digits){ n, shortest.count + shortest.power };
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

void csv_real_cells(const double *values, int64_t count, CellLook look, TextCell *out) {
    for (int64_t i = 0; i < count; i++) {
        Digits digits = digits_of(values[i]);
        if (digits.point >= -5 && digits.point <= 15) put_seventeen(digits.n, digits.point, signbit(values[i]), look, &out[i]);
        else put_odd(values[i], look, &out[i]);
    }
}

void csv_integer_cells(const int64_t *values, int64_t count, CellLook look, TextCell *out) {
    for (int64_t i = 0; i < count; i++) cell_close(&out[i], write_integer(values[i], out[i].text), look.separator);
}
