/* Regression through queries: exact relations are learned exactly, by counts and means of cells alone; the grid, its budget, and what is
 * refused by hand. */
#include "methods.h"

/* y = 3 + 2a, and 10 more for v; five records in each of eight cells. */
static void make_exact(void) {
    char text[4096], *at = text + sprintf(text, "y,a,g\n");
    for (int i = 0; i < 40; i++)
        at += sprintf(at, "%d,%d,%c\n", 3 + 2 * (i % 4 + 1) + (i % 8 > 3 ? 10 : 0), i % 4 + 1, i % 8 > 3 ? 'v' : 'u');
    table_from("exact", text);
}

static void exact(void **state) {
    (void)state;
    make_exact();
    run_ok("attack queries exact --sensitive y --predictors a,g --budget 18 --min-size 2");
    assert_true(value("cells") == 8 && value("queries") == 18 && value("refused") == 0 && value("records") == 40);
    near(value("r2"), 1, 1e-12);
    near(value("r2_records"), 1, 1e-12);
    near(value("gain"), 1, 1e-12);
    near(value("lower"), 1, 1e-9);
    assert_true(value("baseline") == 0 && value("upper") <= 1);
    near(table_value("model", "coefficient", 0), 3, 1e-10);
    near(table_value("model", "coefficient", 1), 2, 1e-10);
    near(table_value("model", "coefficient", 2), 10, 1e-10);
    run_ok("attack queries exact --sensitive y --predictors a,g --budget 17 --min-size 2"); /* one query less, and a is cut in three instead
                                                                                               of four */
    assert_true(value("cells") == 6 && value("queries") <= 17 && table_value("grid", "parts", 0) == 3);
    run_ok("attack queries exact --sensitive y --predictors a,g --budget 4"); /* the mean of all */
    assert_true(value("cells") == 1 && value("queries") == 2);
    near(value("r2"), 0, 1e-12);
}

/* y = x² at 0…3 in two halves: midpoints 0.75 and 2.25, means 0.5 and 6.5, so y = 4x − 2.5; squares left 9 of 49, by the records' own line
 * 4 of 49. */
static void midpoints(void **state) {
    (void)state;
    table_from("square", "y,x\n0,0\n1,1\n4,2\n9,3\n,2\n5,\n");
    run_ok("attack queries square --sensitive y --predictors x --budget 6 --min-size 1");
    assert_true(value("cells") == 2 && value("queries") == 6 && value("records") == 4);
    near(table_value("model", "coefficient", 0), -2.5, 1e-12);
    near(table_value("model", "coefficient", 1), 4, 1e-12);
    near(value("r2"), 1 - 9.0 / 49, 1e-12);
    near(value("r2_records"), 1 - 4.0 / 49, 1e-12);
    /* d − R²t by hand: t = 12.25 6.25 0.25 30.25, squared residuals 6.25 0.25 2.25 0.25 */
    double t[] = { 12.25, 6.25, 0.25, 30.25 }, e[] = { 6.25, 0.25, 2.25, 0.25 }, spread = 0, r2 = 40.0 / 49;
    for (int i = 0; i < 4; i++) spread += pow(t[i] - e[i] - r2 * t[i], 2);
    near(value("lower"), r2 - 1.959963984540054 * sqrt(4.0 / 3 * spread) / 49, 1e-12);
    assert_true(value("upper") == 1);
}

/* Three words in two parts: the frequent one, and the others together. Cells under the least size are refused. */
static void words_and_refusals(void **state) {
    (void)state;
    table_from("words", "y,g\n1,u\n1,u\n1,u\n1,u\n4,v\n4,v\n7,w\n");
    run_ok("attack queries words --sensitive y --predictors g --budget 6 --min-size 1");
    assert_true(value("cells") == 2 && value("refused") == 0);
    near(table_value("model", "coefficient", 1), 4, 1e-12); /* (4 + 4 + 7)/3 − 1 */
    run_ok("attack queries words --sensitive y --predictors g --budget 100 --min-size 1");
    assert_true(value("cells") == 3);
    near(value("r2"), 1, 1e-12);
    table_from("sparse", "y,x\n1,0\n2,0\n3,0\n4,0\n5,0\n6,0\n7,0\n90,9\n");
    run_ok("attack queries sparse --sensitive y --predictors x --budget 100 --min-size 2"); /* the outlier alone in its cell */
    assert_true(value("cells") == 2 && value("refused") == 1 && value("queries") == 5);
    run_ok("attack queries words --sensitive y --predictors g --min-size 8");
    assert_true(value("queries") == 1 && value("refused") == 1 && isnan(value("r2")) && value("gain") == 0);
}

static void bad(void **state) {
    (void)state;
    make_exact();
    run_bad("attack queries exact --sensitive g --predictors a", "numbers");
    run_bad("attack queries exact --sensitive y --predictors y,a", "itself");
    run_bad("attack queries exact --sensitive y --predictors a --budget 3", "budget");
    run_bad("attack queries exact --sensitive y", "predictors");
    table_from("flat", "y,a\n2,1\n2,2\n2,3\n2,4\n2,5\n2,6\n");
    run_ok("attack queries flat --sensitive y --predictors a --min-size 1");
    assert_true(isnan(value("r2")) && value("gain") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(exact), cmocka_unit_test(midpoints), cmocka_unit_test(words_and_refusals),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
