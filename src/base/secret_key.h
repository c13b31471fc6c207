/* A secret key, and what depends on it and on nothing else: pseudonyms, and the days by which a subject's dates move. */
#ifndef SCRIM_BASE_SECRET_KEY_H
#define SCRIM_BASE_SECRET_KEY_H
#include <stddef.h>
#include <stdint.h>

typedef struct SecretKey {
    uint8_t bytes[32];
} SecretKey;
/* A word that depends on the key, a number and some bytes: BLAKE2b, keyed. */
uint64_t secret_word(const SecretKey *key, uint64_t number, const void *bytes, size_t count);
/* One of −days … −1, 1 … days, each equally likely: 0 would leave a subject's dates as they were. days is at least 1. */
int64_t secret_shift(const SecretKey *key, uint64_t number, const void *bytes, size_t count, int64_t days);
#endif
