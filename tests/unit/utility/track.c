/* utility.track: every fate counted, ids, three-valued matches, tables of different length, bad input. */
#include "methods.h"

static const char *people = "id,sex,phd,age,pay\n1,2,1,30,10\n2,2,1,29,20\n3,1,1,25,30\n4,2,0,28,40\n5,2,1,30.5,50\n6,2,1,30,60\n";

static void test_fates(void **state) {
    (void)state;
    table_from("o", people);
    /* 1 still matches (changed), 2 became a man, 5 is blanked, 6 is as it was; 4 moved in from outside */
    table_from("r", "id,sex,phd,age,pay\n1,2,1,29,99\n2,1,1,29,20\n3,1,1,25,30\n4,2,1,28,40\n5,,,,\n6,2,1,30,60\n");
    run_ok("utility track o r --where 'sex == 2 & phd == 1 & age < 31'");
    near(value("original_matches"), 4, 0);
    near(value("released_matches"), 3, 0);
    near(value("same_source"), 2, 0);
    near(value("blanked"), 1, 0);
    near(value("moved"), 1, 0);
    near(value("unchanged"), 1, 0);
    assert_null(result_find_table(last_result, "records"));
    run_ok("utility track o r --where 'sex == 2 & phd == 1 & age < 31' --show-records");
    assert_int_equal(result_find_table(last_result, "records")->rows, 4);
    near(table_value("records", "record", 1), 2, 0);
}

/* A missing cell that cannot save the match is a move, not a blank. */
static void test_three_values(void **state) {
    (void)state;
    table_from("o", "sex,phd\n2,1\n2,1\n");
    table_from("r", "sex,phd\n1,\n2,\n");
    run_ok("utility track o r --where 'sex == 2 & phd == 1'");
    near(value("moved"), 1, 0);
    near(value("blanked"), 1, 0);
}

static void test_id(void **state) {
    (void)state;
    table_from("o", people);
    table_from("r", "id,sex,phd,age,pay\n6,2,1,30,60\n2,2,1,28,21\n1,1,1,30,10\n");
    run_ok("utility track o r --where 'sex == 2 & phd == 1 & age < 31' --id id");
    near(value("same_source"), 2, 0);
    near(value("moved"), 1, 0);
    near(value("dropped"), 1, 0);
    near(value("unchanged"), 1, 0);
    run_ok("utility track o r --where 'sex == 2 & phd == 1 & age < 31'"); /* lengths differ: only the counts are known */
    near(value("released_matches"), 2, 0);
    assert_true(isnan(value("moved")));
    table_from("r", "id,sex,phd,age,pay\n6,2,1,30,60\n6,2,1,28,21\n");
    run_bad("utility track o r --where 'sex == 2' --id id", "same id");
}

static void test_edges(void **state) {
    (void)state;
    table_from("o", people);
    table_from("e", "id,sex,phd,age,pay\n");
    table_from("q", "id,pay\n1,2\n");
    run_ok("utility track o o --where 'age > 99'");
    near(value("original_matches"), 0, 0);
    run_ok("utility track o o --where 'sex == 2'");
    near(value("unchanged"), value("original_matches"), 0);
    run_ok("utility track e e --where 'sex == 2'");
    run_bad("utility track o q --where 'sex == 2'", "no column 'sex'");
    run_bad("utility track o o --where 'age + 1'", "neither true nor false");
    run_bad("utility track o o --where 'agee < 3'", "Did you mean 'age'");
    run_bad("utility track o o", "where");
    /* a recoded column is compared as text there */
    table_from("r", "id,sex,phd,age,pay\n1,f,1,30,10\n2,f,1,29,20\n3,m,1,25,30\n4,f,0,28,40\n5,f,1,30,50\n6,2,1,30,60\n");
    run_ok("utility track o r --where 'sex == 2'");
    near(value("same_source"), 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fates), cmocka_unit_test(test_three_values), cmocka_unit_test(test_id),
                                        cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
