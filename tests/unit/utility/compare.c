/* utility.compare: sdcMicro's answers, identity, hand-computed distances, tables of different shape. */
#include "methods.h"

#define REFERENCE "../shared/reference/sdcmicro/"

/* sdcMicro 5.8.1: dUtility and IL_correl on Tarragona with noise. */
static void test_reference(void **state) {
    (void)state;
    table_from_file("x", REFERENCE "Tarragona_5_7_x.csv");
    table_from_file("y", REFERENCE "Tarragona_5_7_addNoise50_xm.csv");
    run_ok("utility compare x y");
    near(value("il1s"), 696.179875307384, 1e-8);
    near(value("il1s_mean"), 0.278249350642439, 1e-12);
    near(value("eigenvalues"), 1.01677632960973, 1e-9);
    near(value("correlation_loss"), 0.0874840860994743, 1e-9);
}

static void test_identity(void **state) {
    (void)state;
    table_from("t", "x,y,g\n1,2.5,a\n2,3.5,b\n3,1,a\n7,,\n5,8,c\n");
    run_ok("utility compare t t");
    const char *zero[] = { "il1s",      "il1s_mean", "eigenvalues",     "correlation_loss", "kullback_leibler",
                           "hellinger", "ks",        "total_variation", "entropy_change" };
    for (int i = 0; i < 9; i++) near(value(zero[i]), 0, 1e-9);
    near(table_value("means", "original", 1), 3.75, 1e-12);
    near(table_value("correlations", "relative_change", 0), 0, 1e-12);
    assert_int_equal(result_find_table(last_result, "distances")->rows, 3);
    assert_int_equal(result_find_table(last_result, "quantiles")->rows, 22);
}

static const char *groups_have(const char *column) { return cells_of(table_column(result_find_table(last_result, "groups"), column)); }

/* A group of two records loses its value while the whole table hardly changes; another order of the records changes nothing. */
static void test_groups(void **state) {
    (void)state;
    table_from("o", "g,x,c\na,1,u\na,2,u\na,3,v\na,4,v\nb,5,w\nb,6,w\n,7,u\n");
    table_from("r", "g,x,c\na,1,u\na,2,u\na,3,v\na,4,v\nb,5,u\nb,6,w\n,7,u\n");
    run_ok("utility compare o r --by g");
    assert_int_equal(result_find_table(last_result, "groups")->rows, 3);
    assert_string_equal(groups_have("group"), "g = a g = b g = (missing)");
    assert_string_equal(groups_have("original"), "4 2 1");
    near(table_value("groups", "total_variation", 0), 0, 1e-12);
    near(table_value("groups", "total_variation", 1), .5, 1e-12);
    assert_string_equal(groups_have("variable"), ". c .");
    near(value("total_variation"), 1. / 7, 1e-12);
    table_from("r", "g,x,c\nb,6,w\na,1,u\na,2,u\nb,5,u\na,3,v\n,7,u\n"); /* one record less: by its own groups */
    run_ok("utility compare o r --by g");
    assert_string_equal(groups_have("released"), "3 2 1");
    near(table_value("groups", "total_variation", 1), .5, 1e-12);
    table_from("r", "g,x,c\nother,6,w\na,1,u\n");
    run_bad("utility compare o r --by g", "groups that the original lacks");
}

static void test_by_hand(void **state) {
    (void)state;
    table_from("o", "x,g\n1,a\n2,a\n3,b\n4,b\n");
    table_from("r", "x,g\n2,a\n3,a\n4,a\n5,\n");
    run_ok("utility compare o r");
    near(value("ks"), .25, 1e-12);
    near(table_value("distances", "total_variation", 0), .25, 1e-12); /* 1 became 5 */
    near(table_value("distances", "total_variation", 1), .5, 1e-12);  /* a .5→.75, b .5→0, missing 0→.25 */
    near(table_value("distances", "hellinger", 1), sqrt((pow(sqrt(.5) - sqrt(.75), 2) + .5 + .25) / 2), 1e-12);
    near(value("il1s"), 4 / (M_SQRT2 * sqrt(5. / 3)), 1e-12);
    near(table_value("means", "relative_change", 0), .4, 1e-12);
    near(value("kullback_leibler"), .5 * 1 / (5. / 3), 1e-12); /* same variance, mean one higher */
    near(table_value("distances", "entropy_original", 1), log(2), 1e-12);
}

