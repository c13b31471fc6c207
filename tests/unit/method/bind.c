/* The binder: kinds, bounds, rules, roles, nearest names, secrets; one wording for every caller. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tables.h"
#include "method/method.h"

/* ---- a method with a parameter of every kind, which keeps what it was given ---- */

typedef struct {
    const Table *data, *other;
    Columns vars, keys;
    const Column *weight;
    int64_t k, most;
    double amount, open;
    bool quick;
    const char *label, *password;
    enum { PLAIN, FANCY, GRAND } method;
    const Expr *subset;
    const Formula *formula;
    Reals breaks;
    Texts words;
    Pairs bounds;
    Groups groups;
} args;

static const Param params[] = {
    TABLE(args, data, "A table", .flags = REQUIRED | POSITIONAL),
    TABLE(args, other, "Another", .flags = POSITIONAL),
    COLUMNS(args, vars, data, "Numbers", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    COLUMNS(args, keys, BOTH, "Keys"),
    COLUMN(args, weight, data, "A weight", .flags = NUMERIC),
    INT(args, k, 3, 2, 100, "A count"),
    INT(args, most, ABSENT, 0, 10, "An optional count"),
    REAL(args, amount, 0.5, 0, 1, "A share"),
    REAL(args, open, NAN, 0, INFINITY, "More than nothing", .flags = EXCLUSIVE),
    FLAG(args, quick, "A flag"),
    TEXT(args, label, "none", "A text"),
    TEXT(args, password, NULL, "A secret", .flags = SECRET),
    CHOICE(args, method, "plain", "A choice", WORDS("plain", "fancy", "grand")),
    EXPR(args, subset, data, "A condition"),
    FORMULA(args, formula, data, "A formula"),
    REALS(args, breaks, -100, 100, "Numbers"),
    TEXTS(args, words, "Words"),
    PAIRS(args, bounds, 2, "Bounds"),
    GROUPS(args, groups, data, "Groups"),
    ONLY_IF("label", "method", "fancy", "grand"),
    ONLY_WITH("bounds", "breaks", "words"),
    END,
};

static args seen;
static char seen_text[4][64];
static int64_t seen_step;

static Status keep(Run *run, const void *p) {
    seen = *(const args *)p;
    seen_step = run->session->step;
    for (int64_t i = 0; i < 4; i++) seen_text[i][0] = 0;
    if (seen.label) snprintf(seen_text[0], sizeof seen_text[0], "%s", seen.label);
    if (seen.words.count) snprintf(seen_text[1], sizeof seen_text[1], "%s|%s", seen.words.at[0], seen.words.at[seen.words.count - 1]);
    if (seen.bounds.count) snprintf(seen_text[2], sizeof seen_text[2], "%s", seen.bounds.at[0].name);
    if (seen.vars.count) snprintf(seen_text[3], sizeof seen_text[3], "%s", seen.vars.at[0]->name);
    result_integer(run->result, "rows", seen.data->rows);
    return OK;
}

static const Method method = { .group = "test",
                               .name = "every-kind",
                               .summary = "Keep what it was given",
                               .params = params,
                               .size = sizeof(args),
                               .run = keep,
                               .example = "scrim test every-kind a.csv" };

static const Param one_of_params[] = {
    TABLE(args, data, "A table", .flags = REQUIRED | POSITIONAL),
    REAL(args, amount, NAN, 0, 1, "A share"),
    INT(args, most, ABSENT, 0, 10, "A count"),
    ONE_OF("amount", "most"),
    END,
};
static const Method one_of = {
    .group = "test", .name = "one-of", .summary = "Take one of two", .params = one_of_params, .size = sizeof(args), .run = keep
};

/* ---- calling it ---- */

static Table *table, *second;
static int64_t opened;

static Status find_table(void *self, const char *name, Table **out, Error *error) {
    (void)self;
    opened++;
    if (strcmp(name, "a.csv") && strcmp(name, "b.csv")) return fail(error, BAD, "there is no such file");
    *out = table_retain(name[0] == 'a' ? table : second);
    return OK;
}

static int setup(void **state) {
    (void)state;
    table = table_of("age:integer 30 41 52", "income:real 1.5 NA 3", "sex:category f m f", "odd,name:real 1 2 3", NULL);
    second = table_of("age:integer 1 2 3", "sex:category f f m", NULL);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    table_release(table);
    table_release(second);
    return 0;
}

static Error error;
static Result *result;

static Status call(const Method *of, const char *command, const Args *roles) {
    static const Host host = { .table = find_table };
    char *copy = strdup(command), *words[32], *save = NULL;
    int count = 0;
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) words[count++] = word;
    Session session = { .host = &host, .threads = 1, .step = 4 };
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Args given = { 0 };
    error = ERROR_NONE;
    result_free(result);
    result = NULL;
    Status status = args_from_argv(&work, of, count, words, &given);
    if (!status) status = method_run(&session, of, &given, roles, &result, &error);
    arena_free(work.arena);
    free(copy);
    return status;
}

