/* The structure of a table of cells: read from its JSON or taken flat from its columns, written, and resolved to relations between rows. */
#include "table/cell_structure.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "base/escape.h"
#include "table/group.h"

bool structure_reserved(const char *column) {
    static const char *const names[] = { "count",
                                         "value",
                                         "mean",
                                         "weighted",
                                         "status",
                                         "rule",
                                         "lower",
                                         "upper",
                                         "protection",
                                         "protection_lower",
                                         "protection_upper",
                                         "protection_either",
                                         "holdings",
                                         "holder",
                                         "request",
                                         "waiver",
                                         "key",
                                         "cost",
                                         "original",
                                         "protects",
                                         "table",
                                         "level" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(column, names[i])) return true;
    size_t stem = !strncmp(column, "max", 3) ? 3 : !strncmp(column, "by", 2) ? 2 : 0;
    return stem && column[stem] >= '1' && column[stem] <= '9' && !column[stem + 1];
}

/* ---- flat, from the columns ---- */

/* Codes in the order of the column, the total among them where the column has it. */
static Status flat_dimension(Work *work, const Column *column, const char *total, Dimension *out) {
    Status status = OK;
    Codes codes;
    char number[33];
    int32_t top = -1;
    TRY(column_codes(work, column, &codes));
    *out = (Dimension){ .name = column->name, .codes = codes.count };
    NEW(work, out->code, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) {
        if (!(out->code[c] = arena_text(work->arena, column_cell(column, codes.first_row[c], number)))) TRY(out_of_memory(work->error));
        if (!strcmp(out->code[c], total)) top = c;
    }
    if (top < 0 || codes.count < 2) goto done;
    NEW(work, out->sum, 1);
    NEW(work, out->sum[0].part, codes.count);
    out->sums = 1;
    out->sum[0].total = top;
    for (int32_t c = 0; c < codes.count; c++)
        if (c != top) out->sum[0].part[out->sum[0].count++] = c;
done:
    return status;
}

static Status flat(Work *work, const Table *table, Structure *out) {
    Status status = OK;
    int64_t end = 0;
    NEW(work, out->dim, table->columns + 1);
    while (end < table->columns && !structure_reserved(table->column[end]->name))
        end++; /* dimensions stand before count and value; what follows is a note */
    if (!end) end = table->columns;
    for (int64_t j = 0; j < end; j++)
        if (!structure_reserved(table->column[j]->name)) TRY(flat_dimension(work, table->column[j], out->total, &out->dim[out->dims++]));
    const Column *count = table_column(table, "count");
    out->whole = !table_column(table, "value") && count && count->type == INTEGER_TYPE;
    if (!out->dims) {
        fail(work->error, BAD, "the table has no column that could be a dimension");
        TRY(error_advice(work->error, "A table of cells has a column for each dimension, then count (and value); make one with `tabular "
                                      "build` or `tabular import`."));
    }
done:
    return status;
}

/* ---- linked tables ---- */

Status structure_extent(Work *work, Structure *s, Extent *out) {
    Status status = OK;
    NEW(work, out->has, s->dims + 1);
    for (int64_t d = 0; d < s->dims; d++) NEW(work, out->has[d], s->dim[d].codes + 1);
done:
    return status;
}

bool structure_covers(const Structure *s, const int32_t *place) {
    for (int64_t e = 0; e < s->extents; e++) {
        int64_t d = 0;
        while (d < s->dims && s->extent[e].has[d][place[d]]) d++;
        if (d == s->dims) return true;
    }
    return !s->extents;
}

bool structure_compared(const Structure *s, int64_t one, int64_t other) {
    const uint32_t both = UINT32_C(1) << one | UINT32_C(1) << other;
    for (int64_t k = 0; k < s->comparisons; k++)
        if ((s->comparison[k] & both) == both) return true;
    return false;
}

/* ---- from JSON ---- */

static Status malformed(Work *work, const Table *table, const char *what) {
    fail(work->error, BAD, "the structure kept beside the table is broken: %s", what);
    error_advice(work->error, "Make the table again with `tabular build` or `tabular import`, or remove the file for flat dimensions.");
    return table->name ? error_file(work->error, table->name) : BAD;
}

