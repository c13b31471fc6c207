/* Where in a file something is wrong, and what. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "io/csv/private.h"

static int64_t characters(const char *p, const char *end) {
    int64_t count = 0;
    for (; p < end; p++) count += (*p & 0xC0) != 0x80;
    return count;
}

Status csv_fail(const Csv *csv, Error *error, const char *where, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fail(error, BAD, "%s", message);
    error_file(error, csv->file);
    if (!where) return BAD;
    int64_t line = csv->lines + 1;
    const char *start = csv->bytes, *newline;
    while (start < where && (newline = memchr(start, '\n', (size_t)(where - start)))) {
        line++;
        start = newline + 1;
    }
    error_line(error, line, characters(start, where) + 1);
    return BAD;
}

Status csv_explain(const Csv *csv, const char *at, const char *limit, Error *error) {
    Cursor cursor = { at, csv->end, csv->separator, NULL, NULL };
    Cell cell;
    while (cursor.at < limit) {
        const char *extra = NULL;
        int64_t fields = 0;
        do {
            if (fields == csv->columns) extra = cursor.at;
            fields++;
            if (!cursor_next(&cursor, &cell)) {
                csv_fail(csv, error, cursor.wrong, "%s", cursor.problem);
                return error_advice(error, "Put a field that holds a quote in quotes, and write the quote inside it twice.");
            }
        } while (!cell.last);
        if (fields == csv->columns) continue;
        csv_fail(csv, error, extra ? extra : cell.end + cell.quoted, "this record has %lld field%s, the header has %lld", (long long)fields,
                 fields == 1 ? "" : "s", (long long)csv->columns);
        if (csv->separator == '\t') return error_advice(error, "Fields are separated by tabs; a field that holds one must be in quotes.");
        return error_advice(error, "Fields are separated by '%c'; a field that holds one must be in quotes.", csv->separator);
    }
    return csv_fail(csv, error, at, "a record here is longer than 4 GiB");
}
