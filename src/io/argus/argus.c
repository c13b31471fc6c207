/* A finished table as τ-Argus has it, or microdata (microdata.c): NAME.rda tells the columns of NAME.tab beside it, which has no header, and names the .hrc files of
 * its dimensions. A dimension's <TOTCODE> becomes Total; its codes add up by the .hrc file, by <HIERLEVELS>, or to the total. */
#include "io/argus/argus.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/file.h"
#include "base/number_text.h"
#include "io/format.h"
#include "table/cell_structure.h"

static const char *const total = "Total";

/* A file beside the .rda, whatever folder it was in when the .rda was written. */
static Status beside(ArgusReading *r, const char *name, const char **out) {
    const char *slash = strrchr(r->path, '/');
    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '\\') name = c + 1;
    *out = slash ? arena_print(r->work->arena, "%.*s/%s", (int)(slash - r->path), r->path, name) : arena_text(r->work->arena, name);
    return *out ? OK : out_of_memory(r->work->error);
}

static Status read_text(Work *work, const char *path, char **out) {
    const char *text;
    size_t count;
    Status status = bytes_read(work->arena, path, &text, &count, work->error);
    if (!status && memchr(text, 0, count)) status = argus_bad(work, path, 0, "this is no text: an .rda file here is τ-Argus', not R's");
    if (!status && !(*out = arena_text(work->arena, text))) status = out_of_memory(work->error);
    return status;
}

/* ---- codes ---- */

const char *argus_trimmed(Work *work, const char *text) {
    char *copy = arena_text(work->arena, text ? text : "");
    if (!copy) return NULL;
    while (*copy == ' ') copy++;
    size_t length = strlen(copy);
    while (length && copy[length - 1] == ' ') copy[--length] = 0;
    return copy;
}

static const char *code_of(const ArgusVariable *v, const char *text) { return !strcmp(text, v->total ? v->total : total) ? total : text; }

static int32_t find_code(const Dimension *d, const char *code) {
    for (int32_t c = 0; c < d->codes; c++)
        if (!strcmp(d->code[c], code)) return c;
    return -1;
}

Status argus_add_code(Work *work, Dimension *d, int64_t *room, const char *code, int32_t *out) {
    Status status = OK;
    if ((*out = find_code(d, code)) >= 0) return OK;
    GROW(work, d->code, *room, d->codes + 1);
    d->code[ *out = d->codes++] = code;
done:
    return status;
}

/* The parts of each code, from the parent of each (-1: none). */
static Status sums_of(Work *work, Dimension *d, const int32_t *parent) {
    Status status = OK;
    NEW(work, d->sum, d->codes + 1);
    for (int32_t t = 0; t < d->codes; t++) {
        Sum sum = { .total = t };
        for (int32_t c = 0; c < d->codes; c++) sum.count += parent[c] == t;
        if (!sum.count) continue;
        NEW(work, sum.part, sum.count);
        sum.count = 0;
        for (int32_t c = 0; c < d->codes; c++)
            if (parent[c] == t) sum.part[sum.count++] = c;
        d->sum[d->sums++] = sum;
    }
done:
    return status;
}

/* Lines of an .hrc file: a code behind as many lead strings as levels stand above it. */
Status argus_tree(ArgusReading *r, const ArgusVariable *v, Dimension *d, int64_t *room, int32_t **parent) {
    Status status = OK;
    Work *work = r->work;
    const char *path;
    char *text;
    int32_t above[ARGUS_LEVELS + 1] = { 0 }, code, known = 0;
    int64_t number = 0;
    size_t lead = v->lead ? strlen(v->lead) : 0, name = strlen(v->hierarchy);
    if (name < 4 || strcasecmp(v->hierarchy + name - 4, ".hrc") || !lead)
        TRY(argus_bad(work, r->path, 0, "a <HIERCODELIST> is an .hrc file, and its <HIERLEADSTRING> is not empty"));
    TRY(beside(r, v->hierarchy, &path));
    TRY(read_text(work, path, &text));
    NEW(work, *parent, (int64_t)strlen(text) + ARGUS_MISSING + 2); /* parents of missing codes, which come later, are the total */
    (*parent)[0] = -1;
    for (char *line; (line = argus_line(&text));) {
        int depth = 0;
        number++;
        while (!strncmp(line, v->lead, lead) && depth < ARGUS_LEVELS) line += lead, depth++;
        if (!*line) continue;
        if (depth > known) TRY(argus_bad(work, path, number, "this code is more than one level below the one before it"));
        const char *word = argus_trimmed(work, line);
        if (!word) TRY(out_of_memory(work->error));
        if (find_code(d, word) >= 0) TRY(argus_bad(work, path, number, "this code stands here twice, or is the total"));
        TRY(argus_add_code(work, d, room, word, &code));
        (*parent)[code] = depth ? above[depth - 1] : 0;
        above[depth] = code;
        known = depth + 1;
    }
done:
    return status;
}

