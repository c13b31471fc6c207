/* A table of cells as people read it, or as cells and relations for other programs. Defined after Hundepool et al. 2012:
 * docs/methods/tabular-export.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "method/method.h"
#include "table/group.h"
#include "table/display_layout.h"
#include "tabular/model.h"

typedef struct {
    const Table *table, *original;
    enum { WIDE, CELLS, RELATIONS, LONG, SDMX, REVIEW } form;
    const char *across, *mark, *dataflow, *total_code;
    bool unprotected;
} args;
static const Param params[] = {
    TABLE(args, table, "The table of cells", .flags = REQUIRED | POSITIONAL),
    CHOICE(args, form, "wide",
           "wide: rows, columns and totals; long: a row for each cell (for -o FILE.px and FILE.jsonstat); sdmx: the same as SDMX-CSV 2.0; "
           "cells, relations: the two files that `tabular import` reads; review: a page for the data custodian, with the table before and "
           "after and the reason of each suppressed cell (for -o FILE.html)",
           WORDS("wide", "cells", "relations", "long", "sdmx", "review")),
    TABLE(args, original, "review: the table with its values and primary cells (from `tabular primary`)"),
    ONLY_IF("original", "form", "review"),
    TEXT(args, across, NULL, "wide: the dimension whose codes become columns (default: the last)"),
    TEXT(args, mark, "x",
         "wide: symbol of a suppressed cell. One symbol for all, because distinguishing primary from secondary cells helps an intruder"),
    TEXT(args, dataflow, "SCRIM:TABLE(1.0)", "sdmx: agency, identifier and version of the dataflow"),
    FLAG(args, unprotected, "Write the table although it is not protected (refused by default)"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension, for a table without a structure file"),
    END,
};
static const Return values[] = {
    VALUE(rows, INTEGER, "Rows written", .flags = PUBLIC),
    VALUE(hidden, INTEGER, "Hidden cells", .flags = PUBLIC),
    TABLE_OUT(table, NULL, "The wide form"),
    TABLE_OUT(before, NULL, "review: the table before suppression"),
    TABLE_OUT(after, NULL, "review: the table after suppression. HTML says why a cell is suppressed"),
    OUTPUT("The table in the requested form"),
    END,
};

/* ---- wide ---- */

typedef struct Wide {
    Model m;
    int32_t **at;
    int64_t across;
    int32_t *row_of;
    const int32_t *first;
    int64_t rows;
    const char **text; /* of each cell */
    const char **why;  /* review: why it is hidden; NULL where it is not */
} Wide;

/* Cells that agree on all dimensions but the one across share a row; rows in order of first appearance. */
static Status find_rows(Work *work, Wide *w) {
    Status status = OK;
    Codes *codes = NULL;
    Grouping grouping;
    int64_t keys = 0;
    NEW(work, codes, w->m.structure.dims + 1);
    for (int64_t d = 0; d < w->m.structure.dims; d++)
        if (d != w->across) codes[keys++] = (Codes){ .count = w->m.structure.dim[d].codes, .at = w->at[d] };
    TRY(group_codes(work, codes, keys, w->m.cells, &grouping));
    w->rows = grouping.count;
    w->row_of = grouping.of;
    w->first = grouping.first;
done:
    return status;
}

static bool is_hidden(const Model *m, int64_t i) { return m->status[i] != CELL_OPEN || isnan(m->value[i]); }

