/* Table: a table of the library's. It speaks the Arrow PyCapsule interface in both directions. */
#include <stdlib.h>
#include <string.h>
#include "core.h"

typedef struct Table {
    PyObject_HEAD scrim_table *table;
    struct ArrowSchema schema; /* as exported, once somebody asks for cells */
    struct ArrowArray array;
} Table;

static Table *of(PyObject *self) { return (Table *)self; }

PyObject *table_wrap(scrim_table *table) {
    PyObject *self = PyType_GenericAlloc(classes.table, 0);
    if (self) of(self)->table = table;
    else scrim_table_free(table);
    return self;
}

scrim_table *table_of(PyObject *object) {
    int is = PyObject_IsInstance(object, (PyObject *)classes.table);
    if (is > 0) return of(object)->table;
    if (!is) PyErr_SetString(PyExc_TypeError, "expects a table");
    return NULL;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (of(self)->schema.release) of(self)->schema.release(&of(self)->schema);
    if (of(self)->array.release) of(self)->array.release(&of(self)->array);
    scrim_table_free(of(self)->table);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *taken(scrim_status status, scrim_table *table, const scrim_error *error) {
    return status ? core_raise(status, error) : table_wrap(table);
}

/* ---- in ---- */

static PyObject *from_stream(PyObject *class, PyObject *args) {
    PyObject *capsule;
    const char *name;
    scrim_table *table = NULL;
    scrim_error error = NEW_ERROR;
    (void)class;
    if (!PyArg_ParseTuple(args, "sO", &name, &capsule)) return NULL;
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!stream) return NULL;
    if (!stream->release) {
        PyErr_SetString(PyExc_ValueError, "this stream was already taken");
        return NULL;
    }
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_table_from_stream(name, stream, &table, &error);
    PyEval_RestoreThread(state);
    return taken(status, table, &error);
}

static PyObject *from_array(PyObject *class, PyObject *args) {
    PyObject *first, *second;
    const char *name;
    scrim_table *table = NULL;
    scrim_error error = NEW_ERROR;
    (void)class;
    if (!PyArg_ParseTuple(args, "sOO", &name, &first, &second)) return NULL;
    struct ArrowSchema *schema = PyCapsule_GetPointer(first, "arrow_schema");
    struct ArrowArray *array = schema ? PyCapsule_GetPointer(second, "arrow_array") : NULL;
    if (!array) return NULL;
    if (!schema->release || !array->release) {
        PyErr_SetString(PyExc_ValueError, "this array was already taken");
        return NULL;
    }
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_table_from_arrow(name, schema, array, &table, &error);
    PyEval_RestoreThread(state);
    return taken(status, table, &error);
}

static PyObject *from_columns(PyObject *class, PyObject *args) {
    PyObject *columns;
    const char *name;
    Py_ssize_t rows;
    (void)class;
    if (!PyArg_ParseTuple(args, "snO!", &name, &rows, &PyList_Type, &columns)) return NULL;
    scrim_table *table = columns_table(name, rows, columns);
    return table ? table_wrap(table) : NULL;
}

static PyObject *read_file(PyObject *class, PyObject *args) {
    const char *path, *separator, *decimal;
    scrim_reading reading = { .size = sizeof reading };
    scrim_table *table = NULL;
    scrim_error error = NEW_ERROR;
    PyObject *na, *types;
    const char *words[64], *said[1024];
    (void)class;
    if (!PyArg_ParseTuple(args, "szzO!O!zzii", &path, &separator, &decimal, &PyTuple_Type, &na, &PyTuple_Type, &types, &reading.encoding,
                          &reading.sheet, &reading.codes, &reading.threads))
        return NULL;
    reading.na_count = PyTuple_Size(na);
    reading.type_count = PyTuple_Size(types);
    if (reading.na_count > 64 || reading.type_count > 1024) {
        PyErr_SetString(PyExc_ValueError, "at most 64 words for missing, and 1024 types");
        return NULL;
    }
    for (int64_t i = 0; i < reading.na_count; i++)
        if (!(words[i] = core_text(PyTuple_GetItem(na, (Py_ssize_t)i)))) return NULL;
    for (int64_t i = 0; i < reading.type_count; i++)
        if (!(said[i] = core_text(PyTuple_GetItem(types, (Py_ssize_t)i)))) return NULL;
    reading.na = words;
    reading.types = said;
    reading.separator = separator ? separator[0] : 0;
    reading.decimal = decimal ? decimal[0] : 0;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_table_read(path, &reading, &table, &error);
    PyEval_RestoreThread(state);
    return taken(status, table, &error);
}

