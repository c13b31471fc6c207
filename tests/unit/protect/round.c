/* protect.round: each way, unbiasedness, controlled sums, decimals, bad input. */
#include "methods.h"
#include "math/distributions.h"

static void test_plain(void **state) {
    (void)state;
    table_from("t", "x,y\n7,0.3\n5,0.25\n4,-0.25\n-5,\n-7,0.349\n20,1\n");
    run_ok("protect round t --vars x --base 10");
    assert_string_equal(cells_of(output_column("x")), "10 10 0 -10 -10 20");
    assert_int_equal(output_column("x")->type, INTEGER_TYPE);
    assert_false(output()->perturbed);
    run_ok("protect round t --vars x --base 10 --method down");
    assert_string_equal(cells_of(output_column("x")), "0 0 0 -10 -10 20");
    run_ok("protect round t --vars y --base 0.1 --method down");
    assert_string_equal(cells_of(output_column("y")), "0.3 0.2 -0.3 . 0.3 1");
    run_ok("protect round t --vars y --base 0.1");
    assert_string_equal(cells_of(output_column("y")), "0.3 0.3 -0.3 . 0.3 1");
}

/* 7 to base 10 becomes 10 with probability 0.7: 20,000 draws, ±4 standard errors. */
static void test_random(void **state) {
    (void)state;
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x);
    for (int i = 0; i < N; i++) x[i] = 7;
    table_reals("t", (const double *const[]){ x }, 1, N);
    run_ok("protect round t --vars a --base 10 --method random");
    int up = 0;
    for (int i = 0; i < N; i++) {
        double y = output_column("a")->real[i];
        assert_true(y == 0 || y == 10);
        up += y == 10;
    }
    near(up / (double)N, .7, 4 * sqrt(.21 / N));
    near(table_value("sums", "expected_variance", 0), 21, 1e-9);
    assert_true(output()->perturbed);
    free(x);
}

static void check_controlled(const double *x, const int *stratum, int n, double base, uint64_t seed, double *ups) {
    char command[200];
    double original[3] = { 0 }, released[3] = { 0 };
    snprintf(command, sizeof command, "protect round t --vars a --base %g --method controlled --strata b", base);
    run_ok_seeded(seed, command);
    for (int i = 0; i < n; i++) {
        double y = column_number(output_column("a"), i), low = floor(x[i] / base) * base;
        assert_true(fabs(y - low) < 1e-9 || (fabs(y - low - base) < 1e-9 && x[i] != low));
        ups[i] += fabs(y - low) > 1e-9;
        original[stratum[i]] += x[i];
        original[2] += x[i];
        released[stratum[i]] += y;
        released[2] += y;
    }
    for (int s = 0; s < 3; s++) assert_true(fabs(released[s] - original[s]) < base);
}

static void test_controlled(void **state) {
    (void)state;
    enum { N = 101, SEEDS = 400 };
    double x[N], b[N], ups[N] = { 0 };
    int stratum[N];
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", 0, "x", "round");
    draw_uniforms(&stream, 0, N, x);
    for (int i = 0; i < N; i++) {
        x[i] = floor(x[i] * 1000) - 300;
        b[i] = stratum[i] = i % 3 == 0;
    }
    table_reals("t", (const double *const[]){ x, b }, 2, N);
    for (int seed = 0; seed < SEEDS; seed++) check_controlled(x, stratum, N, 7, seed, ups);
    double worst = 0, chi = 0; /* every record goes up with the probability of its fraction: unbiased */
    for (int i = 0; i < N; i++) {
        double f = x[i] / 7 - floor(x[i] / 7), z = f > 0 ? (ups[i] / SEEDS - f) / sqrt(f * (1 - f) / SEEDS) : 0;
        worst = fmax(worst, fabs(z));
        chi += z * z;
    }
    assert_true(worst < 4.5 && chi < 160);
    for (int i = 0; i < N; i++) x[i] = 1; /* exact thirds: 101 ones to base 3 sum to 99 or 102 */
    table_reals("t", (const double *const[]){ x, b }, 2, N);
    run_ok("protect round t --vars a --base 3 --method controlled");
    assert_true(table_value("sums", "released", 0) == 99 || table_value("sums", "released", 0) == 102);
    for (int i = 0; i < N; i++) x[i] = i == 0 ? 2 : 1; /* the sum is 102: kept exactly */
    table_reals("t", (const double *const[]){ x, b }, 2, N);
    run_ok("protect round t --vars a --base 3 --method controlled");
    near(table_value("sums", "released", 0), 102, 0);
}

static void test_edges(void **state) {
    (void)state;
    table_from("t", "x,g\n1,a\n2,b\n");
    run_bad("protect round t --vars x --base 0", "more than 0");
    run_bad("protect round t --vars x --base -1", "more than 0");
    run_bad("protect round t --vars x", "base");
    run_bad("protect round t --vars g --base 1", "needs numbers");
    run_bad("protect round t --vars x --base 1 --strata g", "controlled");
    table_from("empty", "x,y\n");
    run_ok("protect round empty --vars x --base 5 --method controlled");
    table_from("missing", "x,y\n,1\n,2\n");
    run_ok("protect round missing --vars x --base 5 --method controlled");
    assert_int_equal(output_column("x")->missing, 2);
    table_from("one", "x\n3\n");
    run_ok("protect round one --vars x --base 5 --method controlled");
    assert_true(column_number(output_column("x"), 0) == 0 || column_number(output_column("x"), 0) == 5);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_plain), cmocka_unit_test(test_random), cmocka_unit_test(test_controlled),
                                        cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
