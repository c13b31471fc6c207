/* utility.contingency: distances by hand, identity, sparse and dense alike, threads, bad input. */
#include "methods.h"

static void test_by_hand(void **state) {
    (void)state;
    table_from("o", "a,b,c\nx,1,p\nx,2,p\ny,1,q\ny,2,q\n");
    table_from("r", "a,b,c\nx,1,p\nx,1,p\ny,1,q\n,2,q\n");
    run_ok("utility contingency o r --order 1");
    near(table_value("tables", "total_variation", 0), .25, 1e-12); /* y .5→.25, missing 0→.25 */
    near(table_value("tables", "total_variation", 1), .25, 1e-12);
    near(table_value("tables", "total_variation", 2), 0, 1e-12);
    near(value("total_variation"), .5 / 3, 1e-12);
    near(value("worst"), .25, 1e-12);
    run_ok("utility contingency o r");
    near(table_value("tables", "total_variation", 0), .5, 1e-12); /* x1 .25→.5, x2 .25→0, y2 .25→0, missing 2 0→.25 */
    assert_int_equal(table_value("tables", "cells", 0), 5);
    assert_int_equal(value("tables_compared"), 3);
    run_ok("utility contingency o r --order 3");
    near(value("worst"), .5, 1e-12);
    assert_int_equal(value("tables_compared"), 1);
}

static void test_identity(void **state) {
    (void)state;
    table_from("o", "a,b,c\nx,1.5,p\nx,2,\ny,1,q\n,2,q\n");
    for (int order = 1; order <= 3; order++) {
        char command[64];
        snprintf(command, sizeof command, "utility contingency o o --order %d", order);
        run_ok(command);
        near(value("worst"), 0, 0);
    }
}

/* [45;60) against 54 is no distance: the original is put at the release's level, by intervals whatever the order of the records, and by
 * what became of words. */
static void test_common_level(void **state) {
    (void)state;
    static const char *const methods[] = { "contingency o r --order 1", "compare o r", "propensity o r" };
    table_from("o", "age,job\n54,nurse\n46,smith\n30,nurse\n31,baker\n33,smith\n59,baker\n");
    table_from("r", "age,job\n[45;60),health\n[45;60),craft\n[30;45),health\n[30;45),craft\n[30;45),craft\n[45;60),craft\n");
    for (int m = 0; m < 3; m++) {
        char command[64];
        snprintf(command, sizeof command, "utility %s", methods[m]);
        run_ok(command);
        near(value(m == 2 ? "pmse" : "total_variation"), 0, 1e-12);
        assert_int_equal(table_value("coarsened", "levels_original", 0), 6);
        assert_int_equal(table_value("coarsened", "levels_common", 0), 2);
        near(table_value("coarsened", "lost", 1), 1. / 3, 1e-12);
    }
    table_from("r", "age\n[30;45)\n[45;60)\n[45;60)\n");
    run_ok("utility contingency o r --order 1");
    near(value("worst"), 2. / 3 - .5, 1e-12);
    table_from("r", "job\n*\n*\n*\n*\n*\n*\n"); /* the top of a hierarchy */
    run_ok("utility contingency o r --order 1");
    near(value("worst"), 0, 1e-12);
    assert_int_equal(table_value("coarsened", "levels_common", 0), 1);
}

