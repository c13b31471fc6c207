/* Any bytes at all: the CSV reader gives a table or an error, and a table it gives is the same after writing and reading it again. */
#include <stdlib.h>
#include <string.h>
#include "io/csv/csv.h"

static bool words(const Column *column) { return column->type == TEXT_TYPE || column->type == CATEGORY_TYPE; }

/* Text may come back as a category, or the other way round, where dropping nothing changed how often words repeat: never here, the rows are
 * the same. */
static void must_equal(const Table *a, const Table *b) {
    if (!table_equal(a, b)) abort();
    for (int64_t j = 0; j < a->columns; j++)
        if (words(a->column[j]) != words(b->column[j]) || a->column[j]->missing != b->column[j]->missing) abort();
}

/* The first byte chooses options, so that all of them are reached. */
static CsvOptions options_from(uint8_t choice, const char **na) {
    CsvOptions options = { .threads = 1 };
    if (choice & 1) options.decimal = ',';
    if (choice & 2) options.separator = ';';
    if (choice & 4) {
        options.na = na;
        options.na_count = 2;
    }
    return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    const char *na[] = { "NA", "." };
    CsvOptions options = options_from(data[0], na);
    char *bytes = malloc(size); /* exactly as long as it is, so that reading beyond is seen */
    if (!work.arena || !bytes) abort();
    memcpy(bytes, data + 1, size - 1);
    Table *table = NULL, *again = NULL;
    if (csv_read_bytes(&work, "fuzz", bytes, size - 1, &options, &table) == OK) {
        Buffer out = { 0 };
        csv_write_buffer(table, &options, &out);
        if (out.failed || csv_read_bytes(&work, "again", out.bytes, out.count, &options, &again)) abort();
        must_equal(table, again);
        buffer_free(&out);
    } else if (!error.message[0]) {
        abort();
    }
    table_release(table);
    table_release(again);
    arena_free(work.arena);
    free(bytes);
    return 0;
}
