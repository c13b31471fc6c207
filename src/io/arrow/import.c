/* Arrow arrays into columns. Numbers and dates that are stored as ours are stay where they are, kept until the last column over them goes;
 * everything else is copied. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "io/arrow/private.h"

/* The producer's structs, released with the last that needs them. */
typedef struct Lent {
    atomic_int references;
    struct ArrowArray array;
} Lent;

static void lent_release(void *owner) {
    Lent *lent = owner;
    if (atomic_fetch_sub(&lent->references, 1) != 1) return;
    if (lent->array.release) lent->array.release(&lent->array);
    free(lent);
}

Status arrow_unsupported(const char *name, const char *format, Error *error) {
    fail(error, BAD, "the Arrow type '%s' is not one that a table holds", format);
    error_advice(error, "Cast it to integer, double, string, date32 or a dictionary of strings.");
    return error_column(error, name);
}

/* Buffers of a file that is mapped, or of a careless caller, need not be aligned. */
static int64_t load_64(const void *values, int64_t i) {
    int64_t x;
    memcpy(&x, (const char *)values + 8 * i, sizeof x);
    return x;
}
static uint32_t load_32(const void *values, int64_t i) {
    uint32_t x;
    memcpy(&x, (const char *)values + 4 * i, sizeof x);
    return x;
}
static uint16_t load_16(const void *values, int64_t i) {
    uint16_t x;
    memcpy(&x, (const char *)values + 2 * i, sizeof x);
    return x;
}

bool arrow_whole(char format, const void *values, int64_t i, int64_t *out) {
    switch (format) {
    case 'b': *out = (((const uint8_t *)values)[i >> 3] >> (i & 7)) & 1; return true;
    case 'c': *out = ((const int8_t *)values)[i]; return true;
    case 'C': *out = ((const uint8_t *)values)[i]; return true;
    case 's': *out = (int16_t)load_16(values, i); return true;
    case 'S': *out = load_16(values, i); return true;
    case 'i': *out = (int32_t)load_32(values, i); return true;
    case 'I': *out = load_32(values, i); return true;
    case 'l': *out = load_64(values, i); return true;
    case 'L': *out = load_64(values, i); return *out >= 0; /* beyond 2^63 is below 0 */
    default: return false;
    }
}

/* The column's own bitmap from the array's; none where none is missing. */
static Status take_valid(const struct ArrowArray *a, Column *column, Error *error) {
    Status status = OK;
    const uint8_t *bits = a->n_buffers ? a->buffers[0] : NULL;
    if (!bits || !a->null_count) return OK;
    TRY(column_need_valid(column, error));
    if (a->offset % 8 == 0) memcpy(column->valid, bits + a->offset / 8, (size_t)(a->length + 7) / 8);
    else
        for (int64_t i = 0; i < a->length; i++)
            if (!arrow_present(a, i)) column_set_missing(column, i);
done:
    return status;
}

/* ---- shared ---- */

/* What stands under a missing cell must tell nothing: zero, or not a number. */
static bool nothing_hidden(const Column *column) {
    for (int64_t i = 0; i < column->rows; i++) {
        if (!column_missing(column, i)) continue;
        if (type_wide(column->type) ? column_integer(column, i) != 0 : column->date[i] != 0)
            if (column->type != REAL_TYPE || !isnan(column->real[i])) return false;
    }
    return true;
}

static Status mark_nans(Column *column, Error *error) {
    Status status = OK;
    for (int64_t i = 0; i < column->rows; i++) {
        if (!isnan(column->real[i])) continue;
        TRY(column_need_valid(column, error));
        column_set_missing(column, i);
    }
done:
    return status;
}

