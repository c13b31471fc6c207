/* l-diversity: the review's tables, sdcMicro's answers, a brute force, meanings at the levels of a hierarchy. */
#include "methods.h"

static const char KEYS[] = "g,r,s\n";
static void review_table(const char *name, const char *const *disease) {
    char text[1024];
    strcpy(text, KEYS);
    for (int i = 0; i < 10; i++) sprintf(text + strlen(text), "%s,%s\n", i < 3 ? "M,W" : i < 7 ? "M,B" : "F,W", disease[i]);
    table_from(name, text);
}

static void review(void **state) {
    (void)state;
    review_table("a2",
                 (const char *const[]){ "Throat", "Prostate", "Lung", "Lung", "Prostate", "Lung", "Stomach", "Breast", "Lung", "Breast" });
    review_table("b2", (const char *const[]){ "Prostate", "Prostate", "Prostate", "Lung", "Prostate", "Lung", "Stomach", "Breast", "Lung",
                                              "Breast" });
    review_table(
        "a3", (const char *const[]){ "Prostate", "Lung", "Stomach", "Lung", "Prostate", "Lung", "Stomach", "Breast", "Lung", "Stomach" });
    review_table("b3", (const char *const[]){ "Prostate Cancer", "Lung Cancer", "Gastritis", "Lung Cancer", "Gastric Ulcer", "Lung Cancer",
                                              "Gastritis", "Stomach Cancer", "Gastric Ulcer", "Gastritis" });
    run_ok("risk l-diversity a2 --keys g,r --sensitive s");
    assert_true(value("l") == 2);
    run_ok("risk l-diversity b2 --keys g,r --sensitive s");
    assert_true(value("l") == 1 && value("classes_below_2") == 1 && value("records_below_2") == 3);
    run_ok("risk l-diversity a3 --keys g,r --sensitive s");
    assert_true(value("l") == 3);
    table_from(
        "s",
        "level0,organ\nProstate Cancer,prostate\nLung Cancer,lung\nGastritis,stomach\nGastric Ulcer,stomach\nStomach Cancer,stomach\n");
    run_ok("risk l-diversity b3 --keys g,r --sensitive s --hierarchies s"); /* 3-diverse, and every woman has a stomach disease */
    assert_true(value("l") == 3 && table_value("levels", "l", 0) == 3 && table_value("levels", "l", 1) == 1);
}

static void other_definitions(void **state) {
    (void)state;
    table_from("t", "k,s\n1,a\n1,a\n1,b\n1,c\n2,a\n2,b\n");
    run_ok("risk l-diversity t --keys k --sensitive s --definition entropy");
    near(value("l"), 2, 1e-12); /* class 2: two equal shares */
    const Column *l = last_result->column[0].column;
    near(l->real[0], exp(-(0.5 * log(0.5) + 2 * 0.25 * log(0.25))), 1e-12);
    run_ok("risk l-diversity t --keys k --sensitive s --definition recursive --c 2");
    assert_true(last_result->column[0].column->real[0] == 2); /* r = 2 1 1: 2 < 2·(1+1), 2 < 2·1 fails */
    run_ok("risk l-diversity t --keys k --sensitive s --definition recursive --c 3");
    assert_true(last_result->column[0].column->real[0] == 3);
}

/* sdcMicro, ldiversity(testdata, keyVars = urbrur roof walls water sex, ldiv_index = electcon): distinct and entropy of each record. */
static void testdata(void **state) {
    (void)state;
    table_from_file("data", "../shared/data/sdcmicro_testdata.csv");
    const Table *peer = table_from_file("peer", "../shared/reference/sdcmicro/testdata_ldiv_electcon.csv");
    run_ok("risk l-diversity data --keys urbrur,roof,walls,water,sex --sensitive electcon");
    for (int64_t i = 0; i < 4580; i++) assert_true(last_result->column[0].column->real[i] == column_number(peer->column[0], i));
    run_ok("risk l-diversity data --keys urbrur,roof,walls,water,sex --sensitive electcon --definition entropy");
    for (int64_t i = 0; i < 4580; i++) near(last_result->column[0].column->real[i], column_number(peer->column[1], i), 1e-9);
}

static void edges(void **state) {
    (void)state;
    table_from("none", "k,s\n");
    run_ok("risk l-diversity none --keys k --sensitive s");
    assert_int_equal(result_find(last_result, "l")->kind, VALUE_NULL);
    table_from("holes", "k,s\n1,a\n1,\n2,\n,b\n"); /* missing is no value; the last record agrees with all */
    run_ok("risk l-diversity holes --keys k --sensitive s --missing wildcard");
    assert_string_equal(cells_of(last_result->column[0].column), "2 2 1 2");
    run_ok("risk l-diversity holes --keys k --sensitive s --missing category");
    assert_string_equal(cells_of(last_result->column[0].column), "1 1 . 1");
    run_bad("risk l-diversity holes --keys k --sensitive s --definition fuzzy", "distinct");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(review), cmocka_unit_test(other_definitions), cmocka_unit_test(testdata),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
