/* Are linked tables more than their cells? Not where they form a tree (Vorob'ev 1962; Lauritzen 1996, 4.4): tables that agree on what two
 * neighbours share are then margins of one table, made by letting the rest be independent given what is shared, in whole numbers too. Else
 * the unseen cells come in as blank ones. */
#include "tabular/unseen.h"
#include <string.h>
#include "base/elementary.h"
#include "math/cells/bounds.h"

enum { MOST_CELLS = 40000, MOST_SETS = 256 };

/* ---- do they form a tree? ---- */

/* One hierarchy each: a code that is part of two sums, or the total of two, ties tables in ways that sets of dimensions do not show. */
static bool plain_dimension(Work *work, const Dimension *d, bool *plain) {
    uint8_t *part = NULL, *total = NULL;
    *plain = true;
    if (arena_array(work->arena, d->codes + 1, sizeof *part, &part, work->error) ||
        arena_array(work->arena, d->codes + 1, sizeof *total, &total, work->error))
        return false;
    for (int64_t s = 0; s < d->sums; s++) {
        if (total[d->sum[s].total]++) *plain = false;
        for (int32_t k = 0; k < d->sum[s].count; k++)
            if (part[d->sum[s].part[k]]++) *plain = false;
    }
    return true;
}

/* For each set of dimensions that some cell tells apart: the cell's own dimensions, those not at their total; `fine` where all its codes
 * are leaves. */
typedef struct Sets {
    int count;
    uint32_t set[MOST_SETS];
    bool fine[MOST_SETS];
} Sets;

static bool is_leaf(const Dimension *d, int32_t code) {
    for (int64_t s = 0; s < d->sums; s++)
        if (d->sum[s].total == code) return false;
    return true;
}

static void add_set(Sets *sets, uint32_t set, bool fine) {
    int k = 0;
    while (k < sets->count && sets->set[k] != set) k++;
    if (k == MOST_SETS) return;
    if (k == sets->count) {
        sets->set[k] = set;
        sets->fine[k] = false;
        sets->count++;
    }
    sets->fine[k] |= fine;
}

/* Graham's reduction: a dimension of one set alone goes, a set within another goes; a tree is gone in the end. */
static bool is_tree(Sets *sets) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int d = 0; d < 32; d++) {
            int in = 0, last = 0;
            for (int k = 0; k < sets->count; k++)
                if (sets->set[k] >> d & 1) {
                    in++;
                    last = k;
                }
            if (in == 1) {
                sets->set[last] &= ~(UINT32_C(1) << d);
                changed = true;
            }
        }
        for (int k = 0; k < sets->count; k++)
            for (int j = 0; j < sets->count; j++) {
                if (k == j || (sets->set[k] & ~sets->set[j])) continue;
                sets->set[k] = sets->set[--sets->count];
                changed = true;
                k = j = sets->count;
            }
    }
    return sets->count <= 1;
}

static Status find_sets(Work *work, const Model *m, int32_t *const *place, bool *tree) {
    Status status = OK;
    const Structure *s = &m->structure;
    Sets sets = { 0 };
    uint8_t *leaf[32] = { NULL };
    *tree = true;
    for (int64_t d = 0; d < s->dims; d++) {
        bool plain;
        if (!plain_dimension(work, &s->dim[d], &plain)) TRY(FAILED);
        *tree &= plain;
        NEW(work, leaf[d], s->dim[d].codes + 1);
        for (int32_t c = 0; c < s->dim[d].codes; c++) leaf[d][c] = is_leaf(&s->dim[d], c);
    }
    for (int64_t i = 0; i < m->cells; i++) {
        uint32_t set = 0;
        bool fine = true;
        for (int64_t d = 0; d < s->dims; d++) {
            if (!strcmp(s->dim[d].code[place[d][i]], s->total)) continue;
            set |= UINT32_C(1) << d;
            fine &= leaf[d][place[d][i]];
        }
        add_set(&sets, set, fine);
    }
    if (sets.count == MOST_SETS) *tree = false;
    for (int k = 0; k < sets.count; k++) { /* a table in coarse codes only must be within one in fine ones */
        bool within = sets.fine[k];
        for (int j = 0; j < sets.count; j++) within |= sets.fine[j] && !(sets.set[k] & ~sets.set[j]);
        *tree &= within;
    }
    *tree &= is_tree(&sets);
done:
    return status;
}

/* ---- the cells ---- */

