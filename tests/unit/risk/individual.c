/* Individual risk: exact against the series, sdcMicro's own tables, households, the edges. */
#include "methods.h"
#include "classes/individual_risk.h"

/* E[1/F | f] term by term: Σ_{h≥f} (1/h)·C(h−1, f−1) p^f (1−p)^(h−f). */
static double by_series(int64_t f, double p) {
    long double q = 1 - (long double)p, term = powl(p, f), sum = 0;
    for (int64_t h = f; h < 50000000; h++) {
        sum += term / h;
        term *= q * h / (h - f + 1);
        if (term / h < 1e-22L * sum && h > f / p) break;
    }
    return (double)sum;
}

static void equals_the_series(void **state) {
    (void)state;
    static const double ps[] = { 0.9999, 0.9, 0.51, 0.5, 0.49, 0.1, 0.01, 0.002 };
    for (int64_t f = 1; f <= 120; f = f < 45 ? f + 1 : f + 25)
        for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
            double want = by_series(f, ps[i]), seen = individual_risk(f, (double)f / ps[i]);
            if (!(fabs(seen / want - 1) < 1e-11)) fail_msg("f = %lld, p = %g: saw %.15g, wanted %.15g", (long long)f, ps[i], seen, want);
        }
    assert_true(individual_risk(4, 4) == 0.25);
    assert_true(individual_risk(4, 2) == 0.25); /* a population smaller than the sample counts as the sample */
    near(individual_risk(1, 1e12), log(1e12) / (1e12 - 1), 1e-22);
}

/* sdcMicro: 10.7782989 and 51.8129274, by its approximation for f ≥ 3; the exact sums are these. */
static void testdata(void **state) {
    (void)state;
    table_from_file("data", "../shared/data/sdcmicro_testdata.csv");
    run_ok("risk individual data --keys urbrur,roof,walls,water,electcon,relat,sex --weight sampling_weight --household ori_hid");
    near(value("expected_reidentifications"), 10.775525136282, 1e-9);
    near(value("household_expected_reidentifications"), 51.799591464058, 1e-8);
    near(value("global_risk"), 10.775525136282 / 4580, 1e-12);
    run_ok("risk individual data --keys urbrur,roof,walls,water,sex --weight sampling_weight --household ori_hid");
    near(value("expected_reidentifications"), 1.526397272259, 1e-10);
    near(value("household_expected_reidentifications"), 7.172457738060, 1e-9);
}

static void households(void **state) {
    (void)state;
    table_from("data", "a,h,w\n1,1,10\n2,1,20\n3,2,1\n4,,5\n");
    run_ok("risk individual data --keys a --weight w --household h");
    const Column *risk = last_result->column[0].column, *both = last_result->column[1].column;
    assert_string_equal(both->name, "household_risk");
    near(both->real[0], 1 - (1 - risk->real[0]) * (1 - risk->real[1]), 1e-15);
    assert_true(both->real[0] == both->real[1]);
    assert_true(both->real[2] == 1); /* weight 1: known for certain */
    assert_true(both->real[3] == risk->real[3]);
    assert_true(value("max_risk") == 1 && value("above_threshold") == 4);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "a,w\n");
    run_ok("risk individual none --keys a");
    assert_true(value("expected_reidentifications") == 0 && value("global_risk") == 0);
    table_from("plain", "a,b\n1,x\n1,x\n2,y\n");
    run_ok("risk individual plain --keys a"); /* without weights 1/f */
    near(value("expected_reidentifications"), 2, 1e-15);
    run_bad("risk individual plain --keys a --weight b", "numbers");
    run_bad("risk individual plain --keys a --threshold 2", "from 0 to 1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(equals_the_series), cmocka_unit_test(testdata), cmocka_unit_test(households),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
