/* The ledger: exact prices, no overdraft, no double debit, nothing lost by kill -9, tampering seen; on SQLite and on a real PostgreSQL. */
#include "testing.h"
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/elementary.h"
#include "base/random.h"
#include "ledger/database.h"
#include "ledger/ledger.h"

static char folder[64];

static const char *place(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int set_up(void **state) {
    (void)state;
    strcpy(folder, "/tmp/scrim-ledger-XXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}
static char server[128]; /* the folder of the test's own PostgreSQL, once it was started */
static void stop_server(void);
static int tear_down(void **state) {
    (void)state;
    char command[128];
    if (server[0]) stop_server(); /* also where a test failed half-way */
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static int64_t units(double amount) {
    int64_t out = -1;
    assert_int_equal(ledger_units(amount, &out, NULL), OK);
    return out;
}

static void prices_are_exact(void **state) {
    (void)state;
    char text[33];
    assert_true(units(0.1) == 100000000000);
    assert_true(units(0.1) * 10 == units(1));
    assert_true(units(1e-12) == 1);
    assert_true(units(1.5e-12) == 2); /* rounded up */
    assert_true(units(1e-300) == 1);
    assert_true(units(0) == 0);
    assert_true(units(1.0 / 3) == 333333333334);
    assert_true(units(1234567.25) == 1234567250000000000);
    assert_string_equal(units_text(units(0.1), text), "0.1");
    assert_string_equal(units_text(units(12.5), text), "12.5");
    assert_string_equal(units_text(3, text), "0.000000000003");
    assert_int_equal(ledger_units(-1, &(int64_t){ 0 }, NULL), BAD);
    assert_int_equal(ledger_units(1e9, &(int64_t){ 0 }, NULL), BAD);
}

static Status debit(Ledger *ledger, const char *identity, const char *request, const char *analyst, double price, LedgerReceipt *receipt,
                    Error *error) {
    const LedgerRequest r = { .query = "mean(age)", .identity = identity, .request = request, .analyst = analyst, .price = units(price) };
    return ledger_debit(ledger, &r, receipt, error);
}

static void never_over_budget(const char *where) {
    Ledger *ledger = NULL;
    LedgerReceipt receipt;
    Error error = ERROR_NONE;
    char name[32], *recorded = NULL;
    assert_int_equal(ledger_create(where, CURRENCY_EPSILON, units(1), NULL, 0, &error), OK);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    assert_int_equal(ledger_currency(ledger), CURRENCY_EPSILON);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "query %d", i);
        assert_int_equal(debit(ledger, name, NULL, NULL, 0.1, &receipt, &error), i < 10 ? OK : REFUSED);
        assert_true(receipt.charged);
        assert_null(receipt.answer);
        assert_int_equal(ledger_record(ledger, receipt.entry, name, &recorded, &error), OK);
        free(recorded);
    }
    assert_int_equal(debit(ledger, "query 10", NULL, NULL, 1e-12, &receipt, &error), REFUSED);
    assert_non_null(strstr(error.message, "and 0 remains"));
    assert_int_equal(debit(ledger, "query 3", NULL, NULL, 0.1, &receipt, &error), OK); /* repeated: free */
    assert_false(receipt.charged);
    assert_string_equal(receipt.answer, "query 3");
    free(receipt.answer);
    int64_t entries;
    assert_int_equal(ledger_verify(ledger, NULL, &entries, &error), OK);
    assert_true(entries == 21);
    ledger_close(ledger);
}

/* δ, what the ledger is bound to, and the hash at its end. */
static void bound_and_cut(const char *where, bool file) {
    Ledger *ledger = NULL;
    LedgerReceipt receipt;
    Error error = ERROR_NONE;
    int64_t entry, entries;
    char first[65], second[65];
    const LedgerBudget budget = { .currency = CURRENCY_ZCDP, .units = units(1), .delta = LEDGER_DELTA / 1000, .name = "clinic" };
    LedgerRequest r = { .query = "q",
                        .identity = "1",
                        .price = units(0.1),
                        .delta = LEDGER_DELTA / 2000,
                        .data = "d",
                        .schema = "s",
                        .unit = "replace-one" };
    assert_int_equal(ledger_make(where, &budget, NULL, 0, &error), OK);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    assert_null(ledger_unit(ledger));
    assert_int_equal(ledger_debit(ledger, &r, &receipt, &error), OK);
    assert_string_equal(ledger_unit(ledger), "replace-one");
    assert_true(receipt.left_delta == LEDGER_DELTA / 2000);
    assert_int_equal(ledger_head(ledger, &entry, first, &error), OK);
    assert_true(entry == 3);
    r.identity = "2";
    r.data = "e";
    assert_int_equal(ledger_debit(ledger, &r, &receipt, &error), REFUSED);
    assert_non_null(strstr(error.message, "another data set"));
    r.data = "d";
    r.schema = NULL;
    assert_int_equal(ledger_debit(ledger, &r, &receipt, &error), REFUSED);
    r.schema = "s";
    r.delta = LEDGER_DELTA / 1000;
    assert_int_equal(ledger_debit(ledger, &r, &receipt, &error), REFUSED);
    assert_non_null(strstr(error.message, "δ"));
    r.delta = LEDGER_DELTA / 2000;
    assert_int_equal(ledger_debit(ledger, &r, &receipt, &error), OK);
    assert_int_equal(ledger_head(ledger, &entry, second, &error), OK);
    assert_int_equal(ledger_verify(ledger, first, &entries, &error), OK);
    assert_int_equal(ledger_verify(ledger, second, &entries, &error), OK);
    assert_int_equal(ledger_verify(ledger, "0000", &entries, &error), FAILED);
    ledger_close(ledger);
    if (!file) return;
    sqlite3 *db;
    char sql[256];
    assert_int_equal(sqlite3_open(where, &db), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "DELETE FROM scrim_ledger_entry WHERE entry = 4; UPDATE scrim_ledger_head SET entry = 3, hash = '%s', total = %lld, "
             "total_delta = %lld",
             first, (long long)units(0.1), (long long)(LEDGER_DELTA / 2000));
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    assert_int_equal(ledger_verify(ledger, NULL, &entries, &error), OK); /* rolled back with care: only a hash kept elsewhere shows it */
    assert_int_equal(ledger_verify(ledger, second, &entries, &error), FAILED);
    ledger_close(ledger);
    assert_int_equal(sqlite3_open(where, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM scrim_ledger_entry WHERE entry = 3", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    r.identity = "3";
    assert_int_equal(ledger_debit(ledger, &r, &receipt, &error), FAILED); /* cut without care: seen before anything is spent */
    ledger_close(ledger);
}
static Status charge(Ledger *ledger, double zcdp, const char *unit, const char *query, const char *request, LedgerReceipt *receipt,
                     Error *error) {
    const LedgerLoss loss = loss_of_zcdp(zcdp);
    LedgerRequest r = { .query = query,
                        .identity = "i",
                        .request = request,
                        .data = "d",
                        .unit = unit,
                        .person = "record",
                        .neighbours = "global",
                        .anew = true };
    return ledger_charge(ledger, &r, &loss, receipt, error);
}

/* What is drawn anew says its unit too: the first to say it binds, add-remove costs four times ρ under replace-one, and the other way round
 * nothing follows. Whoever opened the ledger before the unit was said must ask again. */
static void units_of_new_draws(void **state) {
    (void)state;
    const char *where = place("units");
    Ledger *ledger = NULL, *early = NULL;
    LedgerReceipt receipt;
    Error error = ERROR_NONE;
    LedgerBudget budget = { .currency = CURRENCY_ZCDP, .units = units(10), .unit = "replace-one" };
    assert_int_equal(ledger_make(where, &budget, NULL, 0, &error), OK);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    assert_int_equal(charge(ledger, 1, "add-remove", "q", NULL, &receipt, &error), OK);
    assert_true(receipt.price == units(4) && receipt.left == units(6));
    assert_int_equal(charge(ledger, 1, "replace-one", "q", NULL, &receipt, &error), OK);
    assert_true(receipt.price == units(1) && receipt.left == units(5));
    ledger_close(ledger);
    budget.unit = NULL;
    where = place("first");
    assert_int_equal(ledger_make(where, &budget, NULL, 0, &error), OK);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    assert_int_equal(ledger_open(where, &early, &error), OK);
    assert_int_equal(charge(ledger, 1, "add-remove", "q", NULL, &receipt, &error), OK);
    assert_string_equal(ledger_unit(ledger), "add-remove");
    assert_int_equal(charge(ledger, 1, "replace-one", "q", NULL, &receipt, &error), REFUSED);
    assert_int_equal(charge(early, 1, "replace-one", "q", NULL, &receipt, &error), REFUSED);
    assert_int_equal(charge(early, 1, "add-remove", "q", NULL, &receipt, &error), OK);
    assert_true(receipt.left == units(8));
    ledger_close(early);
    ledger_close(ledger);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    assert_string_equal(ledger_unit(ledger), "add-remove");
    ledger_close(ledger);
}
/* Prices in a ledger of replace-one, of releases for who may be added or removed: for thousands of (ε, δ), as the formulas say and never
 * less than the price in a ledger of their own unit. */
static void conversions(void **state) {
    (void)state;
    static const Currency currencies[] = { CURRENCY_EPSILON, CURRENCY_ZCDP, CURRENCY_GDP, CURRENCY_NONCENTRALITY };
    Error error = ERROR_NONE;
    Ledger *own[4], *other[4];
    char name[32];
    for (int i = 0; i < 4; i++) {
        LedgerBudget budget = { .currency = currencies[i], .units = units(1000), .delta = LEDGER_DELTA, .unit = "add-remove" };
        for (int k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "conversion-%d-%d", i, k);
            assert_int_equal(ledger_make(place(name), &budget, NULL, 0, &error), OK);
            assert_int_equal(ledger_open(place(name), k ? &other[i] : &own[i], &error), OK);
            budget.unit = "replace-one";
        }
    }
    for (int turn = 0; turn < 2000; turn++) {
        double e = ldexp(1 + turn % 97, turn % 13 - 12), d = turn % 3 ? ldexp(1 + turn % 31, -25 - turn % 7) : 0;
        for (int i = 0; i < 4; i++) {
            LedgerLoss loss = loss_of_zcdp(NAN);
            int64_t price, delta, twice, delta_twice;
            loss.amount[currencies[i]] = e;
            loss.delta[currencies[i]] = d;
            assert_int_equal(ledger_price(own[i], &loss, "add-remove", &price, &delta, &error), OK);
            assert_int_equal(ledger_price(own[i], &loss, "replace-one", &price, &delta, &error), REFUSED); /* nothing follows */
            assert_int_equal(ledger_price(own[i], &loss, "add-remove", &price, &delta, &error), OK);
            Status status = ledger_price(other[i], &loss, "add-remove", &twice, &delta_twice, &error);
            assert_int_equal(status, d > 0 && i ? REFUSED : OK);
            if (status) continue;
            assert_true(twice >= (i ? 4 : 2) * (price - 1) && twice <= (i ? 4 : 2) * price);
            assert_true(delta_twice >= delta);
            if (!i) assert_true(fabs((double)delta_twice - fmin((1 + exp(e)) * d, 1) * LEDGER_DELTA) <= 1e-12 * LEDGER_DELTA);
        }
    }
    for (int i = 0; i < 4; i++) {
        ledger_close(own[i]);
        ledger_close(other[i]);
    }
}

/* An id of what was drawn anew comes back: nothing is charged, and it is told apart from an id that another query used. */
static void ids_of_new_draws(void **state) {
    (void)state;
    const char *where = place("again");
    Ledger *ledger = NULL;
    LedgerReceipt receipt;
    LedgerEntries entries = { 0 };
    Error error = ERROR_NONE;
    LedgerBudget budget = { .currency = CURRENCY_ZCDP, .units = units(10) };
    assert_int_equal(ledger_make(where, &budget, NULL, 0, &error), OK);
    assert_int_equal(ledger_open(where, &ledger, &error), OK);
    assert_int_equal(charge(ledger, 1, "add-remove", "q", "id", &receipt, &error), OK);
    assert_int_equal(charge(ledger, 1, "add-remove", "q", "id", &receipt, &error), BAD);
    assert_non_null(strstr(error.message, "does not hold the answer"));
    assert_non_null(strstr(error.advice, "Nothing was charged"));
    assert_int_equal(charge(ledger, 1, "add-remove", "other", "id", &receipt, &error), BAD);
    assert_non_null(strstr(error.message, "for another query"));
    assert_int_equal(ledger_entries(ledger, &entries, &error), OK);
    assert_true(entries.spent == units(1));
    ledger_entries_free(&entries);
    ledger_close(ledger);
}
static void sqlite_bound(void **state) {
    (void)state;
    bound_and_cut(place("bound"), true);
}

static void sqlite_budget(void **state) {
    (void)state;
    struct stat about;
    never_over_budget(place("budget"));
    assert_int_equal(stat(place("budget"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(ledger_create(place("budget"), CURRENCY_ZCDP, 1, NULL, 0, NULL), BAD); /* never over an old one */
}

static void requests_and_analysts(void **state) {
    (void)state;
    Ledger *ledger = NULL;
    LedgerReceipt receipt;
    Error error = ERROR_NONE;
    char *recorded;
    const AnalystBudget ann = { "ann", units(0.25) };
    assert_int_equal(ledger_create(place("analysts"), CURRENCY_ZCDP, units(1), &ann, 1, &error), OK);
    assert_int_equal(ledger_open(place("analysts"), &ledger, &error), OK);
    assert_int_equal(debit(ledger, "a", "id-1", "ann", 0.2, &receipt, &error), OK);
    assert_true(receipt.left == units(0.05));
    int64_t entry = receipt.entry;
    assert_int_equal(debit(ledger, "b", "id-1", "ann", 0.01, &receipt, &error), BAD); /* the id is another query's */
    assert_int_equal(debit(ledger, "b", "id-2", "ann", 0.1, &receipt, &error), REFUSED);
    assert_non_null(strstr(error.message, "0.05"));
    assert_non_null(strstr(error.message, "ann"));
    assert_int_equal(debit(ledger, "b", "id-2", "bob", 0.1, &receipt, &error), REFUSED); /* not listed: none */
    assert_int_equal(debit(ledger, "b", "id-2", NULL, 0.1, &receipt, &error), REFUSED);  /* nor has who does not say */
    assert_non_null(strstr(error.message, "name its analyst"));
    assert_int_equal(debit(ledger, "b", "id-2", "bob", 0, &receipt, &error), OK);
    assert_int_equal(debit(ledger, "a", "id-1", "ann", 0.2, &receipt, &error), OK); /* paid, not answered: draw again, free */
    assert_false(receipt.charged);
    assert_null(receipt.answer);
    assert_true(receipt.entry == entry);
    assert_int_equal(ledger_record(ledger, entry, "first", &recorded, &error), OK);
    free(recorded);
    assert_int_equal(ledger_record(ledger, entry, "second", &recorded, &error), OK); /* the first one stands */
    assert_string_equal(recorded, "first");
    free(recorded);
    ledger_close(ledger);
}

static void tampering_is_seen(void **state) {
    (void)state;
    static const char *const crimes[] = { "UPDATE scrim_ledger_entry SET units = 1 WHERE entry = 3",
                                          "DELETE FROM scrim_ledger_entry WHERE entry = 3",
                                          "DELETE FROM scrim_ledger_entry WHERE entry = 6",
                                          "UPDATE scrim_ledger_entry SET total = 0 WHERE entry = 5",
                                          "UPDATE scrim_ledger_head SET total = 0",
                                          "UPDATE scrim_ledger_entry SET answer = 'x' WHERE entry = 4" };
    for (size_t i = 0; i < sizeof crimes / sizeof *crimes; i++) {
        char name[32], *recorded;
        Ledger *ledger = NULL;
        LedgerReceipt receipt;
        sqlite3 *db;
        int64_t entries;
        snprintf(name, sizeof name, "crime-%zu", i);
        assert_int_equal(ledger_create(place(name), CURRENCY_EPSILON, units(1), NULL, 0, NULL), OK);
        assert_int_equal(ledger_open(place(name), &ledger, NULL), OK);
        for (int j = 0; j < 3; j++) {
            char query[8] = { (char)('a' + j) };
            assert_int_equal(debit(ledger, query, NULL, NULL, 0.1, &receipt, NULL), OK);
            if (j) assert_int_equal(ledger_record(ledger, receipt.entry, "1", &recorded, NULL), OK);
            if (j) free(recorded);
        }
        assert_int_equal(ledger_verify(ledger, NULL, &entries, NULL), OK);
        assert_int_equal(sqlite3_open(place(name), &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, crimes[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        Error error = ERROR_NONE;
        assert_int_equal(ledger_verify(ledger, NULL, &entries, &error), FAILED);
        if (i == 1) assert_non_null(strstr(error.message, "entry 3 of the ledger was lost"));
        ledger_close(ledger);
    }
    FILE *file = fopen(place("no-ledger"), "w");
    fputs("this is no database, however long it may be read for one", file);
    fclose(file);
    assert_int_equal(ledger_open(place("no-ledger"), &(Ledger *){ NULL }, NULL), BAD);
    assert_int_equal(ledger_open(place("absent"), &(Ledger *){ NULL }, NULL), BAD);
}

/* A child debits and records until it is killed or the budget is spent, and writes every answer that it would have shown to a pipe. */
static void child(const char *where, int id, int requests, int out) {
    Ledger *ledger = NULL;
    if (ledger_open(where, &ledger, NULL)) _exit(9);
    for (int i = 0; i < requests; i++) {
        char name[64], *recorded = NULL;
        LedgerReceipt receipt;
        snprintf(name, sizeof name, "q-%d-%d", id, i);
        const LedgerRequest r = { .query = name, .identity = name, .request = name, .price = units(0.01) };
        Status status = ledger_debit(ledger, &r, &receipt, NULL);
        if (status == REFUSED) break;
        if (status) _exit(8);
        if (receipt.answer) {
            free(receipt.answer);
            continue;
        }
        if (ledger_record(ledger, receipt.entry, name, &recorded, NULL)) _exit(7);
        int64_t shown = receipt.entry;
        if (write(out, &shown, sizeof shown) != sizeof shown) _exit(6);
        free(recorded);
    }
    ledger_close(ledger);
    _exit(0);
}

/* Spent never exceeds the budget; every shown answer has its debit; no request was debited twice. */
static void check_books(const char *where, const int64_t *shown, int64_t count) {
    Ledger *ledger = NULL;
    LedgerEntries entries;
    int64_t checked;
    assert_int_equal(ledger_open(where, &ledger, NULL), OK);
    assert_int_equal(ledger_verify(ledger, NULL, &checked, NULL), OK);
    assert_int_equal(ledger_entries(ledger, &entries, NULL), OK);
    assert_true(entries.spent <= entries.budget);
    for (int64_t i = 0; i < count; i++) assert_string_equal(entries.entry[shown[i] - 1].kind, "debit");
    for (int64_t i = 0; i < entries.count; i++)
        for (int64_t j = 0; j < i; j++)
            if (!strcmp(entries.entry[i].kind, "debit") && !strcmp(entries.entry[j].kind, "debit"))
                assert_string_not_equal(entries.entry[i].request, entries.entry[j].request);
    ledger_entries_free(&entries);
    ledger_close(ledger);
}

static int64_t number(const char *variable, int64_t otherwise) {
    const char *text = getenv(variable);
    return text ? atoll(text) : otherwise;
}

static void kills(const char *where) {
    int64_t rounds = number("LEDGER_KILLS", 50), shown[4096], count = 0;
    assert_int_equal(ledger_create(where, CURRENCY_EPSILON, units(1000), NULL, 0, NULL), OK);
    for (int64_t round = 0; round < rounds || (!count && round < 20 * rounds); round++) { /* a busy machine may need more */
        int ends[2];
        uint32_t word;
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(system_random(&word, sizeof word, NULL), OK);
        pid_t pid = fork();
        if (!pid) child(where, (int)(round % 7), 1000, ends[1]);
        close(ends[1]);
        usleep(2000 + (word % 30000) * (useconds_t)(1 + round / rounds)); /* longer, once all rounds were too short */
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        int64_t entry;
        while (read(ends[0], &entry, sizeof entry) == sizeof entry)
            if (count < 4096) shown[count++] = entry;
        close(ends[0]);
    }
    assert_true(count > 0);
    check_books(where, shown, count);
}

static void together(const char *where) {
    int processes = (int)number("LEDGER_PROCESSES", 4), requests = (int)number("LEDGER_REQUESTS", 100);
    int64_t limit = processes * requests / 2;
    Ledger *ledger = NULL;
    LedgerEntries entries;
    assert_int_equal(ledger_create(where, CURRENCY_EPSILON, units(0.01) * limit, NULL, 0, NULL), OK);
    int out = open("/dev/null", 1);
    for (int i = 0; i < processes; i++)
        if (!fork()) child(where, i, requests, out);
    int failed = 0;
    for (int i = 0; i < processes; i++) {
        int status;
        wait(&status);
        failed += !WIFEXITED(status) || WEXITSTATUS(status);
    }
    assert_int_equal(failed, 0);
    close(out);
    assert_int_equal(ledger_open(where, &ledger, NULL), OK);
    assert_int_equal(ledger_entries(ledger, &entries, NULL), OK);
    assert_true(entries.spent == entries.budget); /* all of it, and not a unit more */
    ledger_entries_free(&entries);
    ledger_close(ledger);
    check_books(where, NULL, 0);
}

static void sqlite_kills(void **state) {
    (void)state;
    char where[256];
    strcpy(where, place("kills"));
    kills(where);
}
static void sqlite_together(void **state) {
    (void)state;
    char where[256];
    strcpy(where, place("together"));
    together(where);
}

/* A disk that fills up or does not keep its promise: SQLite's own file layer, failing on demand. */
static int fail_write, fail_sync;
static sqlite3_vfs faulty;
static const sqlite3_io_methods *real_methods[2]; /* of the database, which locks, and of its journals, which do not */
static sqlite3_io_methods faulty_methods[2];
static int (*real_open)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);
static const sqlite3_io_methods *real_of(const sqlite3_file *f) { return real_methods[f->pMethods == &faulty_methods[1]]; }
static int faulty_write(sqlite3_file *f, const void *b, int n, sqlite3_int64 at) {
    return fail_write ? SQLITE_FULL : real_of(f)->xWrite(f, b, n, at);
}
static int faulty_sync(sqlite3_file *f, int flags) { return fail_sync ? SQLITE_IOERR_FSYNC : real_of(f)->xSync(f, flags); }
static int faulty_open(sqlite3_vfs *v, const char *name, sqlite3_file *file, int flags, int *out) {
    int code = real_open(v, name, file, flags, out), journal = !(flags & SQLITE_OPEN_MAIN_DB);
    if (code == SQLITE_OK && file->pMethods) {
        real_methods[journal] = file->pMethods;
        faulty_methods[journal] = *file->pMethods;
        faulty_methods[journal].xWrite = faulty_write;
        faulty_methods[journal].xSync = faulty_sync;
        file->pMethods = &faulty_methods[journal];
    }
    return code;
}

static void a_bad_disk_stops_the_release(void **state) {
    (void)state;
    Ledger *ledger = NULL;
    LedgerReceipt receipt;
    LedgerEntries entries;
    Error error = ERROR_NONE;
    sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
    faulty = *usual;
    faulty.zName = "faulty";
    real_open = usual->xOpen;
    faulty.xOpen = faulty_open;
    sqlite3_vfs_register(&faulty, 1);
    assert_int_equal(ledger_create(place("disk"), CURRENCY_EPSILON, units(1), NULL, 0, &error), OK);
    assert_int_equal(ledger_open(place("disk"), &ledger, &error), OK);
    fail_write = 1;
    assert_int_equal(debit(ledger, "a", NULL, NULL, 0.1, &receipt, &error), FAILED);
    fail_write = 0;
    ledger_close(ledger); /* a program that met a bad disk ends; the next one starts afresh */
    assert_int_equal(ledger_open(place("disk"), &ledger, &error), OK);
    fail_sync = 1;
    assert_int_equal(debit(ledger, "a", NULL, NULL, 0.1, &receipt, &error), FAILED);
    assert_non_null(strstr(error.advice, "Nothing was released"));
    fail_sync = 0;
    ledger_close(ledger);
    assert_int_equal(ledger_open(place("disk"), &ledger, &error), OK);
    assert_int_equal(ledger_entries(ledger, &entries, &error), OK);
    assert_true(entries.spent == 0);
    ledger_entries_free(&entries);
    assert_int_equal(debit(ledger, "a", NULL, NULL, 0.1, &receipt, &error), OK);
    ledger_close(ledger);
    sqlite3_vfs_unregister(&faulty);
    sqlite3_vfs_register(usual, 1);
}

/* A PostgreSQL of our own, on a private socket; as the user postgres where we are root, who may not run one. */
static const char *as_user(void) { return getuid() ? "" : "runuser -u postgres -- "; }
static bool start_server(void) {
    char command[1024];
    if (system("ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1")) return false;
    strcpy(server, "/tmp/scrim-pg-XXXXXX");
    if (!mkdtemp(server)) return false;
    snprintf(command, sizeof command, "%s %s", getuid() ? "true" : "chown postgres", server);
    if (system(command)) return false;
    snprintf(
        command, sizeof command,
        "cd %s && bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1) && %s$bin/initdb -D %s/data -A trust -U scrim > /dev/null 2>&1 && "
        "%s$bin/pg_ctl -D %s/data -w -o \"-c listen_addresses='' -c unix_socket_directories=%s/data\" -l %s/data/log start > /dev/null "
        "2>&1",
        server, as_user(), server, as_user(), server, server, server);
    return system(command) == 0;
}
static void stop_server(void) {
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && %s$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)/pg_ctl -D %s/data -m immediate stop > /dev/null 2>&1; rm -rf %s",
             server, as_user(), server, server);
    if (system(command)) print_message("the test's PostgreSQL did not stop\n");
    server[0] = 0;
}

static const char *database(const char *name) {
    static char address[512];
    char command[512];
    snprintf(command, sizeof command, "$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)/createdb -h %s/data -U scrim %s", server, name);
    assert_int_equal(system(command), 0);
    snprintf(address, sizeof address, "postgresql:///%s?host=%s/data&user=scrim", name, server);
    return address;
}

static void on_postgresql(void **state) {
    (void)state;
    if (!start_server()) skip();
    char where[512];
    never_over_budget(strcpy(where, database("budget")));
    assert_int_not_equal(ledger_create(where, CURRENCY_EPSILON, 1, NULL, 0, NULL), OK);
    kills(strcpy(where, database("kills")));
    together(strcpy(where, database("together")));
    stop_server();
}

/* Does another process see SQLite's lock of a writer (on the byte behind the first GiB, as its file format says)? Asked of the kernel:
 * SQLite itself would remember in the child what the parent held. */
static bool others_see_a_writer(const char *path) {
    pid_t child = fork();
    if (!child) {
        struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000001, .l_len = 1 };
        int file = open(path, O_RDWR);
        _exit(file >= 0 && !fcntl(file, F_GETLK, &lock) && lock.l_type != F_UNLCK ? 1 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* While one thread writes, another of the same process closes the same ledger: the first one's lock must hold. */
static void closing_drops_no_lock(void **state) {
    (void)state;
    char path[64];
    Error error = ERROR_NONE;
    Database first, second;
    snprintf(path, sizeof path, "/tmp/scrim-turn-%d", (int)getpid());
    unlink(path);
    assert_int_equal(database_sqlite(path, true, &first, &error), OK);
    assert_false(others_see_a_writer(path));
    assert_int_equal(first.query(&first, "CREATE TABLE t (x)", 0, NULL, NULL, &error), OK);
    assert_int_equal(first.enter(&first, &error), OK);
    assert_int_equal(first.query(&first, first.begin, 0, NULL, NULL, &error), OK);
    assert_true(others_see_a_writer(path));
    assert_int_equal(database_sqlite(path, false, &second, &error), OK);
    second.close(&second);
    assert_true(others_see_a_writer(path));
    assert_int_equal(first.query(&first, "COMMIT", 0, NULL, NULL, &error), OK);
    first.leave(&first);
    assert_false(others_see_a_writer(path));
    first.close(&first);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_are_exact),
        cmocka_unit_test(sqlite_budget),
        cmocka_unit_test(sqlite_bound),
        cmocka_unit_test(units_of_new_draws),
        cmocka_unit_test(conversions),
        cmocka_unit_test(ids_of_new_draws),
        cmocka_unit_test(requests_and_analysts),
        cmocka_unit_test(tampering_is_seen),
        cmocka_unit_test(sqlite_kills),
        cmocka_unit_test(sqlite_together),
        cmocka_unit_test(a_bad_disk_stops_the_release),
        cmocka_unit_test(on_postgresql),
        cmocka_unit_test(closing_drops_no_lock),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
