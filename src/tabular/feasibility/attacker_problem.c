/* Moves by linear programming: every cell has a column for its way up and one for its way down, so that standing still is where simplex
 * begins. */
#include "tabular/feasibility/attacker_problem.h"
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "tabular/feasibility/null_space_simplex.h"

struct AttackerProblem {
    Lp *lp;
    NullSpaceSimplex *dual; /* the same by the kernel, or NULL */
    Work *work;
    const Memberships *member;
    int64_t count, entries;
    int32_t *cell;
    int rows;
    int32_t *relation; /* row → relation */
    double *numbers;   /* holds the five that follow */
    double *low, *high, *up, *down, *x;
    int32_t *moved;
};

enum { FEW_CELLS = 100 };     /* up to which a long search for whole numbers ends */
enum { SMALL_PROGRAM = 100 }; /* up to which the ordinary program is soon solved */

typedef struct Shortening {
    Work *work;
    AttackerProblem *m;
    Sparse entries;
} Shortening;

/* Movers come and go by the thousands: their memory is their own, not the arena's. */

/* The relations that any of the cells is in, ascending. */
static Status list_rows(Work *work, const Memberships *member, AttackerProblem *m) {
    int64_t count = 0;
    int32_t *list = m->relation = malloc((size_t)(m->entries + 1) * sizeof *list);
    if (!list) return out_of_memory(work->error);
    for (int64_t i = 0; i < m->count; i++)
        for (int64_t k = member->start[m->cell[i]]; k < member->start[m->cell[i] + 1]; k++) list[count++] = member->relation[k];
    qsort(list, (size_t)count, sizeof *list, ascending_int32);
    for (int64_t i = 0; i < count; i++)
        if (!i || list[i] != list[i - 1]) list[m->rows++] = list[i];
    return OK;
}

static int32_t row_of(const AttackerProblem *m, int32_t relation) {
    const int32_t *found = bsearch(&relation, m->relation, (size_t)m->rows, sizeof *m->relation, ascending_int32);
    return (int32_t)(found - m->relation);
}

/* The relations of each cell, by row. */
static Status list_entries(Work *work, const Memberships *member, const AttackerProblem *m, Sparse *out) {
    *out = (Sparse){ .count = m->count, .width = m->rows };
    out->start = calloc((size_t)m->count + 1, sizeof *out->start);
    out->at = malloc((size_t)(m->entries + 1) * sizeof *out->at);
    out->coefficient = malloc((size_t)(m->entries + 1) * sizeof *out->coefficient);
    if (!out->start || !out->at || !out->coefficient) return out_of_memory(work->error);
    for (int64_t i = 0, at = 0; i < m->count; i++) {
        for (int64_t k = member->start[m->cell[i]]; k < member->start[m->cell[i] + 1]; k++, at++) {
            out->at[at] = row_of(m, member->relation[k]);
            out->coefficient[at] = member->coefficient[k];
        }
        out->start[i + 1] = at;
    }
    return OK;
}

/* Columns 2i up and 2i+1 down. */
static Status load(Work *work, const Memberships *member, AttackerProblem *m) {
    Status status = OK;
    Sparse one = { 0 };
    int64_t *start = malloc((size_t)(2 * m->count + 2) * sizeof *start), at = 0;
    int32_t *row = malloc((size_t)(2 * m->entries + 1) * sizeof *row);
    double *coefficient = malloc((size_t)(2 * m->entries + 1) * sizeof *coefficient);
    if (!start || !row || !coefficient) TRY(out_of_memory(work->error));
    TRY(list_entries(work, member, m, &one));
    start[0] = 0;
    for (int64_t j = 0; j < 2 * m->count; j++) {
        for (int64_t k = one.start[j / 2]; k < one.start[j / 2 + 1]; k++, at++) {
            row[at] = one.at[k];
            coefficient[at] = j % 2 ? -one.coefficient[k] : one.coefficient[k];
        }
        start[j + 1] = at;
    }
    TRY(lp_matrix(m->lp, start, row, coefficient));
done:
    sparse_free(&one);
    free(start);
    free(row);
    free(coefficient);
    return status;
}

