/* Predictive disclosure: exact relations, leave-one-out by refitting, categories as Goodman & Kruskal's τ, the edges. */
#include "methods.h"

/* Simple regression on all records but one, and what it predicts for that one. */
static double left_out(const double *x, const double *y, int n, int out) {
    double mx = 0, my = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++)
        if (i != out) {
            mx += x[i] / (n - 1);
            my += y[i] / (n - 1);
        }
    for (int i = 0; i < n; i++)
        if (i != out) {
            sxx += (x[i] - mx) * (x[i] - mx);
            sxy += (x[i] - mx) * (y[i] - my);
        }
    return my + sxy / sxx * (x[out] - mx);
}

static void refitted(void **state) {
    (void)state;
    enum { N = 9 };
    const double x[N] = { 1, 2, 3, 4, 5, 6, 7, 8, 12 }, y[N] = { 2, 1, 4, 3, 7, 5, 6, 9, 8 };
    double press = 0, total = 0, sum = 0;
    for (int i = 0; i < N; i++) sum += y[i];
    for (int i = 0; i < N; i++) {
        press += pow(y[i] - left_out(x, y, N, i), 2);
        total += pow(y[i] - (sum - y[i]) / (N - 1), 2);
    }
    table_reals("t", (const double *const[]){ x, y }, 2, N);
    run_ok("risk predictive t --sensitive b --predictors a");
    near(value("r2_cross_validated"), 1 - press / total, 1e-10);
    near(value("privacy"), 1 - value("r2"), 1e-15);
    assert_true(value("r2") > value("r2_cross_validated"));
}

static void exact(void **state) {
    (void)state;
    table_from("t", "a,b,g,y,z\n1,2,u,5,1\n2,1,v,4,0\n3,5,u,13,1\n4,3,v,10,0\n5,8,u,21,1\n6,1,v,8,0\n"); /* y = a + 2b, z is g */
    run_ok("risk predictive t --sensitive y --predictors a,b");
    near(value("r2"), 1, 1e-12);
    near(value("r2_cross_validated"), 1, 1e-12);
    run_ok("risk predictive t --sensitive y,z --predictors g");
    near(value("r2"), 1, 1e-12); /* the worst: z */
    assert_true(table_value("sensitive", "r2", 0) < 0.9);
    run_ok("risk predictive t --sensitive g --predictors z");
    near(value("r2"), 1, 1e-12);
}

/* Categories by categories: τ = (Σ n_ij²/n_i − Σ n_j²/n)/(n − Σ n_j²/n). */
static void tau(void **state) {
    (void)state;
    table_from("t", "g,s\nu,a\nu,a\nu,b\nu,c\nv,b\nv,b\nv,a\nw,c\nw,c\nw,c\n");
    double within = (4 + 1 + 1) / 4. + (4 + 1) / 3. + 9 / 3., whole = (9 + 9 + 16) / 10.;
    run_ok("risk predictive t --sensitive s --predictors g");
    near(value("r2"), (within - whole) / (10 - whole), 1e-12);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "a,y\n");
    table_from("one", "a,y\n1,2\n");
    table_from("m", "a,y\n,\n,\n,\n,\n");
    table_from("c", "a,y\n1,7\n2,7\n3,7\n4,7\n");
    for (int i = 0; i < 4; i++) {
        char command[80];
        sprintf(command, "risk predictive %s --sensitive y --predictors a", (const char *[]){ "none", "one", "m", "c" }[i]);
        run_ok(command);
        assert_int_equal(result_find(last_result, "r2")->kind, VALUE_NULL);
    }
    table_from("k", "a,y\n5,1\n5,2\n5,3\n5,7\n"); /* a constant predictor tells nothing */
    run_ok("risk predictive k --sensitive y --predictors a");
    near(value("r2"), 0, 1e-12);
    run_bad("risk predictive k --sensitive y --predictors y", "both sensitive and a predictor");
    run_bad("risk predictive k --sensitive y", "predictors");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(refitted), cmocka_unit_test(exact), cmocka_unit_test(tau),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
