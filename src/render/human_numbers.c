/* Numbers and cells as people read them. */
#include "render/human_numbers.h"
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"

const char *human_real(double value, int digits, char out[33]) {
    double magnitude = fabs(value);
    if (!isfinite(value)) return value > 0 ? strcpy(out, "∞") : isnan(value) ? strcpy(out, "–") : strcpy(out, "−∞");
    if (magnitude < 1e15 && (value == floor(value) || magnitude >= pow(10, digits))) return real_text(value == 0 ? 0 : round(value), out);
    return real_short(value, digits, out);
}

const char *human_amount(double value, char out[33]) { return human_real(fabs(value) < .005 ? 0 : value, 3, out); }

static const char *integer_text(int64_t value, char out[33]) {
    out[write_integer(value, out)] = 0;
    return out;
}

const char *human_value(const Value *value, char out[33]) {
    switch (value->kind) {
    case VALUE_REAL: return human_real(value->real, PEOPLE_DIGITS, out);
    case VALUE_INTEGER: return integer_text(value->integer, out);
    case VALUE_TEXT: return value->text;
    default: return NULL;
    }
}

const char *human_cell(const Column *column, int64_t row, char out[33]) {
    if (column->type != REAL_TYPE || column_missing(column, row)) return column_cell(column, row, out);
    return human_real(column->real[row], PEOPLE_DIGITS, out);
}

int human_fraction(const char *number) {
    const char *point = strchr(number, '.');
    return !point || strchr(number, 'e') ? 0 : (int)strlen(point);
}

void human_grouped(Buffer *out, const char *number, size_t digits) {
    const char *p = number + (*number == '-');
    size_t whole = strspn(p, "0123456789");
    if (whole < digits || (p[whole] && p[whole] != '.')) {
        buffer_text(out, number);
        return;
    }
    buffer_add(out, number, (size_t)(p - number));
    for (size_t i = 0; i < whole; i++) {
        if (i && (whole - i) % 3 == 0) buffer_char(out, ',');
        buffer_char(out, p[i]);
    }
    buffer_text(out, p + whole);
}

void human_count(Buffer *out, int64_t count, const char *one, const char *many) {
    char digits[33];
    human_grouped(out, integer_text(count, digits), GROUP_DIGITS);
    buffer_print(out, " %s", count == 1 ? one : many);
}
