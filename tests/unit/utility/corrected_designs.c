/* utility.corrected for aggregated records, swapping, top coding and logistic regressions: answers by hand or by another way, unbiasedness
 * over all releases, bad input. */
#include "methods.h"

static const double Y[] = { 1, 2, 2, 5, 6, 5, 9, 3 }, X[] = { 0, 2, 1, 4, 5, 6, 7, 1 };

static void shelve_xy(const char *name, const double *y, const double *x, int n, int rounded) {
    char text[2048], *at = text + sprintf(text, "y,x\n");
    for (int i = 0; i < n; i++) at += sprintf(at, rounded ? "%.6g,%.6g\n" : "%.17g,%.17g\n", y[i], x[i]);
    table_from(name, text);
}

static void same_answers(const char *table, const char *const *columns, const double *expected, int count, double tolerance) {
    for (int k = 0; k < count; k++) near(table_value(table, columns[k % 2], k / 2), expected[k], tolerance);
}

/* ---- Aggregated records ---- */

/* Means of groups: least squares weighted by their sizes. */
static void test_group_size(void **state) {
    (void)state;
    static const char *const columns[] = { "corrected", "corrected_se" };
    const double y[] = { 5. / 3, 5.5, 17. / 3, 4 }, x[] = { 1, 4.5, 14. / 3, 2 }, w[] = { 3, 2, 3, 5 };
    char text[256], *at = text + sprintf(text, "y,x,g\n");
    double W = 0, mx = 0, my = 0, xx = 0, xy = 0, rss = 0;
    for (int i = 0; i < 4; i++) {
        at += sprintf(at, "%.17g,%.17g,%g\n", y[i], x[i], w[i]);
        W += w[i];
        mx += w[i] * x[i];
        my += w[i] * y[i];
    }
    mx /= W;
    my /= W;
    for (int i = 0; i < 4; i++) {
        xx += w[i] * (x[i] - mx) * (x[i] - mx);
        xy += w[i] * (x[i] - mx) * (y[i] - my);
    }
    double b = xy / xx, a = my - b * mx, variance = 0;
    for (int i = 0; i < 4; i++) {
        rss += w[i] * pow(y[i] - a - b * x[i], 2) / 2;
        variance += w[i] * pow(y[i] - my, 2) / 3;
    }
    table_from("t", text);
    run_ok("utility corrected t --formula 'y ~ x' --group-size g");
    double expected[4] = { a, sqrt(rss * (1 / W + mx * mx / xx)), b, sqrt(rss / xx) };
    same_answers("coefficients", columns, expected, 4, 1e-10);
    run_ok("utility corrected t --statistic mean --vars y --group-size g");
    near(table_value("estimates", "corrected", 0), my, 1e-12);
    near(table_value("estimates", "corrected_se", 0), sqrt(variance / W), 1e-12);
    run_ok("utility corrected t --statistic variance --vars y --group-size g");
    near(table_value("estimates", "corrected", 0), variance, 1e-12);
    table_from("zero", "y,x,g\n1,2,3\n2,2,0\n4,1,2\n5,3,1\n");
    run_bad("utility corrected zero --formula 'y ~ x' --group-size g", "1 or more");
    run_bad("utility corrected t --formula 'y ~ log(x)' --group-size g", "by themselves");
    run_bad("utility corrected t --formula 'y ~ x' --group-size g --noise-variance x:1", "one kind of masking");
}