/* By digits: a code of the first k levels lies under its first k − 1. */
static Status by_digits(ArgusReading *r, const ArgusVariable *v, Dimension *d, int64_t *room, int32_t **parent) {
    Status status = OK;
    NEW(r->work, *parent, 2 * (int64_t)ARGUS_LEVELS * (d->codes + 1));
    (*parent)[0] = -1;
    for (int32_t c = 1; c < d->codes; c++) { /* parents that are no cells' codes are added on the way, and have their turn */
        size_t length = strlen(d->code[c]), prefix = 0, whole = 0;
        for (int k = 0; k < v->levels && whole < length; k++) prefix = whole, whole += (size_t)v->level[k];
        if (whole != length) TRY(argus_bad(r->work, r->path, 0, "a code is not as long as its <HIERLEVELS> say"));
        char *above = arena_print(r->work->arena, "%.*s", (int)prefix, d->code[c]);
        if (!above) TRY(out_of_memory(r->work->error));
        if (!prefix) (*parent)[c] = 0;
        else TRY(argus_add_code(r->work, d, room, above, &(*parent)[c]));
    }
done:
    return status;
}

static Status dimension(ArgusReading *r, const ArgusVariable *v, const char *const *code, Dimension *d) {
    Status status = OK;
    int64_t room = 0;
    int32_t *parent = NULL, at;
    *d = (Dimension){ .name = v->name };
    TRY(argus_add_code(r->work, d, &room, total, &at));
    if (v->hierarchy) TRY(argus_tree(r, v, d, &room, &parent));
    for (int64_t i = 0; i < r->cells->rows; i++) {
        bool known = find_code(d, code[i]) >= 0;
        if (v->hierarchy && !known && !argus_is_missing(v, code[i])) {
            argus_bad(r->work, r->path, 0, "a code of the table is not in its .hrc file");
            error_column(r->work->error, v->name);
            TRY(error_row(r->work->error, i));
        }
        TRY(argus_add_code(r->work, d, &room, code[i], &at));
    }
    if (v->levels && !v->hierarchy) TRY(by_digits(r, v, d, &room, &parent));
    if (!parent) {
        NEW(r->work, parent, d->codes + 1);
        parent[0] = -1;
    }
    TRY(sums_of(r->work, d, parent));
done:
    return status;
}

/* ---- columns ---- */

static Status dimension_column(ArgusReading *r, const ArgusVariable *v, const Column *from) {
    Status status = OK;
    const char **code = NULL;
    char number[33];
    bool own = false;
    NEW(r->work, code, from->rows + 1);
    for (int64_t i = 0; i < from->rows; i++) {
        const char *text = argus_trimmed(r->work, column_cell(from, i, number));
        if (!text) TRY(out_of_memory(r->work->error));
        code[i] = code_of(v, text);
        own |= code[i] == text && !strcmp(text, total);
    }
    if (own) TRY(argus_bad(r->work, r->path, 0, "a code is 'Total', and the <TOTCODE> another"));
    if (structure_reserved(v->name)) TRY(argus_bad(r->work, r->path, 0, "a dimension has the name of a column of numbers"));
    TRY(column_category(v->name, code, from->rows, &r->column[r->columns++], r->work->error));
    TRY(dimension(r, v, code, &r->s.dim[r->s.dims++]));
done:
    return status;
}

