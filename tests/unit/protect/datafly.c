/* Datafly: its own rule by hand, the level asked for, what is suppressed. */
#include "methods.h"

static void tables(void) {
    table_from("zip", "level0,level1,level2\n02138,0213*,*\n02139,0213*,*\n02141,0214*,*\n02142,0214*,*\n");
    table_from("sex", "level0,level1\nf,*\nm,*\n");
    table_from("data", "zip,sex,x\n02138,f,1\n02138,f,2\n02139,f,3\n02141,m,4\n02141,m,5\n02142,m,6\n02142,f,7\n");
}

/* Types are by look: zip codes with a leading zero would be read as numbers here, so that the columns are made as text. */
static void as_text(const char *name) {
    for (int i = 0; i < SHELF && shelf[i]; i++) {
        if (strcmp(shelf[i]->name, name)) continue;
        const char *cells[20];
        static char text[20][34];
        const Column *zip = shelf[i]->column[0];
        for (int64_t row = 0; row < zip->rows; row++) {
            snprintf(text[row], sizeof text[row], "0%s", column_cell(zip, row, (char[33]){ 0 }));
            cells[row] = text[row];
        }
        Column *column;
        Table *table;
        assert_int_equal(column_category(zip->name, cells, zip->rows, &column, &last_error), OK);
        assert_int_equal(table_with(shelf[i], &column, 1, &table, &last_error), OK);
        column_release(column);
        shelve(name, table);
    }
}

static void by_hand(void **state) {
    (void)state;
    tables();
    as_text("zip");
    as_text("data");
    /* zip has four values, sex two: zip goes to 0213*, 0214* (two values, as sex: zip is first), and 6 of 7 are in classes of three */
    run_ok("protect datafly data --keys zip,sex --hierarchies zip,sex --k 3 --max-suppression 0.5");
    /* the seventh alone would be a class of one without keys: it is left out */
    assert_true(value("steps") == 1 && value("suppressed") == 1 && value("left_out") == 1 && value("classes") == 2 &&
                value("smallest") == 3);
    assert_string_equal(cells_of(output_column("zip")), "0213* 0213* 0213* 0214* 0214* 0214*");
    assert_string_equal(cells_of(output_column("sex")), "f f f m m m");
    assert_string_equal(cells_of(output_column("x")), "1 2 3 4 5 6");
    assert_true(output()->origin && output()->origin[5] == 5);
    run_ok("protect datafly data --keys zip,sex --hierarchies zip,sex --k 3 --max-suppression 0.5 --keep-suppressed");
    assert_true(value("suppressed") == 1 && value("left_out") == 0 && value("smallest") == 1);
    assert_string_equal(cells_of(output_column("zip")), "0213* 0213* 0213* 0214* 0214* 0214* .");
    run_ok("protect datafly data --keys zip,sex --hierarchies zip,sex --k 3 --max-suppression 0.1"); /* no record may go */
    assert_true(value("suppressed") == 0);
    run_ok("protect datafly data --keys zip,sex --hierarchies zip,sex --k 3");
    assert_true(value("suppressed") == 0 && value("smallest") >= 3 && value("steps") == 2);
    assert_string_equal(cells_of(output_column("zip")), "* * * * * * *");
}

static void how_far(void **state) {
    (void)state;
    tables();
    as_text("zip");
    as_text("data");
    run_ok("protect datafly data --keys zip,sex --hierarchies zip,sex --anonymity 0");
    assert_true(value("steps") == 0);
    assert_string_equal(cells_of(output_column("sex")), "f f f m m m f");
    run_ok("protect datafly data --keys zip,sex --hierarchies zip,sex --anonymity 1");
    assert_true(value("steps") == 3 && value("classes") == 1);
    run_ok("protect datafly data --keys zip,sex --hierarchies zip,sex --anonymity 0.3 --k 3");
    assert_true(value("steps") == 1 && value("suppressed") == 1);
    run_bad("protect datafly data --keys zip,sex --hierarchies zip,sex", "nothing to do");
    run_bad("protect datafly data --keys zip,sex --hierarchies zip,sex --k 8", "every key at its highest level");
    run_bad("protect datafly data --keys zip,sex --hierarchies zip --k 2", "hierarchy for the key sex");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(how_far) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
