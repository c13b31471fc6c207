/* release check-schema: cells that a schema changes, counted by what is wrong with them. */
#include "methods.h"

#define CHECK(schema) "release check-schema t --schema '" schema "'"

static void test_counts(void **state) {
    (void)state;
    table_from("t", "x,y,g\n1,2.5,a\nN,3,b\n9,,z\n4,1,\n");
    run_ok(CHECK("{columns: {x: {type: integer, bounds: [0, 5]}, y: {type: integer, bounds: [0, 5]}, g: {categories: [a, b]}}}"));
    near(value("misfits"), 6, 0);
    near(table_value("cells", "words", 0), 1, 0);   /* N */
    near(table_value("cells", "outside", 0), 1, 0); /* 9 */
    near(table_value("cells", "rounded", 1), 1, 0); /* 2.5 */
    near(table_value("cells", "missing", 1), 1, 0);
    near(table_value("cells", "unknown", 2), 1, 0); /* z */
    near(table_value("cells", "missing", 2), 1, 0);
    assert_non_null(strstr(last_result->note[0], "Confidential"));
    for (int64_t i = 0; i < last_result->values; i++)
        if (!strcmp(last_result->value[i].name, "misfits")) assert_false(last_result->value[i].public);
}

static void test_fits(void **state) {
    (void)state;
    table_from("t", "x,g\n1,a\n,c\n5,\n");
    run_ok(CHECK("{columns: {x: {type: real, bounds: [0, 5], missing: possible}, g: {categories: [a, c], missing: possible}}}"));
    near(value("misfits"), 0, 0);
    run_bad(CHECK("{columns: {z: {type: real, bounds: [0, 5]}}}"), "no column 'z'");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts), cmocka_unit_test(test_fits) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
