/* Short plain numbers, read without a loop: nearly every cell. What these do not take goes the general way in base/number.h.
 * They read up to 17 bytes before the end of a cell, so that many must lie before it in memory. */
#ifndef SCRIM_IO_CSV_NUMBER_H
#define SCRIM_IO_CSV_NUMBER_H
#include "base/digits.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#include "base/elementary.h"
#endif

enum { BEFORE_CELL = 17 };
static const double exact_power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16 };

/* One to four digits, without a leading zero: what stands before the cell is masked to zeros, then neighbours are joined. */
static inline bool tiny_integer(const char *end, size_t length, int64_t *out) {
    uint32_t word, mask = ~(uint32_t)0 << (8 * (4 - length));
    memcpy(&word, end - 4, 4);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    word = (word ^ 0x30303030u) & mask;       /* digits become 0…9, all else more */
    uint32_t pairs = word * 10 + (word >> 8); /* bytes 0 and 2 */
    *out = (pairs & 0xFF) * 100 + (pairs >> 16 & 0xFF);
    return !(((word + 0x06060606u) | word) & 0xF0F0F0F0u);
}

/* One to eight digits, without a leading zero. */
static inline bool short_integer(const char *at, const char *end, int64_t *out) {
    size_t length = (size_t)(end - at);
    if (length - 1 < 4 && (*at != '0' || length == 1)) return tiny_integer(end, length, out);
    if (length - 1 >= 8 || (*at == '0' && length > 1)) return false;
    uint64_t mask = ~(uint64_t)0 << (8 * (8 - length));
    uint64_t word = (load_eight(end - 8) & mask) | (0x3030303030303030u & ~mask);
    *out = (int64_t)eight_value(word);
    return eight_digits(word);
}

#if defined(__SSE2__)
/* The last `count` bytes set. */
static inline __m128i last_bytes(size_t count) {
    static const uint8_t slide[33] = { 0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,  255,
                                       255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 };
    return _mm_loadu_si128((const __m128i *)(const void *)(slide + count));
}

/* Sixteen bytes 0…9 as a number: neighbours joined to pairs, pairs to fours, fours to eights. */
static inline uint64_t sixteen_value(__m128i digits) {
    __m128i even = _mm_and_si128(digits, _mm_set1_epi16(0xFF)), odd = _mm_srli_epi16(digits, 8);
    __m128i pairs = _mm_add_epi16(_mm_mullo_epi16(even, _mm_set1_epi16(10)), odd);
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    return (both & UINT32_MAX) * 100000000u + (both >> 32);
}

/* [-]digits[.digits] with at most sixteen digits and a significand of at most 2^53, no leading zeros: gives the significand and how many
 * digits stand after the point. Dividing by that power of ten rounds once, hence correctly (W. Clinger, PLDI 1990). The digits before the
 * point are moved one place, onto the point: a and b are the cell's last bytes, b one place earlier. */
static inline bool short_real(const char *at, const char *end, char decimal, double *out, uint8_t *after) {
    bool negative = *at == '-';
    at += negative;
    size_t length = (size_t)(end - at);
    if (length - 1 >= 17) return false;
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(end - 16)), b = _mm_loadu_si128((const __m128i *)(const void *)(end - 17));
    unsigned points = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_set1_epi8(decimal))) & (0xFFFF0000u >> (length < 16 ? length : 16));
    size_t fraction = points ? (size_t)__builtin_clz(points) - 16 : 0, digits = length - (points != 0);
    __m128i from_a = last_bytes(points ? fraction : 16);
    __m128i joined = _mm_or_si128(_mm_and_si128(from_a, a), _mm_andnot_si128(from_a, b));
    joined = _mm_and_si128(_mm_sub_epi8(joined, _mm_set1_epi8('0')), last_bytes(digits < 16 ? digits : 16));
    int good = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(joined, _mm_set1_epi8(9)), joined));
    uint64_t value = sixteen_value(joined);
    bool zeros = *at == '0' && length > 1 && at[1] != decimal;
    if (good != 0xFFFF || zeros || digits - 1 >= 16 || value > (uint64_t)1 << 53) return false;
    double real = (double)(int64_t)value;
    *out = negative ? -real : real;
    *after = (uint8_t)fraction;
    return true;
}
#else
static inline bool short_real(const char *at, const char *end, char decimal, double *out, uint8_t *after) {
    (void)at, (void)end, (void)decimal, (void)out, (void)after;
    return false;
}
#endif
#endif
