/* scrim_run as bindings use it: verbs, roles, seeds, words, per-record columns, charts, notes, progress and cancel, hosts that open
 * nothing. */
#include "testing.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "scrim.h"

static scrim_error error = { .size = sizeof error };
static const scrim_host files = { .size = sizeof files }; /* one that opens files */

static scrim_args *words(const char *method, int64_t count, const char *const *list) {
    scrim_args *args = scrim_args_new();
    if (scrim_args_words(args, method, count, list, &error)) fail_msg("%s", error.message);
    return args;
}
#define WORDS(method, ...)                                                                                                                 \
    words(method, (int64_t)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)), (const char *const[]){ __VA_ARGS__ })

static scrim_result *good(const scrim_host *host, const char *method, scrim_args *args) {
    scrim_result *result = NULL;
    if (scrim_run(host, method, args, &result, &error)) fail_msg("%s: %s", method, error.message);
    scrim_args_free(args);
    return result;
}

static scrim_status bad(const scrim_host *host, const char *method, scrim_args *args) {
    scrim_result *result = NULL;
    scrim_status status = scrim_run(host, method, args, &result, &error);
    assert_null(result);
    scrim_args_free(args);
    return status;
}

static void words_become_arguments(void **state) {
    (void)state;
    scrim_args *args = WORDS("risk.k-anonymity", "a.csv", "--keys", "sex,`x,y`", "--missing=category", "--force");
    assert_string_equal(scrim_args_item(args, "data", 0), "a.csv");
    assert_int_equal(scrim_args_count(args, "keys"), 2);
    assert_string_equal(scrim_args_item(args, "keys", 1), "x,y");
    assert_int_equal(scrim_args_count(args, "force"), 0);
    assert_int_equal(scrim_args_count(args, "where"), -1);
    assert_null(scrim_args_item(args, "keys", 2));
    scrim_args_free(args);
    args = scrim_args_new();
    assert_int_equal(scrim_args_words(args, "risk.k-anonymity", 1, (const char *const[]){ "--kyes" }, &error), SCRIM_BAD);
    scrim_args_free(args);
}

/* A list without an item, as a binding or a recipe may have it, is no list: asked for where it is needed, else as if not given. */
static void empty_lists_are_none(void **state) {
    (void)state;
    scrim_args *args = WORDS("attack.skewness", "examples/clinic.csv", "--keys", "sex");
    assert_int_equal(scrim_args_flag(args, "sensitive"), SCRIM_OK);
    assert_int_equal(bad(&files, "attack.skewness", args), SCRIM_BAD);
    assert_string_equal(error.parameter, "sensitive");
    assert_non_null(strstr(error.message, "is needed"));
    args = WORDS("protect.suppress", "examples/clinic.csv", "--keys", "sex,age");
    assert_int_equal(scrim_args_flag(args, "importance"), SCRIM_OK);
    scrim_result_free(good(&files, "protect.suppress", args));
}

static void commands_are_found(void **state) {
    (void)state;
    const char *method = NULL;
    int64_t used = 0;
    assert_int_equal(scrim_methods_find(3, (const char *const[]){ "risk", "suda", "x.csv" }, &method, &used, &error), SCRIM_OK);
    assert_string_equal(method, "risk.suda");
    assert_int_equal(used, 2);
    assert_int_equal(scrim_methods_find(1, (const char *const[]){ "audit" }, &method, &used, &error), SCRIM_OK);
    assert_string_equal(method, "audit");
    assert_int_equal(scrim_methods_find(2, (const char *const[]){ "ledger", "create" }, &method, &used, &error), SCRIM_OK);
    assert_string_equal(method, "ledger.create");
    assert_int_equal(scrim_methods_find(1, (const char *const[]){ "audti" }, &method, &used, &error), SCRIM_BAD);
    assert_null(method);
    assert_non_null(strstr(error.advice, "audit"));
    assert_int_equal(scrim_methods_find(0, NULL, &method, &used, &error), SCRIM_BAD);
    for (int64_t i = 0; i < scrim_methods_count(); i++) { /* whatever has a name is described by it */
        char *json = NULL;
        assert_int_equal(scrim_methods_describe(scrim_methods_name(i), &json, &error), SCRIM_OK);
        scrim_text_free(json);
    }
}

