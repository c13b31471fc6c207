/* Arrow files and streams: what is written is read; whatever is broken in them is an error. tests/peers/arrow.py holds them against
 * pyarrow. */
#include <sodium.h>
#include <unistd.h>
#include "base/file.h"
#include "files.h"
#include "io/arrow/ipc.h"
#include "unit/io/ipc_samples.h"

static Table *mixed(void) {
    Column *columns[] = { column_of("n:integer 3 -7 NA 9223372036854775807"),
                          column_of("x:real 1.5 NA -2.25 1e300"),
                          column_of("c:category a NA it's a"),
                          column_of("t:text long_text NA é a"),
                          column_of("born:date 1790-02-03 2024-02-29 NA 1899-12-31"),
                          moments_of("seen") };
    return table_from(columns, 6);
}

static Table *again(const Table *table, const char *name) {
    Work work = tables_work(1);
    Table *out = NULL;
    tables_ok(table_save(&work, table, path(name), NULL));
    tables_ok(table_open(&work, path(name), NULL, &out));
    arena_free(work.arena);
    return out;
}

static void files_and_streams_hold_a_table(void **state) {
    (void)state;
    static const char *const names[] = { "a.arrow", "a.arrows", "a.feather" };
    for (int i = 0; i < 3; i++) {
        Table *table = mixed(), *back = again(table, names[i]);
        assert_true(table_equal(table, back));
        table_release(table);
        table_release(back);
    }
    Table *none = table_of("n:integer", "c:category", "t:text", NULL), *back = again(none, "none.arrow");
    assert_true(back->rows == 0 && back->columns == 3);
    table_release(none);
    table_release(back);
}

/* More than one batch: dictionaries, bitmaps and texts are cut and joined. */
static void many_batches(void **state) {
    (void)state;
    enum { ROWS = (1 << 18) * 2 + 77 };
    Column *columns[3];
    static const char *const words[] = { "low", "mid", "high" };
    tables_ok(column_new(INTEGER_TYPE, "n", ROWS, &columns[0], &tables_error));
    tables_ok(column_need_valid(columns[0], &tables_error));
    const char **cells = malloc(ROWS * sizeof *cells);
    char *bytes = malloc(ROWS * 8);
    for (int64_t i = 0; i < ROWS; i++) {
        columns[0]->integer[i] = i;
        if (i % 7 == 3) column_set_missing(columns[0], i);
        snprintf(bytes + i * 8, 8, "%lld", (long long)(i % 900000));
        cells[i] = i % 11 ? bytes + i * 8 : NULL;
    }
    column_seal(columns[0]);
    tables_ok(column_text("t", cells, ROWS, &columns[1], &tables_error));
    tables_ok(column_new(CATEGORY_TYPE, "o", ROWS, &columns[2], &tables_error));
    tables_ok(dictionary_new(words, 3, true, &columns[2]->words, &tables_error));
    for (int64_t i = 0; i < ROWS; i++) columns[2]->code[i] = (int32_t)(i % 3);
    Table *table = table_from(columns, 3), *back = again(table, "many.arrows");
    assert_true(column_equal(table->column[0], back->column[0]) && column_equal(table->column[1], back->column[1]) &&
                column_equal(table->column[2], back->column[2]));
    assert_true(back->column[2]->words->ordered);
    assert_string_equal(back->column[2]->words->word[2], "high");
    Work work = tables_work(1);
    Chunks chunks;
    int64_t rows = 0, parts = 0;
    tables_ok(ipc_chunks(&work, path("many.arrows"), NULL, 0, &chunks));
    for (Table *part = NULL;; parts++) {
        tables_ok(chunks.next(chunks.self, &work, &part));
        if (!part) break;
        for (int64_t i = 0; i < part->rows; i += 1001)
            assert_true(column_missing(part->column[0], i) || column_integer(part->column[0], i) == rows + i);
        rows += part->rows;
        table_release(part);
    }
    chunks.close(chunks.self);
    assert_true(rows == ROWS && parts == 3);
    arena_free(work.arena);
    table_release(table);
    table_release(back);
    free(cells);
    free(bytes);
}

