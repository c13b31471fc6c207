/* Arrow arrays into columns. Values are copied: the producer's memory is released at once. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "io/arrow.h"

static bool present(const struct ArrowArray *a, int64_t i) {
    const uint8_t *bits = a->n_buffers ? a->buffers[0] : NULL;
    int64_t at = i + a->offset;
    return !bits || (bits[at >> 3] >> (at & 7)) & 1;
}

static Status unsupported(const char *name, const char *format, Error *error) {
    fail(error, BAD, "the Arrow type '%s' is not one that a table holds", format);
    error_advice(error, "Cast it to integer, double, string, date32 or a dictionary of strings.");
    return error_column(error, name);
}

static bool whole(char format, const void *values, int64_t i, int64_t *out) {
    switch (format) {
    case 'b': *out = (((const uint8_t *)values)[i >> 3] >> (i & 7)) & 1; return true;
    case 'c': *out = ((const int8_t *)values)[i]; return true;
    case 'C': *out = ((const uint8_t *)values)[i]; return true;
    case 's': *out = ((const int16_t *)values)[i]; return true;
    case 'S': *out = ((const uint16_t *)values)[i]; return true;
    case 'i': *out = ((const int32_t *)values)[i]; return true;
    case 'I': *out = ((const uint32_t *)values)[i]; return true;
    case 'l': *out = ((const int64_t *)values)[i]; return true;
    case 'L': *out = (int64_t)((const uint64_t *)values)[i]; return ((const uint64_t *)values)[i] <= INT64_MAX;
    default: return false;
    }
}

static Status numbers(const char *name, char format, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    bool real = format == 'f' || format == 'g';
    TRY(column_new(real ? REAL_TYPE : INTEGER_TYPE, name, a->length, &column, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) {
        int64_t at = i + a->offset;
        if (!present(a, i)) {
            column_set_missing(column, i);
            continue;
        }
        if (!real && !whole(format, a->buffers[1], at, &column->integer[i])) {
            fail(error, BAD, "a whole number beyond 2^63 does not fit");
            TRY(error_column(error, name));
        }
        if (!real) continue;
        column->real[i] = format == 'f' ? ((const float *)a->buffers[1])[at] : ((const double *)a->buffers[1])[at];
        if (isnan(column->real[i])) column_set_missing(column, i);
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

static Status dates(const char *name, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    TRY(column_new(DATE_TYPE, name, a->length, &column, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) {
        if (present(a, i)) column->date[i] = ((const int32_t *)a->buffers[1])[i + a->offset];
        else column_set_missing(column, i);
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

/* Timestamps in seconds, milli-, micro- or nanoseconds; what is finer than a microsecond is cut off. Those with a zone count from UTC, as
 * ours then do. */
