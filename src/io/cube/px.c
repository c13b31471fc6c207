/* PC-Axis files (.px, Statistics Sweden, PX file format 2013): the last dimension is the heading, the others are the stub. One data symbol
 * stands for all hidden cells, another for cells that the table does not have. */
#include <string.h>
#include "base/elementary.h"
#include "base/file.h"
#include "base/number_text.h"
#include "io/cube/cube.h"
#include "io/format.h"

/* A text in quotes; one inside becomes an apostrophe, a line end a blank. */
static void put_quoted(Buffer *out, const char *text) {
    buffer_char(out, '"');
    for (; *text; text++) buffer_char(out, *text == '"' ? '\'' : (unsigned char)*text < ' ' ? ' ' : *text);
    buffer_char(out, '"');
}

static void put_keyword(Buffer *out, const char *keyword, const char *text) {
    buffer_print(out, "%s=", keyword);
    put_quoted(out, text);
    buffer_text(out, ";\n");
}

/* Decimals of the number that has most of them, six at the most. */
static int decimals_of(const Cube *cube) {
    int most = 0;
    for (int64_t k = 0; k < cube->cells; k++) {
        if (isnan(cube->value[k]) || cube->value[k] == 0) continue;
        Shortest s = shortest_real(cube->value[k]);
        if (-s.power > most) most = -s.power;
    }
    return most > 6 ? 6 : most;
}

static void put_names(const Cube *cube, const char *keyword, int64_t from, int64_t end, Buffer *out) {
    if (from == end) return;
    buffer_print(out, "%s=", keyword);
    for (int64_t d = from; d < end; d++) {
        if (d > from) buffer_char(out, ',');
        put_quoted(out, cube->s.dim[d].name);
    }
    buffer_text(out, ";\n");
}

static void put_values(const Dimension *d, Buffer *out) {
    buffer_text(out, "VALUES(");
    put_quoted(out, d->name);
    buffer_text(out, ")=");
    for (int32_t c = 0; c < d->codes; c++) {
        if (c) buffer_text(out, ",\n");
        put_quoted(out, d->code[c]);
    }
    buffer_text(out, ";\n");
}

static void put_data(const Cube *cube, Buffer *out) {
    char number[33];
    const int64_t line = cube->s.dim[cube->s.dims - 1].codes;
    buffer_text(out, "DATA=\n");
    for (int64_t k = 0; k < cube->cells; k++) {
        if (cube->hidden[k]) buffer_text(out, "\"..\"");
        else if (isnan(cube->value[k])) buffer_text(out, "\".\"");
        else buffer_text(out, real_text(cube->value[k], number));
        buffer_char(out, (k + 1) % line ? ' ' : '\n');
    }
    buffer_text(out, ";\n");
}

static Status px_write(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    Cube cube;
    Buffer out = { 0 };
    TRY(cube_make(work, table, path, &cube));
    const int decimals = decimals_of(&cube);
    buffer_text(&out, "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\nCODEPAGE=\"utf-8\";\nLANGUAGE=\"en\";\n");
    buffer_print(&out, "DECIMALS=%d;\nSHOWDECIMALS=%d;\n", decimals, decimals);
    put_keyword(&out, "MATRIX", "TABLE");
    put_keyword(&out, "SUBJECT-CODE", "TABLE");
    put_keyword(&out, "SUBJECT-AREA", "Table");
    put_keyword(&out, "TITLE", cube.measure);
    put_keyword(&out, "CONTENTS", cube.measure);
    put_keyword(&out, "UNITS", !strcmp(cube.measure, "count") ? "number" : "value");
    put_names(&cube, "STUB", 0, cube.s.dims - 1, &out);
    put_names(&cube, "HEADING", cube.s.dims - 1, cube.s.dims, &out);
    for (int64_t d = 0; d < cube.s.dims; d++) put_values(&cube.s.dim[d], &out);
    put_keyword(&out, "DATASYMBOL1", "not in the table");
    put_keyword(&out, "DATASYMBOL2", "confidential");
    put_data(&cube, &out);
    if (out.failed) TRY(out_of_memory(work->error));
    TRY(file_write(path, out.bytes, out.count, false, work->error));
done:
    buffer_free(&out);
    return status;
}

const Format format_px = { .name = "PC-Axis (table of cells)", .suffixes = (const char *const[]){ ".px", NULL }, .write = px_write };