static void records_come_back(void **state) {
    (void)state;
    scrim_result *result =
        good(&files, "risk.k-anonymity", WORDS("risk.k-anonymity", "examples/clinic.csv", "--keys", "sex,age", "--where", "age < 40"));
    assert_string_equal(scrim_result_method(result), "risk.k-anonymity");
    assert_int_equal(scrim_result_records(result), 2);
    assert_string_equal(scrim_result_record_name(result, 0), "fk");
    assert_string_equal(scrim_result_record_of(result, 0), "data");
    scrim_table *records = scrim_result_record_table(result, NULL), *joined = scrim_result_record_joined(result),
                *table = scrim_result_table(result, "frequencies");
    assert_int_equal(scrim_table_rows(records), 300); /* records that --where leaves out are missing */
    assert_int_equal(scrim_table_columns(records), 2);
    assert_int_equal(scrim_table_columns(joined), 24);
    assert_string_equal(scrim_table_column_name(joined, 22), "fk");
    assert_string_equal(scrim_table_column_type(joined, 22), "integer");
    assert_string_equal(scrim_table_column_type(table, 0), "text");
    assert_null(scrim_result_record_table(result, "nothing"));
    assert_int_equal(scrim_result_value_kind(result, "k"), SCRIM_INTEGER);
    assert_int_equal(scrim_result_integer(result, "k"), 1);
    assert_int_equal(scrim_result_value_kind(result, "nothing"), SCRIM_NULL);
    assert_non_null(strstr(scrim_result_note(result, scrim_result_notes(result) - 1), "--where"));
    assert_null(scrim_result_note(result, scrim_result_notes(result)));
    assert_int_equal(scrim_result_tables(result), 2);
    assert_string_equal(scrim_result_table_name(result, 0), "frequencies");
    char *json = NULL, *svg = NULL;
    assert_int_equal(scrim_result_charts(result), 1);
    assert_int_equal(scrim_result_chart(result, 0, "json", 0, 0, &json, &error), SCRIM_OK);
    assert_int_equal(scrim_result_chart(result, 0, "svg", 400, 300, &svg, &error), SCRIM_OK);
    assert_memory_equal(json, "{\"kind\": \"bar\"", 14);
    assert_non_null(strstr(svg, "<svg"));
    assert_int_equal(scrim_result_chart(result, 1, "svg", 400, 300, &(char *){ NULL }, &error), SCRIM_BAD);
    scrim_text_free(json);
    scrim_text_free(svg);
    scrim_table_free(records);
    scrim_table_free(joined);
    scrim_table_free(table);
    scrim_result_free(result);
}

/* An input that has a column of that name keeps it. */
static void joined_records_take_no_place(void **state) {
    (void)state;
    scrim_result *first = good(&files, "risk.k-anonymity", WORDS("risk.k-anonymity", "examples/clinic.csv", "--keys", "sex"));
    for (int round = 2; round < 4; round++) {
        scrim_table *joined = scrim_result_record_joined(first);
        scrim_args *args = WORDS("risk.k-anonymity", "--keys", "sex,age");
        int64_t before = scrim_table_columns(joined);
        assert_int_equal(scrim_args_table(args, "data", joined), SCRIM_OK);
        scrim_result_free(first);
        first = good(&files, "risk.k-anonymity", args);
        scrim_table *again = scrim_result_record_joined(first);
        char name[16];
        snprintf(name, sizeof name, "fk_%d", round);
        assert_int_equal(scrim_table_columns(again), before + 2);
        assert_string_equal(scrim_table_column_name(again, before), name);
        assert_true(scrim_table_shares(again, joined, "fk"));
        scrim_table_free(again);
        scrim_table_free(joined);
    }
    scrim_result_free(first);
}

