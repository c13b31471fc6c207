/* Columns: made, copied, shared, read. */
#include "table/column.h"
#include "table/column_cache.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/sort.h"

const char *type_name(Type type) {
    static const char *const names[] = { "real", "integer", "category", "text", "date", "datetime" };
    return names[type];
}

const char *type_values(Type type) {
    static const char *const names[] = { "numbers", "whole numbers", "categories", "text", "dates", "dates with times" };
    return names[type];
}

#define INLINE static inline __attribute__((always_inline))

static size_t cell_size(Type type) { return type_wide(type) || type == TEXT_TYPE ? 8 : 4; }
static int64_t cell_count(Type type, int64_t rows) { return rows + (type == TEXT_TYPE); }

Status dictionary_new(const char *const *words, int32_t count, bool ordered, Dictionary **out, Error *error) {
    size_t bytes = 0;
    for (int32_t i = 0; i < count; i++) bytes += strlen(words[i]) + 1;
    Dictionary *d = calloc(1, sizeof *d);
    if (d) d->word = malloc((size_t)(count ? count : 1) * sizeof *d->word);
    if (d) d->bytes = malloc(bytes ? bytes : 1);
    if (!d || !d->word || !d->bytes) {
        if (d) {
            free(d->word);
            free(d->bytes);
        }
        free(d);
        return out_of_memory(error);
    }
    char *at = d->bytes;
    for (int32_t i = 0; i < count; i++) {
        size_t length = strlen(words[i]) + 1;
        memcpy(at, words[i], length);
        d->word[i] = at;
        at += length;
    }
    d->count = count;
    d->ordered = ordered;
    atomic_init(&d->references, 1);
    *out = d;
    return OK;
}

Dictionary *dictionary_retain(Dictionary *dictionary) {
    if (dictionary) atomic_fetch_add(&dictionary->references, 1);
    return dictionary;
}

void dictionary_release(Dictionary *dictionary) {
    if (!dictionary || atomic_fetch_sub(&dictionary->references, 1) != 1) return;
    free(dictionary->word);
    free(dictionary->bytes);
    free(dictionary);
}

int32_t dictionary_find(const Dictionary *dictionary, const char *word) {
    if (dictionary->ordered) {
        for (int32_t i = 0; i < dictionary->count; i++)
            if (!strcmp(dictionary->word[i], word)) return i;
        return -1;
    }
    int32_t low = 0, high = dictionary->count - 1;
    while (low <= high) {
        int32_t middle = low + (high - low) / 2;
        int order = strcmp(word, dictionary->word[middle]);
        if (order == 0) return middle;
        if (order < 0) high = middle - 1;
        else low = middle + 1;
    }
    return -1;
}

static void leave(void *owner) { (void)owner; }

Status column_unfilled(Type type, const char *name, int64_t rows, Column **out, Error *error) {
    size_t bytes = (size_t)cell_count(type, rows) * cell_size(type);
    if (bytes > ((size_t)1 << 25) && memory_fits(bytes, error)) return FAILED;
    Column *column = calloc(1, sizeof *column);
    if (column) {
        column->name = strdup(name ? name : "");
        column->real = memory_new(bytes);
    }
    if (!column || !column->name || !column->real) {
        if (column) {
            free(column->name);
            free(column->real);
        }
        free(column);
        return out_of_memory(error);
    }
    column->type = type;
    column->rows = rows;
    atomic_init(&column->references, 1);
    *out = column;
    return OK;
}

Status column_over(Type type, const char *name, int64_t rows, const void *cells, Column **out, Error *error) {
    Column *column = calloc(1, sizeof *column);
    if (column) column->name = strdup(name ? name : "");
    if (!column || !column->name) {
        free(column);
        return out_of_memory(error);
    }
    column->type = type;
    column->rows = rows;
    column->real = (double *)(uintptr_t)cells;
    column->drop = leave;
    atomic_init(&column->references, 1);
    *out = column;
    return OK;
}

