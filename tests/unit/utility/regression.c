/* utility.regression: the programmers' wages of Matloff & Tendick, R's answers on the clinic, overlap by hand, bad input, edges. */
#include "methods.h"

static const char *term_at(int64_t row) {
    char number[33];
    static char text[128];
    snprintf(text, sizeof text, "%s", column_cell(table_column(result_find_table(last_result, "coefficients"), "term"), row, number));
    return text;
}

/* The full-data regression, to 8 digits. */
static void test_programmers(void **state) {
    (void)state;
    table_from_file("wages", "../shared/data/prgeng_msphd.csv");
    run_ok("utility regression wages --formula 'wageinc ~ age + sex + wkswrkd + ms + phd'");
    const double expected[] = { 454.3720335, -10087.90606, 1345.916466, 16381.90334, 24104.72145 };
    for (int i = 0; i < 5; i++) near(table_value("coefficients", "original", i + 1), expected[i], fabs(expected[i]) * 1e-8);
    near(value("r2_original"), 0.219298792, 5e-10);
    assert_int_equal(value("rows_original"), 20090);
    assert_null(result_find(last_result, "mean_overlap"));
}

static const char *clinic = "y,x,g,k,b,w\n1,1,a,0,n,1\n2.5,2,b,1,n,2\n2,3,a,2,y,1\n4.5,4,b,1,n,3\n5,5,a,4,y,1\n5.5,6,b,3,y,2\n7,7,a,5,n,"
                            "1\n9,8,b,8,y,1\n8,9,c,7,y,1\n11,10,c,9,y,2\n";

/* lm(y ~ x + g, weights = w), glm(b ~ x, binomial), glm(k ~ x, poisson) in R 4.2. */
static void test_as_r(void **state) {
    (void)state;
    table_from("o", clinic);
    run_ok("utility regression o --formula 'y ~ x + g' --weight w");
    assert_string_equal(term_at(2), "gb");
    near(table_value("coefficients", "original", 1), 1.0213815789474, 1e-9);
    near(table_value("coefficients", "original_se", 1), 0.1328118634904, 1e-9);
    near(table_value("coefficients", "original", 3), 0.4621710526316, 1e-9);
    near(value("r2_original"), 0.9602599805622, 1e-9);
    run_ok("utility regression o --formula 'b ~ x' --family binomial");
    near(table_value("coefficients", "original", 1), 0.5278601914964, 1e-7);
    near(value("r2_original"), 0.2717264919707, 1e-9);
    run_ok("utility regression o --formula 'k ~ x' --family poisson");
    near(table_value("coefficients", "original", 1), 0.2795256999828, 1e-7);
    near(table_value("coefficients", "original_se", 1), 0.06574159433912, 1e-7);
}

static void test_same_table(void **state) {
    (void)state;
    table_from("o", clinic);
    for (int family = 0; family < 4; family++) {
        run_ok(family == 0   ? "utility regression o o --formula 'y ~ x + g'"
               : family == 1 ? "utility regression o o --formula 'b ~ x' --family binomial"
               : family == 2 ? "utility regression o o --formula 'k ~ x + g' --family poisson"
                             : "utility regression o o --formula 'y ~ x' --robust");
        near(value("mean_overlap"), 1, 1e-12);
        near(value("largest_relative_difference"), 0, 1e-12);
        near(value("r2_original") - value("r2_released"), 0, 1e-12);
        assert_int_equal(last_result->charts, 1);
    }
}

static void test_overlap(void **state) {
    (void)state;
    table_from("o", "y\n1\n2\n3\n");
    table_from("r", "y\n2\n3\n4\n");
    run_ok("utility regression o r --formula 'y ~ 1'");
    double half = 0.95 / sqrt(2 * .975 * .025) / sqrt(3); /* t(0.975, 2)·s/√n: intervals of equal length, one apart */
    near(table_value("coefficients", "overlap", 0), (2 * half - 1) / (2 * half), 1e-12);
    near(table_value("coefficients", "difference_in_se", 0), sqrt(3), 1e-12);
    table_from("r", "y\n102\n103\n104\n");
    run_ok("utility regression o r --formula 'y ~ 1'");
    near(value("mean_overlap"), 0, 0);
}

/* A level that the release lost has no estimate there; one that only the release has, none in the original. */
static void test_levels(void **state) {
    (void)state;
    table_from("o", "y,g\n1,a\n2,b\n3,c\n4,a\n6,b\n8,c\n");
    table_from("r", "y,g\n1,a\n2,b\n3,b\n4,a\n6,d\n8,d\n");
    run_ok("utility regression o r --formula 'y ~ g'");
    assert_string_equal(term_at(3), "gd");
    assert_true(isnan(table_value("coefficients", "released", 2)) && isnan(table_value("coefficients", "original", 3)));
    assert_true(isnan(table_value("coefficients", "overlap", 3)) && !isnan(value("mean_overlap")));
}

