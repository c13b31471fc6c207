/* Re-asking while memory runs out: every allocation of a release through a ledger is made to fail in turn. There is never a second debit,
 * and never another answer. */
#include <errno.h>
#include <gmp.h>
#include <unistd.h>
#include "methods.h"
#include "ledger/ledger.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
int main(void) { return 77; } /* the sanitizer has an allocator of its own */
#else
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static _Thread_local int64_t allocations, fail_from = INT64_MAX, fail_to;
static bool fails(void) {
    allocations++;
    return allocations >= fail_from && allocations <= fail_to;
}
void *malloc(size_t size) { return fails() ? (errno = ENOMEM, NULL) : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? (errno = ENOMEM, NULL) : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? (errno = ENOMEM, NULL) : __libc_realloc(old, size); }

/* GMP ends the program where it has no memory: what it would take stays small, and is left out here. */
static void *gmp_new(size_t size) { return __libc_malloc(size); }
static void *gmp_more(void *old, size_t before, size_t size) {
    (void)before;
    return __libc_realloc(old, size);
}
static void gmp_drop(void *old, size_t size) {
    (void)size;
    free(old);
}

static Ledger *open_ledger;
static char path[64];

static Status lend_ledger(void *self, const char *name, Ledger **out, Error *error) {
    (void)self;
    (void)name;
    Status status = ledger_open(path, &open_ledger, error);
    *out = open_ledger;
    return status;
}

/* One release, with the allocations from `from` to `to` failing; the ledger is opened and closed within it, as the program does. */
static Status release(int64_t identity, int64_t from, int64_t to) {
    static const Host host = { .table = from_shelf, .ledger = lend_ledger };
    char where[64];
    snprintf(where, sizeof where, "count() where x > %lld; median(x)", (long long)identity);
    const char *data[] = { "data" }, *query[] = { where }, *epsilon[] = { "0.5" }, *bounds[] = { "x:0:99" }, *ledger[] = { "here" };
    const Arg list[] = { { .name = "data", .count = 1, .items = data },
                         { .name = "query", .count = 1, .items = query },
                         { .name = "epsilon", .count = 1, .items = epsilon },
                         { .name = "bounds", .count = 1, .items = bounds },
                         { .name = "ledger", .count = 1, .items = ledger } };
    Session session = { .host = &host, .seed = seed_from_number(1), .threads = 1 };
    last_error = ERROR_NONE;
    result_free(last_result);
    last_result = NULL;
    open_ledger = NULL;
    allocations = 0;
    fail_from = from;
    fail_to = to;
    Status status = method_run(&session, method_find("release", "query"), &(Args){ 5, list }, NULL, &last_result, &last_error);
    fail_from = INT64_MAX;
    ledger_close(open_ledger);
    return status;
}

static double spent(void) {
    Ledger *ledger = NULL;
    LedgerEntries entries;
    assert_int_equal(ledger_open(path, &ledger, &last_error), OK);
    assert_int_equal(ledger_entries(ledger, &entries, &last_error), OK);
    double out = (double)entries.spent / LEDGER_UNIT;
    int64_t count;
    assert_int_equal(ledger_verify(ledger, NULL, &count, &last_error), OK);
    ledger_entries_free(&entries);
    ledger_close(ledger);
    return out;
}

static void fresh(void) {
    strcpy(path, "/tmp/scrim-pressure-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    unlink(path);
    assert_int_equal(ledger_create(path, CURRENCY_EPSILON, 1000 * LEDGER_UNIT, NULL, 0, &last_error), OK);
    table_from("data", "x\n1\n2\n3\n4\n5\n60\n");
}

/* Asked once; then asked again with the k-th allocation failing, and with all from the k-th on, for every k. */
static void asked_again(void **state) {
    (void)state;
    fresh();
    assert_int_equal(release(1, INT64_MAX, 0), OK);
    double count = table_value("answers", "answer", 0), median = table_value("answers", "answer", 1);
    assert_int_equal(release(1, INT64_MAX, 0), OK);
    int64_t all = allocations, failed = 0;
    assert_true(all > 100);
    for (int64_t k = 1; k <= all; k += all > 1500 ? 1 + k % 3 : 1)
        for (int mode = 0; mode < 2; mode++) {
            Status status = release(1, k, mode ? INT64_MAX - 1 : k);
            failed += status != OK;
            if (status == OK) assert_true(table_value("answers", "answer", 0) == count && table_value("answers", "answer", 1) == median);
        }
    assert_true(failed > 50);
    near(spent(), 0.5, 0);
    assert_int_equal(release(1, INT64_MAX, 0), OK);
    assert_true(table_value("answers", "answer", 0) == count && table_value("answers", "answer", 1) == median);
    near(spent(), 0.5, 0);
    unlink(path);
}

/* Asked for the first time while memory runs out, then again: one debit, and what was shown stands. */
static void asked_first(void **state) {
    (void)state;
    fresh();
    assert_int_equal(release(0, INT64_MAX, 0), OK);
    int64_t all = allocations, asked = 1;
    for (int64_t k = 1; k <= all; k += 23, asked++) {
        Status status = release(asked, k, k);
        double count = status ? NAN : table_value("answers", "answer", 0);
        assert_int_equal(release(asked, INT64_MAX, 0), OK);
        if (!status) assert_true(table_value("answers", "answer", 0) == count);
        near(spent(), 0.5 * (double)(asked + 1), 1e-9);
    }
    unlink(path);
}

int main(void) {
    mp_set_memory_functions(gmp_new, gmp_more, gmp_drop);
    const struct CMUnitTest tests[] = { cmocka_unit_test(asked_again), cmocka_unit_test(asked_first) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