/* Gives no column where the cells cannot be used as they lie. */
static Status share(const char *name, Type type, Lent *lent, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    size_t width = type_wide(type) ? 8 : 4;
    const char *cells = a->length ? (const char *)a->buffers[1] + (size_t)a->offset * width : NULL;
    Column *column = NULL;
    if (!lent || !cells || (uintptr_t)cells % width) return OK;
    TRY(column_over(type, name, a->length, cells, &column, error));
    TRY(take_valid(a, column, error));
    if (type == REAL_TYPE) TRY(mark_nans(column, error));
    column_seal(column);
    if (!nothing_hidden(column)) goto done;
    atomic_fetch_add(&lent->references, 1);
    column->owner = lent;
    column->drop = lent_release;
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

/* ---- copied ---- */

static double half(uint16_t bits) { /* IEEE 754 binary16 */
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31 ? fraction ? NAN : INFINITY : ldexp(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);
    return bits >> 15 ? -size : size;
}

static double real_of(char format, const void *values, int64_t i) {
    float single;
    double real;
    if (format == 'e') return half(load_16(values, i));
    if (format == 'f') {
        uint32_t bits = load_32(values, i);
        memcpy(&single, &bits, sizeof single);
        return single;
    }
    memcpy(&real, (const char *)values + 8 * i, sizeof real);
    return real;
}

static Status numbers(const char *name, char format, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    bool real = format == 'e' || format == 'f' || format == 'g';
    TRY(column_new(real ? REAL_TYPE : INTEGER_TYPE, name, a->length, &column, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) {
        int64_t at = i + a->offset;
        if (!arrow_present(a, i)) {
            column_set_missing(column, i);
            continue;
        }
        if (!real && !arrow_whole(format, a->buffers[1], at, &column->integer[i])) {
            fail(error, BAD, "a whole number beyond 2^63 does not fit");
            error_row(error, i);
            TRY(error_column(error, name));
        }
        if (!real) continue;
        column->real[i] = real_of(format, a->buffers[1], at);
        if (isnan(column->real[i])) column_set_missing(column, i);
    }
    column_seal(column);
    column_narrow(column);
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
        if (arrow_present(a, i)) column->date[i] = (int32_t)load_32(a->buffers[1], i + a->offset);
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
        int64_t value = load_64(a->buffers[1], i + a->offset);
        if (!arrow_present(a, i)) {
            column_set_missing(column, i);
            continue;
        }
        if (unit == 'n') column->moment[i] = value / 1000 - (value % 1000 < 0);
        else if (__builtin_mul_overflow(value, times, &column->moment[i])) {
            fail(error, BAD, "a time lies beyond what microseconds in 64 bits can count");
            error_row(error, i);
            TRY(error_column(error, name));
        }
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

/* Nothing but missing cells, and no type to them: numbers, as a file's empty column is. */
static Status nothings(const char *name, const struct ArrowArray *a, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    TRY(column_new(REAL_TYPE, name, a->length, &column, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < a->length; i++) column_set_missing(column, i);
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

/* ---- columns ---- */

static Status import_column(const struct ArrowSchema *s, const struct ArrowArray *a, Lent *lent, Column **out, Error *error) {
    Status status = OK;
    const char *name = s->name ? s->name : "", *format = s->format;
    bool stamps = !strncmp(format, "ts", 2) && format[2] && strchr("smun", format[2]);
    if (s->dictionary && a->dictionary) return arrow_dictionary(name, s, a, out, error);
    if (!strcmp(format, "g")) TRY(share(name, REAL_TYPE, lent, a, out, error));
    if (!strcmp(format, "l")) TRY(share(name, INTEGER_TYPE, lent, a, out, error));
    if (!strcmp(format, "tdD")) TRY(share(name, DATE_TYPE, lent, a, out, error));
    if (stamps && format[2] == 'u') TRY(share(name, DATETIME_TYPE, lent, a, out, error));
    if (*out) return OK;
    if (!strcmp(format, "n")) return nothings(name, a, out, error);
    if (!strcmp(format, "tdD")) return dates(name, a, out, error);
    if (stamps) return moments(name, format[2], a, out, error);
    if (!strcmp(format, "tdm")) return moments(name, 'm', a, out, error);
    if (!strncmp(format, "d:", 2)) return arrow_decimal(name, format, a, out, error);
    if (strlen(format) == 1 && strchr("bcCsSiIlLefg", format[0])) return numbers(name, format[0], a, out, error);
    return arrow_text(name, format, a, out, error);
done:
    return status;
}

/* A child as its parent's window shows it. */
static Status window(const struct ArrowSchema *s, const struct ArrowArray *parent, const struct ArrowArray *child, struct ArrowArray *out,
                     Error *error) {
    *out = *child;
    if (child->length < parent->offset + parent->length) {
        fail(error, BAD, "a column is shorter than its table");
        return error_column(error, s->name ? s->name : "");
    }
    if (parent->offset || child->length != parent->length) out->null_count = child->null_count ? -1 : 0;
    out->offset += parent->offset;
    out->length = parent->length;
    return OK;
}

static bool missing_rows(const struct ArrowArray *a) {
    for (int64_t i = 0; a->null_count && i < a->length; i++)
        if (!arrow_present(a, i)) return true;
    return false;
}

static Status import_columns(const char *name, const struct ArrowSchema *s, const struct ArrowArray *a, Lent *lent, Table **out,
                             Error *error) {
    Status status = OK;
    int64_t made = 0;
    if (!s->format || strcmp(s->format, "+s") || s->n_children != a->n_children || s->n_children < 0 || a->length < 0 || a->offset < 0)
        return fail(error, BAD, "a table comes as a struct array of its columns");
    if (missing_rows(a)) return fail(error, BAD, "a record as a whole cannot be missing");
    Column **columns = calloc((size_t)(s->n_children + 1), sizeof *columns);
    if (!columns) return out_of_memory(error);
    for (; made < s->n_children; made++) {
        struct ArrowArray child;
        if (!s->children[made] || !s->children[made]->format || !a->children[made])
            TRY(fail(error, BAD, "a column of the table is not there, or says no type"));
        TRY(window(s->children[made], a, a->children[made], &child, error));
        TRY(import_column(s->children[made], &child, lent, &columns[made], error));
    }
    TRY(table_new(name, columns, made, a->length, out, error));
done:
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    free(columns);
    return status;
}

Status arrow_import(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, Table **out, Error *error) {
    Lent *lent = malloc(sizeof *lent);
    Status status = lent ? OK : out_of_memory(error);
    if (lent) {
        atomic_init(&lent->references, 1);
        lent->array = *array; /* moved, as the interface allows */
        array->release = NULL;
        status = import_columns(name, schema, &lent->array, lent->array.release ? lent : NULL, out, error);
        lent_release(lent);
    } else if (array->release) array->release(array);
    if (schema->release) schema->release(schema);
    return status;
}