/* Kolmogorov–Smirnov's distance goes by numbers: whole ones beyond 2^53 that are one double are one, and 2 is 2.0. What is missing is a
 * cell of its own. */
static void test_keys(void **state) {
    (void)state;
    table_from("o", "x,y,z,m\n9007199254740993,-9007199254740993,1,1\n9007199254740993,-9007199254740993,2,2\n5,5,3,\n6,6,4,4\n");
    table_from("r", "x,y,z,m\n9007199254740992,-9007199254740992,1.0,1\n9007199254740992,-9007199254740992,2.5,2\n5,5,3.0,3\n6,6,4.0,4\n");
    run_ok("utility compare o r");
    near(table_value("distances", "ks", 0), 0, 0);
    near(table_value("distances", "ks", 1), 0, 0);
    near(table_value("distances", "ks", 2), .25, 1e-12);
    near(table_value("distances", "total_variation", 3), .25, 1e-12);
}

/* One column of the original is another's double: no inverse, no determinant, and nothing that needs one is told. */
static void test_dependent(void **state) {
    (void)state;
    table_from("o", "x,y\n1.5,3\n2.5,5\n3.25,6.5\n4,8\n");
    table_from("r", "x,y\n1.5,3.5\n2.5,5\n3.25,6\n4,8.5\n");
    run_ok("utility compare o r");
    near(table_value("correlations", "original", 0), 1, 1e-15);
    assert_true(isnan(value("correlation_loss")));
    assert_true(isnan(value("kullback_leibler")));
    table_from("o", "x,y,z\n1,4,5\n2,3,5\n3,9,12\n4,2,6\n7,6,13\n"); /* one is two others' sum */
    table_from("r", "x,y,z\n1,4,5\n2,3,6\n3,9,12\n4,2,7\n7,6,13\n");
    run_ok("utility compare o r");
    assert_true(isnan(value("correlation_loss")));
    assert_true(isnan(value("kullback_leibler")));
}

/* Numbers as large as there are: their mean is one, their squares are not. */
static void test_largest(void **state) {
    (void)state;
    table_from("o", "x,y\n1.5e308,1\n1.5e308,2\n1.5e308,3.5\n1.5e308,4\n");
    table_from("r", "x,y\n1.5e308,1\n-1.5e308,2\n1.5e308,3.5\n1e308,4\n");
    run_ok("utility compare o r --vars x,y");
    near(table_value("means", "original", 0), 1.5e308, 0);
    near(table_value("means", "released", 0), 6.25e307, 1e293);
    assert_true(isnan(table_value("variances", "original", 0)));
    assert_true(isnan(value("il1s"))); /* not as if x had not moved */
    run_ok("utility compare o r --vars y");
    near(value("il1s"), 0, 0);
}

/* A column that does not vary has no deviation to measure by, and its cells do not count; one word that became two was not merged. */
static void test_constant_and_split(void **state) {
    (void)state;
    table_from("o", "x,y\n7.5,1.5\n7.5,2\n7.5,3\n7.5,4\n");
    table_from("r", "x,y\n7.5,2.5\n8.5,2\n7.5,3\n7.5,4\n");
    run_ok("utility compare o r");
    near(value("il1s"), 1 / (M_SQRT2 * sqrt(table_value("variances", "original", 1))), 1e-12);
    near(value("il1s_mean"), value("il1s") / 4, 1e-12);
    table_from("three", "x,y,z\n7.5,1.5,3.5\n7.5,2,2.5\n7.5,3,0.5\n7.5,4,-1.5\n");
    run_ok("utility compare three three"); /* the others are correlated all the same */
    assert_true(isnan(table_value("correlations", "original", 0)));
    for (int i = 2; i < 6; i++) assert_true(column_missing(result_find_table(last_result, "correlations")->column[i], 0));
    assert_true(isnan(table_value("correlations", "released", 1)));
    near(table_value("correlations", "original", 2), -1, 1e-2);
    Buffer text[2] = { { 0 } };
    for (int split = 0; split < 2; split++) {
        for (int t = 0; t < 2; t++) buffer_text(&text[t], "g\n");
        for (int i = 0; i < 40; i++) {
            buffer_print(&text[0], "%c\n", "abcd"[i % 4]);
            buffer_print(&text[1], "%s\n", split && i == 8 ? "cd" : i % 4 < 2 ? "ab" : "cd");
        }
        table_from("words", buffer_get(&text[0]));
        table_from("merged", buffer_get(&text[1]));
        run_ok("utility compare words merged");
        near(value("total_variation"), split, 0);
        for (int t = 0; t < 2; t++) buffer_free(&text[t]);
    }
}

