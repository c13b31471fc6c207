/* Arrow arrays into columns. Doubles, 64-bit integers, days and microseconds stay where the producer has them, and its array is released
 * with the last column that uses it; all else is copied. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "io/arrow.h"

/* The producer's array, held by each column that shares its memory. */
typedef struct Lent {
    atomic_int references;
    struct ArrowArray array;
} Lent;

static void give_back(void *owner) {
    Lent *lent = owner;
    if (atomic_fetch_sub(&lent->references, 1) != 1) return;
    if (lent->array.release) lent->array.release(&lent->array);
    free(lent);
}

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

/* What the values are to us where they can stay where they are. */
static bool stays(const char *format, Type *type) {
    static const struct {
        const char *format;
        Type type;
    } as_ours[] = { { "g", REAL_TYPE }, { "l", INTEGER_TYPE }, { "tdD", DATE_TYPE }, { "tsu", DATETIME_TYPE } };
    for (size_t i = 0; i < sizeof as_ours / sizeof *as_ours; i++)
        if (!strncmp(format, as_ours[i].format, strlen(as_ours[i].format))) {
            *type = as_ours[i].type;
            return true;
        }
    return false;
}

static const void *first_cell(Type type, const struct ArrowArray *a) {
    return (const char *)a->buffers[1] + (size_t)a->offset * (type_wide(type) ? 8 : 4);
}

/* The producer's bits, and no number where it has NaN. */
static Status mark_missing(const struct ArrowArray *a, Column *column, Error *error) {
    Status status = OK;
    bool bits = a->buffers[0] && a->null_count, real = column->type == REAL_TYPE;
    for (int64_t i = 0; (bits || real) && i < a->length; i++) {
        if ((!bits || present(a, i)) && !(real && isnan(column->real[i]))) continue;
        if (!column->valid) TRY(column_need_valid(column, error));
        column_set_missing(column, i);
    }
    column_seal(column);
done:
    return status;
}

