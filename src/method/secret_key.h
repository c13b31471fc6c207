/* A secret key from a file, or from the run's seed: what pseudonyms and shifted dates depend on, and nothing else. */
#ifndef SCRIM_METHOD_SECRET_KEY_H
#define SCRIM_METHOD_SECRET_KEY_H
#include "base/secret_key.h"
#include "method/method.h"

/* `file`: its bytes, at least 16 of them, through the host; NULL: from the seed, and then good for this run alone. */
MUST_CHECK Status secret_key(Run *run, const char *file, const char *purpose, SecretKey *out);
/* The key by which dates move by at most so many days: the same for every method, step and column, so that a person's dates in columns and
 * in notes move together. With other days it is another: two releases whose shifts were multiples of each other would give the dates back.
 * So is it, without a file, for another table where `apart` names one: one whose records have no subject. */
MUST_CHECK Status shift_key(Run *run, const char *file, int64_t days, const Table *apart, SecretKey *out);
#define KEY_FILE(S)                                                                                                                        \
    TEXT(S, key, NULL,                                                                                                                     \
         "File with a secret of at least 16 bytes: the same file gives the same result everywhere; without it a fresh secret serves this " \
         "run alone",                                                                                                                      \
         .flags = SECRET)
#endif
