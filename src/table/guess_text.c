/* Prose, and days written as text. */
#include <ctype.h>
#include "table/guess.h"

enum { LOOK_AT = 1000 };

bool column_is_prose(const Column *column, const Profile *profile) {
    int64_t wordy = 0, present = 0;
    char number[33];
    if ((column->type != TEXT_TYPE && column->type != CATEGORY_TYPE) || profile->distinct * 2 < profile->present) return false;
    for (int64_t i = 0; i < column->rows && present < LOOK_AT; i++) {
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

bool column_tells_days(const Column *column) {
    int64_t days = 0, present = 0;
    char number[33];
    if (column->type != TEXT_TYPE && column->type != CATEGORY_TYPE) return false;
    for (int64_t i = 0; i < column->rows && present < LOOK_AT; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) continue;
        present++;
        days += is_day(cell);
    }
    return present && days * 10 >= present * 8;
}