static void roles_fill(void **state) {
    (void)state;
    scrim_args *roles = scrim_args_new();
    assert_int_equal(scrim_args_text(roles, "keys", "sex"), SCRIM_OK);
    scrim_host host = { .size = sizeof host, .roles = roles };
    scrim_result *result = good(&host, "risk.k-anonymity", WORDS("risk.k-anonymity", "examples/clinic.csv"));
    assert_int_equal(scrim_result_integer(result, "classes"), 2);
    scrim_result_free(result);
    scrim_args_free(roles);
}

/* The same number gives the same bytes, and the result says that it can be guessed; a file of digits is made, and read again. */
static void seeds_are_taken(void **state) {
    (void)state;
    int64_t seed = 5;
    char *saved[3] = { 0 }, path[] = "/tmp/scrim-seed-XXXXXX";
    size_t count[3] = { 0 };
    int file = mkstemp(path);
    close(file);
    unlink(path);
    for (int i = 0; i < 3; i++) {
        scrim_host host = { .size = sizeof host, .seed_number = i ? NULL : &seed, .seed_file = i ? path : NULL };
        scrim_result *result =
            good(&host, "protect.noise", WORDS("protect.noise", "examples/clinic.csv", "--vars", "income", "--amount", "0.1"));
        bool said = false;
        for (int64_t n = 0; n < scrim_result_notes(result); n++)
            said |= strstr(scrim_result_note(result, n), "seed was given as a number") != NULL;
        assert_int_equal(said, i == 0);
        assert_int_equal(scrim_result_save(result, &saved[i], &count[i], &error), SCRIM_OK);
        scrim_table *output = scrim_result_output(result, 0);
        assert_true(scrim_table_perturbed(output, "income") && !scrim_table_perturbed(output, "sex") &&
                    scrim_table_perturbed(output, NULL));
        scrim_table_free(output);
        scrim_result_free(result);
    }
    assert_int_equal(count[1], count[2]);
    assert_memory_equal(saved[1], saved[2], count[1]);
    scrim_host both = { .size = sizeof both, .seed_number = &seed, .seed_file = path };
    assert_int_equal(bad(&both, "protect.noise", WORDS("protect.noise", "examples/clinic.csv", "--vars", "income", "--amount", "0.1")),
                     SCRIM_BAD);
    scrim_result *back = NULL;
    assert_int_equal(scrim_result_load("saved", saved[0], count[0], &back, &error), SCRIM_OK);
    assert_int_equal(scrim_result_outputs(back), 1);
    scrim_result_free(back);
    assert_int_equal(scrim_result_load("saved", "nothing", 7, &back, &error), SCRIM_BAD);
    for (int i = 0; i < 3; i++) scrim_text_free(saved[i]);
    unlink(path);
}

static int stop(void *self, const char *what, double share) {
    (void)what, (void)share;
    ++*(int *)self;
    return 1;
}

static void stops_when_asked(void **state) {
    (void)state;
    scrim_cancel *cancel = scrim_cancel_new();
    int told = 0;
    scrim_host by_cancel = { .size = sizeof by_cancel, .cancel = cancel },
               by_progress = { .size = sizeof by_progress, .self = &told, .progress = stop };
    scrim_cancel_set(cancel);
    assert_int_equal(bad(&by_cancel, "audit", WORDS("audit", "examples/clinic.csv", "--roles", "examples/roles.yaml")), SCRIM_INTERRUPTED);
    assert_int_equal(bad(&by_progress, "audit", WORDS("audit", "examples/clinic.csv", "--roles", "examples/roles.yaml")),
                     SCRIM_INTERRUPTED);
    assert_true(told > 0);
    scrim_cancel_free(cancel);
    scrim_cancel_free(NULL);
}

static scrim_status lend(void *self, const char *name, scrim_table **out, scrim_error *told) {
    (void)self;
    if (!strcmp(name, "people")) return scrim_table_read("examples/clinic.csv", NULL, out, told);
    snprintf(told->message, sizeof told->message, "no such table here");
    return told->status = SCRIM_BAD;
}

