/* Integers and dates as text. */
#include "base/number_text.h"
#include "base/digits.h"

bool read_integer(const char *text, const char *end, int64_t *out) {
    bool negative = text < end && *text == '-';
    const char *p = text + (negative || (text < end && *text == '+'));
    while (end - p > 19 && *p == '0') p++;
    if (p >= end || end - p > 19) return false; /* 19 digits are below 2^64 */
    uint64_t value = 0;
    if (take_digits(p, end, &value) != end || value > (uint64_t)INT64_MAX + negative) return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

size_t write_integer(int64_t value, char *out) {
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (size < 10 && value >= 0) {
        *out = (char)('0' + size);
        return 1;
    }
    if (value < 0) *out++ = '-';
    int count = digit_count(size);
    put_digits(out, size, count);
    return (size_t)count + (value < 0);
}

static bool is_leap(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static bool valid_day(int64_t year, int64_t month, int64_t day) {
    static const int8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && is_leap(year));
}

/* Days since 1970-01-01 in the proleptic Gregorian calendar: years begin in March, so that the leap day is the last of its year;
 * 400 years are 146,097 days. */
int64_t days_of(int64_t year, int64_t month, int64_t day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static bool two_digits(const char *p, int64_t *out) {
    *out = (p[0] - '0') * 10 + (p[1] - '0');
    return is_digit(p[0]) && is_digit(p[1]);
}

/* The year's digits: four without a sign; "-" and at least four; "+" and at least five, so that each year has one form. */
static bool read_year(const char *text, const char *end, int64_t *out) {
    char sign = *text == '+' || *text == '-' ? *text++ : 0;
    int64_t digits = end - text;
    if (digits < 4 + (sign == '+') || digits > (sign ? 7 : 4) || (digits > 4 && *text == '0')) return false;
    uint64_t year = 0;
    if (take_digits(text, end, &year) != end || (sign == '-' && year == 0)) return false;
    *out = sign == '-' ? -(int64_t)year : (int64_t)year;
    return true;
}

bool read_date(const char *text, const char *end, int32_t *out) {
    if (end - text < 10 || end[-6] != '-' || end[-3] != '-') return false;
    int64_t year, month, day;
    if (!read_year(text, end - 6, &year) || !two_digits(end - 5, &month) || !two_digits(end - 2, &day)) return false;
    if (!valid_day(year, month, day)) return false;
    int64_t days = days_of(year, month, day);
    *out = (int32_t)days;
    return days >= INT32_MIN && days <= INT32_MAX;
}

void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day) {
    int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097, day_of_era = shifted - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100), third = (5 * day_of_year + 2) / 153;
    *day = day_of_year - (153 * third + 2) / 5 + 1;
    *month = third < 10 ? third + 3 : third - 9;
    *year = year_of_era + era * 400 + (*month <= 2);
}

size_t write_date(int32_t days, char *out) {
    int64_t year, month, day;
    date_of(days, &year, &month, &day);
    int64_t size = year < 0 ? -year : year;
    char *p = out;
    if (year < 0 || year > 9999) *p++ = year < 0 ? '-' : '+';
    int digits = digit_count((uint64_t)size);
    if (digits < 4) digits = 4;
    put_digits(p, (uint64_t)size, digits);
    p += digits;
    *p++ = '-';
    put_digits(p, (uint64_t)month, 2);
    p[2] = '-';
    put_digits(p + 3, (uint64_t)day, 2);
    return (size_t)(p + 5 - out);
}

/* Up to nine digits of a second's part as microseconds; what is finer is cut off. */
static bool read_part(const char *text, const char *end, int64_t *micros) {
    int64_t scale = 100000;
    *micros = 0;
    if (text == end || end - text > 9) return false;
    for (; text < end; text++, scale /= 10) {
        if (!is_digit(*text)) return false;
        *micros += (*text - '0') * scale;
    }
    return true;
}

bool read_datetime(const char *text, const char *end, int64_t *out) {
    const char *mark = text;
    while (mark < end && *mark != 'T' && *mark != ' ') mark++;
    int32_t day;
    int64_t hour, minute, second = 0, part = 0;
    if (end > text && end[-1] == 'Z') end--;
    if (end - mark < 6 || !read_date(text, mark, &day)) return false;
    const char *at = mark + 1;
    if (!two_digits(at, &hour) || at[2] != ':' || !two_digits(at + 3, &minute)) return false;
    at += 5;
    if (at < end && (end - at < 3 || *at != ':' || !two_digits(at + 1, &second))) return false;
    if (at < end) at += 3;
    if (at < end && (*at != '.' || !read_part(at + 1, end, &part))) return false;
    if (hour > 23 || minute > 59 || second > 59) return false;
    if (day < -106000000 || day > 106000000) return false; /* beyond what 64 bits of microseconds hold */
    *out = ((int64_t)day * 86400 + hour * 3600 + minute * 60 + second) * 1000000 + part;
    return true;
}

size_t write_datetime(int64_t micros, char *out) {
    int64_t whole = INT64_C(86400000000), day = micros / whole - (micros % whole < 0), left = micros - day * whole;
    char *p = out + write_date((int32_t)day, out);
    int64_t second = left / 1000000, part = left % 1000000;
    *p++ = 'T';
    put_digits(p, (uint64_t)(second / 3600), 2);
    p[2] = ':';
    put_digits(p + 3, (uint64_t)(second / 60 % 60), 2);
    p[5] = ':';
    put_digits(p + 6, (uint64_t)(second % 60), 2);
    p += 8;
    if (!part) return (size_t)(p - out);
    *p++ = '.';
    put_digits(p, (uint64_t)part, 6);
    for (p += 6; p[-1] == '0'; p--) continue;
    return (size_t)(p - out);
}
