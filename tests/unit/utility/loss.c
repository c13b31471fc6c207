/* utility.loss: nothing lost, everything lost, recoded classes by hand, and that more noise costs more. */
#include "methods.h"

static void test_nothing(void **state) {
    (void)state;
    table_from("o", "g,x,s\na,1,p\na,2,q\nb,3,p\nc,,q\n");
    run_ok("utility loss o o");
    near(value("loss"), 0, 0);
    near(value("values_lost"), 0, 0);
    near(value("pairs_moved"), 0, 0);
}

/* Four values a a b c: log(4/2), log 4, log 4. Folding b and c into d loses log 2 of each, out of 2·log 2 + 2·log 4. */
static void test_recoded(void **state) {
    (void)state;
    table_from("o", "g\na\na\nb\nc\n");
    table_from("r", "g\na\na\nd\nd\n");
    run_ok("utility loss o r");
    near(value("values_lost"), 2 * log(2) / (2 * log(2) + 2 * log(4)), 1e-12);
    near(value("distributions_moved"), 0, 1e-15); /* half b and half c is what they were */
    table_from("r", "g,h\na,1\na,1\nb,1\n,1\n");  /* c is blanked */
    run_ok("utility loss o r --vars g");
    near(value("values_lost"), log(4) / (2 * log(2) + 2 * log(4)), 1e-12);
    near(table_value("columns", "blanked", 0), 1, 0);
    table_from("r", "g\nb\na\na\nc\n"); /* two are wrong */
    run_ok("utility loss o r");
    near(value("values_lost"), (log(2) + log(4)) / (2 * log(2) + 2 * log(4)), 1e-12);
    near(value("distributions_moved"), 0, 1e-15);
}

static void test_column_gone(void **state) {
    (void)state;
    table_from("o", "g,h\na,1\na,2\nb,1\n");
    table_from("r", "g\na\na\nb\n");
    run_ok("utility loss o r");
    near(table_value("columns", "values_lost", 1), 1, 0);
    near(value("values_lost"), .5, 1e-15);
    near(value("pairs_moved"), 1, 0);
}

static double loss_of(const char *release) {
    char command[64];
    snprintf(command, sizeof command, "utility loss o %s", release);
    run_ok(command);
    return value("values_lost");
}

/* Numbers by rank: a shift of d ranks of n loses 3d/n; dealt out anew, about all. Classes stand for their middle. */
static void test_numbers(void **state) {
    (void)state;
    enum { N = 100 };
    char o[2048] = "x\n", near_by[2048] = "x\n", far[2048] = "x\n";
    for (int i = 0; i < N; i++) {
        sprintf(o + strlen(o), "%d\n", i);
        sprintf(near_by + strlen(near_by), "%d\n", i ^ 1);     /* neighbours exchanged */
        sprintf(far + strlen(far), "%d\n", (i * 37 + 11) % N); /* scattered */
    }
    table_from("o", o);
    table_from("n", near_by);
    table_from("f", far);
    near(loss_of("n"), 3.0 / N, 1e-12);
    near(value("distributions_moved"), 0, 1e-15);
    assert_true(loss_of("f") > .9);
    Table *coarse = NULL;
    char *cells[N];
    for (int i = 0; i < N; i++) cells[i] = malloc(32), snprintf(cells[i], 32, "[%d,%d)", i / 20 * 20, i / 20 * 20 + 20);
    Column *column;
    assert_int_equal(column_category("x", (const char *const *)cells, N, &column, &last_error), OK);
    assert_int_equal(table_new("c", &column, 1, N, &coarse, &last_error), OK);
    column_release(column);
    shelve("c", coarse);
    for (int i = 0; i < N; i++) free(cells[i]);
    near(loss_of("c"), 3 * .05, 1e-12); /* mean distance from the middle of twenty of a hundred ranks: 5 */
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", "a\nx\ny\n");
    table_from("r", "a\nx\n");
    run_bad("utility loss o r", "cannot be compared");
    table_from("e", "a,b\n");
    run_ok("utility loss e e");
    table_from("m", "a,b\n,\n,\n");
    run_ok("utility loss m m");
    near(value("loss"), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing), cmocka_unit_test(test_recoded), cmocka_unit_test(test_column_gone),
                                        cmocka_unit_test(test_numbers), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