static Status moments(const char *name, char unit, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    int64_t times = unit == 's' ? 1000000 : unit == 'm' ? 1000 : 1;
    TRY(column_new(DATETIME_TYPE, name, a->length, &column, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) {
        int64_t value = ((const int64_t *)a->buffers[1])[i + a->offset];
        if (!present(a, i)) {
            column_set_missing(column, i);
            continue;
        }
        if (unit == 'n') column->moment[i] = value / 1000 - (value % 1000 < 0);
        else if (__builtin_mul_overflow(value, times, &column->moment[i])) {
            fail(error, BAD, "a time lies beyond what microseconds in 64 bits can count");
            TRY(error_column(error, name));
        }
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

/* Cells as C texts in one block: pointers first, then the bytes. NULL when memory is out. */
static const char **texts(char format, const struct ArrowArray *a) {
    const int32_t *small = a->buffers[1];
    const int64_t *large = a->buffers[1];
    const char *bytes = a->buffers[2];
    size_t total = (size_t)(a->length + 1) * sizeof(char *);
#define SPAN(i, from, size)                                                                                                                \
    int64_t from = format == 'U' ? large[(i) + a->offset] : small[(i) + a->offset],                                                        \
            size = (format == 'U' ? large[(i) + a->offset + 1] : small[(i) + a->offset + 1]) - from
    for (int64_t i = 0; i < a->length; i++) {
        SPAN(i, from, size);
        (void)from;
        total += (size_t)size + 1;
    }
    const char **cells = malloc(total);
    if (!cells) return NULL;
    char *at = (char *)(cells + a->length + 1);
    for (int64_t i = 0; i < a->length; i++) {
        SPAN(i, from, size);
        cells[i] = present(a, i) ? at : NULL;
        if (size) memcpy(at, bytes + from, (size_t)size);
        at[size] = 0;
        at += size + 1;
    }
#undef SPAN
    return cells;
}

/* The category's words in the order that the dictionary gives them; only those that occur. Where it says a word twice there is no order to
 * keep. */
static Status keep_order(Column *column, const char *const *words, int64_t count, Error *error) {
    Status status = OK;
    Dictionary *ordered = NULL;
    int32_t kept = 0, known = column->words->count, *place = malloc(((size_t)known + 1) * sizeof *place);
    const char **word = malloc(((size_t)known + 1) * sizeof *word);
    if (!place || !word) TRY(fail(error, FAILED, "out of memory"));
    for (int32_t w = 0; w < known; w++) place[w] = -1;
    for (int64_t i = 0; i < count; i++) {
        int32_t w = words[i] ? dictionary_find(column->words, words[i]) : -1;
        if (w < 0) continue;
        if (place[w] >= 0) goto done;
        place[w] = kept;
        word[kept++] = words[i];
    }
    TRY(dictionary_new(word, kept, true, &ordered, error));
    for (int64_t i = 0; i < column->rows; i++)
        if (!column_missing(column, i)) column->code[i] = place[column->code[i]];
    dictionary_release(column->words);
    column->words = ordered;
done:
    free(place);
    free(word);
    return status;
}

static Status dictionary(const char *name, const struct ArrowSchema *s, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    const char **words = NULL, **cells = NULL;
    const char *format = s->dictionary->format;
    if (strcmp(format, "u") && strcmp(format, "U")) return unsupported(name, format, error);
    words = texts(format[0], a->dictionary);
    cells = malloc((size_t)(a->length + 1) * sizeof *cells);
    if (!words || !cells) TRY(fail(error, FAILED, "out of memory"));
    for (int64_t i = 0; i < a->length; i++) {
        int64_t code = -1;
        bool there = present(a, i) && whole(s->format[0], a->buffers[1], i + a->offset, &code) && code >= 0 && code < a->dictionary->length;
        cells[i] = there ? words[code] : NULL;
    }
    TRY(column_category(name, cells, a->length, out, error));
    if (s->flags & ARROW_FLAG_DICTIONARY_ORDERED) TRY(keep_order(*out, words, a->dictionary->length, error));
done:
    if (status) {
        column_release(*out);
        *out = NULL;
    }
    free(words);
    free(cells);
    return status;
}

static Status import_column(const struct ArrowSchema *s, const struct ArrowArray *a, Column **out, Error *error) {
    const char *name = s->name ? s->name : "", *format = s->format;
    if (s->dictionary && a->dictionary) return dictionary(name, s, a, out, error);
    if (!strcmp(format, "tdD")) return dates(name, a, out, error);
    if (!strncmp(format, "ts", 2) && format[2] && strchr("smun", format[2])) return moments(name, format[2], a, out, error);
    if (!strcmp(format, "tdm")) return moments(name, 'm', a, out, error);
    if (strlen(format) == 1 && strchr("bcCsSiIlLfg", format[0])) return numbers(name, format[0], a, out, error);
    if (strcmp(format, "u") && strcmp(format, "U")) return unsupported(name, format, error);
    const char **cells = texts(format[0], a);
    Status status = cells ? column_text(name, cells, a->length, out, error) : fail(error, FAILED, "out of memory");
    free(cells);
    return status;
}

static Status import_columns(const char *name, const struct ArrowSchema *s, const struct ArrowArray *a, Table **out, Error *error) {
    Status status = OK;
    int64_t made = 0;
    if (strcmp(s->format, "+s") || s->n_children != a->n_children)
        return fail(error, BAD, "a table comes as a struct array of its columns");
    if (a->offset) return fail(error, BAD, "a struct array with an offset of its own is not taken");
    Column **columns = calloc((size_t)(s->n_children + 1), sizeof *columns);
    if (!columns) return fail(error, FAILED, "out of memory");
    for (; made < s->n_children; made++) TRY(import_column(s->children[made], a->children[made], &columns[made], error));
    TRY(table_new(name, columns, made, a->length, out, error));
done:
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    free(columns);
    return status;
}

Status arrow_import(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, Table **out, Error *error) {
    Status status = import_columns(name, schema, array, out, error);
    if (schema->release) schema->release(schema);
    if (array->release) array->release(array);
    return status;
}
