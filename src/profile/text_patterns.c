/* What text looks like: prose, days, traces of people, numbers of another country. */
#include <ctype.h>
#include <string.h>
#include "profile/value_forms.h"

bool column_is_prose(const Column *column, const Profile *profile) {
    int64_t wordy = 0, present = 0;
    char number[33];
    if ((column->type != TEXT_TYPE && column->type != CATEGORY_TYPE) || profile->distinct * 2 < profile->present) return false;
    for (int64_t i = 0; i < column->rows && present < GUESS_CELLS; i++) {
        const char *cell = column_cell(column, i, number);
        int spaces = 0;
        if (!cell) continue;
        for (; *cell; cell++) spaces += *cell == ' ';
        present++;
        wordy += spaces >= 3;
    }
    return present && wordy * 2 > present;
}

/* One to `most` digits, as a number; -1 where there are none or more. */
static int digits(const char **at, int most) {
    int value = 0, count = 0;
    for (; isdigit((unsigned char)**at); ++*at, count++) value = count < 5 ? value * 10 + (**at - '0') : value;
    return count && count <= most ? value : -1;
}

/* Three numbers with one mark between them, of which one can be a day, one a month and one a year; a time may follow. */
static bool is_day(const char *at) {
    int part[3];
    char mark = 0;
    for (int i = 0; i < 3; i++) {
        if (i && (*at != '/' && *at != '.' && *at != '-')) return false;
        if (i == 2 && *at != mark) return false;
        if (i) mark = *at++;
        part[i] = digits(&at, 4);
        if (part[i] < 0) return false;
    }
    if (*at && *at != 'T' && *at != ' ') return false;
    if (part[0] > 31) return part[0] > 999 && part[1] >= 1 && part[1] <= 12 && part[2] >= 1 && part[2] <= 31;
    bool day_first = part[0] >= 1 && part[0] <= 31 && part[1] >= 1 && part[1] <= 12,
         month_first = part[0] >= 1 && part[0] <= 12 && part[1] >= 1 && part[1] <= 31;
    return day_first || month_first;
}

/* 19991231. */
static bool is_packed_day(const char *at) {
    int digits_in = 0, value = 0;
    for (; isdigit((unsigned char)*at) && digits_in < 9; at++, digits_in++) value = digits_in < 8 ? value * 10 + (*at - '0') : value;
    int year = value / 10000, month = value / 100 % 100, day = value % 100;
    return !*at && digits_in == 8 && year >= 1850 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

bool column_tells_days(const Column *column) {
    int64_t days = 0, present = 0;
    char number[33];
    if (column->type != TEXT_TYPE && column->type != CATEGORY_TYPE && column->type != INTEGER_TYPE) return false;
    for (int64_t i = 0; i < column->rows && present < GUESS_CELLS; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) continue;
        present++;
        days += is_packed_day(cell) || (column->type != INTEGER_TYPE && is_day(cell));
    }
    return present && days * 10 >= present * 8;
}

/* The share of cells that fit is asked of the first so many. */
static bool most_cells(const Column *column, bool (*fits)(const char *)) {
    int64_t fitting = 0, present = 0;
    char number[33];
    for (int64_t i = 0; i < column->rows && present < GUESS_CELLS; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) continue;
        present++;
        fitting += fits(cell);
        if (present == 20 && !fitting) return false;
    }
    return present && fitting * 10 >= present * 8;
}

/* Three numbers of a day as it is written, and the mark between them. */
typedef struct WrittenDay {
    int part[3], size[3];
    char mark;
} WrittenDay;

static bool split_day(const char *at, WrittenDay *out) {
    for (int i = 0; i < 3; i++) {
        if (i == 1) out->mark = *at;
        if (i && *at++ != out->mark) return false;
        const char *from = at;
        out->part[i] = digits(&at, 4);
        out->size[i] = (int)(at - from);
        if (out->part[i] < 0) return false;
    }
    return !*at && out->mark;
}

/* Day-first or month-first by the cells that tell; `year` is the digits of the year where it comes last. */
static bool order_of(const Column *column, bool *day_first, int *year, char *mark) {
    bool day = false, month = false;
    int64_t present = 0;
    char number[33];
    *year = 0;
    for (int64_t i = 0; i < column->rows && present < GUESS_CELLS; i++) {
        const char *cell = column_cell(column, i, number);
        WrittenDay d;
        if (!cell) continue;
        present++;
        if (!is_day(cell)) continue;
        if (!split_day(cell, &d) || d.size[0] > 2 || (d.size[2] != 2 && d.size[2] != 4)) return false;
        if (*year && (*year != d.size[2] || *mark != d.mark)) return false;
        *year = d.size[2];
        *mark = d.mark;
        day |= d.part[0] > 12;
        month |= d.part[1] > 12;
    }
    *day_first = day;
    return day != month;
}

bool column_day_format(const Column *column, char format[12]) {
    bool day_first;
    int year;
    char mark = 0;
    if (most_cells(column, is_packed_day)) {
        memcpy(format, "yyyymmdd", 9);
        return true;
    }
    if (!order_of(column, &day_first, &year, &mark)) return false;
    const char form[] = { day_first ? 'd' : 'm', day_first ? 'd' : 'm', mark, day_first ? 'm' : 'd', day_first ? 'm' : 'd', mark, 0 };
    memcpy(format, form, sizeof form);
    memcpy(format + 6, year == 4 ? "yyyy" : "yy", year == 4 ? 5 : 3);
    return true;
}