static Status cell_texts(Work *work, const args *a, const Model *m, const char ***out) {
    Status status = OK;
    char number[33];
    NEW(work, *out, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        (*out)[i] = is_hidden(m, i) ? a->mark : arena_text(work->arena, real_text(m->value[i], number));
        if (!(*out)[i]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

/* The code; where a dimension at the left is called the same, with its own dimension before it. */
static const char *head_of(Work *work, const Wide *w, int32_t code) {
    const Dimension *across = &w->m.structure.dim[w->across];
    bool taken = false;
    for (int64_t d = 0; d < w->m.structure.dims; d++) taken |= d != w->across && !strcmp(w->m.structure.dim[d].name, across->code[code]);
    if (!taken) return across->code[code];
    Buffer text = { 0 };
    buffer_print(&text, "%s=%s", across->name, across->code[code]);
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : across->code[code];
}

static Status wide_column(Work *work, const Wide *w, int32_t code, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, w->rows + 1);
    for (int64_t i = 0; i < w->m.cells; i++)
        if (w->at[w->across][i] == code) cells[w->row_of[i]] = w->text[i];
    TRY(column_text(head_of(work, w, code), cells, w->rows, out, work->error));
done:
    return status;
}

static Status side_column(Work *work, const Wide *w, int64_t d, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, w->rows + 1);
    for (int64_t r = 0; r < w->rows; r++) cells[r] = w->m.structure.dim[d].code[w->at[d][w->first[r]]];
    TRY(column_text(w->m.structure.dim[d].name, cells, w->rows, out, work->error));
done:
    return status;
}

static Status wide_table(Work *work, const args *a, Wide *w, Table **out) {
    Status status = OK;
    const Structure *s = &w->m.structure;
    Column **columns = NULL;
    int64_t n = 0;
    int32_t codes = s->dim[w->across].codes, total = -1;
    NEW(work, columns, s->dims + codes + 1);
    TRY(find_rows(work, w));
    for (int64_t d = 0; d < s->dims; d++)
        if (d != w->across) TRY(side_column(work, w, d, &columns[n++]));
    for (int32_t c = 0; c < codes; c++) {
        if (!strcmp(s->dim[w->across].code[c], s->total)) {
            total = c;
            continue;
        } /* the total stands last */
        TRY(wide_column(work, w, c, &columns[n++]));
    }
    if (total >= 0) TRY(wide_column(work, w, total, &columns[n++]));
    TRY(table_new(a->table->name, columns, n, w->rows, out, work->error));
done:
    for (int64_t i = 0; columns && i < n; i++) column_release(columns[i]);
    return status;
}

/* How far below its total each code stands: one more than the code that it is part of. */
static Status code_depths(Work *work, const Dimension *dim, uint8_t **out) {
    Status status = OK;
    bool changed = true;
    NEW(work, *out, dim->codes + 1);
    for (int64_t pass = 0; pass < dim->sums && changed; pass++) {
        changed = false;
        for (int64_t s = 0; s < dim->sums; s++)
            for (int32_t k = 0; k < dim->sum[s].count; k++) {
                uint8_t *depth = &(*out)[dim->sum[s].part[k]], above = (*out)[dim->sum[s].total];
                if (*depth > above || above == UINT8_MAX) continue;
                *depth = (uint8_t)(above + 1);
                changed = true;
            }
    }
done:
    return status;
}

/* What the mark in the table says; it does not tell primary from secondary cells. */
static const char *footnote(Work *work, const args *a, const Model *m) {
    bool hidden = false;
    Buffer text = { 0 };
    for (int64_t i = 0; i < m->cells && !hidden; i++) hidden = is_hidden(m, i);
    if (!hidden) return NULL;
    buffer_print(&text, "%s: suppressed, because the cell is unsafe or protects another one.", a->mark);
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* Where in the wide table each reason stands: the codes across in their order, the total last. */
static Status reasons_at(Work *work, const Wide *w, const Table *table, const char ***out) {
    Status status = OK;
    const Structure *s = &w->m.structure;
    const Dimension *across = &s->dim[w->across];
    int64_t *place = NULL, next = 0, last = table->columns - s->dims;
    NEW(work, *out, (table->columns - s->dims + 1) * w->rows + 1);
    NEW(work, place, across->codes + 1);
    for (int32_t c = 0; c < across->codes; c++) place[c] = strcmp(across->code[c], s->total) ? next++ : last;
    for (int64_t i = 0; i < w->m.cells; i++) (*out)[place[w->at[w->across][i]] * w->rows + w->row_of[i]] = w->why[i];
done:
    return status;
}

/* The rows' heads, set in by how far below its total each code stands, and the footnote. */
static Status lay_out(Work *work, const args *a, const Wide *w, const char *note, Table *table) {
    Status status = OK;
    DisplayLayout layout = { .sides = w->m.structure.dims - 1, .mark = a->mark, .note = note };
    uint8_t *depth;
    NEW(work, layout.depth, layout.sides * w->rows + 1);
    for (int64_t d = 0, side = 0; d < w->m.structure.dims; d++) {
        if (d == w->across) continue;
        TRY(code_depths(work, &w->m.structure.dim[d], &depth));
        for (int64_t r = 0; r < w->rows; r++) layout.depth[side * w->rows + r] = depth[w->at[d][w->first[r]]];
        side++;
    }
    if (w->why) TRY(reasons_at(work, w, table, &layout.why));
    TRY(display_layout_give(&layout, table, work->error));
done:
    return status;
}

static Status find_across(Work *work, const args *a, Wide *w) {
    w->across = w->m.structure.dims - 1;
    if (w->across < 0) {
        fail(work->error, BAD, "a table of named cells has no wide form");
        return error_parameter(work->error, "form");
    }
    if (!a->across) return OK;
    for (w->across = 0; w->across < w->m.structure.dims; w->across++)
        if (!strcmp(w->m.structure.dim[w->across].name, a->across)) return OK;
    fail(work->error, BAD, "the table has no dimension '%s'", a->across);
    return error_parameter(work->error, "across");
}

/* ---- cells and relations ---- */

/* a|b: a bar or backslash of a code's own is written after a backslash, so that no two cells have one name. */
static const char *short_name(Work *work, const Model *m, int64_t i) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t d = 0; d < m->structure.dims; d++) {
        if (d) buffer_char(&text, '|');
        for (const char *at = column_cell(table_column(m->table, m->structure.dim[d].name), i, number); *at; at++) {
            if (*at == '|' || *at == '\\') buffer_char(&text, '\\');
            buffer_char(&text, *at);
        }
    }
    if (!m->structure.dims) buffer_text(&text, column_cell(table_column(m->table, "cell"), i, number));
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

static Status names_column(Work *work, const Model *m, const int32_t *cell, int64_t n, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, n + 1);
    for (int64_t i = 0; i < n; i++)
        if (!(cells[i] = short_name(work, m, cell ? cell[i] : i))) TRY(out_of_memory(work->error));
    TRY(column_text("cell", cells, n, out, work->error));
done:
    return status;
}