/* Levels that the release has no longer: the mean is over what is left, and says so. */
static void test_levels_lost(void **state) {
    (void)state;
    table_from("before", "y,g\n1,a\n2,a\n4,b\n5,b\n8,c\n9,c\n3,a\n6,b\n");
    table_from("after", "y,g\n1,a\n2,a\n4,d\n5,d\n8,d\n9,d\n3,a\n6,a\n"); /* no recoding: one b became a */
    run_ok("utility regression before after --formula 'y ~ factor(g)'");
    assert_true(noted("mean_overlap covers 1 of 4 terms"));
    run_ok("utility regression before before --formula 'y ~ factor(g)'");
    assert_false(noted("mean_overlap covers"));
}

/* Recoded predictors are compared at the release's level: as if the original had been recoded by hand. */
static void test_recoded(void **state) {
    (void)state;
    table_from("fine", "y,age,g\n1,21,a\n2,34,b\n4,29,c\n5,38,a\n8,52,b\n9,57,c\n3,44,a\n6,41,b\n7,59,c\n");
    table_from("hand", "y,age,g\n1,20-39,a\n2,20-39,d\n4,20-39,d\n5,20-39,a\n8,40-59,d\n"
                       "9,40-59,d\n3,40-59,a\n6,40-59,d\n7,40-59,d\n");
    run_ok("utility regression hand --formula 'y ~ age + g'");
    double r2 = value("r2_original");
    assert_string_equal(term_at(1), "age40-59");
    run_ok("utility regression fine hand --formula 'y ~ age + g'");
    near(value("r2_original"), r2, 1e-12);
    near(value("mean_overlap"), 1, 1e-12);
    assert_true(noted("2 columns are compared at the release's coarser level"));
    run_bad("utility regression fine hand --formula 'y ~ log(age) + g'", "age"); /* a number within a function stays one */
}

/* Codes of several values are categories; of two they are fitted alike as either, and keep their name. */
static void test_codes(void **state) {
    (void)state;
    static char text[2000];
    strcpy(text, "y,cp,sex\n");
    for (int i = 0; i < 40; i++) sprintf(text + strlen(text), "%d,%d,%d\n", i * 7 % 11 * 5, "1332443"[i % 7] - '0', i * 5 % 3 == 0);
    table_from("codes", text);
    run_ok("utility regression codes --formula 'y ~ cp + sex'");
    assert_string_equal(term_at(1), "cp2");
    assert_string_equal(term_at(4), "sex");
    assert_true(noted("not as numbers: cp."));
    double r2 = value("r2_original");
    run_ok("utility regression codes --formula 'y ~ factor(cp) + factor(sex)'");
    near(value("r2_original"), r2, 1e-12);
    run_bad("utility regression codes --formula 'y ~ sqrt(cp)'", "are codes");
    run_bad("utility regression codes --formula 'cp ~ y'", "are codes");
    run_ok("utility regression codes --formula 'sex ~ y'");
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", clinic);
    table_from("s", "y,x\n1,2\n2,3\n");
    table_from("m", "y,x\n1,\n,3\n");
    table_from("e", "y,x\n");
    run_bad("utility regression o s --formula 'y ~ g'", "no column 'g'");
    run_bad("utility regression o --formula 'y ~ xx'", "Did you mean 'x'");
    run_bad("utility regression o --formula '~ x'", "no left side");
    run_bad("utility regression o --formula 'g ~ x'", "is a category");
    run_bad("utility regression o --formula 'g ~ x' --family binomial", "more than two levels");
    run_bad("utility regression o --formula 'y ~ x' --family binomial", "between 0 and 1");
    run_bad("utility regression o --formula 'b ~ x' --family binomial --robust", "--family gaussian");
    run_bad("utility regression o --formula 'y ~ x' --weight g", "numbers");
    run_bad("utility regression m --formula 'y ~ x'", "no record");
    run_bad("utility regression e --formula 'y ~ x'", "no record");
    run_bad("utility regression o", "formula");
}

static void test_edges(void **state) {
    (void)state;
    table_from("one", "y,x\n1,2\n");
    run_ok("utility regression one one --formula 'y ~ x'");
    near(table_value("coefficients", "original", 0), 1, 1e-12);
    assert_true(isnan(table_value("coefficients", "original", 1)) && isnan(value("mean_overlap")));
    table_from("flat", "y,x\n1,2\n1,2\n1,2\n");
    run_ok("utility regression flat flat --formula 'y ~ x' --robust");
    assert_true(isnan(value("r2_original")));
    table_from("apart", "b,x\n0,1\n0,2\n0,3\n1,4\n1,5\n1,6\n");
    run_ok("utility regression apart --formula 'b ~ x' --family binomial");
    bool told = false;
    for (int64_t i = 0; i < last_result->notes; i++) told |= strstr(last_result->note[i], "separate") != NULL;
    assert_true(told);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_programmers), cmocka_unit_test(test_recoded),
                                        cmocka_unit_test(test_codes),       cmocka_unit_test(test_as_r),
                                        cmocka_unit_test(test_same_table),  cmocka_unit_test(test_overlap),
                                        cmocka_unit_test(test_levels),      cmocka_unit_test(test_levels_lost),
                                        cmocka_unit_test(test_bad),         cmocka_unit_test(test_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
