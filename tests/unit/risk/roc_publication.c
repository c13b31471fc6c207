/* What parties learn from a ROC curve: the paper's example split between two, the attack itself as the yardstick, the edges. */
#include "methods.h"

static const char *const example =
    "t,d,h\n2.98,1,A\n2.71,1,A\n1.50,1,A\n1.32,0,A\n1.05,0,A\n.61,1,B\n.53,0,A\n.51,1,A\n-.20,0,A\n-1.85,0,A\n";

static void paper(void **state) {
    (void)state;
    table_from("data", example);
    run_ok("risk roc-publication data --score t --status d --party h --width 0.6");
    assert_true(value("records") == 10 && value("parties") == 2 && value("coalitions") == 2);
    assert_true(table_value("parties", "known", 0) == 9 && table_value("parties", "missing", 0) == 1 &&
                table_value("parties", "certain", 0) == 1);
    assert_true(table_value("parties", "narrow", 0) == 1 && table_value("parties", "likelier", 0) == 1);
    near(table_value("parties", "gain", 0), 1 - 5.0 / 9, 1e-12);
    assert_true(table_value("parties", "known", 1) == 1 && table_value("parties", "missing", 1) == 9);
    near(value("auc"), 20.0 / 25, 1e-12);
    run_ok("risk roc-publication data --score t --status d --party h --width 0.5");
    assert_true(table_value("parties", "narrow", 0) == 0);
    run_ok("risk roc-publication data --score t --status d --party h --coalition 2");
    assert_true(value("coalitions") == 3 && table_value("parties", "missing", 2) == 0);
}

/* Each row of the table is what attack.roc finds with that party's records. */
static void as_the_attack(void **state) {
    (void)state;
    static const char *const attack = "attack roc roc --known known --score t --status d --n 10";
    table_from("roc", "fpr,tpr\n0,0\n0,.2\n0,.4\n0,.6\n.2,.6\n.4,.6\n.4,.8\n.6,.8\n.6,1\n.8,1\n1,1\n");
    table_from("data", "t,d,h\n2.98,1,A\n2.71,1,B\n1.50,1,A\n1.32,0,B\n1.05,0,C\n.61,1,A\n.53,0,B\n.51,1,C\n-.20,0,A\n-1.85,0,C\n");
    table_from("known", "t,d\n2.98,1\n1.50,1\n.61,1\n-.20,0\n1.05,0\n.51,1\n-1.85,0\n");
    run_ok(attack);
    double certain = value("statuses_certain"), accuracy = value("accuracy");
    run_ok("risk roc-publication data --score t --status d --party h --coalition 3");
    assert_true(value("coalitions") == 7);
    assert_true(table_value("parties", "certain", 4) == certain);
    near(table_value("parties", "accuracy", 4), accuracy, 1e-12);
    run_threads = 1;
    run_ok("risk roc-publication data --score t --status d --party h --coalition 3");
    near(table_value("parties", "accuracy", 4), accuracy, 0);
    run_threads = 2;
}

static void edges(void **state) {
    (void)state;
    table_from("data", "t,d,h\n1,1,A\n2,1,A\n");
    run_bad("risk roc-publication data --score t --status d --party h", "both statuses");
    table_from("data", "t,d,h\n1,1,A\n2,0,\n,0,B\n");
    run_ok("risk roc-publication data --score t --status d --party h");
    assert_true(value("records") == 2 && value("parties") == 2 && table_value("parties", "known", 1) == 0 &&
                table_value("parties", "certain", 1) == 2);
    table_from("data", "t,d,h\n1,2,A\n2,0,B\n");
    run_bad("risk roc-publication data --score t --status d --party h", "neither 0 nor 1");
    table_from("data", "t,d,h\n1,well,A\n2,ill,B\n3,well,B\n");
    run_ok("risk roc-publication data --score t --status d --party h --positive ill");
    assert_true(value("auc") == 0.5);
    run_ok("risk roc-publication data --score t --status d --party h --positive ill --direction lower");
    assert_true(value("auc") == 0.5);
}

/* Less is learned from a thinned curve than from the whole one. */
static void instead(void **state) {
    (void)state;
    table_from_file("clinic", "examples/clinic.csv");
    run_ok("risk roc-publication clinic --score score --status event --party region --instead --epsilon 1 --where 'id < 12060'");
    assert_true(table_value("instead", "certain", 0) == value("worst_certain") && table_value("instead", "auc_change", 0) == 0);
    assert_true(table_value("instead", "certain", 1) <= table_value("instead", "certain", 0));
    assert_true(table_value("instead", "accuracy", 1) < table_value("instead", "accuracy", 0));
    assert_int_equal(result_find_table(last_result, "instead")->rows, 5);
    assert_true(table_value("instead", "certain", 4) == 0 && table_value("instead", "accuracy", 4) < table_value("instead", "accuracy", 0));
    assert_int_equal(last_result->charts, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(paper), cmocka_unit_test(as_the_attack), cmocka_unit_test(edges),
                                        cmocka_unit_test(instead) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
