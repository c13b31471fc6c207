/* Columns as Arrow arrays that share their memory: each holds a reference to its column until it is released. */
#include <stdlib.h>
#include <string.h>
#include "io/arrow.h"

typedef struct Shared {
    Column *column;
    const void *buffers[3];
    int64_t *offset;
    char *bytes;
} Shared; /* offset, bytes: text packed without its NULs */

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
        good = export_column(table->column[i], s, a);
    }
    if (good) return OK;
    release_schema(schema);
    release_array(array);
    return fail(error, FAILED, "out of memory");
}
