/* Amounts as whole units of 10^-12, exactly as their shortest decimal says. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "ledger/ledger.h"

enum { PLACES = 12 };

/* Digits and a power of ten out of "0.1", "1e-7", "12.5". */
static int64_t digits_of(const char *text, int *exponent) {
    int64_t digits = 0;
    bool fraction = false;
    *exponent = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        digits = digits * 10 + (*text - '0');
        *exponent -= fraction;
    }
    int64_t scale = 0;
    if (*text == 'e' && read_integer(text + 1, text + strlen(text), &scale)) *exponent += (int)scale;
    return digits;
}

Status ledger_units(double amount, int64_t *units, Error *error) {
    char text[33];
    int exponent;
    if (!(amount >= 0 && amount <= 9e6)) return fail(error, BAD, "a budget or price is a number from 0 to 9,000,000");
    int64_t digits = digits_of(real_text(amount, text), &exponent); /* at most 17 digits */
    exponent += PLACES;
    bool inexact = false;
    for (; exponent > 0; exponent--) digits *= 10;
    for (; exponent < 0; exponent++) {
        inexact |= digits % 10 != 0;
        digits /= 10;
    }
    *units = digits + inexact;
    return OK;
}

Status ledger_delta(double delta, int64_t *units, Error *error) {
    if (!(delta >= 0 && delta <= 1)) return fail(error, BAD, "δ is a number from 0 to 1");
    *units = (int64_t)ceil(delta * LEDGER_DELTA * (1 - 1e-15)); /* 10⁻⁶ costs 10¹² units, not one more for its last binary digit */
    return OK;
}

const char *units_text(int64_t units, char out[33]) {
    bool negative = units < 0;
    uint64_t size = negative ? (uint64_t)-units : (uint64_t)units;
    char *at = out;
    if (negative) *at++ = '-';
    at += write_integer((int64_t)(size / LEDGER_UNIT), at);
    uint64_t rest = size % LEDGER_UNIT;
    *at = 0;
    if (!rest) return out;
    *at++ = '.';
    for (uint64_t place = LEDGER_UNIT / 10; rest; place /= 10) {
        *at++ = (char)('0' + rest / place);
        rest %= place;
    }
    *at = 0;
    return out;
}
