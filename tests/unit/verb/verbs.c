/* Every verb's example runs, and its result is what its declaration says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ledger/ledger.h"
#include "declared.h"
#include "io/open.h"
#include "verb/verbs.h"

static char folder[] = "/tmp/scrim-verbs-XXXXXX";

static Status lend_table(void *self, const char *name, Table **out, Error *error) {
    Work work = { .arena = self, .error = error, .threads = 1 };
    return table_open(&work, name, &(CsvOptions){ .decimal = '.', .threads = 1 }, out);
}

/* The example's own words; -o is the parameter `output`, as in the program, and the program's own options are passed over. */
static void example(Work *work, const Method *verb, Args *out) {
    char *words[128] = { NULL }, *own[128];
    int count = words_of(arena_text(work->arena, verb->example), words), kept = 0;
    for (int at = method_is_verb(verb) ? 2 : 3; at < count; at++) {
        if (!strcmp(words[at], "--seed")) {
            at++;
            continue;
        }
        own[kept++] = strcmp(words[at], "-o") ? words[at] : "--output";
    }
    assert_int_equal(args_from_argv(work, verb, kept, own, out), OK);
}

/* One ledger, the one that the examples make. */
static Ledger *lent_ledger;
static Status lend_ledger(void *self, const char *name, Ledger **out, Error *error) {
    (void)self;
    Status status = lent_ledger ? OK : ledger_open(name, &lent_ledger, error);
    *out = lent_ledger;
    return status;
}

static void holds(void **state) {
    const Method *verb = *state;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Args args = { 0 };
    Result *result = NULL;
    Host host = { .self = work.arena, .table = lend_table, .ledger = lend_ledger };
    Session session = { .host = &host, .seed = seed_from_number(7), .threads = 2 };
    example(&work, verb, &args);
    if (method_run(&session, verb, &args, NULL, &result, &error)) fail_msg("%s: %s", verb->example, error.message);
    assert_true(result->values + result->tables > 0);
    result_is_declared(verb, result);
    result_travels(result);
    result_free(result);
    arena_free(work.arena);
    ledger_close(lent_ledger);
    lent_ledger = NULL;
}

/* What examples write goes to a folder that is thrown away; examples/ is seen from it. */
static int enter(void **state) {
    (void)state;
    char here[4096], examples[4200], name[200];
    if (!getcwd(here, sizeof here) || !mkdtemp(folder)) return 1;
    snprintf(examples, sizeof examples, "%s/examples", here);
    snprintf(name, sizeof name, "%s/examples", folder);
    return symlink(examples, name) || chdir(folder);
}

static int leave(void **state) {
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    struct CMUnitTest list[64];
    char name[64][128];
    int64_t count = verbs_count();
    for (int64_t i = 0; i < count; i++)
        list[i] = (struct CMUnitTest){ .name = method_said(verbs_at(i), name[i]),
                                       .test_func = holds,
                                       .initial_state = (void *)(uintptr_t)verbs_at(i) };
    return _cmocka_run_group_tests("every verb", list, (size_t)count, enter, leave);
}
