/* The rows of a table as cells of its structure: where each stands, and which relations hold between rows. */
#include <stdlib.h>
#include <string.h>
#include "table/group.h"
#include "table/cell_structure.h"

/* ---- where a row stands ---- */

typedef struct {
    const char *text;
    int32_t at;
} Word;
static int by_text(const void *a, const void *b) { return strcmp(((const Word *)a)->text, ((const Word *)b)->text); }

/* all: whether a code that there is not is an error, or -1. */
static Status match_column(Work *work, const Column *column, const char *const *code, int64_t count, bool all, int32_t *out) {
    Status status = OK;
    Word *words = NULL;
    Codes codes;
    int32_t *to = NULL;
    char number[33];
    TRY(column_codes(work, column, &codes));
    NEW(work, words, count + 1);
    NEW(work, to, codes.count + 1);
    for (int64_t i = 0; i < count; i++) words[i] = (Word){ code[i], (int32_t)i };
    qsort(words, (size_t)count, sizeof *words, by_text);
    for (int32_t c = 0; c < codes.count; c++) {
        Word key = { column_cell(column, codes.first_row[c], number), 0 };
        const Word *found = bsearch(&key, words, (size_t)count, sizeof *words, by_text);
        if (!found && all) {
            fail(work->error, BAD, "a code that the table's structure does not have");
            error_column(work->error, column->name);
            TRY(error_row(work->error, codes.first_row[c]));
        }
        to[c] = found ? found->at : -1;
    }
    for (int64_t i = 0; i < column->rows; i++) {
        if (codes.at[i] < 0) {
            fail(work->error, BAD, "a cell without a code");
            error_column(work->error, column->name);
            TRY(error_row(work->error, i));
        }
        out[i] = to[codes.at[i]];
    }
done:
    return status;
}

static Status places(Work *work, const Structure *s, const Table *table, bool all, int32_t ***out) {
    Status status = OK;
    const Column *column;
    NEW(work, *out, s->dims + 1);
    for (int64_t d = 0; d < s->dims; d++) {
        NEW(work, (*out)[d], table->rows + 1);
        TRY(table_need(table, s->dim[d].name, &column, work->error));
        TRY(match_column(work, column, s->dim[d].code, s->dim[d].codes, all, (*out)[d]));
    }
    if (s->dims) goto done;
    NEW(work, (*out)[0], table->rows + 1);
    TRY(table_need(table, "cell", &column, work->error));
    TRY(match_column(work, column, s->name, s->names, all, (*out)[0]));
done:
    return status;
}

Status structure_places(Work *work, const Structure *s, const Table *table, int32_t ***out) { return places(work, s, table, true, out); }

Status structure_knows(Work *work, const Structure *s, const Table *table, uint8_t **known) {
    Status status = OK;
    int32_t **at;
    NEW(work, *known, table->rows + 1);
    TRY(places(work, s, table, false, &at));
    for (int64_t i = 0; i < table->rows; i++) {
        (*known)[i] = 1;
        for (int64_t d = 0; d < (s->dims ? s->dims : 1); d++) (*known)[i] &= at[d][i] >= 0;
    }
done:
    return status;
}

/* ---- rows by their codes: open addressing ---- */

typedef struct Index {
    uint64_t mask;
    int32_t *row;
    int64_t dims;
    int32_t *const *at;
} Index;

static uint64_t place_hash(const int32_t *place, int64_t dims) {
    uint64_t h = 0;
    for (int64_t d = 0; d < dims; d++) h = word_hash(h + (uint64_t)(uint32_t)place[d] + 1);
    return h;
}

static bool same_place(const Index *index, int32_t row, const int32_t *place) {
    for (int64_t d = 0; d < index->dims; d++)
        if (index->at[d][row] != place[d]) return false;
    return true;
}

static int32_t index_find(const Index *index, const int32_t *place) {
    for (uint64_t h = place_hash(place, index->dims) & index->mask; index->row[h]; h = (h + 1) & index->mask)
        if (same_place(index, index->row[h] - 1, place)) return index->row[h] - 1;
    return -1;
}

enum { MOST_DIMS = 16 };

static Status index_make(Work *work, int64_t dims, int32_t *const *at, int64_t rows, Index *out) {
    Status status = OK;
    uint64_t size = 16;
    int32_t place[MOST_DIMS];
    while (size < 2 * (uint64_t)rows + 2) size *= 2;
    *out = (Index){ .mask = size - 1, .dims = dims, .at = at };
    NEW(work, out->row, size);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t d = 0; d < dims; d++) place[d] = at[d][i];
        if (index_find(out, place) >= 0) {
            fail(work->error, BAD, "this cell occurs in two rows");
            TRY(error_row(work->error, i));
        }
        uint64_t h = place_hash(place, dims) & out->mask;
        while (out->row[h]) h = (h + 1) & out->mask;
        out->row[h] = (int32_t)i + 1;
    }
done:
    return status;
}

/* ---- relations ---- */

typedef struct Growing {
    Relations r;
    int64_t rooms, entries, room;
} Growing;

static Status add_entry(Work *work, Growing *g, int32_t cell, double coefficient) {
    Status status = OK;
    int64_t same = g->room;
    GROW(work, g->r.cell, g->room, g->entries + 1);
    GROW(work, g->r.coefficient, same, g->entries + 1);
    g->r.cell[g->entries] = cell;
    g->r.coefficient[g->entries++] = coefficient;
done:
    return status;
}

