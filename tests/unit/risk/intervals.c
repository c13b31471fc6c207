/* risk.intervals: by hand, after date shifting, units, bad input. */
#include <stdlib.h>
#include <unistd.h>
#include "methods.h"

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

/* 1: 3, 4; 2: the same, in another order of rows; 3: 4, 3; 4: one date; nobody: 3 days. */
static const char visits[] = "pid,d,e\n1,2024-01-01,2024-01-04\n1,2024-01-08,\n2,2020-05-08,2020-05-01\n2,2020-05-04,\n"
                             "3,2021-01-01,2021-01-05\n3,2021-01-08,\n4,2021-01-01,\n,2021-01-01,2021-01-04\n";

static void test_by_hand(void **state) {
    (void)state;
    dated("t", visits);
    run_ok("risk intervals t --person pid");
    near(value("people"), 5, 0);
    near(value("with_intervals"), 4, 0);
    near(value("k"), 1, 0);
    near(value("uniques"), 2, 0);
    near(value("share"), .4, 1e-12);
    run_ok("risk intervals t --person pid --vars d");
    near(value("uniques"), 1, 0); /* 1: 7; 2: 4; 3: 7; nobody: no interval */
    near(value("k"), 1, 0);
}

static void test_units(void **state) {
    (void)state;
    dated("t", visits);
    run_ok("risk intervals t --person pid --unit 30");
    near(value("k"), 1, 0); /* nobody has one interval, the others two */
    near(value("uniques"), 1, 0);
}

static void test_shifted(void **state) {
    (void)state;
    dated("t", visits);
    run_ok_seeded(3, "protect shift-dates t --vars d,e --subject pid");
    shelve("r", table_retain(last_result->output[0]));
    run_ok("risk intervals r --person pid --original t");
    near(value("uniques"), 2, 0);
    near(value("linked"), 2, 0);
    run_ok("protect coarsen-dates t --vars d,e --to year");
    shelve("r", table_retain(last_result->output[0]));
    run_ok("risk intervals r --person pid --original t");
    near(value("linked"), 0, 0);
}

static void test_bad(void **state) {
    (void)state;
    table_from("t", "pid,x\n1,2\n");
    run_bad("risk intervals t --person pid", "no column of dates");
    run_bad("risk intervals t --person pid --vars x", "not dates");
    dated("t", visits);
    run_bad("risk intervals t", "person");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand), cmocka_unit_test(test_units), cmocka_unit_test(test_shifted),
                                        cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
