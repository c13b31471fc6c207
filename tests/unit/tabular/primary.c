/* Rules for unsafe cells, with the levels that they give. */
#include "methods.h"

static void threshold(void **state) {
    (void)state;
    table_from("t", "r,count\na,1\nb,2\nc,3\nd,0\nTotal,6\n");
    run_ok("tabular primary t --threshold 3");
    assert_true(value("primary") == 2);
    assert_string_equal(cells_of(output_column("status")), "primary primary open open open");
    assert_string_equal(cells_of(output_column("protection_upper")), "1 1 . . .");
    run_ok("tabular primary t --zeros");
    assert_string_equal(cells_of(output_column("rule")), ". . . zero .");
}

/* Contributions 80, 10, 5, 5: x1 + x2 = 90 of 100; p percent leaves 10 for the rest. */
static void magnitudes(void **state) {
    (void)state;
    table_from("t", "r,count,value,max1,max2\na,4,100,80,10\nb,10,100,20,15\nTotal,14,200,80,20\n");
    run_ok("tabular primary t --dominance 2:85");
    assert_string_equal(cells_of(output_column("status")), "primary open open");
    near(column_number(output_column("protection_upper"), 0), 100.0 / 85 * 90 - 100, 1e-12);
    run_ok("tabular primary t --dominance 1:85");
    assert_true(value("primary") == 0);
    run_ok("tabular primary t --p-percent 15"); /* 15% of 80 is 12 > 10 */
    assert_string_equal(cells_of(output_column("status")), "primary open open");
    near(column_number(output_column("protection_upper"), 0), 2, 1e-12);
    run_ok("tabular primary t --p-percent 12");
    assert_true(value("primary") == 0);
    run_ok("tabular primary t --pq 10:80"); /* 0.8·10 < 0.1·80 is false: 8 < 8 */
    assert_true(value("primary") == 0);
    run_ok("tabular primary t --pq 10:70");
    assert_true(value("primary") == 1);
    near(column_number(output_column("protection_upper"), 0), 10.0 / 70 * 80 - 10, 1e-12);
}

static void marks(void **state) {
    (void)state;
    table_from("t", "r,count,value,max1,max2,own,agreed\na,4,100,80,10,,1\nb,1,50,50,0,0,\nc,9,50,9,9,1,\nTotal,14,200,80,50,,\n");
    run_ok("tabular primary t --threshold 3 --p-percent 20 --flag own --waiver agreed");
    assert_string_equal(cells_of(output_column("status")), "open open primary open");
    near(column_number(output_column("protection_lower"), 2), 5, 1e-12); /* a tenth */
}

static void groups(void **state) {
    (void)state;
    table_from("t", "r,c,count\na,u,7\na,v,0\na,Total,7\nb,u,2\nb,v,5\nb,Total,7\nTotal,u,9\nTotal,v,5\nTotal,Total,14\n");
    run_ok("tabular primary t --group"); /* all of a are u, and all v are b */
    assert_string_equal(cells_of(output_column("status")), "primary open open open primary open open open open");
}

static void bad(void **state) {
    (void)state;
    table_from("t", "r,count\na,1\nTotal,1\n");
    run_bad("tabular primary t", "no rule");
    run_bad("tabular primary t --p-percent 10", "largest contributors");
    run_bad("tabular primary t --dominance x:10", "n:k");
    table_from("t", "r,count\na,\nTotal,1\n");
    run_bad("tabular primary t --threshold 3", "no value");
    table_from("t", "r,count\na,1\na,2\nTotal,3\n");
    run_bad("tabular primary t --threshold 3", "two rows");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(threshold), cmocka_unit_test(magnitudes), cmocka_unit_test(marks),
                                        cmocka_unit_test(groups), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