Status column_new(Type type, const char *name, int64_t rows, Column **out, Error *error) {
    Status status = column_unfilled(type, name, rows, out, error);
    if (!status) memset((*out)->real, 0, (size_t)cell_count(type, rows) * cell_size(type));
    return status;
}

Status column_need_valid(Column *column, Error *error) {
    if (column->valid) return OK;
    size_t words = (size_t)(column->rows + 63) / 64;
    column->valid = malloc((words ? words : 1) * 8);
    if (!column->valid) return out_of_memory(error);
    memset(column->valid, 0xFF, words * 8);
    return OK;
}

Status column_need_reason(Column *column, Error *error) {
    if (!column->reason) column->reason = calloc((size_t)(column->rows ? column->rows : 1), sizeof *column->reason);
    return column->reason ? OK : out_of_memory(error);
}

void column_set_missing(Column *column, int64_t row) { column->valid[row >> 6] &= ~(UINT64_C(1) << (row & 63)); }

void column_seal(Column *column) {
    column->missing = 0;
    if (!column->valid) return;
    int64_t words = (column->rows + 63) / 64, present = 0;
    if (words && (column->rows & 63)) column->valid[words - 1] &= (UINT64_C(1) << (column->rows & 63)) - 1;
    for (int64_t i = 0; i < words; i++) present += __builtin_popcountll(column->valid[i]);
    column->missing = column->rows - present;
    if (column->missing) return;
    free(column->valid);
    free(column->reason);
    column->valid = NULL;
    column->reason = NULL;
}

Column *column_retain(const Column *column) {
    Column *shared = (Column *)(uintptr_t)column;
    if (shared) atomic_fetch_add(&shared->references, 1);
    return shared;
}

void column_release(Column *column) {
    if (!column || atomic_fetch_sub(&column->references, 1) != 1) return;
    if (column->drop) column->drop(column->owner);
    else free(column->real);
    free(column->narrow);
    free(column->bytes);
    free(column->valid);
    dictionary_release(column->words);
    metadata_release(column->about);
    treatment_release(column->treatment);
    free(column->reason);
    free(column->name);
    free(column);
}

/* What a copy shares with its source beside the cells. */
static void copy_about(const Column *from, Column *to) {
    to->words = dictionary_retain(from->words);
    to->about = metadata_retain(from->about);
    to->treatment = treatment_retain(from->treatment);
    to->by_number = from->by_number;
}

Status column_copy(const Column *column, Column **out, Error *error) {
    Status status = OK;
    Column *copy = NULL;
    TRY(column_rename(column, column->name, &copy, error));
    TRY(column_widen(copy, error));
    *out = copy;
    copy = NULL;
done:
    column_release(copy);
    return status;
}

/* A column of that type and width, to be filled. */
static Status column_like(const Column *column, const char *name, int64_t rows, Column **out, Error *error) {
    return column->width ? column_of_width(name, rows, column->width, out, error) : column_unfilled(column->type, name, rows, out, error);
}
static char *cells_of(const Column *column) { return column->width ? column->narrow : (void *)column->real; }
static size_t size_of_cell(const Column *column) { return column->width ? (size_t)column->width : cell_size(column->type); }

Status column_rename(const Column *column, const char *name, Column **out, Error *error) {
    Status status = OK;
    Column *copy = NULL;
    TRY(column_like(column, name, column->rows, &copy, error));
    memcpy(cells_of(copy), cells_of(column), (size_t)cell_count(column->type, column->rows) * size_of_cell(column));
    if (column->type == TEXT_TYPE) {
        size_t bytes = column->offset[column->rows];
        if (!(copy->bytes = malloc(bytes ? bytes : 1))) TRY(out_of_memory(error));
        memcpy(copy->bytes, column->bytes, bytes);
    }
    if (column->valid) {
        TRY(column_need_valid(copy, error));
        memcpy(copy->valid, column->valid, (size_t)((column->rows + 63) / 64) * 8);
        copy->missing = column->missing;
    }
    if (column->reason) {
        TRY(column_need_reason(copy, error));
        memcpy(copy->reason, column->reason, (size_t)column->rows * sizeof *copy->reason);
    }
    copy_about(column, copy);
    *out = copy;
done:
    if (status) column_release(copy);
    return status;
}

