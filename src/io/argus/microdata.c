/* τ-Argus' microdata: records of fixed width, or with a separator and no header. A code of a hierarchy has the codes above it in columns of
 * their own, which `tabular build --nested` takes: NAME_1 (the coarsest), NAME_2, …, NAME. */
#include <string.h>
#include "base/file.h"
#include "io/argus/argus.h"
#include "io/csv/csv.h"

/* ---- records of fixed width ---- */

static Status copy_field(Work *work, const ArgusVariable *v, const char *line, size_t length, const char **out) {
    size_t from = (size_t)v->start - 1, count = from < length ? length - from : 0;
    if (count > (size_t)v->width) count = (size_t)v->width;
    *out = arena_print(work->arena, "%.*s", (int)count, count ? line + from : "");
    return *out ? OK : out_of_memory(work->error);
}

/* The bytes into a table of text, a column for each variable. */
static Status read_fixed(ArgusReading *r, const char *data) {
    Status status = OK;
    Work *work = r->work;
    Column *column[ARGUS_VARIABLES] = { NULL };
    const char ***cells = NULL, *text, *at, *end;
    size_t count;
    int64_t rows = 0, lines = 0;
    TRY(bytes_read(work->arena, data, &text, &count, work->error));
    end = text + count;
    if (memchr(text, 0, count)) TRY(argus_bad(work, data, 0, "this is no text"));
    for (at = text; at < end; at++) lines += *at == '\n';
    NEW(work, cells, r->meta.variables + 1);
    for (int k = 0; k < r->meta.variables; k++) NEW(work, cells[k], lines + 2);
    for (at = text; at < end;) {
        size_t length = strcspn(at, "\r\n");
        if (length) {
            for (int k = 0; k < r->meta.variables; k++) TRY(copy_field(work, &r->meta.variable[k], at, length, &cells[k][rows]));
            rows++;
        }
        at += length;
        while (at < end && (*at == '\r' || *at == '\n')) at++;
    }
    for (int k = 0; k < r->meta.variables; k++) TRY(column_text(r->meta.variable[k].name, cells[k], rows, &column[k], work->error));
    TRY(table_new(data, column, r->meta.variables, rows, &r->cells, work->error));
done:
    for (int k = 0; k < ARGUS_VARIABLES; k++) column_release(column[k]);
    return status;
}

/* ---- columns ---- */

/* A column of text; `name` is the variable's own or that of a level above it. */
static Status code_column(ArgusReading *r, const char *name, const char *const *cells, int64_t rows) {
    if (r->columns == ARGUS_MOST_COLUMNS) return fail(r->work->error, BAD, "more columns than a table of τ-Argus can have");
    return column_category(name, cells, rows, &r->column[r->columns++], r->work->error);
}

static Status level_name(Work *work, const ArgusVariable *v, int level, const char **out) {
    *out = arena_print(work->arena, "%s_%d", v->name, level);
    return *out ? OK : out_of_memory(work->error);
}

/* The first digits of a code, for each level but the last. */
static Status digit_levels(ArgusReading *r, const ArgusVariable *v, const char *const *code, int64_t rows) {
    Status status = OK;
    const char **cells = NULL, *name;
    int digits = 0;
    NEW(r->work, cells, rows + 1);
    for (int k = 0; k + 1 < v->levels; k++) {
        digits += v->level[k];
        for (int64_t i = 0; i < rows; i++) {
            cells[i] = code[i] ? arena_print(r->work->arena, "%.*s", digits, code[i]) : NULL;
            if (code[i] && !cells[i]) TRY(out_of_memory(r->work->error));
        }
        TRY(level_name(r->work, v, k + 1, &name));
        TRY(code_column(r, name, cells, rows));
    }
done:
    return status;
}

static int depth_of(const int32_t *parent, int32_t code) {
    int depth = 0;
    for (; parent[code] > 0; code = parent[code]) depth++;
    return depth;
}

/* The codes above each code in the .hrc file; a code that stands higher than others is its own lower level. */
static Status tree_levels(ArgusReading *r, const ArgusVariable *v, const char *const *code, int64_t rows) {
    Status status = OK;
    Work *work = r->work;
    Dimension d = { .name = v->name };
    int64_t room = 0;
    int32_t *parent = NULL, at, *of = NULL;
    int deepest = 0;
    const char **cells = NULL, *name;
    TRY(argus_add_code(work, &d, &room, "", &at)); /* the total */
    TRY(argus_tree(r, v, &d, &room, &parent));
    const int32_t known = d.codes;
    NEW(work, cells, rows + 1);
    NEW(work, of, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        if (!code[i]) continue;
        TRY(argus_add_code(work, &d, &room, code[i], &of[i]));
        if (of[i] >= known) {
            argus_bad(work, r->path, 0, "a code of the data is not in its .hrc file");
            error_column(work->error, v->name);
            TRY(error_row(work->error, i));
        }
        if (depth_of(parent, of[i]) > deepest) deepest = depth_of(parent, of[i]);
    }
    for (int level = 0; level < deepest; level++) {
        for (int64_t i = 0; i < rows; i++) {
            int32_t c = of[i];
            while (code[i] && depth_of(parent, c) > level) c = parent[c];
            cells[i] = code[i] ? d.code[c] : NULL;
        }
        TRY(level_name(work, v, level + 1, &name));
        TRY(code_column(r, name, cells, rows));
    }
done:
    return status;
}

static Status codes_of(ArgusReading *r, const ArgusVariable *v, const Column *from) {
    Status status = OK;
    const char **code = NULL;
    char number[33];
    NEW(r->work, code, from->rows + 1);
    for (int64_t i = 0; i < from->rows; i++) {
        code[i] = argus_trimmed(r->work, column_cell(from, i, number));
        if (!code[i]) TRY(out_of_memory(r->work->error));
        if (!*code[i] || argus_is_missing(v, code[i])) code[i] = NULL;
    }
    if (v->hierarchy) TRY(tree_levels(r, v, code, from->rows));
    else if (v->levels) TRY(digit_levels(r, v, code, from->rows));
    TRY(code_column(r, v->name, code, from->rows));
done:
    return status;
}

Status argus_microdata(ArgusReading *r, const char *data, const char *encoding) {
    Status status = OK;
    ArgusMeta *m = &r->meta;
    if (m->separator) {
        CsvOptions raw = { .raw = true, .encoding = encoding, .separator = m->separator };
        TRY(csv_read(r->work, data, &raw, &r->cells));
        for (int k = 0; k < m->variables; k++) { /* behind a name its width stands first */
            ArgusVariable *v = &m->variable[k];
            if (v->missings) memmove(v->missing, v->missing + 1, (size_t)--v->missings * sizeof *v->missing);
        }
    } else TRY(read_fixed(r, data));
    if (r->cells->columns != m->variables) TRY(argus_bad(r->work, r->path, 0, "the data have not as many columns as this names"));
    for (int k = 0; k < m->variables; k++) {
        const ArgusVariable *v = &m->variable[k];
        bool codes = v->kind == ARGUS_DIMENSION || v->kind == ARGUS_CODE || v->kind == ARGUS_OTHER || v->kind == ARGUS_STATUS;
        TRY(codes ? codes_of(r, v, r->cells->column[k]) : argus_numbers(r, v, v->name, r->cells->column[k]));
    }
done:
    return status;
}
