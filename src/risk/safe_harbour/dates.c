/* (C): all elements of dates but the year, and ages over 89 with all that tells them. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "risk/safe_harbour/safe_harbour.h"
#include <string.h>

/* 19990131 as a whole number. */
static bool is_packed_day(int64_t x) {
    int64_t year = x / 10000, month = x / 100 % 100, day = x % 100;
    return year >= 1850 && year <= 2150 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* 199901 */
static bool is_packed_month(int64_t x) { return x >= 0 && x <= 999999 && is_packed_day(x * 100 + 1); }

/* Most of the values: 99999999 among them means missing. */
static bool mostly(const Suspect *s, bool (*fits)(int64_t)) {
    int64_t fit = 0;
    if (s->column->type != INTEGER_TYPE) return false;
    for (int32_t c = 0; c < s->codes.count; c++) fit += fits(column_integer(s->column, s->codes.first_row[c]));
    return fit && (fit * 5 >= s->codes.count * 4 || (fit > 1 && fit + 1 == s->codes.count));
}

/* Months of a year: 2019-03, 03/2019, 2019/03. The whole cell, and most of the cells. */
static bool is_month(const char *at) {
    int part[2] = { 0 }, digits[2] = { 0 };
    for (int i = 0; i < 2; i++) {
        for (; *at >= '0' && *at <= '9' && digits[i] < 5; at++, digits[i]++) part[i] = part[i] * 10 + (*at - '0');
        if (!i && *at != '-' && *at != '/' && *at != '.') return false;
        at += !i;
    }
    int year = digits[0] == 4 ? part[0] : part[1], month = digits[0] == 4 ? part[1] : part[0];
    return !*at && digits[0] + digits[1] <= 6 && (digits[0] == 4 || digits[1] == 4) && year >= 1850 && year <= 2150 && month >= 1 &&
           month <= 12;
}

/* Quarters and weeks: 2019Q1, 2019-W12. */
static bool is_quarter_or_week(const char *at) {
    int digits = 0, more = 0;
    for (; *at >= '0' && *at <= '9'; at++) digits++;
    if (*at == '-' || *at == ' ' || *at == '/') at++;
    if (digits != 4 || !*at || !strchr("QqWw", *at)) return false;
    for (at++; *at >= '0' && *at <= '9'; at++) more++;
    return !*at && (more == 1 || more == 2);
}

static bool is_part_of_year(const char *cell) { return is_month(cell) || is_quarter_or_week(cell); }
static bool tells_months(const Suspect *s) {
    return (s->column->type == TEXT_TYPE || s->column->type == CATEGORY_TYPE) && most_distinct(s, is_part_of_year);
}

/* The next whole number of a text, −1 where there is none; "4.5" is 4, then 5. */
static double next_number(const char **at) {
    double x = 0;
    while (**at && !(**at >= '0' && **at <= '9')) ++*at;
    if (!**at) return -1;
    for (; **at >= '0' && **at <= '9'; ++*at) x = fmin(x * 10 + (**at - '0'), 1e9);
    return x;
}

/* "90+", ">89", "90 and over": the one category that the law asks for, so that its number is no age. */
static bool is_open(const char *cell) {
    return strpbrk(cell, "+><") || strstr(cell, "\xe2\x89\xa5") || strstr(cell, "and ") || strstr(cell, "or ") || strstr(cell, "over") ||
           strstr(cell, "older");
}

/* 1: tells an age above the limit, "93", "93 years", "90-94"; 2: a band that reaches above it, "85-94"; 0: neither. */
static int tells_great_age(const char *cell, double oldest) {
    double age, first, second;
    const char *at = cell;
    if (read_real(cell, cell + strlen(cell), '.', &age)) return age > oldest;
    first = next_number(&at);
    second = *at == '.' ? -1 : next_number(&at);
    if (is_open(cell) && second < 0) return first > oldest + 1;
    return first > oldest ? 1 : second > oldest ? 2 : 0;
}

/* "93 y", "40 years", "33 ans": an age, whatever the column is called. */
static bool is_written_age(const char *cell) {
    char word[18] = " ";
    size_t n = 1;
    const char *at = cell;
    while (*at >= '0' && *at <= '9') at++;
    if (at == cell || at - cell > 3) return false;
    for (at += *at == ' '; *at && *at != '.' && n < 16; at++) word[n++] = *at;
    memcpy(word + n, " ", 2);
    return n > 1 && strstr(" y yo y/o yr yrs year years years old Jahre J. ans a\xc3\xb1os ", word);
}

static int great_ages(const Harbour *h, const Suspect *s) {
    int band = 0;
    char text[33];
    for (int32_t c = 0; c < s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], text);
        int tells = cell ? tells_great_age(cell, (double)h->a->oldest) : 0;
        if (tells == 1) return 1;
        if (tells) band = tells;
    }
    return band;
}

