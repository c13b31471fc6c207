/* protect.top-bottom: thresholds by value and quantile, each replacement, weights, bad input. */
#include "methods.h"

static void test_replacements(void **state) {
    (void)state;
    table_from("t", "x\n1\n2\n3\n4\n5\n6\n7\n8\n10\n30\n");
    run_ok("protect top-bottom t --var x --top 8 --bottom 2");
    assert_string_equal(cells_of(output_column("x")), "2 2 3 4 5 6 7 8 8 8");
    assert_int_equal(output_column("x")->type, INTEGER_TYPE);
    assert_int_equal((int)value("top_coded"), 2);
    assert_int_equal((int)value("bottom_coded"), 1);
    assert_int_equal((int)value("cells"), 3);
    run_ok("protect top-bottom t --var x --top 6 --replace tail-mean");
    assert_string_equal(cells_of(output_column("x")), "1 2 3 4 5 6 13.75 13.75 13.75 13.75");
    run_ok("protect top-bottom t --var x --top 6 --replace tail-median");
    assert_string_equal(cells_of(output_column("x")), "1 2 3 4 5 6 9 9 9 9");
    assert_int_equal(output_column("x")->type, INTEGER_TYPE);
    run_ok("protect top-bottom t --var x --top 6 --bottom 3 --replace label");
    assert_string_equal(cells_of(output_column("x")), "<3 <3 3 4 5 6 >6 >6 >6 >6");
}

static void test_quantiles(void **state) {
    (void)state;
    table_from("t", "x,w\n5,1\n1,1\n,100\n3,1\n2,96\n4,1\n");
    run_ok("protect top-bottom t --var x --top-quantile 0.75 --bottom-quantile 0.25"); /* of 1…5: 4 and 2 */
    assert_string_equal(cells_of(output_column("x")), "4 2 . 3 2 4");
    run_ok("protect top-bottom t --var x --top-quantile 0.9"); /* type 7: 4.6 */
    assert_string_equal(cells_of(output_column("x")), "4.6 1 . 3 2 4");
    run_ok("protect top-bottom t --var x --top-quantile 0.9 --weight w"); /* 97 of 100 are at most 2 */
    assert_string_equal(cells_of(output_column("x")), "2 1 . 2 2 2");
    run_ok("protect top-bottom t --var x --top 3 --replace tail-mean --weight w");
    assert_string_equal(cells_of(output_column("x")), "4.5 1 . 3 2 4.5");
}

static void test_edges(void **state) {
    (void)state;
    table_from("t", "x,g,w\n1,a,1\n2,b,\n3,c,1\n");
    run_bad("protect top-bottom t --var x", "needs --top");
    run_bad("protect top-bottom t --var g --top 1", "needs numbers");
    run_bad("protect top-bottom t --var x --top 1 --bottom 2", "above the top");
    run_bad("protect top-bottom t --var x --top 1 --top-quantile 0.5", "either as a value");
    run_bad("protect top-bottom t --var x --top-quantile 1.5", "from 0 to 1");
    run_bad("protect top-bottom t --var x --top-quantile 0.5 --weight w", "weight");
    run_ok("protect top-bottom t --var x --top 9");
    assert_int_equal((int)value("cells"), 0);
    table_from("none", "x,y\n,1\n,2\n");
    run_ok("protect top-bottom none --var x --top-quantile 0.9 --replace tail-mean");
    assert_int_equal((int)value("cells"), 0);
    table_from("empty", "x,y\n");
    run_ok("protect top-bottom empty --var x --top 9");
    table_from("same", "x\n4\n4\n4\n");
    run_ok("protect top-bottom same --var x --top-quantile 0.9 --bottom-quantile 0.1");
    assert_string_equal(cells_of(output_column("x")), "4 4 4");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_replacements), cmocka_unit_test(test_quantiles),
                                        cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