static PyObject *settle(PyObject *self, PyObject *none) {
    scrim_table *table = NULL;
    scrim_error error = NEW_ERROR;
    (void)none;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_table_infer_categories(of(self)->table, &table, &error);
    PyEval_RestoreThread(state);
    return taken(status, table, &error);
}

/* ---- what it is ---- */

static PyObject *shape(PyObject *self, PyObject *none) {
    (void)none;
    return Py_BuildValue("LL", (long long)scrim_table_rows(of(self)->table), (long long)scrim_table_columns(of(self)->table));
}

static PyObject *columns(PyObject *self, PyObject *none) {
    const scrim_table *table = of(self)->table;
    PyObject *list = PyList_New(0);
    (void)none;
    for (int64_t i = 0; list && i < scrim_table_columns(table); i++) {
        PyObject *pair = Py_BuildValue("ss", scrim_table_column_name(table, i), scrim_table_column_type(table, i));
        if (!pair || PyList_Append(list, pair)) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* (was it made by a protecting method?, the columns that were changed at random) */
static PyObject *marks(PyObject *self, PyObject *none) {
    const scrim_table *table = of(self)->table;
    PyObject *list = PyList_New(0);
    (void)none;
    for (int64_t i = 0; list && i < scrim_table_columns(table); i++) {
        const char *name = scrim_table_column_name(table, i);
        if (!scrim_table_perturbed(table, name)) continue;
        PyObject *text = PyUnicode_FromString(name);
        if (!text || PyList_Append(list, text)) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list ? Py_BuildValue("NN", PyBool_FromLong(scrim_table_released(table)), list) : NULL;
}

static PyObject *mark(PyObject *self, PyObject *column) {
    const char *name = column == Py_None ? NULL : core_text(column);
    if (!name && column != Py_None) return NULL;
    scrim_table_mark(of(self)->table, name);
    Py_RETURN_NONE;
}

static PyObject *shares(PyObject *self, PyObject *args) {
    PyObject *other;
    const char *column;
    scrim_table *table;
    if (!PyArg_ParseTuple(args, "Os", &other, &column) || !(table = table_of(other))) return NULL;
    return PyBool_FromLong(scrim_table_shares(of(self)->table, table, column));
}

static PyObject *write_file(PyObject *self, PyObject *path) {
    const char *name = core_text(path);
    scrim_error error = NEW_ERROR;
    if (!name) return NULL;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_table_write(of(self)->table, name, NULL, &error);
    PyEval_RestoreThread(state);
    if (status) return core_raise(status, &error);
    Py_RETURN_NONE;
}

/* ---- cells ---- */

static bool exported(Table *t) {
    scrim_error error = NEW_ERROR;
    if (t->array.release) return true;
    scrim_status status = scrim_table_to_arrow(t->table, &t->schema, &t->array, &error);
    if (status) core_raise(status, &error);
    return !status;
}

static struct ArrowArray *column_at(PyObject *self, PyObject *index, struct ArrowSchema **schema) {
    long long i = PyLong_AsLongLong(index);
    if (PyErr_Occurred() || !exported(of(self))) return NULL;
    if (i < 0 || i >= of(self)->array.n_children) {
        PyErr_SetString(PyExc_IndexError, "no such column");
        return NULL;
    }
    *schema = of(self)->schema.children[i];
    return of(self)->array.children[i];
}

static PyObject *cells(PyObject *self, PyObject *index) {
    struct ArrowSchema *schema;
    const struct ArrowArray *array = column_at(self, index, &schema);
    return array ? cells_list(schema, array) : NULL;
}
static PyObject *words(PyObject *self, PyObject *index) {
    struct ArrowSchema *schema;
    const struct ArrowArray *array = column_at(self, index, &schema);
    if (!array) return NULL;
    return Py_BuildValue("NN", cells_words(array), PyBool_FromLong(schema->flags & ARROW_FLAG_DICTIONARY_ORDERED));
}
static PyObject *mask(PyObject *self, PyObject *index) {
    struct ArrowSchema *schema;
    const struct ArrowArray *array = column_at(self, index, &schema);
    return array ? cells_mask(array) : NULL;
}
/* Where the cells lie, for as long as the table lives. */
static PyObject *address(PyObject *self, PyObject *index) {
    struct ArrowSchema *schema;
    const struct ArrowArray *array = column_at(self, index, &schema);
    return array ? PyLong_FromVoidPtr((void *)(uintptr_t)array->buffers[1]) : NULL;
}

/* ---- out ---- */

static void end_schema(PyObject *capsule) {
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema && schema->release) schema->release(schema);
    free(schema);
}
static void end_array(PyObject *capsule) {
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, "arrow_array");
    if (array && array->release) array->release(array);
    free(array);
}
static void end_stream(PyObject *capsule) {
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release) stream->release(stream);
    free(stream);
}

