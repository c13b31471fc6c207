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

/* A number that is one person's leads to no key; whoever is at risk does not keep all keys, unless asked. */
static void test_own(void **state) {
    (void)state;
    static char text[60000];
    char *at = text + sprintf(text, "id,age,region,birth\n");
    for (int i = 0; i < 400; i++) at += sprintf(at, "%d,%d,r%d,%d\n", 10000 + i * 37 % 401, 20 + i % 61, i % 7, 1980 - i % 61);
    table_from("t", text);
    run_ok_seeded(1, "synth keys t --keys age,region --k 3 --allow-own"); /* the year of birth tells the age */
    assert_true(noted("'id' is a direct identifier"));
    double loose = value("kept");
    assert_true(loose > 5);
    for (int m = 1; m < 3; m++) {
        char command[80], one[33], two[33];
        snprintf(command, sizeof command, "synth keys t --keys age,region --k 3 --m %d", m);
        run_ok_seeded(1, command);
        near(value("kept"), 0, 0);
        for (int k = 0; k < m; k++) {
            const Table *made = last_result->output[k];
            int own = 0;
            for (int i = 0; i < 400; i++)
                own += !strcmp(column_cell(table_column(made, "age"), i, one), column_cell(table_column(shelf[0], "age"), i, two)) &&
                       !strcmp(column_cell(table_column(made, "region"), i, one), column_cell(table_column(shelf[0], "region"), i, two));
            assert_true(own <= 400 - (int)value("at_risk"));
        }
    }
    table_from("rule", "rule\nage + birth == 2000\n"); /* which only the age itself keeps: the region changes */
    run_ok_seeded(1, "synth keys t --keys age,region --k 3 --rules rule");
    for (int i = 0; i < 400; i++) near(column_number(output_column("age"), i) + column_number(output_column("birth"), i), 2000, 0);
    table_from("same", "a,b\n1,x\n1,x\n");
    run_ok("synth keys same --keys a,b --k 3"); /* nobody has other keys */
    near(value("kept"), 2, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_who), cmocka_unit_test(test_edges), cmocka_unit_test(test_own) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