static Status end_row(Work *work, Growing *g) {
    Status status = OK;
    GROW(work, g->r.start, g->rooms, g->r.count + 2);
    g->r.start[++g->r.count] = g->entries;
done:
    return status;
}

/* Row u as the total of one sum in dimension d: −u + Σ parts = 0, where any part is in the table and no absent one is unknown. */
static Status one_sum(Work *work, const Structure *s, const Index *index, int64_t row, int64_t d, const Sum *sum, Growing *g) {
    Status status = OK;
    int32_t place[MOST_DIMS];
    int64_t before = g->entries;
    bool known = true;
    for (int64_t k = 0; k < index->dims; k++) place[k] = index->at[k][row];
    TRY(add_entry(work, g, (int32_t)row, -1));
    for (int32_t i = 0; i < sum->count; i++) {
        place[d] = sum->part[i];
        int32_t part = index_find(index, place);
        if (part >= 0) TRY(add_entry(work, g, part, 1));
        else known &= structure_covers(s, place);
    }
    if (g->entries == before + 1 || !known) g->entries = before;
    else TRY(end_row(work, g));
done:
    return status;
}

/* Sums by their total: sum_of[code] … */
static Status sums_by_total(Work *work, const Dimension *d, int64_t **start, int32_t **list) {
    Status status = OK;
    NEW(work, *start, d->codes + 2);
    NEW(work, *list, d->sums + 1);
    for (int64_t s = 0; s < d->sums; s++) (*start)[d->sum[s].total + 2]++;
    for (int32_t c = 0; c < d->codes; c++) (*start)[c + 2] += (*start)[c + 1];
    for (int64_t s = 0; s < d->sums; s++) (*list)[(*start)[d->sum[s].total + 1]++] = (int32_t)s;
done:
    return status;
}

static Status dimension_relations(Work *work, const Structure *s, const Table *table, int32_t *const *at, Growing *g) {
    Status status = OK;
    Index index;
    TRY(index_make(work, s->dims, at, table->rows, &index));
    for (int64_t d = 0; d < s->dims; d++) {
        int64_t *start;
        int32_t *list;
        TRY(sums_by_total(work, &s->dim[d], &start, &list));
        for (int64_t row = 0; row < table->rows; row++)
            for (int64_t k = start[at[d][row]]; k < start[at[d][row] + 1]; k++)
                TRY(one_sum(work, s, &index, row, d, &s->dim[d].sum[list[k]], g));
    }
done:
    return status;
}

/* Named cells: the relations as they are, by row. */
static Status named_relations(Work *work, const Structure *s, const Table *table, const int32_t *at, Growing *g) {
    Status status = OK;
    int32_t *row_of = NULL;
    NEW(work, row_of, s->names + 1);
    for (int64_t i = 0; i < table->rows; i++) {
        if (row_of[at[i]]) {
            fail(work->error, BAD, "this cell occurs in two rows");
            TRY(error_row(work->error, i));
        }
        row_of[at[i]] = (int32_t)i + 1;
    }
    for (int64_t i = 0; i < s->relations.count; i++) {
        for (int64_t k = s->relations.start[i]; k < s->relations.start[i + 1]; k++) {
            int32_t row = row_of[s->relations.cell[k]];
            if (!row) {
                fail(work->error, BAD, "relation %lld is of a cell that the table does not have", (long long)i + 1);
                TRY(BAD);
            }
            TRY(add_entry(work, g, row - 1, s->relations.coefficient[k]));
        }
        TRY(end_row(work, g));
    }
done:
    return status;
}

Status structure_relations(Work *work, const Structure *s, const Table *table, Relations *out) {
    Status status = OK;
    int32_t **at;
    Growing g = { .r = { .cells = table->rows } };
    if (s->dims > MOST_DIMS) TRY(fail(work->error, BAD, "a table has at most %d dimensions", MOST_DIMS));
    if (table->rows > INT32_MAX / 2) TRY(fail(work->error, BAD, "the table has too many cells"));
    GROW(work, g.r.start, g.rooms, 1);
    g.r.start[0] = 0;
    TRY(structure_places(work, s, table, &at));
    if (s->dims) TRY(dimension_relations(work, s, table, at, &g));
    else TRY(named_relations(work, s, table, at[0], &g));
    if (!g.entries) {
        GROW(work, g.r.cell, g.room, 1);
        NEW(work, g.r.coefficient, 1);
    }
    *out = g.r;
done:
    return status;
}

Status relations_transpose(Work *work, const Relations *r, Memberships *out) {
    Status status = OK;
    int64_t entries = r->start[r->count];
    NEW(work, out->start, r->cells + 2);
    NEW(work, out->relation, entries + 1);
    NEW(work, out->coefficient, entries + 1);
    for (int64_t k = 0; k < entries; k++) out->start[r->cell[k] + 2]++;
    for (int64_t c = 0; c < r->cells; c++) out->start[c + 2] += out->start[c + 1];
    for (int64_t i = 0; i < r->count; i++)
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) {
            int64_t at = out->start[r->cell[k] + 1]++;
            out->relation[at] = (int32_t)i;
            out->coefficient[at] = r->coefficient[k];
        }
done:
    return status;
}
