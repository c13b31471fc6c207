/* Small tables for tests, written as text: table_of("age:integer 30 41 NA", "sex:category f m f", NULL). NA is missing; _ in a word stands
 * for a space. */
#ifndef SCRIM_TABLES_H
#define SCRIM_TABLES_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "table/table.h"
#include "testing.h"

static Error tables_error;

static inline Work tables_work(int threads) {
    tables_error = ERROR_NONE;
    return (Work){ .arena = arena_new(), .error = &tables_error, .threads = threads };
}

static inline void tables_ok(Status status) {
    char text[2048];
    if (status == OK) return;
    error_text(&tables_error, text, sizeof text);
    fail_msg("%s", text);
}

static inline void tables_cell(Column *column, int64_t row, const char *word) {
    const char *end = word + strlen(word);
    if (!strcmp(word, "NA")) {
        tables_ok(column_need_valid(column, &tables_error));
        column_set_missing(column, row);
    } else if (column->type == INTEGER_TYPE) assert_true(read_integer(word, end, &column->integer[row]));
    else if (column->type == REAL_TYPE) assert_true(read_real(word, end, '.', &column->real[row]));
    else assert_true(read_date(word, end, &column->date[row]));
}

static inline Column *column_of(const char *text) {
    char *copy = strdup(text), *words[4096], *save = NULL;
    int64_t count = 0;
    for (char *word = strtok_r(copy, " ", &save); word && count < 4096; word = strtok_r(NULL, " ", &save)) {
        for (char *c = word; *c; c++)
            if (*c == '_') *c = ' ';
        words[count++] = word;
    }
    char *type = strrchr(words[0], ':');
    *type++ = 0;
    Column *column = NULL;
    if (!strcmp(type, "category") || !strcmp(type, "text")) {
        for (int64_t i = 1; i < count; i++)
            if (!strcmp(words[i], "NA")) words[i] = NULL;
        tables_ok(
            (*type == 'c' ? column_category : column_text)(words[0], (const char *const *)words + 1, count - 1, &column, &tables_error));
    } else {
        tables_ok(column_new(*type == 'i'   ? INTEGER_TYPE
                             : *type == 'r' ? REAL_TYPE
                                            : DATE_TYPE,
                             words[0], count - 1, &column, &tables_error));
        for (int64_t i = 1; i < count; i++) tables_cell(column, i - 1, words[i]);
        column_seal(column);
        column_narrow(column); /* as readers do */
    }
    free(copy);
    return column;
}

static inline Table *table_from(Column **columns, int64_t count) { /* takes the columns over */
    Table *table = NULL;
    tables_ok(table_new("test", columns, count, 0, &table, &tables_error));
    for (int64_t i = 0; i < count; i++) column_release(columns[i]);
    return table;
}

static inline Table *table_of(const char *first, ...) {
    Column *columns[64];
    int64_t count = 0;
    va_list args;
    va_start(args, first);
    for (const char *text = first; text; text = va_arg(args, const char *)) columns[count++] = column_of(text);
    va_end(args);
    return table_from(columns, count);
}
#endif
