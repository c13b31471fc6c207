/* Job: a method on a table that comes in parts. */
#include "core.h"

typedef struct Job {
    PyObject_HEAD scrim_job *job;
    scrim_args *args;
    PyObject *keep; /* what the host's texts belong to */
} Job;

static scrim_job *of(PyObject *self) { return ((Job *)self)->job; }

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    scrim_job_free(of(self));
    scrim_args_free(((Job *)self)->args);
    Py_XDECREF(((Job *)self)->keep);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* _Job(method, args, seed, threads): args as run() takes them, seed a number, 64 hexadecimal digits or None. */
static PyObject *new_job(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    const char *method;
    PyObject *args, *seed;
    int64_t number;
    scrim_host host = { .size = sizeof host };
    scrim_error error = NEW_ERROR;
    (void)named;
    if (!PyArg_ParseTuple(arguments, "sO!Oi", &method, &PyList_Type, &args, &seed, &host.threads)) return NULL;
    if (!core_seed(seed, &host, &number)) return NULL;
    Job *self = (Job *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    Py_INCREF(arguments);
    self->keep = arguments;
    self->args = scrim_args_new();
    if (!self->args) PyErr_NoMemory();
    else if (core_fill(self->args, args)) {
        scrim_status status = scrim_job_new(&host, method, self->args, &self->job, &error);
        if (!status) return (PyObject *)self;
        core_raise(status, &error);
    }
    Py_DECREF(self);
    return NULL;
}

static PyObject *done(scrim_status status, const scrim_error *error) {
    if (status) return core_raise(status, error);
    Py_RETURN_NONE;
}

/* A part, the part beside it or None, and where they begin. */
static bool parts_of(PyObject *args, scrim_table *table[2], long long *first) {
    PyObject *part, *beside;
    if (!PyArg_ParseTuple(args, "OOL", &part, &beside, first) || !(table[0] = table_of(part))) return false;
    return beside == Py_None || (table[1] = table_of(beside));
}

static PyObject *fit(PyObject *self, PyObject *args) {
    scrim_table *table[2] = { 0 };
    long long first;
    scrim_error error = NEW_ERROR;
    if (!parts_of(args, table, &first)) return NULL;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status =
        table[1] ? scrim_job_fit_both(of(self), table[0], table[1], first, &error) : scrim_job_fit(of(self), table[0], first, &error);
    PyEval_RestoreThread(state);
    return done(status, &error);
}

static PyObject *apply(PyObject *self, PyObject *args) {
    scrim_table *table[2] = { 0 }, *out = NULL;
    long long first;
    scrim_error error = NEW_ERROR;
    if (!parts_of(args, table, &first)) return NULL;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = table[1] ? scrim_job_apply_both(of(self), table[0], table[1], first, &out, &error)
                                   : scrim_job_apply(of(self), table[0], first, &out, &error);
    PyEval_RestoreThread(state);
    return status || !out ? done(status, &error) : table_wrap(out);
}

static PyObject *finish(PyObject *self, PyObject *none) {
    scrim_error error = NEW_ERROR;
    (void)none;
    PyThreadState *state = PyEval_SaveThread();
    scrim_status status = scrim_job_finish(of(self), &error);
    PyEval_RestoreThread(state);
    return done(status, &error);
}

static PyObject *state_piece(PyObject *self, long long piece, long long pieces) {
    char *bytes = NULL;
    size_t count = 0;
    scrim_error error = NEW_ERROR;
    scrim_status status = scrim_job_piece(of(self), piece, pieces, &bytes, &count, &error);
    if (status) return core_raise(status, &error);
    PyObject *out = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)count);
    scrim_text_free(bytes);
    return out;
}

static PyObject *state_bytes(PyObject *self, PyObject *none) {
    (void)none;
    return state_piece(self, 0, 1);
}

static PyObject *piece_bytes(PyObject *self, PyObject *args) {
    long long piece, pieces;
    return PyArg_ParseTuple(args, "LL", &piece, &pieces) ? state_piece(self, piece, pieces) : NULL;
}

static PyObject *merge(PyObject *self, PyObject *bytes) {
    char *at;
    Py_ssize_t count;
    scrim_error error = NEW_ERROR;
    if (PyBytes_AsStringAndSize(bytes, &at, &count)) return NULL;
    return done(scrim_job_merge(of(self), at, (size_t)count, &error), &error);
}

static PyObject *result(PyObject *self, PyObject *none) {
    scrim_result *made = NULL;
    scrim_error error = NEW_ERROR;
    (void)none;
    scrim_status status = scrim_job_result(of(self), &made, &error);
    if (status) return core_raise(status, &error);
    PyObject *out = result_wrap(made, NULL);
    if (!out) scrim_result_free(made);
    return out;
}

static PyMethodDef functions[] = {
    { "_fit", fit, METH_VARARGS, NULL },           { "_apply", apply, METH_VARARGS, NULL },
    { "_finish", finish, METH_NOARGS, NULL },      { "_state", state_bytes, METH_NOARGS, NULL },
    { "_piece", piece_bytes, METH_VARARGS, NULL }, { "_merge", merge, METH_O, NULL },
    { "_result", result, METH_NOARGS, NULL },      { NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
    { Py_tp_dealloc, (void *)dealloc }, { Py_tp_methods, functions }, { Py_tp_new, (void *)new_job }, { 0, NULL }
};
PyType_Spec job_spec = { "scrim._core.Job", sizeof(Job), 0, Py_TPFLAGS_DEFAULT, slots };
