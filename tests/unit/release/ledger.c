/* release.query and a ledger: what is charged, what is free, what is refused. */
#include <unistd.h>
#include "methods.h"
#include "ledger/ledger.h"

static Ledger *open_ledger;
static char path[64];

static Status lend_ledger(void *self, const char *name, Ledger **out, Error *error) {
    (void)self;
    (void)name;
    (void)error;
    *out = open_ledger;
    return OK;
}

static void end_ledger(void) {
    char side[80];
    ledger_close(open_ledger);
    open_ledger = NULL;
    for (int i = 0; i < 4 && path[0]; i++) {
        snprintf(side, sizeof side, "%s%s", path, (const char *[]){ "", "-journal", "-wal", "-shm" }[i]);
        unlink(side);
    }
}

static void new_ledger(Currency currency, double budget) {
    int64_t units;
    end_ledger();
    strcpy(path, "/tmp/scrim-release-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    unlink(path);
    assert_int_equal(ledger_units(budget, &units, &last_error), OK);
    assert_int_equal(ledger_create(path, currency, units, NULL, 0, &last_error), OK);
    assert_int_equal(ledger_open(path, &open_ledger, &last_error), OK);
}

static Status release(const char *query, const char *rest) {
    static const Host host = { .table = from_shelf, .ledger = lend_ledger };
    char command[512], *words[64];
    snprintf(command, sizeof command, "release query data --query '%s' %s --ledger here", query, rest);
    int count = words_of(command, words);
    Session session = { .host = &host, .seed = seed_from_number(1), .threads = 1 };
    last_error = ERROR_NONE;
    result_free(last_result);
    last_result = NULL;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    Args args = { 0 };
    const Method *method = method_find("release", "query");
    Status status = args_from_argv(&work, method, count - 2, words + 2, &args);
    if (!status) status = method_run(&session, method, &args, NULL, &last_result, &last_error);
    arena_free(work.arena);
    return status;
}

static const char *text_value(const char *name) { return result_find(last_result, name)->text; }
static double spent(void) {
    LedgerEntries entries;
    assert_int_equal(ledger_entries(open_ledger, &entries, &last_error), OK);
    double out = (double)entries.spent / LEDGER_UNIT;
    ledger_entries_free(&entries);
    return out;
}

static void data(void) { table_from("data", "x,g\n1,a\n2,a\n3,b\n4,b\n5,b\n"); }

static void ten_answers(void **state) {
    (void)state;
    data();
    new_ledger(CURRENCY_EPSILON, 1);
    for (int i = 0; i < 10; i++) {
        char query[64];
        snprintf(query, sizeof query, "count() where x > %d", i);
        assert_int_equal(release(query, "--epsilon 0.1"), OK);
        assert_string_equal(text_value("charged"), "0.1");
    }
    assert_string_equal(text_value("left"), "0");
    assert_int_equal(release("count() where x > 11", "--epsilon 0.1"), REFUSED);
    assert_non_null(strstr(last_error.message, "0.1"));
    near(spent(), 1, 0);
    assert_int_equal(release("count()  where x > 3", "--epsilon 0.1"), OK); /* asked before, but for a space */
    double first = table_value("answers", "answer", 0);
    assert_string_equal(text_value("charged"), "0");
    assert_int_equal(release("count() where x > 3", "--epsilon 0.10"), OK);
    assert_true(table_value("answers", "answer", 0) == first);
    table_from("data", "x,g\n1,a\n2,a\n3,b\n4,b\n6,b\n"); /* other data: another ledger */
    assert_int_equal(release("count() where x > 3", "--epsilon 0.1"), REFUSED);
    assert_non_null(strstr(last_error.message, "another data set"));
}

static void identifiability_costs(void **state) {
    (void)state;
    data();
    new_ledger(CURRENCY_EPSILON, 10);
    assert_int_equal(release("mean(x)", "--neighbours worlds --bounds x:1:99 --identifiability 0.1"), OK);
    near(spent(), log(98 * 0.1 / 0.9), 2e-12);
    assert_int_equal(release("mean(x)", "--neighbours leave-one-out --bounds x:0:9 --epsilon 1"), REFUSED);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --zcdp 0.1"), REFUSED);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --epsilon 0.1 --delta 1e-6"), REFUSED);
    near(spent(), log(98 * 0.1 / 0.9), 2e-12);
}

