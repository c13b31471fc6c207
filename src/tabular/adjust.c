/* Controlled tabular adjustment: the nearest table that adds up and in which every primary cell has moved by its protection (Dandekar & Cox
 * 2002; Castro 2006). */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/lp/lp.h"
#include "tabular/feasibility/interior_point.h"
#include "method/method.h"
#include "tabular/model.h"

typedef struct {
    const Table *table;
    enum { L1, L2 } norm;
    enum { UP, DOWN, EITHER } direction;
    const char *total_code;
} args;
static const Param params[] = {
    TABLE(args, table, "Table of cells in which the primary cells are marked", .flags = REQUIRED | POSITIONAL),
    CHOICE(args, norm, "l1", "Distance that is minimised: l1 = sum of |change|/value; l2 = sum of change²/value", WORDS("l1", "l2")),
    CHOICE(args, direction, "up",
           "Direction in which each primary cell moves by at least its protection level: up, down, or the direction that gives the smaller "
           "sum of |change|/value (either)",
           WORDS("up", "down", "either")),
    TEXT(args, total_code, "Total", "Code of the total in each dimension, for a table without a structure file"),
    END,
};
static const Return values[] = {
    VALUE(objective, REAL,
          "Distance to the original table: sum of |change| or change² over max(|value|, 1). 0 = unchanged; smaller is better",
          .flags = LESS),
    VALUE(moved, INTEGER, "Cells that changed", .flags = PUBLIC),
    VALUE(primary, INTEGER, "Primary cells. Each moved by at least its protection level", .flags = PUBLIC),
    VALUE(lower_bound, REAL, "With --direction either: proven lower bound of the sum of |change|/value over all choices of directions"),
    VALUE(residual, REAL, "Largest error of a sum over the changes, by rounding", .flags = PUBLIC),
    OUTPUT("The adjusted table"),
    END,
};

enum { FARTHEST = 10 }; /* with --direction either: times its protection, as far as a primary cell goes while directions are chosen */

typedef struct Adjusting {
    Run *run;
    const args *a;
    Model m;
    double *low, *high, *weight, *x;
    int32_t *cell; /* the primary ones */
    int64_t primary;
} Adjusting;

/* Zero and what is known of a primary cell leave room for what it must go, or do not. */
static bool has_room(const Model *m, int64_t i, bool up) {
    return up ? m->need_high[i] >= m->asked_high[i] * (1 - 1e-9) : m->need_low[i] >= m->asked_low[i] * (1 - 1e-9);
}

static const char *const way[] = { "up", "down", "up or down" }; /* by direction */

static Status check_room(Adjusting *j, int64_t i) {
    const int d = j->a->direction;
    if ((d != DOWN && has_room(&j->m, i, true)) || (d != UP && has_room(&j->m, i, false))) return OK;
    fail(j->run->work.error, REFUSED, "a primary cell has no room to move %s by its protection level: %s", way[d],
         model_cell_name(&j->run->work, &j->m, i));
    return error_advice(j->run->work.error, d == EITHER ? "Allow wider bounds (upper, lower), or lower its protection level."
                                                        : "Try --direction either, or wider bounds (upper, lower).");
}

/* Changed cells are all published: a count may become 0; and a primary cell moves by its largest level, whichever way it goes, unless the
 * custodian gave a level for each. */
static void set_levels(Model *m) {
    for (int64_t i = 0; i < m->cells; i++) {
        if (m->whole && m->structure.dims && m->floor[i] == 1) m->low[i] = m->value[i];
        if (m->status[i] != CELL_PRIMARY || (m->need_either[i] <= 0 && !m->rule[i])) continue;
        double level = larger_known(m->need_either[i], larger_known(m->asked_low[i], m->asked_high[i]));
        m->asked_low[i] = m->asked_high[i] = level;
        m->need_low[i] = fmin(level, m->low[i]);
        m->need_high[i] = fmin(level, m->high[i]);
    }
}

/* Where each cell can go: primary cells beyond their protection, empty and known ones nowhere. */
static Status set_ranges(Adjusting *j) {
    Status status = OK;
    Work *work = &j->run->work;
    Model *m = &j->m;
    NEW(work, j->low, m->cells + 1);
    NEW(work, j->high, m->cells + 1);
    NEW(work, j->weight, m->cells + 1);
    NEW(work, j->x, m->cells + 1);
    NEW(work, j->cell, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        if (isnan(m->value[i])) {
            fail(work->error, BAD, "a cell has no value");
            TRY(error_row(work->error, i));
        }
        bool primary = m->status[i] == CELL_PRIMARY;
        if (primary) TRY(check_room(j, i));
        j->weight[i] = 1 / larger_known(fabs(m->value[i]), 1);
        j->low[i] = primary && j->a->direction == UP ? m->need_high[i] : -m->low[i];
        j->high[i] = primary && j->a->direction == DOWN ? -m->need_low[i] : m->high[i];
        if (primary) j->cell[j->primary++] = (int32_t)i;
    }
done:
    return status;
}

