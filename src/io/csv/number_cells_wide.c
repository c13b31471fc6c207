/* Numbers as cells, eight at a time. Each step is that of quick_digits (base/shortest_digits.h) or two_eights (base/digits.h), in eight lanes.
 */
#include "io/csv/number_cells_wide.h"
#include "base/digits.h"
#include "base/shortest_digits.h"
#if defined(__x86_64__)
#include <immintrin.h>

#define WIDE __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512ifma,avx512vbmi,avx512vl")))
#define WIDE_INLINE                                                                                                                        \
    static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512cd,avx512dq,avx512ifma,avx512vbmi,avx512vl")))

bool csv_cells_wide(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vl");
}

/* ---- where the characters of a cell come from ----
 *
 * Of 32 bytes: the second to the seventeenth digit, the first, and what else a number has. A row for each place of the point among the
 * digits, -5 to 15, and for sixteen digits (where the first is left out); it begins with the minus, which is stepped over. */
enum { FIRST = 16, MINUS, ZERO, POINT, LOWEST_POINT = -5, HIGHEST_POINT = 15, ROW = 33 };
#define DIGIT(j) ((j) == 0 ? FIRST : ((j)-1) & 31)
#define CHARACTER(i, p, s)                                                                                                                 \
    (uint8_t)((i) < 0                      ? MINUS                                                                                         \
              : (i) == ((p) > 0 ? (p) : 1) ? POINT                                                                                         \
              : (p) > 0                    ? DIGIT((i) - ((i) > (p)) + (s))                                                                \
              : (i) < 2 - (p)              ? ZERO                                                                                          \
                                           : DIGIT((i) - (2 - (p)) + (s)))
#define FOUR(i, p, s) CHARACTER(i, p, s), CHARACTER((i) + 1, p, s), CHARACTER((i) + 2, p, s), CHARACTER((i) + 3, p, s)
#define SIXTEEN_OF(i, p, s) FOUR(i, p, s), FOUR((i) + 4, p, s), FOUR((i) + 8, p, s), FOUR((i) + 12, p, s)
#define ROW_OF(p, s)                                                                                                                       \
    { CHARACTER(-1, p, s), SIXTEEN_OF(0, p, s), SIXTEEN_OF(16, p, s) }
#define ROWS_OF(p) ROW_OF(p, 0), ROW_OF(p, 1)
static const uint8_t source[2 * (HIGHEST_POINT - LOWEST_POINT + 1)][ROW] = {
    ROWS_OF(-5), ROWS_OF(-4), ROWS_OF(-3), ROWS_OF(-2), ROWS_OF(-1), ROWS_OF(0),  ROWS_OF(1),
    ROWS_OF(2),  ROWS_OF(3),  ROWS_OF(4),  ROWS_OF(5),  ROWS_OF(6),  ROWS_OF(7),  ROWS_OF(8),
    ROWS_OF(9),  ROWS_OF(10), ROWS_OF(11), ROWS_OF(12), ROWS_OF(13), ROWS_OF(14), ROWS_OF(15)
};

/* ---- digits ---- */

WIDE_INLINE __m512i all(int64_t value) { return _mm512_set1_epi64(value); }

/* A real as x · 10^k, x = whole + behind / 2^52; what lies within reach / 2^52 of x reads back.
 *
 * All of it is exact. A point among the digits is that of a real from 10^-6 to 10^15, whose exponent is from 1003 to 1072, so that
 * 1 <= -k <= 22: one step of c, u = 5^-k · 2^(q-k), has at most 52 bits, and 51 behind the point. As q - k < 0, x ± u/2, an odd number of
 * steps of u/2, is no whole number: nothing stands on the border of what reads back. Powers of two, to which less reads back from below,
 * have at most fifteen digits here: x is a multiple of ten itself. */
enum { LOWEST_EXPONENT = 1003, HIGHEST_EXPONENT = 1072 };
typedef struct Scaled {
    __m512i minus_k, whole, behind, reach;
} Scaled;