Status attacker_new(Work *work, const Memberships *member, const int32_t *cells, int64_t count, const double *low, const double *high,
                    AttackerProblem **out) {
    Status status = OK;
    AttackerProblem *m = calloc(1, sizeof *m);
    if (!m) return out_of_memory(work->error);
    m->count = count;
    m->member = member;
    m->work = work;
    m->numbers = calloc((size_t)count + 1, 5 * sizeof *m->numbers);
    m->cell = malloc((size_t)(count + 1) * sizeof *m->cell);
    m->moved = malloc((size_t)(count + 1) * sizeof *m->moved);
    if (!m->numbers || !m->cell || !m->moved) TRY(out_of_memory(work->error));
    if (count) memcpy(m->cell, cells, (size_t)count * sizeof *cells);
    double **const array[] = { &m->low, &m->high, &m->up, &m->down, &m->x };
    for (int i = 0; i < 5; i++) *array[i] = m->numbers + i * (count + 1);
    for (int64_t i = 0; i < count; i++) m->entries += member->start[cells[i] + 1] - member->start[cells[i]];
    TRY(list_rows(work, member, m));
    TRY(lp_new(work->error, m->rows, (int)(2 * count), &m->lp));
    TRY(load(work, member, m));
    lp_direction(m->lp, true);
    for (int64_t i = 0; i < count; i++) attacker_bounds(m, cells[i], low[cells[i]], high[cells[i]]);
done:
    if (status) attacker_free(m);
    else *out = m;
    return status;
}

void attacker_free(AttackerProblem *m) {
    if (!m) return;
    lp_free(m->lp);
    dual_free(m->dual);
    free(m->numbers);
    free(m->cell);
    free(m->moved);
    free(m->relation);
    free(m);
}

/* Cells are given in ascending order. */
static int64_t place(const AttackerProblem *m, int32_t cell) {
    const int32_t *found = bsearch(&cell, m->cell, (size_t)m->count, sizeof *m->cell, ascending_int32);
    return found ? found - m->cell : -1;
}

double attacker_effort(const AttackerProblem *m) { return lp_effort(m->lp); }
int64_t attacker_cells(const AttackerProblem *m) { return m->count; }
bool attacker_has(const AttackerProblem *m, int32_t cell) { return place(m, cell) >= 0; }

void attacker_bounds(AttackerProblem *m, int32_t cell, double low, double high) {
    int64_t i = place(m, cell);
    m->low[i] = low;
    m->high[i] = high;
    lp_column(m->lp, (int)(2 * i), 0, high);
    lp_column(m->lp, (int)(2 * i + 1), 0, low);
}

void attacker_cost(AttackerProblem *m, int32_t cell, double up, double down) {
    int64_t i = place(m, cell);
    m->up[i] = up;
    m->down[i] = down;
    lp_cost(m->lp, (int)(2 * i), -up);
    lp_cost(m->lp, (int)(2 * i + 1), -down);
}

static void read_move(AttackerProblem *m, int64_t p, bool up, double tolerance, double (*value)(const Lp *, int), Move *out) {
    int64_t n = 0;
    for (int64_t i = 0; i < m->count; i++) {
        double x = value(m->lp, (int)(2 * i)) - value(m->lp, (int)(2 * i + 1));
        if (i == p) out->reach = up ? x : -x;
        if (fabs(x) <= tolerance) continue;
        m->moved[n] = m->cell[i];
        m->x[n++] = x;
    }
    out->count = n;
    out->cell = m->moved;
    out->x = m->x;
}

static void all_whole(const AttackerProblem *m, bool whole) {
    for (int64_t j = 0; j < 2 * m->count; j++) lp_whole(m->lp, (int)j, whole);
}

/* ---- by the kernel ---- */

static Status shorten(void *self) {
    Shortening *s = self;
    return dual_new(s->work, &s->entries, &s->m->dual);
}

Status attacker_shorten(Work *work, AttackerProblem *m) {
    Status status = OK;
    Shortening s = { .work = work, .m = m };
    if (m->dual || m->rows < SMALL_PROGRAM) return OK;
    TRY(list_entries(work, m->member, m, &s.entries));
    TRY(work_with_arena(work, shorten, &s));
done:
    sparse_free(&s.entries);
    return status;
}

