/* Who contributes to which cell, and what the rules of `tabular primary` ask for each of them. */
#include "tabular/contributors.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/sort.h"

enum { MOST_NAMED = 9 };

/* ---- cells of one contributor, where none is named ---- */

static int32_t root(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* A cell of one contributor and a total of one contributor that has it as a part are of the same contributor. */
static void join_sole(const Model *m, int32_t *parent) {
    for (int64_t r = 0; r < m->relations.count; r++) {
        const int64_t from = m->relations.start[r], end = m->relations.start[r + 1];
        for (int64_t t = from; t < end; t++) {
            int32_t total = m->relations.cell[t];
            if (m->relations.coefficient[t] >= 0 || m->count[total] != 1) continue;
            for (int64_t k = from; k < end; k++)
                if (m->relations.coefficient[k] > 0 && m->count[m->relations.cell[k]] == 1)
                    parent[root(parent, m->relations.cell[k])] = root(parent, total);
        }
    }
}

static Status sole_by_holder(Work *work, const Model *m, const Column *holder, int32_t *sole, int64_t *count) {
    Status status = OK;
    Codes codes;
    TRY(column_codes(work, holder, &codes));
    for (int64_t i = 0; i < m->cells; i++) sole[i] = codes.at[i];
    *count = codes.count;
done:
    return status;
}

/* sole[cell]: a number for each contributor that is alone in a cell (the same in cells of one contributor or one holding), else -1. */
static Status find_sole(Work *work, const Model *m, int32_t *sole, int64_t *count) {
    Status status = OK;
    int32_t *parent = NULL, *number = NULL;
    *count = 0;
    for (int64_t i = 0; i < m->cells; i++) sole[i] = -1;
    const Column *holder = table_column(m->table, "holder");
    if (holder) return sole_by_holder(work, m, holder, sole, count);
    if (!m->count) return OK;
    NEW(work, parent, m->cells + 1);
    NEW(work, number, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) parent[i] = (int32_t)i;
    join_sole(m, parent);
    for (int64_t i = 0; i < m->cells; i++) {
        if (m->count[i] != 1) continue;
        int32_t of = root(parent, (int32_t)i);
        if (!number[of]) number[of] = (int32_t)++ * count;
        sole[i] = number[of] - 1;
    }
done:
    return status;
}

/* ---- named contributors ---- */

typedef struct Named {
    int top;
    const Column *by[MOST_NAMED];
    const double *largest[MOST_NAMED];
    int32_t *dense; /* name → number + 1 */
} Named;

static Status bad_name(Work *work, const Column *by, int64_t row) {
    fail(work->error, BAD, "contributors are identified by whole numbers from 1 on");
    error_column(work->error, by->name);
    return error_row(work->error, row);
}

static Status open_names(Work *work, const Model *m, Named *n) {
    Status status = OK;
    int64_t most = 0;
    for (; n->top < MOST_NAMED; n->top++) {
        const Column *by = table_column(m->table, (char[]){ 'b', 'y', (char)('1' + n->top), 0 });
        const Column *largest = table_column(m->table, (char[]){ 'm', 'a', 'x', (char)('1' + n->top), 0 });
        if (!by || !largest) break;
        n->by[n->top] = by;
        TRY(column_reals(work, largest, &n->largest[n->top]));
        for (int64_t i = 0; i < by->rows; i++) {
            if (column_missing(by, i)) continue;
            double x = column_numeric(by) ? column_number(by, i) : NAN;
            if (!(x >= 1 && x < 2e9 && x == floor(x))) TRY(bad_name(work, by, i));
            if ((int64_t)x > most) most = (int64_t)x;
        }
    }
    if (n->top) NEW(work, n->dense, most + 1);
done:
    return status;
}

static Status list_named(Work *work, const Model *m, Named *n, Contributors *c) {
    Status status = OK;
    int64_t at = 0, rows = m->table->rows;
    NEW(work, c->of_cell, (int64_t)n->top * rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        for (int k = 0; k < n->top && !column_missing(n->by[k], i); k++) {
            int32_t *number = &n->dense[(int64_t)column_number(n->by[k], i)];
            if (!*number) *number = (int32_t)++c->people;
            c->of_cell[at++] = (Share){ *number - 1, fabs(n->largest[k][i]) };
        }
        c->cell_start[i + 1] = at;
        c->alone[i] = c->count[i] == 1;
        c->unnamed[i] = c->bounds && c->count[i] > n->top ? fabs(n->largest[n->top - 1][i]) : 0;
    }
    for (int64_t i = rows; i < m->cells; i++) c->cell_start[i + 1] = at;
done:
    return status;
}

static Status list_sole(Work *work, const Model *m, Contributors *c) {
    Status status = OK;
    int32_t *sole = NULL;
    int64_t at = 0;
    NEW(work, sole, m->cells + 1);
    NEW(work, c->of_cell, m->cells + 1);
    TRY(find_sole(work, m, sole, &c->people));
    for (int64_t i = 0; i < m->cells; i++) {
        if (sole[i] >= 0) c->of_cell[at++] = (Share){ sole[i], fabs(m->value[i]) };
        c->alone[i] = sole[i] >= 0;
        c->cell_start[i + 1] = at;
    }
done:
    return status;
}

static Status list_cells(Work *work, int64_t cells, Contributors *c) {
    Status status = OK;
    int64_t shares = c->cell_start[cells];
    NEW(work, c->who_start, c->people + 2);
    NEW(work, c->of_who, shares + 1);
    for (int64_t k = 0; k < shares; k++) c->who_start[c->of_cell[k].other + 2]++;
    for (int64_t j = 0; j < c->people; j++) c->who_start[j + 2] += c->who_start[j + 1];
    for (int64_t i = 0; i < cells; i++)
        for (int64_t k = c->cell_start[i]; k < c->cell_start[i + 1]; k++)
            c->of_who[c->who_start[c->of_cell[k].other + 1]++] = (Share){ (int32_t)i, c->of_cell[k].own };
done:
    return status;
}

Status contributors_make(Work *work, const Model *m, Contributors *c) {
    Status status = OK;
    Named named = { 0 };
    const Column *holdings = table_column(m->table, "holdings");
    *c = (Contributors){ .bounds = !m->structure.is_signed };
    for (int64_t i = 0; i < m->cells; i++) c->bounds &= !(m->value[i] < 0);
    NEW(work, c->cell_start, m->cells + 2);
    NEW(work, c->alone, m->cells + 1);
    NEW(work, c->unnamed, m->cells + 1);
    NEW(work, c->count, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        bool told = holdings && i < m->table->rows && column_numeric(holdings) && !column_missing(holdings, i);
        c->count[i] = told ? column_number(holdings, i) : m->count ? m->count[i] : NAN;
    }
    TRY(open_names(work, m, &named));
    c->named = named.top > 0;
    if (c->named) TRY(list_named(work, m, &named, c));
    else TRY(list_sole(work, m, c));
    TRY(list_cells(work, m->cells, c));
done:
    return status;
}

/* ---- what the rules ask ---- */

/* A contributor with `own` (and those who pool with it, `pool` in all) knows that X − pool is the target and the rest: the target is safe
 * from it where the cell can be p/q·target − rest higher (Hundepool et al. 2012, 4.2.2; q = 1 for p%). */
static double ask_pq(double p, double q, double value, double pool, double target) {
    return p / q * target - fmax(value - pool - target, 0);
}

/* One reader: who = -1 an outsider, else number k of the list. Those who pool with a contributor are the largest after the target. */
static double need_by(double p, double q, int64_t coalition, double value, const Share *of, int64_t count, int64_t who) {
    int64_t target = who == 0 ? 1 : 0, pooled = who >= 0;
    double pool = who >= 0 ? of[who].own : 0;
    if (target >= count) return -INFINITY;
    for (int64_t k = 0; who >= 0 && k < count && pooled < coalition; k++) {
        if (k == target || k == who) continue;
        pool += of[k].own;
        pooled++;
    }
    return ask_pq(p, q, value, pool, of[target].own);
}

typedef struct Asking {
    const SafetyRules *rules;
    double value, unnamed;
    const Share *of;
    int64_t count;
} Asking;

static void ask_ratio(const Asking *a, double p, double q, Needs *out) {
    out->others = larger(out->others, need_by(p, q, a->rules->coalition, a->value, a->of, a->count, -1));
    if (a->unnamed > 0 && a->count) out->others = larger(out->others, ask_pq(p, q, a->value, a->unnamed, a->of[0].own));
    for (int64_t k = 0; k < a->count; k++)
        out->of[k].need = larger(out->of[k].need, need_by(p, q, a->rules->coalition, a->value, a->of, a->count, k));
}

static double sum_of(const Share *of, int64_t count, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < count && k < n; k++) sum += of[k].own;
    return sum;
}

