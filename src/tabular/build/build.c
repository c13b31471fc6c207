/* Tables of counts and magnitudes from microdata, with totals at every level: a row per cell, and how the cells add up. Defined after
 * Hundepool et al. 2012, ch. 4 and 5: docs/methods/tabular-build.md. */
#include <string.h>
#include "base/elementary.h"
#include "tabular/build/build.h"
#include "tabular/model.h"

typedef BuildArgs args;
static const Param params[] = {
    TABLE(args, data, "The microdata", .flags = REQUIRED | POSITIONAL),
    GROUPS(args, dims, data, "Dimensions of the table. Separate several (linked) tables with semicolons", .flags = REQUIRED),
    TEXT(args, response, NULL,
         "Response variable whose sums the table shows; without it the table counts records. Several with equations between them: "
         "\"turnover = domestic + export\""),
    WEIGHT(args, data),
    COLUMN(args, holding, data, "Column that identifies the respondent: records of one holding are one contributor"),
    HIERARCHIES(args, 0),
    GROUPS(args, nested, data,
           "Columns that are levels of one dimension, from coarse to fine. Separate several dimensions with semicolons"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension"),
    INT(args, top, 5, 1, 9, "Number of largest contributions kept per cell (max1, max2, …), with their contributors (by1, by2, …)"),
    FLAG(args, mean, "Add the mean of the response in each cell"),
    FLAG(args, all_codes, "Include every code of the hierarchies and Missing, also without records"),
    ONLY_WITH("mean", "response"),
    ONLY_WITH("all-codes", "hierarchies"),
    END,
};

static const Return values[] = {
    VALUE(cells, INTEGER, "Cells, including totals"),        VALUE(relations, INTEGER, "Additive relations between cells"),
    VALUE(empty, INTEGER, "Cells without a record"),         VALUE(records, INTEGER, "Records counted"),
    OUTPUT("The table: one row per cell", .flags = KEEPERS), END,
};

/* ---- axes and faces ---- */

/* The nested list that a column stands in, and how far from the finest. */
static bool find_nested(const args *a, const Column *column, const Columns **list, int32_t *level) {
    for (int64_t g = 0; g < a->nested.count; g++)
        for (int64_t i = 0; i < a->nested.at[g].count; i++)
            if (!strcmp(a->nested.at[g].at[i]->name, column->name)) {
                *list = &a->nested.at[g];
                *level = (int32_t)(a->nested.at[g].count - 1 - i);
                return true;
            }
    return false;
}

static Status nested_columns(Work *work, const Columns *list, Columns *out) {
    Status status = OK;
    NEW(work, out->at, list->count + 1);
    for (int64_t i = list->count - 2; i >= 0; i--) out->at[out->count++] = list->at[i];
done:
    return status;
}

static Status face_axis(Work *work, const args *a, const Column *column, Axis *axes, int64_t *count, Face *face) {
    Status status = OK;
    const Columns *list = NULL;
    int32_t level = 0;
    int64_t x = 0;
    const Column *finest = find_nested(a, column, &list, &level) ? list->at[list->count - 1] : column;
    while (x < *count && strcmp(axes[x].column->name, finest->name)) x++;
    if (x == *count) {
        if (list) TRY(nested_columns(work, list, &axes[x].levels));
        TRY(axis_make(work, a, finest, &axes[x]));
        (*count)++;
    }
    for (int64_t d = 0; d < face->dims; d++)
        if (face->axis[d] == x) {
            fail(work->error, BAD, "a dimension is named twice in one table");
            TRY(error_column(work->error, column->name));
        }
    if (face->dims == 6) {
        fail(work->error, BAD, "a table has at most six dimensions");
        TRY(error_parameter(work->error, "dims"));
    }
    face->axis[face->dims] = (int32_t)x;
    face->from[face->dims++] = level;
done:
    return status;
}

static Status check_names(Work *work, const args *a) {
    for (int64_t g = 0; g < a->dims.count; g++)
        for (int64_t i = 0; i < a->dims.at[g].count; i++)
            if (structure_reserved(a->dims.at[g].at[i]->name)) {
                fail(work->error, BAD, "'%s' is the name of a column that the table gets by itself", a->dims.at[g].at[i]->name);
                error_parameter(work->error, "dims");
                return error_advice(work->error, "Give the column another name.");
            }
    return OK;
}

/* ---- the table ---- */

static Status code_column(Work *work, const Axis *axis, const int32_t *place, int64_t cells, Column **out) {
    Status status = OK;
    Dictionary *words = NULL;
    TRY(dictionary_new(axis->d.code, axis->d.codes, true, &words, work->error));
    TRY(column_unfilled(CATEGORY_TYPE, axis->d.name, cells, out, work->error));
    (*out)->words = dictionary_retain(words);
    memcpy((*out)->code, place, (size_t)cells * sizeof *place);
done:
    dictionary_release(words);
    return status;
}

static Status whole_column(Work *work, const char *name, const int64_t *at, int64_t cells, bool zero_missing, Column **out) {
    Status status = column_new(INTEGER_TYPE, name, cells, out, work->error);
    if (!status && zero_missing) status = column_need_valid(*out, work->error);
    for (int64_t i = 0; !status && i < cells; i++) {
        (*out)->integer[i] = at[i];
        if (zero_missing && !at[i]) column_set_missing(*out, i);
    }
    if (!status) column_seal(*out);
    return status;
}

/* A sum of decimals is a decimal, too: 83102.4, not 83102.40000000001. */
static double without_residue(double x) {
    for (double scale = 1; scale <= 1e6; scale *= 10) {
        double shorter = round(x * scale) / scale;
        if (fabs(shorter - x) <= 1e-13 * fabs(x)) return shorter;
    }
    return x;
}

/* Every `step`-th number of an array; a mean of nothing is missing. */
static Status real_column(Work *work, const char *name, const double *at, int64_t step, const double *by, int64_t cells, Column **out) {
    Status status = column_new(REAL_TYPE, name, cells, out, work->error);
    if (!status && by) status = column_need_valid(*out, work->error);
    for (int64_t i = 0; !status && i < cells; i++) {
        (*out)->real[i] = by ? at[i * step] / by[i] : without_residue(at[i * step]);
        if (by && !(by[i] > 0)) {
            (*out)->real[i] = 0;
            column_set_missing(*out, i);
        }
    }
    if (!status) column_seal(*out);
    return status;
}

static Status by_column(Work *work, const Made *made, int64_t k, Column **out) {
    Status status = column_new(INTEGER_TYPE, (char[]){ 'b', 'y', (char)('1' + k), 0 }, made->cells, out, work->error);
    if (!status) status = column_need_valid(*out, work->error);
    for (int64_t i = 0; !status && i < made->cells; i++) {
        (*out)->integer[i] = made->by[i * made->top + k];
        if (!(*out)->integer[i]) column_set_missing(*out, i);
    }
    if (!status) column_seal(*out);
    return status;
}

/* Nothing is marked yet. */
static Status status_column(Work *work, int64_t cells, Column **out) {
    Status status = OK;
    uint8_t *open = NULL;
    NEW(work, open, cells + 1);
    TRY(model_status_column(work, open, cells, out));
done:
    return status;
}

static Status make_table(Work *work, const args *a, const Axis *axes, int64_t axis_count, const Made *made, Table **out) {
    Status status = OK;
    Column *columns[48] = { NULL };
    int64_t n = 0;
    for (int64_t x = 0; x < axis_count; x++, n++) TRY(code_column(work, &axes[x], made->place[x], made->cells, &columns[n]));
    TRY(whole_column(work, "count", made->count, made->cells, false, &columns[n++]));
    if (made->value) TRY(real_column(work, "value", made->value, 1, NULL, made->cells, &columns[n++]));
    if (made->weighted) TRY(real_column(work, "mean", made->value, 1, made->weighted, made->cells, &columns[n++]));
    for (int64_t k = 0; k < made->top; k++)
        TRY(real_column(work, (char[]){ 'm', 'a', 'x', (char)('1' + k), 0 }, made->largest + k, made->top, NULL, made->cells,
                        &columns[n++]));
    for (int64_t k = 0; k < made->top; k++) TRY(by_column(work, made, k, &columns[n++]));
    if (made->holdings) TRY(whole_column(work, "holdings", made->holdings, made->cells, false, &columns[n++]));
    if (made->holder) TRY(whole_column(work, "holder", made->holder, made->cells, true, &columns[n++]));
    TRY(status_column(work, made->cells, &columns[n++]));
    TRY(table_new(a->data->name, columns, n, made->cells, out, work->error));
done:
    for (int64_t i = 0; i < 48; i++) column_release(columns[i]);
    return status;
}

/* Several tables: which codes each has. */
static Status note_extents(Work *work, const Axis *axes, const Face *faces, int64_t count, Structure *s) {
    Status status = OK;
    NEW(work, s->extent, count + 1);
    for (int64_t f = 0; f < count && count > 1; f++) {
        Extent *e = &s->extent[s->extents++];
        TRY(structure_extent(work, s, e));
        for (int64_t x = 0; x < s->dims; x++) e->has[x][axes[x].total] = 1;
        for (int64_t d = 0; d < faces[f].dims; d++)
            for (int32_t c = 0; c < axes[faces[f].axis[d]].d.codes; c++)
                e->has[faces[f].axis[d]][c] |= axes[faces[f].axis[d]].level[c] >= faces[f].from[d];
    }
done:
    return status;
}

/* ---- one variable under two names ---- */

/* What check_names_apart found. */
static Status note_compared(Work *work, int64_t faces, Structure *s) {
    Status status = OK;
    NEW(work, s->comparison, 1);
    if (faces > 1) s->comparison[s->comparisons++] = (uint32_t)((UINT64_C(1) << s->dims) - 1);
done:
    return status;
}

static bool in_one_table(const Face *faces, int64_t count, int32_t x, int32_t y) {
    for (int64_t f = 0; f < count; f++) {
        int found = 0;
        for (int64_t d = 0; d < faces[f].dims; d++) found += faces[f].axis[d] == x || faces[f].axis[d] == y;
        if (found == 2) return true;
    }
    return false;
}

/* The logarithm of the chance that all records of each value of `fine` have one value of `coarse` by chance; 0 where they have several. */
static Status chance_of_one(Work *work, const Codes *fine, const Codes *coarse, int64_t rows, double *chance) {
    Status status = OK;
    double *size = NULL, *share = NULL;
    int32_t *seen = NULL;
    NEW(work, size, fine->count + 1);
    NEW(work, seen, fine->count + 1);
    NEW(work, share, coarse->count + 1);
    *chance = 0;
    for (int64_t i = 0; i < rows; i++) {
        int32_t x = fine->at[i], y = coarse->at[i];
        if (x < 0 || y < 0) continue;
        if (seen[x] && seen[x] != y + 1) return OK;
        seen[x] = y + 1;
        size[x]++;
        share[y]++;
    }
    *chance = chance_of_pure(size, (int32_t)fine->count, share, (int32_t)coarse->count);
done:
    return status;
}

static bool same_words(const Column *a, const Column *b) {
    char one[33], two[33];
    for (int64_t i = 0; i < a->rows; i++) {
        const char *x = column_cell(a, i, one), *y = column_cell(b, i, two);
        if (!x != !y || (x && strcmp(x, y) != 0)) return false;
    }
    return true;
}

static Status refuse_pair(Work *work, const Column *one, const Column *two, bool same) {
    fail(work->error, BAD, "the linked tables carry one variable under two names: %s %s %s", one->name,
         same ? "is the same as" : "determines", two->name);
    return error_advice(work->error, "A cell suppressed in one table would follow from the other. Make them one dimension: several "
                                     "hierarchies of one column (--hierarchies), or levels of it (--nested).");
}

/* Columns of different linked tables of which one determines the other, and not by chance (1 in 10^6): no relation of the tables says so,
 * and a reader knows it all the same. */
static Status check_names_apart(Work *work, const Axis *axes, int64_t axis_count, const Face *faces, int64_t face_count) {
    Status status = OK;
    Codes *codes = NULL;
    NEW(work, codes, axis_count + 1);
    for (int64_t x = 0; x < axis_count && face_count > 1; x++) TRY(column_codes(work, axes[x].column, &codes[x]));
    for (int32_t x = 0; x < axis_count && face_count > 1; x++)
        for (int32_t y = 0; y < axis_count; y++) {
            double chance = 0;
            if (x == y || codes[x].count < 2 || codes[y].count < 2 || in_one_table(faces, face_count, x, y)) continue;
            if (same_words(axes[x].column, axes[y].column)) TRY(refuse_pair(work, axes[x].column, axes[y].column, true));
            TRY(chance_of_one(work, &codes[x], &codes[y], axes[x].column->rows, &chance));
            if (chance < PURE_BY_CHANCE) TRY(refuse_pair(work, axes[x].column, axes[y].column, false));
        }
done:
    return status;
}

/* Room for the axes and the tables, and the tables' axes. The variables of equations are the last dimension of every table. */
static Status make_axes(Work *work, const BuildArgs *a, const Equations *e, Axis **axes, int64_t *axis_count, Face **faces) {
    Status status = OK;
    int64_t most = 0;
    for (int64_t g = 0; g < a->dims.count; g++) most += a->dims.at[g].count;
    if (most > 24) {
        fail(work->error, BAD, "at most 24 dimensions in all linked tables together");
        TRY(error_parameter(work->error, "dims"));
    }
    NEW(work, *axes, most + 2);
    NEW(work, *faces, a->dims.count + 1);
    for (int64_t g = 0; g < a->dims.count; g++)
        for (int64_t i = 0; i < a->dims.at[g].count; i++) TRY(face_axis(work, a, a->dims.at[g].at[i], *axes, axis_count, &(*faces)[g]));
    if (!e->data) goto done;
    (*axes)[*axis_count] = e->axis;
    for (int64_t g = 0; g < a->dims.count; g++) (*faces)[g].axis[(*faces)[g].dims++] = (int32_t)*axis_count;
    ++*axis_count;
done:
    return status;
}

Status build_make(Work *work, const BuildArgs *given, Made *made, Table **out) {
    Status status = OK;
    Axis *axes = NULL;
    Face *faces = NULL;
    int64_t axis_count = 0;
    Equations e = { 0 };
    TRY(check_names(work, given));
    if (given->response) TRY(equations_make(work, given, &e));
    const BuildArgs *a = given->response ? &e.a : given;
    TRY(make_axes(work, a, &e, &axes, &axis_count, &faces));
    TRY(check_names_apart(work, axes, axis_count, faces, a->dims.count));
    TRY(cells_make(work, a, axes, axis_count, faces, a->dims.count, made));
    TRY(make_table(work, a, axes, axis_count, made, out));
    Structure s = { .total = a->total_code, .whole = !a->summed && !a->weight, .is_signed = made->is_signed, .dims = axis_count };
    NEW(work, s.dim, axis_count + 1);
    for (int64_t x = 0; x < axis_count; x++) s.dim[x] = axes[x].d;
    if (e.data) {
        s.dim[axis_count - 1].sums = e.sums;
        s.dim[axis_count - 1].sum = e.sum;
    }
    TRY(note_extents(work, axes, faces, a->dims.count, &s));
    TRY(note_compared(work, a->dims.count, &s));
    TRY(structure_keep(work, &s, *out));
done:
    equations_free(&e);
    return status;
}

static Status report(Run *run, const args *a, const Table *table) {
    Status status = OK;
    Structure s;
    Relations relations;
    TRY(structure_read(&run->work, table, a->total_code, &s));
    TRY(structure_relations(&run->work, &s, table, &relations));
    const Column *count = table_column(table, "count");
    int64_t empty = 0, records = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        empty += !count->integer[i];
        if (count->integer[i] > records) records = count->integer[i];
    }
    result_integer(run->result, "cells", table->rows);
    result_integer(run->result, "relations", relations.count);
    result_integer(run->result, "empty", empty);
    result_integer(run->result, "records", records);
    if (records < a->data->rows)
        result_note(run->result, "%lld records without a response or weight are not counted.", (long long)(a->data->rows - records));
    result_note(run->result,
                "The table is confidential. Mark unsafe cells with `tabular primary`, then run `tabular suppress` before publication.");
done:
    return status;
}

static Status build_run(Run *run, const void *p) {
    Status status = OK;
    Made made;
    Table *table = NULL;
    TRY(build_make(&run->work, p, &made, &table));
    TRY(report(run, p, table));
    result_output(run->result, table);
    table = NULL;
done:
    table_release(table);
    return status;
}

const Method tabular_build = { .group = "tabular",
                               .name = "build",
                               .summary = "Build a frequency or magnitude table with totals, hierarchies and linked tables",
                               .source = "Hundepool et al. 2012, ch. 4 and 5",
                               .params = params,
                               .size = sizeof(args),
                               .run = build_run,
                               .values = values,
                               .example = "scrim tabular build examples/clinic.csv --dims sex,region --response income" };
