/* synth.partial: what is not replaced stays to the last cell; single cells; learning from the replaced alone; rules; bad input. */
#include "methods.h"

static void make_data(void) {
    static char text[60000];
    char *at = text + sprintf(text, "id,g,h,y\n");
    for (int i = 0; i < 1200; i++) at += sprintf(at, "n%d,%c,%c,%d\n", i, 'a' + i % 3, 'p' + i / 7 % 2, 100 * (i % 3) + i / 3 % 50);
    table_from("t", text);
}

static bool same_cell(const char *column, int64_t row) {
    char one[33], two[33];
    const char *a = column_cell(table_column(shelf[0], column), row, one), *b = column_cell(output_column(column), row, two);
    return a && b ? !strcmp(a, b) : a == b;
}

static void test_where(void **state) {
    (void)state;
    int changed = 0;
    make_data();
    run_ok("synth partial t --vars y --where 'g == \"b\"'");
    for (int i = 0; i < 1200; i++) {
        assert_true(same_cell("id", i) && same_cell("g", i) && same_cell("h", i));
        if (i % 3 != 1) assert_true(same_cell("y", i));
        else {
            double y = column_number(output_column("y"), i);
            assert_true(y >= 100 && y < 150);
            changed += !same_cell("y", i);
        }
    }
    assert_true(changed > 300);
    near(value("replaced"), 400, 0);
    near(value("cells"), changed, 0);
    run_ok("synth partial t --vars y --where 'g == \"b\"' --learn replaced");
    for (int i = 1; i < 1200; i += 3) assert_in_range(column_number(output_column("y"), i), 100, 149);
    run_ok("synth partial t --vars y --where 'g == \"nobody\"'");
    assert_true(table_equal(shelf[0], output()));
}

static void test_cells(void **state) {
    (void)state;
    static char text[20000];
    char *at = text + sprintf(text, "y,h\n");
    make_data();
    for (int i = 0; i < 1200; i++) at += sprintf(at, "%d,%d\n", i % 2, i % 5 == 0);
    table_from("cells", text);
    run_ok("synth partial t --vars y,h --cells cells --m 2 --stacked");
    assert_int_equal(output()->rows, 2400);
    run_ok("synth partial t --vars y,h --cells cells");
    for (int i = 0; i < 1200; i++) assert_true((i % 2 || same_cell("y", i)) && (i % 5 == 0 || same_cell("h", i)));
    table_from("short", "y,h\n1,1\n");
    run_bad("synth partial t --vars y,h --cells short", "records");
    table_from("t2", "y,g\n1,a\n2,b\n");
    table_from("odd", "y\n1\n2\n");
    run_bad("synth partial t2 --vars y --cells odd", "must be 1");
}

static void test_rules(void **state) {
    (void)state;
    make_data();
    table_from("rules", "rule\ng == 'a' -> y < 20\ng != 'a' -> y >= 100\n");
    run_ok("synth partial t --vars y --rules rules");
    for (int i = 0; i < 1200; i++) {
        double y = column_number(output_column("y"), i);
        assert_true(i % 3 ? y >= 100 : y < 20);
    }
    table_from("never", "rule\ny > 1000\n");
    run_bad("synth partial t --vars y --rules never", "cannot be kept");
}

/* --evaluate hands its own parameters on to roc-release, those too whose names roc-release has itself. */
static void test_told(void **state) {
    (void)state;
    make_data();
    run_ok_seeded(5, "synth partial t --vars y --where 'g == \"b\" & min(y, 500) > 99' --method sequential --models y:pmm --evaluate");
    const Result *told = result_within(last_result, "roc-release");
    assert_non_null(told);
    double auc = result_find(told, "auc")->real, copied = result_find(told, "copied")->real;
    assert_true(auc >= 0 && auc <= 1);
    assert_true(copied > .6 && copied < .9); /* two records in three stay as they are */
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_where), cmocka_unit_test(test_cells), cmocka_unit_test(test_rules),
                                        cmocka_unit_test(test_told) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
