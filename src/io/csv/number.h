/* Short plain numbers, read without a loop: nearly every cell. What these do not take goes the general way in base/number_text.h.
 * They read up to 17 bytes before the end of a cell, or 4 before its beginning: so many must lie before it in memory. */
#ifndef SCRIM_IO_CSV_NUMBER_H
#define SCRIM_IO_CSV_NUMBER_H
#include "base/digits.h"
#include "base/shortest_digits.h"
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

/* The last sixteen digits of a cell, the point among its last sixteen characters left out: the digits before it are moved one place, onto
 * it. a and b are the cell's last bytes, b one place earlier. */
typedef struct Sixteen {
    uint64_t value;
    size_t fraction; /* digits after the point */
    bool pointed, good;
} Sixteen;
static inline Sixteen last_sixteen(const char *end, size_t length, char decimal) {
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(end - 16)), b = _mm_loadu_si128((const __m128i *)(const void *)(end - 17));
    unsigned points = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_set1_epi8(decimal))) & (0xFFFF0000u >> (length < 16 ? length : 16));
    size_t fraction = points ? (size_t)__builtin_clz(points) - 16 : 0, digits = length - (points != 0);
    __m128i from_a = last_bytes(points ? fraction : 16);
    __m128i joined = _mm_or_si128(_mm_and_si128(from_a, a), _mm_andnot_si128(from_a, b));
    joined = _mm_and_si128(_mm_sub_epi8(joined, _mm_set1_epi8('0')), last_bytes(digits < 16 ? digits : 16));
    int good = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(joined, _mm_set1_epi8(9)), joined));
    return (Sixteen){ sixteen_value(joined), fraction, points != 0, good == 0xFFFF };
}
static inline bool leading_zeros(const char *at, size_t length, char decimal) { return *at == '0' && length > 1 && at[1] != decimal; }

/* [-]digits[.digits] with at most sixteen digits and a significand of at most 2^53, no leading zeros: gives the significand and how many
 * digits stand after the point. Dividing by that power of ten rounds once, hence correctly (W. Clinger, PLDI 1990). */
static inline bool short_real(const char *at, const char *end, char decimal, double *out, uint8_t *after) {
    bool negative = at < end && *at == '-'; /* an empty cell may be the end of the file */
    at += negative;
    size_t length = (size_t)(end - at);
    if (length - 1 >= 16) return false;
    Sixteen last = last_sixteen(end, length, decimal);
    if (!last.good || leading_zeros(at, length, decimal) || length == last.pointed || last.value > (uint64_t)1 << 53) return false;
    double real = (double)(int64_t)last.value;
    *out = negative ? -real : real;
    *after = (uint8_t)last.fraction;
    return true;
}

/* [-]digits.digits in 17 to 20 characters, no leading zeros. What stands before the last sixteen digits is at most four characters, which
 * are joined as in tiny_integer; the point, where it is among them, is taken out first. */
static inline bool long_real(const char *at, const char *end, char decimal, double *out) {
    bool negative = at < end && *at == '-'; /* an empty cell may be the end of the file */
    at += negative;
    size_t length = (size_t)(end - at), before = length - 16;
    if (before - 1 >= 4) return false;
    Sixteen last = last_sixteen(end, length, decimal);
    before -= last.pointed;
    uint32_t word = (uint32_t)(load_eight(end - 20 - last.pointed)), kept = (uint32_t)(UINT64_C(0xFFFFFFFF) << (32 - 8 * before));
    uint32_t equal = (word ^ (uint32_t)(unsigned char)decimal * 0x01010101u) | ~kept;
    uint32_t marks = ~(((equal & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | equal) & 0x80808080u; /* the top bit of each byte that is the point */
    word = (word ^ 0x30303030u) & kept;
    size_t fraction = last.fraction;
    if (!last.pointed) {
        if (!marks) return false;
        int place = 31 - __builtin_clz(marks);                       /* the top bit of the last of them */
        uint32_t behind = (uint32_t)(UINT64_C(0xFFFFFFFE) << place); /* what stands after the point */
        word = (word & behind) | ((word & ~behind) << 8 & ~behind);  /* the point itself is pushed out */
        fraction = 16 + (size_t)(31 - place) / 8;
    }
    uint32_t pairs = word * 10 + (word >> 8);
    uint64_t w = ((pairs & 0xFF) * 100 + (pairs >> 16 & 0xFF)) * UINT64_C(10000000000000000) + last.value, bits;
    bool plain = last.good && !(((word + 0x06060606u) | word) & 0xF0F0F0F0u) && !leading_zeros(at, length, decimal);
    if (!plain || !w || !nearest_bits(w, -(int64_t)fraction, &bits)) return false;
    *out = real_from_bits(bits | (uint64_t)negative << 63);
    return true;
}
#else
static inline bool short_real(const char *at, const char *end, char decimal, double *out, uint8_t *after) {
    (void)at, (void)end, (void)decimal, (void)out, (void)after;
    return false;
}
static inline bool long_real(const char *at, const char *end, char decimal, double *out) {
    (void)at, (void)end, (void)decimal, (void)out;
    return false;
}
#endif
#endif
