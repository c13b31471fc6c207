/* Bounds by linear programming, part by part: one factorisation serves all cells of a part. Whole numbers by branch and bound where simplex
 * gives none. */
#include "tabular/feasibility/feasibility_interval.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/sort.h"

/* ---- parts ---- */

static int32_t root(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* A hidden cell alone in a relation cannot move; it leaves its other relations, too. Numbered −2, −3, … in the order in which they are
 * told: one is told by a relation in which all other hidden cells were told before it. */
static Status drop_known(Work *work, const Relations *r, const Memberships *member, const uint8_t *hidden, int32_t *part) {
    Status status = OK;
    int32_t *left = NULL, *queue = NULL, told = -1;
    int64_t end = 0;
    NEW(work, left, r->count + 1);
    NEW(work, queue, r->count + 1);
    for (int64_t i = 0; i < r->count; i++) {
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) left[i] += hidden[r->cell[k]];
        if (left[i] == 1) queue[end++] = (int32_t)i;
    }
    for (int64_t at = 0; at < end; at++) {
        int32_t relation = queue[at];
        for (int64_t k = r->start[relation]; k < r->start[relation + 1]; k++) {
            int32_t cell = r->cell[k];
            if (!hidden[cell] || part[cell] < -1 || left[relation] != 1) continue;
            part[cell] = --told;
            for (int64_t e = member->start[cell]; e < member->start[cell + 1]; e++)
                if (--left[member->relation[e]] == 1) queue[end++] = member->relation[e];
        }
    }
done:
    return status;
}

Status hidden_parts(Work *work, const Relations *r, const Memberships *member, const uint8_t *hidden, int32_t *part, int32_t *count) {
    Status status = OK;
    int32_t *parent = NULL, *number = NULL;
    *count = 0;
    for (int64_t c = 0; c < r->cells; c++) part[c] = -1;
    TRY(drop_known(work, r, member, hidden, part));
    NEW(work, parent, r->cells + 1);
    NEW(work, number, r->cells + 1);
    for (int64_t c = 0; c < r->cells; c++) parent[c] = (int32_t)c;
    for (int64_t i = 0; i < r->count; i++) {
        int32_t first = -1;
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) {
            int32_t cell = r->cell[k];
            if (!hidden[cell] || part[cell] < -1) continue;
            if (first >= 0) parent[root(parent, cell)] = root(parent, first);
            else first = cell;
        }
    }
    for (int64_t c = 0; c < r->cells; c++) {
        if (!hidden[c] || part[c] < -1) continue;
        int32_t of = root(parent, (int32_t)c);
        if (!number[of]) number[of] = ++*count;
        part[c] = number[of] - 1;
    }
done:
    return status;
}

typedef struct Parts {
    int32_t count;
    int64_t *start;
    int32_t *cell;
    int32_t *of;
} Parts;

static Status parts_make(Work *work, const Relations *r, const Memberships *member, const uint8_t *hidden, Parts *out) {
    Status status = OK;
    NEW(work, out->of, r->cells + 1);
    TRY(hidden_parts(work, r, member, hidden, out->of, &out->count));
    TRY(groups_listed(work, out->of, r->cells, out->count, &out->start, &out->cell));
done:
    return status;
}

/* ---- bounds ---- */

/* What a move shows for other cells, too: they can go at least so far. Where that is their own bound, nothing is left to ask. */
static void learn(const Move *move, bool whole, Bounds *out) {
    for (int64_t k = 0; k < move->count; k++) {
        double *bound = move->x[k] > 0 ? &out->up[move->cell[k]] : &out->down[move->cell[k]];
        *bound = larger(*bound, whole ? round(fabs(move->x[k])) : fabs(move->x[k]));
    }
}

static bool is_whole(const Move *move) {
    for (int64_t k = 0; k < move->count; k++)
        if (fabs(move->x[k] - round(move->x[k])) > 1e-6) return false;
    return true;
}

