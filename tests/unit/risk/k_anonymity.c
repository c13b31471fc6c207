/* k-anonymity: the toy table of the individual-risk papers, both rules for missing keys, the edges. */
#include "methods.h"

static void francdat(void **state) {
    (void)state;
    table_from("data",
               "Key1,Key2,Key3,Key4,w\n1,2,5,1,18\n1,2,1,1,45.5\n1,2,1,1,39\n3,3,1,5,17\n4,3,1,4,541\n4,3,1,1,8\n6,2,1,5,5\n1,2,5,1,92\n");
    run_ok("risk k-anonymity data --keys Key1,Key2,Key3,Key4 --weight w");
    assert_true(value("k") == 1 && value("classes") == 6 && value("uniques") == 4 && value("below_2") == 4 && value("below_3") == 8 &&
                value("below_5") == 8);
    assert_int_equal(last_result->columns, 2);
    assert_string_equal(last_result->column[0].column->name, "fk");
    assert_string_equal(cells_of(last_result->column[0].column), "2 2 2 1 1 1 1 2");
    assert_string_equal(last_result->column[1].column->name, "Fk");
    assert_string_equal(cells_of(last_result->column[1].column), "110 84.5 84.5 17 541 8 5 110");
    assert_true(table_value("frequencies", "records", 0) == 4 && table_value("frequencies", "records", 1) == 4);
}

static void both_rules(void **state) {
    (void)state;
    table_from("data", "a,b\n1,x\n1,\n2,x\n,x\n2,y\n");
    run_ok("risk k-anonymity data --keys a,b --missing wildcard");
    assert_string_equal(cells_of(last_result->column[0].column), "3 3 2 4 1");
    assert_true(value("k") == 1 && value("classes") == 5);
    run_ok("risk k-anonymity data --keys a,b --missing category");
    assert_string_equal(cells_of(last_result->column[0].column), "1 1 1 1 1");
    assert_true(value("uniques") == 5);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "a,b\n");
    run_ok("risk k-anonymity none --keys a,b");
    assert_int_equal(result_find(last_result, "k")->kind, VALUE_NULL);
    assert_true(value("classes") == 0);
    table_from("blank", "a,b\n,\n,\n");
    run_ok("risk k-anonymity blank --keys a");
    assert_true(value("k") == 2 && value("classes") == 1);
    table_from("one", "a,b\n1,2\n");
    run_ok("risk k-anonymity one --keys a,b");
    assert_true(value("k") == 1);
    run_bad("risk k-anonymity one --keys c", "c");
    run_bad("risk k-anonymity one", "keys");
    run_bad("risk k-anonymity blank --keys a --weight b", "missing");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(francdat), cmocka_unit_test(both_rules), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
