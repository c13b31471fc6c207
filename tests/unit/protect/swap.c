/* protect.swap: the review's table 1, tables of order t kept exactly, marginals, strata, rules, weights, bad input. */
#include "methods.h"
#include "base/random.h"

/* Matthews & Harel 2011, table 1 (after Fienberg & McIntyre): X = 0000111 over Y = 1100100 and Z = 0011100. */
static const char *const table1 = "X,Y,Z\n0,1,0\n0,1,0\n0,0,1\n0,0,1\n1,1,1\n1,0,0\n1,0,0\n";

static int count_pairs(const Column *a, int64_t x, const Column *b, int64_t y) {
    int count = 0;
    for (int64_t i = 0; i < a->rows; i++) count += column_integer(a, i) == x && column_integer(b, i) == y;
    return count;
}

static void test_table1(void **state) {
    (void)state;
    table_from("t", table1);
    bool paper = false;
    for (int seed = 0; seed < 40; seed++) {
        run_ok_seeded(seed, seed % 2 ? "protect swap t --vars X --rate 0.5 --preserve 2 --exact"
                                     : "protect swap t --vars X --rate 1 --preserve 2"); /* the tables before the rate */
        assert_int_equal((int)value("swapped"), 4);
        near(value("distance"), 0, 0);
        for (int x = 0; x < 2; x++)
            for (int y = 0; y < 2; y++)
                for (int other = 1; other < 3; other++)
                    assert_int_equal(count_pairs(output()->column[0], x, output()->column[other], y),
                                     count_pairs(shelf[0]->column[0], x, shelf[0]->column[other], y));
        paper |= !strcmp(cells_of(output_column("X")), "1 0 0 1 0 1 0");
    }
    assert_true(paper); /* the published table is among what comes out */
}

/* n records: swapped x of `values` values, `others` columns of 2–4 values, a stratum, a weight. */
static void make_table(int n, int values, int others) {
    char *text = malloc(n * (3 * others + 30)), *at = text + sprintf(text, "x,s,w");
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", n, "swap", "x");
    RandomReader reader = reader_make(&stream);
    for (int k = 0; k < others; k++) at += sprintf(at, ",y%d", k);
    at += sprintf(at, "\n");
    for (int i = 0; i < n; i++) {
        at += sprintf(at, "%d,%d,%d.5", (int)reader_below(&reader, values), (int)reader_below(&reader, 3), (int)reader_below(&reader, 9));
        for (int k = 0; k < others; k++) at += sprintf(at, ",%d", (int)reader_below(&reader, 2 + k % 3));
        at += sprintf(at, "\n");
    }
    table_from("t", text);
    free(text);
}

/* Counts of (x, columns…) agree before and after. */
static bool tables_equal(const char *const *names, int count) {
    int64_t n = shelf[0]->rows;
    static int before[100000], after[100000];
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    for (int64_t i = 0; i < n; i++) {
        int a = 0, b = 0;
        for (int k = 0; k < count; k++) {
            a = a * 7 + (int)column_number(table_column(shelf[0], names[k]), i);
            b = b * 7 + (int)column_number(table_column(output(), names[k]), i);
        }
        before[a]++;
        after[b]++;
    }
    return !memcmp(before, after, sizeof before);
}

static void test_orders(void **state) {
    (void)state;
    make_table(3000, 3, 4);
    for (int t = 1; t <= 4; t++) {
        char command[100];
        snprintf(command, sizeof command, "protect swap t --vars x --rate 0.3 --preserve %d --exact --against y0,y1,y2,y3", t);
        run_ok_seeded(t, command);
        near(value("rate"), .3, .004);
        assert_int_equal((int)value("cells"), (int)value("swapped")); /* everyone who moves changes */
        if (t > 1) near(value("distance"), 0, 0);
        assert_true(tables_equal((const char *[]){ "x" }, 1));
        const char *y[] = { "y0", "y1", "y2", "y3" };
        for (int a = 0; a < 4; a++) {
            if (t >= 2) assert_true(tables_equal((const char *[]){ "x", y[a] }, 2));
            for (int b = 0; b < a; b++) {
                if (t >= 3) assert_true(tables_equal((const char *[]){ "x", y[a], y[b] }, 3));
                for (int c = 0; c < b && t >= 4; c++) assert_true(tables_equal((const char *[]){ "x", y[a], y[b], y[c] }, 4));
            }
        }
        assert_false(tables_equal((const char *[]){ "x", "y0", "y1", "y2", "y3" }, 5)); /* and yet it is another table */
    }
}

