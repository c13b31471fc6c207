/* Marked spans and finds: read from their tables, and matched by overlap. */
#include <stdlib.h>
#include <string.h>
#include "scrub/evaluate/evaluate.h"

static int by_place(const void *a, const void *b) {
    const Span *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    if (order) return order;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

static Status whole_at(Work *work, const Table *table, const char *name, int64_t row, int64_t *out) {
    const Column *column;
    Status status = table_need(table, name, &column, work->error);
    if (status) return status;
    double value = column_number(column, row);
    if (!column_numeric(column) || column_missing(column, row) || !(value >= 0 && value <= 1e15) || value != (double)(int64_t)value) {
        fail(work->error, BAD, "column %s has no whole number from 0 on in row %lld", name, (long long)row + 1);
        return table->name ? error_file(work->error, table->name) : work->error->status;
    }
    *out = (int64_t)value;
    return OK;
}

/* A span of nothing would be a miss or a hit by chance, and one of no note a note of its own. */
static Status check_span(Work *work, const Table *table, const Span *span, bool named, int64_t row) {
    if (named && span->end > span->start) return OK;
    fail(work->error, BAD, named ? "the span in row %lld ends before it begins, or holds nothing" : "row %lld lacks its note or its kind",
         (long long)row + 1);
    return table->name ? error_file(work->error, table->name) : work->error->status;
}

/* What a marked kind is called among the finds; "" where it counts neither way. */
static const char *renamed(Run *run, const EvaluateArgs *a, const char *kind) {
    char cell[33];
    for (int64_t i = 0; i < a->rename.count; i++)
        if (!strcmp(a->rename.at[i].name, kind)) return a->rename.at[i].text[0];
    const Column *from = a->map ? table_column(a->map, "kind") : NULL, *to = a->map ? table_column(a->map, "as") : NULL;
    for (int64_t i = 0; from && i < a->map->rows; i++) {
        const char *name = column_cell(from, i, cell);
        if (!name || strcmp(name, kind)) continue;
        const char *as = to ? column_cell(to, i, cell) : NULL;
        return as ? arena_text(run->work.arena, as) : "";
    }
    return kind;
}

static bool among(const Texts *list, const char *kind, const char *name) {
    for (int64_t i = 0; i < list->count; i++)
        if (!strcmp(list->at[i], kind) || !strcmp(list->at[i], name)) return true;
    return false;
}

static Status check_map(Run *run, const EvaluateArgs *a) {
    Status status = OK;
    const Column *column;
    if (!a->map) return OK;
    TRY(table_need(a->map, "kind", &column, run->work.error));
    TRY(table_need(a->map, "as", &column, run->work.error));
done:
    return status;
}

/* Does this row speak of the text column that is measured? Finds in two columns of one record are at places of their own. */
static Status of_column(Run *run, const EvaluateArgs *a, const Table *table, int64_t row, char first[256], bool *out) {
    char cell[33];
    const Column *column = table_column(table, "column");
    const char *name = column ? column_cell(column, row, cell) : NULL;
    *out = true;
    if (!name) return OK;
    if (a->column) {
        *out = !strcmp(name, a->column);
        return OK;
    }
    if (!first[0]) strncpy(first, name, 255);
    if (!strncmp(first, name, 255)) return OK;
    fail(run->work.error, BAD, "is needed: the spans are of several columns of text");
    error_advice(run->work.error, "Measure one column of text at a time.");
    return error_parameter(run->work.error, "column");
}

Status spans_read(Run *run, const EvaluateArgs *a, const Table *table, bool gold, Spans *out) {
    Status status = OK;
    Work *work = &run->work;
    const Column *id, *kind = table_column(table, "kind") ? table_column(table, "kind") : table_column(table, "type");
    char cell[33], first[256] = "";
    bool mine;
    TRY(check_map(run, a));
    TRY(table_need(table, a->id, &id, work->error));
    if (!kind) TRY(table_need(table, "kind", &kind, work->error));
    NEW(work, out->at, table->rows + 1);
    for (int64_t row = 0; row < table->rows; row++) {
        TRY(of_column(run, a, table, row, first, &mine));
        if (!mine) continue;
        Span *span = &out->at[out->count++];
        const char *text = column_cell(id, row, cell), *copy = arena_text(work->arena, text ? text : "");
        const char *word = column_cell(kind, row, cell), *name = arena_text(work->arena, word ? word : "");
        if (!copy || !name) TRY(out_of_memory(work->error));
        *span = (Span){ .id = copy, .kind = gold ? renamed(run, a, name) : name };
        if (!span->kind) TRY(out_of_memory(work->error));
        span->ignored = gold && (!span->kind[0] || among(&a->ignore, span->kind, name));
        span->direct = !a->direct.count || among(&a->direct, span->kind, name);
        TRY(whole_at(work, table, "start", row, &span->start));
        TRY(whole_at(work, table, "end", row, &span->end));
        TRY(check_span(work, table, span, text != NULL && word != NULL, row));
    }
    qsort(out->at, (size_t)out->count, sizeof *out->at, by_place);
done:
    return status;
}

static bool overlap(const Span *a, const Span *b) { return a->start < b->end && b->start < a->end; }

/* Note by note, both in order of their starts: a marked span meets only finds that start before its end, and not further before its start
 * than the longest reaches (a report of plain text is one note). A find that only ignored spans meet counts neither way. */
void spans_match(Spans *gold, Spans *found) {
    for (int64_t i = 0, j = 0; i < gold->count && j < found->count;) {
        int order = strcmp(gold->at[i].id, found->at[j].id);
        if (order < 0) {
            i++;
            continue;
        }
        if (order > 0) {
            j++;
            continue;
        }
        int64_t last_i = i, last_j = j;
        while (last_i < gold->count && !strcmp(gold->at[last_i].id, gold->at[i].id)) last_i++;
        while (last_j < found->count && !strcmp(found->at[last_j].id, gold->at[i].id)) last_j++;
        int64_t longest = 0, from = j;
        for (int64_t f = j; f < last_j; f++)
            if (found->at[f].end - found->at[f].start > longest) longest = found->at[f].end - found->at[f].start;
        for (int64_t g = i; g < last_i; g++) {
            while (from < last_j && found->at[from].start + longest <= gold->at[g].start) from++;
            for (int64_t f = from; f < last_j && found->at[f].start < gold->at[g].end; f++) {
                Span *x = &gold->at[g], *y = &found->at[f];
                if (!overlap(x, y)) continue;
                if (x->ignored) {
                    y->neither = true;
                    continue;
                }
                x->hit = y->hit = true;
                if (x->start == y->start && x->end == y->end && !strcmp(x->kind, y->kind)) x->exact = y->exact = true;
            }
        }
        i = last_i;
        j = last_j;
    }
}