static Status read_words(Work *work, const json_t *list, int32_t *count, const char ***out) {
    Status status = OK;
    size_t i;
    const json_t *word;
    *count = (int32_t)json_array_size(list);
    NEW(work, *out, *count + 1);
    json_array_foreach (list, i, word) {
        const char *text = json_string_value(word);
        if (!((*out)[i] = arena_text(work->arena, text ? text : ""))) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

/* A number of the list that lies in 0 … bound-1, else -1. */
static int32_t index_at(const json_t *list, size_t i, int64_t bound) {
    const json_t *item = json_array_get(list, i);
    json_int_t n = json_is_integer(item) ? json_integer_value(item) : -1;
    return n >= 0 && n < bound ? (int32_t)n : -1;
}

/* [total, part, part, …] */
static Status read_sum(Work *work, const Table *table, const json_t *list, int32_t codes, Sum *out) {
    Status status = OK;
    size_t size = json_array_size(list);
    if (size < 2) TRY(malformed(work, table, "a sum without parts"));
    NEW(work, out->part, size);
    out->total = index_at(list, 0, codes);
    for (size_t i = 1; i < size; i++) out->part[out->count++] = index_at(list, i, codes);
    for (int32_t i = 0; i < out->count; i++)
        if (out->total < 0 || out->part[i] < 0) TRY(malformed(work, table, "a code that it does not have"));
done:
    return status;
}

static Status read_dimension(Work *work, const Table *table, const json_t *node, Dimension *out) {
    Status status = OK;
    const char *name = json_string_value(json_object_get(node, "name"));
    const json_t *sums = json_object_get(node, "sums"), *sum;
    size_t i;
    if (!name) TRY(malformed(work, table, "a dimension without a name"));
    if (!(out->name = arena_text(work->arena, name))) TRY(out_of_memory(work->error));
    TRY(read_words(work, json_object_get(node, "codes"), &out->codes, &out->code));
    NEW(work, out->sum, json_array_size(sums) + 1);
    json_array_foreach (sums, i, sum) TRY(read_sum(work, table, sum, out->codes, &out->sum[out->sums++]));
done:
    return status;
}

/* "relations": [[cell, coefficient, cell, coefficient, …], …] */
static Status read_relations(Work *work, const Table *table, const json_t *list, int64_t names, Relations *out) {
    Status status = OK;
    size_t i, total = 0;
    const json_t *row;
    json_array_foreach (list, i, row) total += json_array_size(row) / 2;
    *out = (Relations){ .cells = names, .count = (int64_t)json_array_size(list) };
    NEW(work, out->start, out->count + 1);
    NEW(work, out->cell, total + 1);
    NEW(work, out->coefficient, total + 1);
    int64_t at = 0;
    json_array_foreach (list, i, row) {
        for (size_t k = 0; k + 1 < json_array_size(row); k += 2, at++) {
            out->cell[at] = index_at(row, k, names);
            out->coefficient[at] = json_number_value(json_array_get(row, k + 1));
            if (out->cell[at] < 0) TRY(malformed(work, table, "a relation of a cell that it does not have"));
        }
        out->start[i + 1] = at;
    }
done:
    return status;
}

/* [[code, code, …] of each dimension] */
static Status read_extent(Work *work, const Table *table, const json_t *node, Structure *s, Extent *out) {
    Status status = OK;
    TRY(structure_extent(work, s, out));
    if (json_array_size(node) != (size_t)s->dims) TRY(malformed(work, table, "a linked table without all dimensions"));
    for (int64_t d = 0; d < s->dims; d++) {
        const json_t *codes = json_array_get(node, (size_t)d);
        for (size_t i = 0; i < json_array_size(codes); i++) {
            int32_t code = index_at(codes, i, s->dim[d].codes);
            if (code < 0) TRY(malformed(work, table, "a linked table with a code that it does not have"));
            out->has[d][code] = 1;
        }
    }
done:
    return status;
}

static Status read_extents(Work *work, const Table *table, const json_t *list, Structure *s) {
    Status status = OK;
    const json_t *node;
    size_t i;
    NEW(work, s->extent, json_array_size(list) + 1);
    json_array_foreach (list, i, node) TRY(read_extent(work, table, node, s, &s->extent[s->extents++]));
done:
    return status;
}

/* [[dimension, …], …] */
static Status read_comparisons(Work *work, const Table *table, const json_t *list, Structure *s) {
    Status status = OK;
    const json_t *node;
    size_t i;
    NEW(work, s->comparison, json_array_size(list) + 1);
    json_array_foreach (list, i, node) {
        for (size_t k = 0; k < json_array_size(node); k++) {
            int32_t dim = index_at(node, k, (int32_t)s->dims);
            if (dim < 0 || dim > 31) TRY(malformed(work, table, "a comparison of a dimension that it does not have"));
            s->comparison[i] |= UINT32_C(1) << dim;
        }
        s->comparisons++;
    }
done:
    return status;
}

/* [[a, b], …]: the number of pairs read, 8 at most. */
static int read_pairs(const json_t *list, double out[8][2]) {
    int n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < 8; i++, n++)
        for (size_t k = 0; k < 2; k++) out[n][k] = json_number_value(json_array_get(json_array_get(list, i), k));
    return n;
}

static void read_rules(const json_t *node, SafetyRules *out) {
    out->threshold = json_integer_value(json_object_get(node, "threshold"));
    out->coalition = json_integer_value(json_object_get(node, "coalition"));
    out->threshold_alone = json_is_true(json_object_get(node, "threshold_alone"));
    out->p_percent = json_number_value(json_object_get(node, "p_percent"));
    out->dominances = read_pairs(json_object_get(node, "dominance"), out->dominance);
    out->pqs = read_pairs(json_object_get(node, "pq"), out->pq);
}

static Status read_root(Work *work, const Table *table, const json_t *root, Structure *out) {
    Status status = OK;
    const json_t *dims = json_object_get(root, "dimensions"), *node;
    size_t i;
    int32_t names;
    const char *total = json_string_value(json_object_get(root, "total"));
    if (json_integer_value(json_object_get(root, "schema")) != 1) TRY(malformed(work, table, "its schema is not 1"));
    if (total && !(out->total = arena_text(work->arena, total))) TRY(out_of_memory(work->error));
    out->whole = json_is_true(json_object_get(root, "whole"));
    out->is_signed = json_is_true(json_object_get(root, "signed"));
    out->zeros_hidden = json_is_true(json_object_get(root, "zeros_hidden"));
    out->is_protected = json_is_true(json_object_get(root, "protected"));
    read_rules(json_object_get(root, "rules"), &out->rules);
    NEW(work, out->dim, json_array_size(dims) + 1);
    json_array_foreach (dims, i, node) TRY(read_dimension(work, table, node, &out->dim[out->dims++]));
    TRY(read_extents(work, table, json_object_get(root, "tables"), out));
    TRY(read_comparisons(work, table, json_object_get(root, "compared"), out));
    TRY(read_words(work, json_object_get(root, "cells"), &names, &out->name));
    out->names = names;
    TRY(read_relations(work, table, json_object_get(root, "relations"), names, &out->relations));
    if (!out->dims && !out->names) TRY(malformed(work, table, "neither dimensions nor cells"));
done:
    return status;
}

Status structure_read(Work *work, const Table *table, const char *total, Structure *out) {
    *out = (Structure){ .total = total ? total : "Total" };
    if (!table->structure) return flat(work, table, out);
    json_error_t problem;
    json_t *root = json_loads(table->structure, 0, &problem);
    if (!root) return malformed(work, table, "it is not JSON");
    Status status = read_root(work, table, root, out);
    json_decref(root);
    return status;
}

/* ---- to JSON ---- */

static void put_words(Buffer *out, const char *const *word, int64_t count) {
    buffer_char(out, '[');
    for (int64_t i = 0; i < count; i++) {
        if (i) buffer_char(out, ',');
        put_json_text(out, word[i]);
    }
    buffer_char(out, ']');
}

static void put_dimension(Buffer *out, const Dimension *d) {
    buffer_text(out, "{\"name\":");
    put_json_text(out, d->name);
    buffer_text(out, ",\"codes\":");
    put_words(out, d->code, d->codes);
    buffer_text(out, ",\"sums\":[");
    for (int64_t s = 0; s < d->sums; s++) {
        buffer_print(out, "%s[%d", s ? "," : "", d->sum[s].total);
        for (int32_t i = 0; i < d->sum[s].count; i++) buffer_print(out, ",%d", d->sum[s].part[i]);
        buffer_char(out, ']');
    }
    buffer_text(out, "]}");
}

static void put_extents(Buffer *out, const Structure *s) {
    if (s->extents) buffer_text(out, ",\"tables\":[");
    for (int64_t e = 0; e < s->extents; e++) {
        buffer_text(out, e ? ",\n[" : "[");
        for (int64_t d = 0; d < s->dims; d++) {
            const char *before = d ? ",[" : "[";
            for (int32_t c = 0; c < s->dim[d].codes; c++) {
                if (!s->extent[e].has[d][c]) continue;
                buffer_print(out, "%s%d", before, c);
                before = ",";
            }
            buffer_text(out, *before == ',' && !before[1] ? "]" : d ? ",[]" : "[]");
        }
        buffer_char(out, ']');
    }
    if (s->extents) buffer_char(out, ']');
}

static void put_comparisons(Buffer *out, const Structure *s) {
    if (s->comparisons) buffer_text(out, ",\"compared\":[");
    for (int64_t k = 0; k < s->comparisons; k++) {
        const char *before = k ? ",[" : "[";
        for (int d = 0; d < 32; d++) {
            if (!(s->comparison[k] >> d & 1)) continue;
            buffer_print(out, "%s%d", before, d);
            before = ",";
        }
        buffer_char(out, ']');
    }
    if (s->comparisons) buffer_char(out, ']');
}

static void put_relations(Buffer *out, const Relations *r) {
    buffer_text(out, ",\"relations\":[");
    for (int64_t i = 0; i < r->count; i++) {
        buffer_text(out, i ? ",[" : "[");
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) {
            buffer_print(out, "%s%d,", k > r->start[i] ? "," : "", r->cell[k]);
            put_json_real(out, r->coefficient[k]);
        }
        buffer_char(out, ']');
    }
    buffer_char(out, ']');
}