static Status infeasible(Adjusting *j) {
    fail(j->run->work.error, REFUSED, "there is no additive table in which every primary cell moves %s by its protection level",
         way[j->a->direction]);
    if (j->a->direction == EITHER) return error_advice(j->run->work.error, "Allow wider bounds (upper, lower).");
    return error_advice(j->run->work.error, "Try --direction either, or wider bounds (upper, lower).");
}

/* Columns 2i up and 2i+1 down, then one of each primary cell's own. */
static Status load(Adjusting *j, Lp **out) {
    Status status = OK;
    Work *work = &j->run->work;
    const Memberships *member = &j->m.member;
    int64_t *start = NULL, entries = j->m.relations.start[j->m.relations.count], at = 0, n = j->m.cells;
    int32_t *row = NULL;
    double *coefficient = NULL;
    NEW(work, start, 2 * n + j->primary + 1);
    NEW(work, row, 2 * entries + 1);
    NEW(work, coefficient, 2 * entries + 1);
    for (int64_t c = 0; c < 2 * n; c++) {
        for (int64_t k = member->start[c / 2]; k < member->start[c / 2 + 1]; k++, at++) {
            row[at] = member->relation[k];
            coefficient[at] = c % 2 ? -member->coefficient[k] : member->coefficient[k];
        }
        start[c + 1] = at;
    }
    for (int64_t p = 0; p < j->primary; p++) start[2 * n + p + 1] = at;
    TRY(lp_new(work->error, (int)j->m.relations.count, (int)(2 * n + j->primary), out));
    TRY(lp_matrix(*out, start, row, coefficient));
    for (int64_t i = 0; i < n; i++) {
        lp_column(*out, (int)(2 * i), fmax(0, j->low[i]), fmax(0, j->high[i]));
        lp_column(*out, (int)(2 * i + 1), fmax(0, -j->high[i]), fmax(0, -j->low[i]));
        lp_cost(*out, (int)(2 * i), j->weight[i]);
        lp_cost(*out, (int)(2 * i + 1), j->weight[i]);
    }
done:
    return status;
}

static Status least_sum(Adjusting *j) {
    Status status = OK;
    Lp *lp = NULL;
    LpState state;
    TRY(load(j, &lp));
    TRY(lp_solve(lp, false, &state));
    if (state != LP_OPTIMAL) TRY(infeasible(j));
    for (int64_t i = 0; i < j->m.cells; i++) j->x[i] = lp_x(lp, (int)(2 * i)) - lp_x(lp, (int)(2 * i + 1));
done:
    lp_free(lp);
    return status;
}

/* Least squares was not found: is there no table, or has it too little room inside its bounds? */
static Status no_squares(Adjusting *j) {
    Status status = OK;
    TRY(least_sum(j));
    fail(j->run->work.error, REFUSED, "the bounds leave too little room for the method of least squares");
    TRY(error_advice(j->run->work.error, "Use --norm l1, for which a table was found, or wider bounds (upper, lower)."));
done:
    return status;
}

/* b = 1: up by its protection at the least and not down; b = 0: the other way round (Dandekar & Cox 2002, the mixed program). */
static Status tie_direction(Adjusting *j, Lp *lp, int64_t p) {
    Status status = OK;
    const int32_t i = j->cell[p], b = (int32_t)(2 * j->m.cells + p);
    const int32_t up[] = { 2 * i, b }, down[] = { 2 * i + 1, b };
    const double unit = larger_known(larger_known(j->m.need_high[i], j->m.need_low[i]), 1e-9), scale = 1 / unit;
    const double need_up = j->m.need_high[i] * scale, need_down = j->m.need_low[i] * scale;
    const double most_up = fmin(j->m.high[i] * scale, FARTHEST), most_down = fmin(j->m.low[i] * scale, FARTHEST);
    lp_column(lp, b, !has_room(&j->m, i, false), has_room(&j->m, i, true));
    lp_column(lp, 2 * i, 0, most_up * unit);
    lp_column(lp, 2 * i + 1, 0, most_down * unit);
    TRY(lp_add_row(lp, 2, up, (const double[]){ scale, -need_up }, 0, INFINITY));
    TRY(lp_add_row(lp, 2, up, (const double[]){ scale, -most_up }, -INFINITY, 0));
    TRY(lp_add_row(lp, 2, down, (const double[]){ scale, need_down }, need_down, INFINITY));
    TRY(lp_add_row(lp, 2, down, (const double[]){ scale, most_down }, -INFINITY, most_down));
    lp_whole(lp, b, true);
done:
    return status;
}

