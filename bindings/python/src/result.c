/* Result: what a method gave back, part by part. */
#include <string.h>
#include "core.h"

typedef struct Result {
    PyObject_HEAD scrim_result *result;
    PyObject *parent; /* whose part this is, or NULL */
} Result;

static scrim_result *of(PyObject *self) { return ((Result *)self)->result; }

PyObject *result_wrap(const scrim_result *result, PyObject *parent) {
    PyObject *self = PyType_GenericAlloc(classes.result, 0);
    if (!self) return NULL;
    ((Result *)self)->result = (scrim_result *)(uintptr_t)result;
    Py_XINCREF(parent);
    ((Result *)self)->parent = parent;
    return self;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (!((Result *)self)->parent) scrim_result_free(of(self));
    Py_XDECREF(((Result *)self)->parent);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *none(void) { Py_RETURN_NONE; }
static PyObject *maybe_text(const char *text) { return text ? PyUnicode_FromString(text) : none(); }

static PyObject *value_of(const scrim_result *result, const char *name) {
    double number = scrim_result_number(result, name);
    switch (scrim_result_value_kind(result, name)) {
    case SCRIM_TEXT: return maybe_text(scrim_result_text(result, name));
    case SCRIM_INTEGER: return PyLong_FromLongLong(scrim_result_integer(result, name));
    case SCRIM_REAL: return number != number ? none() : PyFloat_FromDouble(number);
    default: return none();
    }
}

/* A list of so many, each made by `make`. */
static PyObject *list_of(PyObject *self, int64_t count, PyObject *(*make)(PyObject *, int64_t)) {
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *item = make(self, i);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *value_at(PyObject *self, int64_t i) {
    const char *name = scrim_result_value_name(of(self), i);
    return Py_BuildValue("sN", name, value_of(of(self), name));
}
static PyObject *note_at(PyObject *self, int64_t i) { return PyUnicode_FromString(scrim_result_note(of(self), i)); }
static PyObject *table_name_at(PyObject *self, int64_t i) { return PyUnicode_FromString(scrim_result_table_name(of(self), i)); }
static PyObject *record_at(PyObject *self, int64_t i) {
    return Py_BuildValue("ss", scrim_result_record_name(of(self), i), scrim_result_record_of(of(self), i));
}
static PyObject *inner_at(PyObject *self, int64_t i) {
    return Py_BuildValue("sN", scrim_result_result_name(of(self), i), result_wrap(scrim_result_result(of(self), i), self));
}

static PyObject *values(PyObject *self, PyObject *no) {
    (void)no;
    return list_of(self, scrim_result_values(of(self)), value_at);
}
static PyObject *notes(PyObject *self, PyObject *no) {
    (void)no;
    return list_of(self, scrim_result_notes(of(self)), note_at);
}
static PyObject *table_names(PyObject *self, PyObject *no) {
    (void)no;
    return list_of(self, scrim_result_tables(of(self)), table_name_at);
}
static PyObject *records(PyObject *self, PyObject *no) {
    (void)no;
    return list_of(self, scrim_result_records(of(self)), record_at);
}
static PyObject *results(PyObject *self, PyObject *no) {
    (void)no;
    return list_of(self, scrim_result_results(of(self)), inner_at);
}
static PyObject *method(PyObject *self, PyObject *no) {
    (void)no;
    return maybe_text(scrim_result_method(of(self)));
}
static PyObject *output_count(PyObject *self, PyObject *no) {
    (void)no;
    return PyLong_FromLongLong(scrim_result_outputs(of(self)));
}
static PyObject *chart_count(PyObject *self, PyObject *no) {
    (void)no;
    return PyLong_FromLongLong(scrim_result_charts(of(self)));
}

static PyObject *maybe_table(scrim_table *table) { return table ? table_wrap(table) : none(); }

static PyObject *table(PyObject *self, PyObject *name) {
    const char *text = core_text(name);
    return text ? maybe_table(scrim_result_table(of(self), text)) : NULL;
}
static PyObject *record_table(PyObject *self, PyObject *name) {
    const char *text = name == Py_None ? NULL : core_text(name);
    return text || name == Py_None ? maybe_table(scrim_result_record_table(of(self), text)) : NULL;
}
static PyObject *output(PyObject *self, PyObject *index) {
    long long at = PyLong_AsLongLong(index);
    return at == -1 && PyErr_Occurred() ? NULL : maybe_table(scrim_result_output(of(self), at));
}

static PyObject *text_taken(scrim_status status, char *text, const scrim_error *error) {
    if (status) return core_raise(status, error);
    PyObject *out = PyUnicode_FromString(text);
    scrim_text_free(text);
    return out;
}

static PyObject *chart(PyObject *self, PyObject *args) {
    long long index;
    const char *format;
    int width, height;
    char *text = NULL;
    scrim_error error = NEW_ERROR;
    if (!PyArg_ParseTuple(args, "Lsii", &index, &format, &width, &height)) return NULL;
    scrim_status status = scrim_result_chart(of(self), index, format, width, height, &text, &error);
    return text_taken(status, text, &error);
}

static PyObject *render(PyObject *self, PyObject *args) {
    const char *format;
    int width = 0, colour = 0;
    char *text = NULL;
    scrim_error error = NEW_ERROR;
    if (!PyArg_ParseTuple(args, "s|ii", &format, &width, &colour)) return NULL;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_result_render(of(self), format, width, colour, &text, &error);
    PyEval_RestoreThread(state);
    return text_taken(status, text, &error);
}

static PyObject *write_to(PyObject *self, PyObject *path) {
    const char *name = core_text(path);
    scrim_error error = NEW_ERROR;
    if (!name) return NULL;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_result_write(of(self), name, &error);
    PyEval_RestoreThread(state);
    return status ? core_raise(status, &error) : none();
}

static PyObject *output_write(PyObject *self, PyObject *args) {
    long long first, count;
    const char *path;
    scrim_error error = NEW_ERROR;
    if (!PyArg_ParseTuple(args, "LLs", &first, &count, &path)) return NULL;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_result_output_write(of(self), first, count, path, NULL, &error);
    PyEval_RestoreThread(state);
    return status ? core_raise(status, &error) : none();
}

/* Raises where a policy that it was judged by is broken. */
static PyObject *verdict(PyObject *self, PyObject *no) {
    scrim_error error = NEW_ERROR;
    (void)no;
    scrim_status status = scrim_result_verdict(of(self), &error);
    return status ? core_raise(status, &error) : none();
}

static PyObject *dump(PyObject *self, PyObject *no) {
    char *bytes = NULL;
    size_t count = 0;
    scrim_error error = NEW_ERROR;
    (void)no;
    scrim_status status = scrim_result_save(of(self), &bytes, &count, &error);
    if (status) return core_raise(status, &error);
    PyObject *out = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)count);
    scrim_text_free(bytes);
    return out;
}

