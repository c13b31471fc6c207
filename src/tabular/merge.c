/* Merging: dimensions by name, codes by text, cells by their codes. */
#include "tabular/merge.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "table/group.h"

typedef struct ChunkTypes {
    Structure s;
    int32_t **to[64]; /* table → dimension of it → code → code here */
    int32_t *dim[64]; /* table → dimension of it → dimension here */
} ChunkTypes;

static int32_t find_code(const Dimension *d, const char *code) {
    for (int32_t c = 0; c < d->codes; c++)
        if (!strcmp(d->code[c], code)) return c;
    return -1;
}

static bool same_sum(const Sum *a, const Sum *b) {
    if (a->total != b->total || a->count != b->count) return false;
    for (int32_t i = 0; i < a->count; i++) {
        bool found = false;
        for (int32_t k = 0; k < b->count && !found; k++) found = a->part[i] == b->part[k];
        if (!found) return false;
    }
    return true;
}

/* One table's dimension joins the one of its name: codes that are new, sums that are new. */
static Status join_dimension(Work *work, const Dimension *from, Dimension *to, int32_t **map) {
    Status status = OK;
    const char **code = NULL;
    Sum *sum = NULL;
    NEW(work, *map, from->codes + 1);
    NEW(work, code, from->codes + to->codes + 1);
    NEW(work, sum, from->sums + to->sums + 1);
    if (to->codes) memcpy(code, to->code, (size_t)to->codes * sizeof *code);
    if (to->sums) memcpy(sum, to->sum, (size_t)to->sums * sizeof *sum);
    to->code = code;
    to->sum = sum;
    for (int32_t c = 0; c < from->codes; c++) {
        int32_t known = find_code(to, from->code[c]);
        if (known < 0) to->code[known = to->codes++] = from->code[c];
        (*map)[c] = known;
    }
    for (int64_t s = 0; s < from->sums; s++) {
        Sum mine = { .total = (*map)[from->sum[s].total], .count = from->sum[s].count };
        bool known = false;
        NEW(work, mine.part, mine.count + 1);
        for (int32_t k = 0; k < mine.count; k++) mine.part[k] = (*map)[from->sum[s].part[k]];
        for (int64_t t = 0; t < to->sums && !known; t++) known = same_sum(&mine, &to->sum[t]);
        if (!known) to->sum[to->sums++] = mine;
    }
done:
    return status;
}

static Status join_table(Work *work, const Table *table, const char *total_code, int64_t t, Structure *own, ChunkTypes *j) {
    Status status = OK;
    TRY(structure_read(work, table, total_code, own));
    if (!own->dims) {
        fail(work->error, BAD, "tables of named cells cannot be joined with others");
        TRY(error_advice(work->error, "Give all cells and all relations to one `tabular import`."));
    }
    NEW(work, j->to[t], own->dims + 1);
    NEW(work, j->dim[t], own->dims + 1);
    for (int64_t d = 0; d < own->dims; d++) {
        int64_t at = 0;
        while (at < j->s.dims && strcmp(j->s.dim[at].name, own->dim[d].name)) at++;
        if (at == 16) TRY(fail(work->error, BAD, "the tables have more than 16 dimensions together"));
        if (at == j->s.dims) j->s.dim[j->s.dims++] = (Dimension){ .name = own->dim[d].name };
        TRY(join_dimension(work, &own->dim[d], &j->s.dim[at], &j->to[t][d]));
        j->dim[t][d] = (int32_t)at;
    }
    j->s.whole = t ? j->s.whole && own->whole : own->whole;
    j->s.is_signed |= own->is_signed;
    j->s.zeros_hidden |= own->zeros_hidden;
    if (!j->s.rules.coalition) j->s.rules = own->rules;
    j->s.total = own->total;
done:
    return status;
}

/* Every dimension has a code for its total, which tables without the dimension stand at. */
static Status need_totals(Work *work, ChunkTypes *j) {
    Status status = OK;
    for (int64_t d = 0; d < j->s.dims; d++) {
        Dimension *dim = &j->s.dim[d];
        const char **code = NULL;
        if (find_code(dim, j->s.total) >= 0) continue;
        NEW(work, code, dim->codes + 2);
        if (dim->codes) memcpy(code, dim->code, (size_t)dim->codes * sizeof *code);
        code[dim->codes++] = j->s.total;
        dim->code = code;
    }
done:
    return status;
}

