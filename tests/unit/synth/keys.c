/* synth.keys: who is at risk and who is mixed in, and that nothing else changes. */
#include "methods.h"

static void make_data(void) {
    static char text[60000];
    char *at = text + sprintf(text, "a,b,y\n");
    for (int i = 0; i < 600; i++) at += sprintf(at, "%d,%c,%d\n", i < 590 ? 10 * (i % 5) : 1000 + i, 'p' + i % 3, i % 5 * 10 + i % 7);
    table_from("t", text);
}

static void test_who(void **state) {
    (void)state;
    char one[33], two[33];
    make_data();
    run_ok("synth keys t --keys a,b --k 3 --close 2");
    near(value("at_risk"), 10, 0); /* the last ten are alone with their a */
    assert_true(value("mixed") >= 1 && value("mixed") <= 20);
    int changed = 0;
    for (int i = 0; i < 600; i++) {
        near(column_number(output_column("y"), i), column_number(table_column(shelf[0], "y"), i), 0);
        changed += strcmp(column_cell(output_column("a"), i, one), column_cell(table_column(shelf[0], "a"), i, two)) ||
                   strcmp(column_cell(output_column("b"), i, one), column_cell(table_column(shelf[0], "b"), i, two));
    }
    assert_true(changed <= 10 + (int)value("mixed"));
    assert_true(value("kept") <= 3);
}

static void test_edges(void **state) {
    (void)state;
    make_data();
    run_ok("synth keys t --keys b --k 3");
    near(value("at_risk"), 0, 0);
    assert_true(table_equal(shelf[0], output()));
    run_ok("synth keys t --keys a,b --k 3 --close 0");
    near(value("mixed"), 0, 0);
    run_ok("synth keys t --keys a,b --k 1000 --m 2");
    near(value("at_risk"), 600, 0);
    assert_int_equal(last_result->outputs, 2);
    run_bad("synth keys t", "keys");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_who), cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