/* The directions of the least sum, by branch and bound; what is left is a program with these fixed. */
static Status choose_directions(Adjusting *j) {
    Status status = OK;
    Lp *lp = NULL;
    LpState state;
    TRY(load(j, &lp));
    for (int64_t p = 0; p < j->primary; p++) TRY(tie_direction(j, lp, p));
    TRY(lp_solve(lp, false, &state));
    if (state == LP_OPTIMAL && j->primary) TRY(lp_solve_whole(lp, 0, 5000, &state));
    if (state == LP_INFEASIBLE || (j->primary && !lp_whole_found(lp))) TRY(infeasible(j));
    for (int64_t p = 0; p < j->primary; p++) {
        int32_t i = j->cell[p];
        if (lp_whole_x(lp, (int)(2 * j->m.cells + p)) > 0.5) j->low[i] = j->m.need_high[i];
        else j->high[i] = -j->m.need_low[i];
    }
    result_real(j->run->result, "lower_bound", j->primary ? lp_whole_bound(lp) : 0);
    if (state == LP_STOPPED) result_note(j->run->result, "The search for directions ended early. Another choice may be better.");
    if (j->a->norm == L2)
        result_note(j->run->result,
                    "The directions minimise the sum of |change|/value. For the sum of squares another choice may be better.");
done:
    lp_free(lp);
    return status;
}

static Status adjusted_table(Adjusting *j, Table **out) {
    Status status = OK;
    Work *work = &j->run->work;
    Column *column = NULL;
    TRY(column_new(REAL_TYPE, j->m.measure->name, j->m.cells, &column, work->error));
    for (int64_t i = 0; i < j->m.cells; i++) column->real[i] = j->m.value[i] + j->x[i];
    TRY(model_changed(work, &j->m, column, out));
done:
    column_release(column);
    return status;
}

static void report(Adjusting *j) {
    double objective = 0, worst = 0;
    int64_t moved = 0;
    for (int64_t i = 0; i < j->m.cells; i++) {
        objective += j->weight[i] * (j->a->norm == L1 ? fabs(j->x[i]) : j->x[i] * j->x[i]);
        moved += fabs(j->x[i]) > 1e-9 * larger_known(1, fabs(j->m.value[i]));
    }
    for (int64_t r = 0; r < j->m.relations.count; r++) {
        double sum = 0;
        for (int64_t k = j->m.relations.start[r]; k < j->m.relations.start[r + 1]; k++)
            sum += j->m.relations.coefficient[k] * j->x[j->m.relations.cell[k]];
        worst = larger_known(worst, fabs(sum));
    }
    result_real(j->run->result, "objective", objective);
    result_integer(j->run->result, "moved", moved);
    result_integer(j->run->result, "primary", j->primary);
    result_real(j->run->result, "residual", worst < 1e-9 ? 0 : worst);
}

static Status adjust_run(Run *run, const void *p) {
    Status status = OK;
    Adjusting j = { .run = run, .a = p };
    Table *table = NULL;
    bool found = true;
    TRY(model_make(&run->work, j.a->table, j.a->total_code, &j.m));
    set_levels(&j.m);
    TRY(set_ranges(&j));
    TRY(model_need_sums(&run->work, &j.m));
    j.m.structure.is_protected = true;
    if (j.a->direction == EITHER) TRY(choose_directions(&j));
    if (j.a->norm == L1) TRY(least_sum(&j));
    else TRY(quadratic_least(&run->work, &j.m.relations, j.weight, j.low, j.high, j.x, &found));
    if (!found) TRY(no_squares(&j));
    report(&j);
    model_say_left_out(run->result, &j.m);
    TRY(adjusted_table(&j, &table));
    result_output(run->result, table);
done:
    return status;
}

const Method tabular_adjust = { .group = "tabular",
                                .name = "adjust",
                                .summary = "Controlled tabular adjustment (CTA): nearest additive table that protects every primary cell",
                                .source = "Dandekar & Cox 2002; Castro 2006",
                                .params = params,
                                .size = sizeof(args),
                                .run = adjust_run,
                                .values = values,
                                .traits = PERTURBS | ATTRIBUTE,
                                .headline = "-objective",
                                .example = "scrim tabular adjust examples/table.csv" };
