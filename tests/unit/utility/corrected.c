/* utility.corrected: the correction by hand, noise that biases and is undone, no noise, bad input. */
#include "methods.h"
#include "math/distributions.h"

/* One regressor: β = M_xy/(M_xx − σ²). */
static void test_by_hand(void **state) {
    (void)state;
    table_from("t", "y,x\n1,0\n2,2\n2,1\n5,4\n6,5\n5,6\n");
    run_ok("utility corrected t --formula 'y ~ x' --noise-variance x:0.5");
    double xx = (0 + 4 + 1 + 16 + 25 + 36) / 6. - 9, xy = (0 + 4 + 2 + 20 + 30 + 30) / 6. - 3 * 3.5;
    near(table_value("coefficients", "uncorrected", 1), xy / xx, 1e-12);
    double beta = xy / (xx - .5), s = 0, y[] = { 1, 2, 2, 5, 6, 5 }, x[] = { 0, 2, 1, 4, 5, 6 };
    near(table_value("coefficients", "corrected", 1), beta, 1e-12);
    near(table_value("coefficients", "corrected", 0), 3.5 - 3 * beta, 1e-12);
    for (int i = 0; i < 6; i++) s += pow(y[i] - 3.5 - beta * (x[i] - 3), 2) / 4;
    double a = xx - .5, uv = -.5 * beta, variance = (s / a + (.5 * s + uv * uv) / (a * a)) / 6;
    near(table_value("coefficients", "corrected_se", 1), sqrt(variance), 1e-12);
    near(value("r2_corrected"), beta * beta * a / ((95 - 6 * 3.5 * 3.5) / 6), 1e-9);
}

static void test_no_noise(void **state) {
    (void)state;
    table_from("t", "y,x,g\n1,0,a\n2,2,b\n2,1,a\n5,4,b\n6,5,a\n5,6,a\n");
    run_ok("utility corrected t --formula 'y ~ x + g' --noise-variance x:0");
    for (int j = 0; j < 3; j++) {
        near(table_value("coefficients", "corrected", j), table_value("coefficients", "uncorrected", j), 1e-10);
        near(table_value("coefficients", "corrected_se", j), table_value("coefficients", "uncorrected_se", j), 1e-10);
    }
    near(value("r2_corrected"), value("r2_uncorrected"), 1e-10);
}

/* y = 1 + 2x − z + e; u of variance 0.5 on x, correlated noise on y. The corrected slopes are within four standard errors of the truth; the
 * plain ones are not. */
static void test_undoes_noise(void **state) {
    (void)state;
    enum { N = 20000 };
    static double column[3][N], draw[5][N];
    Seed seed = seed_from_number(11);
    for (int d = 0; d < 5; d++) {
        Stream stream = stream_make(&seed, "test", d, "", "noise");
        draw_normals(&stream, 0, N, draw[d]);
    }
    for (int i = 0; i < N; i++) {
        double x = draw[0][i], z = draw[1][i] + .5 * x, u = draw[3][i] * sqrt(.5);
        column[0][i] = 1 + 2 * x - z + .3 * draw[2][i] + .4 * u + .2 * draw[4][i];
        column[1][i] = x + u;
        column[2][i] = z;
    }
    table_reals("t", (const double *const[]){ column[0], column[1], column[2] }, 3, N);
    table_from("noise", "variable,other,covariance\nb,b,0.5\na,b,0.2\na,a,0.12\n");
    run_ok("utility corrected t --formula 'a ~ b + c' --noise-covariance noise");
    const double truth[] = { 1, 2, -1 };
    for (int j = 0; j < 3; j++)
        near(table_value("coefficients", "corrected", j), truth[j], 4 * table_value("coefficients", "corrected_se", j));
    assert_true(fabs(table_value("coefficients", "uncorrected", 1) - 2) > .3);
}

static void test_bad(void **state) {
    (void)state;
    table_from("t", "y,x,g\n1,0,a\n2,2,b\n2,1,a\n5,4,b\n6,5,a\n5,6,a\n");
    run_bad("utility corrected t --formula 'y ~ x' --noise-variance x:50", "as large as the spread");
    run_bad("utility corrected t --formula 'y ~ x' --noise-variance q:1", "no column 'q'");
    run_bad("utility corrected t --formula 'y ~ x' --noise-variance x:-1", "0 or more");
    run_bad("utility corrected t --formula 'y ~ log(x + 1)' --noise-variance x:1", "by themselves");
    run_bad("utility corrected t --formula 'y ~ x * g' --noise-variance x:1", "by themselves");
    run_bad("utility corrected t --formula 'g ~ x' --noise-variance x:1", "number on its left");
    run_bad("utility corrected t --formula 'y ~ x'", "needs one of");
    table_from("s", "y,x\n1,2\n");
    run_bad("utility corrected s --formula 'y ~ x' --noise-variance x:1", "too few");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand), cmocka_unit_test(test_no_noise),
                                        cmocka_unit_test(test_undoes_noise), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