Status needs_find(Work *work, const SafetyRules *rules, int broken, double value, const Share *of, int64_t count, double unnamed,
                  Needs *out) {
    Status status = OK;
    Asking a = { rules, fabs(value), unnamed, of, count };
    GROW(work, out->of, out->room, count + 1);
    out->count = count;
    out->others = 0;
    for (int64_t k = 0; k < count; k++) out->of[k] = (Need){ of[k].other, 0 };
    if (broken >> BY_P & 1) {
        if (rules->p_percent > 0) ask_ratio(&a, rules->p_percent / 100, 1, out);
        for (int r = 0; r < rules->pqs; r++) ask_ratio(&a, rules->pq[r][0] / 100, rules->pq[r][1] / 100, out);
    }
    for (int r = 0; r < rules->dominances && broken >> BY_DOMINANCE & 1; r++) {
        double need = 100 / rules->dominance[r][1] * sum_of(of, count, (int64_t)rules->dominance[r][0]) - a.value;
        out->others = fmax(out->others, need);
        for (int64_t k = 0; k < count; k++) out->of[k].need = fmax(out->of[k].need, need);
    }
done:
    return status;
}

/* ---- several cells together ---- */

static int by_who(const void *a, const void *b) {
    const Share *x = a, *y = b;
    return (x->other > y->other) - (x->other < y->other);
}