/* The answer is within bounds to the program's own precision: a little less of it is so to the last digit. False where it is not. */
static bool fit(const AttackerProblem *m, double tolerance) {
    double share = 1;
    for (int64_t i = 0; i < m->count; i++) {
        double bound = m->x[i] > 0 ? m->high[i] : m->low[i], x = fabs(m->x[i]);
        if (x > bound && x > tolerance) share = fmin(share, bound / x);
    }
    for (int64_t i = 0; i < m->count && share < 1; i++) m->x[i] *= share;
    return share > 1 - 1e-8;
}

static void read_dual(AttackerProblem *m, int64_t p, bool up, double tolerance, Move *out) {
    int64_t n = 0;
    out->reach = up ? m->x[p] : -m->x[p];
    for (int64_t i = 0; i < m->count; i++) {
        if (fabs(m->x[i]) <= tolerance) continue;
        m->moved[n] = m->cell[i];
        m->x[n++] = m->x[i];
    }
    out->count = n;
    out->cell = m->moved;
    out->x = m->x;
}

/* *done: false where the ordinary program is to be asked. */
static Status solve_dual(AttackerProblem *m, int64_t p, bool up, double tolerance, Move *out, bool *done) {
    Status status = OK;
    TRY(dual_solve(m->dual, m->work, &out->state, m->x));
    *done = out->state == LP_OPTIMAL && fit(m, tolerance);
    if (*done) read_dual(m, p, up, tolerance, out);
done:
    return status;
}

