/* protect.slice: marginals and joint counts exact within a slice, independent orders, strata, bad input. */
#include "methods.h"
#include "base/random.h"

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* All records of these columns as sorted lines. */
static char **lines_of(const Table *table, const char *const *names, int count) {
    char **lines = malloc((size_t)table->rows * sizeof *lines), number[33];
    for (int64_t i = 0; i < table->rows; i++) {
        char line[256] = "";
        for (int k = 0; k < count; k++) {
            const char *cell = column_cell(table_column(table, names[k]), i, number);
            strcat(strcat(line, cell ? cell : "."), "|");
        }
        lines[i] = strdup(line);
    }
    qsort(lines, (size_t)table->rows, sizeof *lines, by_text);
    return lines;
}

static void same_records(const Table *a, const Table *b, const char *const *names, int count) {
    char **x = lines_of(a, names, count), **y = lines_of(b, names, count);
    assert_int_equal(a->rows, b->rows);
    for (int64_t i = 0; i < a->rows; i++) {
        assert_string_equal(x[i], y[i]);
        free(x[i]);
        free(y[i]);
    }
    free(x);
    free(y);
}

static void make_table(int n) {
    char *text = malloc((size_t)n * 40 + 40), *at = text + sprintf(text, "id,g,a,b,c\n");
    for (int i = 0; i < n; i++)
        at += i % 17 ? sprintf(at, "%d,%c,%d,%d.5,%d\n", i, 'a' + i % 3, i, i % 7, 10 * i)
                     : sprintf(at, "%d,%c,%d,,%d\n", i, 'a' + i % 3, i, 10 * i);
    table_from("t", text);
    free(text);
}

static void test_slices(void **state) {
    (void)state;
    make_table(500);
    run_ok("protect slice t --groups a,b;c");
    assert_int_equal(last_result->outputs, 2);
    assert_int_equal(last_result->output[0]->columns, 2);
    assert_int_equal(last_result->output[1]->columns, 1);
    same_records(shelf[0], last_result->output[0], (const char *[]){ "a", "b" }, 2);
    same_records(shelf[0], last_result->output[1], (const char *[]){ "c" }, 1);
    near(value("dropped"), 2, 0);
    near(table_value("columns", "unique", 0), 500, 0);
    /* c is ten times a: were the orders the same, every line would agree; independent ones agree about once */
    int agree = 0, in_place = 0;
    for (int i = 0; i < 500; i++) {
        agree += column_integer(last_result->output[1]->column[0], i) == 10 * column_integer(last_result->output[0]->column[0], i);
        in_place += column_integer(last_result->output[0]->column[0], i) == i;
    }
    assert_true(agree < 8 && in_place < 8);
    assert_false(last_result->output[0]->perturbed); /* its counts are true */
}

static void test_strata(void **state) {
    (void)state;
    make_table(200);
    run_ok("protect slice t --groups a;c --strata g");
    same_records(shelf[0], last_result->output[0], (const char *[]){ "g", "a" }, 2);
    same_records(shelf[0], last_result->output[1], (const char *[]){ "g", "c" }, 2);
    near(value("smallest_stratum"), 66, 0);
    near(value("linked"), 0, 0);
    table_from("u", "g,a,b\nx,1,2\nx,2,3\ny,3,4\n");
    run_ok("protect slice u --groups a;b --strata g");
    near(value("linked"), 1, 0);
}

/* Every place is as likely as any other: record 0 over 2000 seeds, ±4.5 standard errors. */
static void test_uniform(void **state) {
    (void)state;
    table_from("t", "a,b\n0,0\n1,1\n2,2\n3,3\n");
    double pair[4][4] = { { 0 } };
    for (int seed = 0; seed < 2000; seed++) {
        int64_t place[2] = { 0 };
        run_ok_seeded(seed, "protect slice t --groups a;b");
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < 4; i++)
                if (!column_integer(last_result->output[s]->column[0], i)) place[s] = i;
        pair[place[0]][place[1]]++;
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) near(pair[i][j] / 2000, 1. / 16, 4.5 * sqrt(15. / 256 / 2000));
}

static void test_bad_input(void **state) {
    (void)state;
    make_table(10);
    run_bad("protect slice t --groups a,b", "one slice");
    run_bad("protect slice t --groups a,b;b,c", "named twice");
    run_bad("protect slice t --groups a;b,b", "twice");
    run_bad("protect slice t --groups a;b --strata a", "named twice");
    run_bad("protect slice t --groups a;z", "z");
    run_bad("protect slice t", "groups");
    run_bad("protect slice t --groups a;b --where 'a > 3'", "every record");
    table_from("empty", "a,b\n");
    run_ok("protect slice empty --groups a;b");
    assert_int_equal(last_result->output[1]->rows, 0);
    table_from("one", "a,b\n1,2\n");
    run_ok("protect slice one --groups a;b");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_slices), cmocka_unit_test(test_strata), cmocka_unit_test(test_uniform),
                                        cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
