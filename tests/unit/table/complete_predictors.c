/* Missing predictors: an indicator beside a number, categories for each code; alike in the tables of a model. */
#include "methods.h"
#include "table/complete_predictors.h"

static Work work = { .error = &last_error, .threads = 1 };

static void test_columns(void **state) {
    (void)state;
    Table *completed[2];
    Columns columns;
    work.arena = arena_new();
    Table *fit = table_from("fit", "x,g,z\n1,a,1\n,b,2\n3,,3\n"), *target = table_from("target", "x,g,z\n5,a,1\n6,,2\n");
    const Columns predictors = { 3, (const Column *[]){ fit->column[0], fit->column[1], fit->column[2] } };
    assert_int_equal(complete_predictors(&work, (const Table *[]){ fit, target }, 2, predictors, completed, &columns), OK);
    assert_int_equal(columns.count, 4); /* x, its indicator, g, z */
    assert_string_equal(columns.at[1]->name, "x: missing");
    for (int t = 0; t < 2; t++)
        for (int64_t j = 0; j < columns.count; j++) assert_int_equal(table_column(completed[t], columns.at[j]->name)->missing, 0);
    assert_string_equal(cells_of(table_column(completed[0], "x")), "1 0 3");
    assert_string_equal(cells_of(table_column(completed[0], "x: missing")), "no yes no");
    assert_string_equal(cells_of(table_column(completed[1], "x: missing")), "no no");
    assert_string_equal(cells_of(table_column(completed[0], "g")), "a b (missing)");
    assert_string_equal(cells_of(table_column(completed[1], "g")), "a (missing)");
    for (int t = 0; t < 2; t++) table_release(completed[t]);
    arena_free(work.arena);
}

/* A file of which two thirds lack some predictor: all records are used, and what the rest tell is found. */
static void test_methods(void **state) {
    (void)state;
    Buffer text = { 0 };
    buffer_print(&text, "y,x,v\n");
    for (int i = 0; i < 300; i++) {
        buffer_print(&text, "%d,", 10 * (i % 3) + i % 7);
        if (i % 3 == 0) buffer_print(&text, ",%d\n", i % 5);
        else if (i % 3 == 1) buffer_print(&text, "%d,\n", i % 4);
        else buffer_print(&text, "%d,%d\n", i % 4, i % 5);
    }
    table_from("t", buffer_get(&text));
    buffer_free(&text);
    run_ok("risk predictive t --sensitive y --predictors x,v");
    near(value("records"), 300, 0);
    assert_true(value("r2") > 0.9); /* what is missing tells y to within i % 7 */
    run_ok("attack regression t --sensitive y --predictors x,v");
    near(value("known"), 300, 0);
    assert_true(value("r2") > 0.9);
    run_ok("risk decision t --sensitive y --vars x,v --loss squared");
    assert_int_equal(last_result->column[0].column->missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_columns), cmocka_unit_test(test_methods) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
