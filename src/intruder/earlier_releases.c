/* Linking releases of the same people over time. */
#include "intruder/earlier_releases.h"
#include <stdlib.h>
#include <string.h>
#include "classes/equivalence_class.h"
#include "table/group.h"

/* ---- whose records they are ---- */

static Status no_link(Work *work, const Table *table, const char *link) {
    if (link) fail(work->error, BAD, "lacks the column '%s', and cannot be linked to the other release in another way", link);
    else fail(work->error, BAD, "cannot be linked to the other release: nothing says whose its records are");
    if (table->name) error_file(work->error, table->name);
    return error_advice(work->error, "Name a column of both that numbers the people (--id, or the role person), or give the original.");
}

/* The link's cells of several tables, coded together; -1 where a cell is missing. */
static Status code_links(Work *work, const Column *const *column, int64_t count, int32_t **out, int32_t *codes) {
    Status status = OK;
    const char **cell = NULL;
    char(*number)[33] = NULL;
    Column *all = NULL;
    Codes coded = { 0 };
    int64_t rows = 0, at = 0;
    for (int64_t t = 0; t < count; t++) rows += column[t] ? column[t]->rows : 0;
    NEW(work, cell, rows + 1);
    NEW(work, number, rows + 1);
    for (int64_t t = 0; t < count; t++)
        for (int64_t i = 0; column[t] && i < column[t]->rows; i++, at++)
            cell[at] = column_missing(column[t], i) ? NULL : column_cell(column[t], i, number[at]);
    TRY(column_category("link", cell, rows, &all, work->error));
    TRY(column_codes(work, all, &coded));
    at = 0;
    for (int64_t t = 0; t < count; t++) {
        if (!column[t]) continue;
        NEW(work, out[t], column[t]->rows + 1);
        memcpy(out[t], coded.at + at, (size_t)column[t]->rows * sizeof *coded.at);
        at += column[t]->rows;
    }
    *codes = coded.count;
done:
    column_release(all);
    arena_drop(work->arena, cell);
    arena_drop(work->arena, number);
    return status;
}

/* A record without a link is a unit of its own. */
static void settle_unlinked(LinkedReleases *out, int64_t table, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        if (out->unit[table][i] < 0) out->unit[table][i] = (int32_t)out->units++;
}

/* Every table has the column. */
static Status link_by_column(Work *work, const Table *const *table, const char *link, LinkedReleases *out) {
    Status status = OK;
    const Column **column = NULL;
    int32_t codes = 0;
    NEW(work, column, out->tables + 1);
    for (int64_t t = 0; t < out->tables; t++) column[t] = table_column(table[t], link);
    TRY(code_links(work, column, out->tables, out->unit, &codes));
    out->units = codes;
    for (int64_t t = 0; t < out->tables; t++) settle_unlinked(out, t, table[t]->rows);
done:
    return status;
}

/* Through the original: its records, or their values of the link. */
static Status link_through(Work *work, const Table *const *table, const Table *original, const char *link, LinkedReleases *out) {
    Status status = OK;
    const Column **column = NULL;
    int32_t **code = NULL, codes = 0;
    const int64_t last = out->tables;
    NEW(work, column, last + 1);
    NEW(work, code, last + 1);
    if (link) {
        column[last] = table_column(original, link);
        for (int64_t t = 0; t < last; t++) column[t] = table_column(table[t], link);
        TRY(code_links(work, column, last + 1, code, &codes));
    }
    out->units = code[last] ? codes : original->rows;
    for (int64_t t = 0; t < last; t++) {
        Ownership owner = { 0 };
        out->unit[t] = code[t];
        if (code[t] && code[last]) continue;
        TRY(ownership_find(work, table[t], original, NULL, &owner));
        if (!owner.known) TRY(no_link(work, table[t], NULL));
        NEW(work, out->unit[t], table[t]->rows + 1);
        for (int64_t i = 0; i < table[t]->rows; i++) out->unit[t][i] = code[last] ? code[last][owner.row[i]] : (int32_t)owner.row[i];
    }
    for (int64_t t = 0; t < last; t++) settle_unlinked(out, t, table[t]->rows);
done:
    return status;
}

/* Manifests name one file as the input of all, and none changed its order or left records out. */
static Status link_by_position(Work *work, const Table *const *table, LinkedReleases *out) {
    Status status = OK;
    const Table *first = table[0];
    for (int64_t t = 0; t < out->tables; t++) {
        bool same = table[t]->source && first->source && !strcmp(table[t]->source, first->source);
        if (!same || table[t]->rows != first->rows || !table_places(table[t]) || table[t]->origin) TRY(no_link(work, table[t], NULL));
        NEW(work, out->unit[t], first->rows + 1);
        for (int64_t i = 0; i < first->rows; i++) out->unit[t][i] = (int32_t)i;
    }
    out->units = first->rows;
done:
    return status;
}

