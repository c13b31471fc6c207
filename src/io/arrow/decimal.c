/* Arrow's decimals of 32 to 256 bits: a whole number over a power of ten, as the double nearest to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "io/arrow/private.h"

typedef struct Decimal {
    int width, scale, digits; /* bytes, places after the point, places in all */
} Decimal;

static bool decimal_of(const char *format, Decimal *out) { /* d:digits,scale[,bits] */
    char *end;
    long digits = strtol(format + 2, &end, 10);
    if (*end != ',') return false;
    long scale = strtol(end + 1, &end, 10), bits = *end == ',' ? strtol(end + 1, &end, 10) : 128;
    *out = (Decimal){ .width = (int)(bits / 8), .scale = (int)scale, .digits = digits > 0 && digits < 100 ? (int)digits : 99 };
    return !*end && (bits == 32 || bits == 64 || bits == 128 || bits == 256) && scale > -1000 && scale < 1000;
}

/* Its digits, read as a number is. */
static double decimal_value(const char *at, Decimal d) {
    uint32_t limb[8] = { 0 };
    char text[120], *end = text + sizeof text, *p = end, power[16];
    int limbs = d.width / 4, length = snprintf(power, sizeof power, "e%d", -d.scale);
    memcpy(limb, at, (size_t)d.width);
    bool negative = limb[limbs - 1] >> 31, more = true;
    for (int i = 0, carry = 1; negative && i < limbs; i++) { /* two's complement */
        limb[i] = ~limb[i] + (uint32_t)carry;
        carry = carry && !limb[i];
    }
    p -= length;
    memcpy(p, power, (size_t)length);
    while (more) {
        uint64_t rest = 0;
        more = false;
        for (int i = limbs - 1; i >= 0; i--) {
            rest = rest << 32 | limb[i];
            limb[i] = (uint32_t)(rest / 10);
            rest %= 10;
            more |= limb[i] != 0;
        }
        *--p = (char)('0' + rest);
    }
    if (negative) *--p = '-';
    double value;
    return read_real(p, end, '.', &value) ? value : NAN;
}

static int64_t whole_value(const char *at, Decimal d) {
    int32_t narrow;
    int64_t wide = 0;
    memcpy(&narrow, at, 4);
    if (d.width > 4) memcpy(&wide, at, 8);
    return d.width > 4 ? wide : narrow;
}

/* Decimals of at most 18 digits, none of them after the point, are whole numbers. */
Status arrow_decimal(const char *name, const char *format, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    Decimal d;
    if (!decimal_of(format, &d)) return arrow_unsupported(name, format, error);
    bool whole = !d.scale && d.digits <= 18;
    TRY(column_new(whole ? INTEGER_TYPE : REAL_TYPE, name, a->length, &column, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) {
        const char *at = (const char *)a->buffers[1] + (size_t)(i + a->offset) * (size_t)d.width;
        if (!arrow_present(a, i)) column_set_missing(column, i);
        else if (whole) column->integer[i] = whole_value(at, d);
        else column->real[i] = decimal_value(at, d);
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}
