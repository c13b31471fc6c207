/* risk.found: people found by keys (against counting by hand), by numbers (against risk.linkage), synthetic records, bad input. */
#include "methods.h"

static void test_by_keys(void **state) {
    (void)state;
    /* a b | the second loses b: its true keys (x, 2) still fit only its own record, which has a key left */
    table_from("o", "a,b\nx,1\nx,2\ny,1\ny,1\n");
    table_from("r", "a,b\nx,1\nx,\ny,1\ny,1\n");
    run_ok("risk found o r --keys a,b");
    near(value("certain"), 2, 0);
    near(value("by_keys"), (1 + 1 + .5 + .5) / 4, 1e-15);
    near(value("found"), value("by_keys"), 0);
    assert_true(isnan(value("by_numbers")));
    run_ok("risk found o o --keys a,b");
    near(value("by_keys"), (1 + 1 + .5 + .5) / 4, 1e-15);
    /* a wrong value in the release: whoever knows the true one finds somebody else, or nobody */
    table_from("r", "a,b\ny,1\nx,2\nx,1\ny,1\n");
    run_ok("risk found o r --keys a,b");
    near(value("certain"), 1, 0);
    near(value("by_keys"), (0 + 1 + 0 + .5) / 4, 1e-15);
}

/* Every pair compared: a record is a candidate that equals the true keys wherever it is not blank, exact ones before all others. */
static double by_hand(int n, char was[][2], char is[][2]) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int exact = 0, fit = 0, bare = 0, own = 0;
        for (int j = 0; j < n; j++) {
            bool fits = true, blank = false;
            for (int k = 0; k < 2; k++) {
                fits &= is[j][k] == '-' || is[j][k] == was[i][k];
                blank |= is[j][k] == '-';
            }
            if (!fits) continue;
            bool none = is[j][0] == '-' && is[j][1] == '-';
            exact += !blank;
            fit += blank && !none;
            bare += none;
            if (j == i) own = !blank ? 1 : !none ? 2 : 3;
        }
        int level = exact ? 1 : fit ? 2 : 3, count = exact ? exact : fit ? fit : bare;
        if (own == level && count) sum += 1.0 / count;
    }
    return sum / n;
}

static void test_against_pairs(void **state) {
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 200; round++) {
        char was[12][2], is[12][2], o[256] = "a,b\n", r[256] = "a,b\n";
        int n = 3 + round % 10;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 2; k++) {
                seed = seed * 1103515245u + 12345u;
                was[i][k] = "xyz"[(seed >> 16) % 3];
                is[i][k] = (seed >> 24) % 4 == 0 ? '-' : was[i][k];
            }
            sprintf(o + strlen(o), "%c,%c\n", was[i][0], was[i][1]);
            sprintf(r + strlen(r), "%s%c,%s%c\n", "", is[i][0], "", is[i][1]);
        }
        for (char *c = r + 4; *c; c++)
            if (*c == '-') memmove(c, c + 1, strlen(c)), c--;
        table_from("o", o);
        table_from("r", r);
        run_ok("risk found o r --keys a,b");
        near(value("by_keys"), by_hand(n, was, is), 1e-12);
    }
}

static void test_by_numbers(void **state) {
    (void)state;
    table_from("o", "a,x,y\np,1,10\nq,2,20\np,3,30\nq,4,40\n");
    table_from("r", "a,x,y\np,1.1,10\nq,4,40\np,3,30\nq,2,20\n");
    run_ok("risk linkage o r --vars x,y");
    double linked = value("linked");
    run_ok("risk found o r --keys a --vars x,y");
    near(value("by_numbers"), linked / 4, 1e-15);
    near(value("by_numbers"), .5, 1e-15);
    near(value("by_keys"), .5, 1e-15);
    table_from("s", "a,x\np,low\nq,low\np,high\nq,high\n"); /* no number left to know, one column gone */
    run_ok("risk found o s --keys a --vars x,y");
    near(value("by_numbers"), 0, 0);
}

static void test_synthetic(void **state) {
    (void)state;
    table_from("o", "a,b\nx,1\nx,2\ny,1\ny,1\n");
    table_from("r", "a,b\ny,1\nx,2\ny,1\nx,2\n"); /* (x,1) is gone, (x,2) is there twice */
    run_ok("risk found o r --keys a,b --synthetic");
    near(value("found"), 0, 0);
    table_from("r", "a,b\ny,1\ny,1\nx,1\ny,1\n");
    run_ok("risk found o r --keys a,b --synthetic");
    near(value("found"), .25, 0);
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", "a,b\nx,1\nx,2\n");
    table_from("r", "a,b\nx,1\n");
    run_bad("risk found o o", "neither keys nor numbers");
    run_bad("risk found o r --keys a", "who is who");
    table_from("e", "a,b\n");
    run_ok("risk found e e --keys a,b");
    assert_true(isnan(value("found")));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_keys), cmocka_unit_test(test_against_pairs),
                                        cmocka_unit_test(test_by_numbers), cmocka_unit_test(test_synthetic), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
