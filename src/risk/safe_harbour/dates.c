/* (C): all elements of dates but the year, and ages over 89 with all that tells them. */
#include "base/number.h"
#include "risk/safe_harbour/inside.h"
#include <string.h>

/* 19990131 as a whole number. */
static bool is_packed_day(int64_t x) {
    int64_t year = x / 10000, month = x / 100 % 100, day = x % 100;
    return year >= 1850 && year <= 2150 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static bool packed_days(const Suspect *s) {
    if (s->column->type != INTEGER_TYPE || s->profile.distinct < 2) return false;
    for (int32_t c = 0; c < s->codes.count; c++)
        if (!is_packed_day(s->column->integer[s->codes.first_row[c]])) return false;
    return true;
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

static bool tells_months(const Suspect *s) {
    int64_t months = 0;
    char number[33];
    if (s->column->type != TEXT_TYPE && s->column->type != CATEGORY_TYPE) return false;
    for (int32_t c = 0; c < s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], number);
        months += cell && is_month(cell);
    }
    return months && months * 5 >= s->codes.count * 4;
}

/* Records whose age, a number or digits as text, is above the limit; "90+" is what the law asks for. */
static int64_t great_ages(const Harbour *h, const Column *column) {
    int64_t above = 0;
    char text[33];
    for (int64_t i = 0; i < column->rows; i++) {
        double age;
        const char *cell = column_cell(column, i, text);
        if (cell && read_real(cell, cell + strlen(cell), '.', &age)) above += age > (double)h->a->oldest;
    }
    return above;
}

/* The latest year of birth stands for now, which makes everyone younger than they are and none older. */
static bool great_births(const Harbour *h, const Suspect *s) {
    int64_t latest = 0, earliest = INT64_MAX;
    if (s->column->type != INTEGER_TYPE ||
        !name_has_word(s->column->name, " yob birthyear birth_year born geburtsjahr jahrgang naissance nacimiento birth "))
        return false;
    for (int32_t c = 0; c < s->codes.count; c++) {
        int64_t year = s->column->integer[s->codes.first_row[c]];
        if (year > latest) latest = year;
        if (year < earliest) earliest = year;
    }
    return latest >= 1900 && latest <= 2200 && latest - earliest > h->a->oldest;
}

void judge_dates(Harbour *h, Suspect *s) {
    bool ages = h->a->age ? s->column == h->a->age : name_has_word(s->column->name, " age ages alter edad ");
    bool days = (column_linear(s->column) && !column_numeric(s->column)) || column_tells_days(s->column);
    if (!s->profile.present) return;
    if (days) harbour_broken(h, DATES, s, "dates to the day");
    else if (packed_days(s)) harbour_broken(h, DATES, s, "dates to the day, written as one number");
    else if (tells_months(s)) harbour_broken(h, DATES, s, "months of a year");
    else if (ages && great_ages(h, s->column)) harbour_broken(h, DATES, s, "ages above the limit");
    else if (great_births(h, s)) harbour_broken(h, DATES, s, "years of birth that tell ages above the limit");
}