static Status take_text(const Column *column, const int64_t *rows, int64_t count, Column *taken, Error *error) {
    uint64_t bytes = 0;
    for (int64_t i = 0; i < count; i++) {
        taken->offset[i] = bytes;
        bytes += rows[i] < 0 ? 1 : column->offset[rows[i] + 1] - column->offset[rows[i]];
    }
    taken->offset[count] = bytes;
    if (!(taken->bytes = malloc(bytes ? bytes : 1))) return out_of_memory(error);
    for (int64_t i = 0; i < count; i++) {
        if (rows[i] < 0) taken->bytes[taken->offset[i]] = 0;
        else memcpy(taken->bytes + taken->offset[i], column->bytes + column->offset[rows[i]], taken->offset[i + 1] - taken->offset[i]);
    }
    return OK;
}

INLINE void take_sized(char *to, const char *from, const int64_t *rows, int64_t count, size_t size) {
    for (int64_t i = 0; i < count; i++) {
        if (rows[i] < 0) memset(to + (size_t)i * size, 0, size);
        else memcpy(to + (size_t)i * size, from + (size_t)rows[i] * size, size);
    }
}
static void take_cells(const Column *column, const int64_t *rows, int64_t count, Column *taken) {
    char *to = cells_of(taken);
    const char *from = cells_of(column);
    switch (size_of_cell(column)) {
    case 1: take_sized(to, from, rows, count, 1); break;
    case 2: take_sized(to, from, rows, count, 2); break;
    case 4: take_sized(to, from, rows, count, 4); break;
    default: take_sized(to, from, rows, count, 8);
    }
}

Status column_take(const Column *column, const int64_t *rows, int64_t count, Column **out, Error *error) {
    Status status = OK;
    Column *taken = NULL;
    bool some_missing = column->valid != NULL;
    TRY(column_like(column, column->name, count, &taken, error));
    for (int64_t i = 0; i < count && !some_missing; i++) some_missing = rows[i] < 0;
    if (column->type == TEXT_TYPE) TRY(take_text(column, rows, count, taken, error));
    else take_cells(column, rows, count, taken);
    if (some_missing) {
        TRY(column_need_valid(taken, error));
        for (int64_t i = 0; i < count; i++)
            if (rows[i] < 0 || column_missing(column, rows[i])) column_set_missing(taken, i);
    }
    if (column->reason) {
        TRY(column_need_reason(taken, error));
        for (int64_t i = 0; i < count; i++) taken->reason[i] = rows[i] < 0 ? MISSING_CODE_NONE : column->reason[rows[i]];
    }
    column_seal(taken);
    copy_about(column, taken);
    *out = taken;
done:
    if (status) column_release(taken);
    return status;
}

Status column_text(const char *name, const char *const *cells, int64_t rows, Column **out, Error *error) {
    return column_text_taken(name, cells, rows, NULL, NULL, out, error);
}

