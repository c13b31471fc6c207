/* protect.pram: the matrix, invariance, zeros, unbiased counts, strata, bad input. */
#include "methods.h"
#include "base/random.h"

/* n records over categories a…; shares in per cent. */
static void make_table(const char *name, int n, const int *share, int count) {
    char *text = malloc(n * 4 + 8), *at = text + sprintf(text, "g,h\n");
    uint64_t words[1];
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, name, "g");
    for (int i = 0; i < n; i++) {
        stream_words(&stream, i, 1, words);
        int u = (int)word_below(words[0], 100), k = 0;
        while (k < count - 1 && u >= share[k]) u -= share[k++];
        at += sprintf(at, "%c,%d\n", 'a' + k, i % 2);
    }
    table_from(name, text);
    free(text);
}

static int64_t tally(const Column *column, const char *word) {
    int64_t count = 0;
    char number[33];
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        count += cell && !strcmp(cell, word);
    }
    return count;
}

static void test_keep(void **state) {
    (void)state;
    make_table("t", 4000, (int[]){ 60, 30, 10 }, 3);
    run_ok("protect pram t --vars g --keep 0.7");
    near(table_value("matrix", "probability", 0), .7, 1e-12);
    near(table_value("matrix", "probability", 1), .15, 1e-12);
    near(value("share"), .3, .03);
    near(table_value("counts", "released", 2), table_value("counts", "expected", 2), 4 * sqrt(4000 * .15 * .85));
    run_ok("protect pram t --vars g --keep 0.7 --alpha 0.5");
    near(table_value("matrix", "probability", 0), .85, 1e-12);
    run_ok("protect pram t --vars g --keep 1");
    assert_int_equal((int)value("cells"), 0);
}

static void test_invariant(void **state) {
    (void)state;
    make_table("t", 4000, (int[]){ 60, 30, 10 }, 3);
    const Column *g = table_column(shelf[0], "g");
    double mean[3] = { 0 };
    for (int seed = 0; seed < 60; seed++) {
        run_ok_seeded(seed, "protect pram t --vars g --keep 0.7 --invariant --alpha 0.9");
        for (int k = 0; k < 3; k++) mean[k] += (double)tally(output_column("g"), (char[]){ (char)('a' + k), 0 }) / 60;
        for (int k = 0; k < 3; k++)
            near(table_value("counts", "expected", k), table_value("counts", "original", k), 1e-8); /* exactly, in expectation */
    }
    for (int k = 0; k < 3; k++) near(mean[k], tally(g, (char[]){ (char)('a' + k), 0 }), 4 * sqrt(4000 * .2 / 60));
    for (int k = 0; k < 3; k++)
        near(table_value("matrix", "probability", 3 * k) + table_value("matrix", "probability", 3 * k + 1) +
                 table_value("matrix", "probability", 3 * k + 2),
             1, 1e-12);
    run_ok("protect pram t --vars g --keep 0.5 --invariant --strata h");
    assert_int_equal(result_find_table(last_result, "matrix")->rows, 18);
    for (int k = 0; k < 3; k++) near(table_value("counts", "expected", k), table_value("counts", "original", k), 1e-8);
}

/* R as computed by hand for T = (2, 1, 1), P with .5 on the diagonal. */
static void test_invariant_matrix(void **state) {
    (void)state;
    table_from("t", "g\na\na\nb\nc\n");
    run_ok("protect pram t --vars g --keep 0.5 --invariant");
    double P[3][3], T[3] = { 2, 1, 1 }, share[3] = { 0 };
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) share[l] += (P[k][l] = k == l ? .5 : .25) * T[k];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            double r = 0;
            for (int l = 0; l < 3; l++) r += P[k][l] * P[j][l] * T[j] / share[l];
            near(table_value("matrix", "probability", 3 * k + j), r, 1e-12);
        }
}

