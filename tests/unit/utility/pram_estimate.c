/* utility.pram-estimate: T̂ = (P')⁻¹T* by hand, both shapes of the matrix, unbiased over many releases, bad input. */
#include "methods.h"

static void test_by_hand(void **state) {
    (void)state;
    table_from("r", "g,w\na,1\na,2\na,1\nb,4\nb,1\n,1\n");
    table_from("wide", "g,a,b\na,0.9,0.1\nb,0.2,0.8\n");
    run_ok("utility pram-estimate r --matrix wide");
    /* a: (0.8·3 − 0.2·2)/0.7, b: (0.9·2 − 0.1·3)/0.7 */
    double a = 2 / .7, b = 1.5 / .7;
    near(table_value("counts", "estimate", 0), a, 1e-12);
    near(table_value("counts", "estimate", 1), b, 1e-12);
    near(table_value("counts", "standard_error", 0), sqrt(a * .09 + b * .16) / .7, 1e-12);
    table_from("long", "variable,original,released,probability\ng,a,a,0.9\ng,a,b,0.1\ng,b,a,0.2\ng,b,b,0.8\n");
    run_ok("utility pram-estimate r --matrix long");
    near(table_value("counts", "estimate", 0), a, 1e-12);
    run_ok("utility pram-estimate r --matrix wide --vars g --weight w");
    near(table_value("counts", "estimate", 0), (.8 * 4 - .2 * 5) / .7, 1e-12);
    table_from("unit", "g,a,b\na,1,0\nb,0,1\n");
    run_ok("utility pram-estimate r --matrix unit");
    near(table_value("counts", "estimate", 1), 2, 0);
    near(table_value("counts", "standard_error", 1), 0, 0);
}

/* protect pram, then the estimate: over 200 releases the mean is within four standard errors of the truth, and the stated error is right to
 * a fifth. */
static void test_undoes_pram(void **state) {
    (void)state;
    static char text[8000] = "g\n";
    const double truth[] = { 400, 250, 50 };
    for (int i = 0; i < 700; i++) strcat(text, i < 400 ? "a\n" : i < 650 ? "b\n" : "c\n");
    table_from("o", text);
    table_from("p", "g,a,b,c\na,0.7,0.2,0.1\nb,0.1,0.8,0.1\nc,0.2,0.2,0.6\n");
    double sum[3] = { 0 }, square[3] = { 0 }, stated[3] = { 0 };
    for (uint64_t k = 0; k < 200; k++) {
        run_ok_seeded(k + 1, "protect pram o --vars g --matrix p");
        shelve("r", table_retain(output()));
        run_ok("utility pram-estimate r --matrix p --vars g");
        for (int c = 0; c < 3; c++) {
            double e = table_value("counts", "estimate", c);
            sum[c] += e / 200;
            square[c] += (e - truth[c]) * (e - truth[c]) / 200;
            stated[c] += table_value("counts", "standard_error", c) / 200;
        }
    }
    for (int c = 0; c < 3; c++) {
        near(sum[c], truth[c], 4 * stated[c] / sqrt(200));
        near(stated[c] / sqrt(square[c]), 1, .2);
    }
}

static void test_bad(void **state) {
    (void)state;
    table_from("r", "g\na\nb\n");
    table_from("same", "g,a,b\na,0.5,0.5\nb,0.5,0.5\n");
    run_bad("utility pram-estimate r --matrix same", "cannot be inverted");
    table_from("sum", "g,a,b\na,0.5,0.4\nb,0.5,0.5\n");
    run_bad("utility pram-estimate r --matrix sum", "sum to 1");
    table_from("other", "h,a,b\na,1,0\nb,0,1\n");
    run_bad("utility pram-estimate r --matrix other", "is needed");
    table_from("q", "variable,original,released,probability\nz,a,a,1\n");
    run_bad("utility pram-estimate r --matrix q", "no column 'z'");
    table_from("e", "g\n");
    table_from("p", "g,a,b\na,0.9,0.1\nb,0.2,0.8\n");
    run_ok("utility pram-estimate e --matrix p");
    near(table_value("counts", "estimate", 0), 0, 0);
    table_from("rare", "g\na\na\na\na\na\na\na\na\na\na\na\nb\n");
    run_ok("utility pram-estimate rare --matrix p");
    near(value("negative"), 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand), cmocka_unit_test(test_undoes_pram), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
