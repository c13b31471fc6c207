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
        RandomStream stream = stream_make(&seed, "test", d, "", "noise");
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

/* What each masking makes of two columns, undone by hand. */
static void test_statistics(void **state) {
    (void)state;
    table_from("t", "y,x\n1,0\n2,2\n2,1\n5,4\n6,5\n5,6\n");
    double n = 6, xx = 82 / n - 9, yy = 95 / n - 3.5 * 3.5, xy = 86 / n - 3 * 3.5;
    run_ok("utility corrected t --statistic variance --vars y,x --noise-variance x:0.5");
    near(table_value("estimates", "corrected", 0), table_value("estimates", "uncorrected", 0), 1e-12);
    near(table_value("estimates", "uncorrected", 1), xx * 6 / 5, 1e-12);
    near(table_value("estimates", "corrected", 1), (xx - .5) * 6 / 5, 1e-12);
    run_ok("utility corrected t --statistic correlation --vars y,x --noise-variance x:0.5,y:0.25");
    near(table_value("estimates", "uncorrected", 0), xy / sqrt(xx * yy), 1e-12);
    near(table_value("estimates", "corrected", 0), xy / sqrt((xx - .5) * (yy - .25)), 1e-12);
    run_ok("utility corrected t --statistic variance --vars x --factor-variance x:0.2");
    near(table_value("estimates", "corrected", 0), (xx - .2 * 9) / 1.2 * 6 / 5, 1e-12); /* (Var y − δ·mean²)/(1 + δ) */
    run_ok("utility corrected t --statistic variance --vars x --noise-variance x:0.5 --scale 0.8");
    near(table_value("estimates", "corrected", 0), (xx / .64 - .5) * 6 / 5, 1e-12);
    run_ok("utility corrected t --statistic mean --vars x --rounded x:1 --rounding down");
    near(table_value("estimates", "corrected", 0), 3.5, 1e-12);
    near(table_value("estimates", "corrected_se", 0), sqrt(xx / 5), 1e-12);
    run_ok("utility corrected t --statistic variance --vars x --rounded x:1 --rounding random");
    near(table_value("estimates", "corrected", 0), (xx - 1 / 6.) * 6 / 5, 1e-12);
    /* rounded behind a factor, and behind Kim's z: rounding came last */
    run_ok("utility corrected t --statistic variance --vars x --factor-variance x:0.2 --rounded x:1.2");
    near(table_value("estimates", "corrected", 0), ((82 / n - .12) / 1.2 - 9) * 6 / 5, 1e-12);
    run_ok("utility corrected t --statistic variance --vars x --noise-variance x:0.5 --scale 0.8 --rounded x:1.2");
    near(table_value("estimates", "corrected", 0), ((xx - .12) / .64 - .5) * 6 / 5, 1e-12);
    run_bad("utility corrected t --statistic variance --vars x --noise-variance x:0.5 --factor-variance x:0.2", "which came first");
    run_ok("utility corrected t --statistic variance --vars x,y --noise-variance x:0.5 --factor-variance y:0.2");
    run_ok("utility corrected t --statistic variance --vars x --noise-variance x:9");
    assert_true(noted("1 column has no variance after"));
    assert_true(isnan(table_value("estimates", "corrected", 0)) && isnan(table_value("estimates", "lower", 0)));
}

/* The mean after PRAM is unbiased: over all releases of a table, each with its probability, it is the table's own. */
static void test_pram_unbiased(void **state) {
    (void)state;
    static const char *const words[] = { "u", "v", "w" };
    const double p[3][3] = { { .7, .2, .1 }, { .1, .8, .1 }, { .3, .1, .6 } };
    table_from("p", "variable,original,released,probability\ng,u,u,0.7\ng,u,v,0.2\ng,u,w,0.1\ng,v,u,0.1\ng,v,v,0.8\ng,v,w,0.1\n"
                    "g,w,u,0.3\ng,w,v,0.1\ng,w,w,0.6\n");
    int truth[3] = { 0, 0, 2 };
    double mean[3] = { 0 };
    for (int release = 0; release < 27; release++) {
        int l[3] = { release % 3, release / 3 % 3, release / 9 };
        char text[64];
        double chance = 1;
        for (int i = 0; i < 3; i++) chance *= p[truth[i]][l[i]];
        sprintf(text, "g,k\n%s,1\n%s,2\n%s,3\n", words[l[0]], words[l[1]], words[l[2]]);
        table_from("r", text);
        run_ok("utility corrected r --statistic mean --vars g --pram p");
        const Table *estimates = result_find_table(last_result, "estimates");
        for (int64_t i = 0; i < estimates->rows; i++) {
            char cell[33];
            const char *name = column_cell(table_column(estimates, "variable"), i, cell);
            mean[name[1] - 'u'] += chance * table_value("estimates", "corrected", i);
        }
        for (int c = 0; c < 3; c++) /* a category that the release lost is not listed; its estimate is that of the rest */
            if (c != l[0] && c != l[1] && c != l[2]) {
                double rest = 1;
                for (int64_t i = 0; i < estimates->rows; i++) rest -= table_value("estimates", "corrected", i);
                if (estimates->rows == 2) mean[c] += chance * rest;
            }
        if (estimates->rows == 1) { /* one word alone: rows of P⁻¹ by hand */
            run_ok("utility pram-estimate r --matrix p");
            for (int c = 0; c < 3; c++) {
                const Table *counts = result_find_table(last_result, "counts");
                for (int64_t i = 0; i < counts->rows; i++) {
                    char cell[33];
                    if (!strcmp(column_cell(table_column(counts, "category"), i, cell), words[c]) && c != l[0])
                        mean[c] += chance * table_value("counts", "estimate", i) / 3;
                }
            }
        }
    }
    near(mean[0], 2 / 3., 1e-12);
    near(mean[1], 0, 1e-12);
    near(mean[2], 1 / 3., 1e-12);
}

