/* synth.full: background from the frame without repetition, relations learned from the sample, future people, bad input. */
#include "methods.h"

static void make_data(void) {
    static char text[60000];
    char *at = text + sprintf(text, "g,age,y\n");
    for (int i = 0; i < 600; i++) at += sprintf(at, "%c,%d,%d\n", 'a' + i % 2, 20 + i % 40, 100 * (i % 2) + i % 10);
    table_from("t", text);
    at = text + sprintf(text, "slot,g,age\n");
    for (int i = 0; i < 1500; i++) at += sprintf(at, "%d,%c,%d\n", i, 'a' + (i % 10 < 8), 20 + i % 45);
    table_from("frame", text);
}

static void test_frame(void **state) {
    (void)state;
    static bool seen[1500];
    int b = 0;
    make_data();
    run_ok("synth full t --frame frame --n 1000");
    assert_int_equal(output()->rows, 1000);
    for (int i = 0; i < 1000; i++) {
        char number[33];
        int person = (int)column_number(output_column("slot"), i), group = column_cell(output_column("g"), i, number)[0] == 'b';
        double y = column_number(output_column("y"), i);
        assert_false(seen[person]);
        seen[person] = true;
        assert_int_equal(group, person % 10 < 8);
        assert_true(y >= 100 * group && y < 100 * group + 10);
        b += group;
    }
    near(b / 1000., .8, .05);
    run_ok("synth full t --frame frame --m 3 --method sequential");
    assert_int_equal(last_result->outputs, 3);
}

static void test_future(void **state) {
    (void)state;
    make_data();
    run_ok("synth full t --frame frame --n 2000 --future --m 2 --stacked");
    assert_int_equal(output()->rows, 4000);
    assert_null(table_column(output(), "slot"));
    int b = 0, same = 0;
    for (int i = 0; i < 4000; i++) {
        char number[33];
        b += column_cell(output_column("g"), i, number)[0] == 'b';
    }
    for (int i = 0; i < 2000; i++) same += column_number(output_column("age"), i) == column_number(output_column("age"), i + 2000);
    near(b / 4000., .8, .05);
    assert_true(same < 1000); /* every table has people of its own */
}

static void test_bad(void **state) {
    (void)state;
    make_data();
    run_bad("synth full t --frame frame --n 1501", "too few");
    run_bad("synth full t --frame frame --vars g", "known from the frame");
    run_bad("synth full t --frame t", "nothing is left");
    table_from("other", "g,age\n1,20\n2,30\n");
    run_bad("synth full t --frame other", "in the frame");
    run_bad("synth full t", "frame");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_frame), cmocka_unit_test(test_future), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