static Status count_records(Work *work, const Table *const *table, LinkedReleases *out) {
    Status status = OK;
    uint8_t *seen = NULL;
    for (int64_t t = 0; t < out->tables && !out->several; t++) {
        NEW(work, seen, out->units + 1);
        for (int64_t i = 0; i < table[t]->rows; i++) {
            out->several |= seen[out->unit[t][i]];
            seen[out->unit[t][i]] = 1;
        }
        arena_drop(work->arena, seen);
    }
done:
    return status;
}

Status releases_link(Work *work, const Table *released, const Table *const *earlier, int64_t count, const Table *original, const char *link,
                     LinkedReleases *out) {
    Status status = OK;
    const Table **table = NULL;
    bool all = link != NULL;
    *out = (LinkedReleases){ .tables = count + 1 };
    NEW(work, table, count + 2);
    NEW(work, out->unit, count + 2);
    table[0] = released;
    for (int64_t t = 1; t <= count; t++) table[t] = earlier[t - 1];
    NEW(work, out->rows, count + 2);
    for (int64_t t = 0; t <= count; t++) {
        out->rows[t] = table[t]->rows;
        all &= link && table_column(table[t], link);
    }
    if (all) TRY(link_by_column(work, table, link, out));
    else if (original) TRY(link_through(work, table, original, link, out));
    else if (link) {
        for (int64_t t = 0; t <= count; t++)
            if (!table_column(table[t], link)) TRY(no_link(work, table[t], link));
    } else TRY(link_by_position(work, table, out));
    TRY(count_records(work, table, out));
done:
    return status;
}

/* ---- classes of alike people ---- */

typedef struct {
    int32_t unit, class;
} UnitClass;

static int by_unit_and_class(const void *a, const void *b) {
    const UnitClass *x = a, *y = b;
    return x->unit != y->unit ? (x->unit > y->unit) - (x->unit < y->unit) : (x->class > y->class) - (x->class < y->class);
}

/* A number for the classes of all records that a unit has in a table, -1 where it has none: classes in ascending order are taken in one by
 * one, a number and the next class making another number. */
static Status number_histories(Work *work, const int32_t *unit, const Classes *classes, int64_t units, int64_t **out) {
    Status status = OK;
    UnitClass *pair = NULL;
    uint64_t *word = NULL;
    int32_t *at = NULL;
    int64_t *start = NULL, numbers = classes->count, longest = 0;
    NEW(work, *out, units + 1);
    NEW(work, start, units + 2);
    NEW(work, pair, classes->rows + 1);
    NEW(work, word, units + 1);
    NEW(work, at, units + 1);
    for (int64_t i = 0; i < classes->rows; i++) pair[i] = (UnitClass){ unit[i], classes->of[i] };
    qsort(pair, (size_t)classes->rows, sizeof *pair, by_unit_and_class);
    for (int64_t i = 0; i < classes->rows; i++) start[pair[i].unit + 1]++;
    for (int64_t u = 0; u < units; u++) {
        longest = start[u + 1] > longest ? start[u + 1] : longest;
        start[u + 1] += start[u];
        (*out)[u] = start[u] < start[u + 1] ? pair[start[u]].class : -1;
    }
    for (int64_t k = 1; k < longest; k++) {
        Grouping groups = { 0 };
        int64_t count = 0;
        for (int64_t u = 0; u < units; u++) {
            if (start[u] + k >= start[u + 1]) continue;
            word[count] = (uint64_t)(*out)[u] << 32 | (uint32_t)pair[start[u] + k].class;
            at[count++] = (int32_t)u;
        }
        TRY(group_words(work, word, 0, count, &groups));
        for (int64_t i = 0; i < count; i++) (*out)[at[i]] = numbers + groups.of[i];
        numbers += groups.count;
        grouping_drop(work, &groups);
    }
done:
    arena_drop(work->arena, pair);
    arena_drop(work->arena, word);
    arena_drop(work->arena, at);
    arena_drop(work->arena, start);
    return status;
}

/* Units that the release at hand lacks, ascending. */
static Status absent_units(Work *work, const LinkedReleases *linked, int64_t rows, int32_t **out, int64_t *count) {
    Status status = OK;
    uint8_t *here = NULL;
    *count = 0;
    NEW(work, here, linked->units + 1);
    NEW(work, *out, linked->units + 1);
    for (int64_t i = 0; i < rows; i++) here[linked->unit[0][i]] = 1;
    for (int64_t u = 0; u < linked->units; u++)
        if (!here[u]) (*out)[(*count)++] = (int32_t)u;
done:
    arena_drop(work->arena, here);
    return status;
}