static PyObject *capsules(PyObject *self, bool both) {
    scrim_error error = NEW_ERROR;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    struct ArrowArray *array = calloc(1, sizeof *array);
    scrim_status status = schema && array ? scrim_table_to_arrow(of(self)->table, schema, array, &error) : SCRIM_FAILED;
    if (status) {
        free(schema);
        free(array);
        return schema && array ? core_raise(status, &error) : PyErr_NoMemory();
    }
    PyObject *first = PyCapsule_New(schema, "arrow_schema", end_schema);
    PyObject *second = PyCapsule_New(array, "arrow_array", end_array);
    PyObject *out = NULL;
    if (first && second && both) return Py_BuildValue("NN", first, second);
    if (first && second) {
        Py_INCREF(first);
        out = first;
    }
    Py_XDECREF(first);
    Py_XDECREF(second);
    return out;
}

static PyObject *c_schema(PyObject *self, PyObject *none) {
    (void)none;
    return capsules(self, false);
}
static PyObject *c_array(PyObject *self, PyObject *args, PyObject *named) {
    (void)args, (void)named; /* a wished-for schema is a wish */
    return capsules(self, true);
}
static PyObject *c_stream(PyObject *self, PyObject *args, PyObject *named) {
    scrim_error error = NEW_ERROR;
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    (void)args, (void)named;
    if (!stream) return PyErr_NoMemory();
    scrim_status status = scrim_table_to_stream(of(self)->table, stream, &error);
    if (!status) return PyCapsule_New(stream, "arrow_array_stream", end_stream);
    free(stream);
    return core_raise(status, &error);
}

#define NAMED(function) (PyCFunction)(void (*)(void))(function)
static PyMethodDef functions[] = {
    { "_from_stream", from_stream, METH_VARARGS | METH_STATIC, NULL },
    { "_from_array", from_array, METH_VARARGS | METH_STATIC, NULL },
    { "_from_columns", from_columns, METH_VARARGS | METH_STATIC, NULL },
    { "_read", read_file, METH_VARARGS | METH_STATIC, NULL },
    { "_settle", settle, METH_NOARGS, NULL },
    { "_shape", shape, METH_NOARGS, NULL },
    { "_columns", columns, METH_NOARGS, NULL },
    { "_marks", marks, METH_NOARGS, NULL },
    { "_mark", mark, METH_O, NULL },
    { "_shares", shares, METH_VARARGS, NULL },
    { "_write", write_file, METH_O, NULL },
    { "_cells", cells, METH_O, NULL },
    { "_words", words, METH_O, NULL },
    { "_mask", mask, METH_O, NULL },
    { "_address", address, METH_O, NULL },
    { "__arrow_c_schema__", c_schema, METH_NOARGS, "The columns, by the Arrow PyCapsule interface." },
    { "__arrow_c_array__", NAMED(c_array), METH_VARARGS | METH_KEYWORDS,
      "The table as one struct array, by the Arrow PyCapsule interface." },
    { "__arrow_c_stream__", NAMED(c_stream), METH_VARARGS | METH_KEYWORDS, "The table as a stream, by the Arrow PyCapsule interface." },
    { NULL, NULL, 0, NULL },
};

static PyObject *not_made(PyTypeObject *type, PyObject *args, PyObject *named) {
    (void)type, (void)args, (void)named;
    PyErr_SetString(PyExc_TypeError, "a table is made by scrim.table(frame) or scrim.read(path)");
    return NULL;
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, (void *)dealloc }, { Py_tp_methods, functions }, { Py_tp_new, (void *)not_made }, { 0, NULL }
};
PyType_Spec table_spec = { "scrim._core.Table", sizeof(Table), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots };
