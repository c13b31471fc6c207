/* Random words for exact samplers: from the system's generator through a buffer that no fork shares, or from a known source. */
#ifndef SCRIM_MATH_RANDOM_BITS_H
#define SCRIM_MATH_RANDOM_BITS_H
#include "base/random.h"

/* All unused randomness lies in one page that the kernel wipes in a child (MADV_WIPEONFORK): a wiped page is an empty one, and is filled
 * again. */
typedef struct RandomBitsPage {
    uint64_t filled, at, coins, left;
    uint64_t word[508];
} RandomBitsPage;
typedef struct RandomBits {
    RandomBitsPage *page;
    bool mapped, buffered; /* unbuffered where the kernel cannot wipe: every word is then drawn by itself */
    RandomReader *reader;  /* a keyed stream instead of the system's generator: reproducible, and therefore insecure */
    const uint64_t *known; /* or words known beforehand, for tests */
    size_t known_count;
    Status status; /* once a source has failed every word is 0, and samplers stop with this */
    Error *error;
} RandomBits;

MUST_CHECK Status random_bits_open(RandomBits *bits, Error *error); /* the system's generator */
/* A keyed stream, for tests of what samplers draw; the reader must stay. */
MUST_CHECK Status random_bits_open_reader(RandomBits *bits, RandomReader *reader, Error *error);
MUST_CHECK Status random_bits_open_known(RandomBits *bits, const uint64_t *words, size_t count,
                                         Error *error); /* FAILED when they run out */
void random_bits_close(RandomBits *bits);               /* wipes what is left; harmless when zeroed */

/* A page of fresh words; a failing source sets `status`. */
void random_bits_fill(RandomBits *bits);
/* 64 random bits, used once. */
static inline uint64_t bits_word(RandomBits *bits) {
    RandomBitsPage *page = bits->page;
    if (page->at == page->filled) random_bits_fill(bits);
    uint64_t word = page->word[page->at];
    page->word[page->at++] = 0; /* used once */
    return word;
}
/* One fair coin; a word serves 64 of them. */
static inline bool bits_coin(RandomBits *bits) {
    RandomBitsPage *page = bits->page;
    if (!page->left) {
        uint64_t word = bits_word(bits);
        page->coins = word;
        page->left = 64;
    }
    bool coin = page->coins & 1;
    page->coins >>= 1;
    page->left--;
    return coin;
}
/* True with this probability, exactly: a uniform number's binary digits against those of p, as many as it takes to tell them apart. */
bool bits_chance(RandomBits *bits, double p);
/* A whole number below n, without bias, by rejection. */
static inline uint64_t bits_below(RandomBits *bits, uint64_t n) {
    unsigned __int128 product = (unsigned __int128)bits_word(bits) * n;
    if ((uint64_t)product < n) {
        uint64_t least = -n % n; /* Lemire 2019: 2⁶⁴ mod n low halves come once too often */
        while ((uint64_t)product < least && bits->status == OK) product = (unsigned __int128)bits_word(bits) * n;
    }
    return (uint64_t)(product >> 64);
}
#endif
