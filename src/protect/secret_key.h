/* A secret key from a file, or from the run's seed: what pseudonyms and shifted dates depend on, and nothing else. */
#ifndef SCRIM_PROTECT_SECRET_KEY_H
#define SCRIM_PROTECT_SECRET_KEY_H
#include "method/method.h"

typedef struct SecretKey {
    uint8_t bytes[32];
} SecretKey;
/* `file`: its bytes, at least 16 of them, through the host; NULL: from the seed, and then good for this run alone. */
MUST_CHECK Status secret_key(Run *run, const char *file, const char *purpose, SecretKey *out);
/* A word that depends on the key, a number and some bytes: BLAKE2b, keyed. */
uint64_t secret_word(const SecretKey *key, uint64_t number, const void *bytes, size_t count);
#define KEY_FILE(S)                                                                                                                        \
    TEXT(S, key, NULL,                                                                                                                     \
         "File with a secret of at least 16 bytes: the same file gives the same result everywhere; without it a fresh secret serves this " \
         "run alone",                                                                                                                      \
         .flags = SECRET)
#endif