static void other_currencies(void **state) {
    (void)state;
    data();
    new_ledger(CURRENCY_ZCDP, 10);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --zcdp 0.1"), OK);
    near(spent(), 0.1, 0);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --gdp 1"), OK);
    near(spent(), 0.6, 1e-6);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --epsilon 1"), OK); /* Laplace: ε − 1 + e^−ε */
    near(spent(), 0.6 + 0.367879, 1e-5);
    assert_int_equal(release("mean(x)", "--neighbours leave-one-out --bounds x:0:9 --noncentrality 0.1"), REFUSED);
    new_ledger(CURRENCY_NONCENTRALITY, 1);
    assert_int_equal(release("mean(x); median(x)", "--neighbours leave-one-out --bounds x:0:9 --noncentrality 0.1"), OK);
    near(spent(), 0.2, 0);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --epsilon 1"), REFUSED);
}

/* Blanks between words make no other query, blanks within quotes do, and so do the names of columns. */
static void identities(void **state) {
    (void)state;
    table_from("data", "x,g\n1,a  b\n2,a b\n3,a b\n4,c\n");
    new_ledger(CURRENCY_EPSILON, 10);
    assert_int_equal(release("count() where g == \"a b\"", "--epsilon 0.5"), OK);
    assert_int_equal(release("count()   where ((g == \"a b\"))", "--epsilon 0.5"), OK);
    assert_string_equal(text_value("charged"), "0");
    assert_int_equal(release("count where g==\"a b\"", "--epsilon 0.5"), OK);
    assert_string_equal(text_value("charged"), "0");
    assert_int_equal(release("count() where g == \"a  b\"", "--epsilon 0.5"), OK);
    assert_string_equal(text_value("charged"), "0.5");
    assert_int_equal(release("count() where x > 1 & x < 3", "--epsilon 0.5"), OK);
    assert_int_equal(release("count() where x>1&x<3", "--epsilon 0.5"), OK);
    assert_string_equal(text_value("charged"), "0");
    assert_int_equal(release("count() where x > 1 & x < 4", "--epsilon 0.5"), OK);
    assert_string_equal(text_value("charged"), "0.5");
    assert_int_equal(release("count() where x > 1", "--epsilon 0.5 --insecure-reproducible"), BAD); /* a test is no release */
    near(spent(), 2, 0);
}

static void new_budget(const LedgerBudget *budget) {
    new_ledger(CURRENCY_EPSILON, 1);
    end_ledger();
    assert_int_equal(ledger_make(path, budget, NULL, 0, &last_error), OK);
    assert_int_equal(ledger_open(path, &open_ledger, &last_error), OK);
}

static double spent_delta(void) {
    LedgerEntries entries;
    assert_int_equal(ledger_entries(open_ledger, &entries, &last_error), OK);
    double out = (double)entries.delta_spent / LEDGER_DELTA;
    ledger_entries_free(&entries);
    return out;
}

/* δ is charged wherever it comes from, and only where there is a budget of it. */
static void deltas(void **state) {
    (void)state;
    data();
    new_budget(&(LedgerBudget){ .currency = CURRENCY_EPSILON, .units = 10 * LEDGER_UNIT, .delta = LEDGER_DELTA / 1000 });
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --epsilon 1 --delta 1e-4"), OK);
    near(spent_delta(), 1e-4, 1e-17);
    assert_int_equal(release("count() by g", "--epsilon 1 --delta 1e-4"), OK);
    near(spent_delta(), 2e-4, 1e-17);
    assert_int_equal(release("count() by g", "--identifiability 0.5 --worlds 3 --delta 2e-4"), OK); /* the threshold's */
    near(spent_delta(), 4e-4, 1e-17);
    assert_int_equal(release("median(x)", "--bounds x:1:9 --epsilon 1 --delta 1e-4 --smooth"), OK);
    near(spent_delta(), 5e-4, 1e-17);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --epsilon 1 --delta 9e-4"), REFUSED);
    new_budget(&(LedgerBudget){ .currency = CURRENCY_ZCDP, .units = 10 * LEDGER_UNIT, .delta = LEDGER_DELTA / 1000 });
    assert_int_equal(release("count() by g", "--zcdp 0.1 --delta 1e-4"), OK);
    near(spent_delta(), 1e-4, 1e-17);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --epsilon 1 --delta 1e-4"), OK); /* as ρ it has none */
    near(spent_delta(), 1e-4, 1e-17);
    new_ledger(CURRENCY_ZCDP, 10);
    assert_int_equal(release("count() by g", "--zcdp 0.1 --delta 1e-4"), REFUSED); /* no budget of δ */
}

