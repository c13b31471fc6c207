/* Decimal digits, eight at a time: shared by the numbers' readers and writers. */
#ifndef SCRIM_BASE_DIGITS_H
#define SCRIM_BASE_DIGITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