static int largest_first(const void *a, const void *b) {
    const Share *x = a, *y = b;
    if (x->own != y->own) return x->own > y->own ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

Status union_make(Work *work, const Model *m, const Contributors *c, const int32_t *cells, int64_t count, Union *u) {
    Status status = OK;
    double people = 0, most = 0;
    int64_t n = 0;
    u->value = 0;
    u->count = 0;
    for (int64_t k = 0; k < count; k++) n += c->cell_start[cells[k] + 1] - c->cell_start[cells[k]];
    GROW(work, u->of, u->room, n + 1);
    n = 0;
    for (int64_t k = 0; k < count; k++) {
        u->value += m->value[cells[k]];
        people += c->count[cells[k]];
        most = fmax(most, c->count[cells[k]]);
        for (int64_t e = c->cell_start[cells[k]]; e < c->cell_start[cells[k] + 1]; e++) u->of[n++] = c->of_cell[e];
    }
    qsort(u->of, (size_t)n, sizeof *u->of, by_who);
    for (int64_t k = 0; k < n; k++) {
        if (u->count && u->of[u->count - 1].other == u->of[k].other) u->of[u->count - 1].own += u->of[k].own;
        else u->of[u->count++] = u->of[k];
    }
    qsort(u->of, (size_t)u->count, sizeof *u->of, largest_first);
    u->people = c->named ? fmax((double)u->count, most) : people; /* contributors that are not named are other ones in each cell */
done:
    return status;
}

Status contributors_append(Work *work, const Union *together, int64_t count, int64_t cells, Contributors *c) {
    Status status = OK;
    const Contributors old = *c;
    int64_t at = old.cell_start[cells], all = at;
    for (int64_t k = 0; k < count; k++) all += together[k].count;
    c->cell_start = NULL;
    c->of_cell = NULL;
    c->alone = NULL;
    c->unnamed = c->count = NULL;
    NEW(work, c->cell_start, cells + count + 2);
    NEW(work, c->of_cell, all + 1);
    NEW(work, c->alone, cells + count + 1);
    NEW(work, c->unnamed, cells + count + 1);
    NEW(work, c->count, cells + count + 1);
    memcpy(c->cell_start, old.cell_start, (size_t)(cells + 1) * sizeof *c->cell_start);
    memcpy(c->of_cell, old.of_cell, (size_t)at * sizeof *c->of_cell);
    memcpy(c->alone, old.alone, (size_t)cells);
    memcpy(c->unnamed, old.unnamed, (size_t)cells * sizeof *c->unnamed);
    memcpy(c->count, old.count, (size_t)cells * sizeof *c->count);
    for (int64_t k = 0; k < count; k++) {
        if (together[k].count) memcpy(c->of_cell + at, together[k].of, (size_t)together[k].count * sizeof *c->of_cell);
        c->cell_start[cells + k + 1] = at += together[k].count;
        c->count[cells + k] = together[k].people;
        c->alone[cells + k] = together[k].people == 1;
    }
    TRY(list_cells(work, cells + count, c));
done:
    return status;
}

static bool breaks_ratio(double p, double q, int64_t coalition, const Union *u) {
    double rest = fabs(u->value) - sum_of(u->of, u->count, 1 + coalition);
    return u->count && q * fmax(rest, 0) < p * u->of[0].own * (1 - 1e-12);
}

bool union_unsafe(const SafetyRules *rules, int broken, const Union *u) {
    bool unsafe = broken >> BY_THRESHOLD & 1 && u->people > 0 && u->people < (double)rules->threshold;
    if (broken >> BY_P & 1) {
        unsafe |= rules->p_percent > 0 && breaks_ratio(rules->p_percent, 100, rules->coalition, u);
        for (int r = 0; r < rules->pqs; r++) unsafe |= breaks_ratio(rules->pq[r][0], rules->pq[r][1], rules->coalition, u);
    }
    for (int r = 0; r < rules->dominances && broken >> BY_DOMINANCE & 1; r++)
        unsafe |= sum_of(u->of, u->count, (int64_t)rules->dominance[r][0]) > rules->dominance[r][1] / 100 * fabs(u->value) * (1 + 1e-12);
    return unsafe;
}
