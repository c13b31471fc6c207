/* synth.combine: the published rules on numbers worked by hand, models fitted to tables, bad input. */
#include "methods.h"

static const char *rule(void) {
    static char number[33];
    return column_cell(table_column(result_find_table(last_result, "estimates"), "rule"), 0, number);
}

static void check(double variance, double df) {
    near(table_value("estimates", "estimate", 0), 10, 1e-12);
    near(table_value("estimates", "variance", 0), variance, 1e-9);
    near(table_value("estimates", "df", 0), df, 1e-6);
}

static void test_known(void **state) {
    (void)state;
    table_from("e", "q,u\n9,1\n11,1\n10,1\n12,1\n8,1\n");
    run_ok("synth combine --estimates e --design full");
    check(2, 1.777778);
    run_ok("synth combine --estimates e --design partial");
    check(1.5, 36);
    near(table_value("estimates", "upper", 0), 10 + 2.028094 * sqrt(1.5), 1e-5); /* t(0.975, 36) */
    run_ok("synth combine --estimates e --design imputation");
    check(4, 7.111111);
}

/* Where T ≤ 0: T* = (n_syn/n)·v̄ with normal quantiles. */
static void test_replaced(void **state) {
    (void)state;
    table_from("e", "q,u\n10,9\n10.1,9\n9.9,9\n");
    run_ok("synth combine --estimates e --design full --n 100 --n-synthetic 50");
    near(table_value("estimates", "variance", 0), 4.5, 1e-12);
    near(table_value("estimates", "upper", 0), 10 + 1.959964 * sqrt(4.5), 1e-5);
    assert_true(isinf(table_value("estimates", "df", 0)));
    near(value("replaced"), 1, 0);
    table_from("hardly", "q,u\n9,2.99\n11,2.99\n"); /* T = 3 − 2.99, 1.1e-5 degrees of freedom: no interval at all */
    run_ok("synth combine --estimates hardly --design full --n 100 --n-synthetic 200");
    near(table_value("estimates", "variance", 0), 5.98, 1e-12);
    near(table_value("estimates", "upper", 0), 10 + 1.959964 * sqrt(5.98), 1e-5);
    assert_string_equal(rule(), "T*");
    table_from("two", "q,u\n9,0\n9,0\n"); /* nothing differs */
    run_ok("synth combine --estimates two --design full");
    near(table_value("estimates", "lower", 0), 9, 0);
}

/* From how the tables were drawn: v̄(n_syn/n + 1/M), proper v̄(n_syn/n + (1 + n_syn/n)/M); one table suffices. */
static void test_by_synthesis(void **state) {
    (void)state;
    table_from("e", "q,u\n9,1\n11,1\n10,1\n12,1\n8,1\n");
    run_ok("synth combine --estimates e --design full --synthesis simple --n 100 --n-synthetic 50");
    near(table_value("estimates", "variance", 0), 0.5 + 0.2, 1e-12);
    run_ok("synth combine --estimates e --design full --synthesis proper --n 100 --n-synthetic 50");
    near(table_value("estimates", "variance", 0), 0.5 + 1.5 / 5, 1e-12);
    near(table_value("estimates", "upper", 0), 10 + 1.959964 * sqrt(0.8), 1e-5);
    near(value("replaced"), 0, 0);
    table_from("single", "q,u\n9,2\n");
    run_ok("synth combine --estimates single --design full --n 100 --n-synthetic 100");
    near(table_value("estimates", "variance", 0), 4, 1e-12);
    assert_string_equal(rule(), "v̄(n_syn/n + 1/M)");
    run_ok("synth combine --estimates single --design full --synthesis proper");
    near(table_value("estimates", "variance", 0), 6, 1e-12);
    assert_true(noted("sizes were not given"));
    table_from("a", "y\n1\n3\n2\n4\n"); /* n_syn is the table's: v = 5/12, n_syn/n = 1/2 */
    run_ok("synth combine a --formula 'y ~ 1' --design full --n 8");
    near(table_value("estimates", "variance", 0), 5.0 / 12 * 1.5, 1e-12);
}