/* No common level: overlapping intervals, one value that became two, words renamed, numbers for numbers. */
/* Into a category that was there before, and codes into codes: merged all the same. Numbers stay numbers. */
static void test_merged(void **state) {
    (void)state;
    table_from("before", "g,relat,n\na,1,1\nb,2,2\nc,3,3\na,1,1\nb,2,2\nc,3,3\n");
    table_from("after", "g,relat,n\na,1,1\na,3,3\nc,3,3\na,1,1\na,3,3\nc,3,3\n");
    run_ok("utility contingency before after --vars g,relat --order 1");
    near(value("worst"), 1. / 3, 1e-12); /* nothing says that b was recoded: it may be misclassified */
    assert_null(result_find_table(last_result, "coarsened"));
    table_from("joined", "g,relat,n\nab,1,1\nab,3,3\nc,3,3\nab,1,1\nab,3,3\nc,3,3\n");
    run_ok("utility contingency before joined --vars g --order 1"); /* a category of its own */
    near(value("worst"), 0, 0);
    assert_int_equal(table_value("coarsened", "levels_common", 0), 2);
    run_ok("utility contingency before after --vars n --order 1");
    near(value("worst"), 1. / 3, 1e-12);
    table_from("moved", "g\na\na\nc\na\nb\nc\n"); /* one b of two: no recoding */
    run_ok("utility contingency before moved --vars g --order 1");
    near(value("worst"), 1. / 6, 1e-12);
}

static void test_no_common_level(void **state) {
    (void)state;
    table_from("o", "x\n1\n2\n3\n3\n");
    table_from("r", "x\n[1;3)\n[1;3)\n[2;4)\n3\n");
    run_ok("utility contingency o r --order 1");
    near(value("worst"), .75, 1e-12);
    table_from("o", "x\na\na\nb\nb\nc\nc\n");
    table_from("r", "x\nu\nv\nu\nu\nu\nu\n");
    run_ok("utility contingency o r --order 1");
    near(value("worst"), 1, 1e-12);
    table_from("r", "x\np\np\nq\nq\nr\nr\n");
    run_ok("utility contingency o r --order 1");
    near(value("worst"), 1, 1e-12);
    table_from("o", "x\n1\n2\n3\n3\n");
    table_from("r", "x\n7\n7\n9\n9\n");
    run_ok("utility contingency o r --order 1");
    near(value("worst"), 1, 1e-12);
}

/* Three columns of 400 values cross to 64 million cells: sorted, not counted one by one. Words, so that they are not put into intervals. */
static void test_sparse(void **state) {
    (void)state;
    static char text[2][200000];
    for (int t = 0; t < 2; t++) {
        size_t at = (size_t)sprintf(text[t], "a,b,c\n");
        for (int i = 0; i < 4000; i++) {
            int shift = t && i >= 3000 ? 1000 : 0; /* a quarter of the records leave for cells of their own */
            at += (size_t)sprintf(text[t] + at, "v%d,w%d,u%d\n", i % 400 + shift, i * 7 % 400, i * 13 % 400);
        }
    }
    table_from("o", text[0]);
    table_from("r", text[1]);
    for (run_threads = 1; run_threads <= 2; run_threads++) {
        run_ok("utility contingency o r --order 3");
        near(value("worst"), .25, 1e-12);
    }
    run_threads = 2;
}

static void test_bins(void **state) {
    (void)state;
    static double x[1000], y[1000];
    for (int i = 0; i < 1000; i++) {
        x[i] = i;
        y[i] = i + 50;
    } /* one bin further */
    table_reals("o", (const double *const[]){ x }, 1, 1000);
    table_reals("r", (const double *const[]){ y }, 1, 1000);
    run_ok("utility contingency o r --order 1");
    near(value("worst"), .05, 1e-12);
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", "a,b\nx,1\n");
    table_from("e", "a,b\n");
    table_from("n", "z\n1\n");
    run_bad("utility contingency o o --order 3", "too few");
    run_bad("utility contingency o o --order 4", "from 1 to 3");
    run_bad("utility contingency o e", "empty");
    run_bad("utility contingency o n", "no column in common");
    run_bad("utility contingency o o --vars q", "no column 'q'");
    run_ok("utility contingency o o --vars a --order 1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand),
                                        cmocka_unit_test(test_identity),
                                        cmocka_unit_test(test_common_level),
                                        cmocka_unit_test(test_merged),
                                        cmocka_unit_test(test_no_common_level),
                                        cmocka_unit_test(test_sparse),
                                        cmocka_unit_test(test_bins),
                                        cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
