/* Tables in parts: put together again they are the table read at once, and written again the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "testing.h"
#include "base/file.h"
#include "io/csv/chunks.h"
#include "io/open.h"
#include "io/chunk_reader.h"

static Error error;
static Work work;
static char folder[64];

static const char *path_of(const char *name) {
    static char path[4][256];
    static int at;
    at = (at + 1) % 4;
    snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
    return path[at];
}

static void save(const char *path, const char *text) { assert_int_equal(file_write(path, text, strlen(text), false, &error), OK); }

static void same_cells(const Table *whole, const Table *part, int64_t first) {
    char a[33], b[33];
    assert_int_equal(part->columns, whole->columns);
    for (int64_t j = 0; j < part->columns; j++) {
        const Column *x = whole->column[j], *y = part->column[j];
        bool words = x->type == TEXT_TYPE || x->type == CATEGORY_TYPE;
        assert_string_equal(x->name, y->name);
        if (words) assert_true(y->type == TEXT_TYPE || y->type == CATEGORY_TYPE);
        else assert_int_equal(x->type, y->type);
        for (int64_t i = 0; i < part->rows; i++) {
            const char *p = column_cell(x, first + i, a), *q = column_cell(y, i, b);
            assert_true(!p == !q);
            if (p) assert_string_equal(p, q);
        }
    }
}

/* Reads the file at once and in parts of every size; writes it both ways. */
static void check(const char *path, const CsvOptions *options, int most_rounds) {
    static const int64_t sizes[] = { 1, 2, 3, 7, 1000, 0 };
    Table *whole, *part;
    if (table_open(&work, path, options, &whole)) fail_msg("%s: %s", path, error.message);
    const char *at_once = path_of("at-once.csv"), *by_parts = path_of("by-parts.csv");
    assert_int_equal(csv_write(&work, whole, at_once, NULL), OK);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        ChunkReader *parted;
        CsvSheet *sheet;
        int64_t first, rows = 0;
        int rounds = 0;
        if (chunk_reader_open(&work, path, options, sizes[s] ? 1 << 20 : 40, sizes[s], &parted)) fail_msg("%s: %s", path, error.message);
        do {
            if (rounds++) assert_int_equal(chunk_reader_rewind(parted, &work), OK);
            while (!chunk_reader_next(parted, &work, &part, &first) && part) table_release(part);
        } while (chunk_reader_again(parted));
        assert_in_range(rounds, 1, most_rounds);
        assert_int_equal(csv_sheet_open(&work, by_parts, NULL, &sheet), OK);
        do {
            assert_int_equal(chunk_reader_rewind(parted, &work), OK);
            if (rows) assert_int_equal(csv_sheet_rewind(sheet, &work), OK);
            rows = 0;
            for (;;) {
                if (chunk_reader_next(parted, &work, &part, &first)) fail_msg("%s", error.message);
                if (!part) break;
                assert_int_equal(first, rows);
                same_cells(whole, part, first);
                assert_int_equal(csv_sheet_add(sheet, &work, part), OK);
                rows += part->rows;
                table_release(part);
            }
        } while (csv_sheet_again(sheet));
        assert_int_equal(rows, whole->rows);
        assert_int_equal(csv_sheet_commit(sheet, &work), OK);
        if (rows) {
            char a[65], b[65];
            assert_int_equal(file_hash(at_once, a, &error), OK);
            assert_int_equal(file_hash(by_parts, b, &error), OK);
            if (strcmp(a, b)) fail_msg("%s in parts of %lld is written otherwise", path, (long long)sizes[s]);
        }
        chunk_reader_close(parted);
    }
    table_release(whole);
}