/* One unit to a ledger: what was promised under add-remove is converted, or refused. */
static void units_convert(void **state) {
    (void)state;
    data();
    new_budget(&(LedgerBudget){ .currency = CURRENCY_EPSILON, .units = 10 * LEDGER_UNIT, .unit = "replace-one" });
    assert_int_equal(release("sum(x)", "--bounds x:1:9 --epsilon 0.5 --unit add-remove"), OK);
    near(spent(), 1, 0);
    assert_int_equal(release("sum(x)", "--bounds x:1:9 --epsilon 0.5"), OK);
    near(spent(), 1.5, 0);
    new_budget(&(LedgerBudget){ .currency = CURRENCY_ZCDP, .units = 10 * LEDGER_UNIT, .unit = "replace-one" });
    assert_int_equal(release("sum(x)", "--bounds x:1:9 --zcdp 0.5 --unit add-remove"), OK);
    near(spent(), 2, 0);
    new_ledger(CURRENCY_EPSILON, 10);
    assert_int_equal(release("sum(x)", "--bounds x:1:9 --epsilon 0.5 --unit add-remove"), OK); /* the first release says which */
    near(spent(), 0.5, 0);
    assert_int_equal(release("sum(x)", "--bounds x:1:9 --epsilon 0.5"), REFUSED);
    near(spent(), 0.5, 0);
}

static void gaussian_and_loss(void **state) {
    (void)state;
    data();
    new_budget(&(LedgerBudget){ .currency = CURRENCY_GDP, .units = 4 * LEDGER_UNIT });
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --gdp 1"), OK);
    near(spent(), 1, 0);
    assert_int_equal(release("mean(x); sum(x)", "--bounds x:1:9 --gdp 1"), OK);
    near(spent(), 2, 0); /* μ² adds up */
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --epsilon 1"), OK);
    near(spent(), 2 + 1.030064 * 1.030064, 1e-5);
    assert_int_equal(release("mean(x)", "--bounds x:1:9 --gdp 1.1"), REFUSED);
    new_budget(&(LedgerBudget){ .currency = CURRENCY_LOSS, .units = LEDGER_UNIT });
    assert_int_equal(release("median(x)", "--bounds x:1:9 --epsilon 1"), OK);
    near(spent(), 0.125, 1e-9); /* a choice of range ε: ε²/8 */
}

static void request_ids(void **state) {
    (void)state;
    data();
    new_ledger(CURRENCY_EPSILON, 1);
    assert_int_equal(release("count() by g", "--epsilon 0.1 --request r1 --public-keys data"), OK);
    double first = table_value("answers", "answer", 1);
    assert_int_equal(release("count() by g", "--epsilon 0.1 --request r1 --public-keys data"), OK);
    assert_true(table_value("answers", "answer", 1) == first);
    assert_string_equal(text_value("charged"), "0");
    assert_int_equal(release("count() where x > 1", "--epsilon 0.1 --request r1"), BAD);
    near(spent(), 0.1, 0);
    end_ledger();
}

/* A choice in a ledger of noncentrality costs what it costs as μ, which is more than the ρ that it was given. */
static void choices_cost_their_mu(void **state) {
    (void)state;
    data();
    new_ledger(CURRENCY_NONCENTRALITY, 10);
    assert_int_equal(release("median(x)", "--bounds x:0:9 --zcdp 0.1"), OK);
    near(spent(), 0.611, 5e-4);
    assert_true(spent() >= value("noncentrality"));
    assert_int_equal(release("sum(x)", "--bounds x:0:9 --zcdp 0.1"), OK); /* normal noise: as typed */
    near(spent(), value("noncentrality") + 0.611, 5e-4);
}