Status column_text_taken(const char *name, const char *const *cells, int64_t rows, void (*taken)(void *self, int64_t row), void *self,
                         Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    TRY(column_new(TEXT_TYPE, name, rows, &column, error));
    uint64_t bytes = 0;
    for (int64_t i = 0; i < rows; i++) {
        column->offset[i] = bytes;
        bytes += (cells[i] ? strlen(cells[i]) : 0) + 1;
    }
    column->offset[rows] = bytes;
    if (!(column->bytes = malloc(bytes ? bytes : 1))) TRY(out_of_memory(error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < rows; i++) {
        if (!cells[i]) column_set_missing(column, i);
        memcpy(column->bytes + column->offset[i], cells[i] ? cells[i] : "", column->offset[i + 1] - column->offset[i]);
        if (taken) taken(self, i);
    }
    column_seal(column);
    *out = column;
done:
    if (status) column_release(column);
    return status;
}

/* Numbers the distinct words in their order: words[code], and the code of every row that has one. */
static Status number_words(const char *const *cells, int64_t rows, const char **words, int32_t *code, int32_t *distinct, Error *error) {
    size_t room = (size_t)(rows ? rows : 1);
    Keyed sorted = { malloc(room * 8), malloc(room * 4) }, aside = { malloc(room * 8), malloc(room * 4) };
    Status status = sorted.key && sorted.row && aside.key && aside.row ? OK : out_of_memory(error);
    int64_t count = 0;
    *distinct = 0;
    for (int64_t i = 0; !status && i < rows; i++)
        if (cells[i]) sorted.row[count++] = (int32_t)i;
    if (!status) text_sort_here(cells, sorted, aside, count);
    for (int64_t i = 0; i < count; i++) {
        const char *word = cells[sorted.row[i]];
        if (!i || strcmp(word, words[*distinct - 1])) words[(*distinct)++] = word;
        code[sorted.row[i]] = *distinct - 1;
    }
    free(sorted.key);
    free(sorted.row);
    free(aside.key);
    free(aside.row);
    return status;
}

Status column_category(const char *name, const char *const *cells, int64_t rows, Column **out, Error *error) {
    Status status = OK;
    Column *column = NULL;
    const char **words = malloc((size_t)(rows ? rows : 1) * sizeof *words);
    int32_t distinct = 0;
    if (!words) TRY(out_of_memory(error));
    TRY(column_new(CATEGORY_TYPE, name, rows, &column, error));
    TRY(number_words(cells, rows, words, column->code, &distinct, error));
    TRY(dictionary_new(words, distinct, false, &column->words, error));
    TRY(column_need_valid(column, error));
    for (int64_t i = 0; i < rows; i++)
        if (!cells[i]) column_set_missing(column, i);
    column_seal(column);
    *out = column;
done:
    free(words);
    if (status) column_release(column);
    return status;
}

double column_number(const Column *column, int64_t row) {
    if (column_missing(column, row)) return NAN;
    switch (column->type) {
    case REAL_TYPE: return column->real[row];
    case INTEGER_TYPE: return (double)column_integer(column, row);
    case CATEGORY_TYPE: return (double)column->code[row];
    case DATE_TYPE: return (double)column->date[row];
    case DATETIME_TYPE: return (double)column->moment[row] / 86400e6;
    case TEXT_TYPE: break;
    }
    return NAN;
}

const char *column_cell(const Column *column, int64_t row, char out[33]) {
    if (column_missing(column, row)) return NULL;
    size_t length = 0;
    switch (column->type) {
    case REAL_TYPE: length = write_real(column->real[row], out); break;
    case INTEGER_TYPE: length = write_integer(column_integer(column, row), out); break;
    case DATE_TYPE: length = write_date(column->date[row], out); break;
    case DATETIME_TYPE: length = write_datetime(column->moment[row], out); break;
    case CATEGORY_TYPE: return column->words->word[column->code[row]];
    case TEXT_TYPE: return column->bytes + column->offset[row];
    }
    out[length] = 0;
    return out;
}

static Status make_reals(Work *work, Columns columns, int how, void *out) {
    Status status = OK;
    const Column *column = columns.at[0];
    double *reals = NULL;
    (void)how;
    NEW(work, reals, column->rows);
    for (int64_t i = 0; i < column->rows; i++) reals[i] = column_number(column, i);
    *(const double **)out = reals;
done:
    return status;
}

Status column_reals(Work *work, const Column *column, const double **out) {
    if (column->type == REAL_TYPE && !column->valid) {
        *out = column->real;
        return OK;
    }
    return cache_take(work, CACHE_REALS, (Columns){ .count = 1, .at = &column }, 0, make_reals, out, sizeof *out);
}
