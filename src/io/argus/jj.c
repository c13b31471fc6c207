/* Tables in JJ form, in which τ-Argus, sdcTable and CSPLIB hand them on: cells with bounds and protection levels, and linear relations.
 *
 *     0
 *     CELLS
 *     NUMBER VALUE COST STATUS LOWEST HIGHEST LOWER-PROTECTION UPPER-PROTECTION SLIDING-PROTECTION      a line per cell, numbers from 0
 *     RELATIONS
 *     RIGHT-SIDE TERMS : CELL (COEFFICIENT) CELL (COEFFICIENT) …                                        a line per relation
 *
 * STATUS is s (open), u or m (primary), x (secondary), z or p (open, and cannot be hidden). */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/file.h"
#include "base/number_text.h"
#include "io/format.h"
#include "table/cell_structure.h"

typedef struct Reading {
    Work *work;
    const char *name, *at, *end;
    int64_t line;
} Reading;

static Status broken(const Reading *r, const char *what) {
    fail(r->work->error, BAD, "%s", what);
    error_line(r->work->error, r->line, 0);
    error_advice(r->work->error,
                 "A JJ file has 0, the number of cells, a line per cell, the number of relations, and a line per relation.");
    return error_file(r->work->error, r->name);
}

/* The next word; a bracket or a colon stands for itself. Empty at the end. */
static size_t next_word(Reading *r, const char **word) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n')) r->line += *r->at++ == '\n';
    *word = r->at;
    if (r->at < r->end && strchr("():", *r->at)) r->at++;
    else
        while (r->at < r->end && !strchr(" \t\r\n():", *r->at)) r->at++;
    return (size_t)(r->at - *word);
}

static Status need_number(Reading *r, double *out) {
    const char *word;
    size_t length = next_word(r, &word);
    if (length && read_real(word, word + length, '.', out)) return OK;
    return broken(r, length ? "a number is expected here" : "the file ends too early");
}

static Status need_count(Reading *r, int64_t most, int64_t *out) {
    double number;
    Status status = need_number(r, &number);
    if (!status && !(number >= 0 && number <= (double)most && number == floor(number)))
        status = broken(r, "a whole number is expected here, no larger than the file can hold");
    if (!status) *out = (int64_t)number;
    return status;
}

static Status need_mark(Reading *r, char mark, const char *what) {
    const char *word;
    return next_word(r, &word) == 1 && *word == mark ? OK : broken(r, what);
}

/* ---- cells ---- */

enum { VALUE, COST, LOWER, UPPER, NEED_LOW, NEED_HIGH, NUMBERS };
static const char *const number_name[NUMBERS] = { "value", "cost", "lower", "upper", "protection_lower", "protection_upper" };
static const char *const status_word[] = { "open", "primary", "secondary" };

typedef struct Cells {
    int64_t count;
    const char **name;
    double *number[NUMBERS];
    const char **status;
} Cells;

static Status read_cell(Reading *r, Cells *c, int64_t i) {
    Status status = OK;
    int64_t number;
    double lowest, highest, sliding;
    const char *word;
    TRY(need_count(r, c->count - 1, &number));
    if (number != i) TRY(broken(r, "cells are numbered from 0, in order"));
    TRY(need_number(r, &c->number[VALUE][i]));
    TRY(need_number(r, &c->number[COST][i]));
    size_t length = next_word(r, &word);
    const char *known = length == 1 ? strchr("sumxzp", *word) : NULL;
    if (!known || !*known) TRY(broken(r, "a status is s, u, m, x, z or p"));
    c->status[i] = status_word[*word == 'u' || *word == 'm' ? 1 : *word == 'x' ? 2 : 0];
    TRY(need_number(r, &lowest));
    TRY(need_number(r, &highest));
    TRY(need_number(r, &c->number[NEED_LOW][i]));
    TRY(need_number(r, &c->number[NEED_HIGH][i]));
    TRY(need_number(r, &sliding));
    bool fixed = *word == 'z' || *word == 'p';
    c->number[LOWER][i] = fixed ? 0 : c->number[VALUE][i] - lowest;
    c->number[UPPER][i] = fixed ? 0 : highest - c->number[VALUE][i];
    if (c->number[LOWER][i] < 0 || c->number[UPPER][i] < 0) TRY(broken(r, "the cell lies outside of its own bounds"));
    if (c->number[NEED_LOW][i] < 0 || c->number[NEED_HIGH][i] < 0) TRY(broken(r, "a protection level is below 0"));
    if (sliding > c->number[NEED_LOW][i] + c->number[NEED_HIGH][i]) TRY(broken(r, "sliding protection levels are not supported"));
    c->name[i] = arena_print(r->work->arena, "%lld", (long long)i);
    if (!c->name[i]) TRY(out_of_memory(r->work->error));
done:
    return status;
}