static Status cells_table(Work *work, const Model *m, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    int64_t n = 0;
    NEW(work, columns, m->table->columns + 2);
    TRY(names_column(work, m, NULL, m->cells, &columns[n++]));
    for (int64_t j = 0; j < m->table->columns; j++) {
        const Column *c = m->table->column[j];
        if (c == m->measure) TRY(column_rename(c, "value", &columns[n++], work->error));
        else if (structure_reserved(c->name) && strcmp(c->name, "value")) columns[n++] = column_retain(c);
    }
    TRY(table_new(m->table->name, columns, n, m->cells, out, work->error));
done:
    for (int64_t i = 0; columns && i < n; i++) column_release(columns[i]);
    return status;
}

static Status relations_table(Work *work, const Model *m, Table **out) {
    Status status = OK;
    const Relations *r = &m->relations;
    int64_t n = r->start[r->count];
    Column *columns[3] = { NULL };
    TRY(column_new(INTEGER_TYPE, "relation", n, &columns[0], work->error));
    TRY(names_column(work, m, r->cell, n, &columns[1]));
    TRY(column_new(REAL_TYPE, "coef", n, &columns[2], work->error));
    for (int64_t i = 0; i < r->count; i++)
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) {
            columns[0]->integer[k] = i + 1;
            columns[2]->real[k] = r->coefficient[k];
        }
    TRY(table_new(m->table->name, columns, 3, n, out, work->error));
done:
    for (int i = 0; i < 3; i++) column_release(columns[i]);
    return status;
}

/* ---- a row for each cell ---- */

static Status fill_text(Work *work, const char *name, const char *text, int64_t rows, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, rows + 1);
    for (int64_t i = 0; i < rows; i++) cells[i] = text;
    TRY(column_category(name, cells, rows, out, work->error));
done:
    return status;
}

/* What is published of each cell; nothing where it is hidden. */
static Status open_values(Work *work, const Model *m, const char *name, Column **out) {
    Status status = OK;
    TRY(column_new(REAL_TYPE, name, m->cells, out, work->error));
    TRY(column_need_valid(*out, work->error));
    for (int64_t i = 0; i < m->cells; i++) {
        if (is_hidden(m, i)) column_set_missing(*out, i);
        else (*out)->real[i] = m->value[i];
    }
    column_seal(*out);
done:
    return status;
}

