/* Tables over the memory of Python objects: nothing is copied, and the objects are held until the library lets go. */
#include <stdlib.h>
#include <string.h>
#include "core.h"

/* One column's structs. */
typedef struct Child {
    struct ArrowSchema schema, words_schema;
    struct ArrowArray array, words;
    const void *buffers[3], *word_buffers[3];
    uint8_t *bits;
    char *name, *format;
} Child;

typedef struct Held {
    PyObject *keep; /* whatever the cells belong to */
    Py_ssize_t count;
    Child *child;
    struct ArrowSchema **schemas;
    struct ArrowArray **arrays;
} Held;

static void held_free(Held *held) {
    for (Py_ssize_t i = 0; held->child && i < held->count; i++) {
        free(held->child[i].bits);
        free(held->child[i].name);
        free(held->child[i].format);
    }
    free(held->child);
    free(held->schemas);
    free(held->arrays);
    free(held);
}

/* From whichever thread the last column goes. */
static void release_array(struct ArrowArray *array) {
    Held *held = array->private_data;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(held->keep);
    PyGILState_Release(state);
    held_free(held);
    array->release = NULL;
}
static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; } /* goes with the array */

static Held *held_new(PyObject *keep, Py_ssize_t count) {
    Held *held = calloc(1, sizeof *held);
    if (held) {
        held->count = count;
        held->child = calloc((size_t)count + 1, sizeof *held->child);
        held->schemas = calloc((size_t)count + 1, sizeof *held->schemas);
        held->arrays = calloc((size_t)count + 1, sizeof *held->arrays);
    }
    if (!held || !held->child || !held->schemas || !held->arrays) {
        if (held) held_free(held);
        PyErr_NoMemory();
        return NULL;
    }
    Py_INCREF(keep);
    held->keep = keep;
    return held;
}

/* None, an address, or bytes. */
static bool pointer(PyObject *object, const void **out) {
    *out = NULL;
    if (object == Py_None) return true;
    if (PyBytes_Check(object)) *out = PyBytes_AsString(object);
    else *out = PyLong_AsVoidPtr(object);
    return !PyErr_Occurred();
}

/* A byte for each cell, not zero where it is missing, as a bitmap. */
static bool pack(Child *child, const uint8_t *mask, Py_ssize_t rows) {
    child->bits = calloc((size_t)rows / 8 + 1, 1);
    if (!child->bits) {
        PyErr_NoMemory();
        return false;
    }
    int64_t missing = 0;
    for (Py_ssize_t i = 0; i < rows; i++) {
        missing += mask[i] != 0;
        child->bits[i >> 3] |= (uint8_t)(!mask[i] << (i & 7));
    }
    child->buffers[0] = child->bits;
    child->array.null_count = missing;
    return true;
}

static bool take_words(Child *child, PyObject *words) {
    PyObject *offsets, *bytes;
    Py_ssize_t count;
    if (words == Py_None) return true;
    if (!PyArg_ParseTuple(words, "nOO", &count, &offsets, &bytes)) return false;
    if (!pointer(offsets, &child->word_buffers[1]) || !pointer(bytes, &child->word_buffers[2])) return false;
    child->words_schema = (struct ArrowSchema){ .format = "U", .release = release_schema };
    child->words = (struct ArrowArray){ .length = count, .n_buffers = 3, .buffers = child->word_buffers };
    child->schema.dictionary = &child->words_schema;
    child->array.dictionary = &child->words;
    return true;
}

static bool take_column(Child *child, Py_ssize_t rows, PyObject *column) {
    const char *name, *format;
    const void *mask;
    int flags;
    PyObject *valid_at, *mask_at, *data_at, *more_at, *words, *keep;
    if (!PyArg_ParseTuple(column, "ssiOOOOOO", &name, &format, &flags, &valid_at, &mask_at, &data_at, &more_at, &words, &keep))
        return false;
    child->name = strdup(name);
    child->format = strdup(format);
    if (!child->name || !child->format) {
        PyErr_NoMemory();
        return false;
    }
    child->schema = (struct ArrowSchema){ .format = child->format,
                                          .name = child->name,
                                          .flags = flags | ARROW_FLAG_NULLABLE,
                                          .release = release_schema };
    child->array = (struct ArrowArray){ .length = rows, .n_buffers = more_at == Py_None ? 2 : 3, .buffers = child->buffers };
    if (!pointer(valid_at, &child->buffers[0]) || !pointer(data_at, &child->buffers[1]) || !pointer(more_at, &child->buffers[2]))
        return false;
    child->array.null_count = child->buffers[0] ? -1 : 0;
    return pointer(mask_at, &mask) && (!mask || pack(child, mask, rows)) && take_words(child, words);
}

scrim_table *columns_table(const char *name, Py_ssize_t rows, PyObject *columns) {
    static const void *none[1] = { NULL };
    scrim_table *table = NULL;
    scrim_error error = NEW_ERROR;
    Py_ssize_t count = PyList_Size(columns);
    Held *held = count < 0 ? NULL : held_new(columns, count);
    if (!held) return NULL;
    struct ArrowSchema schema = { .format = "+s", .n_children = count, .children = held->schemas, .release = release_schema };
    struct ArrowArray array = { .length = rows,
                                .n_buffers = 1,
                                .buffers = none,
                                .n_children = count,
                                .children = held->arrays,
                                .release = release_array,
                                .private_data = held };
    for (Py_ssize_t i = 0; i < count; i++) {
        held->schemas[i] = &held->child[i].schema;
        held->arrays[i] = &held->child[i].array;
        if (take_column(&held->child[i], rows, PyList_GetItem(columns, i))) continue;
        release_array(&array);
        return NULL;
    }
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_table_from_arrow(name, &schema, &array, &table, &error);
    PyEval_RestoreThread(state);
    if (status) core_raise(status, &error);
    return table;
}