/* A regular A and C undone: the answers are those of the original file itself. */
static void test_regular(void **state) {
    (void)state;
    static const char *const columns[] = { "corrected", "corrected_se" };
    double expected[4], mean[2];
    char A[512] = "a,b,c,d,e,f,g,h\n", C[256] = "x,y\n";
    shelve_xy("t", Y, X, 8, 0);
    run_ok("utility corrected t --formula 'y ~ x' --noise-variance x:0");
    for (int k = 0; k < 4; k++) expected[k] = table_value("coefficients", columns[k % 2], k / 2);
    run_ok("utility corrected t --statistic mean --vars y --noise-variance y:0");
    for (int k = 0; k < 2; k++) mean[k] = table_value("estimates", columns[k], 0);
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) sprintf(A + strlen(A), "%d%s", i == j ? 2 : (i * j + i) % 3 - 1, j < 7 ? "," : "\n");
        sprintf(C + strlen(C), "%d,%d\n", i * i, 7 - i);
    }
    table_from("A", A);
    table_from("C", C);
    table_from("Cyx", "y,x\n7,0\n6,1\n5,4\n4,9\n3,16\n2,25\n1,36\n0,49\n"); /* C in the order of the columns masked */
    run_ok("protect matrix-mask t --vars y,x --A A --C Cyx");
    shelve("r", table_retain(output()));
    run_ok("utility corrected r --formula 'y ~ x' --A A --C C");
    same_answers("coefficients", columns, expected, 4, 1e-8);
    run_ok("utility corrected r --statistic mean --vars y --A A --C C");
    for (int k = 0; k < 2; k++) near(table_value("estimates", columns[k], 0), mean[k], 1e-9);
    run_ok("protect matrix-mask t --vars y,x --C Cyx");
    shelve("r", table_retain(output()));
    run_ok("utility corrected r --formula 'y ~ x' --C C");
    same_answers("coefficients", columns, expected, 4, 1e-9);
}

/* Y = A·X·B + C, all at once: the coefficients of the original columns are those of the original file. */
static void test_all_matrices(void **state) {
    (void)state;
    double beta[2], se[2];
    char A[512] = "a,b,c,d,e,f,g,h\n", C[256] = "y,p,q\n";
    table_from("t", "y,x,z\n1,0,3\n2,2,1\n2,1,1\n5,4,2\n6,5,0\n5,6,7\n9,7,2\n3,1,5\n");
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) sprintf(A + strlen(A), "%d%s", i == j ? 3 : (i + 2 * j) % 3 - 1, j < 7 ? "," : "\n");
        sprintf(C + strlen(C), "%d,%d,%d\n", i, i * i % 5, 7 - i);
    }
    table_from("A", A);
    table_from("C", C);
    table_from("whole", "y,p,q\n1,0,0\n0,1,2\n0,1,3\n");
    table_from("B", "variable,p,q\nx,1,2\nz,1,3\n");
    run_ok("utility corrected t --formula 'y ~ x + z' --noise-variance x:0");
    for (int j = 0; j < 2; j++) {
        beta[j] = table_value("coefficients", "corrected", j + 1);
        se[j] = table_value("coefficients", "corrected_se", j + 1);
    }
    run_ok("protect matrix-mask t --vars y,x,z --A A --B whole --C C");
    shelve("r", table_retain(output()));
    run_ok("utility corrected r --formula 'y ~ p + q' --A A --B B --C C");
    for (int j = 0; j < 2; j++) {
        near(table_value("unmasked", "coefficient", j), beta[j], 1e-8);
        near(table_value("unmasked", "standard_error", j), se[j], 1e-8);
    }
}

/* Microaggregation: each record replaced by the mean of its group answers as one record per group does. Simulated records carry nothing. */
static void test_repeated(void **state) {
    (void)state;
    static const char *const columns[] = { "corrected", "corrected_se" };
    double expected[4];
    table_from("g", "y,x,n\n1.5,1,2\n3.5,2.5,2\n5.5,5.5,2\n6,4,2\n");
    run_ok("utility corrected g --formula 'y ~ x' --group-size n");
    for (int k = 0; k < 4; k++) expected[k] = table_value("coefficients", columns[k % 2], k / 2);
    table_from("A", "row,column,value\n1,1,0.5\n1,2,0.5\n2,1,0.5\n2,2,0.5\n3,3,0.5\n3,4,0.5\n4,3,0.5\n4,4,0.5\n5,5,0.5\n5,6,0.5\n"
                    "6,5,0.5\n6,6,0.5\n7,7,0.5\n7,8,0.5\n8,7,0.5\n8,8,0.5\n9,1,0\n");
    table_from("C", "y,x\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n100,7\n");
    shelve_xy("t", Y, X, 8, 0);
    run_ok("protect matrix-mask t --vars y,x --A A --C C");
    shelve("r", table_retain(output()));
    run_ok("utility corrected r --formula 'y ~ x' --A A --C C");
    same_answers("coefficients", columns, expected, 4, 1e-9);
    assert_true(noted("5 released records follow from others"));
    assert_false(noted("differ from what A and C say"));
    table_from("r", "y,x\n1.5,1\n1.9,1\n3.5,2.5\n3.5,2.5\n5.5,5.5\n5.5,5.5\n6,4\n6,4\n100,7\n");
    run_ok("utility corrected r --formula 'y ~ x' --A A --C C");
    assert_true(noted("1 released records differ from what A and C say"));
    run_bad("utility corrected t --formula 'y ~ x' --A A", "one row of A per released record");
    run_bad("utility corrected t --formula 'y ~ x' --C C", "C has 9 rows");
    table_from("C", "y,q\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n");
    run_bad("utility corrected t --formula 'y ~ x' --C C", "named like those of the release");
    table_from("A", "row,column,value\n1,1,1\n2,1,1\n3,1,1\n4,1,1\n5,1,1\n6,1,1\n7,1,1\n8,1,1\n");
    run_bad("utility corrected t --formula 'y ~ x' --A A", "carry information");
    table_from("t", "y,x\n1,u\n2,v\n3,u\n4,v\n");
    run_bad("utility corrected t --statistic mean --vars x --C C", "numbers");
}

