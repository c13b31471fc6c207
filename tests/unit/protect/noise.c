/* protect.noise: the moments that each kind promises, determinism, strata, missing values, bad input. */
#include "methods.h"
#include "math/distributions.h"
#include "math/linear/moments.h"

enum { N = 20000 };
static double *x[3];
static Arena *arena; /* of all moments, to the end */

/* Three correlated columns: normal, skewed, whole-ish. */
static void make_data(void) {
    RandomStream stream[3];
    for (int j = 0; j < 3; j++) {
        stream[j] = stream_make(&(Seed){ 0 }, "test", 0, (char[]){ (char)('a' + j), 0 }, "data");
        x[j] = malloc(N * sizeof **x);
        draw_normals(&stream[j], 0, N, x[j]);
    }
    for (int i = 0; i < N; i++) {
        double z = x[0][i], u = .6 * z + .8 * x[1][i], v = -.5 * z + .866 * x[2][i];
        x[0][i] = 50 + 10 * z;
        x[1][i] = exp(3 + .5 * u);
        x[2][i] = 1000 + 200 * v;
    }
    table_reals("data", (const double *const *)x, 3, N);
}

static Moments released(void) {
    static double *y[3];
    Work work = { .arena = arena, .error = &last_error, .threads = 1 };
    for (int j = 0; j < 3; j++) y[j] = output()->column[j]->real;
    Moments m;
    assert_int_equal(moments_make(&work, (const double *const *)y, 3, NULL, N, &m), OK);
    return m;
}

static Moments original(void) {
    Work work = { .arena = arena, .error = &last_error, .threads = 1 };
    Moments m;
    assert_int_equal(moments_make(&work, (const double *const *)x, 3, NULL, N, &m), OK);
    return m;
}

/* n = 20,000 and δ = 0.3: a variance is right to about 1%, a mean to 0.7% of a standard deviation, a correlation to 0.01 (three standard
 * errors). */
static void test_moments(void **state) {
    (void)state;
    static const char *const kinds[] = { "independent", "correlated", "kim", "multiplicative", "laplace", "own-distribution" };
    Moments o = original();
    for (int kind = 0; kind < 6; kind++) {
        char command[200];
        snprintf(command, sizeof command, "protect noise data --vars a,b,c --amount 0.3 --method %s", kinds[kind]);
        run_ok_seeded(11, command);
        Moments r = released();
        for (int j = 0; j < 3; j++) {
            double variance = moments_covariance(&o, j, j), ratio = table_value("noise", "variance_ratio", j);
            near(moments_covariance(&r, j, j) / variance, ratio, .035 * ratio);
            near((r.mean[j] - o.mean[j]) / sqrt(variance), 0, kind == 3 ? .05 : .013);
            if (kind != 3) near(ratio, kind == 2 ? 1 : 1.3, 1e-9);
            if (kind == 3) near(ratio, 1.3 + .3 * o.mean[j] * o.mean[j] / variance, 1e-9);
            for (int k = 0; k < j; k++) {
                double kept = moments_correlation(&o, j, k), now = moments_correlation(&r, j, k);
                bool joint = kind == 1 || kind == 2 || kind == 5;
                if (joint) near(now, kept, .02);
                else if (kind != 3) near(now, kept / 1.3, .02);
            }
        }
        assert_int_equal((int)value("cells"), 3 * N);
        assert_int_equal((int)value("records"), N);
    }
}

/* In expectation, over seeds: kim keeps mean and variance (±4 standard errors over 40 releases). */
static void test_kim_over_seeds(void **state) {
    (void)state;
    Moments o = original();
    double mean = 0, variance = 0;
    for (int seed = 0; seed < 40; seed++) {
        run_ok_seeded(seed, "protect noise data --vars a,b,c --amount 1 --method kim");
        Moments r = released();
        mean += (r.mean[1] - o.mean[1]) / 40;
        variance += moments_covariance(&r, 1, 1) / moments_covariance(&o, 1, 1) / 40;
    }
    near(mean / sqrt(moments_covariance(&o, 1, 1)), 0, 4 * sqrt(.5 / N / 40));
    near(variance, 1, 4 * sqrt(3. / N / 40));
    run_ok("protect noise data --vars a --amount 1 --method kim --scale 0.5");
    near(table_value("noise", "scale", 0), .5, 0);
    near(table_value("noise", "shift", 0), .5 * o.mean[0], 1e-9);
    near(table_value("noise", "variance_ratio", 0), .5, 1e-12);
    /* the other law: z = a·y + (1 − a)·mean of the very y that the same words give */
    run_ok_seeded(3, "protect noise data --vars a,b --amount 0.5 --method own-distribution --scale 0.8");
    near(table_value("noise", "scale", 1), .8, 0);
    near(table_value("noise", "shift", 1), .2 * o.mean[1], 1e-9);
    near(table_value("noise", "variance_ratio", 1), .64 * 1.5, 1e-12);
    assert_true(noted("z = 0.8"));
    Moments z = released();
    near(moments_covariance(&z, 0, 0) / moments_covariance(&o, 0, 0), .96, .035);
    near(z.mean[0], o.mean[0], .02 * sqrt(moments_covariance(&o, 0, 0)));
}

