/* roc(score, status) in a release: the curve of the counts, what one person moves, refusals. */
#include "methods.h"

static void data(void) { table_from("data", "t,d\n9.5,1\n8.5,1\n8,0\n6,1\n5,1\n4.5,0\n3,0\n2,1\n1,0\n0.5,0\n"); }

/* With next to no noise: bins of width 2.5 from the top hold (1s, 0s) = (2, 1), (2, 0), (0, 2), (1, 2). */
static void curve(void **state) {
    (void)state;
    data();
    run_ok("release query data --query 'roc(t, d, 4)' --bounds t:0:10 --epsilon 999 --no-ledger");
    static const double fpr[] = { 0, .2, .2, .6, 1 }, tpr[] = { 0, .4, .8, .8, 1 };
    for (int64_t k = 0; k < 5; k++) {
        near(table_value("curve", "fpr", k), fpr[k], 1e-12);
        near(table_value("curve", "tpr", k), tpr[k], 1e-12);
        near(table_value("curve", "threshold", k), 10 - 2.5 * (double)k, 1e-12);
    }
    near(value("roc_auc"), .2 * .2 + .4 * .8 + .4 * .9, 1e-12);
    assert_int_equal(result_find_table(last_result, "answers")->rows, 8);
    near(table_value("answers", "sensitivity", 0), 2, 0);
    run_ok("release query data --query 'roc(t, d)' --bounds t:0:10 --unit add-remove --zcdp 5 --no-ledger");
    assert_int_equal(result_find_table(last_result, "curve")->rows, 21);
    near(table_value("answers", "sensitivity", 0), 1, 0);
}

static void refusals(void **state) {
    (void)state;
    data();
    run_bad("release query data --query 'roc(t, d)' --epsilon 1 --no-ledger", "t");
    run_bad("release query data --query 'roc(t)' --bounds t:0:10 --epsilon 1 --no-ledger", "roc(score, status)");
    run_bad("release query data --query 'roc(t, d, 1)' --bounds t:0:10 --epsilon 1 --no-ledger", "from 2 to 1000");
    run_bad("release query data --query 'roc(t, d) by d' --bounds t:0:10 --epsilon 1 --no-ledger", "no 'by'");
    run_bad("release query data --query 'roc(t, d); roc(t, d, 5)' --bounds t:0:10 --epsilon 1 --no-ledger", "one ROC curve");
    run_bad("release query data --query 'roc(t, d)' --bounds t:0:10 --noncentrality 1 --neighbours leave-one-out --no-ledger", "global");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(curve), cmocka_unit_test(refusals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
