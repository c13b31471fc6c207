/* utility.edits: broken and undecided rules counted, per record and per rule; rules that cannot be read. */
#include "methods.h"

static void test_counts(void **state) {
    (void)state;
    table_from("r", "sex,cancer,age\nf,breast,40\nf,prostate,50\nm,prostate,\n,prostate,17\nf,prostate,12\n");
    table_from("rules", "name,rule\nno such patient,!(sex == 'f' & cancer == 'prostate')\nadult,age >= 18\n");
    run_ok("utility edits r --rules rules");
    near(value("broken"), 3, 0);
    near(value("edits_broken"), 2, 0);
    near(table_value("rules", "broken", 0), 2, 0);
    near(table_value("rules", "undecided", 0), 1, 0);
    near(table_value("rules", "broken", 1), 2, 0);
    near(table_value("rules", "undecided", 1), 1, 0);
    assert_int_equal(last_result->columns, 1);
    assert_string_equal(cells_of(last_result->column[0].column), "0 1 0 1 2");
}

static void test_bad(void **state) {
    (void)state;
    table_from("r", "sex,age\nf,40\n");
    table_from("rules", "rule\nage >= 18\n");
    run_ok("utility edits r --rules rules");
    near(value("broken"), 0, 0);
    table_from("rules", "rule\nagee >= 18\n");
    run_bad("utility edits r --rules rules", "Did you mean 'age'");
    table_from("rules", "rule\nage + 1\n");
    run_bad("utility edits r --rules rules", "cannot be read");
    run_bad("utility edits r --rules rules --show-values", "true or false");
    table_from("rules", "x,y\n1,2\n");
    run_bad("utility edits r --rules rules", "'rule'");
    table_from("rules", "rule\n");
    run_bad("utility edits r --rules rules", "no rule");
    run_bad("utility edits r", "rules");
    table_from("r", "sex,age\n");
    table_from("rules", "rule\nage >= 18\n");
    run_ok("utility edits r --rules rules");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
