/* scrim ledger create, show, head, verify: what all debits promise together. */
#define FIND_METHOD either
#include "verb/verbs.h"
static const struct Method *either(const char *group, const char *name);
#include "methods.h"
#include <unistd.h>
#include "ledger/ledger.h"

static const Method *either(const char *group, const char *name) {
    return strcmp(group, "ledger") ? method_find(group, name) : verb_find(group, name);
}

static char path[64];
static Ledger *open_ledger;
static Status lend_ledger(void *self, const char *name, Ledger **out, Error *error) {
    (void)self;
    ledger_close(open_ledger);
    open_ledger = NULL;
    Status status = ledger_open(name, &open_ledger, error);
    *out = open_ledger;
    return status;
}

static void begin(const char *budget) {
    char command[256];
    test_host.ledger = lend_ledger;
    unlink(path);
    strcpy(path, "/tmp/scrim-verbs-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    unlink(path);
    snprintf(command, sizeof command, "ledger create %s --budget %s", path, budget);
    run_ok(command);
    table_from("data", "x,y\n1,5\n2,7\n9,1\n");
}
static void release(const char *query, const char *rest) {
    char command[512];
    snprintf(command, sizeof command, "release query data --query '%s' --bounds x:1:9,y:0:9 %s --ledger %s", query, rest, path);
    run_ok(command);
}
static void verb(const char *name, const char *rest) {
    char command[512];
    snprintf(command, sizeof command, "ledger %s %s %s", name, path, rest);
    run_ok(command);
}

/* l = 0.1, 0.25, 0.25 in two releases: the area of all three elements. */
static void areas(void **state) {
    (void)state;
    begin("noncentrality=2");
    release("mean(x)", "--noncentrality 0.1");
    release("mean(x); mean(y)", "--noncentrality 0.25,0.25");
    verb("show", "");
    near(value("total_auc"), 0.562188, 1e-6);
    near(value("total_zcdp"), 0.6, 1e-8);
    near(value("total_gdp"), sqrt(1.2), 1e-8);
    near(value("total_auc_direction"), 0.586577, 1e-6);
    assert_int_equal(result_find_table(last_result, "debits")->rows, 2);
    verb("show", "--brief");
    assert_null(result_find_table(last_result, "debits"));
    assert_null(result_find(last_result, "total_auc"));
}

/* Each analyst's own budget, as it stands. */
static void analysts(void **state) {
    (void)state;
    char text[33];
    begin("epsilon=1 --analysts ann:0.5,bob:0.25");
    release("mean(x)", "--epsilon 0.125 --analyst ann");
    verb("show", "--brief");
    const Table *table = result_find_table(last_result, "analysts");
    assert_int_equal(table->rows, 2);
    assert_string_equal(column_cell(table_column(table, "analyst"), 0, text), "ann");
    assert_string_equal(column_cell(table_column(table, "left"), 0, text), "0.375");
    assert_string_equal(column_cell(table_column(table, "spent"), 1, text), "0");
    assert_string_equal(column_cell(table_column(table, "left"), 1, text), "0.25");
}

static void totals(void **state) {
    (void)state;
    begin("epsilon=9,delta=1e-3");
    release("mean(x)", "--epsilon 1");
    release("sum(y)", "--epsilon 1");
    verb("show", "--delta 1e-9");
    near(value("total_epsilon"), 2, 1e-3); /* two Laplace releases: next to 2 at so small a δ */
    assert_true(value("total_epsilon") <= 2);
    release("median(y)", "--epsilon 1");
    verb("show", "--delta 1e-9");
    near(value("total_epsilon"), 3, 1e-2);
    near(value("total_zcdp"), 2 * 0.367879 + 0.125, 1e-5);
    assert_null(result_find(last_result, "total_auc"));
    release("sum(y)", "--epsilon 1 --delta 1e-6");
    verb("show", "--delta 1e-7"); /* the noise of an (ε, δ) release has an ε at every δ */
    assert_true(value("total_epsilon") > 3 && value("total_epsilon") < 5);
    near(value("delta_spent"), 1e-6, 1e-18);
    release("median(y)", "--epsilon 1 --delta 1e-6 --smooth");
    verb("show", "");
    assert_true(isnan(value("total_epsilon")));
}

static void loss(void **state) {
    (void)state;
    begin("privacy-loss=1,delta=1e-6");
    verb("show", "");
    double rho = atof(result_find(last_result, "budget")->text);
    assert_true(rho > 0.015 && rho < 0.025); /* ρ that is (1, 5·10⁻⁷)-differentially private */
    release("mean(x)", "--zcdp 0.01");
    verb("show", "--delta 1e-6");
    assert_true(value("total_epsilon") < 1 && value("total_epsilon") > 0.3);
    run_bad("ledger create nowhere --budget privacy-loss=1", "delta");
    run_bad("ledger create nowhere --budget euro=1", "epsilon=");
    run_bad("ledger create nowhere --budget epsilon=1,beta=2", "delta");
}

static void heads(void **state) {
    (void)state;
    char rest[128];
    begin("gdp=2");
    release("mean(x)", "--gdp 1");
    verb("head", "");
    snprintf(rest, sizeof rest, "--head %s", result_find(last_result, "head")->text);
    release("sum(y)", "--gdp 1");
    verb("verify", rest);
    verb("show", "");
    assert_string_equal(result_find(last_result, "budget")->text, "2");
    assert_string_equal(result_find(last_result, "unit")->text, "replace-one");
    assert_string_equal(result_find(last_result, "name")->text, "data");
    char command[256];
    snprintf(command, sizeof command, "ledger verify %s --head 1234", path);
    assert_int_equal(run_seeded(1, command), FAILED);
    ledger_close(open_ledger);
    open_ledger = NULL;
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(analysts), cmocka_unit_test(areas), cmocka_unit_test(totals),
                                        cmocka_unit_test(loss), cmocka_unit_test(heads) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
