/* Columns as Arrow arrays that share their memory: each holds a reference to its column until it is released. */
#include <stdlib.h>
#include <string.h>
#include "io/arrow/arrow.h"

typedef struct Shared {
    Column *column;
    const void *buffers[3];
    int64_t *offset;
    char *bytes;
    int64_t *wide;
} Shared; /* offset, bytes: text packed without its NULs; wide: whole numbers that are narrow in the column */

static void release_array(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release) array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary) {
        if (array->dictionary->release) array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    free(array->children);
    Shared *shared = array->private_data;
    if (shared) {
        column_release(shared->column);
        free(shared->offset);
        free(shared->bytes);
        free(shared->wide);
    }
    free(shared);
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema) {
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary) {
        if (schema->dictionary->release) schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free(schema->children);
    free((char *)(uintptr_t)schema->name);
    schema->release = NULL;
}

/* Text without the NUL between cells, with offsets of 64 bits. */
static bool pack(Shared *shared, int64_t count, const char *(*cell)(const void *, int64_t), const void *from) {
    size_t total = 0;
    shared->offset = malloc((size_t)(count + 1) * 8);
    if (!shared->offset) return false;
    for (int64_t i = 0; i < count; i++) {
        shared->offset[i] = (int64_t)total;
        total += strlen(cell(from, i));
    }
    shared->offset[count] = (int64_t)total;
    shared->bytes = malloc(total ? total : 1);
    for (int64_t i = 0; shared->bytes && i < count; i++)
        memcpy(shared->bytes + shared->offset[i], cell(from, i), (size_t)(shared->offset[i + 1] - shared->offset[i]));
    shared->buffers[1] = shared->offset;
    shared->buffers[2] = shared->bytes;
    return shared->bytes;
}
static const char *text_cell(const void *from, int64_t i) {
    const Column *c = from;
    return c->bytes + c->offset[i];
}
static const char *word_cell(const void *from, int64_t i) { return ((const Dictionary *)from)->word[i]; }

static bool fill(struct ArrowArray *array, int64_t length, int64_t missing, int64_t buffers, Shared *shared) {
    *array = (struct ArrowArray){ .length = length,
                                  .null_count = missing,
                                  .n_buffers = buffers,
                                  .release = release_array,
                                  .private_data = shared };
    array->buffers = shared->buffers;
    return true;
}

/* Words that no cell has are not given out, for they may tell what was taken away: place[word] is where one goes. NULL memory is out. */
static int32_t *used_words(const Column *column, int32_t *count) {
    int32_t *place = calloc((size_t)column->words->count + 1, sizeof *place);
    *count = 0;
    for (int64_t i = 0; place && i < column->rows; i++)
        if (!column_missing(column, i)) place[column->code[i]] = 1;
    for (int32_t w = 0; place && w < column->words->count; w++) place[w] = place[w] ? (*count)++ : -1;
    return place;
}

/* The column with those words alone. */
static Status without_unused(const Column *column, Column **out, Error *error) {
    Status status = OK;
    int32_t count = 0, *place = used_words(column, &count);
    const char **word = malloc(((size_t)column->words->count + 1) * sizeof *word);
    Column *copy = NULL;
    if (!place || !word) TRY(out_of_memory(error));
    *out = column_retain(column);
    if (count == column->words->count) goto done;
    column_release(*out);
    *out = NULL;
    TRY(column_copy(column, &copy, error));
    for (int32_t w = 0; w < column->words->count; w++)
        if (place[w] >= 0) word[place[w]] = column->words->word[w];
    dictionary_release(copy->words);
    copy->words = NULL;
    TRY(dictionary_new(word, count, column->words->ordered, &copy->words, error));
    for (int64_t i = 0; i < copy->rows; i++) copy->code[i] = column_missing(column, i) ? 0 : place[column->code[i]];
    *out = copy;
    copy = NULL;
done:
    column_release(copy);
    free(place);
    free(word);
    return status;
}

static bool export_dictionary(const Dictionary *words, struct ArrowSchema *schema, struct ArrowArray *array) {
    Shared *shared = calloc(1, sizeof *shared);
    schema->dictionary = calloc(1, sizeof *schema->dictionary);
    array->dictionary = calloc(1, sizeof *array->dictionary);
    if (!shared || !schema->dictionary || !array->dictionary) {
        free(shared);
        return false;
    }
    *schema->dictionary = (struct ArrowSchema){ .format = "U", .release = release_schema };
    fill(array->dictionary, words->count, 0, 3, shared);
    return pack(shared, words->count, word_cell, words);
}

static bool export_column(const Column *column, struct ArrowSchema *schema, struct ArrowArray *array) {
    static const char *const formats[] = { "g", "l", "i", "U", "tdD", "tsu:" };
    Shared *shared = calloc(1, sizeof *shared);
    if (!shared) return false;
    shared->column = column_retain(column);
    shared->buffers[0] = column->valid;
    shared->buffers[1] = column->real;
    *schema = (struct ArrowSchema){ .format = formats[column->type],
                                    .name = strdup(column->name),
                                    .flags = ARROW_FLAG_NULLABLE,
                                    .release = release_schema };
    fill(array, column->rows, column->missing, column->type == TEXT_TYPE ? 3 : 2, shared);
    if (!schema->name) return false;
    if (column->width) {
        if (!(shared->wide = memory_new((size_t)column->rows * sizeof *shared->wide))) return false;
        shared->buffers[1] = column_integers(column, 0, column->rows, shared->wide);
    }
    if (column->type == TEXT_TYPE) return pack(shared, column->rows, text_cell, column);
    if (column->type != CATEGORY_TYPE) return true;
    if (column->words->ordered) schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    return export_dictionary(column->words, schema, array);
}

Status arrow_export(const Table *table, struct ArrowSchema *schema, struct ArrowArray *array, Error *error) {
    static const void *none[1] = { NULL };
    bool good = true;
    *schema = (struct ArrowSchema){ .format = "+s", .release = release_schema };
    *array = (struct ArrowArray){ .length = table->rows, .n_buffers = 1, .buffers = none, .release = release_array };
    schema->children = calloc((size_t)(table->columns + 1), sizeof *schema->children);
    array->children = calloc((size_t)(table->columns + 1), sizeof *array->children);
    good = schema->children && array->children;
    for (int64_t i = 0; good && i < table->columns; i++) {
        struct ArrowSchema *s = calloc(1, sizeof *s);
        struct ArrowArray *a = calloc(1, sizeof *a);
        if (!s || !a) {
            free(s);
            free(a);
            good = false;
            break;
        }
        schema->children[schema->n_children++] = s;
        array->children[array->n_children++] = a;
        Column *column = NULL;
        if (table->column[i]->type != CATEGORY_TYPE) column = column_retain(table->column[i]);
        else if (without_unused(table->column[i], &column, error)) column = NULL;
        good = column && export_column(column, s, a);
        column_release(column);
    }
    if (good) return OK;
    release_schema(schema);
    release_array(array);
    return out_of_memory(error);
}
