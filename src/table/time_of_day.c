/* Hours and minutes, read after the date. */
#include "table/time_of_day.h"
#include <string.h>
#include "base/digits.h"

static bool two_digits(const char *text, int below, int *out) {
    if (!is_digit(text[0]) || !is_digit(text[1])) return false;
    *out = (text[0] - '0') * 10 + text[1] - '0';
    return *out < below;
}

bool clock_hours(const char *cell, double *hours) {
    int hour, minute, second = 0;
    const char *at = strpbrk(cell, "T ");
    at = at ? at + 1 : cell;
    if (strlen(at) < 5 || at[2] != ':' || !two_digits(at, 24, &hour) || !two_digits(at + 3, 60, &minute)) return false;
    if (at[5] == ':' && !two_digits(at + 6, 61, &second)) return false;
    *hours = hour + minute / 60.0 + second / 3600.0;
    return true;
}
