/* Tables: columns side by side. */
#include "table/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/text.h"
#include "table/display_layout.h"

static int by_name(const void *a, const void *b) { return strcmp((*(Column *const *)a)->name, (*(Column *const *)b)->name); }

static Status check_distinct(Column *const *columns, int64_t count, Error *error) {
    Column **sorted = malloc((size_t)(count + 1) * sizeof *sorted);
    if (!sorted) return out_of_memory(error);
    Status status = OK;
    if (count) memcpy(sorted, columns, (size_t)count * sizeof *sorted);
    if (count) qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    for (int64_t i = 1; i < count && !status; i++)
        if (!strcmp(sorted[i]->name, sorted[i - 1]->name)) status = fail(error, BAD, "two columns are named '%s'", sorted[i]->name);
    free(sorted);
    return status;
}

Status table_new(const char *name, Column *const *columns, int64_t count, int64_t rows, Table **out, Error *error) {
    for (int64_t i = 0; i < count; i++) {
        if (columns[i]->rows != columns[0]->rows)
            return fail(error, BAD, "columns '%s' and '%s' differ in length", columns[0]->name, columns[i]->name);
    }
    Status distinct = check_distinct(columns, count, error);
    if (distinct) return distinct;
    Table *table = calloc(1, sizeof *table);
    if (table) table->column = calloc((size_t)(count ? count : 1), sizeof *table->column);
    if (table) table->altered = calloc((size_t)(count ? count : 1), sizeof *table->altered);
    if (!table || !table->column || !table->altered || (name && !(table->name = strdup(name)))) {
        if (table) {
            free(table->column);
            free(table->altered);
        }
        free(table);
        return out_of_memory(error);
    }
    for (int64_t i = 0; i < count; i++) table->column[i] = column_retain(columns[i]);
    table->columns = count;
    table->rows = count ? columns[0]->rows : rows;
    atomic_init(&table->references, 1);
    *out = table;
    return OK;
}

Table *table_retain(const Table *table) {
    Table *shared = (Table *)(uintptr_t)table;
    if (shared) atomic_fetch_add(&shared->references, 1);
    return shared;
}

void table_release(Table *table) {
    if (!table || atomic_fetch_sub(&table->references, 1) != 1) return;
    for (int64_t i = 0; i < table->columns; i++) column_release(table->column[i]);
    free(table->column);
    free(table->altered);
    free(table->origin);
    free(table->source);
    free(table->label);
    free(table->elsewhere);
    free(table->structure);
    display_layout_free(table->layout);
    free(table->name);
    free(table);
}

int64_t table_find(const Table *table, const char *name) {
    for (int64_t i = 0; i < table->columns; i++)
        if (!strcmp(table->column[i]->name, name)) return i;
    return -1;
}

const Column *table_column(const Table *table, const char *name) {
    int64_t place = table_find(table, name);
    return place < 0 ? NULL : table->column[place];
}

const char *table_cell(const Table *table, const char *name, int64_t row, char out[33]) {
    const Column *column = table_column(table, name);
    return column ? column_cell(column, row, out) : NULL;
}

double table_number(const Table *table, const char *name, int64_t row) {
    const Column *column = table_column(table, name);
    return column && !column_missing(column, row) ? column_number(column, row) : NAN;
}

Status table_need(const Table *table, const char *name, const Column **out, Error *error) {
    *out = table_column(table, name);
    if (*out) return OK;
    const char **names = malloc((size_t)(table->columns + 1) * sizeof *names);
    if (!names) return out_of_memory(error);
    for (int64_t i = 0; i < table->columns; i++) names[i] = table->column[i]->name;
    const char *near = nearest_name(name, names, (size_t)table->columns);
    fail(error, BAD, "there is no column '%s'", name);
    if (near) {
        error_advice(error, "Did you mean '%s'?", near);
        error_kind(error, ERROR_SIMILAR);
    } else if (table->columns)
        error_advice(error, "The first columns are '%s'%s%s%s.", names[0], table->columns > 1 ? ", '" : "",
                     table->columns > 1 ? names[1] : "", table->columns > 1 ? "'" : "");
    free(names);
    if (table->name) error_file(error, table->name);
    return BAD;
}

