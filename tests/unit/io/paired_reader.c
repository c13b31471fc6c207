/* Two tables side by side: their parts begin with the same record, and all records come once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "testing.h"
#include "base/file.h"
#include "io/paired_reader.h"

static Error error;
static Work work;
static char folder[] = "/tmp/abreast-test-XXXXXX", path[2][128];

/* Records 0 … rows − 1, each with its number; longer the more there are, so that parts differ in their records. */
static void save(int t, int64_t rows) {
    Buffer text = { 0 };
    buffer_text(&text, t ? "word,n\n" : "n\n");
    for (int64_t i = 0; i < rows; i++) buffer_print(&text, t ? "a word that is long,%lld\n" : "%lld\n", (long long)i);
    snprintf(path[t], sizeof path[t], "%s/%d.csv", folder, t);
    assert_int_equal(file_write(path[t], text.bytes, text.count, false, &error), OK);
    buffer_free(&text);
}

static void read_both(int64_t bytes, int64_t rows, const int64_t want[2]) {
    PairedReader *both;
    Table *part[PAIRED_FILES];
    int64_t first, seen[2] = { 0 };
    const char *paths[] = { path[0], path[1] };
    assert_int_equal(paired_reader_open(&work, paths, 2, NULL, (size_t)bytes, rows, &both), OK);
    for (int round = 0; round < 2; round++) {
        int64_t turns = 0;
        seen[0] = seen[1] = 0;
        for (;; turns++) {
            assert_int_equal(paired_reader_next(both, &work, part, &first), OK);
            if (!part[0]) break;
            assert_int_equal(first, seen[0] > seen[1] ? seen[0] : seen[1]);
            for (int t = 0; t < 2; t++) {
                const Column *number = table_column(part[t], "n");
                assert_true(part[t]->rows == 0 || first == seen[t]);
                if (rows) assert_true(part[t]->rows <= rows);
                for (int64_t i = 0; i < part[t]->rows; i++) assert_int_equal(column_integer(number, i), first + i);
                seen[t] += part[t]->rows;
            }
            assert_true(part[0]->rows == part[1]->rows || seen[0] == want[0] || seen[1] == want[1]);
            for (int t = 0; t < 2; t++) table_release(part[t]);
        }
        assert_null(part[1]);
        assert_true(turns > 0); /* without records they come once */
        for (int t = 0; t < 2; t++) assert_int_equal(seen[t], want[t]);
        assert_false(paired_reader_again(both));
        assert_int_equal(paired_reader_rewind(both, &work), OK);
    }
    paired_reader_close(both);
}

static void test_in_step(void **unused) {
    (void)unused;
    static const int64_t counts[][2] = { { 1000, 1000 }, { 1000, 10 }, { 3, 700 }, { 0, 5 }, { 5, 0 }, { 0, 0 }, { 1, 1 } };
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int t = 0; t < 2; t++) save(t, counts[c][t]);
        for (int64_t rows = 0; rows < 20; rows += 1 + 2 * rows) read_both(1 << 16, rows, counts[c]);
        read_both(100, 0, counts[c]);
    }
}

/* Whose types grew on the way is told. */
static void test_wider(void **unused) {
    (void)unused;
    PairedReader *both;
    Table *part[PAIRED_FILES];
    int64_t first;
    const char *paths[] = { path[0], path[1] };
    for (int late = 0; late < 2; late++) {
        for (int t = 0; t < 2; t++) save(t, 20);
        FILE *file = fopen(path[late], "a");
        assert_non_null(file);
        fputs(late ? "word,word\n" : "word\n", file);
        fclose(file);
        assert_int_equal(paired_reader_open(&work, paths, 2, NULL, 1 << 16, 7, &both), OK);
        do {
            assert_int_equal(paired_reader_next(both, &work, part, &first), OK);
            for (int t = 0; t < 2; t++) table_release(part[t]);
        } while (part[0]);
        assert_int_equal(paired_reader_again(both), late + 1);
        paired_reader_close(both);
    }
}

static void test_refused(void **unused) {
    (void)unused;
    PairedReader *both = NULL;
    const char *paths[] = { path[0], "/nowhere/at/all.csv" };
    assert_int_not_equal(paired_reader_open(&work, paths, 2, NULL, 100, 0, &both), OK);
    assert_null(both);
}

int main(void) {
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_in_step), cmocka_unit_test(test_wider), cmocka_unit_test(test_refused) };
    if (!mkdtemp(folder)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int t = 0; t < 2; t++) unlink(path[t]);
    rmdir(folder);
    arena_free(work.arena);
    return failed;
}