/* ---- Swapping ---- */

static double slope_of(const char *options) {
    char command[160];
    snprintf(command, sizeof command, "utility corrected r --formula 'y ~ x' %s", options);
    run_ok(command);
    return table_value("coefficients", "corrected", 1);
}

/* One pair of the records exchanges x; every pair with its probability. Swapping keeps the variance of x, so that the corrected slope has the
 * original's as its mean. */
static void test_swap_unbiased(void **state) {
    (void)state;
    const double y[] = { 1, 4, 2, 7, 3, 3, 8, 5 }, x[] = { 0, 0, 0, 1, 1, 3, 3, 0 };
    enum { n = 8 };
    shelve_xy("r", y, x, n, 0);
    double original = slope_of("--swapped x --swap-rate 0"), mean[2] = { 0 };
    near(original, table_value("coefficients", "uncorrected", 1), 1e-12);
    for (int i = 0; i < n; i++) {
        int others = 0;
        for (int j = 0; j < n; j++) others += x[j] != x[i];
        for (int j = 0; j < n; j++) {
            double z[n];
            if (i == j) continue;
            memcpy(z, x, sizeof z);
            z[i] = x[j];
            z[j] = x[i];
            shelve_xy("r", y, z, n, 0);
            mean[1] += slope_of("--swapped x --swap-rate 0.25 --partners any") / (n * (n - 1.));
            if (x[i] != x[j]) mean[0] += slope_of("--swapped x --swap-rate 0.25") / (n * (double)others);
        }
    }
    near(mean[0], original, 1e-12);
    near(mean[1], original, 1e-12);
}

static void test_swap(void **state) {
    (void)state;
    table_from("t", "y,x,g\n4,0,a\n2,2,b\n2,1,a\n5,4,b\n1,5,a\n5,6,a\n9,7,b\n3,3,b\n");
    run_ok("utility corrected t --formula 'y ~ x + g' --swapped x --swap-rate 0");
    for (int j = 0; j < 3; j++) near(table_value("coefficients", "corrected", j), table_value("coefficients", "uncorrected", j), 1e-10);
    near(value("r2_corrected"), value("r2_uncorrected"), 1e-10);
    run_ok("utility corrected t --statistic correlation --vars x,y,g --swapped x,g --swap-rate 0.2");
    near(table_value("estimates", "corrected", 0) / table_value("estimates", "uncorrected", 0), 1 / (1 - .2 * 8 / 7.), 1e-9);
    for (int64_t r = 0; r < result_find_table(last_result, "estimates")->rows; r++) { /* x and g went together */
        char a[33], b[33];
        const Table *table = result_find_table(last_result, "estimates");
        const char *one = column_cell(table_column(table, "variable"), r, a), *other = column_cell(table_column(table, "other"), r, b);
        if (strcmp(one, "y") && strcmp(other, "y"))
            near(table_value("estimates", "corrected", r), table_value("estimates", "uncorrected", r), 1e-12);
    }
    run_ok("utility corrected t --statistic mean --vars x,y --swapped x --swap-rate 0.5");
    for (int j = 0; j < 2; j++) near(table_value("estimates", "corrected", j), table_value("estimates", "uncorrected", j), 0);
    run_bad("utility corrected t --formula 'y ~ x' --swapped x", "swap-rate");
    run_bad("utility corrected t --formula 'y ~ x' --swap-rate 0.1", "swapped");
    run_bad("utility corrected t --formula 'y ~ x - 1' --swapped x --swap-rate 0.1", "intercept");
    run_bad("utility corrected t --formula 'y ~ x * g' --swapped x --swap-rate 0.1", "by themselves");
    run_bad("utility corrected t --formula 'y ~ x' --swapped x --swap-rate 1", "too high");
    run_bad("utility corrected t --formula 'y ~ x' --swapped x --swap-rate 0.1 --top-coded y:5", "one kind of masking");
    table_from("t", "y,x\n1,3\n2,3\n4,3\n4,3\n");
    run_bad("utility corrected t --statistic correlation --vars x,y --swapped x --swap-rate 0.1", "one value only");
}

