/* Knowledge: each uncertainty function by hand, several records, gains in either direction, bad tables. */
#include "methods.h"

static void by_hand(void **state) {
    (void)state;
    table_from("before", "value,probability\n1,0.25\n2,0.25\n3,0.25\n4,0.25\n");
    table_from("after", "value,probability\n1,0.5\n2,0.5\n");
    run_ok("risk knowledge --prior before --posterior after");
    near(value("knowledge"), log(2), 1e-12);
    near(value("gain"), log(2) - log(4), 1e-12);
    near(value("relative_gain"), -0.5, 1e-12);
    assert_int_equal(result_find(last_result, "below_threshold")->kind, VALUE_NULL);
    run_ok("risk knowledge --prior before --posterior after --uncertainty variance --threshold 0.3");
    near(value("knowledge"), 0.25, 1e-12);
    near(value("gain"), 0.25 - 1.25, 1e-12);
    near(value("below_threshold"), 1, 0);
    run_ok("risk knowledge --prior before --posterior after --uncertainty gini");
    near(value("knowledge"), 0.5, 1e-12);
    near(value("gain"), 0.5 - 0.75, 1e-12);
    run_ok("risk knowledge --prior before --posterior after --uncertainty misclassification");
    near(value("gain"), 0.5 - 0.75, 1e-12);
    run_ok("risk knowledge --prior after --posterior before"); /* misled: knows less */
    near(value("relative_gain"), 1, 1e-12);
}

static void several(void **state) {
    (void)state;
    table_from("before", "value,probability\na,0.5\nb,0.5\n");
    table_from("after", "record,value,probability\nx,a,0.9\nx,b,0.1\ny,a,1\nz,a,0.4\nz,b,0.6\n");
    run_ok("risk knowledge --prior before --posterior after --uncertainty misclassification --threshold 0.2");
    near(value("knowledge"), 0, 1e-12); /* y */
    near(value("relative_gain"), -1, 1e-12);
    near(value("below_threshold"), 2, 0);
    near(table_value("records", "knowledge", 2), 0.4, 1e-12);
    table_from("own", "record,value,probability\nx,a,1\ny,a,0.5\ny,b,0.5\nz,a,0.5\nz,b,0.5\n");
    run_ok("risk knowledge --prior own --posterior after");
    run_ok("risk knowledge --prior own --posterior own");
    assert_int_equal(result_find(last_result, "relative_gain")->kind, VALUE_NULL); /* sure of x before */
}

/* The review's table 2B: white men are known, black men are less so than anybody was. */
static void from_data(void **state) {
    (void)state;
    table_from("cancer", "gender,race,cancer\nM,W,prostate\nM,W,prostate\nM,W,prostate\nM,B,lung\nM,B,prostate\nM,B,lung\nM,B,stomach\nF,W,"
                         "breast\nF,W,lung\nF,W,breast\n");
    run_ok("risk knowledge cancer --keys gender,race --sensitive cancer --measure relative --threshold -0.4");
    near(table_value("records", "prior", 0), 1.279854, 1e-6);
    near(table_value("records", "knowledge", 0), 0, 1e-12);
    near(table_value("records", "knowledge", 1), 1.039721, 1e-6);
    near(table_value("records", "knowledge", 2), 0.636514, 1e-6);
    near(value("worst_relative_gain"), -1, 1e-12);
    near(value("below_threshold"), 6, 0);
    run_ok("risk knowledge cancer --keys gender,race --sensitive cancer --prior-data cancer");
    near(value("gain"), 0, 1e-12); /* all of it was public */
    table_from("national", "cancer\nlung\nprostate\n");
    run_ok("risk knowledge cancer --keys gender,race --sensitive cancer --prior-data national --measure gain --threshold 0");
    near(table_value("records", "prior", 1), log(2), 1e-12);
    near(value("below_threshold"), 6, 0);
    table_from("blank", "gender,race,cancer\nM,W,\nM,W,\nF,W,lung\nF,W,breast\n");
    run_ok("risk knowledge blank --keys gender,race --sensitive cancer");
    near(value("knowledge"), log(2), 1e-12); /* nothing is released of white men: nothing is learned */
    run_bad("risk knowledge cancer --keys gender", "sensitive");
}

static void bad(void **state) {
    (void)state;
    table_from("p", "value,probability\na,0.5\nb,0.5\n");
    table_from("half", "value,probability\na,0.5\n");
    table_from("negative", "value,probability\na,1.5\nb,-0.5\n");
    table_from("hole", "value,probability\na,\nb,1\n");
    table_from("other", "x,y\n1,1\n");
    table_from("none", "value,probability\n");
    table_from("q", "record,value,probability\nx,a,1\ny,a,1\n");
    table_from("r", "record,value,probability\nz,a,1\n");
    run_bad("risk knowledge --prior p --posterior half", "add up to 1");
    run_bad("risk knowledge --prior p --posterior negative", "negative");
    run_bad("risk knowledge --prior p --posterior hole", "missing");
    run_bad("risk knowledge --prior p --posterior other", "not a table of probabilities");
    run_bad("risk knowledge --prior p --posterior none", "table of probabilities");
    run_bad("risk knowledge --prior q --posterior r", "no prior");
    run_bad("risk knowledge --prior p --posterior p --uncertainty variance", "numbers");
    run_bad("risk knowledge --prior p", "posterior");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(several), cmocka_unit_test(from_data),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