/* Digits with the marks that people put between those of a telephone number. */
static bool is_phone(const char *at) {
    int count = 0, marks = 0;
    bool plus = *at == '+';
    if (is_day(at)) return false;
    for (at += plus; *at; at++) {
        if (isdigit((unsigned char)*at)) count++;
        else if (strchr(" -()/.", *at)) marks++;
        else return false;
    }
    return count >= 7 && count <= 15 && (plus || marks >= 2);
}

static bool is_mail(const char *at) {
    const char *sign = strchr(at, '@'), *dot = sign ? strrchr(sign, '.') : NULL;
    return sign && sign > at && dot && dot > sign + 1 && dot[1] && !strchr(at, ' ') && !strchr(sign + 1, '@');
}

static bool is_web(const char *at) { return !strncmp(at, "http://", 7) || !strncmp(at, "https://", 8) || !strncmp(at, "www.", 4); }

static bool is_ip(const char *at) {
    for (int i = 0; i < 4; i++) {
        if (i && *at++ != '.') return false;
        int part = digits(&at, 3);
        if (part < 0 || part > 255) return false;
    }
    return !*at;
}

static bool is_iban(const char *at) {
    int count = 0;
    if (!isupper((unsigned char)at[0]) || !isupper((unsigned char)at[1]) || !isdigit((unsigned char)at[2]) ||
        !isdigit((unsigned char)at[3]))
        return false;
    for (; *at; at++) {
        if (*at == ' ') continue;
        if (!isdigit((unsigned char)*at) && !isupper((unsigned char)*at)) return false;
        count++;
    }
    return count >= 15 && count <= 34;
}

/* Two to four words, each with a capital and then small letters: Ada Lovelace, María del Mar Ruiz, Müller, Jörg. */
static bool is_full_name(const char *at) {
    int words = 0, capitals = 0;
    while (*at) {
        bool capital = isupper((unsigned char)*at) || (unsigned char)*at >= 0xC3;
        int letters = 0;
        for (; isalpha((unsigned char)*at) || (unsigned char)*at >= 0x80 || *at == '-' || *at == '\''; at++) letters++;
        if (*at == '.' || *at == ',') at++;
        if (!letters || (*at && *at != ' ')) return false;
        words++;
        capitals += capital;
        at += *at == ' ';
    }
    return words >= 2 && words <= 4 && capitals >= 2;
}

const char *column_trace(const Column *column, const Profile *profile) {
    static const struct {
        bool (*fits)(const char *);
        const char *what;
    } forms[] = { { is_mail, "e-mail addresses, by their form" },
                  { is_web, "web addresses, by their form" },
                  { is_ip, "IP addresses, by their form" },
                  { is_iban, "bank accounts, by their form" },
                  { is_phone, "telephone numbers, by their form" } };
    if ((column->type != TEXT_TYPE && column->type != CATEGORY_TYPE) || profile->distinct < 2) return NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (most_cells(column, forms[i].fits)) return forms[i].what;
    if (profile->present >= 10 && profile->distinct * 2 > profile->present && most_cells(column, is_full_name))
        return "looks like first and last names";
    if (column_looks_like_addresses(column)) return "addresses, by their form";
    if (column_looks_like_names(column, profile)) return "names of people, by the lists of names";
    return NULL;
}

/* 1,5 and 1.234,56 and -7; `after`: the digits behind the comma, 0 where there is none. */
static bool comma_number(const char *at, int *after) {
    *after = 0;
    at += *at == '-' || *at == '+';
    if (!isdigit((unsigned char)*at)) return false;
    while (isdigit((unsigned char)*at)) at++;
    while (*at == '.' && strspn(at + 1, "0123456789") == 3) at += 4;
    if (!*at) return true; /* a whole number among them */
    if (*at++ != ',') return false;
    for (; isdigit((unsigned char)*at); at++) ++*after;
    return *after && !*at;
}

/* Most cells, or half of them where all others are one word: NA, say. */
Commas column_commas(const Column *column) {
    bool some = false, decimals = false, points = false, one_word = true;
    int64_t numbers = 0, present = 0;
    char number[33];
    const char *other = NULL;
    int after;
    if (column->type != TEXT_TYPE && column->type != CATEGORY_TYPE) return NO_COMMAS;
    for (int64_t i = 0; i < column->rows && present < GUESS_CELLS; i++) {
        const char *cell = column_cell(column, i, number); /* words: it stays where it is */
        if (!cell) continue;
        present++;
        if (!comma_number(cell, &after)) {
            one_word &= !other || !strcmp(cell, other);
            other = other ? other : cell;
            continue;
        }
        numbers++;
        some |= after > 0;
        decimals |= after && (after != 3 || cell[strspn(cell, "+-")] == '0');
        points |= strchr(cell, '.') != NULL;
    }
    if (!some || numbers * 10 < present * (one_word ? 5 : 8)) return NO_COMMAS;
    return points ? COMMAS_AND_POINTS : decimals ? DECIMAL_COMMAS : COMMAS_BEFORE_THREE;
}