/* One word for all hidden cells; SDMX: C, confidential (code list CL_CONF_STATUS), F, free. */
static Status open_marks(Work *work, const Model *m, const char *name, const char *hidden, const char *open, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) cells[i] = is_hidden(m, i) ? hidden : open;
    TRY(column_category(name, cells, m->cells, out, work->error));
done:
    return status;
}

static Status long_table(Work *work, const args *a, const Model *m, Table **out) {
    Status status = OK;
    const bool sdmx = a->form == SDMX;
    const int64_t dims = m->structure.dims;
    Column **columns = NULL;
    int64_t n = 0;
    NEW(work, columns, dims + 6);
    if (!dims) {
        fail(work->error, BAD, "a table of named cells has no dimensions, which this form needs");
        TRY(error_parameter(work->error, "form"));
    }
    if (sdmx) {
        TRY(fill_text(work, "STRUCTURE", "dataflow", m->cells, &columns[n++]));
        TRY(fill_text(work, "STRUCTURE_ID", a->dataflow, m->cells, &columns[n++]));
        TRY(fill_text(work, "ACTION", "I", m->cells, &columns[n++]));
    }
    for (int64_t d = 0; d < dims; d++) columns[n++] = column_retain(table_column(m->table, m->structure.dim[d].name));
    TRY(open_values(work, m, sdmx ? "OBS_VALUE" : m->measure->name, &columns[n++]));
    TRY(open_marks(work, m, sdmx ? "CONF_STATUS" : "status", sdmx ? "C" : "hidden", sdmx ? "F" : "open", &columns[n++]));
    TRY(table_new(a->table->name, columns, n, m->cells, out, work->error));
    if (!sdmx) TRY(structure_keep(work, &m->structure, *out));
done:
    for (int64_t i = 0; columns && i < n; i++) column_release(columns[i]);
    return status;
}

/* Suppression and the methods that change cells say so in the structure; of other files, secondary and blank cells do. */
static bool was_protected(const Model *m) {
    bool is = m->structure.is_protected;
    for (int64_t i = 0; i < m->cells && !is; i++) is = m->status[i] == CELL_SECONDARY || isnan(m->value[i]);
    return is;
}

static Status need_protection(Run *run, const Model *m) {
    if (was_protected(m)) return OK;
    fail(run->work.error, REFUSED, "the table is not protected: it has no secondary suppressions and no changed cells");
    return error_advice(run->work.error, "Run `tabular suppress` first, or give --unprotected if the table may be read as it is.");
}

/* ---- for the data custodian ---- */