static Status keys_of(Work *work, Columns keys, const Table *table, Columns *out) {
    Status status = OK;
    *out = (Columns){ 0 };
    NEW(work, out->at, keys.count + 1);
    for (int64_t k = 0; k < keys.count; k++) {
        const Column *column = table_column(table, keys.at[k]->name);
        if (column) out->at[out->count++] = column;
    }
    if (!out->count) {
        fail(work->error, BAD, "has none of the quasi-identifiers of the other release");
        if (table->name) error_file(work->error, table->name);
        TRY(error_advice(work->error, "Leave it out of --previous."));
    }
done:
    return status;
}

/* value[unit], or -1: absent. Rows below `own` have their own numbers. */
static Status number_column(Work *work, const char *name, const int32_t *own, int64_t rows, const int32_t *unit, int64_t all,
                            const int64_t *value, Column **out) {
    Status status = OK;
    Column *column = NULL;
    TRY(column_new(INTEGER_TYPE, name, all, &column, work->error));
    TRY(column_need_valid(column, work->error));
    for (int64_t i = 0; i < all; i++) {
        int64_t number = own ? (i < rows ? own[i] : -1) : value ? value[unit[i]] : unit[i];
        if (number < 0) column_set_missing(column, i);
        else column->integer[i] = number;
    }
    column_seal(column);
    *out = column;
    column = NULL;
done:
    column_release(column);
    return status;
}

Status releases_classes(Work *work, const LinkedReleases *linked, Columns keys, const Table *const *earlier, Column **column,
                        Column **unit) {
    Status status = OK;
    const int64_t rows = keys.count ? keys.at[0]->rows : 0;
    int64_t absent = 0, used = 0;
    int32_t *gone = NULL, *whose = NULL;
    uint8_t *somewhere = NULL;
    Classes *classes = NULL;
    NEW(work, classes, linked->tables + 1);
    TRY(classes_make_by(work, keys, CATEGORY_RULE, &classes[0]));
    TRY(absent_units(work, linked, rows, &gone, &absent));
    NEW(work, somewhere, linked->units + 1);
    for (int64_t t = 1; t < linked->tables; t++) {
        Columns own;
        TRY(keys_of(work, keys, earlier[t - 1], &own));
        TRY(classes_make_by(work, own, CATEGORY_RULE, &classes[t]));
        for (int64_t i = 0; i < classes[t].rows; i++) somewhere[linked->unit[t][i]] = 1;
    }
    NEW(work, whose, rows + absent + 1);
    memcpy(whose, linked->unit[0], (size_t)rows * sizeof *whose);
    for (int64_t a = 0; a < absent; a++)
        if (somewhere[gone[a]]) whose[rows + used++] = gone[a];
    TRY(number_column(work, "released", classes[0].of, rows, whose, rows + used, NULL, &column[0]));
    for (int64_t t = 1; t < linked->tables; t++) {
        int64_t *number = NULL;
        TRY(number_histories(work, linked->unit[t], &classes[t], linked->units, &number));
        TRY(number_column(work, "earlier", NULL, rows, whose, rows + used, number, &column[t]));
        arena_drop(work->arena, number);
    }
    TRY(number_column(work, "unit", NULL, rows, whose, rows + used, NULL, unit));
done:
    return status;
}

/* ---- records side by side ---- */

Status releases_side_by_side(Work *work, const LinkedReleases *linked, int64_t rows, JointRecords *out) {
    Status status = OK;
    int64_t *at = NULL;
    *out = (JointRecords){ .records = rows };
    if (linked->several) {
        fail(work->error, BAD, "some people have several records in a release");
        TRY(error_advice(work->error, "Link releases by a column that numbers their records (--id)."));
    }
    NEW(work, out->row, linked->tables + 1);
    NEW(work, out->unit, linked->units + rows + 1);
    NEW(work, at, linked->units + 1); /* unit -> its record, plus 1 */
    for (int64_t i = 0; i < rows; i++) {
        out->unit[i] = linked->unit[0][i];
        at[out->unit[i]] = i + 1;
    }
    for (int64_t t = 0; t < linked->tables; t++) {
        NEW(work, out->row[t], linked->units + rows + 1);
        for (int64_t i = 0; i < linked->units + rows; i++) out->row[t][i] = t == 0 && i < rows ? i : -1;
    }
    for (int64_t t = 1; t < linked->tables; t++)
        for (int64_t i = 0; i < linked->rows[t]; i++) {
            const int32_t unit = linked->unit[t][i];
            if (!at[unit]) {
                out->unit[out->records] = unit;
                at[unit] = ++out->records;
            }
            out->row[t][at[unit] - 1] = i;
        }
done:
    arena_drop(work->arena, at);
    return status;
}