WIDE_INLINE Scaled scaled(__m512i exponent, __m512i fraction, __mmask8 usual) {
    const __m512i mask = all(0xFFFFFFFFFFFFF), q = _mm512_sub_epi64(exponent, all(1075));
    __m512i minus_k = _mm512_sub_epi64(all(0), _mm512_srai_epi64(_mm512_mul_epi32(q, all(1262611)), 22));
    __m512i h = _mm512_add_epi64(_mm512_add_epi64(q, all(1)), _mm512_srai_epi64(_mm512_mul_epi32(minus_k, all(1741647)), 19));
    __m512i entry = _mm512_slli_epi64(_mm512_maskz_sub_epi64(usual, minus_k, all(POWER_LOWEST)), 1);
    __m512i high = _mm512_i64gather_epi64(entry, (const void *)&power_of_ten[0].high, 8);
    /* u = u1 + u0/2^52, and x is (2^52 + fraction) · u */
    __m512i u1 = _mm512_srlv_epi64(high, _mm512_sub_epi64(all(64), h));
    __m512i u0 = _mm512_and_si512(_mm512_srlv_epi64(high, _mm512_sub_epi64(all(12), h)), mask);
    __m512i behind = _mm512_madd52lo_epu64(all(0), fraction, u0);
    __m512i whole = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(u0, fraction, u0), fraction, u1);
    whole = _mm512_add_epi64(whole, _mm512_slli_epi64(_mm512_madd52hi_epu64(u1, fraction, u1), 52));
    __m512i reach = _mm512_srli_epi64(_mm512_or_si512(_mm512_slli_epi64(u1, 52), u0), 1);
    return (Scaled){ minus_k, whole, behind, reach };
}

/* upper · 10^8 + lower: the multiple of ten that is within reach of x, else the integer nearest to it. Gives the lanes where two are.
 */
WIDE_INLINE __mmask8 rounded(const Scaled *x, __m512i *upper, __m512i *lower) {
    const __m512i eight = all(100000000), ten = all((int64_t)10 << 52);
    __m512i head =
        _mm512_srli_epi64(_mm512_madd52hi_epu64(all(0), _mm512_srli_epi64(x->whole, 8), all(3022314549036573)), 18); /* 2^70/5^8 */
    __m512i tail = _mm512_sub_epi64(x->whole, _mm512_mul_epu32(head, eight));
    __m512i tens = _mm512_mul_epu32(_mm512_srli_epi64(_mm512_mul_epu32(tail, all(0xCCCCCCCD)), 35), all(10));
    __m512i below = _mm512_or_si512(_mm512_slli_epi64(_mm512_sub_epi64(tail, tens), 52), x->behind),
            above = _mm512_add_epi64(below, x->reach);
    tail = _mm512_add_epi64(tail, _mm512_srli_epi64(x->behind, 51));
    tail = _mm512_mask_mov_epi64(tail, _mm512_cmplt_epu64_mask(below, x->reach), tens);
    tail = _mm512_mask_add_epi64(tail, _mm512_cmpgt_epu64_mask(above, ten), tens, all(10));
    __mmask8 carry = _mm512_cmpge_epu64_mask(tail, eight);
    *lower = _mm512_mask_sub_epi64(tail, carry, tail, eight);
    *upper = _mm512_mask_add_epi64(head, carry, head, all(1));
    return _mm512_cmpeq_epi64_mask(x->behind, all((int64_t)1 << 51));
}

/* Seventeen digits, first · 10^16 + upper · 10^8 + lower, where the point stands among them, and whether the first is 0 and to be left
 * out; `odd` lanes hold nothing. Zero is 0 · 10^0. */
typedef struct Lanes {
    __m512i first, upper, lower, point;
    __mmask8 sixteen, odd;
} Lanes;

WIDE_INLINE Lanes lanes_of(__m512i size) {
    const __m512i eight = all(100000000);
    __m512i fraction = _mm512_and_si512(size, all(0xFFFFFFFFFFFFF)), exponent = _mm512_srli_epi64(size, 52), upper, lower;
    __mmask8 there = _mm512_test_epi64_mask(size, size);
    __mmask8 usual = _mm512_cmple_epu64_mask(_mm512_sub_epi64(exponent, all(LOWEST_EXPONENT)), all(HIGHEST_EXPONENT - LOWEST_EXPONENT));
    Scaled x = scaled(exponent, fraction, usual);
    usual &= (__mmask8)~rounded(&x, &upper, &lower);
    upper = _mm512_maskz_mov_epi64(there, upper);
    Lanes lanes = { .lower = _mm512_maskz_mov_epi64(there, lower) };
    lanes.sixteen = _mm512_cmplt_epu64_mask(upper, eight) & there;
    lanes.first = _mm512_srli_epi64(_mm512_mul_epu32(upper, all(1441151881)), 57); /* 2^57 / 10^8 */
    lanes.upper = _mm512_sub_epi64(upper, _mm512_mul_epu32(lanes.first, eight));
    lanes.point = _mm512_mask_sub_epi64(all(1), there, all(17), x.minus_k);
    lanes.point = _mm512_mask_sub_epi64(lanes.point, lanes.sixteen, lanes.point, all(1));
    usual &= _mm512_cmple_epu64_mask(_mm512_sub_epi64(lanes.point, all(LOWEST_POINT)), all(HIGHEST_POINT - LOWEST_POINT));
    lanes.odd = there & (__mmask8)~usual;
    return lanes;
}

