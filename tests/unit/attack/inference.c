/* Attribute inference: a copy teaches only about those in it; a rule that holds for all teaches about all. */
#include "methods.h"

static void copy(void **state) {
    (void)state;
    table_from("o", "k,s\n1,a\n2,b\n3,a\n4,b\n");
    table_from("h", "k,s\n1,b\n2,a\n3,b\n4,a\n");
    run_ok("attack inference o o h --sensitive s");
    assert_true(value("accuracy") == 1 && value("baseline") == 0 && value("gain") == 1 && value("relative_gain") == 1);
    run_ok("attack inference o o o --sensitive s");
    assert_true(value("gain") == 0);
    assert_true(value("lower") < 0 && value("upper") > 0);
}

static void numbers(void **state) {
    (void)state;
    table_from("o", "k,s\n1,100\n2,200\n");
    table_from("r", "k,s\n1,104\n2,230\n");
    table_from("h", "k,s\n1,50\n2,\n");
    run_ok("attack inference r o h --sensitive s");
    assert_true(value("accuracy") == 0.5 && value("baseline") == 0);
    run_ok("attack inference r o h --sensitive s --tolerance 0.2");
    assert_true(value("accuracy") == 1);
}

static void bad(void **state) {
    (void)state;
    table_from("o", "k,s\n1,a\n");
    table_from("h", "k,s\n1,\n");
    run_bad("attack inference o o h --sensitive s", "no record has a sensitive value");
    run_bad("attack inference o o h --sensitive z", "no column");
    table_from("alone", "s\na\n");
    run_bad("attack inference alone alone alone --sensitive s", "no column except");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(copy), cmocka_unit_test(numbers), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
