/* Times of day in cells. */
#include "testing.h"
#include "table/time_of_day.h"

static void test_hours(void **state) {
    (void)state;
    static const struct {
        const char *cell;
        double hours;
    } known[] = { { "2024-03-04T07:30:00", 7.5 },
                  { "2024-03-04 23:15", 23.25 },
                  { "00:00", 0 },
                  { "2024-03-04T12:00:36.5Z", 12.01 },
                  { "2024-03-04T18:45:00+01:00", 18.75 } };
    static const char *const bad[] = { "",      "2024-03-04", "2024-03-04T",      "T7:30",  "24:00", "12:60",
                                       "12-30", "noon",       "2024-03-04T1x:00", "12:00:7" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double hours = -1;
        assert_true(clock_hours(known[i].cell, &hours));
        assert_true(hours > known[i].hours - 1e-9 && hours < known[i].hours + 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double hours;
        assert_false(clock_hours(bad[i], &hours));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hours) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
