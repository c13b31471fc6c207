/* Rules for unsafe cells, with the levels that they give. */
#include "methods.h"

static void threshold(void **state) {
    (void)state;
    table_from("t", "r,count\na,1\nb,2\nc,3\nd,0\nTotal,6\n");
    run_ok("tabular primary t --threshold 3");
    assert_true(value("primary") == 2);
    assert_string_equal(cells_of(output_column("status")), "primary primary open open open");
    assert_string_equal(cells_of(output_column("protection_either")), "1 1 . . .");
    assert_string_equal(cells_of(output_column("protection_upper")), "0 0 . . .");
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
    near(column_number(output_column("protection_either"), 2), 5, 1e-12); /* a tenth */
}

static void groups(void **state) {
    (void)state;
    table_from("t", "r,c,count\na,u,7\na,v,0\na,Total,7\nb,u,2\nb,v,5\nb,Total,7\nTotal,u,9\nTotal,v,5\nTotal,Total,14\n");
    run_ok("tabular primary t --group"); /* all of a are u, and all v are b: the empty cell says both */
    assert_string_equal(cells_of(output_column("status")), "primary primary open open primary open open open open");
    assert_true(table_value("rules", "cells", 0) == 3); /* though the empty one was found twice */
    assert_false(noted("hold all contributors"));
}

/* Whether a part holds everybody is a matter of who is there, not of what they have. */
static void groups_of_people(void **state) {
    (void)state;
    table_from("t", "r,count,value\na,4,100\nb,2,0\nTotal,6,100\n");
    run_ok("tabular primary t --group");
    assert_true(value("primary") == 0);
    table_from("t", "r,count,value\na,4,0\nb,0,0\nTotal,4,0\n");
    run_ok("tabular primary t --group");
    assert_string_equal(cells_of(output_column("status")), "primary primary open");
    table_from("t", "r,count,value\na,4,-3\nb,0,0\nTotal,4,-3\n");
    run_ok("tabular primary t --group");
    assert_string_equal(cells_of(output_column("status")), "primary primary open");
    table_from("t", "r,value\na,5\nb,3\nc,-3\nTotal,5\n"); /* nobody counted: not all of it is in a */
    run_ok("tabular primary t --group");
    assert_true(value("primary") == 0);
}

/* Empty cells that are not in the table, that nobody can be in, and a total that is no other's. */
static void bare_groups(void **state) {
    (void)state;
    table_from("t", "r,c,count\na,u,7\na,Total,7\nb,u,2\nb,v,5\nb,Total,7\nTotal,u,9\nTotal,v,5\nTotal,Total,14\n");
    run_ok("tabular primary t --group");
    assert_string_equal(cells_of(output_column("status")), "primary open open primary open open open open");
    assert_true(noted("2 cells hold all contributors"));
    table_from("t", "r,c,count\na,u,7\na,v,0\na,Total,7\nb,u,2\nb,v,0\nb,Total,2\nTotal,u,9\nTotal,v,0\nTotal,Total,9\n");
    run_ok("tabular primary t --group");
    assert_string_equal(cells_of(output_column("status")), "primary open open primary open open primary open open");
    assert_true(noted("3 cells hold all contributors"));
    table_from("t", "r,c,count\na,u,7\na,Total,7\nTotal,u,7\nTotal,Total,7\n"); /* no other part anywhere */
    run_ok("tabular primary t --group");
    assert_true(value("primary") == 0);
}

/* Relations as they come: the total is the term with a sign of its own, wherever it stands. */
static void groups_of_relations(void **state) {
    (void)state;
    table_from("c", "cell,value\na,7\nb,0\nt,7\nx,2\ny,5\n");
    table_from("r", "relation,cell,coef\n1,a,-1\n1,b,-1\n1,t,1\n2,a,1\n2,b,1\n2,x,-1\n2,y,-1\n");
    run_ok("tabular import --cells c --relations r --counts");
    shelve("t", table_retain(output()));
    run_ok("tabular primary t --group");
    assert_string_equal(cells_of(output_column("status")), "primary primary open open open");
}

/* What is published then leaves it open whether everybody is of one kind. */
static void groups_are_protected(void **state) {
    (void)state;
    table_from("t", "r,c,count\na,u,7\na,v,0\na,Total,7\nb,u,12\nb,v,5\nb,Total,17\nc,u,12\nc,v,15\nc,Total,27\n"
                    "Total,u,31\nTotal,v,20\nTotal,Total,51\n");
    run_ok("tabular primary t --group");
    shelve("p", table_retain(output()));
    run_ok("tabular suppress p");
    shelve("s", table_retain(output()));
    run_ok("tabular audit s");
    const Table *found = result_find_table(last_result, "intervals");
    char number[33];
    int seen = 0;
    for (int64_t i = 0; i < found->rows; i++)
        if (!strcmp(column_cell(table_column(found, "r"), i, number), "a") &&
            !strcmp(column_cell(table_column(found, "c"), i, number), "v"))
            seen += table_value("intervals", "upper", i) >= 1;
    assert_int_equal(seen, 1);
}

static void bad(void **state) {
    (void)state;
    table_from("t", "r,count\na,1\nTotal,1\n");
    run_bad("tabular primary t", "no rule");
    run_bad("tabular primary t --p-percent 10", "largest contributors");
    run_bad("tabular primary t --dominance x:10", "n:k");
    table_from("w", "r,count,own\nTotal,9,no\na,5,yes\nb,4,no\n"); /* words are no marks: which of them would be 0? */
    run_bad("tabular primary w --threshold 3 --flag own", "own");
    table_from("t", "r,count\na,\nTotal,1\n");
    run_bad("tabular primary t --threshold 3", "no value");
    table_from("t", "r,count\na,1\na,2\nTotal,3\n");
    run_bad("tabular primary t --threshold 3", "two rows");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(threshold),
                                        cmocka_unit_test(magnitudes),
                                        cmocka_unit_test(marks),
                                        cmocka_unit_test(groups),
                                        cmocka_unit_test(groups_of_people),
                                        cmocka_unit_test(bare_groups),
                                        cmocka_unit_test(groups_of_relations),
                                        cmocka_unit_test(groups_are_protected),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