/* 1234.5 or 1234,5. A number with both has marks of thousands, and which is which is not told. */
static bool read_number(const char *text, double *out) {
    const char *end = text + strlen(text);
    return read_real(text, end, strchr(text, ',') ? ',' : '.', out);
}

Status argus_numbers(ArgusReading *r, const ArgusVariable *v, const char *name, const Column *from) {
    Status status = OK;
    char number[33];
    Column *to = NULL;
    TRY(column_new(REAL_TYPE, name, from->rows, &to, r->work->error));
    r->column[r->columns++] = to;
    TRY(column_need_valid(to, r->work->error));
    for (int64_t i = 0; i < from->rows; i++) {
        const char *text = argus_trimmed(r->work, column_cell(from, i, number));
        if (!text) TRY(out_of_memory(r->work->error));
        if (!*text || argus_is_missing(v, text)) column_set_missing(to, i);
        else if (!read_number(text, &to->real[i])) {
            argus_bad(r->work, r->path, 0, "a number is expected in this column");
            error_column(r->work->error, name);
            TRY(error_row(r->work->error, i));
        }
    }
    column_seal(to);
done:
    return status;
}

/* Cells that must not be hidden are known: no room below and above. */
static Status known_column(ArgusReading *r, const char *name, const uint8_t *known) {
    Status status = OK;
    Column *to = NULL;
    TRY(column_new(REAL_TYPE, name, r->cells->rows, &to, r->work->error));
    r->column[r->columns++] = to;
    TRY(column_need_valid(to, r->work->error));
    for (int64_t i = 0; i < r->cells->rows; i++)
        if (!known[i]) column_set_missing(to, i);
    column_seal(to);
done:
    return status;
}

static Status status_column(ArgusReading *r, const Column *from) {
    Status status = OK;
    static const char *const word[] = { "open", "primary", "open" };
    const char **cells = NULL;
    uint8_t *known = NULL;
    bool any = false;
    char number[33];
    NEW(r->work, cells, from->rows + 1);
    NEW(r->work, known, from->rows + 1);
    for (int64_t i = 0; i < from->rows; i++) {
        const char *text = argus_trimmed(r->work, column_cell(from, i, number));
        int k = 0;
        while (text && k < 3 && strcasecmp(text, r->meta.word[k])) k++;
        if (text && k == 3 && !strcasecmp(text, "E")) k = 0; /* an empty cell */
        if (!text || k == 3) {
            argus_bad(r->work, r->path, 0, "a status is none of the <SAFE>, <UNSAFE> and <PROTECT> words");
            TRY(error_row(r->work->error, i));
        }
        cells[i] = word[k];
        any |= known[i] = k == 2;
    }
    TRY(column_category("status", cells, from->rows, &r->column[r->columns++], r->work->error));
    if (any) TRY(known_column(r, "lower", known));
    if (any) TRY(known_column(r, "upper", known));
done:
    return status;
}

static Status one_column(ArgusReading *r, const ArgusVariable *v, const Column *from, int *largest) {
    static const char *const name[] = { [ARGUS_VALUE] = "value",
                                        [ARGUS_COUNT] = "count",
                                        [ARGUS_COST] = "cost",
                                        [ARGUS_LOWER] = "protection_lower",
                                        [ARGUS_UPPER] = "protection_upper" };
    char max[] = "max1";
    if (v->kind == ARGUS_OTHER || v->kind == ARGUS_CODE) return OK;
    if (v->kind == ARGUS_DIMENSION) return dimension_column(r, v, from);
    if (v->kind == ARGUS_STATUS) return status_column(r, from);
    if (v->kind != ARGUS_LARGEST) return argus_numbers(r, v, name[v->kind], from);
    if (*largest == 9) return OK;
    max[3] = (char)('1' + (*largest)++);
    return argus_numbers(r, v, max, from);
}

