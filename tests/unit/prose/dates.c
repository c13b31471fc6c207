/* Dates that move: each form keeps its form, and the calendar is right, against one that counts day by day. */
#include <stdio.h>
#include <string.h>
#include "testing.h"
#include "prose/replace.h"

/* What a text that is one date becomes, `by` days later; NULL where it cannot be read. */
static const char *moved(const char *text, Language language, int64_t by) {
    static char out[256];
    Buffer buffer = { 0 };
    Replacer replacer = { .language = language };
    Find find = { .start = 0, .end = (uint32_t)strlen(text), .kind = TRACE_DATE };
    People people = { .order = language == LANGUAGE_EN ? ORDER_MONTH : date_order_of(language) };
    Spot spot = { .replacer = &replacer, .people = &people, .text = text, .size = strlen(text), .find = &find, .out = &buffer };
    bool read = shift_date(&spot, by);
    assert_false(buffer.failed);
    assert_true(buffer.count < sizeof out);
    if (buffer.count) memcpy(out, buffer.bytes, buffer.count);
    out[buffer.count] = 0;
    buffer_free(&buffer);
    return read ? out : NULL;
}

static void becomes(const char *text, Language language, int64_t by, const char *expected) {
    const char *got = moved(text, language, by);
    if (!got || strcmp(got, expected)) fail_msg("'%s' by %d became '%s', not '%s'", text, (int)by, got ? got : "(unread)", expected);
}

static void forms(void **state) {
    (void)state;
    becomes("2019-03-14", LANGUAGE_EN, 20, "2019-04-03");
    becomes("03/14/2019", LANGUAGE_EN, 20, "04/03/2019");
    becomes("3/4/2019", LANGUAGE_EN, 1, "3/5/2019");
    becomes("3/4/2019", LANGUAGE_FR, 1, "4/4/2019");     /* the day first, but in English */
    becomes("14/03/2019", LANGUAGE_EN, 1, "15/03/2019"); /* there is no fourteenth month */
    becomes("04.07.51", LANGUAGE_DE, -4, "30.06.51");
    becomes("04.07.1951", LANGUAGE_ANY, -4, "30.06.1951"); /* points: the day first in any language */
    becomes("May 2, 2019", LANGUAGE_EN, -2, "April 30, 2019");
    becomes("MAY 2, 2019", LANGUAGE_EN, -2, "APRIL 30, 2019");
    becomes("2 Mar 2019", LANGUAGE_EN, -2, "28 Feb 2019");
    becomes("5th of May, 2021", LANGUAGE_EN, -3, "2nd of May, 2021");
    becomes("10th of May 2021", LANGUAGE_EN, 11, "21st of May 2021");
    becomes("10th of May 2021", LANGUAGE_EN, 2, "12th of May 2021");
    becomes("1 de junio de 2021", LANGUAGE_ES, -1, "31 de mayo de 2021");
    becomes("4. Juli 1951", LANGUAGE_DE, 30, "3. August 1951");
    becomes("3 avril 1988", LANGUAGE_FR, -40, "23 février 1988");
    becomes("14MAR2019", LANGUAGE_EN, 20, "03APR2019");
    becomes("14-Mar-19", LANGUAGE_EN, 20, "03-Apr-19");
    becomes("March '19", LANGUAGE_EN, 31, "April '19");
    becomes("Jan. 5, '48", LANGUAGE_EN, -5, "Dec. 31, '47");
    becomes("20190314", LANGUAGE_EN, 20, "20190403");
    becomes("20190314T1745", LANGUAGE_EN, 20, "20190403T1745");
    becomes("2019/03", LANGUAGE_EN, 31, "2019/04");
    becomes("2019-12", LANGUAGE_DE, 31, "2020-01");
    becomes("June 12, 2019", LANGUAGE_EN, -3, "June 9, 2019"); /* "09" would say that the day had two digits */
    becomes("June 09, 2019", LANGUAGE_EN, -3, "June 06, 2019");
    becomes("12/5/2019", LANGUAGE_EN, -30, "11/5/2019");
    becomes("12/5/2019", LANGUAGE_EN, 60, "2/3/2020");
    becomes("12. Juni", LANGUAGE_DE, -3, "9. Juni");
    becomes("2019-03-14 17:45", LANGUAGE_EN, 1, "2019-03-15 17:45"); /* the time of day stays */
}