/* In [0, 1), another one for every number: costs that are all a little different leave no ties, in which simplex goes round in circles. */
static double uneven(int64_t number) { return (double)((uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 11) * 0x1p-53; }

/* In place of a bound that is none: more than a move comes to, unless there is no end to it. */
static double far(const AttackerProblem *m) {
    double sum = 1;
    for (int64_t i = 0; i < m->count; i++) sum += (isinf(m->low[i]) ? 0 : m->low[i]) + (isinf(m->high[i]) ? 0 : m->high[i]);
    return 4 * sum;
}

/* Did a cell that nothing bounds come as far as that? */
static bool went_far(const Move *move, double most) {
    for (int64_t k = 0; k < move->count; k++)
        if (fabs(move->x[k]) > most / 2) return true;
    return false;
}

static Status push_dual(AttackerProblem *m, int64_t p, bool up, double enough, double reward, Move *out, bool *known) {
    Status status = OK;
    const double end = far(m), most = smaller(smaller(enough, up ? m->high[p] : m->low[p]), end);
    for (int64_t i = 0; i < m->count; i++)
        dual_cell(m->dual, i, fmin(m->low[i], end), fmin(m->high[i], end), m->down[i] * (1 + uneven(2 * i) / 100),
                  m->up[i] * (1 + uneven(2 * i + 1) / 100));
    dual_cell(m->dual, p, up ? 0 : most, up ? most : 0, up ? reward : -reward, up ? -reward : reward);
    dual_reset(m->dual);
    TRY(solve_dual(m, p, up, 1e-9 * larger(1, smaller(enough, 1e6)), out, known));
    *known = *known && !went_far(out, end);
done:
    return status;
}

/* First with costs that break ties, then without: from there it is a few steps. */
static Status limit_dual(AttackerProblem *m, int64_t p, bool up, Move *out, bool *known) {
    Status status = OK;
    const double end = far(m);
    for (int exact = 0; exact < 2; exact++) {
        for (int64_t i = 0; i < m->count; i++)
            dual_cell(m->dual, i, fmin(m->low[i], end), fmin(m->high[i], end), exact ? 0 : 1e-6 * (1 + uneven(2 * i)),
                      exact ? 0 : 1e-6 * (1 + uneven(2 * i + 1)));
        dual_cell(m->dual, p, fmin(m->low[p], end), fmin(m->high[p], end), up ? 1 : -1, up ? -1 : 1);
        TRY(solve_dual(m, p, up, 1e-9, out, known));
    }
    *known = *known && !went_far(out, end);
done:
    return status;
}

/* ---- pushing ---- */

/* nodes: 0 for real steps. */
static Status push(AttackerProblem *m, int32_t cell, bool up, double enough, double reward, int64_t nodes, Move *out) {
    Status status = OK;
    int64_t p = place(m, cell);
    int way = (int)(2 * p + !up), back = (int)(2 * p + up);
    double most = up ? m->high[p] : m->low[p];
    bool known = false;
    *out = (Move){ .state = LP_STOPPED };
    if (m->dual && !nodes) TRY(push_dual(m, p, up, enough, reward, out, &known));
    if (known) return OK;
    lp_column(m->lp, way, 0, fmin(enough, most));
    lp_column(m->lp, back, 0, 0);
    lp_cost(m->lp, way, reward);
    TRY(lp_solve(m->lp, false, &out->state));
    if (nodes && out->state == LP_OPTIMAL) {
        all_whole(m, true);
        status = lp_solve_whole(m->lp, 0, nodes, &out->state);
        all_whole(m, false);
        TRY(status);
    }
    if (out->state == LP_OPTIMAL) read_move(m, p, up, nodes ? 0.5 : 1e-9 * larger(1, smaller(enough, 1e6)), nodes ? lp_whole_x : lp_x, out);
    else if (out->state == LP_UNBOUNDED) out->reach = INFINITY;
done:
    attacker_bounds(m, cell, m->low[p], m->high[p]);
    attacker_cost(m, cell, m->up[p], m->down[p]);
    return status;
}

Status attacker_push(AttackerProblem *m, int32_t cell, bool up, double enough, double reward, Move *out) {
    return push(m, cell, up, enough, reward, 0, out);
}

Status attacker_push_whole(AttackerProblem *m, int32_t cell, bool up, double enough, double reward, int64_t nodes, Move *out) {
    return push(m, cell, up, enough, reward, nodes, out);
}

static void only_cell(AttackerProblem *m, int64_t p, bool up) {
    for (int64_t i = 0; i < m->count; i++) {
        lp_cost(m->lp, (int)(2 * i), 0);
        lp_cost(m->lp, (int)(2 * i + 1), 0);
    }
    lp_cost(m->lp, (int)(2 * p), up ? 1 : -1);
    lp_cost(m->lp, (int)(2 * p + 1), up ? -1 : 1);
}

static void own_costs(AttackerProblem *m) {
    for (int64_t i = 0; i < m->count; i++) {
        lp_cost(m->lp, (int)(2 * i), -m->up[i]);
        lp_cost(m->lp, (int)(2 * i + 1), -m->down[i]);
    }
}

Status attacker_limit_whole(AttackerProblem *m, int32_t cell, bool up, double *reach, bool *proven) {
    Status status = OK;
    LpState state;
    only_cell(m, place(m, cell), up);
    all_whole(m, true);
    TRY(lp_solve(m->lp, false, &state));
    TRY(lp_solve_whole(m->lp, 0, m->count > FEW_CELLS ? 200 : 5000, &state));
    *proven = state == LP_OPTIMAL;
    *reach = lp_whole_bound(m->lp);
done:
    all_whole(m, false);
    own_costs(m);
    return status;
}

Status attacker_limit(AttackerProblem *m, int32_t cell, bool up, Move *out) {
    Status status = OK;
    int64_t p = place(m, cell);
    bool known = false;
    *out = (Move){ .state = LP_STOPPED };
    if (m->dual) TRY(limit_dual(m, p, up, out, &known));
    if (known) return OK;
    only_cell(m, p, up);
    TRY(lp_solve(m->lp, false, &out->state));
    if (out->state == LP_OPTIMAL) read_move(m, p, up, 1e-12, lp_x, out);
    else if (out->state == LP_UNBOUNDED) out->reach = INFINITY;
done:
    own_costs(m);
    return status;
}

int attacker_relations(const AttackerProblem *m, const int32_t **relation) {
    *relation = m->relation;
    return m->rows;
}
double attacker_dual(const AttackerProblem *m, int row) { return lp_dual(m->lp, row); }
