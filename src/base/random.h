/* Two sources of randomness, never confused: keyed streams for perturbation, the system's generator for formal guarantees. */
#ifndef SCRIM_BASE_RANDOM_H
#define SCRIM_BASE_RANDOM_H
#include "base/work.h"

/* Perturbation. A seed is 32 secret bytes; given as a number it can be guessed, and results say so. */
typedef struct Seed {
    uint8_t bytes[32];
    bool guessable;
} Seed;
/* From the system's generator: secret, and FAILED where it has none to give. */
MUST_CHECK Status seed_fresh(Seed *seed, Error *error);
/* The same number gives the same seed; marked as guessable. */
Seed seed_from_number(uint64_t number);
/* 64 lower-case digits and a NUL. */
void seed_to_hex(const Seed *seed, char out[65]);
/* 64 hexadecimal digits, white space between them passed over; anything else is BAD, and is not repeated in the error. */
MUST_CHECK Status seed_from_hex(const char *hex, Seed *seed, Error *error);

/* ChaCha20 keyed by BLAKE2b(seed, method, step, column, purpose). Word i is the same regardless of who asks for it, on any thread. */
typedef struct RandomStream {
    uint8_t key[32];
} RandomStream;
/* Any of method, column and purpose may be NULL where it has no part in the key; other words, another stream. */
RandomStream stream_make(const Seed *seed, const char *method, int64_t step, const char *column, const char *purpose);
void stream_words(const RandomStream *stream, uint64_t first, size_t count, uint64_t *out); /* words first … first+count-1 */
/* A uniform in the open interval (0, 1), 53 bits. */
static inline double word_uniform(uint64_t word) { return ((double)(word >> 11) + 0.5) * 0x1p-53; }
/* A whole number below n, bias under 2^-64·n (multiply-shift): for draws that own a fixed window. */
static inline uint64_t word_below(uint64_t word, uint64_t n) { return (uint64_t)(((unsigned __int128)word * n) >> 64); }
/* 0…n-1 in random order: a sort by (word, row). */
MUST_CHECK Status stream_permutation(Work *work, const RandomStream *stream, int64_t n, int64_t *out);
/* The first `count` of them as a set: bit i of `chosen` (n bits, in words of 64) is set where i is one. */
MUST_CHECK Status stream_choose(Work *work, const RandomStream *stream, int64_t n, int64_t count, uint64_t *chosen);

/* Reads a stream in order, for samplers that reject. */
typedef struct RandomReader {
    RandomStream stream;
    uint64_t next;
    int at;
    uint64_t words[32];
} RandomReader;
/* From the stream's first word on. */
RandomReader reader_make(const RandomStream *stream);
/* The next word; a uniform takes one, a normal (Marsaglia's polar method) two at least. */
uint64_t reader_word(RandomReader *reader);
double reader_uniform(RandomReader *reader);
double reader_normal(RandomReader *reader);
uint64_t reader_below(RandomReader *reader, uint64_t n); /* exact, by rejection */

/* Formal guarantees: the system's generator, no seed. Redrawn after fork. */
MUST_CHECK Status system_random(void *out, size_t count, Error *error);
#endif