/* Which table can have which cells: its own codes, and the total of a dimension that it lacks. */
static Status join_extent(Work *work, const Structure *own, int64_t e, int64_t t, ChunkTypes *j) {
    Status status = OK;
    Extent *to = &j->s.extent[j->s.extents++];
    TRY(structure_extent(work, &j->s, to));
    for (int64_t d = 0; d < j->s.dims; d++) to->has[d][find_code(&j->s.dim[d], j->s.total)] = 1;
    for (int64_t d = 0; d < own->dims; d++) {
        uint8_t *has = to->has[j->dim[t][d]];
        memset(has, 0, (size_t)j->s.dim[j->dim[t][d]].codes);
        for (int32_t c = 0; c < own->dim[d].codes; c++) has[j->to[t][d][c]] = !own->extents || own->extent[e].has[d][c];
    }
done:
    return status;
}

static Status join_extents(Work *work, const Structure *own, int64_t tables, ChunkTypes *j) {
    Status status = OK;
    int64_t most = 0;
    for (int64_t t = 0; t < tables; t++) most += own[t].extents ? own[t].extents : 1;
    NEW(work, j->s.extent, most + 1);
    for (int64_t t = 0; t < tables; t++)
        for (int64_t e = 0; e < (own[t].extents ? own[t].extents : 1); e++) TRY(join_extent(work, &own[t], e, t, j));
done:
    return status;
}

/* What was compared in the data of one table stays so. */
static Status join_comparisons(Work *work, const Structure *own, int64_t tables, ChunkTypes *j) {
    Status status = OK;
    int64_t most = 0;
    for (int64_t t = 0; t < tables; t++) most += own[t].comparisons;
    NEW(work, j->s.comparison, most + 1);
    for (int64_t t = 0; t < tables; t++)
        for (int64_t k = 0; k < own[t].comparisons; k++) {
            uint32_t *to = &j->s.comparison[j->s.comparisons++];
            for (int64_t d = 0; d < own[t].dims; d++)
                if (own[t].comparison[k] >> d & 1) *to |= UINT32_C(1) << j->dim[t][d];
        }
done:
    return status;
}

typedef struct Cells {
    int64_t count;
    int32_t *place;
    double *value;
    uint8_t *status;
} Cells;

static Status contradiction(Work *work, const Table *table, int64_t row) {
    fail(work->error, BAD, "two tables show different values for one cell");
    error_advice(work->error, "An audit is of tables from the same data. Rounded or noisy tables have no exact intervals.");
    error_row(work->error, row);
    return table->name ? error_file(work->error, table->name) : BAD;
}

/* One row joins the cell at its place. */
static Status join_row(Work *work, const Model *m, int64_t row, int64_t at, Cells *c) {
    double v = m->value[row], *known = &c->value[at];
    bool open = m->status[row] == CELL_OPEN && !isnan(v);
    if (c->status[at] == 9) {
        *known = v;
        c->status[at] = open ? CELL_OPEN : m->status[row] == CELL_OPEN ? CELL_SECONDARY : m->status[row];
        return OK;
    }
    if (!isnan(v) && !isnan(*known) && fabs(v - *known) > 1e-6 * larger_known(1, fabs(v))) return contradiction(work, m->table, row);
    if (isnan(*known)) *known = v;
    if (open) c->status[at] = CELL_OPEN;
    else if (c->status[at] != CELL_OPEN && m->status[row] == CELL_PRIMARY) c->status[at] = CELL_PRIMARY;
    return OK;
}

static Status add_rows(Work *work, const ChunkTypes *j, int64_t t, const Structure *own, const Model *m, uint64_t mask, int32_t *slot,
                       Cells *c) {
    Status status = OK;
    int32_t **at, place[16];
    int64_t dims = j->s.dims;
    TRY(structure_places(work, own, m->table, &at));
    for (int64_t i = 0; i < m->cells; i++) {
        uint64_t h = 0;
        for (int64_t d = 0; d < dims; d++) place[d] = find_code(&j->s.dim[d], j->s.total);
        for (int64_t d = 0; d < own->dims; d++) place[j->dim[t][d]] = j->to[t][d][at[d][i]];
        for (int64_t d = 0; d < dims; d++) h = word_hash(h + (uint64_t)(uint32_t)place[d] + 1);
        for (h &= mask; slot[h] && memcmp(c->place + (slot[h] - 1) * dims, place, (size_t)dims * sizeof *place); h = (h + 1) & mask) {}
        if (!slot[h]) {
            memcpy(c->place + c->count * dims, place, (size_t)dims * sizeof *place);
            c->status[c->count] = 9; /* new */
            slot[h] = (int32_t)++c->count;
        }
        TRY(join_row(work, m, i, slot[h] - 1, c));
    }
done:
    return status;
}

static Status joined_table(Work *work, const ChunkTypes *j, const Cells *c, bool counts, Table **out) {
    Status status = OK;
    Column *columns[20] = { NULL };
    Dictionary *words = NULL;
    int64_t dims = j->s.dims, n = 0;
    for (; n < dims; n++) {
        TRY(dictionary_new(j->s.dim[n].code, j->s.dim[n].codes, true, &words, work->error));
        TRY(column_unfilled(CATEGORY_TYPE, j->s.dim[n].name, c->count, &columns[n], work->error));
        columns[n]->words = words;
        words = NULL;
        for (int64_t i = 0; i < c->count; i++) columns[n]->code[i] = c->place[i * dims + n];
    }
    TRY(column_new(REAL_TYPE, counts ? "count" : "value", c->count, &columns[n], work->error));
    TRY(column_need_valid(columns[n], work->error));
    for (int64_t i = 0; i < c->count; i++) {
        columns[n]->real[i] = isnan(c->value[i]) ? 0 : c->value[i];
        if (isnan(c->value[i])) column_set_missing(columns[n], i);
    }
    column_seal(columns[n++]);
    TRY(model_status_column(work, c->status, c->count, &columns[n++]));
    TRY(table_new(NULL, columns, n, c->count, out, work->error));
    TRY(structure_keep(work, &j->s, *out));
done:
    dictionary_release(words);
    for (int64_t i = 0; i < 20; i++) column_release(columns[i]);
    return status;
}

Status tables_merge(Work *work, const Tables *tables, const char *total_code, Table **out) {
    Status status = OK;
    ChunkTypes j = { 0 };
    Structure *own = NULL;
    Model *models = NULL;
    Cells c = { 0 };
    int32_t *slot = NULL;
    uint64_t size = 16;
    int64_t rows = 0;
    bool counts = true;
    if (tables->count == 1) {
        *out = table_retain(tables->at[0]);
        return OK;
    }
    if (tables->count > 64) TRY(fail(work->error, BAD, "at most 64 tables at once"));
    NEW(work, own, tables->count + 1);
    NEW(work, models, tables->count + 1);
    NEW(work, j.s.dim, 17);
    for (int64_t t = 0; t < tables->count; t++) {
        TRY(join_table(work, tables->at[t], total_code, t, &own[t], &j));
        TRY(model_make(work, tables->at[t], total_code, &models[t]));
        rows += tables->at[t]->rows;
        counts &= !strcmp(models[t].measure->name, "count");
    }
    TRY(need_totals(work, &j));
    TRY(join_extents(work, own, tables->count, &j));
    TRY(join_comparisons(work, own, tables->count, &j));
    while (size < 2 * (uint64_t)rows + 2) size *= 2;
    NEW(work, slot, size);
    NEW(work, c.place, rows * j.s.dims + 1);
    NEW(work, c.value, rows + 1);
    NEW(work, c.status, rows + 1);
    for (int64_t t = 0; t < tables->count; t++) TRY(add_rows(work, &j, t, &own[t], &models[t], size - 1, slot, &c));
    TRY(joined_table(work, &j, &c, counts, out));
done:
    return status;
}
