/* Tables by their names: suffixes, manifests, folders. */
#include "io/open.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "scrim.h"
#include "testing.h"

static Error error;
static Work work;

static int set_up(void **unused) {
    (void)unused;
    error = ERROR_NONE;
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
    return work.arena ? 0 : -1;
}
static int tear_down(void **unused) {
    (void)unused;
    arena_free(work.arena);
    return 0;
}

static void put(const char *path, const char *text) { assert_int_equal(file_write(path, text, strlen(text), false, &error), OK); }

static void by_suffix(void **unused) {
    (void)unused;
    Table *table = NULL, *again = NULL;
    put("a.csv", "a,b\n1,x\n2,y\n");
    assert_int_equal(table_open(&work, "a.csv", NULL, &table), OK);
    assert_false(table->perturbed);
    static const char *const names[] = { "b.csv", "b.tsv", "b.txt", "b.csv.gz", "b.tsv.zst" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(table_save(&work, table, names[i], NULL), OK);
        assert_int_equal(table_open(&work, names[i], NULL, &again), OK);
        assert_true(table_equal(table, again));
        table_release(again);
        unlink(names[i]);
    }
    again = NULL;
    assert_int_equal(table_open(&work, "a.pdf", NULL, &again), BAD);
    assert_non_null(strstr(error.advice, ".csv"));
    assert_int_equal(table_save(&work, table, "a.pdf", NULL), BAD);
    assert_int_equal(table_open(&work, "nowhere.csv", NULL, &again), BAD);
    assert_int_equal(table_open(&work, "/", NULL, &again), BAD);
    assert_int_equal(table_save(&work, table, "nowhere/a.csv", NULL), BAD);
    assert_null(again);
    assert_int_equal(table_save(&work, table, "/dev/null", NULL), OK);
    table_release(table);
    unlink("a.csv");
}

static void manifests(void **unused) {
    (void)unused;
    Table *table = NULL;
    put("a.csv", "a\n1\n");
    put("a.csv.manifest.json", "{\"schema\": 1, \"perturbed\": true}");
    assert_int_equal(table_open(&work, "a.csv", NULL, &table), OK);
    assert_true(table->perturbed && table_altered(table, "a")); /* no list: all of them */
    table_release(table);
    put("a.csv", "a,b\n1,2\n");
    put("a.csv.manifest.json", "{\"schema\": 1, \"perturbed\": true, \"perturbed_columns\": [\"b\"]}");
    assert_int_equal(table_open(&work, "a.csv", NULL, &table), OK);
    assert_true(table->perturbed && table_altered(table, "b") && !table_altered(table, "a") && !table_altered(table, "c"));
    table_release(table);
    put("a.csv.manifest.json", "{\"schema\": 1, \"perturbed\": true, \"perturbed_columns\": [\"renamed\"]}");
    assert_int_equal(table_open(&work, "a.csv", NULL, &table), OK);
    assert_true(table_altered(table, "a") && table_altered(table, "b")); /* which one is meant cannot be told */
    table_release(table);
    put("a.csv.manifest.json", "{\"schema\": 1, \"perturbed\": false}");
    assert_int_equal(table_open(&work, "a.csv", NULL, &table), OK);
    assert_false(table->perturbed);
    table_release(table);
    table = NULL;
    put("a.csv.manifest.json", "{\"schema\": 1,");
    assert_int_equal(table_open(&work, "a.csv", NULL, &table), BAD);
    assert_null(table);
    unlink("a.csv");
    unlink("a.csv.manifest.json");
}

static void release_all(int64_t count, const Table **tables) {
    for (int64_t i = 0; i < count; i++) table_release((Table *)(uintptr_t)tables[i]);
}

