/* protect.sample: sizes, strata, weights, equal chances, bad input. */
#include "methods.h"

static void test_sizes(void **state) {
    (void)state;
    table_from("t", "id,g,w\n1,a,2\n2,a,4\n3,a,2\n4,a,4\n5,b,1\n6,b,3\n7,c,10\n8,a,8\n");
    run_ok("protect sample t --fraction 0.5 --weight w");
    assert_int_equal(output()->rows, 4);
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += column_number(output_column("w"), i);
    near(sum, 34, 1e-9);
    run_ok("protect sample t --n 4 --strata g --weight w"); /* 5:2:1 → quotas 2.5, 1, 0.5 → 3, 1, 0 → c takes one from a */
    near(table_value("strata", "sampled", 0), 2, 0);
    near(table_value("strata", "sampled", 1), 1, 0);
    near(table_value("strata", "sampled", 2), 1, 0);
    double by[3] = { 0 };
    for (int64_t i = 0; i < 4; i++)
        by[column_cell(output_column("g"), i, (char[33]){ 0 })[0] - 'a'] += column_number(output_column("w"), i);
    near(by[0], 20, 1e-9);
    near(by[1], 4, 1e-9);
    near(by[2], 10, 1e-9);
    for (int64_t i = 1; i < 4; i++)
        assert_true(column_integer(output_column("id"), i) > column_integer(output_column("id"), i - 1)); /* in order, none twice */
    run_ok("protect sample t --fraction 1");
    assert_true(table_equal(output(), shelf[0]));
    run_ok("protect sample t --n 20 --replace");
    assert_int_equal(output()->rows, 20);
    assert_false(output()->perturbed);
}

/* Every record has the same chance: 2000 samples of 3 of 8, ±4.5 standard errors. */
static void test_equal_chances(void **state) {
    (void)state;
    table_from("t", "id\n0\n1\n2\n3\n4\n5\n6\n7\n");
    double times[8] = { 0 };
    for (int seed = 0; seed < 2000; seed++) {
        run_ok_seeded(seed, "protect sample t --n 3");
        for (int i = 0; i < 3; i++) times[column_integer(output_column("id"), i)]++;
    }
    for (int i = 0; i < 8; i++) near(times[i] / 2000, .375, 4.5 * sqrt(.375 * .625 / 2000));
}

static void test_edges(void **state) {
    (void)state;
    table_from("t", "x,g\n1,a\n2,b\n");
    run_bad("protect sample t", "--fraction or --n");
    run_bad("protect sample t --n 1 --fraction 0.5", "only one");
    run_bad("protect sample t --n 3", "3 of 2");
    run_bad("protect sample t --n 0", "from 1");
    run_bad("protect sample t --fraction 0", "leaves no record");
    run_bad("protect sample t --fraction 0.5 --where 'x > 0'", "number of records");
    run_bad("protect sample t --fraction 1.5", "from 0 to 1");
    table_from("empty", "x,g\n");
    run_bad("protect sample empty --n 1", "no records");
    table_from("one", "x\n3\n");
    run_ok("protect sample one --n 1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sizes), cmocka_unit_test(test_equal_chances), cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
