/* protect.limit-records: which records stay, people counted for events, bad input. */
#include "methods.h"

static const char stays[] = "row,pid,day,dx\n0,1,3,a\n1,1,1,a\n2,1,2,b\n3,2,1,a\n4,3,1,b\n5,,9,c\n6,1,,a\n";

static void rows_are(const char *expected) {
    const Table *table = last_result->output[0];
    char text[200] = "", number[33];
    for (int64_t i = 0; i < table->rows; i++) strcat(strcat(text, table_cell(table, "row", i, number)), " ");
    assert_string_equal(text, expected);
}

static void test_first_and_last(void **state) {
    (void)state;
    table_from("t", stays);
    run_ok("protect limit-records t --person pid --most 2 --keep first --order day");
    rows_are("1 2 3 4 5 ");
    near(value("dropped"), 2, 0);
    near(value("people_limited"), 1, 0);
    near(value("most_before"), 4, 0);
    near(value("most_after"), 2, 0);
    run_ok("protect limit-records t --person pid --most 1 --keep last --order day");
    rows_are("0 3 4 5 ");
}

/* a: two people, though four records; b: two people; c: one record of nobody. */
static void test_rare_events(void **state) {
    (void)state;
    table_from("t", stays);
    run_ok("protect limit-records t --person pid --event dx --k 2");
    rows_are("0 1 2 3 4 6 ");
    near(value("rare_events"), 1, 0);
    near(value("people_gone"), 1, 0);
    run_ok("protect limit-records t --person pid --event dx --k 3");
    rows_are("");
    near(value("people_gone"), 4, 0);
}

/* Every record of a person has the same chance: of 300 people with three records, one kept. */
static void test_random(void **state) {
    (void)state;
    char text[20000] = "row,pid\n";
    int kept[3] = { 0 };
    for (int i = 0; i < 900; i++) sprintf(text + strlen(text), "%d,%d\n", i % 3, i / 3);
    table_from("t", text);
    run_ok_seeded(5, "protect limit-records t --person pid --most 1");
    const Table *table = last_result->output[0];
    assert_int_equal(table->rows, 300);
    for (int64_t i = 0; i < 300; i++) kept[(int)table_number(table, "row", i)]++;
    for (int k = 0; k < 3; k++) assert_true(kept[k] > 65 && kept[k] < 135); /* 100 ± 8.2: by chance outside once in 40,000 draws */
}

static void test_bad(void **state) {
    (void)state;
    table_from("t", stays);
    run_bad("protect limit-records t --person pid", "--most");
    run_bad("protect limit-records t --person pid --most 1 --keep first", "--order");
    run_bad("protect limit-records t --person pid --most 1 --keep first --order dx", "order in time");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_first_and_last), cmocka_unit_test(test_rare_events),
                                        cmocka_unit_test(test_random), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