/* A host without files: roles and policies as text, tables as lent; whatever would be opened or written by its path is refused. */
static void opens_nothing(void **state) {
    (void)state;
    const char *roles = "keys: [sex, age]\n", *recipe = "input: people\nroles: {keys: [sex]}\nsteps: [{protect.suppress: {k: 3}}]\n";
    scrim_host host = { .size = sizeof host, .table = lend, .no_files = 1 };
    scrim_result *result =
        good(&host, "audit", WORDS("audit", "people", "--roles", roles, "--policy", "{rules: [risk.k-anonymity.k >= 3]}"));
    assert_int_equal(scrim_result_verdict(result, &error), SCRIM_REFUSED);
    assert_non_null(strstr(error.message, "risk.k-anonymity.k >= 3"));
    assert_true(scrim_result_results(result) > 3);
    assert_non_null(scrim_result_result_name(result, 0));
    assert_string_equal(scrim_result_method(scrim_result_result(result, 0)), scrim_result_result_name(result, 0));
    char *text = NULL;
    assert_int_equal(scrim_result_render(result, "html", 0, 0, &text, &error), SCRIM_OK);
    assert_non_null(strstr(text, "Not ready"));
    scrim_text_free(text);
    scrim_result_free(result);
    result = good(&host, "run", WORDS("run", recipe));
    assert_int_equal(scrim_result_outputs(result), 1);
    scrim_result_free(result);
    assert_int_equal(bad(&host, "audit", WORDS("audit", "people", "--roles", "examples/roles.yaml")), SCRIM_BAD);
    assert_non_null(strstr(error.message, "opens no files"));
    assert_int_equal(bad(&host, "audit", WORDS("audit", "people", "--roles", roles, "--policy", "examples/policy.yaml")), SCRIM_BAD);
    assert_int_equal(bad(&host, "run", WORDS("run", recipe, "--output", "nowhere.csv")), SCRIM_BAD);
    assert_int_equal(bad(&host, "run", WORDS("run", recipe, "--report", "nowhere.html")), SCRIM_BAD);
    assert_int_equal(bad(&host, "convert", WORDS("convert", "people", "nowhere.csv")), SCRIM_BAD);
    assert_int_equal(bad(&host, "ledger.create", WORDS("ledger.create", "nowhere.ledger", "--budget", "epsilon=1")), SCRIM_BAD);
    assert_int_equal(bad(&host, "inspect", WORDS("inspect", "examples/clinic.csv")), SCRIM_BAD);
    assert_string_equal(error.message, "no such table here");
    host.table = NULL;
    const scrim_host *closed[] = { &host, NULL }; /* who lends no host opens none either */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bad(closed[i], "inspect", WORDS("inspect", "examples/clinic.csv")), SCRIM_BAD);
        assert_non_null(strstr(error.message, "opens no files"));
        assert_int_equal(bad(closed[i], "convert", WORDS("convert", "examples/clinic.csv", "nowhere.csv")), SCRIM_BAD);
        assert_int_equal(bad(closed[i], "ledger.create", WORDS("ledger.create", "nowhere.ledger", "--budget", "epsilon=1")), SCRIM_BAD);
        assert_int_equal(access("nowhere.csv", F_OK) & access("nowhere.ledger", F_OK), -1);
    }
    assert_int_equal(bad(&host, "protect.generalize",
                         WORDS("protect.generalize", "examples/clinic.csv", "--keys", "sex", "--hierarchies", "examples/hierarchies")),
                     SCRIM_BAD);
    assert_int_not_equal(access("nowhere.csv", F_OK), 0);
}

/* A table of no records is an error where they are needed; errors show cells only where that is allowed. */
static void reading_is_obeyed(void **state) {
    (void)state;
    char path[] = "/tmp/scrim-api-XXXXXX.csv";
    int file = mkstemps(path, 4);
    assert_int_equal(write(file, "a;b\n", 4), 4);
    close(file);
    scrim_table *table = NULL;
    scrim_reading reading = { .size = sizeof reading, .separator = ';' };
    assert_int_equal(scrim_table_read(path, &reading, &table, &error), SCRIM_OK);
    assert_int_equal(scrim_table_columns(table), 2);
    scrim_table_free(table);
    reading.need_records = 1;
    assert_int_equal(scrim_table_read(path, &reading, &table, &error), SCRIM_BAD);
    assert_string_equal(error.file, path);
    scrim_host host = { .size = sizeof host, .reading = &reading };
    assert_int_equal(bad(&host, "inspect", WORDS("inspect", path)), SCRIM_BAD);
    char line[300], little[8];
    scrim_error_text(&error, line, sizeof line);
    assert_non_null(strstr(line, "no records"));
    scrim_error_text(&error, little, sizeof little);
    assert_true(strlen(little) && strlen(little) < sizeof little);
    assert_memory_equal(little, line, strlen(little)); /* cut between characters */
    unlink(path);
}

static void outputs_are_written(void **state) {
    (void)state;
    char folder[] = "/tmp/scrim-api-XXXXXX", path[64], beside[96], second[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/slice.csv", folder);
    snprintf(second, sizeof second, "%s/slice-2.csv", folder);
    snprintf(beside, sizeof beside, "%s.manifest.json", second);
    scrim_result *result =
        good(&files, "protect.slice", WORDS("protect.slice", "examples/clinic.csv", "--groups", "sex,age;region,education"));
    assert_int_equal(scrim_result_output_write(result, 0, 3, path, NULL, &error), SCRIM_BAD);
    assert_int_equal(scrim_result_output_write(result, 0, 2, path, NULL, &error), SCRIM_OK);
    assert_int_equal(access(second, F_OK) | access(beside, F_OK), 0);
    assert_int_equal(scrim_result_write(result, "x.pdf", &error), SCRIM_BAD);
    char page[64], table[64], nowhere[96], third[64];
    snprintf(page, sizeof page, "%s/all.json", folder);
    snprintf(table, sizeof table, "%s/all.csv", folder);
    snprintf(nowhere, sizeof nowhere, "%s/nowhere/all.html", folder);
    snprintf(third, sizeof third, "%s/third.tsv", folder);
    const char *const all[] = { page, table, nowhere }, *const many[] = { table, second, third };
    assert_int_equal(scrim_result_write_all(result, NULL, all, 3, NULL, &error), SCRIM_BAD);
    assert_string_equal(error.file, nowhere);
    assert_int_equal(access(page, F_OK) & access(table, F_OK), -1); /* none of them */
    assert_int_equal(scrim_result_write_all(result, NULL, all, 2, NULL, &error), SCRIM_OK);
    snprintf(second, sizeof second, "%s/all-2.csv", folder);
    assert_int_equal(access(page, F_OK) | access(table, F_OK) | access(second, F_OK), 0);
    assert_int_equal(scrim_result_write_all(result, NULL, many, 3, NULL, &error), SCRIM_BAD);
    assert_int_equal(scrim_result_write_all(result, NULL, (const char *const[]){ third, third }, 2, NULL, &error), SCRIM_BAD);
    assert_int_equal(access(third, F_OK), -1);
    scrim_result_free(result);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* A step run by itself draws what the recipe draws there: the same seed, its number, the table at hand. */
static void steps_draw_the_same(void **state) {
    (void)state;
    static const char recipe[] = "input: examples/clinic.csv\nsteps:\n  - protect.noise: {vars: [income], amount: 0.1}\n"
                                 "  - protect.noise: {vars: [income], amount: 0.1}\n";
    static const char seed[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    scrim_host host = { .size = sizeof host, .seed = seed };
    scrim_args *args = scrim_args_new();
    scrim_args_text(args, "recipe", recipe);
    scrim_result *whole = good(&host, "run", args), *first, *second;
    first = good(&host, "protect.noise", WORDS("protect.noise", "examples/clinic.csv", "--vars", "income", "--amount", "0.1"));
    host.step = 1;
    args = WORDS("protect.noise", "--vars", "income", "--amount", "0.1");
    scrim_table *made = scrim_result_output(first, 0), *again = scrim_table_share(made);
    scrim_table_free(made);
    scrim_args_table(args, "data", again);
    second = good(&host, "protect.noise", args);
    scrim_table *a = scrim_result_output(whole, 0), *b = scrim_result_output(second, 0);
    char path[2][64];
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "/tmp/scrim-step-%d-%d.csv", (int)getpid(), i);
        assert_int_equal(scrim_table_write(i ? b : a, path[i], NULL, &error), SCRIM_OK);
    }
    char command[200];
    snprintf(command, sizeof command, "cmp -s %s %s", path[0], path[1]);
    assert_int_equal(system(command), 0);
    unlink(path[0]);
    unlink(path[1]);
    assert_null(scrim_table_share(NULL));
    scrim_table *fewer = NULL;
    assert_int_equal(scrim_table_without(again, 3, (const char *const[]){ "name", "id", "nothing" }, &fewer, &error), SCRIM_OK);
    assert_int_equal(scrim_table_columns(fewer), scrim_table_columns(again) - 2);
    assert_string_equal(scrim_table_column_name(fewer, 0), "phone");
    scrim_table_free(fewer);
    scrim_table_free(a);
    scrim_table_free(b);
    scrim_table_free(again);
    scrim_result_free(whole);
    scrim_result_free(first);
    scrim_result_free(second);
}

/* Some measures alone, and those of the policy; what measures nothing is an error. */
static void audits_only_what_is_named(void **state) {
    (void)state;
    scrim_result *result =
        good(&files, "audit",
             WORDS("audit", "examples/clinic.csv", "--roles", "keys: [sex, age]\n", "--only", "risk.individual,utility.compare",
                   "--original", "examples/clinic.csv", "--policy", "rules: [risk.k-anonymity.k >= 2]\n"));
    assert_int_equal(scrim_result_results(result), 4);
    assert_string_equal(scrim_result_result_name(result, 0), "risk.k-anonymity");
    assert_string_equal(scrim_result_result_name(result, 1), "risk.individual");
    assert_string_equal(scrim_result_result_name(result, 2), "utility.compare");
    scrim_result_free(result);
    assert_int_equal(bad(&files, "audit", WORDS("audit", "examples/clinic.csv", "--roles", "keys: [sex]\n", "--only", "protect.noise")),
                     SCRIM_BAD);
    assert_string_equal(error.parameter, "only");
    assert_int_equal(bad(&files, "audit", WORDS("audit", "examples/clinic.csv", "--roles", "keys: [sex]\n", "--only", "risk.k-anonimity")),
                     SCRIM_BAD);
}

/* A table that has no file, as a binding lends it, is written like others. */
static void converts_what_has_no_file(void **state) {
    (void)state;
    char path[] = "/tmp/scrim-run-XXXXXX.csv";
    scrim_table *table = NULL;
    scrim_args *args = scrim_args_new();
    int descriptor = mkstemps(path, 4);
    assert_true(descriptor >= 0 && !close(descriptor));
    assert_int_equal(scrim_table_read("examples/clinic.csv", NULL, &table, &error), SCRIM_OK);
    assert_int_equal(scrim_args_table(args, "data", table), SCRIM_OK);
    assert_int_equal(scrim_args_text(args, "output", path), SCRIM_OK);
    scrim_result_free(good(&files, "convert", args));
    scrim_table_free(table);
    assert_int_equal(scrim_table_read(path, NULL, &table, &error), SCRIM_OK);
    assert_int_equal(scrim_table_rows(table), 300);
    scrim_table_free(table);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_become_arguments),
        cmocka_unit_test(empty_lists_are_none),
        cmocka_unit_test(commands_are_found),
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(joined_records_take_no_place),
        cmocka_unit_test(roles_fill),
        cmocka_unit_test(seeds_are_taken),
        cmocka_unit_test(stops_when_asked),
        cmocka_unit_test(converts_what_has_no_file),
        cmocka_unit_test(opens_nothing),
        cmocka_unit_test(reading_is_obeyed),
        cmocka_unit_test(outputs_are_written),
        cmocka_unit_test(steps_draw_the_same),
        cmocka_unit_test(audits_only_what_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
