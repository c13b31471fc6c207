/* Python objects into columns and back: a list of cells becomes one column's buffers. */
#include <string.h>
#include "core.h"

enum { MISSING = 0, WHOLE = 1, REAL = 2, TEXT = 4, OTHER = 8 };

typedef struct Cells {
    PyObject *list, *none; /* none: a tuple of objects that mean missing */
    Py_ssize_t count, missing;
    int seen;
} Cells;

static int kind_of(const Cells *cells, PyObject *cell) {
    if (cell == Py_None) return MISSING;
    if (PyUnicode_Check(cell)) return TEXT;
    if (PyFloat_Check(cell)) return PyFloat_AsDouble(cell) != PyFloat_AsDouble(cell) ? MISSING : REAL;
    if (PyLong_Check(cell)) return WHOLE; /* flags, too */
    for (Py_ssize_t i = 0; i < PyTuple_Size(cells->none); i++)
        if (PyTuple_GetItem(cells->none, i) == cell) return MISSING;
    return OTHER;
}

/* Do kinds go together? Numbers do; text and numbers do not. */
static bool together(int seen) { return !(seen & OTHER) && (!(seen & TEXT) || seen == TEXT); }

/* The first cell that does not fit those before it, or -1. */
static Py_ssize_t look(Cells *cells) {
    cells->count = PyList_Size(cells->list);
    for (Py_ssize_t i = 0; i < cells->count; i++) {
        int kind = kind_of(cells, PyList_GetItem(cells->list, i));
        cells->missing += kind == MISSING;
        if (!together(cells->seen | kind)) return i;
        cells->seen |= kind;
    }
    return -1;
}

static PyObject *new_bytes(size_t size, void *at) {
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(size ? size : 8));
    if (!bytes) return NULL;
    char *data = PyBytes_AsString(bytes);
    memset(data, 0, size ? size : 8);
    *(char **)at = data;
    return bytes;
}

static PyObject *valid_bits(const Cells *cells) {
    uint8_t *bits;
    if (!cells->missing) Py_RETURN_NONE;
    PyObject *bytes = new_bytes((size_t)cells->count / 8 + 1, &bits);
    for (Py_ssize_t i = 0; bytes && i < cells->count; i++)
        if (kind_of(cells, PyList_GetItem(cells->list, i)) != MISSING) bits[i >> 3] |= (uint8_t)(1 << (i & 7));
    return bytes;
}

static PyObject *whole_numbers(const Cells *cells) {
    int64_t *to;
    PyObject *bytes = new_bytes((size_t)cells->count * 8, &to);
    for (Py_ssize_t i = 0; bytes && i < cells->count; i++) {
        PyObject *cell = PyList_GetItem(cells->list, i);
        if (kind_of(cells, cell) == MISSING) continue;
        to[i] = PyLong_AsLongLong(cell);
        if (to[i] == -1 && PyErr_Occurred()) Py_CLEAR(bytes);
    }
    return bytes;
}

static PyObject *reals(const Cells *cells) {
    double *to;
    PyObject *bytes = new_bytes((size_t)cells->count * 8, &to);
    for (Py_ssize_t i = 0; bytes && i < cells->count; i++) {
        PyObject *cell = PyList_GetItem(cells->list, i);
        if (kind_of(cells, cell) == MISSING) continue;
        to[i] = PyFloat_AsDouble(cell);
        if (to[i] == -1 && PyErr_Occurred()) Py_CLEAR(bytes);
    }
    return bytes;
}

/* Offsets into the bytes, and the bytes. */
static bool texts(const Cells *cells, PyObject **offsets, PyObject **bytes) {
    int64_t *offset, total = 0;
    char *to;
    Py_ssize_t size;
    *bytes = NULL;
    if (!(*offsets = new_bytes((size_t)(cells->count + 1) * 8, &offset))) return false;
    for (Py_ssize_t i = 0; i < cells->count; i++) {
        PyObject *cell = PyList_GetItem(cells->list, i);
        size = 0;
        if (PyUnicode_Check(cell) && !PyUnicode_AsUTF8AndSize(cell, &size)) {
            Py_CLEAR(*offsets);
            return false;
        }
        offset[i + 1] = total += size;
    }
    if (!(*bytes = new_bytes((size_t)total, &to))) {
        Py_CLEAR(*offsets);
        return false;
    }
    for (Py_ssize_t i = 0; i < cells->count; i++) {
        PyObject *cell = PyList_GetItem(cells->list, i);
        if (PyUnicode_Check(cell)) memcpy(to + offset[i], PyUnicode_AsUTF8AndSize(cell, &size), (size_t)(offset[i + 1] - offset[i]));
    }
    return true;
}