/* The eight digits of each, the first in the lowest byte, as 0…9. */
WIDE_INLINE __m512i digits_of(__m512i value) {
    __m512i fours = _mm512_srli_epi64(_mm512_mul_epu32(value, all(109951163)), 40);
    __m512i both = _mm512_or_si512(fours, _mm512_slli_epi64(_mm512_sub_epi64(value, _mm512_mul_epu32(fours, all(10000))), 32));
    __m512i hundreds = _mm512_srli_epi16(_mm512_mulhi_epu16(both, _mm512_set1_epi16(5243)), 3);
    __m512i rest = _mm512_sub_epi16(both, _mm512_mullo_epi16(hundreds, _mm512_set1_epi16(100)));
    __m512i pairs = _mm512_or_si512(hundreds, _mm512_slli_epi32(rest, 16));
    __m512i tens = _mm512_mulhi_epu16(pairs, _mm512_set1_epi16(6554));
    return _mm512_or_si512(tens, _mm512_slli_epi16(_mm512_sub_epi16(pairs, _mm512_mullo_epi16(tens, _mm512_set1_epi16(10))), 8));
}

/* ---- cells ---- */

typedef struct Eight {
    char digits[8][32];
    int64_t row[8], length[8];
} Eight;

WIDE_INLINE void store_two(__m512i both, char *one, char *other) {
    _mm256_storeu_si256((__m256i *)(void *)one, _mm512_castsi512_si256(both));
    _mm256_storeu_si256((__m256i *)(void *)other, _mm512_extracti64x4_epi64(both, 1));
}

/* The words of each cell behind one another: those of lane i of a, b and c. */
WIDE_INLINE void lay_out(__m512i a, __m512i b, __m512i c, char (*out)[32]) {
    __m512i even = _mm512_unpacklo_epi64(a, b), odd = _mm512_unpackhi_epi64(a, b), rest = _mm512_unpackhi_epi64(c, c);
    const __m512i first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    store_two(_mm512_permutex2var_epi64(even, first, c), out[0], out[2]);
    store_two(_mm512_permutex2var_epi64(odd, first, rest), out[1], out[3]);
    store_two(_mm512_permutex2var_epi64(even, second, c), out[4], out[6]);
    store_two(_mm512_permutex2var_epi64(odd, second, rest), out[5], out[7]);
}

typedef struct WideSeen {
    int64_t fit;
    __m512i decimals;
    __m512d largest;
} WideSeen;

WIDE_INLINE uint8_t make_eight(const double *values, CellLook look, Eight *eight, WideSeen *seen) {
    __m512i bits = _mm512_loadu_si512(values), size = _mm512_and_si512(bits, all(INT64_MAX)), negative = _mm512_srli_epi64(bits, 63);
    Lanes lanes = lanes_of(size);
    __m512i a = digits_of(lanes.upper), b = digits_of(lanes.lower), character = _mm512_set1_epi8('0');
    int64_t others = (int64_t)(unsigned char)look.decimal << 24 | '0' << 16 | '-' << 8 | '0';
    lay_out(_mm512_add_epi8(a, character), _mm512_add_epi8(b, character), _mm512_add_epi64(lanes.first, all(others)), eight->digits);
    /* how many digits there are without trailing zeros, and how many of them behind the point */
    __m512i count = _mm512_sub_epi64(all(9), _mm512_srli_epi64(_mm512_lzcnt_epi64(a), 3));
    count = _mm512_mask_sub_epi64(count, _mm512_test_epi64_mask(b, b), all(17), _mm512_srli_epi64(_mm512_lzcnt_epi64(b), 3));
    count = _mm512_mask_sub_epi64(count, lanes.sixteen, count, all(1));
    __m512i decimals = _mm512_max_epi64(_mm512_sub_epi64(count, lanes.point), all(look.point));
    __m512i length = _mm512_add_epi64(_mm512_add_epi64(negative, _mm512_max_epi64(lanes.point, all(1))), decimals);
    length = _mm512_mask_add_epi64(length, _mm512_test_epi64_mask(decimals, decimals), length, all(1));
    __m512i row = _mm512_slli_epi64(_mm512_sub_epi64(lanes.point, all(LOWEST_POINT)), 1);
    row = _mm512_mask_add_epi64(row, lanes.sixteen, row, all(1));
    row = _mm512_sub_epi64(_mm512_add_epi64(_mm512_mul_epu32(row, all(ROW)), all(1)), negative);
    __mmask8 even = (__mmask8)~lanes.odd, fit = _mm512_cmple_epi64_mask(count, all(15)) & even;
    _mm512_storeu_si512(eight->row, _mm512_maskz_mov_epi64(even, row));
    _mm512_storeu_si512(eight->length, _mm512_maskz_mov_epi64(even, length));
    seen->fit += __builtin_popcount(fit);
    seen->decimals = _mm512_mask_max_epi64(seen->decimals, fit, seen->decimals, decimals);
    seen->largest = _mm512_mask_max_pd(seen->largest, fit, seen->largest, _mm512_castsi512_pd(size));
    return lanes.odd;
}