static void test_shapes(void **state) {
    (void)state;
    table_from("o", "x,g,z\n1,a,1\n2,a,1\n3,b,1\n4,b,1\n");
    table_from("s", "x,g,q\n1,a,1\n3,b,1\n"); /* a sample */
    run_ok("utility compare o s");
    assert_true(isnan(value("il1s")));
    assert_int_equal(result_find_table(last_result, "distances")->rows, 2);
    run_ok("utility compare o o --vars z,g"); /* a constant column: no correlations */
    assert_true(isnan(value("eigenvalues")));
    near(value("ks"), 0, 0);
    table_from("c", "x\n[1,3)\n[1,3)\n[3,5)\n[3,5)\n"); /* recoded: no numbers any more */
    run_ok("utility compare o c");
    near(value("total_variation"), 1, 0);
    assert_true(isnan(value("ks")));
    run_bad("utility compare o s --vars z", "no column 'z'");
    table_from("n", "other\n1\n");
    run_bad("utility compare o n", "no column in common");
    table_from("e", "x,g\n");
    run_ok("utility compare o e");
    assert_true(isnan(value("total_variation")));
    table_from("one", "x,g\n1,a\n");
    run_ok("utility compare one one");
    near(value("total_variation"), 0, 0);
    table_from("m", "x,g\n,\n,\n");
    run_ok("utility compare m m");
}

