/* Membership: a copy gives all away, an independent sample nothing; the area against all pairs. */
#include "methods.h"

enum { N = 200 };
static double x[3][2][N];

static void fill(double noise) {
    Seed seed = seed_from_number(9);
    RandomStream stream = stream_make(&seed, "test", 0, NULL, "x");
    RandomReader reader = reader_make(&stream);
    static const char *const names[] = { "original", "holdout", "released" };
    for (int t = 0; t < 3; t++) {
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < N; i++) x[t][j][i] = reader_normal(&reader) * (t == 2 ? noise : 1) + (t == 2 && noise < 1 ? x[0][j][i] : 0);
        table_reals(names[t], (const double *[]){ x[t][0], x[t][1] }, 2, N);
    }
}

static void known(void **state) {
    (void)state;
    fill(0);
    run_ok("attack membership released original holdout"); /* the release is the original */
    assert_true(value("auc") == 1 && value("advantage") == 1);
    near(value("gain"), 0.5, 1e-15);
    assert_true(value("lower") > 0.45 && value("lower") < 0.5 &&
                value("upper") == 0.5); /* two hundred of two hundred are not all there are */
    fill(1);
    run_ok("attack membership released original holdout"); /* independent of both */
    assert_true(value("lower") < 0 && value("upper") > 0);
    near(value("auc"), 0.5, 0.1);
}

static double gower(const double a[2], const double b[2], const double range[2]) {
    return (fabs(a[0] - b[0]) / range[0] + fabs(a[1] - b[1]) / range[1]) / 2;
}

static void all_pairs(void **state) {
    (void)state;
    fill(0.1);
    double range[2], d[2][N], area = 0;
    for (int j = 0; j < 2; j++) {
        double low = 1e9, high = -1e9;
        for (int i = 0; i < N; i++) {
            low = fmin(low, x[2][j][i]);
            high = fmax(high, x[2][j][i]);
        }
        range[j] = high - low;
    }
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < N; i++) {
            d[t][i] = 1e9;
            for (int k = 0; k < N; k++)
                d[t][i] = fmin(d[t][i], gower((double[]){ x[t][0][i], x[t][1][i] }, (double[]){ x[2][0][k], x[2][1][k] }, range));
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) area += d[0][i] < d[1][k] ? 1 : d[0][i] == d[1][k] ? 0.5 : 0;
    run_ok("attack membership released original holdout");
    near(value("auc"), area / N / N, 1e-9);
    assert_true(value("lower") > 0); /* noise of a tenth of the sd does not hide who was there */
}

static void edges(void **state) {
    (void)state;
    table_from("r", "a,b\n1,2\n");
    table_from("o", "a,b\n1,2\n3,4\n");
    table_from("h", "a,b\n");
    run_ok("attack membership r o h");
    assert_int_equal(result_find(last_result, "auc")->kind, VALUE_NULL);
    run_bad("attack membership r o h --vars z", "no column");
    run_bad("attack membership r o", "input");
}

/* Equal distances are ties, whatever scaling did to their last digits. */
static void equal_distances_tie(void **state) {
    (void)state;
    char r[2048] = "x\n", o[2048] = "x\n", h[2048] = "x\n";
    for (int i = 0; i <= 700; i += 10) {
        snprintf(r + strlen(r), sizeof r - strlen(r), "%d\n", i);
        snprintf(o + strlen(o), sizeof o - strlen(o), "%d\n", i + 1);
        snprintf(h + strlen(h), sizeof h - strlen(h), "%d\n", i < 700 ? i + 9 : 699);
    }
    table_from("ten", r);
    table_from("after", o);
    table_from("before", h);
    run_ok("attack membership ten after before --vars x");
    near(value("auc"), 0.5, 1e-12);
    near(value("advantage"), 0, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(equal_distances_tie), cmocka_unit_test(known), cmocka_unit_test(all_pairs),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