void table_perturb(Table *table, const char *column) {
    table->perturbed = true;
    for (int64_t i = 0; i < table->columns; i++)
        if (!column || !strcmp(table->column[i]->name, column)) table->altered[i] = true;
}

bool table_altered(const Table *table, const char *column) {
    int64_t place = table_find(table, column);
    return place >= 0 && table->altered[place];
}

bool table_altered_any(const Table *table, Columns columns) {
    for (int64_t i = 0; i < columns.count; i++)
        if (table_altered(table, columns.at[i]->name)) return true;
    return false;
}

/* What was made of a table is as perturbed as it was, column by column. */
static void keep_perturbed(const Table *from, Table *to) {
    to->released = from->released;
    to->perturbed = from->perturbed;
    to->reordered = from->reordered;
    for (int64_t i = 0; from->perturbed && i < to->columns; i++) to->altered[i] = table_altered(from, to->column[i]->name);
}

void table_keep_origin(const Table *from, Table *to) {
    if (!from->origin || to->origin || to->rows != from->rows) return;
    to->origin = malloc((size_t)(to->rows ? to->rows : 1) * sizeof *to->origin);
    if (to->origin) memcpy(to->origin, from->origin, (size_t)to->rows * sizeof *to->origin);
}

/* What a table made of another keeps of it. */
static Status keep(const Table *from, Table **to, Error *error) {
    (*to)->closed |= from->closed;
    keep_perturbed(from, *to);
    bool labelled = !from->label || ((*to)->label = strdup(from->label));
    if (labelled && (!from->structure || ((*to)->structure = strdup(from->structure)))) return OK;
    table_release(*to);
    *to = NULL;
    return out_of_memory(error);
}

Status table_with(const Table *table, Column *const *columns, int64_t count, Table **out, Error *error) {
    Column **all = malloc((size_t)(table->columns + count + 1) * sizeof *all);
    if (!all) return out_of_memory(error);
    int64_t total = table->columns;
    memcpy(all, table->column, (size_t)total * sizeof *all);
    for (int64_t i = 0; i < count; i++) {
        int64_t place = table_find(table, columns[i]->name);
        all[place < 0 ? total++ : place] = columns[i];
    }
    Status status = table_new(table->name, all, total, table->rows, out, error);
    if (!status) status = keep(table, out, error);
    if (!status) table_keep_origin(table, *out);
    free(all);
    return status;
}

/* The column, or a copy of it under a name that the table leaves free. A new reference. */
static Status under_free_name(const Column *column, const Table *table, Column **out, Error *error) {
    char name[256];
    int64_t n = 2;
    *out = NULL;
    if (table_find(table, column->name) < 0) {
        *out = column_retain(column);
        return OK;
    }
    do snprintf(name, sizeof name, "%.200s_%lld", column->name, (long long)n++);
    while (table_find(table, name) >= 0);
    return column_rename(column, name, out, error);
}

Status table_beside(const Table *table, Column *const *columns, int64_t count, Table **out, Error *error) {
    Status status = OK;
    Column **named = calloc((size_t)(count + 1), sizeof *named);
    if (!named) return out_of_memory(error);
    for (int64_t i = 0; i < count; i++) TRY(under_free_name(columns[i], table, &named[i], error));
    TRY(table_with(table, named, count, out, error));
done:
    for (int64_t i = 0; i < count; i++) column_release(named[i]);
    free(named);
    return status;
}

