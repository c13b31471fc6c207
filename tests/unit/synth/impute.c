/* synth.impute: observed cells stay; gaps are filled with values of the column; estimates under a missing-at-random mechanism are
 * unbiased where complete records are biased; bad input. Missing codes: tests/cli/formats.t. */
#include "methods.h"

static const char *cell_of(const Table *table, const char *column, int64_t row, char room[33]) {
    return column_cell(table_column(table, column), row, room);
}

/* g decides y's level; y is missing in part of the records of g = b, and colour where y is large. */
static void make_data(int seed) {
    static char text[40000];
    char *at = text + sprintf(text, "g,y,colour\n");
    uint64_t state = (uint64_t)seed * 77 + 5;
    for (int i = 0; i < 600; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int b = (int)(state >> 33) % 2, noise = (int)(state >> 40) % 21, y = (b ? 200 : 100) + noise;
        bool gap = b && (state >> 50) % 10 < 6, hidden = (state >> 55) % 10 == 0;
        at += sprintf(at, "%c,", b ? 'b' : 'a');
        at += gap ? sprintf(at, ",") : sprintf(at, "%d,", y);
        at += sprintf(at, "%s\n", hidden ? "" : b ? "red" : "blue");
    }
    table_from("t", text);
}

static void test_observed_stay(void **state) {
    (void)state;
    char one[33], two[33];
    int64_t filled = 0;
    make_data(1);
    run_ok("synth impute t --m 3 --stacked");
    assert_int_equal(output()->rows, 1800);
    for (int64_t i = 0; i < 1800; i++)
        for (int c = 0; c < 3; c++) {
            const char *name = (const char *[]){ "g", "y", "colour" }[c];
            const char *old = cell_of(shelf[0], name, i % 600, one), *new = cell_of(output(), name, i, two);
            assert_non_null(new);
            if (old) assert_string_equal(old, new);
            else filled++;
        }
    near(value("imputed"), (double)filled / 3, 0);
    assert_true(filled > 600);
}

/* Complete records put the mean of y near 135; the truth is 160. Every chain gets it, and the chains differ. */
static void test_unbiased(void **state) {
    (void)state;
    for (int method = 0; method < 2; method++)
        for (int seed = 1; seed <= 5; seed++) {
            double mean[3] = { 0 }, b = 0, all = 0;
            make_data(seed);
            run_ok_seeded((uint64_t)seed,
                          method ? "synth impute t --vars y --m 3 --stacked --models y:normal" : "synth impute t --vars y --m 3 --stacked");
            for (int64_t i = 0; i < 1800; i++) {
                char room[33];
                double y = column_number(output_column("y"), i);
                bool is_b = cell_of(output(), "g", i, room)[0] == 'b';
                mean[i / 600] += y / 600;
                b += is_b;
                all += 1;
                if (!method) assert_true(is_b ? y >= 200 && y <= 220 : y >= 100 && y <= 120);
            }
            for (int k = 0; k < 3; k++) near(mean[k], 110 + 100 * b / all, 2);
            assert_true(mean[0] != mean[1] && mean[1] != mean[2]);
        }
}

static void test_several_columns(void **state) {
    (void)state;
    int wrong = 0;
    make_data(3);
    run_ok("synth impute t");
    for (int64_t i = 0; i < 600; i++) {
        char g[33], colour[33];
        wrong += (cell_of(output(), "g", i, g)[0] == 'b') != !strcmp(cell_of(output(), "colour", i, colour), "red");
    }
    assert_int_equal(wrong, 0); /* colour follows from g */
}

static void test_nothing_and_bad(void **state) {
    (void)state;
    table_from("t", "a,b\n1,2\n3,4\n");
    run_ok("synth impute t");
    assert_true(table_equal(shelf[0], output()));
    near(value("imputed"), 0, 0);
    table_from("u", "a,b\n1,\n3,\n");
    run_bad("synth impute u --vars b", "no observed value");
    run_bad("synth impute u --iterations 0", "iterations");
    run_bad("synth impute u --vars c", "c");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_observed_stay), cmocka_unit_test(test_unbiased),
                                        cmocka_unit_test(test_several_columns), cmocka_unit_test(test_nothing_and_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
