/* Are linked tables more than their cells? Not where they form a tree (Vorob'ev 1962; Lauritzen 1996, 4.4): tables that agree on what two
 * neighbours share are then margins of one table, made by letting the rest be independent given what is shared, in whole numbers too. Else
 * the unseen cells come in as blank ones. */
#include "tabular/unpublished_cells.h"
#include <string.h>
#include "base/elementary.h"
#include "tabular/feasibility/feasibility_interval.h"

enum { MOST_CELLS = 40000, MOST_TABLES = 64, MOST_KINDS = 256, MOST_SETS = 1024 };

/* ---- which tables are there ---- */

/* Sets of dimensions, none within another. */
typedef struct Sets {
    int64_t count;
    uint32_t set[MOST_SETS];
} Sets;

static bool add_set(Sets *sets, uint32_t set) {
    int64_t left = 0;
    for (int64_t k = 0; k < sets->count; k++)
        if (!(set & ~sets->set[k])) return true;
    for (int64_t k = 0; k < sets->count; k++)
        if (sets->set[k] & ~set) sets->set[left++] = sets->set[k];
    sets->count = left;
    if (left == MOST_SETS) return false;
    sets->set[sets->count++] = set;
    return true;
}

/* Flat tables in one file: the dimensions that some cell tells apart (not at their total) are those of a table. */
static Status flat_extents(Work *work, const Model *m, int32_t *const *place, Structure *s) {
    Status status = OK;
    Sets sets = { 0 };
    for (int64_t i = 0; i < m->cells; i++) {
        uint32_t of = 0;
        for (int64_t d = 0; d < s->dims; d++) of |= (uint32_t)(strcmp(s->dim[d].code[place[d][i]], s->total) != 0) << d;
        if (!add_set(&sets, of)) TRY(fail(work->error, BAD, "at most %d linked tables are supported", MOST_SETS));
    }
    NEW(work, s->extent, sets.count + 1);
    for (int64_t k = 0; k < sets.count; k++) {
        Extent *e = &s->extent[s->extents++];
        TRY(structure_extent(work, s, e));
        for (int64_t d = 0; d < s->dims; d++)
            for (int32_t c = 0; c < s->dim[d].codes; c++) e->has[d][c] = sets.set[k] >> d & 1 || !strcmp(s->dim[d].code[c], s->total);
    }
done:
    return status;
}

static bool is_within(const Structure *s, const Extent *small, const Extent *large) {
    for (int64_t d = 0; d < s->dims; d++)
        for (int32_t c = 0; c < s->dim[d].codes; c++)
            if (small->has[d][c] && !large->has[d][c]) return false;
    return true;
}

/* A table within another adds nothing. */
static void drop_inner(Structure *s) {
    for (int64_t i = 0; i < s->extents; i++)
        for (int64_t k = 0; k < s->extents; k++)
            if (i != k && is_within(s, &s->extent[i], &s->extent[k])) {
                s->extent[i--] = s->extent[--s->extents];
                break;
            }
}

/* ---- do they form a tree? ---- */

static bool has_sum(const Extent *e, int64_t d, const Sum *sum) {
    bool in = e->has[d][sum->total];
    for (int32_t k = 0; k < sum->count && in; k++) in = e->has[d][sum->part[k]];
    return in;
}

/* One hierarchy, of which every table has the upper part: a code that is part of two sums, or the total of two, or that a table has
 * without the sums it is in, ties tables in ways that sets of sums do not show. */
static Status is_plain(Work *work, const Structure *s, int64_t d, bool *plain) {
    Status status = OK;
    const Dimension *dim = &s->dim[d];
    int32_t *within = NULL, *total = NULL;
    NEW(work, within, dim->codes + 1);
    NEW(work, total, dim->codes + 1);
    for (int32_t k = 0; k < dim->sums; k++) {
        if (total[dim->sum[k].total]++) *plain = false;
        for (int32_t i = 0; i < dim->sum[k].count; i++) {
            if (within[dim->sum[k].part[i]]) *plain = false;
            within[dim->sum[k].part[i]] = k + 1;
        }
    }
    for (int64_t e = 0; e < s->extents; e++)
        for (int32_t c = 0; c < dim->codes; c++) {
            bool alone = !within[c] || !has_sum(&s->extent[e], d, &dim->sum[within[c] - 1]);
            if (s->extent[e].has[d][c] && alone && strcmp(dim->code[c], s->total) != 0) *plain = false;
        }
done:
    return status;
}

/* Which tables have each sum, as bits: sums of the same tables go together, and each such kind is a variable that these tables show. */
typedef struct Kinds {
    int count;
    uint64_t tables[MOST_KINDS];
} Kinds;

static bool add_kind(Kinds *kinds, uint64_t tables) {
    for (int k = 0; k < kinds->count; k++)
        if (kinds->tables[k] == tables) return true;
    if (kinds->count == MOST_KINDS) return false;
    kinds->tables[kinds->count++] = tables;
    return true;
}

static bool shows_less(const Kinds *kinds, int small, int large) {
    for (int k = 0; k < kinds->count; k++)
        if (kinds->tables[k] >> small & 1 && !(kinds->tables[k] >> large & 1)) return false;
    return true;
}