static void test_matrix(void **state) {
    (void)state;
    make_table("t", 4000, (int[]){ 50, 30, 20 }, 3);
    const Column *g = table_column(shelf[0], "g");
    table_from("m", "from,a,b,d\na,0.8,0,0.2\nb,0,1,0\n"); /* a never becomes b; c is not named, and stays; d is new */
    run_ok("protect pram t --vars g --matrix m");
    int64_t became_b = 0, kept_c = 0;
    for (int64_t i = 0; i < g->rows; i++) {
        char x[33], y[33];
        const char *was = column_cell(g, i, x), *is = column_cell(output_column("g"), i, y);
        became_b += !strcmp(was, "a") && !strcmp(is, "b");
        kept_c += !strcmp(was, "c") && !strcmp(is, "c");
    }
    bool said = false;
    for (int64_t i = 0; i < last_result->notes; i++) said |= strstr(last_result->note[i], "does not name 1 of its categories") != NULL;
    assert_true(said);
    assert_int_equal(became_b, 0);
    assert_int_equal(kept_c, tally(g, "c"));
    near(tally(output_column("g"), "d"), .2 * tally(g, "a"), 4 * sqrt(2000 * .16));
    table_from("l", "variable,original,released,probability\nh,0,1,1\nh,1,0,1\ng,a,b,1\ng,b,a,1\n");
    run_ok("protect pram t --vars g,h --matrix l"); /* deterministic: a and b change places, 0 and 1 too */
    assert_int_equal(tally(output_column("g"), "a"), tally(g, "b"));
    assert_int_equal(output_column("h")->type, INTEGER_TYPE);
    assert_int_equal(column_integer(output_column("h"), 0), 1);
    table_from("square", "a,b,c\n0,1,0\n0,0,1\n1,0,0\n");
    run_ok("protect pram t --vars g --matrix square");
    assert_int_equal(tally(output_column("g"), "b"), tally(g, "a"));
}

/* T̂ = (P')⁻¹T*: with keep p over K categories, T̂_k = (T*_k − n(1−p)/(K−1)) / (p − (1−p)/(K−1)). Unbiased over seeds. */
static void test_unbiased(void **state) {
    (void)state;
    make_table("t", 4000, (int[]){ 60, 30, 10 }, 3);
    const Column *g = table_column(shelf[0], "g");
    double mean = 0;
    for (int seed = 0; seed < 60; seed++) {
        run_ok_seeded(seed, "protect pram t --vars g --keep 0.6");
        mean += ((double)tally(output_column("g"), "c") - 4000 * .2) / .4 / 60;
    }
    near(mean, tally(g, "c"), 4 * sqrt(4000 * .2) / .4 / sqrt(60));
}

/* The same through `utility pram-estimate`, with the matrix that the result carries. */
static void test_estimate(void **state) {
    (void)state;
    make_table("t", 4000, (int[]){ 60, 30, 10 }, 3);
    const Column *g = table_column(shelf[0], "g");
    double mean = 0;
    for (int seed = 0; seed < 60; seed++) {
        run_ok_seeded(seed, "protect pram t --vars g --keep 0.6");
        shelve("released", table_retain(output()));
        shelve("matrix", table_retain(result_find_table(last_result, "matrix")));
        run_ok("utility pram-estimate released --matrix matrix");
        mean += table_value("counts", "estimate", 2) / 60;
    }
    near(mean, tally(g, "c"), 4 * sqrt(4000 * .2) / .4 / sqrt(60));
}

static void test_same_bytes_and_edges(void **state) {
    (void)state;
    make_table("t", 4000, (int[]){ 60, 30, 10 }, 3);
    run_threads = 1;
    run_ok("protect pram t --vars g,h --keep 0.5 --invariant");
    Table *one = table_retain(output());
    run_threads = 3;
    run_ok("protect pram t --vars g,h --keep 0.5 --invariant");
    assert_true(table_equal(one, output()));
    table_release(one);
    table_from("edge", "g,none,same,w\na,,7,1\n,,7,1\nb,,7,\n");
    run_ok("protect pram edge --vars g,none,same --keep 0.2 --invariant");
    assert_true(column_missing(output_column("g"), 1));
    assert_int_equal(output_column("none")->missing, 3);
    assert_string_equal(cells_of(output_column("same")), "7 7 7");
    run_bad("protect pram edge --vars g", "--matrix or --keep");
    run_bad("protect pram edge --vars g --keep 1.5", "from 0 to 1");
    run_bad("protect pram edge --vars g --keep 0.5 --invariant --weight w", "weight");
    table_from("bad", "from,a,b\na,0.8,0.1\nb,0,1\n");
    run_bad("protect pram edge --vars g --matrix bad", "does not sum to 1");
    table_from("negative", "from,a,b\na,1.5,-0.5\nb,0,1\n");
    run_bad("protect pram edge --vars g --matrix negative", "negative");
    table_from("words", "from,a,b\na,x,y\nb,x,y\n");
    run_bad("protect pram edge --vars g --matrix words", "other than numbers");
    table_from("empty", "g,h\n");
    run_ok("protect pram empty --vars g --keep 0.5");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keep),
                                        cmocka_unit_test(test_invariant),
                                        cmocka_unit_test(test_invariant_matrix),
                                        cmocka_unit_test(test_matrix),
                                        cmocka_unit_test(test_unbiased),
                                        cmocka_unit_test(test_estimate),
                                        cmocka_unit_test(test_same_bytes_and_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