static void test_kinds(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "a,b\n1,x\n2,y\n3,z\n",
        "a,b\n1,x\n2,y\n3.5,z\n",                       /* wider at the end */
        "a,b\n,x\n,y\n7,z\nlast,\n",                    /* missing, whole, words */
        "a,b\n2020-01-01,1\n2020-01-02,2\nsoon,3\n",    /* dates that turn out words */
        "a,b\n1.0,1\n2.0,2\n3.0,3\n",                   /* whole reals are written 1.0 */
        "a,b\n1,1.5\n2,2\n3,3\n",                       /* only the first is not whole */
        "a;b\n1,5;x\n2,5;y\n",                          /* a separator found */
        "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\"\n",      /* all in quotes */
        "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\"\n3,z\n", /* not all */
        "a,b\n\"1\n2\",x\n\"3\"\"4\",\"y,z\"\n5,\n",    /* lines and quotes within */
        "a,b\n1,x\n2,y",                                /* no newline at the end */
        "a,b\r\n1,x\r\n2,y\r\n\r\n\r\n",                /* carriage returns, blank lines at the end */
        "a,b\n1,x\n2,y\n\n\n\n",                        /* blank lines at the end */
        "a\n1\n\n3\n",                                  /* one column: a blank line is a missing value */
        "\xEF\xBB\xBF"
        "a,b\n1,x\n2,y\n",                  /* a byte order mark */
        "a,b\n007,1\n\"12\",2\n\"13\",3\n", /* numbers as words */
        "c,d\n\"1\",1\n\"2\",2\n",          /* words that all look like numbers: quoted when written */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *path = path_of("t.csv");
        save(path, texts[i]);
        check(path, NULL, 3);
    }
}

static void test_random(void **unused) {
    (void)unused;
    static const char *const cells[] = { "1", "-20", "3.5", "x", "", "\"q\"\"r\"", "\"a\nb\"", "2021-05-06", "\"7\"", "1e5", "0.0", "ünï" };
    uint64_t state = 3;
    static char text[1 << 16];
    for (int round = 0; round < 40; round++) {
        size_t at = (size_t)sprintf(text, "p,q,r\n");
        int rows = 1 + (7 * round) % 40, kinds = 1 + round % 12;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < 3; j++) {
                state = state * UINT64_C(6364136223846793005) + 1;
                at += (size_t)sprintf(text + at, "%s%c", cells[(state >> 40) % (uint64_t)kinds], j < 2 ? ',' : '\n');
            }
        const char *path = path_of("r.csv");
        save(path, text);
        check(path, NULL, 8);
    }
}

static void test_packed(void **unused) {
    (void)unused;
    Table *whole;
    assert_int_equal(table_open(&work, "examples/clinic.csv", NULL, &whole), OK);
    for (int i = 0; i < 3; i++) {
        const char *path = path_of(i == 0 ? "c.csv.gz" : i == 1 ? "c.csv.zst" : "c.arrows");
        assert_int_equal(table_save(&work, whole, path, NULL), OK);
        check(path, NULL, 2);
    }
    table_release(whole);
}

static void refused(const char *path, const char *said, int64_t line) {
    ChunkReader *parted;
    Table *part;
    int64_t first;
    Status status = chunk_reader_open(&work, path, NULL, 1 << 16, 2, &parted);
    if (!status) {
        while (!(status = chunk_reader_next(parted, &work, &part, &first)) && part) table_release(part);
        chunk_reader_close(parted);
    }
    assert_int_equal(status, BAD);
    if (!strstr(error.message, said)) fail_msg("says: %s", error.message);
    assert_int_equal(error.line, line);
}

static void test_bad(void **unused) {
    (void)unused;
    const char *path = path_of("bad.csv");
    save(path, "a,b\n1,2\n3,4\n5,6\n7\n8,9\n");
    refused(path, "this record has 1 field", 5);
    save(path, "a,b\n1,2\n3,4\n\"5,6\n");
    refused(path, "", 4);
    save(path, "");
    refused(path, "is empty", -1);
    refused(path_of("not-there.csv"), "there is no such file", -1);
    const char *packed = path_of("cut.csv.gz");
    Bytes bytes;
    assert_int_equal(bytes_open(path_of("c.csv.gz"), &bytes, &error), OK);
    assert_int_equal(file_write(packed, bytes.at, bytes.count / 2, false, &error), OK);
    bytes_close(&bytes);
    refused(packed, "is not a whole gzip file", -1);
    refused("/dev/null", "can be read once only", -1);
}

int main(void) {
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 2 };
    error = ERROR_NONE;
    snprintf(folder, sizeof folder, "/tmp/scrim-parted-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds), cmocka_unit_test(test_random), cmocka_unit_test(test_packed),
                                        cmocka_unit_test(test_bad) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) failed++;
    arena_free(work.arena);
    return failed;
}
