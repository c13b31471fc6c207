/* The cells of a table in the order of their codes. */
#include "io/cube/cube.h"
#include <string.h>
#include "base/elementary.h"

static Status refuse(Work *work, const char *path, const char *what) {
    fail(work->error, BAD, "%s", what);
    return error_file(work->error, path);
}

/* What is published: `value` in tables of magnitudes, else `count`. */
static Status find_measure(Work *work, const Table *table, const char *path, const Column **out) {
    *out = table_column(table, "value");
    if (!*out) *out = table_column(table, "count");
    return *out && column_numeric(*out)
               ? OK
               : refuse(work, path, "this form needs a table of cells: a column for each dimension, and count or value");
}

Status cube_make(Work *work, const Table *table, const char *path, Cube *out) {
    Status status = OK;
    const Column *measure, *mark = table_column(table, "status");
    int32_t **place;
    char text[33];
    *out = (Cube){ 0 };
    TRY(find_measure(work, table, path, &measure));
    TRY(structure_read(work, table, NULL, &out->s));
    if (!out->s.dims) TRY(refuse(work, path, "a table of named cells has no dimensions, which this form needs"));
    double cells = 1;
    for (int64_t d = 0; d < out->s.dims; d++) cells *= out->s.dim[d].codes;
    if (cells > 1e8) TRY(refuse(work, path, "more than 100 million combinations of codes"));
    TRY(structure_places(work, &out->s, table, &place));
    out->cells = (int64_t)cells;
    out->measure = measure->name;
    NEW(work, out->value, out->cells + 1);
    NEW(work, out->hidden, out->cells + 1);
    for (int64_t k = 0; k < out->cells; k++) out->value[k] = NAN;
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t at = 0;
        for (int64_t d = 0; d < out->s.dims; d++) at = at * out->s.dim[d].codes + place[d][i];
        const char *word = mark ? column_cell(mark, i, text) : NULL;
        if (out->hidden[at] || !isnan(out->value[at])) TRY(refuse(work, path, "a cell stands in the table twice"));
        out->hidden[at] = column_missing(measure, i) || (word && strcmp(word, "open") != 0);
        if (!out->hidden[at]) out->value[at] = column_number(measure, i);
    }
done:
    return status;
}
