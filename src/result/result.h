/* What a method gives back: values, per-record columns, tables, outputs, charts, notes, and results within it. */
#ifndef SCRIM_RESULT_RESULT_H
#define SCRIM_RESULT_RESULT_H
#include "result/chart.h"
#include "table/table.h"

/* `public` below: declared as one that may stand in a report for everyone (method/returns.h); set by the runner. */
typedef enum { VALUE_NULL, VALUE_REAL, VALUE_INTEGER, VALUE_TEXT } ValueKind;
typedef struct Value {
    const char *name;
    ValueKind kind;
    double real;
    int64_t integer;
    const char *text;
    const char *meaning;
    bool public;
} Value;
typedef struct NamedTable {
    const char *name;
    Table *table;
    const char *meaning;
    bool public;
} NamedTable;
typedef struct RecordColumn {
    const char *of;
    Column *column;
    Table *input;
} RecordColumn; /* `of`: the table parameter whose records it is of; input: that table, set by the runner, or NULL */
typedef struct NamedResult {
    const char *name;
    struct Result *result;
} NamedResult;
typedef struct Given {
    const char *name;
    const char *text;
    bool secret, preset;
    bool list;
    bool role;
    bool handle;
} Given; /* a parameter as it was bound; role: a role filled it; handle: a table itself, whose name `text` is */

/* Grows by the functions below; they never fail in the caller's hands: memory running out sets `failed`, which the runner turns into an
 * error. */
typedef struct Result {
    Arena *arena;
    bool failed;
    const char *method;
    const char *summary; /* what the method does, one line; set by the runner, may be NULL */
    int64_t values, columns, tables, outputs, charts, notes, results, params, reads;
    Value *value;
    RecordColumn *column;
    NamedTable *table;
    Table **output;
    Chart **chart;
    const char **note;
    const char *urgent; /* the note that says what must be done before anything else; NULL where there is none */
    NamedResult *result;
    Given *param;
    const char **read; /* files that were read and stand in no parameter; not kept where a result is saved */
    int64_t room[9];
    bool of_records; /* its counts are of records, though people have several */
    unsigned closed; /* permission bits that files of it must not have: those of its inputs (Table.closed) */
    bool kept;       /* its output is a state or a model, to be read back: as .json the result is written whole (result/saved.h) */
} Result;

Result *result_new(const char *method); /* NULL when memory is out */
void result_free(Result *result);       /* everything in it; NULL harmless */
/* Values print in the order they were set. NaN is null; ±∞ becomes text in JSON. Names are copied. */
void result_real(Result *result, const char *name, double value);
void result_integer(Result *result, const char *name, int64_t value);
void result_text(Result *result, const char *name, const char *value);
void result_null(Result *result, const char *name, const char *why_format, ...)
    FORMAT(3, 4); /* null, with a note that says why, which the value keeps as its text */
void result_note(Result *result, const char *format, ...) FORMAT(2, 3);   /* no %f, %g: use real_short */
void result_urgent(Result *result, const char *format, ...) FORMAT(2, 3); /* the same, of what must be done first */
/* These take over the caller's reference. */
void result_column(Result *result, const char *of, Column *column);
void result_table(Result *result, const char *name, Table *table);
void result_output(Result *result, Table *table);
void result_result(Result *result, const char *name, Result *inner);
void result_param(Result *result, const char *name, const char *text, bool secret, bool preset, bool list);
/* A file that a parameter does not name was read: what is written of this result does not take its place. */
void result_read(Result *result, const char *path);
/* A chart to be filled; it lives in the result. NULL is never returned (a spare is, once memory is out). */
Chart *result_chart(Result *result, ChartKind kind, const char *title, const char *x, const char *y);
/* Leaves only what was declared public, here and in the results within: values, tables and charts; no notes, no parameters. */
void result_public(Result *result);
/* Lets go of what it says of each record, here and in the results within, but for the column of this name (NULL: of every one). */
void result_forget_records(Result *result, const char *but);
/* Leaves nothing of what was found or made: what was given alone. */
void result_redact(Result *result);
/* What the value, or the table, of this name means, for people, and whether everyone may see it (a table's charts with it); ignored where
 * there is none of that name. The runner calls them for each of Method.values. */
void result_describe(Result *result, const char *name, const char *meaning, bool public);
void result_describe_table(Result *result, const char *name, const char *meaning, bool public);
void result_summary(Result *result, const char *summary);         /* copied */
const Value *result_find(const Result *result, const char *name); /* NULL where there is none */
double result_number(const Result *result, const char *name);     /* NaN where there is none, or it is no number */
const Result *result_within(const Result *result, const char *name);
const Table *result_find_table(const Result *result, const char *name);

/* A small table made cell by cell: columns as "key:text cells:integer share:real"; cells are added row by row. */
typedef struct Grid Grid;
/* Ends with grid_done. NULL where memory is out: the result has failed, and the functions below take that NULL. */
Grid *grid_new(Result *result, const char *name, const char *columns);
void grid_text(Grid *grid, const char *text); /* NULL = missing */
void grid_integer(Grid *grid, int64_t value);
void grid_real(Grid *grid, double value); /* NaN = missing */
void grid_missing(Grid *grid);
void grid_done(Grid *grid); /* puts the table into the result */
#endif