/* y = 2·[g = v] − [g = w] + x; g redrawn. The dummies' coefficients are found again within four standard errors. */
static void test_pram_regression(void **state) {
    (void)state;
    enum { N = 3000 };
    static const char *const words[] = { "u", "v", "w" };
    static double e[N], u[2][N];
    char *text = malloc(64 * N), *at = text + sprintf(text, "y,x,g\n");
    Seed seed = seed_from_number(5);
    RandomStream stream = stream_make(&seed, "test", 0, "", "pram");
    draw_normals(&stream, 0, N, e);
    draw_uniforms(&stream, N, N, u[0]);
    draw_uniforms(&stream, 2 * N, N, u[1]);
    for (int i = 0; i < N; i++) {
        int g = (int)(u[0][i] * 3), l = u[1][i] < .7 ? g : (g + 1 + (u[1][i] < .85)) % 3, x = (g + i) % 7;
        at += sprintf(at, "%.4f,%d,%s\n", (g == 1) * 2. - (g == 2) + x + .5 * e[i], x, words[l]);
    }
    table_from("r", text);
    free(text);
    table_from("p", "g,u,v,w\nu,0.7,0.15,0.15\nv,0.15,0.7,0.15\nw,0.15,0.15,0.7\n");
    run_ok("utility corrected r --formula 'y ~ x + g' --pram p");
    const double truth[] = { 0, 1, 2, -1 };
    for (int j = 0; j < 4; j++)
        near(table_value("coefficients", "corrected", j), truth[j], 4 * table_value("coefficients", "corrected_se", j));
    assert_true(fabs(table_value("coefficients", "uncorrected", 2) - 2) > .3);
    run_bad("utility corrected r --formula 'y ~ x * g' --pram p", "by themselves");
    table_from("flat", "g,u,v,w\nu,0.4,0.3,0.3\nv,0.4,0.3,0.3\nw,0.2,0.2,0.6\n");
    run_bad("utility corrected r --formula 'y ~ x + g' --pram flat", "cannot be inverted");
}

/* Y = X·B released: B·β_Y is the regression on X itself, standard errors too. */
static void test_matrix(void **state) {
    (void)state;
    table_from("t", "y,a,b\n1,0,3\n2,2,1\n2,1,1\n5,4,2\n6,5,0\n5,6,7\n");
    table_from("r", "y,p,q\n1,3,9\n2,3,7\n2,2,5\n5,6,14\n6,5,10\n5,13,33\n"); /* p = a + b, q = 2a + 3b */
    table_from("B", "variable,p,q\na,1,2\nb,1,3\n");
    run_ok("utility corrected t --formula 'y ~ a + b' --noise-variance a:0");
    double beta[2], se[2];
    for (int j = 0; j < 2; j++) {
        beta[j] = table_value("coefficients", "corrected", j + 1);
        se[j] = table_value("coefficients", "corrected_se", j + 1);
    }
    run_ok("utility corrected r --formula 'y ~ p + q' --B B");
    for (int j = 0; j < 2; j++) {
        near(table_value("unmasked", "coefficient", j), beta[j], 1e-9);
        near(table_value("unmasked", "standard_error", j), se[j], 1e-9);
    }
    table_from("flat", "p,q\n1,2\n2,4\n");
    run_bad("utility corrected r --formula 'y ~ p + q' --B flat", "cannot be inverted");
    run_bad("utility corrected r --formula 'y ~ p' --B B", "term of the formula");
    table_from("long", "p,q\n1,2\n2,4\n3,4\n");
    run_bad("utility corrected r --formula 'y ~ p + q' --B long", "square");
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
    run_bad("utility corrected t --noise-variance x:1", "formula");
    run_bad("utility corrected t --statistic mean --noise-variance x:1", "vars");
    run_bad("utility corrected t --statistic mean --vars x --noise-variance g:1", "apply to numbers");
    run_bad("utility corrected t --statistic mean --vars x --rounded x:-1", "0 or more");
    run_bad("utility corrected t --formula 'y ~ x' --rounded x:1 --scale 2", "scale");
    table_from("s", "y,x\n1,2\n");
    run_bad("utility corrected s --formula 'y ~ x' --noise-variance x:1", "too few");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_no_noise),
                                        cmocka_unit_test(test_undoes_noise),    cmocka_unit_test(test_bad),
                                        cmocka_unit_test(test_statistics),      cmocka_unit_test(test_pram_unbiased),
                                        cmocka_unit_test(test_pram_regression), cmocka_unit_test(test_matrix) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
