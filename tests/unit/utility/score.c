/* utility.score: the losses by hand, the original against itself, the risk's parts, bad input. */
#include "methods.h"

static double part(const char *name, const char *column) {
    const Table *t = result_find_table(last_result, "parts");
    char number[33];
    for (int64_t i = 0; i < t->rows; i++)
        if (!strcmp(column_cell(t->column[0], i, number), name)) return column_number(table_column(t, column), i);
    fail_msg("no part %s", name);
    return 0;
}

static void test_numeric(void **state) {
    (void)state;
    table_from("o", "x,y\n1,2\n2,4\n3,5\n4,9\n");
    table_from("r", "x,y\n2,2\n3,4\n4,5\n5,9\n");
    run_ok("utility score o r");
    near(part("values", "value"), 100 * (1 / sqrt(2 * 5. / 3)) / 2, 1e-9); /* x one off in every record, y none */
    near(part("means", "value"), 100 * (1 / 2.5) / 2, 1e-9);
    near(part("variances", "value"), 0, 1e-9);
    near(part("covariances", "value"), 0, 1e-9);
    near(part("correlations", "value"), 0, 1e-9);
    near(value("information_loss"), (part("values", "value") + part("means", "value")) / 5, 1e-9);
    near(part("means", "weight"), .1, 1e-12);
    table_from("r", "x,y\n1,2\n2,\n3,5\n4,9\n"); /* a lost value counts as one */
    run_ok("utility score o r");
    near(part("values", "value"), 100 * .25 / 2, 1e-9);
}

static void test_categorical(void **state) {
    (void)state;
    table_from("o", "g\na\na\nb\nb\n");
    table_from("r", "g\na\nb\nb\nb\n");
    run_ok("utility score o r");
    near(part("cells changed", "value"), 25, 1e-9);
    near(part("tables of counts", "value"), 25, 1e-9);
    near(part("conditional entropy", "value"), 100 * .75 * (log(3) - 2. / 3 * log(2)) / log(2),
         1e-9); /* behind b: a third a, two thirds b */
    near(value("information_loss"), (50 + part("conditional entropy", "value")) / 3, 1e-9);
}

/* Codes count as categories, and who links by recoded ages knows how they were recoded. */
static void test_codes_and_recoding(void **state) {
    (void)state;
    static char fine[2000], coarse[2000];
    strcpy(fine, "cp,age\n");
    strcpy(coarse, "cp,age\n");
    for (int i = 0; i < 30; i++) {
        sprintf(fine + strlen(fine), "%d,%d\n", "14232"[i % 5] - '0', 20 + i);
        sprintf(coarse + strlen(coarse), "%d,%s\n", "14232"[i % 5] - '0', i < 10 ? "20-29" : i < 20 ? "30-39" : "40-49");
    }
    table_from("o", fine);
    table_from("r", coarse);
    run_ok("utility score o o --vars cp");
    near(part("cells changed", "weight"), .5 / 3, 1e-12); /* no loss of numbers is counted of it */
    run_ok("utility score o r --keys age,cp");
    near(part("cells changed", "value"), 50, 1e-9); /* all ages, no code */
    assert_false(isnan(part("linkage by distance", "value")));
    near(part("linkage by distance", "value"), 100 * 12.0 / 30, 1e-9); /* the classes that can be told apart */
}

static void test_mixed(void **state) {
    (void)state;
    table_from("o", "x,y,g\n1,2,a\n2,4,a\n3,5,b\n4,9,b\n");
    table_from("r", "x,y,g\n1,2,b\n2,4,a\n3,5,b\n4,9,b\n");
    run_ok("utility score o r"); /* the numbers are as they were: a third of the columns lost something */
    near(value("information_loss"),
         (part("cells changed", "value") + part("tables of counts", "value") + part("conditional entropy", "value")) / 9, 1e-9);
    double weight = 0;
    const Table *t = result_find_table(last_result, "parts");
    for (int64_t i = 0; i < t->rows; i++) weight += table_value("parts", "weight", i);
    near(weight, 1, 1e-12);
}

/* No loss, and every record can be linked. */
static void test_itself(void **state) {
    (void)state;
    table_from("o", "x,y,g\n1,2,a\n2,4,a\n3,5,b\n4,9,b\n7,1,c\n");
    run_ok("utility score o o --keys x,y");
    near(value("information_loss"), 0, 1e-9);
    near(part("linkage by distance", "value"), 100, 1e-9);
    near(part("interval disclosure", "value"), 100, 1e-9);
    near(value("disclosure_risk"),
         .5 * part("interval disclosure", "value") + .25 * part("linkage by distance", "value") +
             .25 * part("probabilistic linkage", "value"),
         1e-9);
    near(value("score"), value("disclosure_risk") / 2, 1e-9);
}

static void test_bad(void **state) {
    (void)state;
    table_from("o", "x,g\n1,a\n2,b\n");
    table_from("s", "x,g\n1,a\n");
    table_from("e", "x,g\n");
    table_from("n", "z\n1\n2\n");
    run_bad("utility score o s", "record by record");
    run_bad("utility score e e", "empty");
    run_bad("utility score o n", "no column in common");
    run_bad("utility score o o --vars q", "no column 'q'");
    table_from("k", "x,g\n1,a\n1,a\n");
    run_ok("utility score k k"); /* constant columns lose nothing that could be measured */
    table_from("m", "x,g\n,\n,\n");
    run_ok("utility score o m");
    near(part("values", "value"), 100, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numeric),     cmocka_unit_test(test_codes_and_recoding),
                                        cmocka_unit_test(test_categorical), cmocka_unit_test(test_mixed),
                                        cmocka_unit_test(test_itself),      cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
