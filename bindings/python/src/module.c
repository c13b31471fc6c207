/* scrim._core: the library's functions, for the package's own modules. */
#include "core.h"
#include <string.h>

Classes classes;

/* An error's texts may be cut in the middle of a letter. */
static PyObject *lenient(const char *text) { return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"); }

PyObject *core_raise(scrim_status status, const scrim_error *error) {
    char sentence[2048];
    scrim_error_text(error, sentence, sizeof sentence);
    if (!classes.error) {
        PyErr_SetString(PyExc_RuntimeError, sentence);
        return NULL;
    }
    PyObject *made = PyObject_CallFunction(classes.error, "iNNNNNNLL", (int)status, lenient(sentence), lenient(error->message),
                                           lenient(error->advice), lenient(error->parameter), lenient(error->column), lenient(error->file),
                                           (long long)error->row, (long long)error->line);
    if (made) PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
    return NULL;
}

const char *core_text(PyObject *text) {
    Py_ssize_t size;
    const char *bytes = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
    if (!PyUnicode_Check(text)) PyErr_SetString(PyExc_TypeError, "expects text");
    if (bytes && strlen(bytes) != (size_t)size) {
        PyErr_SetString(PyExc_ValueError, "a text with a NUL in it");
        return NULL;
    }
    return bytes;
}

static PyObject *set_classes(PyObject *module, PyObject *args) {
    PyObject *table, *result, *error;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO", &table, &result, &error)) return NULL;
    Py_INCREF(table);
    Py_INCREF(result);
    Py_INCREF(error);
    classes = (Classes){ (PyTypeObject *)table, (PyTypeObject *)result, error };
    Py_RETURN_NONE;
}

static PyObject *version(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    return PyUnicode_FromString(scrim_version());
}

static PyObject *libraries(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    return PyUnicode_FromString(scrim_libraries());
}

static PyObject *methods(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    PyObject *names = PyList_New(0);
    for (int64_t i = 0; names && i < scrim_methods_count(); i++) {
        PyObject *name = PyUnicode_FromString(scrim_methods_name(i));
        if (!name || PyList_Append(names, name)) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *describe(PyObject *module, PyObject *name) {
    char *json = NULL;
    scrim_error error = NEW_ERROR;
    const char *text = core_text(name);
    (void)module;
    if (!text) return NULL;
    scrim_status status = scrim_methods_describe(text, &json, &error);
    if (status) return core_raise(status, &error);
    PyObject *out = PyUnicode_FromString(json);
    scrim_text_free(json);
    return out;
}

/* The texts of a sequence; `list` to be freed by PyMem_Free. */
static const char **texts(PyObject *words, Py_ssize_t *count) {
    *count = PySequence_Size(words);
    const char **list = *count < 0 ? NULL : PyMem_Calloc((size_t)*count + 1, sizeof *list);
    for (Py_ssize_t i = 0; list && i < *count; i++) {
        PyObject *word = PySequence_GetItem(words, i);
        list[i] = word ? core_text(word) : NULL;
        Py_XDECREF(word); /* the sequence has it, too */
        if (list[i]) continue;
        PyMem_Free(list);
        return NULL;
    }
    if (!list && !PyErr_Occurred()) PyErr_NoMemory();
    return list;
}

static PyObject *given(const scrim_args *args, const char *name) {
    int64_t count = scrim_args_count(args, name);
    PyObject *items = count < 0 ? NULL : PyList_New(0);
    for (int64_t i = 0; items && i < count; i++) {
        PyObject *item = PyUnicode_FromString(scrim_args_item(args, name, i));
        if (!item || PyList_Append(items, item)) Py_CLEAR(items);
        Py_XDECREF(item);
    }
    return items;
}

/* words(method, words, names): a command line's words, bound to those of the names that they give: {name: [item, …]}. */
static PyObject *words(PyObject *module, PyObject *arguments) {
    PyObject *list, *names, *out = NULL;
    const char *method;
    scrim_error error = NEW_ERROR;
    Py_ssize_t count, asked = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "sOO", &method, &list, &names)) return NULL;
    const char **word = texts(list, &count), **name = word ? texts(names, &asked) : NULL;
    scrim_args *args = name ? scrim_args_new() : NULL;
    if (name && !args) PyErr_NoMemory();
    scrim_status status = args ? scrim_args_words(args, method, count, word, &error) : SCRIM_OK;
    if (status) core_raise(status, &error);
    else if (args) out = PyDict_New();
    for (Py_ssize_t i = 0; out && i < asked; i++) {
        PyObject *items = given(args, name[i]);
        if (items ? PyDict_SetItemString(out, name[i], items) : PyErr_Occurred() != NULL) Py_CLEAR(out);
        Py_XDECREF(items);
    }
    scrim_args_free(args);
    PyMem_Free(word);
    PyMem_Free(name);
    return out;
}

/* find(words) → (method, how many words its name took) */
static PyObject *find(PyObject *module, PyObject *list) {
    Py_ssize_t count;
    const char *method, **word = texts(list, &count);
    int64_t used;
    scrim_error error = NEW_ERROR;
    (void)module;
    if (!word) return NULL;
    scrim_status status = scrim_methods_find(count, word, &method, &used, &error);
    PyMem_Free(word);
    return status ? core_raise(status, &error) : Py_BuildValue("sL", method, (long long)used);
}

/* in_parts(method): "by row", "by class" or "whole" */
static PyObject *in_parts(PyObject *module, PyObject *name) {
    const char *text = core_text(name), *how = text ? scrim_methods_in_parts(text) : NULL;
    (void)module;
    if (how) return PyUnicode_FromString(how);
    if (text) PyErr_SetString(PyExc_ValueError, "there is no such method");
    return NULL;
}

/* same(path, other): do both name one table that is there? */
static PyObject *same(PyObject *module, PyObject *args) {
    const char *path, *other;
    (void)module;
    if (!PyArg_ParseTuple(args, "ss", &path, &other)) return NULL;
    const int answer = scrim_table_same(path, other);
    return answer < 0 ? PyErr_NoMemory() : PyBool_FromLong(answer);
}

static PyMethodDef functions[] = {
    { "set_classes", set_classes, METH_VARARGS, "set_classes(table, result, error): what this module makes instances of" },
    { "version", version, METH_NOARGS, "version() -> str" },
    { "libraries", libraries, METH_NOARGS, "libraries() -> str" },
    { "methods", methods, METH_NOARGS, "methods() -> list of names" },
    { "describe", describe, METH_O, "describe(method) -> JSON" },
    { "in_parts", in_parts, METH_O, "in_parts(method) -> 'by row', 'by class' or 'whole'" },
    { "same", same, METH_VARARGS, "same(path, other) -> bool" },
    { "words", words, METH_VARARGS, "words(method, words, names) -> {name: items}" },
    { "find", find, METH_O, "find(words) -> (method, words used)" },
    { "run", (PyCFunction)(void (*)(void))core_run, METH_VARARGS | METH_KEYWORDS, "run(method, args, …) -> Result" },
    { "encode", core_encode, METH_VARARGS, "encode(cells, missing) -> (format, valid, data, more), or the odd cell's number" },
    { NULL, NULL, 0, NULL },
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_core", "libscrim, for the package scrim", -1, functions, NULL, NULL, NULL, NULL
};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **out) {
    PyObject *type = PyType_FromSpec(spec);
    if (!type) return -1;
    Py_INCREF(type);
    *out = (PyTypeObject *)type;
    if (PyModule_AddObject(module, name, type) == 0) return 0;
    Py_DECREF(type);
    return -1;
}

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *module = PyModule_Create(&definition);
    PyTypeObject *job;
    if (module && !add_type(module, "Table", &table_spec, &classes.table) && !add_type(module, "Result", &result_spec, &classes.result) &&
        !add_type(module, "Job", &job_spec, &job))
        return module;
    Py_XDECREF(module);
    return NULL;
}
