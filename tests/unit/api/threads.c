/* The library in a program of eight threads: every method's example at once, each on two threads of its own, on one table that all share
 * and on tables that each opens; all get what one thread alone gets. `make check-tsan` runs it under ThreadSanitizer. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "testing.h"
#include "words.h"
#include "method/method.h"
#include "scrim.h"

enum { THREADS = 8, MOST = 512 };
typedef struct Job {
    char text[2048], *alone; /* alone: what one thread gets */
    bool fresh;              /* noise that keeps a promise: no two runs agree */
} Job;
static Job job[MOST];
static int64_t jobs;
static scrim_table *shared; /* NULL: each opens its own */

static scrim_status lend(void *self, const char *name, scrim_table **out, scrim_error *error) {
    (void)self, (void)error;
    *out = shared && !strcmp(name, "examples/clinic.csv") ? scrim_table_share(shared) : NULL;
    return SCRIM_OK;
}

/* What is rendered of a run; NULL with the error told. */
static char *outcome(const Job *which, int threads) {
    char text[2048], *words[128];
    const char *method = NULL;
    int64_t used = 0, seed = 7;
    snprintf(text, sizeof text, "%s", which->text);
    int64_t count = words_of_method(words_of(text, words), words);
    scrim_error error = { .size = sizeof error };
    scrim_host host = { .size = sizeof host,
                        .table = lend,
                        .files_too = 1,
                        .threads = threads,
                        .seed_number = which->fresh ? NULL : &seed };
    scrim_args *args = scrim_args_new();
    scrim_result *result = NULL;
    char *out = NULL;
    scrim_status status = scrim_methods_find(count - 1, (const char *const *)words + 1, &method, &used, &error);
    if (!status) status = scrim_args_words(args, method, count - 1 - used, (const char *const *)words + 1 + used, &error);
    if (!status) status = scrim_run(&host, method, args, &result, &error);
    if (!status) status = scrim_result_render(result, "json", 0, 0, &out, &error);
    if (status) print_error("%s: %s\n", which->text, error.message);
    scrim_result_free(result);
    scrim_args_free(args);
    return out;
}

static bool is_fresh(const Method *method) {
    return !strcmp(method->group, "release") || !strcmp(method->name, "private") ||
           (!strcmp(method->group, "tabular") && !strcmp(method->name, "noise"));
}

static void collect(void **state) {
    (void)state;
    for (; jobs < methods_count(); jobs++) {
        const Method *method = methods_at(jobs);
        job[jobs].fresh = is_fresh(method);
        snprintf(job[jobs].text, sizeof job[jobs].text, "%s", method->example);
        job[jobs].alone = outcome(&job[jobs], 1);
        if (!job[jobs].alone) fail_msg("%s", method->example);
    }
}

typedef struct Guest {
    pthread_t thread;
    int64_t first, wrong;
} Guest;

static void *visit(void *self) {
    Guest *guest = self;
    for (int64_t i = 0; i < jobs; i++) {
        const Job *which = &job[(guest->first + i) % jobs];
        char *got = outcome(which, 2);
        bool right = got && (which->fresh || !strcmp(got, which->alone));
        if (!right) print_error("%s differs beside others\n", which->text);
        guest->wrong += !right;
        scrim_text_free(got);
    }
    return NULL;
}

static void all_at_once(int64_t apart) {
    Guest guest[THREADS];
    for (int i = 0; i < THREADS; i++) {
        guest[i] = (Guest){ .first = i * apart };
        assert_int_equal(pthread_create(&guest[i].thread, NULL, visit, &guest[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(guest[i].thread, NULL);
        assert_int_equal(guest[i].wrong, 0);
    }
}

static void one_table_is_shared(void **state) {
    (void)state;
    scrim_error error = { .size = sizeof error };
    assert_int_equal(scrim_table_read("examples/clinic.csv", NULL, &shared, &error), SCRIM_OK);
    all_at_once(0); /* the same method by all */
    scrim_table_free(shared);
    shared = NULL;
}

static void each_has_its_own(void **state) {
    (void)state;
    all_at_once(jobs / THREADS);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(collect), cmocka_unit_test(one_table_is_shared),
                                        cmocka_unit_test(each_has_its_own) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int64_t i = 0; i < jobs; i++) scrim_text_free(job[i].alone);
    return failed;
}
