/* protect.randomized-response: both designs, unbiased on a fixed table with the stated mechanism variance. */
#include "methods.h"

enum { N = 500, SEEDS = 2000 };
static void make_table(void) {
    double x[N], g[N];
    for (int i = 0; i < N; i++) {
        x[i] = i < N / 5;
        g[i] = i % 2;
    }
    table_reals("t", (const double *const[]){ x, g }, 2, N);
}

/* Mean and variance of the estimate over seeds: ±4.5 standard errors of each. */
static void check_design(const char *command, double truth, double variance) {
    double sum = 0, squares = 0, stated = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        run_ok_seeded(seed, command);
        sum += value("estimate");
        squares += pow(value("estimate") - truth, 2);
        stated += value("mechanism_variance") / SEEDS;
    }
    near(sum / SEEDS, truth, 4.5 * sqrt(variance / SEEDS));
    near(squares / SEEDS / variance, 1, 4.5 * sqrt(2. / SEEDS));
    near(stated / variance, 1, .02);
}

static void test_warner(void **state) {
    (void)state;
    make_table();
    check_design("protect randomized-response t --var a --p 0.7", .2, .7 * .3 / (N * .16));
    run_ok("protect randomized-response t --var a --p 0.7");
    double l = value("lambda");
    near(value("estimate"), (l + .7 - 1) / .4, 1e-12);
    near(value("variance"), value("mechanism_variance") + value("estimate") * (1 - value("estimate")) / N, 1e-12);
}

static void test_unrelated(void **state) {
    (void)state;
    make_table();
    double a = .6 + .4 * .3, b = .4 * .3;
    check_design("protect randomized-response t --var a --p 0.6 --unrelated 0.3", .2, (.2 * a * (1 - a) + .8 * b * (1 - b)) / (N * .36));
    run_ok("protect randomized-response t --var a --p 0.6 --unrelated 0.3");
    double l = value("lambda");
    near(value("variance"), l * (1 - l) / (N * .36), 1e-12);
    run_ok("protect randomized-response t --var a --p 0.6 --unrelated 0.3 --strata b");
    assert_int_equal(result_find_table(last_result, "estimates")->rows, 2);
}

static void test_words(void **state) {
    (void)state;
    table_from("t", "drug,w\nno,1\nyes,1\n,1\nno,1\nno,5\n");
    run_ok("protect randomized-response t --var drug --p 0.999999 --weight w");
    assert_string_equal(cells_of(output_column("drug")), "no yes . no no");
    near(value("lambda"), .125, 1e-12);
    run_ok("protect randomized-response t --var drug --p 0.999999 --yes no");
    near(value("lambda"), .75, 1e-12);
    run_ok("protect randomized-response t --var drug --p 0.000001");
    assert_string_equal(cells_of(output_column("drug")), "yes no . yes yes");
}

static void test_bad_input(void **state) {
    (void)state;
    table_from("t", "three,two,one\na,0,5\nb,1,5\nc,1,5\n");
    run_bad("protect randomized-response t --var three --p 0.7", "column of two");
    run_bad("protect randomized-response t --var one --p 0.7", "only one value");
    run_bad("protect randomized-response t --var two --p 0.5", "0.5");
    run_bad("protect randomized-response t --var two --p 1", "less than 1");
    run_bad("protect randomized-response t --var two", "p");
    run_bad("protect randomized-response t --var two --p 0.7 --yes maybe", "means yes");
    run_ok("protect randomized-response t --var two --p 0.5 --unrelated 0.5");
    table_from("empty", "two,x\n");
    run_ok("protect randomized-response empty --var two --p 0.7");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_warner), cmocka_unit_test(test_unrelated), cmocka_unit_test(test_words),
                                        cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