/* ---- Top and bottom coding ---- */

/* The logarithm of the likelihood, from its definition. */
static double likelihood(const double *y, const double *x, int n, double a, double b, double sigma, double low, double high) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double mu = a + b * x[i];
        if (y[i] >= high) sum += log(erfc((high - mu) / sigma / sqrt(2)) / 2);
        else if (y[i] <= low) sum += log(erfc((mu - low) / sigma / sqrt(2)) / 2);
        else sum -= pow((y[i] - mu) / sigma, 2) / 2 + log(sigma) + log(2 * M_PI) / 2;
    }
    return sum;
}

static void test_tobit(void **state) {
    (void)state;
    double y[8];
    for (int i = 0; i < 8; i++) y[i] = Y[i] > 5.5 ? 7 : Y[i] < 2 ? 2 : Y[i]; /* 7: a mean of the tail */
    shelve_xy("t", y, X, 8, 0);
    run_ok("utility corrected t --formula 'y ~ x' --top-coded y:5.5 --bottom-coded y:2");
    double a = table_value("coefficients", "corrected", 0), b = table_value("coefficients", "corrected", 1),
           se = table_value("coefficients", "corrected_se", 1), best = -1e300, sigma = 0;
    for (double s = .2; s < 5; s += 1e-4) { /* σ is not printed: the best at these coefficients */
        double now = likelihood(y, X, 8, a, b, s, 2, 5.5);
        if (now > best) best = now, sigma = s;
    }
    for (int k = 0; k < 2000; k++) { /* nothing near it is likelier */
        double da = .002 * (k % 10 - 4.5), db = .002 * (k / 10 % 10 - 4.5), ds = .002 * (k / 100 - 9.5);
        assert_true(likelihood(y, X, 8, a + da, b + db, sigma + ds, 2, 5.5) <= best + 1e-7);
    }
    /* the likelihood of b alone, the rest at its best, falls by ½·(δ/se)² */
    double profile = -1e300, step = se / 20;
    for (double da = -.3; da < .3; da += .004)
        for (double ds = -.1; ds < .1; ds += .004) {
            double now = likelihood(y, X, 8, a + da, b + step, sigma + ds, 2, 5.5);
            if (now > profile) profile = now;
        }
    near((best - profile) / (.5 / 400), 1, .12);
    /* nothing coded: least squares, with the variance of maximum likelihood */
    run_ok("utility corrected t --formula 'y ~ x' --top-coded y:99");
    for (int j = 0; j < 2; j++) {
        near(table_value("coefficients", "corrected", j), table_value("coefficients", "uncorrected", j), 1e-9);
        near(table_value("coefficients", "corrected_se", j), table_value("coefficients", "uncorrected_se", j) * sqrt(6 / 8.), 1e-9);
    }
    assert_true(noted("no record is at a bound"));
    run_ok("utility corrected t --statistic variance --vars y,x --top-coded y:99");
    near(table_value("estimates", "corrected", 0), table_value("estimates", "uncorrected", 0) * 7 / 8, 1e-9);
    near(table_value("estimates", "corrected", 1), table_value("estimates", "uncorrected", 1), 0);
    run_ok("utility corrected t --statistic mean --vars y --top-coded y:5.5 --bottom-coded y:2");
    double mean = table_value("estimates", "corrected", 0);
    run_ok("utility corrected t --formula 'y ~ 1' --top-coded y:5.5 --bottom-coded y:2");
    near(table_value("coefficients", "corrected", 0), mean, 1e-9);
    run_ok("utility corrected t --formula 'log(y) ~ x' --top-coded log(y):1.7");
    assert_true(noted("2 records are at or above the top bound"));
    run_bad("utility corrected t --formula 'y ~ x' --top-coded x:5", "left side");
    run_bad("utility corrected t --formula 'log(y) ~ x' --top-coded y:5", "left side");
    run_bad("utility corrected t --formula 'y ~ x' --top-coded y:2 --bottom-coded y:2", "not below");
    run_bad("utility corrected t --formula 'y ~ x' --top-coded y:2", "too few");
    run_bad("utility corrected t --formula 'y ~ x' --top-coded y:u", "must be a number");
    run_bad("utility corrected t --statistic correlation --vars y,x --top-coded y:5", "correlations");
    run_bad("utility corrected t --statistic mean --vars x --top-coded y:5", "not one of the columns");
    run_bad("utility corrected t --formula 'y ~ x' --top-coded y:5 --family binomial", "added noise only");
}