/* Every combination of codes, totals included, that the table lacks: sums run along one dimension at a time, and need all on the way. */
static Status list_cells(Work *work, const Model *m, int32_t *const *place, double all, Unseen *out) {
    Status status = OK;
    const Structure *s = &m->structure;
    uint8_t *there = NULL;
    int64_t number = (int64_t)all;
    NEW(work, there, number + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        int64_t at = 0;
        for (int64_t d = 0; d < s->dims; d++) at = at * s->dim[d].codes + place[d][i];
        there[at] = 1;
    }
    NEW(work, out->dim, s->dims + 1);
    NEW(work, out->code, s->dims + 1);
    for (int64_t d = 0; d < s->dims; d++) {
        out->dim[d] = s->dim[d].name;
        NEW(work, out->code[d], number + 1);
    }
    for (int64_t at = 0; at < number; at++) {
        int64_t rest = at;
        if (there[at]) continue;
        for (int64_t d = s->dims - 1; d >= 0; d--) {
            out->code[d][out->count] = s->dim[d].code[rest % s->dim[d].codes];
            rest /= s->dim[d].codes;
        }
        out->count++;
    }
done:
    return status;
}

Status unseen_find(Work *work, const Model *m, Unseen *out) {
    Status status = OK;
    int32_t **place;
    bool tree;
    double all = 1;
    *out = (Unseen){ .dims = m->structure.dims };
    if (!model_linked(m)) return OK;
    out->kind = UNSEEN_TOO_MANY;
    if (m->structure.dims > 16) return OK;
    TRY(structure_places(work, &m->structure, m->table, &place));
    TRY(find_sets(work, m, place, &tree));
    if (tree) {
        out->kind = UNSEEN_NONE;
        return OK;
    }
    for (int64_t d = 0; d < m->structure.dims; d++) all *= m->structure.dim[d].codes;
    if (all > MOST_CELLS) return OK;
    TRY(list_cells(work, m, place, all, out));
    out->kind = UNSEEN_CELLS;
done:
    return status;
}

static Status longer_dimension(Work *work, const Unseen *u, const Column *column, int64_t dim, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    char number[33];
    NEW(work, cells, column->rows + u->count + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        const char *cell = column_cell(column, i, number);
        cells[i] = cell ? arena_text(work->arena, cell) : NULL;
    }
    memcpy(cells + column->rows, u->code[dim], (size_t)u->count * sizeof *cells);
    TRY(column_category(column->name, cells, column->rows + u->count, out, work->error));
done:
    return status;
}

Status unseen_append(Work *work, const Unseen *u, const Table *table, const Structure *structure, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    int64_t *row = NULL, rows = table->rows + u->count;
    if (u->kind != UNSEEN_CELLS) {
        *out = table_retain(table);
        return OK;
    }
    NEW(work, columns, table->columns + 1);
    NEW(work, row, rows + 1);
    for (int64_t i = 0; i < rows; i++) row[i] = i < table->rows ? i : -1;
    for (int64_t j = 0; j < table->columns; j++) {
        int64_t dim = 0;
        while (dim < u->dims && strcmp(u->dim[dim], table->column[j]->name)) dim++;
        if (dim < u->dims) TRY(longer_dimension(work, u, table->column[j], dim, &columns[j]));
        else TRY(column_take(table->column[j], row, rows, &columns[j], work->error));
    }
    TRY(table_new(table->name, columns, table->columns, rows, out, work->error));
    TRY(structure_keep(work, structure, *out));
done:
    for (int64_t j = 0; columns && j < table->columns; j++) column_release(columns[j]);
    return status;
}

Status unseen_settle(Work *work, Model *m, int64_t seen, bool *found) {
    Status status = OK;
    double *least = NULL;
    bool negative = false;
    *found = true;
    if (seen == m->cells) return OK;
    NEW(work, least, m->cells + 1);
    for (int64_t i = 0; i < seen; i++) negative |= m->value[i] < 0;
    for (int64_t i = 0; i < m->cells; i++) least[i] = negative ? -INFINITY : 0;
    TRY(values_complete(work, &m->relations, &m->member, m->value, least, m->whole, found));
    for (int64_t i = seen; i < m->cells; i++) {
        m->status[i] = CELL_PRIMARY; /* hidden for good, and it asks for nothing itself */
        m->need_low[i] = m->need_high[i] = 0;
        m->low[i] = negative ? INFINITY : m->value[i];
        m->high[i] = INFINITY;
    }
done:
    return status;
}
