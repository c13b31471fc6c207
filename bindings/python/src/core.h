/* What the files of the extension share: CPython's stable ABI on one side, scrim.h on the other. */
#ifndef SCRIM_PYTHON_CORE_H
#define SCRIM_PYTHON_CORE_H
#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <scrim.h>
#include <stdbool.h>

/* In every CPython since 3.3; the stable ABI names it from 3.10 on. */
#if Py_LIMITED_API < 0x030A0000
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);
#endif

#define NEW_ERROR                                                                                                                          \
    { .size = sizeof(scrim_error), .row = -1, .line = -1, .place = -1 }

/* The package's own classes, which the extension makes instances of, and what turns an error into an exception (module.c). */
typedef struct Classes {
    PyTypeObject *table, *result;
    PyObject *error;
} Classes;
extern Classes classes;

/* Raises what the error says; always NULL. */
PyObject *core_raise(scrim_status status, const scrim_error *error);
/* The text of a str, for as long as it lives; NULL with an exception. Refuses NULs. */
const char *core_text(PyObject *text);

/* Takes the handle over; NULL with an exception. */
PyObject *table_wrap(scrim_table *table);
scrim_table *table_of(PyObject *object); /* NULL with TypeError */
extern PyType_Spec table_spec, result_spec, job_spec;
/* `parent`: whose part a borrowed result is; NULL where this one is to be freed. */
PyObject *result_wrap(const scrim_result *result, PyObject *parent);

/* [(name, [item, …]), …] into arguments; no item: a flag. False with an exception. */
bool core_fill(scrim_args *args, PyObject *list);
/* A number, 64 hexadecimal digits, or None. `number` is where the host will look. */
bool core_seed(PyObject *seed, scrim_host *host, int64_t *number);
PyObject *core_run(PyObject *module, PyObject *args, PyObject *named);
PyObject *core_encode(PyObject *module, PyObject *args);
/* A table over columns that Python objects hold: (name, format, flags, valid, mask, data, more, words, keep). */
scrim_table *columns_table(const char *name, Py_ssize_t rows, PyObject *columns);
/* Cells of an exported column as Python objects, None where missing. */
PyObject *cells_list(const struct ArrowSchema *schema, const struct ArrowArray *array);
PyObject *cells_words(const struct ArrowArray *array);
PyObject *cells_mask(const struct ArrowArray *array);
#endif