static void put_pairs(Buffer *out, const char *name, const double pair[8][2], int count) {
    buffer_print(out, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        buffer_text(out, i ? ",[" : "[");
        put_json_real(out, pair[i][0]);
        buffer_char(out, ',');
        put_json_real(out, pair[i][1]);
        buffer_char(out, ']');
    }
    buffer_char(out, ']');
}

/* What is known of the table beside its cells; nothing is written for what is not so. */
static void put_facts(Buffer *out, const Structure *s) {
    const SafetyRules *r = &s->rules;
    if (s->is_signed) buffer_text(out, ",\"signed\":true");
    if (s->zeros_hidden) buffer_text(out, ",\"zeros_hidden\":true");
    if (s->is_protected) buffer_text(out, ",\"protected\":true");
    if (!r->coalition) return;
    buffer_print(out, ",\"rules\":{\"threshold\":%lld,\"coalition\":%lld,\"p_percent\":", (long long)r->threshold, (long long)r->coalition);
    put_json_real(out, r->p_percent);
    if (r->threshold_alone) buffer_text(out, ",\"threshold_alone\":true");
    put_pairs(out, "dominance", r->dominance, r->dominances);
    put_pairs(out, "pq", r->pq, r->pqs);
    buffer_char(out, '}');
}

Status structure_keep(Work *work, const Structure *s, Table *table) {
    Buffer out = { 0 };
    buffer_text(&out, "{\"schema\":1,\"total\":");
    put_json_text(&out, s->total);
    buffer_print(&out, ",\"whole\":%s", s->whole ? "true" : "false");
    put_facts(&out, s);
    buffer_text(&out, ",\"dimensions\":[");
    for (int64_t d = 0; d < s->dims; d++) {
        if (d) buffer_text(&out, ",\n");
        put_dimension(&out, &s->dim[d]);
    }
    buffer_char(&out, ']');
    put_extents(&out, s);
    put_comparisons(&out, s);
    buffer_text(&out, ",\"cells\":");
    put_words(&out, s->name, s->names);
    put_relations(&out, &s->relations);
    buffer_text(&out, "}\n");
    free(table->structure);
    table->structure = out.failed ? NULL : strdup(buffer_get(&out));
    buffer_free(&out);
    return table->structure ? OK : out_of_memory(work->error);
}
