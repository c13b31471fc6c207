/* Interval disclosure: by hand, sdcMicro's dRisk, ranks, missing values, the edges. */
#include "methods.h"

static void by_hand(void **state) {
    (void)state;
    table_from("o", "x,y\n0,0\n10,10\n20,20\n30,30\n");
    table_from("r", "x,y\n0,9\n10,10\n21,20\n40,30\n"); /* sd of x: 17.35, of y: 9.5 */
    run_ok("risk interval o r --width 0.1");
    near(table_value("columns", "inside", 0), 0.75, 0);
    near(table_value("columns", "inside", 1), 0.75, 0);
    near(value("inside"), 0.5, 0);
    near(value("inside_values"), 0.75, 0);
    assert_string_equal(cells_of(last_result->column[0].column), "0 1 1 0");
    run_ok("risk interval o r --width 1000");
    near(value("inside"), 1, 0);
    run_ok("risk interval o r --width 0 --vars y");
    near(value("inside"), 0.75, 0);
}

static void by_rank(void **state) {
    (void)state;
    table_from("o", "x\n1\n2\n3\n4\n5\n");
    table_from("r", "x\n100\n200\n500\n400\n300\n"); /* ranks 1 2 5 4 3 */
    run_ok("risk interval o r --basis rank --width 0.2");
    near(value("inside"), 0.6, 0);
    run_ok("risk interval o r --basis rank --width 0.4");
    near(value("inside"), 1, 0);
}

/* sdcMicro, dRisk(x, xm, k) on three columns of Tarragona with noise of 50%: 0 of 834 at k = 0.01 and 0.05, 6 at k = 0.1. */
static void peer(void **state) {
    (void)state;
    table_from_file("o", "../shared/reference/sdcmicro/Tarragona_5_7_x.csv");
    table_from_file("r", "../shared/reference/sdcmicro/Tarragona_5_7_addNoise50_xm.csv");
    run_ok("risk interval o r --width 0.01");
    near(value("inside"), 0, 0);
    run_ok("risk interval o r");
    near(value("inside"), 0, 0);
    run_ok("risk interval o r --width 0.1");
    near(value("inside"), 0.00719424460431655, 1e-12);
}

static void edges(void **state) {
    (void)state;
    table_from("o", "x,y\n1,5\n2,\n3,5\n");
    table_from("r", "x,y\n1,5\n,5\n9,5\n");
    run_ok("risk interval o r");
    near(value("compared"), 2, 0);
    near(value("inside"), 0.5, 0);
    assert_string_equal(cells_of(last_result->column[0].column), "1 . 0");
    table_from("m", "x,y\n,\n,\n,\n");
    run_ok("risk interval o m");
    assert_int_equal(result_find(last_result, "inside")->kind, VALUE_NULL);
    table_from("short", "x,y\n1,5\n");
    run_ok("risk interval short short");
    near(value("inside"), 1, 0);
    table_from("none", "x,y\n");
    run_bad("risk interval o short", "record by record");
    run_bad("risk interval none none", "empty");
    table_from("words", "x,g\na,b\nb,c\nc,a\n");
    run_bad("risk interval o words", "no column of numbers in common");
    run_bad("risk interval o r --width -1", "must be");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(by_rank), cmocka_unit_test(peer),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