/* Two nests of two: means 9.5 and 11.5, B = 2; within 0.5 and 0.5; ū = 1: T = 1.5·2 − 0.5/2 + 1 = 3.75. */
static void test_nested(void **state) {
    (void)state;
    table_from("e", "nest,q,u\n1,9,1\n1,10,1\n2,11,1\n2,12,1\n");
    run_ok("synth combine --estimates e --design nested");
    near(table_value("estimates", "estimate", 0), 10.5, 1e-12);
    near(table_value("estimates", "variance", 0), 3.75, 1e-12);
    near(table_value("estimates", "df", 0), 1 / (pow(3 / 3.75, 2) + pow(.25 / 3.75, 2) / 2), 1e-9);
    /* Nests by name, in any order. */
    table_from("named", "nest,q,u\nb,11,1\na,9,1\nb,12,1\na,10,1\n");
    run_ok("synth combine --estimates named --design nested");
    near(table_value("estimates", "variance", 0), 3.75, 1e-9);
    table_from("near", "nest,q,u\n1.2,9,1\n1.9,11,1\n1.2,10,1\n1.9,12,1\n"); /* two nests, not one */
    run_ok("synth combine --estimates near --design nested");
    near(table_value("estimates", "variance", 0), 3.75, 1e-9);
    table_from("none", "nest,q,u\n1,9,1\n1,10,1\n,11,1\n2,12,1\n");
    run_bad("synth combine --estimates none --design nested", "has no nest");
    /* Means 5 and 6, B = 0.5; within 32 and 32; ū = 0.25: T = 0.75 − 16 + 0.25 < 0, so that T = 1 and df = (1/0.75)². */
    table_from("less", "nest,q,u\n1,1,0.25\n1,9,0.25\n2,2,0.25\n2,10,0.25\n");
    run_ok("synth combine --estimates less --design nested");
    near(value("replaced"), 1, 0);
    near(table_value("estimates", "variance", 0), 1, 1e-9);
    near(table_value("estimates", "df", 0), 1 / (0.75 * 0.75), 1e-9);
    table_from("same", "nest,q,u\n1,9,0\n1,9,0\n2,9,0\n2,9,0\n");
    run_ok("synth combine --estimates same --design nested");
    near(table_value("estimates", "lower", 0), 9, 0);
    near(table_value("estimates", "upper", 0), 9, 0);
    table_from("single", "nest,q,u\n1,9,1\n2,8,1\n");
    run_bad("synth combine --estimates single --design nested", "at least two tables");
    table_from("odd", "nest,q,u\n1,9,1\n1,10,1\n2,11,1\n");
    run_bad("synth combine --estimates odd --design nested", "equally many");
}

static void test_files(void **state) {
    (void)state;
    table_from("a", "y,x\n1,0\n3,1\n2,0\n4,1\n");
    table_from("b", "y,x\n2,0\n3,1\n2,0\n5,1\n");
    run_ok("synth combine a b --formula 'y ~ x' --design partial");
    near(table_value("estimates", "estimate", 1), 2, 1e-12); /* slopes 2 and 2 */
    near(table_value("estimates", "estimate", 0), 1.75, 1e-12);
    near(table_value("estimates", "variance", 1), (.5 + 1) / 2, 1e-12); /* s²·(1/2+1/2): 0.5 and 1; b = 0 */
    table_from("alias", "y,x\n2,1\n3,1\n2,1\n5,1\n");                   /* here x is the intercept */
    run_ok("synth combine a b alias --formula 'y ~ x'");
    near(value("tables"), 3, 0);
    near(table_value("estimates", "estimate", 1), 2, 1e-12);
    assert_true(noted("x could not be estimated in 1 of the 3 tables"));
    run_ok("synth combine a alias --formula 'y ~ x'");
    assert_true(isnan(table_value("estimates", "variance", 1)));
    run_bad("synth combine a --formula 'y ~ x'", "at least two tables");
    run_ok("synth combine a b a b --formula 'y ~ 1' --design nested --nests 2");
    near(value("tables"), 4, 0);
    run_ok("synth combine a b a alias --formula 'y ~ x' --design nested --nests 2"); /* one nest has x once: no term less for the others */
    assert_true(isnan(table_value("estimates", "estimate", 1)) && table_value("estimates", "estimate", 0) > 0);
    assert_true(noted("not combined"));
    table_from("two", "y,x\n1,0\n2,1\n");
    run_bad("synth combine a two --formula 'y ~ x'", "too few records");
}

/* A combined estimate rests on every table: one whose outcomes are separated has no estimate, and is named. */
static void test_separated(void **state) {
    (void)state;
    table_from("fine", "y,x\n0,1\n1,2\n0,3\n1,4\n0,5\n1,6\n");
    table_from("apart", "y,x\n0,1\n0,2\n0,3\n1,4\n1,5\n1,6\n");
    run_ok("synth combine fine fine --formula 'y ~ x' --family binomial");
    run_bad("synth combine fine apart --formula 'y ~ x' --family binomial", "separate the two outcomes");
}

static void test_bad(void **state) {
    (void)state;
    table_from("one", "q,u\n9,1\n");
    run_bad("synth combine --estimates one", "at least two");
    table_from("negative", "q,u\n9,-1\n8,1\n");
    run_bad("synth combine --estimates negative", "below 0");
    table_from("names", "x,u\n9,1\n8,1\n");
    run_bad("synth combine --estimates names", "q");
    run_bad("synth combine a b", "formula");
    run_bad("synth combine", "files");
    run_bad("synth combine a b b --formula 'y ~ x' --design nested --nests 2", "divide");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known),    cmocka_unit_test(test_by_synthesis),
                                        cmocka_unit_test(test_replaced), cmocka_unit_test(test_nested),
                                        cmocka_unit_test(test_files),    cmocka_unit_test(test_separated),
                                        cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
