/* The intruder's decision: each loss by hand, a table of losses, a predictive model against refitting, the edges. */
#include "methods.h"

static void by_hand(void **state) {
    (void)state;
    table_from("p", "value,probability\n1,0.2\n2,0.5\n10,0.3\n");
    run_ok("risk decision --posterior p");
    near(value("uncertainty"), 0.5, 1e-12);
    assert_string_equal(result_find(last_result, "best_guess")->text, "2");
    run_ok("risk decision --posterior p --loss squared");
    near(value("uncertainty"), 0.2 * pow(1 - 4.2, 2) + 0.5 * pow(2 - 4.2, 2) + 0.3 * pow(10 - 4.2, 2), 1e-12);
    assert_string_equal(result_find(last_result, "best_guess")->text, "4.2");
    run_ok("risk decision --posterior p --loss absolute");
    near(value("uncertainty"), 0.2 * 1 + 0.3 * 8, 1e-12);
    assert_string_equal(result_find(last_result, "best_guess")->text, "2");
    table_from("l", "guess,truth,loss\nlow,1,0\nlow,2,1\nlow,10,10\nhigh,1,3\nhigh,2,3\nhigh,10,0\n");
    run_ok("risk decision --posterior p --loss-table l"); /* low: 3.5, high: 2.1 */
    near(value("uncertainty"), 2.1, 1e-12);
    assert_string_equal(result_find(last_result, "best_guess")->text, "high");
    table_from("q", "record,value,probability\nx,a,0.9\nx,b,0.1\ny,a,0.5\ny,b,0.5\n");
    run_ok("risk decision --posterior q");
    near(value("uncertainty"), 0.1, 1e-12);
    near(value("mean_uncertainty"), 0.3, 1e-12);
}

/* The variance of predicting one record from the others, by fitting a line to the others alone: s²(1 + 1/n + (x − x̄)²/Sxx). */
static double refitted(const double *x, const double *y, int n, int out) {
    double mx = 0, my = 0, sxx = 0, sxy = 0, rss = 0;
    for (int i = 0; i < n; i++)
        if (i != out) mx += x[i] / (n - 1), my += y[i] / (n - 1);
    for (int i = 0; i < n; i++)
        if (i != out) sxx += (x[i] - mx) * (x[i] - mx), sxy += (x[i] - mx) * (y[i] - my);
    for (int i = 0; i < n; i++)
        if (i != out) rss += pow(y[i] - my - sxy / sxx * (x[i] - mx), 2);
    return rss / (n - 3) * (1 + 1. / (n - 1) + (x[out] - mx) * (x[out] - mx) / sxx);
}

static void numbers(void **state) {
    (void)state;
    table_from("t", "g,y\na,1\na,2\na,3\nb,10\nb,20\nb,30\nb,\n");
    run_ok("risk decision t --sensitive y --vars g --loss squared");
    const Column *u = last_result->column[0].column;
    near(u->real[0], (0.5 + 200) / 3 * 1.5, 1e-9); /* 2 and 3 are left of a: s² of the other five, times 1 + 1/2 */
    near(u->real[1], (2 + 200) / 3. * 1.5, 1e-9);
    near(u->real[3], (2 + 50) / 3. * 1.5, 1e-9);
    assert_true(column_missing(u, 6));
    assert_true(value("baseline") > value("uncertainty"));
    run_ok("risk decision t --sensitive y --vars g --loss absolute");
    /* leave-one-out errors 1.5, 0, 1.5, 15, 0, 15 over the roots of their variances */
    near(value("uncertainty"), sqrt(26) * 33 / (2 * sqrt(100.25) + 2 * sqrt(101) + 2 * sqrt(26)), 1e-9);
    near(value("mean_uncertainty"), 33 / 6., 1e-9);
    near(value("baseline"), 54 / 6., 1e-12); /* from the median, 10 (or 3) */
    static const double x[] = { 1, 2, 3, 5, 8, 13, 40 }, y[] = { 2, 1, 4, 4, 9, 11, 3 };
    table_from("line", "x,y\n1,2\n2,1\n3,4\n5,4\n8,9\n13,11\n40,3\n");
    run_ok("risk decision line --sensitive y --vars x --loss squared");
    for (int i = 0; i < 7; i++) near(last_result->column[0].column->real[i], refitted(x, y, 7, i), 1e-9 * refitted(x, y, 7, i));
}

static void categories(void **state) {
    (void)state;
    char text[2048] = "g,s\n";
    for (int i = 0; i < 40; i++) strcat(text, i < 20 ? "u,yes\n" : i % 2 ? "v,yes\n" : "v,no\n");
    table_from("t", text);
    run_ok("risk decision t --sensitive s --vars g");
    near(value("uncertainty"), 0, 1e-12); /* every other in u says yes */
    near(value("baseline"), 0.25, 1e-12);
    near(last_result->column[0].column->real[30], 9 / 19., 1e-12); /* its leaf without it: 9 no, 10 yes */
    table_from("c", "g,s\nu,yes\nv,yes\n");
    run_ok("risk decision c --sensitive s --vars g");
    near(value("uncertainty"), 0, 1e-12);
}

/* A table of losses of 0 and 1 is zero-one loss, of every record: where its value is the commonest alone, tied, or seldom. */
static void losses_alike(void **state) {
    (void)state;
    char text[4096] = "g,s\n", losses[1024] = "guess,truth,loss\n";
    double told[60];
    for (int i = 0; i < 60; i++) sprintf(text + strlen(text), "%c,%d\n", 'a' + i % 3, i % 3 ? i * i % 7 % (2 + i % 4) : i % 6);
    for (int k = 0; k < 49; k++) sprintf(losses + strlen(losses), "%d,%d,%d\n", k / 7, k % 7, k / 7 != k % 7);
    table_from("t", text);
    table_from("l", losses);
    run_ok("risk decision t --sensitive s --vars g");
    memcpy(told, last_result->column[0].column->real, sizeof told);
    run_ok("risk decision t --sensitive s --vars g --loss-table l");
    for (int i = 0; i < 60; i++) near(last_result->column[0].column->real[i], told[i], 1e-12);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "g,y\n");
    table_from("one", "g,y\n1,2\n");
    table_from("m", "g,y\n,\n,\n,\n");
    for (int i = 0; i < 6; i++) {
        char command[96];
        sprintf(command, "risk decision %s --sensitive y --vars g --loss %s", (const char *[]){ "none", "one", "m" }[i % 3],
                i < 3 ? "squared" : "zero-one");
        run_ok(command);
        assert_int_equal(result_find(last_result, "uncertainty")->kind, VALUE_NULL);
    }
    table_from("p", "value,probability\na,0.5\nb,0.5\n");
    table_from("l", "guess,truth,loss\na,a,0\n");
    table_from("o", "x\n1\n");
    run_bad("risk decision --posterior p --loss squared", "numbers");
    run_bad("risk decision --posterior p --loss-table l", "no loss for a possible value");
    run_bad("risk decision --posterior p --loss-table o", "guess, truth and loss");
    run_bad("risk decision", "needs --posterior");
    run_bad("risk decision one --sensitive y", "needs --posterior");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(numbers), cmocka_unit_test(categories),
                                        cmocka_unit_test(losses_alike), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
