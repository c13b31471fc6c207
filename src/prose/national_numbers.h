/* National numbers that are declared in share/scrub/national.txt, so that a country is added without C. */
#ifndef SCRIM_PROSE_NATIONAL_NUMBERS_H
#define SCRIM_PROSE_NATIONAL_NUMBERS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/work.h"

enum { NATIONAL_MOST = 48 };
typedef struct NationalNumber {
    const char *name, *regex, *check, *example;
    bool alone; /* found without a word beside it that announces a national number */
} NationalNumber;

/* Reads lines of name, regular expression, check, "alone" or "cue", and example, separated by tabs; an error names the line. */
MUST_CHECK Status national_numbers_read(Work *work, const char *text, NationalNumber out[NATIONAL_MOST], int *count);
/* Does the text satisfy the check? Several are joined by " & ": none, luhn, dni, nir, steuer, "mod M w w …" (the digits weighted add up to a multiple of M),
 * "letter M ALPHABET" (the number before the last character, modulo M, is its place in the alphabet). A check that is none is refused. */
bool national_check(const char *check, const char *text, size_t size);
#endif
