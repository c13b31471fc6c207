/* Comparing two tables group by group: a small group must not disappear in an average. */
#include "base/extremes.h"
#include "utility/compare/compare.h"

typedef struct {
    Run *run;
    const Table *table[2];
    Columns vars;
    bool placed;
    Grid *grid;
} GroupComparison;

/* The records of each group in both tables, listed group by group. */
typedef struct {
    const Column *column;
    Codes codes;
    int64_t *start[2], *row[2];
} Members;

static Status list_side(Work *work, const int32_t *of, int64_t rows, int64_t groups, int64_t **start, int64_t **row) {
    Status status = OK;
    int64_t *next = NULL;
    NEW(work, *start, groups + 2);
    NEW(work, next, groups + 2);
    NEW(work, *row, rows + 1);
    for (int64_t i = 0; i < rows; i++) (*start)[of[i] + 1]++;
    for (int64_t g = 0; g <= groups; g++) next[g] = (*start)[g + 1] += (*start)[g];
    for (int64_t i = rows; i-- > 0;) (*row)[--next[of[i]]] = i;
done:
    arena_drop(work->arena, next);
    return status;
}

/* Group of each record: the original's value, missing last. A release whose records have their places is grouped by the original, else by its
 * own values, which must then be the original's. */
static Status members_make(GroupComparison *g, const Column *by, Members *out) {
    Status status = OK;
    Work *work = &g->run->work;
    int32_t *of[2] = { 0 };
    *out = (Members){ .column = by };
    TRY(column_codes(work, by, &out->codes));
    for (int t = 0; t < 2; t++) NEW(work, of[t], g->table[t]->rows + 1);
    for (int64_t i = 0; i < by->rows; i++) of[0][i] = out->codes.at[i] < 0 ? out->codes.count : out->codes.at[i];
    if (g->placed) memcpy(of[1], of[0], (size_t)by->rows * sizeof *of[0]);
    else {
        const Column *after;
        TRY(table_need(g->table[1], by->name, &after, work->error));
        char a[33], b[33];
        for (int64_t i = 0; i < after->rows; i++) {
            int32_t found = out->codes.count;
            const char *cell = column_missing(after, i) ? NULL : column_cell(after, i, a);
            for (int32_t c = 0; cell && c < out->codes.count && found == out->codes.count; c++)
                if (!strcmp(cell, column_cell(by, out->codes.first_row[c], b))) found = c;
            if (cell && found == out->codes.count) {
                fail(work->error, BAD, "the release has groups that the original lacks, and it is not known whose records are whose");
                error_advice(work->error, "Choose a column that was not recoded.");
                TRY(error_column(work->error, by->name));
            }
            of[1][i] = found;
        }
    }
    for (int t = 0; t < 2; t++) TRY(list_side(work, of[t], g->table[t]->rows, out->codes.count, &out->start[t], &out->row[t]));
done:
    for (int t = 0; t < 2; t++) arena_drop(work->arena, of[t]);
    return status;
}

static void say_group(GroupComparison *g, const char *name, const Comparison *c) {
    double worst = NAN, ks = NAN;
    const char *which = NULL;
    for (int64_t v = 0; v < c->variables; v++) {
        const Pairing *p = &c->pair[v];
        if (p->total_variation > worst || (isnan(worst) && !isnan(p->total_variation))) {
            worst = p->total_variation;
            which = p->name;
        }
        ks = larger_known(ks, p->ks);
    }
    grid_text(g->grid, name);
    grid_integer(g->grid, c->rows[0]);
    grid_integer(g->grid, c->rows[1]);
    grid_real(g->grid, worst);
    grid_text(g->grid, worst > 0 ? which : NULL);
    grid_real(g->grid, ks);
}

static Status compare_group(GroupComparison *g, const Members *m, int32_t group, const char *name) {
    Status status = OK;
    Work *work = &g->run->work;
    PartState done = { 0 };
    Table *table[2] = { 0 };
    Comparison c = { .placed = g->placed };
    for (int t = 0; t < 2; t++) {
        const int64_t *row = m->row[t] + m->start[t][group], count = m->start[t][group + 1] - m->start[t][group];
        TRY(table_take(g->table[t], row, count, &table[t], work->error));
        c.table[t] = table[t];
        c.rows[t] = count;
    }
    if (c.rows[0] && c.rows[1]) {
        TRY(compare_decide(work, g->vars, &c));
        TRY(compare_pairs(work, &c, c.table, &done));
        TRY(compare_settle(work, &c, &done));
        TRY(compare_sums(work, &c, c.table, &done));
        for (int64_t v = 0; v < c.variables; v++) TRY(compare_distances(work, &c, &c.pair[v], &done));
    }
    if (c.rows[0] || c.rows[1]) say_group(g, name, &c);
done:
    state_clear(&done);
    for (int t = 0; t < 2; t++) table_release(table[t]);
    return status;
}

Status compare_groups(Run *run, const Table *original, const Table *released, Columns vars, Columns by, bool placed) {
    enum { MOST_GROUPS = 200 };
    Status status = OK;
    GroupComparison g = { .run = run, .table = { original, released }, .vars = vars, .placed = placed && original->rows == released->rows };
    if (!by.count) return OK;
    g.grid = grid_new(run->result, "groups", "group:text original:integer released:integer total_variation:real variable:text ks:real");
    for (int64_t b = 0; b < by.count; b++) {
        Members m;
        char cell[33];
        TRY(members_make(&g, by.at[b], &m));
        if (m.codes.count > MOST_GROUPS) {
            fail(run->work.error, BAD, "has %d values; at most %d groups are compared", m.codes.count, MOST_GROUPS);
            TRY(error_column(run->work.error, by.at[b]->name));
        }
        for (int32_t k = 0; k <= m.codes.count; k++) {
            const char *label = k < m.codes.count ? column_cell(by.at[b], m.codes.first_row[k], cell) : "(missing)";
            TRY(work_check(&run->work));
            TRY(compare_group(&g, &m, k, arena_print(run->work.arena, "%s = %s", by.at[b]->name, label)));
        }
    }
done:
    grid_done(g.grid);
    return status;
}