/* Graham's reduction: a variable of one table alone goes, a table within another goes; of a tree one table is left. */
static bool reduces(Kinds *kinds, int tables) {
    uint64_t alive = tables == 64 ? UINT64_MAX : (UINT64_C(1) << tables) - 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < kinds->count; k++) {
            kinds->tables[k] &= alive;
            if (kinds->tables[k] && !(kinds->tables[k] & (kinds->tables[k] - 1))) kinds->tables[k] = 0;
        }
        for (int i = 0; i < tables && !changed; i++)
            for (int j = 0; j < tables && !changed; j++)
                if (i != j && alive >> i & 1 && alive >> j & 1 && shows_less(kinds, i, j)) {
                    alive &= ~(UINT64_C(1) << i);
                    changed = true;
                }
    }
    return !(alive & (alive - 1));
}

static Status is_tree(Work *work, const Structure *s, bool *tree) {
    Status status = OK;
    Kinds kinds = { 0 };
    *tree = s->extents <= MOST_TABLES;
    for (int64_t d = 0; d < s->dims && *tree; d++) {
        TRY(is_plain(work, s, d, tree));
        for (int64_t k = 0; k < s->dim[d].sums && *tree; k++) {
            uint64_t tables = 0;
            for (int64_t e = 0; e < s->extents; e++) tables |= (uint64_t)has_sum(&s->extent[e], d, &s->dim[d].sum[k]) << e;
            *tree = add_kind(&kinds, tables);
        }
    }
    *tree = *tree && reduces(&kinds, (int)s->extents);
done:
    return status;
}

/* ---- the cells ---- */

/* Every combination of codes, totals included, that no table can have: sums run along one dimension at a time, and need all on the way. */
static Status list_cells(Work *work, const Model *m, const Structure *s, int32_t *const *place, double all, UnpublishedCells *out) {
    Status status = OK;
    int32_t at_code[16];
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
        for (int64_t d = s->dims - 1; d >= 0; d--) {
            at_code[d] = (int32_t)(rest % s->dim[d].codes);
            rest /= s->dim[d].codes;
        }
        if (there[at] || structure_covers(s, at_code)) continue;
        for (int64_t d = 0; d < s->dims; d++) out->code[d][out->count] = s->dim[d].code[at_code[d]];
        out->count++;
    }
done:
    return status;
}

Status unpublished_find(Work *work, const Model *m, UnpublishedCells *out) {
    Status status = OK;
    int32_t **place;
    bool tree;
    double all = 1;
    Structure s = m->structure;
    Extent *own = NULL;
    *out = (UnpublishedCells){ .dims = s.dims };
    if (s.dims < 2) return OK;
    TRY(structure_places(work, &s, m->table, &place));
    NEW(work, own, s.extents + 1);
    if (s.extents) memcpy(own, s.extent, (size_t)s.extents * sizeof *own);
    s.extent = own;
    if (!s.extents) TRY(flat_extents(work, m, place, &s));
    drop_inner(&s);
    if (s.extents <= 1) goto done;
    out->kind = UNSEEN_TOO_MANY;
    TRY(is_tree(work, &s, &tree));
    if (tree) {
        out->kind = UNSEEN_NONE;
        goto done;
    }
    for (int64_t d = 0; d < s.dims; d++) all *= s.dim[d].codes;
    if (all > MOST_CELLS) goto done;
    TRY(list_cells(work, m, &s, place, all, out));
    out->kind = UNSEEN_CELLS;
done:
    return status;
}

static Status longer_dimension(Work *work, const UnpublishedCells *u, const Column *column, int64_t dim, Column **out) {
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

Status unpublished_append(Work *work, const UnpublishedCells *u, const Table *table, const Structure *structure, Table **out) {
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

Status unpublished_finish(Work *work, Model *m, int64_t seen, bool *found) {
    Status status = OK;
    double *least = NULL;
    bool negative = m->structure.is_signed;
    *found = true;
    m->seen = seen;
    if (seen == m->cells) return OK;
    NEW(work, least, m->cells + 1);
    for (int64_t i = 0; i < seen; i++) negative |= m->value[i] < 0;
    for (int64_t i = 0; i < m->cells; i++) least[i] = negative ? -INFINITY : 0;
    TRY(values_complete(work, &m->relations, &m->member, m->value, least, NULL, m->whole, INT64_MAX, found));
    for (int64_t i = seen; i < m->cells && *found; i++)
        if (isnan(m->value[i]))
            TRY(fail(work->error, BAD, "no values were found in time for the %lld cells that no table shows",
                     (long long)(m->cells - seen)));
    for (int64_t i = seen; i < m->cells; i++) {
        m->status[i] = CELL_PRIMARY; /* hidden for good, and it asks for nothing itself */
        m->need_low[i] = m->need_high[i] = m->need_either[i] = 0;
        m->floor[i] = negative ? -INFINITY : 0; /* it may be empty */
        m->low[i] = negative ? INFINITY : m->value[i];
        m->high[i] = INFINITY;
    }
done:
    return status;
}
