/* What makes two requests of release.query the same: every parameter of its declaration is changed in turn, and the changed request must
 * be paid for, or be refused. A parameter without a row here fails the test, so that nobody adds one that would return another's answer. */
#include <unistd.h>
#include "methods.h"
#include "ledger/ledger.h"

static Ledger *open_ledger;
static char path[64];

static Status lend_ledger(void *self, const char *name, Ledger **out, Error *error) {
    (void)self, (void)name, (void)error;
    *out = open_ledger;
    return OK;
}

static Status lend_bytes(void *self, const char *name, Work *work, const char **out, size_t *count, Error *error) {
    static const char schema[] = "unit: replace-one\ncolumns:\n  x: {type: integer, bounds: [0, 9]}\n  g: {categories: [a, b]}\n";
    (void)self, (void)name, (void)work, (void)error;
    *out = schema;
    *count = sizeof schema - 1;
    return OK;
}

static Status ask(const char *arguments) {
    static const Host host = { .table = from_shelf, .ledger = lend_ledger, .bytes = lend_bytes };
    char command[512], *words[64];
    snprintf(command, sizeof command, "release query %s --ledger here", arguments);
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

static void new_ledger(Currency currency) {
    const LedgerBudget budget = { .currency = currency, .units = 1000 * LEDGER_UNIT, .delta = LEDGER_DELTA / 2 };
    ledger_close(open_ledger);
    open_ledger = NULL;
    unlink(path);
    strcpy(path, "/tmp/scrim-identity-XXXXXX");
    close(mkstemp(path));
    unlink(path);
    assert_int_equal(ledger_make(path, &budget, NULL, 0, &last_error), OK);
    assert_int_equal(ledger_open(path, &open_ledger, &last_error), OK);
}

static const char *charged(void) {
    const Value *value = result_find(last_result, "charged");
    return value ? value->text : NULL;
}

#define E CURRENCY_EPSILON
#define Z CURRENCY_ZCDP
#define N CURRENCY_NONCENTRALITY
static const struct {
    const char *parameter;
    Currency currency;
    const char *before, *after;
} changes[] = {
    { "data", E, "data --query count() --epsilon 1", "other --query count() --epsilon 1" },
    { "query", E, "data --query count() --epsilon 1", "data --query 'count() where x > 1' --epsilon 1" },
    { "schema", E, "data --query 'count() where x > 1' --epsilon 1", "data --query 'count() where x > 1' --epsilon 1 --schema s" },
    { "bounds", E, "data --query 'sum(x)' --bounds x:0:9 --epsilon 1", "data --query 'sum(x)' --bounds x:0:10 --epsilon 1" },
    { "where", E, "data --query count() --epsilon 1 --where 'x > 1'", "data --query count() --epsilon 1 --where 'x > 2'" },
    { "neighbours", E, "data --query 'mean(x)' --bounds x:0:9 --epsilon 1",
      "data --query 'mean(x)' --bounds x:0:9 --epsilon 1 --neighbours worlds" },
    { "unit", E, "data --query 'sum(x)' --bounds x:0:9 --epsilon 1", "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --unit add-remove" },
    { "person", E, "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --person id",
      "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --person g" },
    { "max_records", E, "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --person id --max-records 2",
      "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --person id --max-records 3" },
    { "group", E, "data --query 'sum(x)' --bounds x:0:9 --epsilon 1", "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --group 2" },
    { "epsilon", E, "data --query 'sum(x)' --bounds x:0:9 --epsilon 1", "data --query 'sum(x)' --bounds x:0:9 --epsilon 1.1" },
    { "delta", E, "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --delta 0.1",
      "data --query 'sum(x)' --bounds x:0:9 --epsilon 1 --delta 0.2" },
    { "zcdp", Z, "data --query 'sum(x)' --bounds x:0:9 --zcdp 1", "data --query 'sum(x)' --bounds x:0:9 --zcdp 2" },
    { "gdp", Z, "data --query 'sum(x)' --bounds x:0:9 --gdp 1", "data --query 'sum(x)' --bounds x:0:9 --gdp 2" },
    { "auc", N, "data --query 'sum(x)' --bounds x:0:9 --auc 0.6", "data --query 'sum(x)' --bounds x:0:9 --auc 0.7" },
    { "noncentrality", N, "data --query 'sum(x)' --bounds x:0:9 --noncentrality 1",
      "data --query 'sum(x)' --bounds x:0:9 --noncentrality 2" },
    { "identifiability", E, "data --query 'sum(x)' --bounds x:0:9 --identifiability 0.5 --worlds 3",
      "data --query 'sum(x)' --bounds x:0:9 --identifiability 0.6 --worlds 3" },
    { "worlds", E, "data --query 'sum(x)' --bounds x:0:9 --identifiability 0.5 --worlds 3",
      "data --query 'sum(x)' --bounds x:0:9 --identifiability 0.5 --worlds 4" },
    { "prior", E, "data --query 'sum(x)' --bounds x:0:9 --identifiability 0.5 --prior 0.3",
      "data --query 'sum(x)' --bounds x:0:9 --identifiability 0.5 --prior 0.2" },
    { "priors", E, "data --query 'mean(x)' --bounds x:0:2 --identifiability 0.8 --neighbours worlds --priors even",
      "data --query 'mean(x)' --bounds x:0:2 --identifiability 0.8 --neighbours worlds --priors odd" },
    { "universe", E, "some --query 'mean(x)' --identifiability 0.9 --neighbours worlds --universe people",
      "some --query 'mean(x)' --identifiability 0.9 --neighbours worlds --universe more" },
    { "known", E, "some --query 'mean(x)' --identifiability 0.9 --neighbours worlds --universe people",
      "some --query 'mean(x)' --identifiability 0.9 --neighbours worlds --universe people --known 0" },
    { "tight", E, "data --query 'mean(x)' --bounds x:0:2 --identifiability 0.8 --neighbours worlds",
      "data --query 'mean(x)' --bounds x:0:2 --identifiability 0.8 --neighbours worlds --tight" },
    { "contributions", E, "data --query 'mean(x)' --bounds x:0:2 --epsilon 1 --neighbours worlds",
      "data --query 'mean(x)' --bounds x:0:2 --epsilon 1 --neighbours worlds --contributions" },
    { "show_scales", N, "data --query 'mean(x)' --bounds x:0:9 --neighbours leave-one-out --noncentrality 0.1 --show-scales",
      "data --query 'mean(x)' --bounds x:0:9 --neighbours leave-one-out --noncentrality 0.1" },
    { "smooth", E, "data --query 'median(x)' --bounds x:0:9 --epsilon 1 --delta 0.1",
      "data --query 'median(x)' --bounds x:0:9 --epsilon 1 --delta 0.1 --smooth" },
    { "public_keys", E, "data --query 'count() by g' --epsilon 1 --public-keys keys",
      "data --query 'count() by g' --epsilon 1 --public-keys more_keys" },
    { "select", E, "data --query 'count() by g' --epsilon 1 --delta 0.1",
      "data --query 'count() by g' --epsilon 1 --delta 0.1 --select optimal" },
    { "nonnegative", E, "data --query 'tree(x, 2)' --bounds x:0:9 --epsilon 1",
      "data --query 'tree(x, 2)' --bounds x:0:9 --epsilon 1 --nonnegative" },
    { "request", E, "data --query count() --epsilon 1", "data --query count() --epsilon 1 --request r" },
    { "analyst", E, "data --query count() --epsilon 1", "data --query count() --epsilon 1 --analyst a" },
    { "account", E, "data --query count() --epsilon 1 --account a", "data --query count() --epsilon 1 --account b" },
    { "ledger", E, NULL, NULL },                /* where it is kept is no part of a request */
    { "dry_run", E, NULL, NULL },               /* nothing is released */
    { "no_ledger", E, NULL, NULL },             /* with --ledger it says nothing */
    { "insecure_reproducible", E, NULL, NULL }, /* refused with a ledger */
};

static void tables(void) {
    table_from("data", "id,x,g\n1,1,a\n2,2,a\n3,1,b\n4,0,b\n5,2,b\n");
    table_from("other", "id,x,g\n1,1,a\n2,2,a\n3,1,b\n4,0,b\n5,1,b\n");
    table_from("some", "x\n1\n2\n");
    table_from("people", "x\n1\n2\n3\n4\n");
    table_from("more", "x\n1\n2\n3\n4\n5\n");
    table_from("keys", "g\na\nb\n");
    table_from("more_keys", "g\na\nb\nc\n");
    table_from("even", "value,prior\n0,0.25\n1,0.25\n2,0.5\n");
    table_from("odd", "value,prior\n0,0.4\n1,0.3\n2,0.3\n");
}

/* An account can be named where there are some. */
static void open_accounts(void) {
    int64_t units;
    assert_int_equal(ledger_units(10, &units, &last_error), OK);
    assert_int_equal(ledger_open_account(open_ledger, "a", units, &last_error), OK);
    assert_int_equal(ledger_open_account(open_ledger, "b", units, &last_error), OK);
}

static void every_parameter(void **state) {
    (void)state;
    const Method *method = method_find("release", "query");
    tables();
    for (const Param *p = method->params; p->kind; p++) {
        size_t i = 0, count = sizeof changes / sizeof *changes;
        if (p->kind >= RULE_ONE_OF) continue;
        while (i < count && strcmp(changes[i].parameter, p->name)) i++;
        if (i == count) fail_msg("%s has no row in this test: what does another value of it change?", p->name);
        if (!changes[i].before) continue;
        new_ledger(changes[i].currency);
        if (!strcmp(p->name, "account")) open_accounts();
        if (ask(changes[i].before)) fail_msg("%s: %s: %s", p->name, changes[i].before, last_error.message);
        assert_string_not_equal(charged(), "0");
        assert_int_equal(ask(changes[i].before), OK); /* the same again is free */
        assert_string_equal(charged(), "0");
        Status status = ask(changes[i].after);
        if (status && status != REFUSED) fail_msg("%s: %s: %s", p->name, changes[i].after, last_error.message);
        bool free_of_charge = !status && !strcmp(charged(), "0");
        if (free_of_charge != ((p->flags & BOOKKEEPING) != 0)) fail_msg("another %s is %s", p->name, free_of_charge ? "free" : "charged");
    }
    ledger_close(open_ledger);
    open_ledger = NULL;
    unlink(path);
}

/* Synthetic data and noisy tables are drawn anew each time: no request of theirs ever gets an answer that was stored. */
static void drawn_anew(void **state) {
    (void)state;
    static const char *const charged_methods[] = { "release.query", "synth.private", "tabular.noise" };
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *method = methods_at(i);
        char name[128];
        bool listed = false, has_ledger = false;
        snprintf(name, sizeof name, "%s.%s", method->group, method->name);
        for (const Param *p = method->params; p && p->kind; p++) has_ledger |= p->kind == KIND_LEDGER;
        for (int k = 0; k < 3; k++) listed |= !strcmp(name, charged_methods[k]);
        if (has_ledger != listed) fail_msg("%s debits a ledger: say here what makes two requests of it the same", name);
    }
    tables();
    table_from("counts", "g,count\na,3\nb,4\nTotal,7\n");
    static const Host host = { .table = from_shelf, .ledger = lend_ledger, .bytes = lend_bytes };
    static const char *const commands[] = { "synth private data --schema s --method mst --zcdp 0.5 --ledger here",
                                            "tabular noise counts --zcdp 0.5 --ledger here" };
    for (int i = 0; i < 2; i++) {
        new_ledger(Z);
        for (int turn = 0; turn < 2; turn++) {
            test_host = host;
            run_ok(commands[i]);
            assert_string_equal(charged(), "0.5");
        }
    }
    ledger_close(open_ledger);
    open_ledger = NULL;
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_parameter), cmocka_unit_test(drawn_anew) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