static void test_same_bytes(void **state) {
    (void)state;
    static const char *const kinds[] = { "independent", "correlated", "kim", "multiplicative", "laplace", "own-distribution" };
    for (int kind = 0; kind < 6; kind++) {
        char command[200];
        snprintf(command, sizeof command, "protect noise data --vars a,b,c --amount 0.3 --method %s", kinds[kind]);
        run_threads = 1;
        run_ok(command);
        Table *one = table_retain(output());
        run_threads = 3;
        run_ok(command);
        assert_true(table_equal(one, output()));
        run_ok_seeded(2, command);
        assert_false(table_equal(one, output()));
        table_release(one);
    }
}

static void test_missing_and_types(void **state) {
    (void)state;
    table_from("small", "g,k,x,y\na,1,1,10\na,2,,20\nb,3,3,\nb,4,4,40\nb,5,5,55\nc,6,6,60\n");
    run_ok("protect noise small --vars x,y --method correlated --amount 0.5 --strata g");
    assert_true(column_missing(output_column("x"), 1) && column_missing(output_column("y"), 2));
    assert_int_equal(output_column("x")->missing, 1);
    assert_int_equal(output_column("x")->type, REAL_TYPE);
    assert_ptr_equal(output_column("k"), table_column(shelf[1], "k")); /* shared, not copied */
    assert_true(output()->perturbed);
    assert_int_equal(result_find_table(last_result, "noise")->rows, 6); /* three strata, two columns */
    run_ok("protect noise small --vars x --method own-distribution --amount 1");
    assert_int_equal((int)value("cells"), 5);
    run_ok("protect noise small --vars x --amount 0.5 --where 'k > 4'");
    assert_true(column_number(output_column("x"), 0) == 1 && column_number(output_column("x"), 4) != 5);
    assert_int_equal(output_column("x")->type, REAL_TYPE);
}

/* Within strata the noise has each stratum's own size. */
static void test_strata(void **state) {
    (void)state;
    double *g = malloc(N * sizeof *g), *v = malloc(N * sizeof *v);
    for (int i = 0; i < N; i++) {
        g[i] = i % 2;
        v[i] = x[0][i] * (i % 2 ? 100 : 1);
    }
    table_reals("strata", (const double *const[]){ v, g }, 2, N);
    run_ok("protect noise strata --vars a --amount 0.1 --strata b");
    double sum[2] = { 0 };
    for (int i = 0; i < N; i++) sum[i % 2] += pow(output_column("a")->real[i] - v[i], 2) / (N / 2);
    near(sum[0], 10, .7);
    near(sum[1], 1e5, 7e3);
    free(g);
    free(v);
}

static void test_bad_input(void **state) {
    (void)state;
    table_from("odd", "g,one,none,same\na,1,,7\nb,,,7\na,,,7\n");
    run_bad("protect noise odd --vars g --amount 0.1", "needs numbers");
    run_bad("protect noise odd --vars one --amount 0.1", "fewer than two values");
    run_bad("protect noise odd --vars none --amount 0.1", "fewer than two values");
    run_bad("protect noise odd --vars same --amount 0", "more than 0");
    run_bad("protect noise odd --vars same", "amount");
    run_bad("protect noise odd --vars same --amount 1 --scale 0.5", "kim");
    run_bad("protect noise odd --vars saem --amount 1", "same");
    run_ok("protect noise odd --vars same --amount 1");
    assert_int_equal((int)value("cells"), 0);
    table_from("empty", "x,y\n");
    run_bad("protect noise empty --vars x --amount 1", "fewer than two values");
}

/* --round own: as many decimals as the column had. */
static void test_own_decimals(void **state) {
    (void)state;
    table_from("d", "whole,cents\n10,1.25\n20,30.5\n30,-4\n40,100\n55,7\n");
    run_ok_seeded(3, "protect noise d --vars whole,cents --amount 0.3 --round own");
    assert_int_equal(output()->column[0]->type, INTEGER_TYPE);
    for (int i = 0; i < 5; i++) {
        double cents = column_number(output()->column[1], i) * 100;
        near(cents, floor(cents + .5), 1e-9);
    }
    assert_true(value("cells") > 5); /* and noise it is */
    assert_false(noted("are unchanged"));
    table_from("few", "visits\n0\n1\n2\n3\n1\n2\n");
    run_ok_seeded(3, "protect noise few --vars visits --amount 0.0001 --round own");
    assert_true(value("cells") == 0 && noted("6 of 6 cells are unchanged"));
    table_from("s", "tiny\n1e-7\n2e-7\n5e-7\n");
    run_ok_seeded(3, "protect noise s --vars tiny --amount 0.3 --round own");
    for (int i = 0; i < 3; i++)
        near(column_number(output()->column[0], i) * 1e7, floor(column_number(output()->column[0], i) * 1e7 + .5), 1e-6);
}

int main(void) {
    arena = arena_new();
    make_data();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_moments),    cmocka_unit_test(test_kim_over_seeds),
                                        cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_missing_and_types),
                                        cmocka_unit_test(test_strata),     cmocka_unit_test(test_own_decimals),
                                        cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