Status table_without(const Table *table, const char *const *names, int64_t count, Table **out, Error *error) {
    Column **kept = malloc((size_t)(table->columns + 1) * sizeof *kept);
    if (!kept) return out_of_memory(error);
    int64_t total = 0;
    for (int64_t i = 0; i < table->columns; i++) {
        bool drop = false;
        for (int64_t j = 0; j < count; j++) drop |= !strcmp(table->column[i]->name, names[j]);
        if (!drop) kept[total++] = table->column[i];
    }
    Status status = table_new(table->name, kept, total, table->rows, out, error);
    if (!status) status = keep(table, out, error);
    if (!status) table_keep_origin(table, *out);
    free(kept);
    return status;
}

Status table_take(const Table *table, const int64_t *rows, int64_t count, Table **out, Error *error) {
    Status status = OK;
    int64_t made = 0;
    Column **taken = calloc((size_t)(table->columns + 1), sizeof *taken);
    if (!taken) return out_of_memory(error);
    for (; made < table->columns; made++) TRY(column_take(table->column[made], rows, count, &taken[made], error));
    TRY(table_new(table->name, taken, table->columns, count, out, error));
    TRY(keep(table, out, error));
    (*out)->origin = malloc((size_t)(count ? count : 1) * sizeof *(*out)->origin);
    if (!(*out)->origin) {
        table_release(*out);
        *out = NULL;
        TRY(out_of_memory(error));
    }
    for (int64_t i = 0; i < count; i++) (*out)->origin[i] = rows[i] >= 0 && table->origin ? table->origin[rows[i]] : rows[i];
done:
    for (int64_t i = 0; i < made; i++) column_release(taken[i]);
    free(taken);
    return status;
}

/* Does `released` say of each of its records which of as many of the original it stems from, all different, and some elsewhere? */
static Status is_permutation(const Table *original, const Table *released, bool *out, Error *error) {
    int64_t elsewhere = 0, i = 0;
    *out = false;
    if (!released->origin || original->origin || released->rows != original->rows) return OK;
    uint8_t *seen = calloc((size_t)original->rows + 1, 1);
    if (!seen) return out_of_memory(error);
    for (; i < released->rows; i++) {
        int64_t from = released->origin[i];
        if (from < 0 || from >= original->rows || seen[from]++) break;
        elsewhere += from != i;
    }
    *out = i == released->rows && elsewhere;
    free(seen);
    return OK;
}

Status table_aligned(const Table *original, const Table *released, Table **out, Error *error) {
    Status status = OK;
    bool moved;
    TRY(is_permutation(original, released, &moved, error));
    if (moved) TRY(table_take(original, released->origin, released->rows, out, error));
    else *out = table_retain(original);
done:
    return status;
}

Status table_need_places(const Table *released, Error *error) {
    if (table_places(released)) return OK;
    fail(error, BAD, "its records were put in another order, as its manifest says: their place does not tell whose they are");
    error_advice(error, "Measure in the recipe that reorders, which knows, or before it; methods that take --id can pair by that.");
    return error_file(error, released->name ? released->name : "");
}

static bool cell_equal(const Column *a, const Column *b, int64_t i) {
    if (column_missing(a, i) || column_missing(b, i)) return column_missing(a, i) && column_missing(b, i);
    char x[33], y[33];
    switch (a->type) {
    case REAL_TYPE: return a->real[i] == b->real[i];
    case INTEGER_TYPE: return column_integer(a, i) == column_integer(b, i);
    case DATE_TYPE: return a->date[i] == b->date[i];
    case DATETIME_TYPE: return a->moment[i] == b->moment[i];
    default: return !strcmp(column_cell(a, i, x), column_cell(b, i, y));
    }
}

bool column_equal(const Column *a, const Column *b) {
    if (a == b) return true;
    if (a->type != b->type || a->rows != b->rows) return false;
    for (int64_t i = 0; i < a->rows; i++)
        if (!cell_equal(a, b, i)) return false;
    return true;
}

bool table_equal(const Table *a, const Table *b) {
    if (a->rows != b->rows || a->columns != b->columns) return false;
    for (int64_t j = 0; j < a->columns; j++) {
        const Column *x = a->column[j], *y = b->column[j];
        if (strcmp(x->name, y->name) || !column_equal(x, y)) return false;
    }
    return true;
}
