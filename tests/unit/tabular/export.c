/* Forms of a table: wide, and back through cells and relations. */
#include "methods.h"

static void wide(void **state) {
    (void)state;
    table_from("t", "r,c,count,status\na,u,,primary\na,v,,secondary\na,Total,9,open\nb,u,4,open\nb,v,2,open\nb,Total,6,open\n");
    run_ok("tabular export t");
    assert_true(value("rows") == 2 && value("hidden") == 2);
    assert_string_equal(cells_of(output_column("u")), "c 4");
    assert_string_equal(cells_of(output_column("v")), "x 2");
    assert_string_equal(output()->column[3]->name, "Total");
    assert_string_equal(cells_of(table_column(result_find_table(last_result, "table"), "v")), "x 2"); /* what reports show */
    run_ok("tabular export t --across r --primary-mark P");
    assert_string_equal(cells_of(output_column("a")), "P x 9");
    run_bad("tabular export t --across z", "no dimension");
}

static void there_and_back(void **state) {
    (void)state;
    table_from("t", "r,count,status\na,1,primary\nb,4,open\nc,5,open\nTotal,10,open\n");
    run_ok("tabular export t --form cells");
    shelve("c", table_retain(last_result->output[0]));
    run_ok("tabular export t --form relations");
    shelve("r", table_retain(last_result->output[0]));
    run_ok("tabular import --cells c --relations r --counts");
    assert_true(value("cells") == 4 && value("relations") == 1 && value("residual") == 0);
    shelve("u", table_retain(last_result->output[0]));
    run_ok("tabular suppress u");
    assert_true(value("cost") == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(wide), cmocka_unit_test(there_and_back) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