static void folders(void **unused) {
    (void)unused;
    int64_t count = 0;
    const char **names = NULL;
    const Table **tables = NULL;
    assert_int_equal(mkdir("f", 0700), 0);
    assert_int_equal(folder_open(&work, "f", NULL, &count, &names, &tables), BAD);
    put("f/sex.csv", "a\n1\n");
    put("f/age.tsv", "b\n2\n3\n");
    put("f/readme.md", "none\n");
    put("f/age.tsv.manifest.json", "{}");
    assert_int_equal(folder_open(&work, "f", NULL, &count, &names, &tables), OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "age");
    assert_string_equal(names[1], "sex");
    assert_int_equal(tables[0]->rows, 2);
    release_all(count, tables);
    assert_int_equal(folder_open(&work, "f/sex.csv,f/age.tsv", NULL, &count, &names, &tables), OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[1], "sex");
    release_all(count, tables);
    const char *types[] = { "b:real" };
    assert_int_equal(folder_open(&work, "f", &(CsvOptions){ .types = types, .type_count = 1 }, &count, &names, &tables), OK);
    assert_int_equal(tables[0]->column[0]->type, REAL_TYPE);
    release_all(count, tables);
    put("f/sex.txt", "a\n1\n");
    assert_int_equal(folder_open(&work, "f", NULL, &count, &names, &tables), BAD);
    put("f/sex.txt", "a\n1,2\n");
    assert_int_equal(folder_open(&work, "f", NULL, &count, &names, &tables), BAD);
    static const char *const files[] = { "f/sex.csv", "f/age.tsv", "f/readme.md", "f/age.tsv.manifest.json", "f/sex.txt" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
    rmdir("f");
}

/* What is written from these names under umask 0. */
static mode_t written(const char *names) {
    Transaction *stage = NULL;
    const char *now;
    struct stat about;
    mode_t mask = umask(0);
    assert_int_equal(transaction_new(&stage, &error), OK);
    assert_int_equal(transaction_path(stage, work.arena, "out.csv", table_closed(names), &now, &error), OK);
    put(now, "a\n1\n");
    assert_int_equal(transaction_commit(stage, &error), OK);
    umask(mask);
    assert_int_equal(stat("out.csv", &about), 0);
    unlink("out.csv");
    return about.st_mode & 0777;
}

/* A folder that cannot be listed for want of descriptors (as for want of memory): what lies there is neither lost nor shown. */
static void a_folder_that_cannot_be_listed(void **unused) {
    (void)unused;
    struct rlimit before, none;
    Transaction *stage = NULL;
    struct stat about;
    const char *now;
    mode_t mask = umask(0);
    assert_int_equal(mkdir("g", 0700), 0);
    put("g/a.csv", "a\n1\n");
    assert_int_equal(table_loses("g", "g/a.csv", &error), BAD);
    assert_non_null(strstr(error.message, "would be lost"));
    assert_int_equal(table_loses("g", "h.csv", &error), OK);
    assert_int_equal(scrim_table_same("g", "g/a.csv"), 1);
    assert_int_equal(scrim_table_same("g", "h.csv"), 0);
    assert_int_equal(transaction_new(&stage, &error), OK);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const Status protects = table_protect(stage, "g", NULL), loses = table_loses("g", "h.csv", &error);
    const int same = scrim_table_same("g", "g/a.csv");
    const unsigned closed = table_closed("g");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(protects, FAILED);
    assert_int_equal(loses, FAILED);
    assert_string_equal(error.file, "g");
    assert_int_equal(same, -1);
    assert_int_equal(transaction_path(stage, work.arena, "out.csv", closed, &now, &error), OK);
    put(now, "a\n1\n");
    assert_int_equal(transaction_commit(stage, &error), OK);
    assert_int_equal(stat("out.csv", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    umask(mask);
    unlink("out.csv");
    unlink("g/a.csv");
    rmdir("g");
}

static void modes(void **unused) {
    (void)unused;
    static const struct {
        const char *names;
        mode_t mode;
    } expected[] = { { NULL, 0666 },
                     { "none.csv", 0666 },
                     { "d/a.csv", 0640 },
                     { "d/b.db", 0604 },
                     { "d/a.csv,d/b.db", 0600 },
                     { "d", 0600 },
                     { "sqlite:d/b.db#t", 0604 },
                     { "SQLite:d/b.db#main.t", 0604 },
                     { "sqlite:d/b.db?query=select '#' from t", 0604 },
                     { "sqlite:d/a.csv#t,sqlite:d/b.db#t", 0600 },
                     { "duckdb:d/b.db#t", 0604 },
                     { "duckdb:d/a.csv", 0640 },
                     { "duckdb:d/b.db?query=from 'd/a.csv'", 0600 }, /* what a query reads is not known */
                     { "duckdb:?query=from 'd/b.db'", 0600 },
                     { "duckdb:d/*.csv", 0600 },
                     { "d/t.parquet", 0644 },
                     { "d/t.rda", 0640 },
                     { "postgresql:///d#t", 0600 } };
    static const struct {
        const char *path;
        mode_t mode;
    } files[] = { { "d/a.csv", 0640 }, { "d/b.db", 0604 }, { "d/t.parquet", 0644 }, { "d/t.rda", 0444 }, { "d/t.tab", 0440 } };
    assert_int_equal(mkdir("d", 0700), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        put(files[i].path, "a\n1\n");
        assert_int_equal(chmod(files[i].path, files[i].mode), 0);
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_int_equal(written(expected[i].names), expected[i].mode);
    int kept = dup(0);
    assert_non_null(freopen("d/a.csv", "r", stdin));
    assert_int_equal(written("-"), 0640);
    dup2(kept, 0);
    close(kept);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i].path);
    rmdir("d");
}

/* May d/a.csv be written where these tables are read? */
static bool kept(const char *names, const char *output) {
    Transaction *stage;
    Error error = { 0 };
    assert_int_equal(transaction_new(&stage, &error), OK);
    assert_int_equal(table_protect(stage, names, &error), OK);
    Status status = transaction_check(stage, output, &error);
    transaction_rollback(stage);
    return status == BAD;
}

static void what_is_read_stays(void **unused) {
    (void)unused;
    static const char *const reads[] = { "d/a.csv",
                                         "other.csv,d/a.csv",
                                         "d",
                                         "duckdb:d/a.csv",
                                         "duckdb:d/*.csv",
                                         "duckdb:d/?.[bc]sv",
                                         "duckdb:**/*.csv",
                                         "duckdb:d/**",
                                         "duckdb:?query=select 'it''s', a, b from 'd/a.csv'",
                                         "duckdb:?query=from \"d/a.csv\"",
                                         "duckdb:x.db?query=select * from read_csv(['d/b.csv', 'd/a*'])",
                                         "DuckDB:?query=from 'd/a.csv",
                                         "duckdb:?query=select * -- it's\nfrom 'd/a.csv'",
                                         "duckdb:?query=/* it's */ from 'd/a.csv'",
                                         "duckdb:?query=from read_csv($$d/a.csv$$)",
                                         "duckdb:?query=from read_csv($q$d/a*$q$)",
                                         "duckdb:?query=select * from d/a.csv",
                                         "sqlite:d/a.csv#t" },
                             *const others[] = { "d/b.csv",
                                                 "duckdb:d/b*",
                                                 "duckdb:*.csv",
                                                 "duckdb:e/**",
                                                 "duckdb:?query=from 'd/b.csv'",
                                                 "duckdb:?query=select ''",
                                                 "duckdb:https://example.org/d/a.csv",
                                                 "duckdb:d/[" };
    assert_int_equal(mkdir("d", 0700), 0);
    put("d/a.csv", "a\n1\n");
    assert_int_equal(symlink("d/a.csv", "link"), 0);
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) assert_true(kept(reads[i], "d/a.csv") && kept(reads[i], "link"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_false(kept(others[i], "d/a.csv"));
    unlink("link");
    unlink("d/a.csv");
    rmdir("d");
}

/* A pattern of DuckDB fits hidden files, too, but not the folder above; what a database was given last lies beside it. */
static void and_what_is_less_seen(void **unused) {
    (void)unused;
    static const char *const files[] = { "d/.h.csv", "a.csv", "b.db-wal", "b.db-journal", "b.db.wal" };
    assert_int_equal(mkdir("d", 0700), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) put(files[i], "a\n1\n");
    assert_true(kept("duckdb:d/*.csv", "d/.h.csv") && kept("duckdb:*/*.csv", "d/.h.csv") && kept("duckdb:d/**", "d/.h.csv"));
    assert_true(kept("duckdb:./*.csv", "a.csv") && kept("duckdb:d/../?.csv", "a.csv") && kept("duckdb:?query=from a.csv", "a.csv"));
    assert_false(kept("duckdb:*/a.csv", "a.csv") || kept("duckdb:.*/a.csv", "a.csv") || kept("duckdb:d/*/a.csv", "a.csv"));
    assert_false(kept("duckdb:?query=select count(*), 2*3.5 from 'd/.h.csv'", "a.csv"));
    assert_true(kept("sqlite:b.db#t", "b.db-wal") && kept("sqlite:b.db#t", "b.db-journal") && kept("duckdb:b.db#t", "b.db.wal"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
    rmdir("d");
}

static void by_address_and_home(void **unused) {
    (void)unused;
    char here[512], name[600];
    put("a.csv", "a\n1\n");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(setenv("HOME", here, 1), 0);
    assert_true(kept("duckdb:~/a.csv", "a.csv") && kept("duckdb:?query=from '~/*.csv'", "a.csv"));
    static const char *const before[] = { "", "file:", "file://", "file://localhost" };
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        snprintf(name, sizeof name, "duckdb:%s%s/a.csv", before[i], here);
        assert_true(kept(name, "a.csv"));
        snprintf(name, sizeof name, "duckdb:?query=from '%s%s/?.csv'", before[i], here);
        assert_true(kept(name, "a.csv"));
    }
    unlink("a.csv");
}

/* A table of a database that is read, by whatever name or by a query. */
static void tables_in_databases(void **unused) {
    (void)unused;
    static const char *const pairs[][2] = { { "#t", "#T" },
                                            { "#t", "#main.t" },
                                            { "?query=select * from t", "#t" },
                                            { "?query=select a from \"T\", u", "#t" },
                                            { "?query=from main.t where t1", "#main.t" } },
                             *const apart[][2] = { { "#t", "#u" }, { "?query=from t1, _t", "#t" }, { "?query=from u", "#query" } };
    put("b.db", "");
    put("c.db", "");
    for (int sqlite = 0; sqlite < 2; sqlite++) {
        char name[100], same[100], other[100];
        const char *kind = sqlite ? "sqlite" : "duckdb";
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            snprintf(name, sizeof name, "%s:b.db%s", kind, pairs[i][0]);
            snprintf(same, sizeof same, "%s:./b.db%s", sqlite ? "SQLite" : kind, pairs[i][1]);
            snprintf(other, sizeof other, "%s:c.db%s", kind, pairs[i][1]);
            assert_true(scrim_table_same(name, same) == 1 && scrim_table_same(name, other) == 0);
        }
        for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
            snprintf(name, sizeof name, "%s:b.db%s", kind, apart[i][0]);
            snprintf(other, sizeof other, "%s:b.db%s", kind, apart[i][1]);
            assert_int_equal(scrim_table_same(name, other), 0);
        }
    }
    assert_int_equal(scrim_table_same("postgres://h/d#t", "postgresql://h/d#public.t"), 1);
    assert_int_equal(scrim_table_same("postgres://h/d?query=select * from t", "postgres://h/d#t"), 1);
    assert_int_equal(scrim_table_same("postgres://h/d#t", "postgres://h/e#t"), 0);
    assert_int_equal(scrim_table_same("sqlite:b.db?query=select 1", "sqlite:b.db#"), 0);
    unlink("b.db");
    unlink("c.db");
}

/* With or without the library. */
static void no_passwords(void **unused) {
    (void)unused;
    static const char *const names[] = { "duckdb:?query=from postgres_scan('host=h password=hunter2', 'public', 't')",
                                         "duckdb:?query=select 1 as a, 'postgres://bob:hunter2@h/db' as b",
                                         "duckdb:https://bob:hunter2@h/t.csv" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Error error = { 0 };
        Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
        Table *table = NULL;
        char text[1024];
        assert_int_equal(table_open(&work, names[i], NULL, &table), BAD);
        error_text(&error, text, sizeof text);
        assert_true(strstr(text, "must not hold a password") && !strstr(text, "hunter2"));
        arena_free(work.arena);
    }
}

/* Where a folder cannot be read for want of descriptors, nothing is said to be harmless. */
static void patterns_without_descriptors(void **unused) {
    (void)unused;
    static const char *const names[] = { "duckdb:d/*.csv", "duckdb:d/**", "duckdb:*/a.csv", "d" };
    struct rlimit before;
    assert_int_equal(mkdir("d", 0700), 0);
    put("d/a.csv", "a\n1\n");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Transaction *stage;
        Error error = { 0 };
        assert_int_equal(transaction_new(&stage, &error), OK);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, before.rlim_max }), 0);
        Status status = table_protect(stage, names[i], &error);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        assert_int_equal(status, FAILED);
        transaction_rollback(stage);
    }
    unlink("d/a.csv");
    rmdir("d");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
    char folder[] = "/tmp/open-test-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    const struct CMUnitTest tests[] = { TEST(by_suffix),
                                        TEST(manifests),
                                        TEST(folders),
                                        TEST(a_folder_that_cannot_be_listed),
                                        TEST(modes),
                                        TEST(what_is_read_stays),
                                        TEST(and_what_is_less_seen),
                                        TEST(by_address_and_home),
                                        TEST(patterns_without_descriptors),
                                        TEST(no_passwords),
                                        TEST(tables_in_databases) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return chdir("/") || rmdir(folder) || failed;
}