/* A bad text in the second batch is told by its record in the table, read at once and batch by batch. */
static void names_the_record(void **state) {
    (void)state;
    enum { ROWS = (1 << 18) + 50, BAD_ROW = ROWS - 7 };
    const char **cells = malloc(ROWS * sizeof *cells);
    for (int64_t i = 0; i < ROWS; i++) cells[i] = i == BAD_ROW ? "here" : "word";
    Column *column;
    tables_ok(column_text("t", cells, ROWS, &column, &tables_error));
    Table *table = table_from(&column, 1), *part = NULL;
    Work work = tables_work(1);
    Bytes bytes;
    Chunks chunks;
    tables_ok(table_save(&work, table, path("late.arrows"), NULL));
    tables_ok(bytes_open(path("late.arrows"), &bytes, &tables_error));
    char *changed = malloc(bytes.count), *at;
    memcpy(changed, bytes.at, bytes.count);
    assert_non_null(at = memmem(changed, bytes.count, "here", 4));
    *at = (char)0xff;
    assert_int_equal(ipc_read_bytes(&work, "late", changed, bytes.count, &part), BAD);
    assert_int_equal(tables_error.row, BAD_ROW);
    tables_error.row = -1;
    tables_ok(file_write(path("late.arrows"), changed, bytes.count, false, &tables_error));
    tables_ok(ipc_chunks(&work, path("late.arrows"), NULL, 0, &chunks));
    tables_ok(chunks.next(chunks.self, &work, &part));
    table_release(part);
    assert_int_equal(chunks.next(chunks.self, &work, &part), BAD);
    assert_int_equal(tables_error.row, BAD_ROW);
    chunks.close(chunks.self);
    bytes_close(&bytes);
    arena_free(work.arena);
    table_release(table);
    free(changed);
    free(cells);
}

static char *bytes_from(const char *base64, size_t *count) {
    char *bytes = malloc(strlen(base64) + 1);
    assert_int_equal(sodium_base642bin((unsigned char *)bytes, strlen(base64), base64, strlen(base64), NULL, count, NULL,
                                       sodium_base64_VARIANT_ORIGINAL),
                     0);
    return bytes;
}

static Table *table_in(const char *base64) {
    Work work = tables_work(1);
    size_t count;
    char *bytes = bytes_from(base64, &count);
    Table *out = NULL;
    tables_ok(ipc_read_bytes(&work, "sample", bytes, count, &out));
    free(bytes);
    arena_free(work.arena);
    return out;
}

/* Views of texts, decimals, nulls, dictionaries of numbers; a file whose messages lie in no order. */
static void others_write_otherwise(void **state) {
    (void)state;
    Table *table = table_in(views_and_decimals);
    static const char *const texts[] = { "short", "é and more than twelve bytes", NULL, "", "another one that is long" };
    static const char *const keys[] = { "10", "-20", NULL, "10", "-20" };
    static const double reals[] = { 1.5, -12345678901234567890.25, 0, 0, 99.99 };
    char cell[33];
    assert_int_equal(table->rows, 5);
    for (int64_t i = 0; i < 5; i++) {
        const char *text = column_cell(table->column[0], i, cell);
        assert_true(texts[i] ? text && !strcmp(text, texts[i]) : !text);
        assert_int_equal(column_missing(table->column[1], i), i == 2);
        assert_true(i == 2 || table->column[1]->real[i] == reals[i]);
        assert_true(column_missing(table->column[2], i));
        const char *key = column_cell(table->column[3], i, cell);
        assert_true(keys[i] ? key && !strcmp(key, keys[i]) : !key);
    }
    table_release(table);
    table = table_in(records_first);
    assert_int_equal(table->rows, 3);
    assert_string_equal(column_cell(table->column[0], 1, cell), "a text that is beyond twelve");
    assert_true(column_missing(table->column[0], 2));
    assert_string_equal(column_cell(table->column[2], 1, cell), "v");
    assert_string_equal(column_cell(table->column[2], 2, cell), "u");
    table_release(table);
}

/* Bytes flipped and files cut, thousands of times: an error with a message, or a table; never a crash. Under sanitizers this looks at every
 * bound. */
static void break_bytes(const char *bytes, size_t whole) {
    uint64_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        Work work = tables_work(1);
        Table *out = NULL;
        size_t count = whole;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (round % 3 == 0) count = (seed >> 33) % whole;
        char *copy = malloc(count + 1);
        memcpy(copy, bytes, count);
        for (int k = 0; round % 3 && k <= round % 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            copy[(seed >> 33) % count] = (char)(seed >> 20);
        }
        Status status = ipc_read_bytes(&work, "broken", copy, count, &out);
        if (status) assert_true(work.error->message[0] && !out);
        if (round % 3 == 0 && count < whole) assert_int_equal(status, BAD);
        table_release(out);
        arena_free(work.arena);
        free(copy);
    }
}

static void broken_bytes(void **state) {
    (void)state;
    static const char *const names[] = { "a.arrow", "a.arrows" }, *const samples[] = { views_and_decimals, records_first };
    for (int f = 0; f < 2; f++) {
        Table *table = mixed();
        table_release(again(table, names[f]));
        table_release(table);
        Bytes whole;
        tables_ok(bytes_open(path(names[f]), &whole, &tables_error));
        break_bytes(whole.at, whole.count);
        bytes_close(&whole);
        size_t count;
        char *bytes = bytes_from(samples[f], &count);
        break_bytes(bytes, count);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(files_and_streams_hold_a_table), cmocka_unit_test(many_batches),
                                        cmocka_unit_test(names_the_record), cmocka_unit_test(others_write_otherwise),
                                        cmocka_unit_test(broken_bytes) };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