/* "Primary (threshold). Value: 2", "Secondary: protects region=a, sex=f. Value: 5". */
static const char *reason_of(Work *work, const Wide *w, const Model *original, const int64_t *row, int64_t i) {
    const Column *protects = table_column(w->m.table, "protects");
    const Model *of = original ? original : &w->m;
    const int64_t at = original ? row[i] : i;
    char number[33];
    bool primary = of->status[at] == CELL_PRIMARY;
    Buffer text = { 0 };
    buffer_text(&text, primary ? "Primary" : "Secondary");
    const char *before = " (";
    for (int r = 0; r < CELL_RULES && primary; r++) {
        if (!(of->rule[at] >> r & 1)) continue;
        buffer_print(&text, "%s%s", before, cell_rule_word[r]);
        before = ", ";
    }
    if (before[0] == ',') buffer_char(&text, ')');
    const char *cells = protects ? column_cell(protects, i, number) : NULL;
    if (!primary && cells && *cells) buffer_print(&text, ": protects %s", cells);
    if (original) buffer_print(&text, ". Value: %s", real_text(original->value[at], number));
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

static Status put_review(Run *run, const args *a, Wide *w, const char *name, Table **out) {
    Status status = OK;
    Table *shown = NULL;
    TRY(wide_table(&run->work, a, w, out));
    TRY(table_without(*out, NULL, 0, &shown, run->work.error));
    TRY(lay_out(&run->work, a, w, footnote(&run->work, a, &w->m), shown));
    result_table(run->result, name, shown);
    shown = NULL;
done:
    table_release(shown);
    return status;
}

/* Before, where the original is at hand, and after; in both the reason of every hidden cell. */
static Status review(Run *run, const args *a, Wide *w, Table **out) {
    Status status = OK;
    Work *work = &run->work;
    Model original;
    Table *before = NULL;
    int64_t *row = NULL;
    char number[33];
    TRY(find_across(work, a, w));
    if (a->original) {
        TRY(model_make(work, a->original, a->total_code, &original));
        TRY(cells_match(work, &w->m.structure, w->m.table, original.table, &row));
        for (int64_t i = 0; i < w->m.cells; i++)
            if (row[i] < 0 || isnan(original.value[row[i]])) {
                fail(work->error, BAD, "lacks a cell of the table, or its value");
                TRY(error_parameter(work->error, "original"));
            }
    }
    NEW(work, w->why, w->m.cells + 1);
    for (int64_t i = 0; i < w->m.cells; i++)
        if (is_hidden(&w->m, i) && !(w->why[i] = reason_of(work, w, a->original ? &original : NULL, row, i)))
            TRY(out_of_memory(work->error));
    NEW(work, w->text, w->m.cells + 1);
    for (int64_t i = 0; i < w->m.cells && a->original; i++)
        if (!(w->text[i] = arena_text(work->arena, real_text(original.value[row[i]], number)))) TRY(out_of_memory(work->error));
    if (a->original) TRY(put_review(run, a, w, "before", &before));
    TRY(cell_texts(work, a, &w->m, &w->text));
    TRY(put_review(run, a, w, "after", out));
    result_note(run->result, "This page is for the data custodian: it says which cells are primary, and has their values.");
done:
    table_release(before);
    return status;
}

static Status export_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    Wide w = { 0 };
    Table *table = NULL, *shown = NULL;
    int64_t hidden = 0;
    const char *note = NULL;
    TRY(model_make(work, a->table, a->total_code, &w.m));
    TRY(structure_places(work, &w.m.structure, a->table, &w.at));
    for (int64_t i = 0; i < w.m.cells; i++) hidden += is_hidden(&w.m, i);
    const bool published = a->form != CELLS && a->form != RELATIONS && a->form != REVIEW;
    if (published && !a->unprotected) TRY(need_protection(run, &w.m));
    if (a->form == REVIEW) TRY(review(run, a, &w, &table));
    else if (a->form == WIDE) {
        TRY(find_across(work, a, &w));
        TRY(cell_texts(work, a, &w.m, &w.text));
        TRY(wide_table(work, a, &w, &table));
        note = footnote(work, a, &w.m);
        TRY(lay_out(work, a, &w, note, table));
    } else if (published) TRY(long_table(work, a, &w.m, &table));
    else if (a->form == CELLS) TRY(cells_table(work, &w.m, &table));
    else TRY(relations_table(work, &w.m, &table));
    if (a->form == WIDE) { /* a copy: an output that is shared would be copied later, without its layout */
        TRY(table_without(table, NULL, 0, &shown, work->error));
        TRY(lay_out(work, a, &w, note, shown));
        result_table(run->result, "table", shown);
        shown = NULL;
    }
    result_integer(run->result, "rows", table->rows);
    result_integer(run->result, "hidden", hidden);
    if (note) result_note(run->result, "%s", note);
    if (published && !was_protected(&w.m))
        result_note(run->result, "The table is not protected (--unprotected). Suppressed values may follow from published ones.");
    if (a->form == CELLS) result_note(run->result, "All values are written, including those of suppressed cells where the table has them.");
    result_output(run->result, table);
done:
    table_release(shown);
    return status;
}

const Method tabular_export = {
    .group = "tabular",
    .name = "export",
    .summary = "Export a table for publication (rows and columns, SDMX, PC-Axis, JSON-stat), or as cells and relations",
    .source = "Hundepool et al. 2012",
    .params = params,
    .size = sizeof(args),
    .run = export_run,
    .values = values,
    .example = "scrim tabular export examples/table.csv --unprotected"
};