static void good(const char *command) {
    if (call(&method, command, NULL)) fail_msg("%s: %s", command, error.message);
}

static void bad(const char *command, const char *says) {
    char text[2048];
    assert_int_equal(call(&method, command, NULL), BAD);
    error_text(&error, text, sizeof text);
    if (strcmp(text, says)) fail_msg("%s:\n  says  %s\n  wants %s", command, text, says);
}

static const Given *param_of(const char *name) {
    for (int64_t i = 0; i < result->params; i++)
        if (!strcmp(result->param[i].name, name)) return &result->param[i];
    return NULL;
}

/* ---- tests ---- */

static void defaults_fill(void **state) {
    (void)state;
    good("a.csv --vars age");
    assert_int_equal(seen.k, 3);
    assert_true(seen.most == ABSENT);
    assert_true(seen.amount == 0.5);
    assert_true(isnan(seen.open));
    assert_false(seen.quick);
    assert_string_equal(seen_text[0], "none");
    assert_null(seen.password);
    assert_int_equal(seen.method, PLAIN);
    assert_null(seen.subset);
    assert_null(seen.formula);
    assert_null(seen.weight);
    assert_null(seen.other);
    assert_int_equal(seen.breaks.count + seen.words.count + seen.bounds.count + seen.groups.count + seen.keys.count, 0);
    assert_true(param_of("k")->preset);
    assert_false(param_of("vars")->preset);
    assert_int_equal(seen_step, 4);
}

static void kinds_are_read(void **state) {
    (void)state;
    good("a.csv b.csv --vars age,income --keys sex --weight age --k=7 --amount 1e-1 --open 2 --quick --method fancy --label x --subset "
         "age>35 --formula income~age");
    assert_int_equal(seen.vars.count, 2);
    assert_int_equal(seen.keys.count, 1);
    assert_non_null(seen.weight);
    assert_int_equal(seen.k, 7);
    assert_true(seen.amount == 0.1);
    assert_true(seen.open == 2);
    assert_true(seen.quick);
    assert_int_equal(seen.method, FANCY);
    assert_non_null(seen.subset);
    assert_non_null(seen.formula);
    good("a.csv --vars age --breaks -1,2.5,1e1 --words a,b --words c --bounds age:0:99.5 --groups age,income;sex");
    assert_int_equal(seen.breaks.count, 3);
    assert_string_equal(seen_text[1], "a|c");
    assert_string_equal(seen_text[2], "age");
    assert_int_equal(seen.groups.count, 2);
    good("a.csv --vars age --k 1e1");
    assert_int_equal(seen.k, 10);
}

static void names_in_backticks(void **state) {
    (void)state;
    good("a.csv --vars `odd,name`,age");
    assert_int_equal(seen.vars.count, 2);
    assert_string_equal(seen_text[3], "odd,name");
    assert_string_equal(param_of("vars")->text, "`odd,name`,age");
    good("a.csv --vars age --words x --bounds `odd,name`:1:2");
    assert_string_equal(seen_text[2], "odd,name");
}

static void bounds_have_one_wording(void **state) {
    (void)state;
    bad("a.csv --vars age --k 1", "--k: must be from 2 to 100.");
    bad("a.csv --vars age --k 101", "--k: must be from 2 to 100.");
    bad("a.csv --vars age --k 3.5", "--k: expects a whole number, not '3.5'.");
    bad("a.csv --vars age --k three", "--k: expects a whole number, not 'three'.");
    bad("a.csv --vars age --k 99999999999999999999", "--k: expects a whole number, not '99999999999999999999'.");
    bad("a.csv --vars age --amount -0.1", "--amount: must be from 0 to 1.");
    bad("a.csv --vars age --amount nan", "--amount: expects a number, not 'nan'.");
    bad("a.csv --vars age --open 0", "--open: must be more than 0.");
    bad("a.csv --vars age --breaks 1,200", "--breaks: must be from -100 to 100.");
}