static Status read_cells(Reading *r, Cells *c) {
    Status status = OK;
    int64_t zero;
    TRY(need_count(r, 0, &zero));
    TRY(need_count(r, r->end - r->at, &c->count));
    NEW(r->work, c->name, c->count + 1);
    NEW(r->work, c->status, c->count + 1);
    for (int k = 0; k < NUMBERS; k++) NEW(r->work, c->number[k], c->count + 1);
    for (int64_t i = 0; i < c->count; i++) TRY(read_cell(r, c, i));
done:
    return status;
}

/* ---- relations ---- */

static Status read_relation(Reading *r, int64_t cells, Relations *out, int64_t *room) {
    Status status = OK;
    double right;
    int64_t terms, cell, at = out->start[out->count], same = *room;
    TRY(need_number(r, &right));
    if (right != 0) TRY(broken(r, "a relation whose right side is not 0"));
    TRY(need_count(r, r->end - r->at, &terms));
    TRY(need_mark(r, ':', "a colon is expected after the number of terms"));
    GROW(r->work, out->cell, *room, at + terms + 1);
    GROW(r->work, out->coefficient, same, at + terms + 1);
    for (int64_t k = 0; k < terms; k++, at++) {
        TRY(need_count(r, cells - 1, &cell));
        TRY(need_mark(r, '(', "a coefficient in brackets is expected after the cell"));
        TRY(need_number(r, &out->coefficient[at]));
        TRY(need_mark(r, ')', "a coefficient ends with a bracket"));
        out->cell[at] = (int32_t)cell;
    }
    out->start[++out->count] = at;
done:
    return status;
}

static Status read_relations(Reading *r, int64_t cells, Relations *out) {
    Status status = OK;
    int64_t count, room = 0;
    const char *word;
    TRY(need_count(r, r->end - r->at, &count));
    *out = (Relations){ .cells = cells };
    NEW(r->work, out->start, count + 2);
    for (int64_t i = 0; i < count; i++) TRY(read_relation(r, cells, out, &room));
    if (next_word(r, &word)) TRY(broken(r, "something follows the last relation"));
done:
    return status;
}

static Status make_table(Work *work, const Cells *c, const Relations *relations, const char *name, Table **out) {
    Status status = OK;
    Column *column[NUMBERS + 2] = { NULL };
    Structure s = { .total = "Total", .names = c->count, .name = c->name, .relations = *relations };
    TRY(column_text("cell", c->name, c->count, &column[0], work->error));
    for (int k = 0; k < NUMBERS; k++) {
        TRY(column_new(REAL_TYPE, number_name[k], c->count, &column[k + 1], work->error));
        if (c->count) memcpy(column[k + 1]->real, c->number[k], (size_t)c->count * sizeof(double));
    }
    TRY(column_category("status", c->status, c->count, &column[NUMBERS + 1], work->error));
    TRY(table_new(name, column, NUMBERS + 2, c->count, out, work->error));
    TRY(structure_keep(work, &s, *out));
done:
    for (int k = 0; k < NUMBERS + 2; k++) column_release(column[k]);
    return status;
}

static Status jj_read(Work *work, const char *name, const CsvOptions *options, Table **out) {
    (void)options;
    Status status = OK;
    Bytes bytes = { 0 };
    Cells cells = { 0 };
    Relations relations;
    TRY(bytes_open(name, &bytes, work->error));
    Reading r = { .work = work, .name = name, .at = bytes.at, .end = bytes.at + bytes.count, .line = 1 };
    TRY(read_cells(&r, &cells));
    TRY(read_relations(&r, cells.count, &relations));
    TRY(make_table(work, &cells, &relations, name, out));
done:
    bytes_close(&bytes);
    return status;
}

