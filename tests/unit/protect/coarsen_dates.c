/* protect.coarsen-dates: periods by hand, leap years, time since the first event, bad input. */
#include <stdlib.h>
#include <unistd.h>
#include "methods.h"
#include "base/number_text.h"

/* As a file, whose dates are read as dates. */
static void dated(const char *name, const char *text) {
    char path[] = "/tmp/scrimtest-XXXXXX.csv";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    table_from_file(name, path);
    unlink(path);
}

static const char *text_at(const char *column, int64_t row) {
    static char text[64];
    const char *cell = column_cell(table_column(last_result->output[0], column), row, text);
    return cell ? cell : "";
}

static void test_periods(void **state) {
    (void)state;
    static const struct {
        const char *to, *week[4];
    } cases[] = { { "week", { "2024-02-26", "1969-12-29", "2023-12-25", "" } },
                  { "month", { "2024-02-01", "1970-01-01", "2023-12-01", "" } },
                  { "quarter", { "2024-01-01", "1970-01-01", "2023-10-01", "" } },
                  { "year", { "2024-01-01", "1970-01-01", "2023-01-01", "" } } };
    dated("t", "pid,d\n1,2024-02-29\n1,1970-01-01\n2,2023-12-31\n3,\n");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char command[120];
        snprintf(command, sizeof command, "protect coarsen-dates t --vars d --to %s", cases[c].to);
        run_ok(command);
        for (int i = 0; i < 4; i++) assert_string_equal(text_at("d", i), cases[c].week[i]);
    }
}

/* Every day of 400 years lies in its period, and the period begins with itself. */
static void test_every_day(void **state) {
    (void)state;
    char *text = malloc(1 << 22), *at = text;
    const int64_t from = days_of(1899, 12, 1);
    at += sprintf(at, "d\n");
    for (int64_t d = 0; d < 60000; d++) {
        char day[32];
        day[write_date((int32_t)(from + d), day)] = 0;
        at += sprintf(at, "%s\n", day);
    }
    dated("t", text);
    free(text);
    static const char *const to[] = { "week", "month", "quarter", "year" };
    static const int most[] = { 6, 30, 91, 365 };
    for (int k = 0; k < 4; k++) {
        char command[120];
        snprintf(command, sizeof command, "protect coarsen-dates t --vars d --to %s", to[k]);
        run_ok(command);
        const Column *made = table_column(last_result->output[0], "d");
        for (int64_t d = 0; d < made->rows; d++) {
            const int64_t back = from + d - made->date[d];
            assert_true(back >= 0 && back <= most[k]);
            if (d && made->date[d] != made->date[d - 1]) assert_int_equal(back, 0);
        }
    }
}

static void test_since_first(void **state) {
    (void)state;
    dated("t", "pid,d,e\n1,2024-01-10,2024-01-31\n1,2024-01-01,\n2,2024-05-05,2024-05-12\n,2020-01-01,2020-01-08\n");
    run_ok("protect coarsen-dates t --vars d,e --to since-first --person pid --unit 1");
    static const char *const d[] = { "9", "0", "0", "0" }, *const e[] = { "30", "", "7", "7" };
    for (int i = 0; i < 4; i++) {
        assert_string_equal(text_at("d", i), d[i]);
        assert_string_equal(text_at("e", i), e[i]);
    }
    run_ok("protect coarsen-dates t --vars d,e --to since-first --person pid");
    assert_string_equal(text_at("e", 0), "4");
}

static void test_bad(void **state) {
    (void)state;
    dated("t", "pid,d\n1,2024-01-10\n");
    run_bad("protect coarsen-dates t --vars pid", "not dates");
    run_bad("protect coarsen-dates t --vars d --to since-first", "--person");
    run_bad("protect coarsen-dates t --vars d --to decade", "decade");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_periods), cmocka_unit_test(test_every_day),
                                        cmocka_unit_test(test_since_first), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