static Status one_bound(AttackerProblem *mover, int32_t cell, bool up, double most, bool whole, Bounds *out) {
    Status status = OK;
    Move move;
    double *bound = up ? &out->up[cell] : &out->down[cell];
    if (isfinite(most) && *bound >= most) return OK;
    TRY(attacker_limit(mover, cell, up, &move));
    if (move.state == LP_UNBOUNDED) {
        *bound = INFINITY;
        return OK;
    }
    double reach = move.state == LP_OPTIMAL ? move.reach : most;
    if (move.state != LP_OPTIMAL) out->exact[cell] = 0;
    if (!whole || is_whole(&move)) {
        learn(&move, whole, out);
        *bound = whole ? round(reach) : smaller(larger(reach, 0), most);
        return OK;
    }
    if (move.state == LP_OPTIMAL && *bound >= floor(reach + 1e-6)) { /* another cell's move comes as far as any can */
        *bound = floor(reach + 1e-6);
        return OK;
    }
    bool proven;
    TRY(attacker_limit_whole(mover, cell, up, &reach, &proven));
    if (!proven) out->exact[cell] = 0;
    *bound = larger(0, floor(reach + 1e-6));
done:
    return status;
}

static Status part_bounds(Work *work, const Memberships *member, const int32_t *cells, int64_t count, const double *low, const double *high,
                          bool whole, Bounds *out) {
    Status status = OK;
    AttackerProblem *mover = NULL;
    TRY(attacker_new(work, member, cells, count, low, high, &mover));
    TRY(attacker_shorten(work, mover));
    for (int64_t i = 0; i < count; i++) {
        TRY(work_check(work));
        TRY(one_bound(mover, cells[i], true, high[cells[i]], whole, out));
        TRY(one_bound(mover, cells[i], false, low[cells[i]], whole, out));
    }
done:
    attacker_free(mover);
    return status;
}

Status bounds_make(Work *work, const Relations *r, const Memberships *member, const uint8_t *hidden, const double *low, const double *high,
                   bool whole, int64_t most, Bounds *out) {
    Status status = OK;
    Parts parts = { 0 };
    *out = (Bounds){ 0 };
    NEW(work, out->left, r->cells + 1);
    NEW(work, out->down, r->cells + 1);
    NEW(work, out->up, r->cells + 1);
    NEW(work, out->exact, r->cells + 1);
    memset(out->exact, 1, (size_t)r->cells);
    TRY(parts_make(work, r, member, hidden, &parts));
    out->components = parts.count;
    for (int32_t p = 0; p < parts.count; p++)
        if (parts.start[p + 1] - parts.start[p] > out->largest) out->largest = parts.start[p + 1] - parts.start[p];
    for (int32_t p = 0; p < parts.count; p++) {
        work_show(work, "bounds", (double)p / (double)parts.count);
        if (parts.start[p + 1] - parts.start[p] > most) {
            for (int64_t k = parts.start[p]; k < parts.start[p + 1]; k++) out->left[parts.cell[k]] = 1;
            out->lefts += parts.start[p + 1] - parts.start[p];
            continue;
        }
        TRY(part_bounds(work, member, parts.cell + parts.start[p], parts.start[p + 1] - parts.start[p], low, high, whole, out));
    }
done:
    return status;
}

/* ---- a table that agrees with what is published ---- */

typedef struct Blank {
    const Relations *r;
    const Memberships *member;
    const Parts *parts;
    double *value;
    const double *least, *most; /* most: or NULL */
    bool whole, impossible;
    int32_t *row;
} Blank;

/* −Σ of what is known in a relation, and the size of its terms. */
static double right_side(const Blank *b, int32_t relation, double *size) {
    double sum = 0;
    *size = 0;
    for (int64_t k = b->r->start[relation]; k < b->r->start[relation + 1]; k++) {
        double v = b->value[b->r->cell[k]];
        if (isnan(v)) continue;
        sum -= b->r->coefficient[k] * v;
        *size += fabs(b->r->coefficient[k] * v);
    }
    return sum;
}

/* Nodes of a search for whole numbers: fewer the larger the program. */
static int64_t whole_nodes(double size) { return (int64_t)smaller(larger(1e8 / (size + 1), 50), 20000); }