static PyObject *encoded(const Cells *cells, const char *format, PyObject *data, PyObject *more) {
    PyObject *valid = data ? valid_bits(cells) : NULL;
    if (!valid) {
        Py_XDECREF(data);
        Py_XDECREF(more);
        return NULL;
    }
    if (!more) {
        Py_INCREF(Py_None);
        more = Py_None;
    }
    return Py_BuildValue("sNNN", format, valid, data, more);
}

/* encode(cells, missing): (format, valid, data, more); or the number of the first cell that does not go with the others. */
PyObject *core_encode(PyObject *module, PyObject *args) {
    Cells cells = { 0 };
    PyObject *offsets, *bytes;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &cells.list, &PyTuple_Type, &cells.none)) return NULL;
    Py_ssize_t odd = look(&cells);
    if (odd >= 0) return PyLong_FromSsize_t(odd);
    if (cells.seen == TEXT) return texts(&cells, &offsets, &bytes) ? encoded(&cells, "U", offsets, bytes) : NULL;
    if (cells.seen & REAL) return encoded(&cells, "g", reals(&cells), NULL);
    return encoded(&cells, cells.seen ? "l" : "n", whole_numbers(&cells), NULL);
}

/* ---- back ---- */

static bool present(const struct ArrowArray *a, int64_t i) {
    const uint8_t *bits = a->buffers[0];
    int64_t at = i + a->offset;
    return !bits || (bits[at >> 3] >> (at & 7)) & 1;
}

static PyObject *text_at(const struct ArrowArray *a, int64_t i) {
    const int64_t *offset = (const int64_t *)a->buffers[1] + a->offset;
    return PyUnicode_DecodeUTF8((const char *)a->buffers[2] + offset[i], (Py_ssize_t)(offset[i + 1] - offset[i]), "replace");
}

PyObject *cells_words(const struct ArrowArray *array) {
    const struct ArrowArray *words = array->dictionary;
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && words && i < words->length; i++) {
        PyObject *word = text_at(words, i);
        if (!word || PyList_Append(list, word)) Py_CLEAR(list);
        Py_XDECREF(word);
    }
    return list;
}

static PyObject *cell_at(char format, const struct ArrowArray *a, PyObject *words, int64_t i) {
    int64_t at = i + a->offset;
    if (!present(a, i)) Py_RETURN_NONE;
    if (a->dictionary) {
        PyObject *word = PyList_GetItem(words, ((const int32_t *)a->buffers[1])[at]);
        Py_XINCREF(word);
        return word;
    }
    switch (format) {
    case 'g': return PyFloat_FromDouble(((const double *)a->buffers[1])[at]);
    case 'U': return text_at(a, i);
    case 'D': return PyLong_FromLong(((const int32_t *)a->buffers[1])[at]);
    default: return PyLong_FromLongLong(((const int64_t *)a->buffers[1])[at]);
    }
}

/* Dates are their days since 1970, dates with times their microseconds. */
PyObject *cells_list(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    char format = !strcmp(schema->format, "tdD") ? 'D' : schema->format[0];
    PyObject *list = PyList_New((Py_ssize_t)array->length), *words = list ? cells_words(array) : NULL;
    if (!words) Py_CLEAR(list);
    for (int64_t i = 0; list && i < array->length; i++) {
        PyObject *cell = cell_at(format, array, words, i);
        if (!cell) Py_CLEAR(list);
        else PyList_SetItem(list, (Py_ssize_t)i, cell);
    }
    Py_XDECREF(words);
    return list;
}

/* A byte for each cell, one where it is missing; None where none is. */
PyObject *cells_mask(const struct ArrowArray *array) {
    char *to;
    if (!array->null_count || !array->buffers[0]) Py_RETURN_NONE;
    PyObject *bytes = new_bytes((size_t)array->length, &to);
    for (int64_t i = 0; bytes && i < array->length; i++) to[i] = !present(array, i);
    return bytes;
}
