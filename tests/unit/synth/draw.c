/* synth.draw: what the tree knew it still knows, models bent in every cell are refused or draw, and never crash. */
#include "methods.h"

/* y is 10·g plus noise; z is missing where g = c. */
static void make_data(int rows) {
    static char text[100000];
    char *at = text + sprintf(text, "g,h,y,z\n");
    uint64_t word = 12345;
    for (int i = 0; i < rows; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        int g = (int)(word >> 33) % 3, noise = (int)(word >> 40) % 5, h = (int)(word >> 50) % 4;
        at += sprintf(at, "%c,h%d,%d,", 'a' + g, h, 10 * g + noise);
        if (g < 2) at += sprintf(at, "%d", 5 + h);
        *at++ = '\n';
    }
    *at = 0;
    table_from("t", text);
}

static void save_model(const char *options) {
    char command[200];
    snprintf(command, sizeof command, "synth cart t --save-model %s", options);
    run_ok(command);
    shelve("model", table_retain(output()));
}

static void test_structure(void **state) {
    (void)state;
    make_data(2000);
    save_model("");
    run_ok("synth draw model --m 2");
    assert_int_equal(last_result->outputs, 2);
    run_ok("synth draw model --n 3000");
    double share[3] = { 0 };
    for (int i = 0; i < 3000; i++) {
        char number[33];
        int g = column_cell(output_column("g"), i, number)[0] - 'a';
        double y = column_number(output_column("y"), i);
        assert_true(y >= 10 * g && y < 10 * g + 5);
        assert_int_equal(column_missing(output_column("z"), i), g == 2);
        share[g] += 1 / 3000.;
    }
    for (int g = 0; g < 3; g++) near(share[g], 1 / 3., .05);
    table_from("rules", "rule\ny < 23\n");
    run_ok("synth draw model --rules rules");
    for (int64_t i = 0; i < output()->rows; i++) assert_true(column_number(output_column("y"), i) < 23);
}

/* Each column by itself in its own order: no row tells a record. */
static void test_no_record(void **state) {
    (void)state;
    make_data(1000);
    save_model("");
    static const char *const names[] = { "g", "h", "y", "z" };
    for (int c = 0; c < 4; c++) {
        const Column *column = table_column(output(), names[c]);
        Codes codes;
        Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
        assert_int_equal(column_codes(&work, column, &codes), OK);
        for (int64_t i = 1; i < 1000; i++) assert_true(codes.at[i] < 0 || (codes.at[i - 1] >= 0 && codes.at[i - 1] <= codes.at[i]));
        arena_free(work.arena);
    }
}

/* More nodes than records, a column without a value, and the model of one record. */
static void test_small(void **state) {
    (void)state;
    make_data(40);
    save_model("--min-leaf 1");
    run_ok("synth draw model --smooth");
    assert_int_equal(output()->rows, 40);
    table_from("t", "a,b\n1,\n2,\n3,\n");
    save_model("");
    run_ok("synth draw model");
    assert_int_equal(output_column("b")->missing, 3);
    table_from("t", "a\nx\n");
    save_model("");
    run_ok("synth draw model --n 2");
}

/* One cell of the model made something else: an error that names it, or a table; ASan sees the rest. */
static void test_bent(void **state) {
    (void)state;
    static const char *const bent[] = { "",
                                        "leaf",
                                        "leaf 0 99999",
                                        "leaf 5 5",
                                        "leaf -1 3",
                                        "7 <= 3 1 2",
                                        "0 <= 3 0 1",
                                        "0 <= -1 1 2",
                                        "0 in zz 1 2",
                                        "0 in 1 1 99",
                                        "1 in 1,2,3,4 1 2",
                                        "-3",
                                        "99999999999999999999",
                                        "x" };
    make_data(60);
    save_model("");
    Table *model = table_retain(output());
    int refused = 0;
    for (int64_t j = 0; j < model->columns; j++)
        for (size_t b = 0; b < sizeof bent / sizeof *bent; b++)
            for (int64_t row = 0; row < 3; row++) {
                char *cells[128];
                static char room[128][33];
                Table *made;
                for (int64_t i = 0; i < model->rows; i++) cells[i] = (char *)(uintptr_t)column_cell(model->column[j], i, room[i]);
                cells[row] = *bent[b] ? (char *)(uintptr_t)bent[b] : NULL;
                Column *column = column_of(model->column[j]->name, cells, model->rows);
                assert_int_equal(table_with(model, &column, 1, &made, &last_error), OK);
                column_release(column);
                shelve("bent", made);
                refused += !!run_seeded(1, "synth draw bent");
            }
    assert_true(refused > 100);
    table_release(model);
}

static void test_bad(void **state) {
    (void)state;
    make_data(50);
    run_bad("synth draw t", "--save-model");
    run_bad("synth cart t --save-model --strata g", "strata");
    run_bad("synth cart t --save-model --evaluate", "evaluate");
    table_from("rules", "rule\ny < 23\n");
    run_bad("synth cart t --save-model --rules rules", "synth draw");
    table_from("t", "a,tree of a\n1,2\n2,3\n");
    run_bad("synth cart t --save-model", "tree of a");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_structure), cmocka_unit_test(test_no_record), cmocka_unit_test(test_small),
                                        cmocka_unit_test(test_bent), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
