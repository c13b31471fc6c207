/* A large file that is mapped, and written to while it is read: an error, whatever it has become. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "io/open.h"
#include "io/arrow/ipc.h"
#include "testing.h"

enum { LINE = 12, LINES = (17 << 20) / LINE };

typedef struct Writer {
    int descriptor, calls, when; /* at which time that it is told how far the reading is */
    const char *text;            /* of LINE bytes, again and again */
} Writer;

static void put_lines(int descriptor, const char *text) {
    char *all = malloc((size_t)LINES * LINE);
    assert_non_null(all);
    for (int64_t i = 0; i < LINES; i++) memcpy(all + i * LINE, text, LINE);
    memcpy(all, "name\n", 5); /* the header is read once */
    all[(size_t)LINES * LINE - 1] = '\n';
    assert_int_equal(pwrite(descriptor, all, (size_t)LINES * LINE, 0), (ssize_t)LINES * LINE);
    free(all);
}

static void write_now(void *self, const char *what, double share) {
    (void)what, (void)share;
    Writer *writer = self;
    if (writer->calls++ == writer->when) put_lines(writer->descriptor, writer->text);
}

/* More records than were counted, fewer, one for the whole file, other words, another type, a quote. */
static void changes(void **state) {
    static const char *const before[] = { "12345678901\n", "abcdefghijk\n" }, *const after[] = { "1\n2\n3\n4\n5\n6\n", "12345678901 ",
                                                                                                 "zyxwvut\nabc\n", "lmnopqrstuv\n",
                                                                                                 "\"2345678901\n" };
    char path[] = "/tmp/changes-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    bytes_map_large(true);
    for (int b = 0; b < 2; b++)
        for (int a = 0; a < 5; a++)
            for (int when = 0; when < 20; when += 9) {
                Error error = ERROR_NONE;
                Writer writer = { .descriptor = descriptor, .when = when, .text = after[a] };
                Work work = { .arena = arena_new(), .error = &error, .threads = 1, .progress = &(Progress){ write_now, &writer, NULL } };
                Table *table = NULL;
                put_lines(descriptor, before[b]);
                usleep(20000); /* the clock of files is coarse */
                Status status = csv_read(&work, path, NULL, &table);
                assert_int_equal(status, when < writer.calls ? FAILED : OK);
                if (status) assert_non_null(strstr(error.message, "changed while it was read"));
                assert_true(status ? !table : table != NULL);
                table_release(table);
                arena_free(work.arena);
            }
    bytes_map_large(false);
    close(descriptor);
    unlink(path);
    (void)state;
}

/* Another file in its place is no change. */
static void replaced(void **state) {
    char path[] = "/tmp/changes-XXXXXX", other[] = "/tmp/changes-XXXXXX";
    int descriptor = mkstemp(path), second = mkstemp(other);
    Error error = ERROR_NONE;
    Bytes bytes;
    bytes_map_large(true);
    put_lines(descriptor, "12345678901\n");
    assert_int_equal(bytes_open_by(&(Work){ .error = &error, .threads = 1 }, path, &bytes), OK);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(bytes_unchanged(&bytes, path, &error), OK);
    bytes_close(&bytes);
    bytes_map_large(false);
    close(descriptor);
    close(second);
    unlink(path);
    (void)state;
}

/* Arrow's messages are copied as they come: what was read stays, and the next part is none. */
static void between_batches(void **state) {
    enum { ROWS = 2200000 };
    char path[] = "/tmp/changes-XXXXXX.arrow";
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Column *column;
    Table *table, *back = NULL, *part = NULL;
    Chunks chunks;
    int descriptor = mkstemps(path, 6);
    assert_int_equal(column_new(INTEGER_TYPE, "n", ROWS, &column, &error), OK);
    for (int64_t i = 0; i < ROWS; i++) column->integer[i] = i * i;
    assert_int_equal(table_new("t", &column, 1, ROWS, &table, &error), OK);
    column_release(column);
    assert_int_equal(table_save(&work, table, path, NULL), OK);
    bytes_map_large(true);
    assert_int_equal(table_open(&work, path, NULL, &back), OK);
    assert_true(table_equal(table, back));
    table_release(back);
    usleep(20000);
    assert_int_equal(ipc_chunks(&work, path, NULL, 0, &chunks), OK);
    assert_int_equal(chunks.next(chunks.self, &work, &part), OK);
    assert_true(part->rows < ROWS && column_integer(part->column[0], part->rows - 1) == (part->rows - 1) * (part->rows - 1));
    table_release(part);
    assert_int_equal(truncate(path, 20 << 20), 0);
    assert_int_equal(chunks.next(chunks.self, &work, &part), FAILED);
    chunks.close(chunks.self);
    bytes_map_large(false);
    table_release(table);
    arena_free(work.arena);
    close(descriptor);
    unlink(path);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(changes), cmocka_unit_test(replaced), cmocka_unit_test(between_batches) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