static PyObject *load(PyObject *class, PyObject *args) {
    const char *name;
    PyObject *bytes;
    char *at;
    Py_ssize_t count;
    scrim_result *result = NULL;
    scrim_error error = NEW_ERROR;
    (void)class;
    if (!PyArg_ParseTuple(args, "sO", &name, &bytes) || PyBytes_AsStringAndSize(bytes, &at, &count)) return NULL;
    scrim_status status = scrim_result_load(name, at, (size_t)count, &result, &error);
    if (status) return core_raise(status, &error);
    PyObject *out = result_wrap(result, NULL);
    if (!out) scrim_result_free(result);
    return out;
}

static PyMethodDef functions[] = {
    { "_method", method, METH_NOARGS, NULL },
    { "_values", values, METH_NOARGS, NULL },
    { "_notes", notes, METH_NOARGS, NULL },
    { "_table_names", table_names, METH_NOARGS, NULL },
    { "_records", records, METH_NOARGS, NULL },
    { "_results", results, METH_NOARGS, NULL },
    { "_output_count", output_count, METH_NOARGS, NULL },
    { "_chart_count", chart_count, METH_NOARGS, NULL },
    { "_table", table, METH_O, NULL },
    { "_record_table", record_table, METH_O, NULL },
    { "_output", output, METH_O, NULL },
    { "_chart", chart, METH_VARARGS, NULL },
    { "_render", render, METH_VARARGS, NULL },
    { "_write", write_to, METH_O, NULL },
    { "_output_write", output_write, METH_VARARGS, NULL },
    { "_verdict", verdict, METH_NOARGS, NULL },
    { "_dump", dump, METH_NOARGS, NULL },
    { "_load", load, METH_VARARGS | METH_STATIC, NULL },
    { NULL, NULL, 0, NULL },
};

static PyObject *not_made(PyTypeObject *type, PyObject *args, PyObject *named) {
    (void)type, (void)args, (void)named;
    PyErr_SetString(PyExc_TypeError, "results are made by methods");
    return NULL;
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, (void *)dealloc }, { Py_tp_methods, functions }, { Py_tp_new, (void *)not_made }, { 0, NULL }
};
PyType_Spec result_spec = { "scrim._core.Result", sizeof(Result), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots };
