/* What a column's values may be by their form alone, where its name does not say: dates without a year or as one number, postal codes,
 * coordinates, and in a column whose name tells nothing, whole numbers that may be ages, years of birth, households. */
#include <ctype.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "prose/check_digits.h"
#include "risk/safe_harbour/safe_harbour.h"

/* 9: a digit; A: a capital; else itself. */
static bool has_form(const char *cell, const char *form) {
    for (; *form && *cell; form++, cell++) {
        bool fits = *form == '9' ? isdigit((unsigned char)*cell) : *form == 'A' ? isupper((unsigned char)*cell) : *form == *cell;
        if (!fits) return false;
    }
    return !*form && !*cell;
}

static bool has_a_form(const char *cell, const char *const *forms) {
    for (; *forms; forms++)
        if (has_form(cell, *forms)) return true;
    return false;
}

bool most_distinct(const Suspect *s, bool (*fits)(const char *)) {
    int64_t fit = 0, other = 0;
    char number[33];
    for (int32_t c = 0; c < s->codes.count && other * 5 <= s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], number);
        if (cell && fits(cell)) fit++;
        else other++;
    }
    return fit && other * 5 <= s->codes.count;
}

/* Two digits from here. */
static int two(const char *at) { return (at[0] - '0') * 10 + at[1] - '0'; }
static bool day_and_month(int day, int month) { return day >= 1 && day <= 31 && month >= 1 && month <= 12; }
static bool either_way(int a, int b) { return day_and_month(a, b) || day_and_month(b, a); }

/* ---- Days of a year ---- */

typedef struct DayPair {
    int part[2];
    bool padded;
    char mark;
} DayPair;

static bool read_pair(const char *at, DayPair *out) {
    *out = (DayPair){ .padded = true };
    for (int i = 0; i < 2; i++) {
        int digits = 0;
        for (; isdigit((unsigned char)*at) && digits < 3; at++, digits++) out->part[i] = out->part[i] * 10 + (*at - '0');
        if (digits < 1 || digits > 2) return false;
        out->padded &= digits == 2;
        if (i) break;
        if (!*at || !strchr("-/.", *at)) return false;
        out->mark = *at++;
    }
    bool dotted = out->mark == '.' && *at == '.'; /* 3.1. */
    at += dotted;
    return !*at && (out->mark != '.' || dotted || out->padded) && either_way(out->part[0], out->part[1]);
}

/* 03-17, 17.3., 3/17. Bands look alike where they are written 1-4 and 05-09: the first number is then always the smaller. */
static void judge_pairs(Harbour *h, Suspect *s) {
    int64_t fit = 0;
    bool padded = true, rising = true, dashed = true;
    char number[33];
    for (int32_t c = 0; c < s->codes.count; c++) {
        DayPair pair;
        const char *cell = column_cell(s->column, s->codes.first_row[c], number);
        if (!cell || !read_pair(cell, &pair)) continue;
        fit++;
        padded &= pair.padded;
        rising &= pair.part[0] < pair.part[1];
        dashed &= pair.mark == '-';
    }
    if (!fit || fit * 5 < (int64_t)s->codes.count * 4 || (rising && dashed && !padded)) return;
    if (padded && !rising) harbour_broken(h, DATES, s, "days of a year, without the year");
    else harbour_untold(h, DATES, s, "may be days of a year, without the year: look at them");
}

/* ---- Dates as one number ---- */

static bool is_year(int year) { return year >= 1850 && year <= 2150; }
/* 03012019, and 3012019 where a spreadsheet lost the zero. */
static bool is_day_then_year(const char *cell) {
    char padded[9] = "0";
    if (has_form(cell, "9999999")) cell = strcpy(padded + 1, cell) - 1;
    return has_form(cell, "99999999") && either_way(two(cell), two(cell + 2)) && is_year(two(cell + 4) * 100 + two(cell + 6));
}
static bool is_day_of_year(const char *cell) {
    if (!has_form(cell, "9999-999") && !has_form(cell, "9999999")) return false;
    const char *day = cell + (cell[4] == '-' ? 5 : 4);
    int of_year = (day[0] - '0') * 100 + two(day + 1);
    return is_year(two(cell) * 100 + two(cell + 2)) && of_year >= 1 && of_year <= 366;
}
static bool is_short_day(const char *cell) {
    return has_form(cell, "999999") && (either_way(two(cell), two(cell + 2)) || day_and_month(two(cell + 4), two(cell + 2)));
}
static bool is_day_and_month(const char *cell) {
    char padded[5] = "0";
    if (has_form(cell, "999")) cell = strcpy(padded + 1, cell) - 1;
    return has_form(cell, "9999") && either_way(two(cell), two(cell + 2));
}
/* 3JAN2019, 03-Jan-19: the months of English, as statistical packages write them. */
static bool is_day_with_name(const char *at) {
    static const char months[] = "jan feb mar apr may jun jul aug sep oct nov dec";
    char month[4] = "";
    int digits = 0;
    for (; isdigit((unsigned char)*at); at++) digits++;
    if (digits < 1 || digits > 2) return false;
    at += *at == '-' || *at == ' ';
    for (int i = 0; i < 3 && isalpha((unsigned char)*at); i++, at++) month[i] = (char)tolower((unsigned char)*at);
    at += *at == '-' || *at == ' ';
    return strlen(month) == 3 && strstr(months, month) && (has_form(at, "99") || has_form(at, "9999"));
}
static bool is_week(const char *cell) {
    bool letter = *cell == 'W' || *cell == 'w';
    int week = letter && isdigit((unsigned char)cell[1]) ? (has_form(cell + 1, "99") ? two(cell + 1) : cell[2] ? 0 : cell[1] - '0') : 0;
    return week >= 1 && week <= 53;
}

static bool all_within(const Suspect *s, double low, double high) {
    return s->column->type == INTEGER_TYPE && s->profile.least >= low && s->profile.most <= high;
}

/* Ten and more that all happen to be dates are hardly anything else; a spreadsheet's days run from 1980 to 2040, a clock's seconds and
 * milliseconds from 2001 to 2040. */
static void judge_one_number(Harbour *h, Suspect *s) {
    const char *what = NULL;
    if (s->codes.count < 3) return;
    if (most_distinct(s, is_day_then_year)) harbour_broken(h, DATES, s, "dates to the day, written as one number");
    else if (most_distinct(s, is_day_with_name)) harbour_broken(h, DATES, s, "dates to the day");
    else if (most_distinct(s, is_day_of_year)) harbour_broken(h, DATES, s, "days of a year");
    else if (s->codes.count < 10) what = most_distinct(s, is_week) ? "may be weeks: look at them" : NULL;
    else if (most_distinct(s, is_short_day) || most_distinct(s, is_day_and_month))
        what = "may be dates written as one number: look at them";
    else if (most_distinct(s, is_week)) what = "may be weeks: look at them";
    else if (all_within(s, 29221, 51500)) what = "may be a spreadsheet's numbers of days: look at them";
    else if (all_within(s, 1e9, 2208988800) || all_within(s, 1e12, 2208988800e3)) what = "may be a clock's seconds: look at them";
    if (what) harbour_untold(h, DATES, s, what);
}

/* ---- Places ---- */

static bool is_zip_and_four(const char *cell) { return has_form(cell, "99999-9999"); }
static bool is_zip(const char *cell) { return has_form(cell, "99999"); }
static bool is_masked_zip(const char *cell) { return has_a_form(cell, (const char *const[]){ "999**", "999XX", "999xx", "999##", NULL }); }
static bool is_postal_code(const char *cell) {
    return has_a_form(
        cell, (const char *const[]){ "A9A 9A9", "A9A9A9", "A9 9AA", "A99 9AA", "A9A 9AA", "AA9 9AA", "AA99 9AA", "AA9A 9AA", NULL });
}

/* A number with two decimals and more, between −180 and 180. */
static const char *read_degrees(const char *at) {
    double whole = 0;
    int decimals = 0;
    at += *at == '-' || *at == '+';
    if (!isdigit((unsigned char)*at)) return NULL;
    for (; isdigit((unsigned char)*at); at++) whole = fmin(whole * 10 + (*at - '0'), 1e9);
    if (*at++ != '.') return NULL;
    for (; isdigit((unsigned char)*at); at++) decimals++;
    return decimals >= 2 && whole <= 180 ? at : NULL;
}
static bool is_coordinates(const char *at) {
    at = read_degrees(at + (*at == '('));
    if (!at || !strchr(",; ", *at) || !*at) return false;
    at = read_degrees(at + strspn(at, ",; "));
    return at && (!*at || !strcmp(at, ")"));
}

static void judge_places(Harbour *h, Suspect *s) {
    if (most_distinct(s, is_zip_and_four)) harbour_broken(h, AREAS, s, "nine digits of ZIP codes");
    else if (most_distinct(s, is_coordinates)) harbour_broken(h, AREAS, s, "coordinates");
    else if (most_distinct(s, is_postal_code)) harbour_broken(h, AREAS, s, "postal codes, by their form");
    else if (most_distinct(s, is_masked_zip)) harbour_untold(h, AREAS, s, "may be three digits of ZIP codes: name it in --geography");
    else if (most_distinct(s, is_zip) && (s->blank || s->column->type != INTEGER_TYPE)) /* 02138 stays text */
        harbour_untold(h, AREAS, s, "five digits, which may be ZIP codes: name it in --geography where they are");
}

/* ---- People ---- */

static bool is_initials(const char *cell) {
    return has_a_form(cell, (const char *const[]){ "A.A.", "A. A.", "A.A", "A.A.A.", "A. A. A.", NULL });
}

/* A number this long may be what it is the length of. */
static bool may_be_ssn(const char *cell) { return has_form(cell, "999999999") && check_ssn(cell, 9); }
static bool is_dialled(const char *cell) {
    return (has_form(cell, "9999999999") && *cell > '1') || (has_form(cell, "19999999999") && cell[1] > '1');
}

static void judge_people(Harbour *h, Suspect *s) {
    if (s->codes.count > 1 && most_distinct(s, is_initials)) harbour_untold(h, NAMES, s, "may be initials: look at them");
    if (s->codes.count < 3) return;
    if (most_distinct(s, may_be_ssn)) harbour_untold(h, SOCIAL_SECURITY, s, "nine digits: may be social security numbers");
    if (most_distinct(s, is_dialled)) harbour_untold(h, PHONES, s, "ten digits: may be telephone numbers");
}

/* ---- Numbers under a name that tells nothing ---- */

/* v, x1, var_12: not a word that could say what is in it. */
static bool tells_nothing(const char *name) {
    int letters = 0;
    for (const char *at = name; *at; at++) letters += isalpha((unsigned char)*at) || (unsigned char)*at >= 0x80;
    char word[33] = " ";
    size_t n = 1;
    for (const char *at = name; *at && n < sizeof word - 2; at++)
        if (isalpha((unsigned char)*at)) word[n++] = (char)tolower((unsigned char)*at);
    memcpy(word + n, " ", 2);
    if (strstr(" id no nr ", word)) return false;
    return letters <= 2 || strstr(" var col column field feature item value val attr attribute variable unnamed question data ", word);
}

static bool is_degrees(const char *cell) {
    const char *end = read_degrees(cell);
    return end && !*end && strlen(cell) >= 7;
}

static void judge_blank(Harbour *h, Suspect *s) {
    const Profile *p = &s->profile;
    double oldest = (double)h->a->oldest;
    if (!s->blank || p->distinct < 3) return;
    if (p->whole && column_numeric(s->column)) {
        if (p->least >= 0 && p->most > oldest && p->most <= 122)
            harbour_untold(h, DATES, s, "whole numbers that may be ages above the limit: --age where they are, --harmless where not");
        if (p->least >= 1850 && p->most <= LATELY && LATELY - p->least > oldest)
            harbour_untold(h, DATES, s, "may be years of birth that tell ages above the limit: --harmless where they are not");
        if (p->present >= 20 && p->distinct * 2 <= p->present && p->distinct * 4 > p->present && p->distinct > 20)
            harbour_untold(h, OTHER_CODES, s, "numbers that few records share, as households do: --harmless where they are not");
    } else if (column_numeric(s->column) && (p->least >= 10 || p->most <= -10) && most_distinct(s, is_degrees))
        harbour_untold(h, AREAS, s, "may be coordinates: --harmless where they are not");
}

void judge_forms(Harbour *h, Suspect *s) {
    s->blank = tells_nothing(s->column->name);
    if (s->column->type != REAL_TYPE) {
        judge_places(h, s);
        if (!s->settled) judge_one_number(h, s);
        if (!s->settled) judge_people(h, s);
    }
    if (!s->settled && !column_numeric(s->column)) judge_pairs(h, s);
    if (!s->settled) judge_blank(h, s);
}