/* The latest year of birth stands for now, which makes everyone younger than they are and none older: 1 where somebody is above the limit
 * even so. Nothing in the table tells how much later now is: 2 where somebody was above the limit by LATELY. */
static int great_births(const Harbour *h, const Suspect *s) {
    int64_t latest = 0, earliest = INT64_MAX;
    if (s->column->type != INTEGER_TYPE || !column_called(s->column, CALLED_BIRTH_YEAR)) return 0;
    for (int32_t c = 0; c < s->codes.count; c++) {
        int64_t year = column_integer(s->column, s->codes.first_row[c]);
        if (year > latest) latest = year;
        if (year < earliest) earliest = year;
    }
    if (latest < 1850 || latest > 2200) return 0;
    return latest - earliest > h->a->oldest ? 1 : earliest >= 1850 && LATELY - earliest > h->a->oldest ? 2 : 0;
}

static bool all_between(const Suspect *s, double low, double high) {
    char text[33];
    for (int32_t c = 0; c < s->codes.count; c++) {
        double x;
        const char *cell = column_cell(s->column, s->codes.first_row[c], text);
        if (!cell || !read_real(cell, cell + strlen(cell), '.', &x) || x < low || x > high) return false;
    }
    return s->codes.count > 0;
}

/* Called a date and no year: a spreadsheet's 43831, a month beside its year. */
static bool called_date(const Suspect *s) {
    const char *name = s->column->name;
    if (name_has_word(name, " date dates dob birthdate birthday datum geburtsdatum fecha timestamp datetime "))
        return s->profile.distinct > 2 && !all_between(s, 1850, 2150);
    return name_has_word(name, " month monat mes mois week woche semana quarter weekday day tag dia jour ") && all_between(s, 0, 53);
}

void judge_dates(Harbour *h, Suspect *s) {
    bool ages = s->column == h->a->age || most_distinct(s, is_written_age) || column_called(s->column, CALLED_AGE);
    bool days = (column_linear(s->column) && !column_numeric(s->column)) || column_tells_days(s->column);
    if (!s->profile.present) return;
    if (days) harbour_broken(h, DATES, s, "dates to the day");
    else if (mostly(s, is_packed_day)) harbour_broken(h, DATES, s, "dates to the day, written as one number");
    else if (tells_months(s)) harbour_broken(h, DATES, s, "months, quarters or weeks of a year");
    else if (ages && great_ages(h, s) == 1) harbour_broken(h, DATES, s, "ages above the limit");
    else if (ages && great_ages(h, s)) harbour_untold(h, DATES, s, "bands of ages that reach above the limit");
    else if (great_births(h, s) == 1) harbour_broken(h, DATES, s, "years of birth that disclose ages above the limit");
    else if (great_births(h, s))
        harbour_untold(h, DATES, s, "years of birth that disclose ages above the limit, unless the data are old: look at them");
    else if (s->profile.distinct > 2 && mostly(s, is_packed_month)) harbour_broken(h, DATES, s, "months of a year, written as one number");
    else if (called_date(s)) harbour_untold(h, DATES, s, "its name says that it is a date or a part of one");
}