WIDE void csv_wide_cells(const double *values, int64_t eights, CellLook look, TextCell *out, uint8_t *odd, Seen *seen) {
    WideSeen wide = { 0, _mm512_setzero_si512(), _mm512_setzero_pd() };
    Eight eight;
    for (int64_t j = 0; j < eights; j++, values += 8, out += 8) {
        odd[j] = make_eight(values, look, &eight, &wide);
        for (int i = 0; i < 8; i++) {
            __m256i from = _mm256_loadu_si256((const __m256i *)(const void *)(&source[0][0] + eight.row[i]));
            __m256i digits = _mm256_loadu_si256((const __m256i *)(const void *)eight.digits[i]);
            _mm256_storeu_si256((__m256i *)(void *)&out[i], _mm256_permutexvar_epi8(from, digits));
            cell_close(&out[i], (size_t)eight.length[i], look.separator);
        }
    }
    seen->fit = wide.fit;
    seen->decimals = (int)_mm512_reduce_max_epi64(wide.decimals);
    seen->largest = _mm512_reduce_max_pd(wide.largest);
}
/* ---- whole numbers ---- */

/* Up to eight characters of each, the first in the lowest byte; `odd` lanes need more. */
WIDE_INLINE __mmask8 whole_of(__m512i values, __m512i *text, __m512i *length) {
    __mmask8 negative = _mm512_movepi64_mask(values);
    __m512i size = _mm512_abs_epi64(values);
    __mmask8 odd = _mm512_cmpge_epu64_mask(size, _mm512_mask_mov_epi64(all(100000000), negative, all(10000000)));
    __m512i digits = digits_of(_mm512_maskz_mov_epi64((__mmask8)~odd, size));
    __m512i used = _mm512_or_si512(digits, all((int64_t)1 << 56)), lowest = _mm512_and_si512(used, _mm512_sub_epi64(all(0), used));
    __m512i before = _mm512_andnot_si512(all(7), _mm512_sub_epi64(all(63), _mm512_lzcnt_epi64(lowest))); /* bits of leading zeros */
    __m512i word = _mm512_srlv_epi64(_mm512_add_epi8(digits, _mm512_set1_epi8('0')), before);
    __m512i count = _mm512_sub_epi64(all(8), _mm512_srli_epi64(before, 3));
    *text = _mm512_mask_or_epi64(word, negative, _mm512_slli_epi64(word, 8), all('-'));
    *length = _mm512_mask_add_epi64(count, negative, count, all(1));
    return odd;
}

WIDE void csv_wide_integers(const int64_t *values, int64_t eights, char separator, TextCell *out, uint8_t *odd) {
    int64_t text[8], length[8];
    for (int64_t j = 0; j < eights; j++, values += 8, out += 8) {
        __m512i texts, lengths;
        odd[j] = whole_of(_mm512_loadu_si512(values), &texts, &lengths);
        _mm512_storeu_si512(text, texts);
        _mm512_storeu_si512(length, lengths);
        for (int i = 0; i < 8; i++) {
            store_eight(out[i].text, (uint64_t)text[i]);
            cell_close(&out[i], (size_t)length[i], separator);
        }
    }
}
#else
void csv_wide_integers(const int64_t *values, int64_t eights, char separator, TextCell *out, uint8_t *odd) {
    (void)values, (void)eights, (void)separator, (void)out, (void)odd;
}
bool csv_cells_wide(void) { return false; }
void csv_wide_cells(const double *values, int64_t eights, CellLook look, TextCell *out, uint8_t *odd, Seen *seen) {
    (void)values, (void)eights, (void)look, (void)out, (void)odd, (void)seen;
}
#endif