static void names_are_answered_with_the_nearest(void **state) {
    (void)state;
    bad("a.csv --vars aeg", "test: --vars: there is no column 'aeg'. Did you mean 'age'?");
    bad("a.csv --varz age", "test every-kind has no parameter --varz. Did you mean --vars?");
    bad("a.csv --vars age --method fency", "--method: has no value 'fency'. Did you mean fancy? It takes plain, fancy, grand.");
    bad("a.csv --vars age --quick=1", "--quick: takes no value.");
    bad("a.csv --vars", "--vars: needs a value.");
    bad("a.csv b.csv c.csv --vars age", "'c.csv' is one input too many for test every-kind. `scrim help test every-kind` shows its usage.");
    bad("a.csv -x --vars age", "there is no option '-x'.");
}

static void columns_are_checked(void **state) {
    (void)state;
    bad("a.csv --vars sex", "column 'sex': --vars: needs numbers, and this column holds categories.");
    bad("a.csv --vars age,age", "--vars: names the column 'age' twice.");
    bad("a.csv --vars age --weight age,income", "test: --weight: there is no column 'age,income'. Did you mean 'income'?");
    assert_int_equal(call(&method, "a.csv b.csv --vars age --keys income", NULL), BAD); /* not in the second table */
}

static void required_are_asked_for(void **state) {
    (void)state;
    bad("a.csv", "--vars: is needed: Numbers. For example: scrim test every-kind a.csv");
    bad("--vars age", "test every-kind needs an input: A table. For example: scrim test every-kind a.csv");
    bad("nowhere.csv --vars age", "there is no such file.");
}

static void rules_are_held(void **state) {
    (void)state;
    bad("a.csv --vars age --label x", "--label: has a meaning only with --method fancy or grand.");
    good("a.csv --vars age --label x --method grand");
    bad("a.csv --vars age --bounds age:1:2", "--bounds: has a meaning only with --breaks or --words.");
    good("a.csv --vars age --bounds age:1:2 --words x");
    assert_int_equal(call(&one_of, "a.csv", NULL), BAD);
    assert_string_equal(error.message, "test one-of needs one of --amount or --most");
    assert_int_equal(call(&one_of, "a.csv --amount 1 --most 2", NULL), BAD);
    assert_string_equal(error.message, "only one of --amount or --most can be given");
    assert_int_equal(call(&one_of, "a.csv --most 2", NULL), OK);
}

/* What needs no data is found before any table is opened; nothing is left over from that look. */
static void tables_are_opened_last(void **state) {
    (void)state;
    static const char *const wrong[] = { "a.csv",
                                         "a.csv --vars age --k 1",
                                         "a.csv --vars age --method odd",
                                         "a.csv --vars age --breaks 1,2000",
                                         "a.csv --vars age --label x",
                                         "a.csv --vars age --bounds age:1:2",
                                         "a.csv --vars age --words w --bounds age",
                                         "a.csv --vars age --open 0",
                                         "--vars age" };
    opened = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_int_equal(call(&method, wrong[i], NULL), BAD);
    assert_int_equal(call(&one_of, "a.csv", NULL), BAD);
    assert_int_equal(call(&one_of, "a.csv --amount 1 --most 1", NULL), BAD);
    assert_int_equal(opened, 0);
    assert_int_equal(call(&method, "none.csv --vars age", NULL), BAD);
    assert_int_equal(opened, 1);
    good("a.csv --vars age --breaks 1,2 --words w");
    assert_int_equal(seen.breaks.count, 2);
    assert_int_equal(opened, 2);
}

static void roles_fill(void **state) {
    (void)state;
    const Arg list[] = { { .name = "numeric", .count = 2, .items = (const char *const[]){ "age", "income" } },
                         { .name = "weight", .count = 1, .items = (const char *const[]){ "age" } },
                         { .name = "k", .count = 1, .items = (const char *const[]){ "9" } },
                         { .name = "password", .count = 1, .items = (const char *const[]){ "x" } } };
    const Args roles = { 4, list };
    assert_int_equal(call(&method, "a.csv", &roles), OK);
    assert_int_equal(seen.vars.count, 2);
    assert_non_null(seen.weight);
    assert_int_equal(seen.k, 9);
    assert_null(seen.password); /* a secret is given, never filled */
    assert_true(param_of("vars")->role);
    assert_int_equal(call(&method, "a.csv --vars income --k 5", &roles), OK);
    assert_int_equal(seen.vars.count, 1);
    assert_int_equal(seen.k, 5);
    const Args none = { 0 };
    const Arg data = { .name = "data", .count = 1, .items = (const char *const[]){ "a.csv" } };
    const Args given = { 1, &data };
    assert_null(method_unfilled(&method, &given, &roles));
    assert_string_equal(method_unfilled(&method, &given, &none)->name, "vars");
    assert_string_equal(method_unfilled(&method, &none, &roles)->name, "data");
    assert_int_equal(method_unfilled(&one_of, &given, &none)->kind, RULE_ONE_OF);
}