/* ---- Logistic regression ---- */

/* The two equations of the conditional score hold, each by its definition. */
static void test_logistic(void **state) {
    (void)state;
    enum { n = 24 };
    double y[n], x[n], psi[2] = { 0 };
    for (int i = 0; i < n; i++) {
        x[i] = (i * 7 % 24) / 4. - 3;
        y[i] = x[i] + sin(i * 3) * 3 > 0;
    }
    shelve_xy("t", y, x, n, 0);
    run_ok("utility corrected t --formula 'y ~ x' --family binomial --noise-variance x:0.5");
    double a = table_value("coefficients", "corrected", 0), b = table_value("coefficients", "corrected", 1);
    assert_true(b > table_value("coefficients", "uncorrected", 1) * 1.05);
    for (int i = 0; i < n; i++) {
        double delta = x[i] + y[i] * .5 * b, left = y[i] - 1 / (1 + exp(-(a + b * delta - .5 * b * b * .5)));
        psi[0] += left;
        psi[1] += left * delta;
    }
    near(psi[0], 0, 1e-8);
    near(psi[1], 0, 1e-8);
    run_ok("utility corrected t --formula 'y ~ x' --family binomial --noise-variance x:0");
    for (int j = 0; j < 2; j++) near(table_value("coefficients", "corrected", j), table_value("coefficients", "uncorrected", j), 1e-8);
    run_bad("utility corrected t --formula 'y ~ x' --family binomial --noise-variance x:500", "no solution");
    run_bad("utility corrected t --formula 'y ~ x' --family binomial --noise-variance y:0.1", "cannot have added noise");
    run_bad("utility corrected t --formula 'x ~ y' --family binomial --noise-variance y:0.1", "0 and 1");
    run_bad("utility corrected t --formula 'y ~ x' --family binomial --noise-variance x:1 --scale 0.5", "added noise only");
    run_bad("utility corrected t --statistic mean --vars x --family binomial --noise-variance x:1", "has a meaning only with");
}

/* ---- Means of each column's own records ---- */

static void test_own_records(void **state) {
    (void)state;
    table_from("t", "y,x\n1,2\n2,\n,4\n6,6\n");
    run_ok("utility corrected t --statistic mean --vars y,x --noise-variance x:0.5");
    near(table_value("estimates", "corrected", 0), 3, 1e-12);
    near(table_value("estimates", "corrected", 1), 4, 1e-12);
    near(table_value("estimates", "records", 0), 3, 0);
    run_ok("utility corrected t --statistic variance --vars y,x --noise-variance x:0.5");
    near(table_value("estimates", "corrected", 1), (4 + 0 + 4) / 2. - .5 * 3 / 2, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_group_size),    cmocka_unit_test(test_regular),
                                        cmocka_unit_test(test_all_matrices),  cmocka_unit_test(test_repeated),
                                        cmocka_unit_test(test_swap_unbiased), cmocka_unit_test(test_swap),
                                        cmocka_unit_test(test_tobit),         cmocka_unit_test(test_logistic),
                                        cmocka_unit_test(test_own_records) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
