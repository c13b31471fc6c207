/* Hierarchies: read from a table of text, checked, and matched with a column's values. */
#include "table/hierarchy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const char *text;
    int32_t row;
} Word;

static int by_text(const void *a, const void *b) {
    const Word *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Numbers the words of one level in order of first appearance. */
static Status level_make(Work *work, const char *const *cells, int32_t leaves, Level *out) {
    Status status = OK;
    Word *sorted = NULL;
    int32_t *leader = NULL;
    NEW(work, sorted, leaves);
    NEW(work, leader, leaves);
    NEW(work, out->of, leaves);
    for (int32_t i = 0; i < leaves; i++) sorted[i] = (Word){ cells[i], i };
    qsort(sorted, (size_t)leaves, sizeof *sorted, by_text);
    for (int32_t i = 0; i < leaves; i++)
        leader[sorted[i].row] = i && !strcmp(sorted[i].text, sorted[i - 1].text) ? leader[sorted[i - 1].row] : sorted[i].row;
    NEW(work, out->word, leaves);
    NEW(work, out->leaves, leaves);
    for (int32_t i = 0; i < leaves; i++) {
        if (leader[i] == i) out->word[out->count] = cells[i];
        out->of[i] = leader[i] == i ? out->count++ : out->of[leader[i]];
        out->leaves[out->of[i]]++;
    }
done:
    arena_drop(work->arena, sorted);
    arena_drop(work->arena, leader);
    return status;
}

static Status broken(Work *work, const char *name, int64_t row, int64_t level, const char *what, const char *value) {
    fail(work->error, BAD, "the hierarchy of %s is broken at level %lld: %s", name, (long long)level, what);
    error_value(work->error, value);
    error_column(work->error, name);
    return error_row(work->error, row);
}

/* Two leaves that share a value of one level must share that of the next. */
static Status check_coarser(Work *work, const char *name, const Hierarchy *h, int64_t level) {
    Status status = OK;
    const Level *fine = &h->level[level - 1], *coarse = &h->level[level];
    int32_t *parent = NULL;
    NEW(work, parent, fine->count);
    for (int32_t leaf = 0; leaf < h->leaves; leaf++) {
        int32_t *known = &parent[fine->of[leaf]];
        if (*known && *known != coarse->of[leaf] + 1)
            TRY(broken(work, name, leaf, level, "a value of the level before becomes two different values here",
                       fine->word[fine->of[leaf]]));
        *known = coarse->of[leaf] + 1;
    }
done:
    return status;
}

static Status level_cells(Work *work, const Table *table, int64_t level, int64_t skip, const char *name, const char ***out) {
    Status status = OK;
    const Column *column = table->column[level];
    char number[33];
    NEW(work, *out, table->rows);
    for (int64_t i = skip; i < table->rows; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) TRY(broken(work, name, i - skip, level, "a cell is empty", ""));
        (*out)[i - skip] = cell == number ? arena_text(work->arena, cell) : cell;
        if (!(*out)[i - skip]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

/* Is the first row a header, level0, level1, …? */
static bool has_header(const Table *table) {
    char number[33], wanted[40];
    for (int64_t level = 0; level < table->columns; level++) {
        const char *cell = table->rows ? column_cell(table->column[level], 0, number) : NULL;
        snprintf(wanted, sizeof wanted, "level%lld", (long long)level);
        if (!cell || strcasecmp(cell, wanted)) return false;
    }
    return table->columns > 0;
}

Status hierarchy_from_table(Work *work, const Table *table, const char *name, Hierarchy *out) {
    Status status = OK;
    int64_t skip = has_header(table);
    *out = (Hierarchy){ .name = name, .leaves = (int32_t)(table->rows - skip), .levels = table->columns };
    if (table->rows <= skip || !table->columns || table->rows > INT32_MAX / 2) {
        fail(work->error, BAD, "the hierarchy of %s has no values", name);
        TRY(error_column(work->error, name));
    }
    NEW(work, out->level, out->levels);
    for (int64_t l = 0; l < out->levels; l++) {
        const char **cells;
        TRY(level_cells(work, table, l, skip, name, &cells));
        TRY(level_make(work, cells, out->leaves, &out->level[l]));
        for (int32_t leaf = 0; l == 0 && leaf < out->leaves; leaf++)
            if (out->level[0].of[leaf] != leaf) TRY(broken(work, name, leaf, 0, "a value stands in two rows", cells[leaf]));
        if (l) TRY(check_coarser(work, name, out, l));
    }
done:
    if (status && table->name) error_file(work->error, table->name);
    return status;
}

static bool is_named_for(const char *table, const char *column) {
    static const char between[] = "_hierarchy_";
    size_t length = strlen(table), name = strlen(column), part = sizeof between - 1;
    if (!strcmp(table, column)) return true;
    return length > name + part && !strcmp(table + length - name, column) && !strncmp(table + length - name - part, between, part);
}

Status hierarchy_find(Work *work, int64_t count, const char *const *names, const Table *const *tables, const Column *column, Hierarchy *out,
                      bool *found) {
    *found = false;
    for (int64_t i = 0; i < count; i++) {
        if (!names[i] || !is_named_for(names[i], column->name)) continue;
        if (*found) {
            fail(work->error, BAD, "two hierarchies are named for this column");
            return error_column(work->error, column->name);
        }
        *found = true;
        Status status = hierarchy_from_table(work, tables[i], column->name, out);
        if (status) return status;
    }
    return OK;
}

static const Word *find_leaf(const Word *leaves, int32_t count, const char *text) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(leaves[middle].text, text) < 0) low = middle + 1;
        else high = middle;
    }
    return low < count && !strcmp(leaves[low].text, text) ? &leaves[low] : NULL;
}

Status hierarchy_match(Work *work, const Hierarchy *hierarchy, const Column *column, const Codes *codes, int32_t **out) {
    Status status = OK;
    Word *leaves = NULL;
    char number[33];
    NEW(work, leaves, hierarchy->leaves);
    NEW(work, *out, codes->count);
    for (int32_t i = 0; i < hierarchy->leaves; i++) leaves[i] = (Word){ hierarchy->level[0].word[i], i };
    qsort(leaves, (size_t)hierarchy->leaves, sizeof *leaves, by_text);
    for (int32_t v = 0; v < codes->count; v++) {
        const char *cell = column_cell(column, codes->first_row[v], number);
        const Word *leaf = find_leaf(leaves, hierarchy->leaves, cell);
        const ValueLabel *label = leaf ? NULL : metadata_word(column->about, cell);
        if (label) leaf = find_leaf(leaves, hierarchy->leaves, code_text(label->of, number)); /* the hierarchy may be of codes */
        if (!leaf) {
            fail(work->error, BAD, "the hierarchy of %s lacks a value of the data", column->name);
            error_value(work->error, cell);
            error_column(work->error, column->name);
            error_advice(work->error, "Add a row for it to the hierarchy%s.",
                         work->error && work->error->show_values ? "" : "; --show-values names it");
            TRY(error_row(work->error, codes->first_row[v]));
        }
        (*out)[v] = leaf->row;
    }
done:
    arena_drop(work->arena, leaves);
    return status;
}
