/* Reading rules: days in many forms against the calendar, items that are no rules, and what a table becomes. */
#include <stdio.h>
#include <string.h>
#include "base/number_text.h"
#include "io/reading_rules.h"
#include "testing.h"

static void test_days(void **state) {
    (void)state;
    static const char *const good[][3] = { { "31.12.1999", "dd.mm.yyyy", "1999-12-31" }, { "1/2/2003", "dd/mm/yyyy", "2003-02-01" },
                                           { "1/2/2003", "mm/dd/yyyy", "2003-01-02" },   { "20240229", "yyyymmdd", "2024-02-29" },
                                           { "31-12-99", "dd-mm-yy", "1999-12-31" },     { "05.06.29", "dd.mm.yy", "2029-06-05" } };
    static const char *const bad[][2] = { { "31.04.1999", "dd.mm.yyyy" },  { "12/31/1999", "dd/mm/yyyy" }, { "31.12.99", "dd.mm.yyyy" },
                                          { "31.12.1999 ", "dd.mm.yyyy" }, { "2024229", "yyyymmdd" },      { "", "dd.mm.yyyy" },
                                          { "29.02.2023", "dd.mm.yyyy" } };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int32_t days = 0, want = 0;
        if (!read_day_as(good[i][0], good[i][1], &days)) fail_msg("%s", good[i][0]);
        assert_true(read_date(good[i][2], good[i][2] + 10, &want));
        assert_int_equal(days, want);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int32_t days;
        if (read_day_as(bad[i][0], bad[i][1], &days)) fail_msg("%s as %s", bad[i][0], bad[i][1]);
    }
    for (int32_t d = -20000; d < 30000; d += 7) { /* every form gives the day back */
        char text[16];
        int64_t year, month, day;
        int32_t back;
        date_of(d, &year, &month, &day);
        snprintf(text, sizeof text, "%02d/%02d/%04d", (int)month, (int)day, (int)year);
        assert_true(read_day_as(text, "mm/dd/yyyy", &back));
        assert_int_equal(back, d);
    }
    assert_true(is_day_format("dd.mm.yyyy"));
    assert_false(is_day_format("dd.mm"));
    assert_false(is_day_format("hh:mm"));
    assert_false(is_day_format("dd.dd.yyyy"));
}

static void test_items(void **state) {
    (void)state;
    Error error = { 0 };
    Work work = { .arena = arena_new(), .error = &error };
    CsvOptions rest;
    ReadingRules rules;
    const char *na[] = { "NA", "bmi=999" }, *types[] = { "zip:text", "birth:date:dd.mm.yyyy", "a:b:real" };
    CsvOptions options = { .na = na, .na_count = 2, .types = types, .type_count = 3 };
    assert_int_equal(reading_rules_make(&work, &options, true, &rest, &rules), OK);
    assert_int_equal(rest.na_count, 1); /* CSV reads words itself */
    assert_int_equal(rules.missings, 1);
    assert_string_equal(rules.missing[0].column, "bmi");
    assert_int_equal(rules.types, 1);
    assert_string_equal(rest.types[1], "birth:text");
    assert_int_equal(reading_rules_make(&work, &options, false, &rest, &rules), OK);
    assert_int_equal(rest.na_count + rest.type_count, 0);
    assert_int_equal(rules.missings, 2);
    assert_int_equal(rules.types, 3);
    assert_string_equal(rules.type[2].column, "a:b");
    static const char *const bad[] = { "zip", ":text", "zip:txt", "birth:date:hh", "birth:real:dd.mm.yyyy" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        options = (CsvOptions){ .types = (const char **)(uintptr_t)&bad[i], .type_count = 1 };
        if (!reading_rules_make(&work, &options, true, &rest, &rules)) fail_msg("%s", bad[i]);
    }
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_days), cmocka_unit_test(test_items) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
