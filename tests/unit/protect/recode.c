/* protect.recode: intervals, maps, folding, weights, bad input. */
#include "methods.h"

static void test_breaks(void **state) {
    (void)state;
    table_from("t", "age,x\n0,1\n14,2\n15,3\n29,4\n75,5\n,6\n-3,7\n74.9,8\n");
    run_ok("protect recode t --var age --breaks 0,15,30,75");
    assert_string_equal(cells_of(output_column("age")), "[0,15) [0,15) [15,30) [15,30) [75,inf) . (-inf,0) [30,75)");
    assert_true(output_column("age")->words->ordered);
    assert_string_equal(output_column("age")->words->word[0], "(-inf,0)");
    assert_int_equal((int)value("cells"), 7);
    assert_int_equal((int)value("categories"), 5);
    assert_int_equal((int)value("categories_before"), 7);
    assert_false(output()->perturbed);
    run_ok("protect recode t --var age --breaks 0,15,30,75 --min-count 2 --other rest");
    assert_string_equal(cells_of(output_column("age")), "[0,15) [0,15) [15,30) [15,30) rest . rest rest");
    assert_int_equal((int)value("folded"), 3);
}

static void test_map(void **state) {
    (void)state;
    table_from("t", "g,k\na,1\nb,2\nc,3\na,\nd,9\n");
    table_from("m", "old,new\na,x\nb,x\nc,\n");
    table_from("n", "old,new\n1,10\n2,10\n3,30\n");
    run_ok("protect recode t --var g --map m");
    assert_string_equal(cells_of(output_column("g")), "x x . x d");
    run_ok("protect recode t --var k --map n"); /* numbers stay numbers */
    assert_string_equal(cells_of(output_column("k")), "10 10 30 . 9");
    assert_int_equal(output_column("k")->type, INTEGER_TYPE);
    run_ok("protect recode t --var g --map m --where 'k == 2'");
    assert_string_equal(cells_of(output_column("g")), "a x c a d");
}

static void test_merge(void **state) {
    (void)state;
    table_from("t", "g,k\na,1\nb,2\nc,3\na,\nd,9\n");
    run_ok("protect recode t --var k --merge '1, 2 = low;3=high'");
    assert_string_equal(cells_of(output_column("k")), "low low high . 9");
    run_ok("protect recode t --var k --merge '1,2=10;3=30;'"); /* numbers stay numbers */
    assert_string_equal(cells_of(output_column("k")), "10 10 30 . 9");
    assert_int_equal(output_column("k")->type, INTEGER_TYPE);
    run_ok("protect recode t --var g --merge 'a,b=x=y'");
    assert_string_equal(cells_of(output_column("g")), "x=y x=y c x=y d");
    run_bad("protect recode t --var g --merge 'a'", "needs a '='");
    run_bad("protect recode t --var g --merge 'a=x;;b=y'", "needs a '='");
    run_bad("protect recode t --var g --merge 'a,=x'", "empty word");
    run_bad("protect recode t --var g --merge 'a='", "empty word");
    run_bad("protect recode t --var g --merge 'a=x;a=y'", "twice");
    run_bad("protect recode t --var k --merge '1=x' --breaks 1,2", "only one of");
}

static void test_min_count(void **state) {
    (void)state;
    table_from("t", "region,w\nn,10\nn,10\ns,100\ne,5\n,7\n");
    run_ok("protect recode t --var region --min-count 2");
    assert_string_equal(cells_of(output_column("region")), "n n other other .");
    run_ok("protect recode t --var region --min-count 50 --weight w");
    assert_string_equal(cells_of(output_column("region")), "other other s other .");
    near(table_value("counts", "population", 0), 25, 0); /* other: still below 50, and the notes say so */
    run_ok("protect recode t --var region --min-count 1");
    assert_int_equal((int)value("cells"), 0);
    table_from("n", "k\n1\n1\n2\n");
    run_ok("protect recode n --var k --min-count 2 --other 99");
    assert_string_equal(cells_of(output_column("k")), "1 1 99");
    assert_int_equal(output_column("k")->type, INTEGER_TYPE);
    run_ok("protect recode n --var k --min-count 2");
    assert_string_equal(cells_of(output_column("k")), "1 1 other");
}

/* Limits that are dates, on dates and on moments of days. */
static void test_dates(void **state) {
    (void)state;
    Table *clinic = table_from_file("t", "examples/clinic.csv");
    int64_t at = table_find(clinic, "birthdate");
    run_ok("protect recode t --var birthdate --breaks 1960-01-01,1980-06-15");
    char label[33], day[33];
    for (int64_t i = 0; i < clinic->rows; i++) {
        const char *is = column_cell(last_result->output[0]->column[at], i, label), *was = column_cell(clinic->column[at], i, day);
        const char *wanted = strcmp(was, "1960-01-01") < 0   ? "(-inf,1960-01-01)"
                             : strcmp(was, "1980-06-15") < 0 ? "[1960-01-01,1980-06-15)"
                                                             : "[1980-06-15,inf)";
        assert_string_equal(is, wanted);
    }
    run_bad("protect recode t --var birthdate --breaks 1960-01-01,3", "a date such as");
    run_bad("protect recode t --var birthdate --breaks 1960-01-01,1959-01-01", "ascend");
    run_bad("protect recode t --var age --breaks 1,x", "expects a number");
}

static void test_bad_input(void **state) {
    (void)state;
    table_from("t", "g,k,w\na,1,1\nb,2,-1\n");
    table_from("m", "old,new\na,x\na,y\n");
    table_from("o", "from,to\na,x\n");
    run_bad("protect recode t --var g --breaks 1,2", "numbers");
    run_bad("protect recode t --var k --breaks 2,1", "ascend");
    run_bad("protect recode t --var k --breaks 1,1", "ascend");
    run_bad("protect recode t --var k", "needs --breaks");
    run_bad("protect recode t --var g --map m", "twice");
    run_bad("protect recode t --var g --map o", "'old' and 'new'");
    run_bad("protect recode t --var g --map m --breaks 1", "only one");
    run_bad("protect recode t --var g --min-count 1 --weight w", "negative");
    run_bad("protect recode t --var h --min-count 1", "no column 'h'");
    table_from("empty", "x,y\n");
    run_ok("protect recode empty --var x --breaks 1,2");
    assert_int_equal((int)value("categories"), 0);
    table_from("none", "x,y\n,1\n,2\n");
    run_ok("protect recode none --var x --breaks 1,2 --min-count 3");
    assert_int_equal(output_column("x")->missing, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_breaks),    cmocka_unit_test(test_map),   cmocka_unit_test(test_merge),
                                        cmocka_unit_test(test_min_count), cmocka_unit_test(test_dates), cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