/* ---- writing ---- */

static double number_of(const Table *table, const char *name, int64_t row, double otherwise) {
    const Column *column = table_column(table, name);
    double x = column && column_numeric(column) ? column_number(column, row) : NAN;
    return isnan(x) ? otherwise : x;
}

static void put_real(Buffer *out, double x, char after) {
    char number[33];
    buffer_text(out, real_text(x, number));
    buffer_char(out, after);
}

/* What all cells go by. */
typedef struct Writing {
    Work *work;
    const Table *table;
    const char *name, *measure;
    double far; /* stands for a bound that nobody knows */
    bool negative, whole;
} Writing;

/* Levels that the table does not tell are those that suppression takes: one for counts, a tenth for magnitudes. */
static void put_protection(const Writing *w, int64_t i, double v, Buffer *out) {
    double own = number_of(w->table, "protection", i, w->whole ? 1 : fabs(v) / 10);
    put_real(out, number_of(w->table, "protection_lower", i, own), ' ');
    put_real(out, number_of(w->table, "protection_upper", i, own), ' ');
}

static Status put_cell(const Writing *w, int64_t i, Buffer *out) {
    char number[33];
    const Column *column = table_column(w->table, "status");
    const char *word = column ? column_cell(column, i, number) : NULL;
    double v = number_of(w->table, w->measure, i, NAN);
    if (isnan(v)) {
        fail(w->work->error, BAD, "a cell without a value cannot be written in this form");
        error_row(w->work->error, i);
        return error_file(w->work->error, w->name);
    }
    bool primary = word && !strcmp(word, "primary"), hidden = word && !strcmp(word, "secondary");
    double low = number_of(w->table, "lower", i, w->negative ? w->far : v), high = number_of(w->table, "upper", i, w->far);
    bool fixed = !primary && !hidden && (v == 0 || (low == 0 && high == 0));
    buffer_print(out, "%lld ", (long long)i);
    put_real(out, v, ' ');
    put_real(out, number_of(w->table, "cost", i, larger_known(fabs(v), 1)), ' ');
    buffer_text(out, primary ? "u " : hidden ? "x " : fixed ? "z " : "s ");
    put_real(out, fixed ? v : v - low, ' ');
    put_real(out, fixed ? v : v + high, ' ');
    if (primary) put_protection(w, i, v, out);
    else buffer_text(out, "0 0 ");
    buffer_text(out, "0\n");
    return OK;
}

static void put_relations(Buffer *out, const Relations *r) {
    buffer_print(out, "%lld\n", (long long)r->count);
    for (int64_t i = 0; i < r->count; i++) {
        buffer_print(out, "0 %lld :", (long long)(r->start[i + 1] - r->start[i]));
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) {
            buffer_print(out, " %d (", r->cell[k]);
            put_real(out, r->coefficient[k], ')');
        }
        buffer_char(out, '\n');
    }
}

static Status jj_write(Work *work, const Table *table, const char *name, const CsvOptions *options) {
    (void)options;
    Status status = OK;
    Buffer out = { 0 };
    Structure s;
    Relations r;
    Writing w = { .work = work, .table = table, .name = name, .measure = table_column(table, "value") ? "value" : "count", .far = 1 };
    TRY(structure_read(work, table, NULL, &s));
    TRY(structure_relations(work, &s, table, &r));
    w.whole = s.whole;
    for (int64_t i = 0; i < table->rows; i++) {
        double v = number_of(table, w.measure, i, 0);
        w.far = larger_known(w.far, 10 * fabs(v));
        w.negative |= v < 0;
    }
    buffer_print(&out, "0\n%lld\n", (long long)table->rows);
    for (int64_t i = 0; i < table->rows; i++) TRY(put_cell(&w, i, &out));
    put_relations(&out, &r);
    if (out.failed) TRY(out_of_memory(work->error));
    TRY(file_write(name, buffer_get(&out), strlen(buffer_get(&out)), false, work->error));
done:
    buffer_free(&out);
    return status;
}

const Format format_jj = { .name = "JJ (table of cells)",
                           .suffixes = (const char *const[]){ ".jj", NULL },
                           .holds = HOLDS_STRUCTURE,
                           .read = jj_read,
                           .write = jj_write };