/* Who a person is, is bound by the first debit, also where there is no schema. */
static void persons_are_bound(void **state) {
    (void)state;
    data();
    new_ledger(CURRENCY_EPSILON, 10);
    assert_int_equal(release("sum(x)", "--bounds x:0:9 --person g --max-records 2 --epsilon 0.5"), OK);
    assert_int_equal(release("sum(x)", "--bounds x:0:9 --epsilon 0.5"), REFUSED);
    assert_non_null(strstr(last_error.message, "a person (g, 2 records), and this release single records"));
    assert_int_equal(release("sum(x)", "--bounds x:0:9 --person g --max-records 3 --epsilon 0.5"), REFUSED);
    assert_int_equal(release("sum(x)", "--bounds x:0:9 --person x --max-records 2 --epsilon 0.5"), REFUSED);
    assert_int_equal(release("count()", "--person g --max-records 2 --epsilon 0.5"), OK);
    near(spent(), 1, 0);
    new_budget(&(LedgerBudget){ .currency = CURRENCY_EPSILON, .units = LEDGER_UNIT, .person = "g, 2 records" });
    assert_int_equal(release("count()", "--epsilon 0.5"), REFUSED);
    assert_int_equal(release("count()", "--person g --max-records 2 --epsilon 0.5"), OK);
}

/* Another version of the data is bound by name; accounts have budgets of their own. */
static void versions_and_accounts(void **state) {
    (void)state;
    char print[65];
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    const AnalystBudget accounts[] = { { "census", LEDGER_UNIT / 2 } };
    data();
    new_budget(&(LedgerBudget){ .currency = CURRENCY_EPSILON, .units = 2 * LEDGER_UNIT, .account = accounts, .accounts = 1 });
    assert_int_equal(release("count()", "--epsilon 0.5"), REFUSED);
    assert_string_equal(last_error.message, "this ledger has accounts, and the request does not name the one that pays");
    assert_int_equal(release("count()", "--epsilon 0.5 --account health"), REFUSED);
    assert_int_equal(release("count()", "--epsilon 0.5 --account census"), OK);
    assert_string_equal(text_value("left"), "0");
    assert_int_equal(release("sum(x)", "--bounds x:0:9 --epsilon 0.5 --account census"), REFUSED);
    assert_int_equal(ledger_open_account(open_ledger, "census", 1, &last_error), BAD);
    assert_int_equal(ledger_open_account(open_ledger, "health", LEDGER_UNIT, &last_error), OK);
    Table *later = table_from("data", "x,g\n1,a\n2,a\n3,b\n4,b\n5,b\n6,b\n");
    assert_int_equal(release("count()", "--epsilon 0.5 --account health"), REFUSED);
    assert_int_equal(ledger_print(&work, open_ledger, later, print), OK);
    const LedgerRequest version = { .data = print, .name = "data" };
    assert_int_equal(ledger_bind(open_ledger, &version, &last_error), OK);
    assert_int_equal(ledger_bind(open_ledger, &version, &last_error), BAD);
    assert_int_equal(release("count()", "--epsilon 0.5 --account health"), OK);
    near(spent(), 1, 0); /* versions add up */
    data();
    assert_int_equal(release("count()", "--epsilon 0.5 --account health"), OK); /* the first version still; paid before */
    assert_string_equal(text_value("charged"), "0");
    int64_t entries;
    assert_int_equal(ledger_verify(open_ledger, NULL, &entries, &last_error), OK);
    arena_free(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(ten_answers),
                                        cmocka_unit_test(identifiability_costs),
                                        cmocka_unit_test(other_currencies),
                                        cmocka_unit_test(identities),
                                        cmocka_unit_test(deltas),
                                        cmocka_unit_test(units_convert),
                                        cmocka_unit_test(gaussian_and_loss),
                                        cmocka_unit_test(choices_cost_their_mu),
                                        cmocka_unit_test(persons_are_bound),
                                        cmocka_unit_test(versions_and_accounts),
                                        cmocka_unit_test(request_ids) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
