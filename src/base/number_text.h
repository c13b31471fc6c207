/* Numbers as text: locale-free, fast, exact. Reads are correctly rounded; writes use the fewest digits that read back equal. */
#ifndef SCRIM_BASE_NUMBER_TEXT_H
#define SCRIM_BASE_NUMBER_TEXT_H
#include "base/status.h"

/* Each reads all of [text, end): no spaces, no NaN or Inf words, no hexadecimal; false where it is not such a number. */
bool read_integer(const char *text, const char *end, int64_t *out); /* [+-]digits, within int64 */
bool read_real(const char *text, const char *end, char decimal,
               double *out); /* [+-]digits[.digits][e[+-]digits], either side of the point may be empty; overflow is false */
bool read_date(const char *text, const char *end,
               int32_t *out); /* YYYY-MM-DD, days since 1970-01-01; years beyond 0…9999 as +12345 or -0044 */
bool read_datetime(const char *text, const char *end,
                   int64_t *out); /* a date, T or a space, HH:MM[:SS[.digits]], perhaps Z; microseconds since 1970 */
/* Each writes at most 32 bytes, no terminating NUL, and returns the count. NaN writes "nan", infinities "inf", "-inf". */
size_t write_integer(int64_t value, char *out);
size_t write_real(double value, char *out); /* 1e21 and beyond, and below 1e-6, in exponent form; 1 as "1" */
size_t write_date(int32_t days, char *out);
size_t write_datetime(int64_t micros, char *out); /* 2024-05-01T09:30:00, and .5 where it is not on the second */
/* Days since 1970-01-01 in the proleptic Gregorian calendar; a day beyond its month's last is one of the next month. */
int64_t days_of(int64_t year, int64_t month, int64_t day);
void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day);
/* The digits alone. */
typedef struct Shortest {
    uint64_t digits;
    int16_t power, count;
    bool negative, special;
} Shortest; /* digits · 10^power, `count` of them; special: zero, not a number or infinite */
Shortest shortest_real(double value);
/* The same, NUL-terminated, in a buffer of at least 33 bytes; returns out. */
const char *real_text(double value, char out[33]);
/* Rounded to `digits` significant digits, for people. */
const char *real_short(double value, int digits, char out[33]);
#endif