static Status share(const char *name, Type type, const struct ArrowArray *a, Lent *lent, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    const void *cells = first_cell(type, a);
    bool shared = lent->array.release && (uintptr_t)cells % (type_wide(type) ? 8 : 4) == 0;
    TRY(column_unfilled(type, name, shared ? 0 : a->length, &column, error));
    if (shared) {
        free(column->real);
        column->real = (double *)(uintptr_t)cells;
        column->rows = a->length;
        column->owner = lent;
        column->drop = give_back;
        atomic_fetch_add(&lent->references, 1);
    } else memcpy(column->real, cells, (size_t)a->length * (type_wide(type) ? 8 : 4));
    TRY(mark_missing(a, column, error));
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
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

/* The words of a dictionary that occur in the cells: their places in it, as they shall stand. */
typedef struct Words {
    const char **at;
    int64_t count, used;
    int64_t *place; /* of each used word */
    int32_t *code;  /* of each word; -1: unused, or missing itself */
} Words;

static int by_word(const void *a, const void *b, void *words) {
    return strcmp(((const char *const *)words)[*(const int64_t *)a], ((const char *const *)words)[*(const int64_t *)b]);
}

/* Sorted by bytes; or, where the dictionary has an order, by that. One that says a word twice has no order to keep. */
static bool put_in_order(Words *w, bool ordered) {
    bool repeated = false;
    qsort_r(w->place, (size_t)w->used, sizeof *w->place, by_word, w->at);
    int64_t distinct = 0;
    for (int64_t i = 0; i < w->used; i++) {
        bool again = i && !strcmp(w->at[w->place[i]], w->at[w->place[distinct - 1]]);
        repeated |= again;
        if (!again) w->place[distinct++] = w->place[i];
        w->code[w->place[i]] = (int32_t)(distinct - 1);
    }
    w->used = repeated ? distinct : w->used;
    if (repeated || !ordered) return false;
    w->used = 0;
    for (int64_t i = 0; i < w->count; i++) {
        if (w->code[i] < 0) continue;
        w->place[w->used] = i;
        w->code[i] = (int32_t)w->used++;
    }
    return true;
}

static int64_t word_of(const struct ArrowSchema *s, const struct ArrowArray *a, const Words *w, int64_t i) {
    int64_t code = -1;
    bool there = present(a, i) && whole(s->format[0], a->buffers[1], i + a->offset, &code) && code >= 0 && code < w->count && w->at[code];
    return there ? code : -1;
}

static Status coded(const char *name, const struct ArrowSchema *s, const struct ArrowArray *a, Words *w, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    const char **words = malloc((size_t)(w->count + 1) * sizeof *words);
    if (!words) TRY(fail(error, FAILED, "out of memory"));
    for (int64_t i = 0; i < w->count; i++) w->code[i] = -1;
    for (int64_t i = 0; i < a->length; i++) {
        int64_t word = word_of(s, a, w, i);
        if (word < 0 || w->code[word] == 0) continue;
        w->code[word] = 0;
        w->place[w->used++] = word;
    }
    bool ordered = put_in_order(w, s->flags & ARROW_FLAG_DICTIONARY_ORDERED);
    for (int64_t i = 0; i < w->used; i++) words[i] = w->at[w->place[i]];
    TRY(column_new(CATEGORY_TYPE, name, a->length, &column, error));
    TRY(dictionary_new(words, (int32_t)w->used, ordered, &column->words, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) {
        int64_t word = word_of(s, a, w, i);
        if (word < 0) column_set_missing(column, i);
        else column->code[i] = w->code[word];
    }
    column_seal(column);
    *out = column;
    column = NULL;
done:
    free(words);
    column_release(column);
    return status;
}

static Status dictionary(const char *name, const struct ArrowSchema *s, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    const char *format = s->dictionary->format;
    Words w = { .count = a->dictionary->length };
    if (strcmp(format, "u") && strcmp(format, "U")) return unsupported(name, format, error);
    if (w.count > INT32_MAX) {
        fail(error, BAD, "a dictionary of more than 2^31 words");
        return error_column(error, name);
    }
    w.at = texts(format[0], a->dictionary);
    w.place = malloc((size_t)(w.count + 1) * sizeof *w.place);
    w.code = malloc((size_t)(w.count + 1) * sizeof *w.code);
    if (!w.at || !w.place || !w.code) TRY(fail(error, FAILED, "out of memory"));
    TRY(coded(name, s, a, &w, out, error));
done:
    free(w.at);
    free(w.place);
    free(w.code);
    return status;
}

static Status import_column(const struct ArrowSchema *s, const struct ArrowArray *a, Lent *lent, Column **out, Error *error) {
    const char *name = s->name ? s->name : "", *format = s->format;
    Type type;
    if (s->dictionary && a->dictionary) return dictionary(name, s, a, out, error);
    if (a->length && stays(format, &type)) return share(name, type, a, lent, out, error);
    if (!strcmp(format, "tdD")) return column_new(DATE_TYPE, name, 0, out, error);
    if (!strncmp(format, "ts", 2) && format[2] && strchr("smun", format[2])) return moments(name, format[2], a, out, error);
    if (!strcmp(format, "tdm")) return moments(name, 'm', a, out, error);
    if (strlen(format) == 1 && strchr("bcCsSiIlLfg", format[0])) return numbers(name, format[0], a, out, error);
    if (strcmp(format, "u") && strcmp(format, "U")) return unsupported(name, format, error);
    const char **cells = texts(format[0], a);
    Status status = cells ? column_text(name, cells, a->length, out, error) : fail(error, FAILED, "out of memory");
    free(cells);
    return status;
}

static Status import_columns(const char *name, const struct ArrowSchema *s, Lent *lent, Table **out, Error *error) {
    Status status = OK;
    const struct ArrowArray *a = &lent->array;
    int64_t made = 0;
    if (strcmp(s->format, "+s") || s->n_children != a->n_children)
        return fail(error, BAD, "a table comes as a struct array of its columns");
    if (a->offset) return fail(error, BAD, "a struct array with an offset of its own is not taken");
    Column **columns = calloc((size_t)(s->n_children + 1), sizeof *columns);
    if (!columns) return fail(error, FAILED, "out of memory");
    for (; made < s->n_children; made++) TRY(import_column(s->children[made], a->children[made], lent, &columns[made], error));
    TRY(table_new(name, columns, made, a->length, out, error));
done:
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    free(columns);
    return status;
}

Status arrow_import(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, Table **out, Error *error) {
    Lent *lent = malloc(sizeof *lent);
    Status status = lent ? OK : fail(error, FAILED, "out of memory");
    if (lent) {
        atomic_init(&lent->references, 1);
        lent->array = *array; /* moved, as the interface allows */
        array->release = NULL;
        status = import_columns(name, schema, lent, out, error);
        give_back(lent);
    } else if (array->release) array->release(array);
    if (schema->release) schema->release(schema);
    return status;
}