/* Ranges of days, weeks, days of the year, months alone; what cannot be moved whole is not moved at all. */
static void rarer_forms(void **state) {
    (void)state;
    becomes("2.–11. Mai 2022", LANGUAGE_DE, 3, "5.–14. Mai 2022");
    becomes("2. bis 11. Mai 2022", LANGUAGE_DE, -1, "1. bis 10. Mai 2022");
    becomes("12 au 19 janvier 2022", LANGUAGE_FR, 20, "1 au 8 février 2022");
    becomes("5-7 May", LANGUAGE_EN, 2, "7-9 May");
    becomes("May 5-7, 2019", LANGUAGE_EN, 2, "May 7-9, 2019");
    assert_null(moved("2. bis 11. Mai 2022", LANGUAGE_DE, 25)); /* one end in May, one in June */
    becomes("2019-W11", LANGUAGE_EN, 7, "2019-W12");
    becomes("2019-W52-7", LANGUAGE_EN, 1, "2020-W01-1");
    becomes("2020W537", LANGUAGE_EN, 1, "2021W011");
    becomes("2019-W01-1", LANGUAGE_EN, -1, "2018-W52-7"); /* 31 December 2018 */
    becomes("2019-074", LANGUAGE_EN, 1, "2019-075");
    becomes("2020-366", LANGUAGE_EN, 1, "2021-001");
    becomes("4. November 2000", LANGUAGE_ANY, 187, "10. Mai 2001"); /* the stop is German, as the month may be */
    becomes("29 mai 1940", LANGUAGE_ANY, 187, "2 décembre 1940");   /* small letters: French */
    becomes("4 November 2000", LANGUAGE_ANY, 187, "10 May 2001");
    becomes("4 November 2000", LANGUAGE_DE, 187, "10 Mai 2001");
    becomes("June", LANGUAGE_EN, 31, "July");
    becomes("février", LANGUAGE_FR, -60, "décembre");
    assert_null(moved("3-V-1999", LANGUAGE_ES, 5));
    assert_null(moved("3. III. 1997", LANGUAGE_DE, 5));
    assert_null(moved("twenty-second of May, 2019", LANGUAGE_EN, 5));
    assert_null(moved("quince de enero de dos mil veinte", LANGUAGE_ES, 5));
}

static void weekdays(void **state) {
    (void)state;
    becomes("Monday", LANGUAGE_EN, 1, "Tuesday");
    becomes("Monday", LANGUAGE_EN, -1, "Sunday");
    becomes("MONDAY", LANGUAGE_EN, -8, "SUNDAY");
    becomes("miércoles", LANGUAGE_ES, 3, "sábado");
    becomes("Samstag", LANGUAGE_DE, 700, "Samstag");
    becomes("Fri", LANGUAGE_EN, 1, "Sat");
    becomes("THURS", LANGUAGE_EN, 1, "FRI");
    becomes("Mo", LANGUAGE_DE, 1, "Di");
    becomes("vie", LANGUAGE_ES, 5, "mié");
    becomes("sam", LANGUAGE_FR, 1, "dim");
}

static void leap_years(void **state) {
    (void)state;
    becomes("2020-02-28", LANGUAGE_EN, 1, "2020-02-29");
    becomes("2019-02-28", LANGUAGE_EN, 1, "2019-03-01");
    becomes("1900-02-28", LANGUAGE_EN, 1, "1900-03-01");
    becomes("2000-02-29", LANGUAGE_EN, 366, "2001-03-01");
    becomes("1999-12-31", LANGUAGE_EN, 1, "2000-01-01");
}

/* Day by day through 130 years: a calendar of its own beside it. */
static void every_day(void **state) {
    (void)state;
    static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    char text[32];
    int y = 1910, m = 1, d = 1;
    for (int by = 0; y < 2040; by++) {
        snprintf(text, sizeof text, "%04d-%02d-%02d", y, m, d);
        becomes("1910-01-01", LANGUAGE_EN, by, text);
        becomes(text, LANGUAGE_EN, -by, "1910-01-01");
        bool leap = (y % 4 == 0 && y % 100) || y % 400 == 0;
        if (++d <= length[m - 1] + (m == 2 && leap)) continue;
        d = 1;
        if (++m > 12) {
            m = 1;
            y++;
        }
    }
}

static void unread(void **state) {
    (void)state;
    static const char *const texts[] = { "",           "x",        "12",         "99/99/2019",
                                         "2019-13-01", "0/0/2019", "2019-03-99", "99999999999999999999",
                                         "\xff\xfe",   "::",       "yesterday" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (moved(texts[i], LANGUAGE_EN, 3)) fail_msg("'%s' was read as a date", texts[i]);
}

static void years(void **state) {
    (void)state;
    char year[5];
    assert_true(date_year("14 March 2019", 13, year));
    assert_string_equal(year, "2019");
    assert_true(date_year("2019-03-14", 10, year));
    assert_string_equal(year, "2019");
    assert_false(date_year("14.3.19", 7, year));
    assert_true(date_year("20190314", 8, year));
    assert_string_equal(year, "2019");
    assert_false(date_year("20191314", 8, year)); /* no day: eight digits are no year */
    assert_false(date_year("201", 3, year));
}

/* One number of days for a subject: never nothing, never above the bound, and every one of them is drawn. */
static void shifts(void **state) {
    (void)state;
    Seed seed = seed_from_number(5);
    Finder finder = { 0 };
    Replacer replacer = replacer_make(&finder, &seed, REPLACE_PSEUDO, LANGUAGE_EN, 3);
    int seen[7] = { 0 };
    for (int i = 0; i < 600; i++) {
        char subject[16];
        snprintf(subject, sizeof subject, "P%d", i);
        People people = { .subject = subject };
        int64_t by = subject_shift(&replacer, &people);
        assert_true(by && by >= -3 && by <= 3);
        assert_true(by == subject_shift(&replacer, &people));
        seen[by + 3]++;
    }
    for (int by = -3; by <= 3; by++) assert_true(by == 0 || seen[by + 3] > 50); /* of 100 expected: five deviations off */
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(forms),      cmocka_unit_test(rarer_forms), cmocka_unit_test(weekdays),
                                        cmocka_unit_test(leap_years), cmocka_unit_test(every_day),   cmocka_unit_test(unread),
                                        cmocka_unit_test(years),      cmocka_unit_test(shifts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