/* Many values: twenty bins of equally many originals. */
static void test_bins(void **state) {
    (void)state;
    enum { N = 2000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (int i = 0; i < N; i++) {
        x[i] = i + .5;
        y[i] = i < N / 2 ? i + .5 : i + 1e6;
    }
    table_reals("o", (const double *const[]){ x }, 1, N);
    table_reals("r", (const double *const[]){ y }, 1, N);
    run_ok("utility compare o r");
    near(value("total_variation"), .45, .002); /* ten upper bins become the last */
    near(value("ks"), .5, 1e-3);
    free(x);
    free(y);
}

/* Many variables are compared on all threads, each as it is alone: numbers, whole numbers, and then words. */
static void test_threads(void **state) {
    (void)state;
    enum { VARIABLES = 24, N = 60, MEASURES = 7 };
    static const char *const measure[MEASURES] = { "hellinger", "total_variation",  "entropy_original", "entropy_released",
                                                   "ks",        "missing_original", "missing_released" };
    double together[VARIABLES][MEASURES];
    const int threads = run_threads;
    char command[64];
    for (int t = 0; t < 2; t++) {
        Buffer text = { 0 };
        for (int v = 0; v < VARIABLES; v++) buffer_print(&text, "%sv%d", v ? "," : "", v);
        for (int i = 0; i < N; i++)
            for (int v = 0; v < VARIABLES; v++) {
                const int seen = (i * (v + 3) + (t ? i % (v + 2) : 0)) % 31;
                buffer_char(&text, v ? ',' : '\n');
                if (seen < v % 5) continue;
                buffer_print(&text, v >= 16 ? "w%d" : v % 2 ? "%d" : "%d.5", seen);
            }
        buffer_char(&text, '\n');
        buffer_char(&text, 0);
        table_from(t ? "r" : "o", text.bytes);
        buffer_free(&text);
    }
    run_threads = 4;
    run_ok("utility compare o r");
    assert_int_equal(result_find_table(last_result, "distances")->rows, VARIABLES);
    for (int v = 0; v < VARIABLES; v++)
        for (int m = 0; m < MEASURES; m++) together[v][m] = table_value("distances", measure[m], v);
    for (int v = 0; v < VARIABLES; v++) {
        snprintf(command, sizeof command, "utility compare o r --vars v%d", v);
        run_ok(command);
        for (int m = 0; m < MEASURES; m++) {
            double alone = table_value("distances", measure[m], 0);
            assert_true(alone == together[v][m] || (isnan(alone) && isnan(together[v][m])));
        }
    }
    run_threads = threads;
}

/* So many numbers that every matrix has a thread of its own: the same bits as on one. */
static void test_matrices(void **state) {
    (void)state;
    enum { VARIABLES = 60, N = 150, VALUES = 3 };
    static const char *const name[VALUES] = { "eigenvalues", "correlation_loss", "kullback_leibler" };
    const int threads = run_threads;
    double alone[VALUES];
    for (int t = 0; t < 2; t++) {
        Buffer text = { 0 };
        for (int v = 0; v < VARIABLES; v++) buffer_print(&text, "%sv%d", v ? "," : "", v);
        for (int i = 0; i < N; i++)
            for (int v = 0; v < VARIABLES; v++)
                buffer_print(&text, "%c%.6f", v ? ',' : '\n', sin((v + 1) * (i + 1) * 0.37) + 0.2 * cos(i + t * v));
        buffer_char(&text, '\n');
        table_from(t ? "r" : "o", buffer_get(&text));
        buffer_free(&text);
    }
    for (run_threads = 1; run_threads <= 4; run_threads++) {
        run_ok("utility compare o r");
        assert_int_equal(result_find_table(last_result, "correlations")->rows, VARIABLES * (VARIABLES - 1) / 2);
        for (int m = 0; m < VALUES; m++) {
            if (run_threads == 1) alone[m] = value(name[m]);
            assert_true(alone[m] > 0 && alone[m] == value(name[m]));
        }
    }
    run_threads = threads;
}

/* Codes are not numbers: no mean of sex, whether it is named or not, but where the column is said to be a number. */
static void test_codes(void **state) {
    (void)state;
    Table *t = table_from("o", "sex,n\n1,3\n2,4\n1,5\n");
    table_from("r", "sex,n\n2,3\n2,4\n1,5\n");
    run_ok("utility compare o r");
    assert_int_equal(result_find_table(last_result, "means")->rows, 1);
    near(value("total_variation"), 1.0 / 3, 1e-12); /* of sex, as a category */
    run_ok("utility compare o r --vars sex,n");
    assert_int_equal(result_find_table(last_result, "means")->rows, 1);
    assert_true(noted("Treated as codes, not as numbers: sex."));
    ((Column *)(uintptr_t)t->column[0])->about = metadata_new();
    t->column[0]->about->measure = MEASURE_SCALE;
    run_ok("utility compare o r");
    assert_int_equal(result_find_table(last_result, "means")->rows, 2);
}

/* Unlabelled codes are told by their values: few, small, and not spread as counts are. One name tells otherwise. */
static void test_codes_by_values(void **state) {
    (void)state;
    static char text[20000];
    static const int sides[] = { 3, 3, 3, 3, 6, 7, 7 }, counts[] = { 0, 0, 0, 1, 1, 2, 3 }, no_answer[] = { 1, 2, 1, 2, 99, 1, 1 };
    strcpy(text, "cp,flag,thal,counts,asked,n_kinds,tens,many\n");
    for (int i = 0; i < 70; i++)
        sprintf(text + strlen(text), "%d,%d,%d,%d,%d,%d,%d,%d\n", "1323334"[i % 7] - '0', i % 3 == 0, sides[i % 7], counts[i % 7],
                no_answer[i % 7], 1 + i % 3, 10 * (i % 7), i % 40);
    table_from("o", text);
    run_ok("utility compare o o");
    assert_true(noted("Treated as codes, not as numbers: cp, flag, thal, asked."));
    assert_int_equal(result_find_table(last_result, "means")->rows, 4);
    run_ok("utility compare o o --where 'many < 8'"); /* 16 records: too few to tell by */
    assert_int_equal(result_find_table(last_result, "means")->rows, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_codes),     cmocka_unit_test(test_codes_by_values),
                                        cmocka_unit_test(test_reference), cmocka_unit_test(test_groups),
                                        cmocka_unit_test(test_identity),  cmocka_unit_test(test_by_hand),
                                        cmocka_unit_test(test_keys),      cmocka_unit_test(test_dependent),
                                        cmocka_unit_test(test_largest),   cmocka_unit_test(test_constant_and_split),
                                        cmocka_unit_test(test_matrices),  cmocka_unit_test(test_shapes),
                                        cmocka_unit_test(test_bins),      cmocka_unit_test(test_threads) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