static void secrets_stay_secret(void **state) {
    (void)state;
    char text[2048];
    good("a.csv --vars age --password swordfish");
    assert_null(param_of("password")->text);
    assert_true(param_of("password")->secret);
    static const Param number[] = {
        TABLE(args, data, "A table", .flags = REQUIRED | POSITIONAL),
        INT(args, k, ABSENT, 0, 9, "A secret number", .flags = SECRET),
        REAL(args, amount, NAN, 0, 1, "Another", .flags = SECRET),
        END,
    };
    const Method guarded = { .group = "test",
                             .name = "guarded",
                             .summary = "Guard a number",
                             .params = number,
                             .size = sizeof(args),
                             .run = keep };
    assert_int_equal(call(&guarded, "a.csv --k swordfish", NULL), BAD);
    error_text(&error, text, sizeof text);
    assert_null(strstr(text, "swordfish"));
    assert_int_equal(call(&guarded, "a.csv --amount swordfish", NULL), BAD);
    error_text(&error, text, sizeof text);
    assert_null(strstr(text, "swordfish"));
}

static void where_chooses_records(void **state) {
    (void)state;
    good("a.csv --vars age --where age>35");
    assert_int_equal(result_find(result, "rows")->integer, 2);
    bad("a.csv --vars age --where aeg>35", "--where: expression \"aeg>35\", at character 1: there is no column 'aeg'. Did you mean 'age'?");
}

static void names_are_dashed_outside(void **state) {
    (void)state;
    const Param param = { .name = "max_suppression" };
    char out[64];
    param_dashed(&param, out);
    assert_string_equal(out, "max-suppression");
    assert_true(param_is(&param, "max-suppression"));
    assert_true(param_is(&param, "max_suppression"));
    assert_false(param_is(&param, "max-suppressio"));
}

static double hours(const void *p) {
    (void)p;
    return 7200;
}

static void costly_is_not_begun(void **state) {
    (void)state;
    const Method slow = { .group = "test",
                          .name = "slow",
                          .summary = "Take long",
                          .params = one_of_params,
                          .size = sizeof(args),
                          .run = keep,
                          .cost = hours };
    static const Host host = { .table = find_table };
    const Arg list[] = { { .name = "data", .count = 1, .items = (const char *const[]){ "a.csv" } },
                         { .name = "most", .count = 1, .items = (const char *const[]){ "1" } } };
    const Args given = { 2, list };
    Session session = { .host = &host, .threads = 1, .time_limit = 60 };
    Result *made = NULL;
    assert_int_equal(method_run(&session, &slow, &given, NULL, &made, &error), REFUSED);
    session.time_limit = 0;
    assert_int_equal(method_run(&session, &slow, &given, NULL, &made, &error), OK);
    result_free(made);
}

/* A text that was lost may be why an argument is bad: an audit must not go on as if the method were at fault. */
static void lost_memory_comes_first(void **state) {
    (void)state;
    assert_int_equal(call(&method, "a.csv --no-such 1", NULL), BAD);
    assert_false(error_of_machine(&error));
    const Arg unknown = { .name = "no_such", .count = 1, .items = (const char *const[]){ "1" } };
    static const Host host = { .table = find_table };
    const Session session = { .host = &host, .threads = 1 };
    Result *made = NULL;
    memory_lost_note();
    assert_int_equal(method_run(&session, &method, &(Args){ 1, &unknown }, NULL, &made, &error), FAILED);
    assert_true(error_of_machine(&error));
    assert_int_equal(method_run(&session, &method, &(Args){ 1, &unknown }, NULL, &made, &error), BAD);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(defaults_fill),
                                        cmocka_unit_test(kinds_are_read),
                                        cmocka_unit_test(names_in_backticks),
                                        cmocka_unit_test(bounds_have_one_wording),
                                        cmocka_unit_test(names_are_answered_with_the_nearest),
                                        cmocka_unit_test(columns_are_checked),
                                        cmocka_unit_test(required_are_asked_for),
                                        cmocka_unit_test(rules_are_held),
                                        cmocka_unit_test(tables_are_opened_last),
                                        cmocka_unit_test(roles_fill),
                                        cmocka_unit_test(secrets_stay_secret),
                                        cmocka_unit_test(where_chooses_records),
                                        cmocka_unit_test(names_are_dashed_outside),
                                        cmocka_unit_test(costly_is_not_begun),
                                        cmocka_unit_test(lost_memory_comes_first) };
    int failed = cmocka_run_group_tests(tests, setup, teardown);
    result_free(result);
    return failed;
}