static Status fill_part(Work *work, Blank *b, int32_t p, double slack, bool *found) {
    Status status = OK;
    const int32_t *cells = b->parts->cell + b->parts->start[p];
    int64_t count = b->parts->start[p + 1] - b->parts->start[p], entries = 0;
    int32_t rows = 0, *list = NULL;
    Lp *lp = NULL;
    LpState state;
    for (int64_t i = 0; i < count; i++) entries += b->member->start[cells[i] + 1] - b->member->start[cells[i]];
    int64_t *start = NULL;
    int32_t *row = NULL;
    double *coefficient = NULL;
    NEW(work, start, count + 1);
    NEW(work, row, entries + 1);
    NEW(work, coefficient, entries + 1);
    NEW(work, list, entries + 1);
    for (int64_t i = 0, at = 0; i < count; i++) {
        for (int64_t k = b->member->start[cells[i]]; k < b->member->start[cells[i] + 1]; k++, at++) {
            int32_t relation = b->member->relation[k];
            if (!b->row[relation]) {
                b->row[relation] = rows + 1;
                list[rows++] = relation;
            }
            row[at] = b->row[relation] - 1;
            coefficient[at] = b->member->coefficient[k];
        }
        start[i + 1] = at;
    }
    TRY(lp_new(work->error, rows, (int)count, &lp));
    TRY(lp_matrix(lp, start, row, coefficient));
    for (int32_t i = 0; i < rows; i++) {
        double size, right = right_side(b, list[i], &size);
        lp_row(lp, i, right - slack * size, right + slack * size);
    }
    for (int64_t i = 0; i < count; i++) {
        lp_column(lp, (int)i, b->least[cells[i]], b->most ? b->most[cells[i]] : INFINITY);
        lp_cost(lp, (int)i, b->whole ? (double)(i % 7) : 0);
        lp_whole(lp, (int)i, b->whole);
    }
    TRY(lp_solve(lp, false, &state));
    *found = state != LP_INFEASIBLE;
    bool fractional = false;
    for (int64_t i = 0; i < count && state == LP_OPTIMAL; i++) {
        double x = lp_x(lp, (int)i);
        fractional |= fabs(x - round(x)) > 1e-6;
    }
    if (b->whole && fractional) {
        TRY(lp_solve_whole(lp, 0, whole_nodes((double)count * rows), &state));
        *found = state != LP_INFEASIBLE;
    }
    for (int64_t i = 0; i < count && state == LP_OPTIMAL; i++) {
        double x = b->whole && fractional ? lp_whole_x(lp, (int)i) : lp_x(lp, (int)i);
        b->value[cells[i]] = b->whole ? round(x) : fmax(x, b->least[cells[i]]);
    }
done:
    for (int32_t i = 0; i < rows; i++) b->row[list[i]] = 0;
    lp_free(lp);
    return status;
}

/* A blank cell alone in a relation follows; others that it leaves alone follow then. */
static void fill_known(Blank *b, bool *changed) {
    *changed = false;
    for (int64_t i = 0; i < b->r->count; i++) {
        int32_t blank = -1;
        double coefficient = 0, size;
        int blanks = 0;
        for (int64_t k = b->r->start[i]; k < b->r->start[i + 1]; k++)
            if (isnan(b->value[b->r->cell[k]])) {
                blanks++;
                blank = b->r->cell[k];
                coefficient = b->r->coefficient[k];
            }
        if (blanks != 1 || coefficient == 0) continue;
        b->value[blank] = right_side(b, (int32_t)i, &size) / coefficient;
        if (b->whole) b->value[blank] = round(b->value[blank]);
        if (b->value[blank] < b->least[blank]) {
            b->impossible |= b->value[blank] < b->least[blank] - 1e-6 * fmax(1, size);
            b->value[blank] = b->least[blank];
        }
        b->impossible |= b->most && b->value[blank] > b->most[blank] + 1e-6 * fmax(1, size);
        *changed = true;
    }
}

Status values_complete(Work *work, const Relations *r, const Memberships *member, double *value, const double *least, const double *most,
                       bool whole, int64_t largest, bool *found) {
    Status status = OK;
    Parts parts = { 0 };
    uint8_t *hidden = NULL;
    Blank b = { .r = r, .member = member, .parts = &parts, .value = value, .least = least, .most = most, .whole = whole };
    NEW(work, hidden, r->cells + 1);
    NEW(work, b.row, r->count + 1);
    for (bool changed = true; changed;) fill_known(&b, &changed);
    for (int64_t c = 0; c < r->cells; c++)
        if (isnan(value[c])) hidden[c] = 1;
    TRY(parts_make(work, r, member, hidden, &parts));
    *found = !b.impossible;
    for (int32_t p = 0; p < parts.count && *found; p++) {
        TRY(work_check(work));
        if (parts.start[p + 1] - parts.start[p] > largest) continue;
        TRY(fill_part(work, &b, p, 0, found));
        if (!*found && !whole) TRY(fill_part(work, &b, p, 1e-6, found));
    }
done:
    return status;
}