static void test_strata_and_weights(void **state) {
    (void)state;
    make_table(2000, 4, 3);
    run_ok("protect swap t --vars x --rate 0.4 --strata s --weight w");
    near(value("rate"), .4, .004);
    assert_true(tables_equal((const char *[]){ "x", "s" }, 2));
    double total[2] = { 0 };
    for (int i = 0; i < 4; i++) {
        total[0] += table_value("weighted_counts", "before", i);
        total[1] += table_value("weighted_counts", "after", i);
    }
    near(total[0], total[1], 1e-6);
    run_ok("protect swap t --vars x,y0 --rate 0.5 --strata s --preserve 2 --against y1,y2"); /* two columns together */
    assert_true(tables_equal((const char *[]){ "x", "y0", "s" }, 3));
    assert_true(tables_equal((const char *[]){ "x", "y1" }, 2));
    run_ok("protect swap t --vars x --rate 1");
    assert_true(value("rate") > .99);
}

static void test_rules(void **state) {
    (void)state;
    make_table(2000, 4, 3);
    Column *column;
    Table *table;
    const char *rule[] = { "!(x == 3 & y0 == 1)", NULL };
    assert_int_equal(column_text("rule", rule, 2, &column, &last_error), OK);
    assert_int_equal(table_new("r", &column, 1, 2, &table, &last_error), OK);
    shelve("rules", table);
    run_ok("protect swap t --vars x --rate 0.5 --rules rules");
    const Column *x = table_column(shelf[0], "x"), *y = table_column(shelf[0], "y0"), *z = output_column("x");
    for (int64_t i = 0; i < x->rows; i++)
        if (column_integer(z, i) != column_integer(x, i)) assert_false(column_integer(z, i) == 3 && column_integer(y, i) == 1);
    assert_true(value("undone") > 0);
    near(value("rate"), .5, .05);
    column_release(column);
}

static void test_missing_and_numbers(void **state) {
    (void)state;
    table_from("m", "x,y\n1.5,a\n,a\n2.5,b\n3.5,b\n4.5,c\n");
    run_ok("protect swap m --vars x --rate 0.9");
    assert_true(column_missing(output_column("x"), 1));
    assert_int_equal((int)value("swapped"), 4);
    near(column_number(output_column("x"), 0) + column_number(output_column("x"), 2) + column_number(output_column("x"), 3) +
             column_number(output_column("x"), 4),
         12, 1e-12);
    run_ok("protect swap m --vars x --rate 0.9 --preserve 2"); /* no two alike: made by moves of order 1, and the distance says so */
    assert_true(value("distance") > 0);
    run_ok("protect swap m --vars x --rate 0.9 --preserve 2 --exact");
    assert_int_equal((int)value("swapped"), 0);
}

static void test_bad_input(void **state) {
    (void)state;
    table_from("t", table1);
    run_bad("protect swap t --vars X --preserve 4", "tables of 4 columns");
    run_bad("protect swap t --vars X --strata X", "stratum");
    run_bad("protect swap t --vars X --against X", "swapped");
    run_bad("protect swap t --vars X --rate 2", "from 0 to 1");
    table_from("bad", "rule\nX +\n");
    run_bad("protect swap t --vars X --rules bad", "bad");
    table_from("norule", "x\n1\n");
    run_bad("protect swap t --vars X --rules norule", "column 'rule'");
    run_ok("protect swap t --vars X --rate 0");
    assert_int_equal((int)value("cells"), 0);
    table_from("empty", "x,y\n");
    run_ok("protect swap empty --vars x");
    table_from("same", "x,y\n1,1\n1,2\n1,1\n");
    run_ok("protect swap same --vars x --rate 1");
    assert_int_equal((int)value("swapped"), 0);
    table_from("one", "x,y\n1,1\n");
    run_ok("protect swap one --vars x --rate 1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table1),
                                        cmocka_unit_test(test_orders),
                                        cmocka_unit_test(test_strata_and_weights),
                                        cmocka_unit_test(test_rules),
                                        cmocka_unit_test(test_missing_and_numbers),
                                        cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