/* Dimensions first, as tables of cells have them. */
static Status make_columns(ArgusReading *r) {
    Status status = OK;
    int largest = 0, with[ARGUS_CODE + 1] = { 0 };
    NEW(r->work, r->s.dim, r->meta.variables + 1);
    if (r->cells->columns != r->meta.variables) TRY(argus_bad(r->work, r->path, 0, "the .tab file has not as many columns as this names"));
    for (int k = 0; k < r->meta.variables; k++)
        if (with[r->meta.variable[k].kind]++ && r->meta.variable[k].kind > ARGUS_DIMENSION && r->meta.variable[k].kind != ARGUS_LARGEST)
            TRY(argus_bad(r->work, r->path, 0, "two columns of one kind: a table has one value, one frequency, one status"));
    if (!with[ARGUS_DIMENSION] || !(with[ARGUS_VALUE] || with[ARGUS_COUNT]))
        TRY(argus_bad(r->work, r->path, 0, "a table needs a <RECODEABLE> variable and a <NUMERIC> or <FREQUENCY> one"));
    for (int numbers = 0; numbers < 2; numbers++)
        for (int k = 0; k < r->meta.variables; k++)
            if ((r->meta.variable[k].kind != ARGUS_DIMENSION) == numbers)
                TRY(one_column(r, &r->meta.variable[k], r->cells->column[k], &largest));
    r->s.whole = !with[ARGUS_VALUE];
done:
    return status;
}

/* The data beside the .rda, whichever of their suffixes there is. */
static const char *const suffixes[] = { ".tab", ".asc", ".csv", ".dat", ".txt" };
enum { TABLE_SUFFIX, SUFFIXES = sizeof suffixes / sizeof *suffixes };
static int data_suffix(const char *name, char path[BEHIND_PATH]) {
    const int stem = (int)(strlen(name) - strlen(".rda"));
    for (int k = 0; k < SUFFIXES; k++)
        if (snprintf(path, BEHIND_PATH, "%.*s%s", stem, name, suffixes[k]) < BEHIND_PATH && file_is_regular(path)) return k;
    return -1;
}

static Status read_cells(ArgusReading *r, const char *data, const char *encoding) {
    Status status = OK;
    CsvOptions raw = { .raw = true, .encoding = encoding, .separator = r->meta.separator };
    if (!raw.separator) TRY(argus_bad(r->work, r->path, 0, "a table of cells has a <SEPARATOR>: columns of fixed width are microdata"));
    TRY(csv_read(r->work, data, &raw, &r->cells));
    TRY(make_columns(r));
done:
    return status;
}

static Status argus_read(Work *work, const char *path, const CsvOptions *options, Table **out) {
    Status status = OK;
    ArgusReading *r = NULL;
    char *text, data[BEHIND_PATH];
    const char *encoding = options ? options->encoding : NULL;
    const int suffix = data_suffix(path, data);
    NEW(work, r, 1);
    *r = (ArgusReading){ .work = work, .path = path, .s = { .total = total } };
    TRY(read_text(work, path, &text));
    TRY(argus_meta(work, path, text, &r->meta));
    if (suffix < 0) {
        argus_bad(work, path, 0, "there are no data beside this file");
        TRY(error_advice(work->error, "The data have the same name with .tab (a table of cells), .asc, .csv, .dat or .txt (microdata)."));
    }
    TRY(suffix == TABLE_SUFFIX ? read_cells(r, data, encoding) : argus_microdata(r, data, encoding));
    TRY(table_new(path, r->column, r->columns, r->columns ? r->column[0]->rows : 0, out, work->error));
    if (suffix == TABLE_SUFFIX) TRY(structure_keep(work, &r->s, *out));
done:
    if (r) table_release(r->cells);
    for (int64_t k = 0; r && k < r->columns; k++) column_release(r->column[k]);
    return status;
}

/* The .rda, and the data. */
static Behind argus_behind(const char *name, int n, char path[BEHIND_PATH]) {
    if (n == 1) return data_suffix(name, path) >= 0 ? BEHIND_FILE : BEHIND_NONE;
    return n == 0 && snprintf(path, BEHIND_PATH, "%s", name) < BEHIND_PATH ? BEHIND_FILE : BEHIND_NONE;
}

const Format format_argus = { .name = "τ-Argus (table of cells, or microdata)",
                              .suffixes = (const char *const[]){ ".rda", NULL },
                              .holds = HOLDS_STRUCTURE,
                              .read = argus_read,
                              .behind = argus_behind };
