/* Θ: the estimate by hand, the exact value in a population, and that one is near the other under sampling. */
#include "methods.h"

static void by_hand(void **state) {
    (void)state;
    table_from("t", "k,w\n1,10\n2,10\n2,10\n3,10\n4,10\n5,10\n5,10\n6,10\n6,10\n6,10\n"); /* n1 = 3, n2 = 2 */
    run_ok("risk theta t --keys k --sampling-fraction 0.05");
    double theta = .05 * 3 / (.05 * 3 + 2 * .95 * 2);
    near(value("theta"), theta, 1e-15);
    near(value("standard_error"), theta * (1 - theta) * sqrt(1 / 3. + 1 / 2.), 1e-15);
    near(value("uniques"), 3, 0);
    near(value("pairs"), 2, 0);
    run_ok("risk theta t --keys k --weight w");
    near(value("sampling_fraction"), .1, 1e-15);
    run_ok("risk theta t --keys k --sampling-fraction 1");
    near(value("theta"), 1, 0);
}

static void exact(void **state) {
    (void)state;
    table_from("t", "k\n1\n2\n2\n3\n");
    table_from("p", "k\n1\n1\n1\n2\n2\n3\n4\n4\n");
    run_ok("risk theta t --keys k --population p");
    near(value("theta"), 2.0 / 4, 1e-15); /* 1 has three in the population, 3 has one */
    near(value("sampling_fraction"), .5, 0);
    near(value("estimate"), .5 * 2 / (.5 * 2 + 2 * .5 * 1), 1e-15);
}

/* A Bernoulli sample of a skewed population: the estimate is within four standard errors. False alarm about once in 10,000; the seed is
 * fixed. */
static void sampled(void **state) {
    (void)state;
    enum { N = 20000 };
    static double key[N], sample[N];
    Seed seed = seed_from_number(11);
    RandomStream stream = stream_make(&seed, "test", 0, "k", "draw");
    RandomReader reader = reader_make(&stream);
    int64_t n = 0;
    for (int i = 0; i < N; i++) {
        key[i] = floor(-3000 * log(reader_uniform(&reader)));
        if (reader_uniform(&reader) < 0.1) sample[n++] = key[i];
    }
    table_reals("p", (const double *const[]){ key }, 1, N);
    table_reals("s", (const double *const[]){ sample }, 1, n);
    run_ok("risk theta s --keys a --population p");
    near(value("estimate"), value("theta"), 4 * value("standard_error"));
    assert_true(value("standard_error") < 0.1);
}

static void edges(void **state) {
    (void)state;
    table_from("t", "k\n1\n2\n");
    table_from("d", "k\n1\n1\n");
    table_from("none", "k\n");
    run_bad("risk theta t --keys k", "sampling fraction is not known");
    run_bad("risk theta t --keys k --sampling-fraction 0", "sampling fraction");
    run_bad("risk theta t --keys k --sampling-fraction 2", "must be");
    run_ok("risk theta t --keys k --sampling-fraction 0.1");
    near(value("theta"), 1, 0);
    assert_int_equal(result_find(last_result, "standard_error")->kind, VALUE_NULL);
    run_ok("risk theta d --keys k --sampling-fraction 0.1");
    assert_int_equal(result_find(last_result, "theta")->kind, VALUE_NULL);
    run_ok("risk theta none --keys k --sampling-fraction 0.1");
    run_ok("risk theta t --keys k --population none --sampling-fraction 0.1");
    assert_int_equal(result_find(last_result, "theta")->kind, VALUE_NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(exact), cmocka_unit_test(sampled),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
