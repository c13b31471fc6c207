/* Decimal digits, eight at a time: shared by the numbers' readers and writers. */
#ifndef SCRIM_BASE_DIGITS_H
#define SCRIM_BASE_DIGITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* '0'…'9', whatever the locale. */
static inline bool is_digit(char c) { return (unsigned char)(c - '0') <= 9; }

/* Eight bytes as one little-endian word: the first character is the lowest byte. */
static inline uint64_t load_eight(const char *p) {
    uint64_t word;
    memcpy(&word, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* All eight are '0'…'9': the high nibble is 3 before and after adding 6 to each. */
static inline bool eight_digits(uint64_t word) {
    return (((word & 0xF0F0F0F0F0F0F0F0u) | (((word + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u) >> 4)) == 0x3333333333333333u);
}

/* Their value: neighbours are joined to pairs, pairs to fours, fours to eight. */
static inline uint64_t eight_value(uint64_t word) {
    word -= 0x3030303030303030u;
    word = word * 10 + (word >> 8);
    return (((word & 0x000000FF000000FFu) * 0x000F424000000064u) + (((word >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u)) >> 32;
}

/* Appends the digits at p to *value (modulo 2^64) and returns where they end. */
static inline const char *take_digits(const char *p, const char *end, uint64_t *value) {
    uint64_t sum = *value;
    while (end - p >= 8 && eight_digits(load_eight(p))) {
        sum = sum * 100000000u + eight_value(load_eight(p));
        p += 8;
    }
    while (p < end && is_digit(*p)) sum = sum * 10 + (uint64_t)(*p++ - '0');
    *value = sum;
    return p;
}

/* How many decimal digits the number has; 0 has one. */
static inline int digit_count(uint64_t value) {
    static const uint64_t power[20] = { 0,
                                        10u,
                                        100u,
                                        1000u,
                                        10000u,
                                        100000u,
                                        1000000u,
                                        10000000u,
                                        100000000u,
                                        1000000000u,
                                        10000000000u,
                                        100000000000u,
                                        1000000000000u,
                                        10000000000000u,
                                        100000000000000u,
                                        1000000000000000u,
                                        10000000000000000u,
                                        100000000000000000u,
                                        1000000000000000000u,
                                        10000000000000000000u };
    int bits = 64 - __builtin_clzll(value | 1);
    int guess = (bits * 1233) >> 12; /* floor(bits·log10 2): the count, or one less */
    return guess + (value >= power[guess]);
}

/* The eight digits of a number below 10^8, the first in the lowest byte: cut in halves, all pieces at once. */
static inline uint64_t eight_characters(uint64_t value) {
    uint64_t fours = value / 10000, both = fours | (value - fours * 10000) << 32;
    uint64_t hundreds = ((both * 10486) >> 20) & 0x0000007F0000007Fu, pairs = hundreds | (both - hundreds * 100) << 16;
    uint64_t tens = ((pairs * 103) >> 10) & 0x000F000F000F000Fu;
    return (tens | (pairs - tens * 10) << 8) + 0x3030303030303030u;
}
static inline void store_eight(char *p, uint64_t word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(p, &word, 8);
}

/* Two numbers below 10^8 at once, eight digits each. Bit i of `used`: digit i of the sixteen is not 0. */
typedef struct TwoEights {
    uint64_t word[2];
    unsigned used;
} TwoEights;
#if defined(__SSE2__)
/* As eight_characters, both in one register. */
static inline TwoEights two_eights(uint64_t a, uint64_t b) {
    __m128i value = _mm_set_epi64x((int64_t)b, (int64_t)a);
    __m128i fours = _mm_srli_epi64(_mm_mul_epu32(value, _mm_set1_epi64x(109951163)), 40); /* 2^40 / 10^4 */
    __m128i both = _mm_or_si128(fours, _mm_slli_epi64(_mm_sub_epi64(value, _mm_mul_epu32(fours, _mm_set1_epi64x(10000))), 32));
    __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(both, _mm_set1_epi16(5243)), 3); /* 2^19 / 100 */
    __m128i pairs = _mm_or_si128(hundreds, _mm_slli_epi32(_mm_sub_epi16(both, _mm_mullo_epi16(hundreds, _mm_set1_epi16(100))), 16));
    __m128i tens = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554)); /* 2^16 / 10 */
    __m128i digits = _mm_or_si128(tens, _mm_slli_epi16(_mm_sub_epi16(pairs, _mm_mullo_epi16(tens, _mm_set1_epi16(10))), 8));
    __m128i characters = _mm_add_epi8(digits, _mm_set1_epi8('0'));
    TwoEights two = { .used = 0xFFFF ^ (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(digits, _mm_setzero_si128())) };
    two.word[0] = (uint64_t)_mm_cvtsi128_si64(characters);
    two.word[1] = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(characters, characters));
    return two;
}
#else
static inline unsigned used_digits(uint64_t word) {
    return (unsigned)((((word - 0x3030303030303030u + 0x7F7F7F7F7F7F7F7Fu) & 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56);
}
static inline TwoEights two_eights(uint64_t a, uint64_t b) {
    TwoEights two = { { eight_characters(a), eight_characters(b) }, 0 };
    two.used = used_digits(two.word[0]) | used_digits(two.word[1]) << 8;
    return two;
}
#endif

/* Writes exactly `count` digits of value, 1 to 20, leading zeros included; where count is no multiple of eight, up to seven bytes behind
 * them change, too. */
static inline void put_digits(char *out, uint64_t value, int count) {
    if (count <= 8) {
        store_eight(out, eight_characters(value) >> (64 - 8 * count));
        return;
    }
    uint64_t upper = value / 100000000u;
    if (count <= 16) {
        store_eight(out, eight_characters(upper) >> (128 - 8 * count));
        store_eight(out + count - 8, eight_characters(value - upper * 100000000u));
        return;
    }
    uint64_t top = upper / 100000000u;
    store_eight(out, eight_characters(top) >> (192 - 8 * count));
    store_eight(out + count - 16, eight_characters(upper - top * 100000000u));
    store_eight(out + count - 8, eight_characters(value - upper * 100000000u));
}
#endif
