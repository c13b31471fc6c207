/* Complementary suppression: further cells hidden until no primary cell can be computed more closely than its protection allows. Defined
 * after Fischetti & Salazar 2001; Kelly, Golden & Assad 1992: docs/methods/tabular-suppress.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "method/method.h"
#include "tabular/one_variable.h"
#include "tabular/suppress/optimal.h"
#include "tabular/unpublished_cells.h"

typedef struct {
    const Table *table;
    enum { OPTIMAL, HEURISTIC } method;
    enum { BY_VALUE, BY_COUNT, BY_ONE, BY_LOG } cost;
    double time_limit;
    const Table *keep, *previous;
    bool no_singletons, hide_zeros, skip_impossible, quick;
    const char *total_code;
} args;

static const Param params[] = {
    TABLE(args, table, "Table of cells in which the primary cells are marked", .flags = REQUIRED | POSITIONAL),
    CHOICE(args, method, "heuristic", "optimal: the pattern of lowest cost, with proof; heuristic: a good pattern, for large tables",
           WORDS("optimal", "heuristic")),
    CHOICE(args, cost, "value", "Cost of suppressing a cell: its value, its number of contributors, 1, or the logarithm of its value",
           WORDS("value", "count", "one", "log")),
    REAL(args, time_limit, NAN, 0, INFINITY, "Seconds after which optimal returns the best pattern found so far, with its gap",
         .flags = EXCLUSIVE),
    TABLE(args, keep, "Cells that must be published: a table with the same dimensions (or column cell)"),
    TABLE(args, previous,
          "Earlier edition of the table with its status: cells suppressed there cost a tenth, so that patterns stay similar"),
    FLAG(args, no_singletons,
         "Protect against outside intruders only, not against contributors, who know their own contribution to each cell"),
    FLAG(args, hide_zeros, "Empty cells may be suppressed too; otherwise readers know that a suppressed cell is not empty"),
    FLAG(args, skip_impossible, "If a primary cell cannot be protected, list it and protect the others (refused by default)"),
    FLAG(args, quick,
         "Use the first feasible pattern without improvement (hypercube method where possible). Large tables of three or more dimensions "
         "always use it"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension, for a table without a structure file"),
    END,
};
static const Return values[] = {
    VALUE(primary, INTEGER, "Primary cells"),
    VALUE(secondary, INTEGER, "Secondary suppressions"),
    VALUE(cost, REAL, "Total cost of the secondary suppressions; smaller = more utility"),
    VALUE(lower_bound, REAL,
          "Proven lower bound of the cost of any safe pattern. Empty cells are published in all of them unless --hide-zeros is given"),
    VALUE(gap, REAL, "(cost − lower_bound) / cost: 0 = proven optimal"),
    VALUE(uncompared, INTEGER,
          "Linked tables: pairs of dimensions that no table shows together and of which one may determine the other. If it does, more "
          "cells are "
          "disclosed. 0 = safe"),
    VALUE(exposed, INTEGER,
          "Primary cells without proof of protection. 0 = safe. The value excludes cells that their bounds `lower` and `upper` already "
          "disclose, and counts those of --skip-impossible"),
    TABLE_OUT(levels, "totals:integer cells:integer primary:integer secondary:integer value_lost:real",
              "Suppressed cells and value, by the number of dimensions of the cell that are totals"),
    TABLE_OUT(impossible, "cell:text", "With --skip-impossible: primary cells that could not be protected"),
    OUTPUT("The data custodian's table: suppressed cells are blank, `status` says primary or secondary, `protects` lists the primary cells "
           "that a secondary one protects. `tabular export` makes the table for publication",
           .flags = KEEPERS),
    END,
};

static Status costs(Work *work, const args *a, const Model *m, double **out) {
    Status status = OK;
    if (a->cost == BY_COUNT && !m->count) {
        fail(work->error, BAD, "the table has no column 'count'");
        TRY(error_parameter(work->error, "cost"));
    }
    NEW(work, *out, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        double v = fabs(m->value[i]);
        double c = a->cost == BY_VALUE ? v : a->cost == BY_COUNT ? m->count[i] : a->cost == BY_LOG ? log1p(v) : 1;
        (*out)[i] = isnan(c) || c <= 0 ? 1 : c;
    }
done:
    return status;
}

/* Cells of the table that another one with the same dimensions names. */
static Status match_cells(Work *work, const Model *m, const Table *other, const char *parameter, uint8_t **out) {
    Status status = OK;
    int64_t *row;
    NEW(work, *out, m->cells + 1);
    status = cells_match(work, &m->structure, m->table, other, &row);
    if (status) {
        error_parameter(work->error, parameter);
        goto done;
    }
    for (int64_t i = 0; i < m->cells; i++) (*out)[i] = row[i] >= 0;
done:
    return status;
}

/* Cells that were hidden before are hidden again more readily: a tenth of the cost. Codes that are gone since then tell nothing. */
static Status prefer_previous(Work *work, const args *a, const Model *m, double *cost) {
    Status status = OK;
    uint8_t *known = NULL, *again = NULL;
    int64_t *row = NULL, rows = 0;
    Table *hidden = NULL;
    const Column *column;
    char number[33];
    if (!a->previous) return OK;
    TRY(table_need(a->previous, "status", &column, work->error));
    status = structure_knows(work, &m->structure, a->previous, &known);
    if (status) {
        error_parameter(work->error, "previous");
        goto done;
    }
    NEW(work, row, a->previous->rows + 1);
    for (int64_t i = 0; i < a->previous->rows; i++) {
        const char *s = column_cell(column, i, number);
        if (known[i] && s && strcmp(s, "open")) row[rows++] = i;
    }
    TRY(table_take(a->previous, row, rows, &hidden, work->error));
    TRY(match_cells(work, m, hidden, "previous", &again));
    for (int64_t i = 0; i < m->cells; i++)
        if (again[i]) cost[i] /= 10;
done:
    table_release(hidden);
    return status;
}

static Status check_values(Work *work, const Model *m) {
    for (int64_t i = 0; i < m->cells; i++)
        if (isnan(m->value[i])) {
            fail(work->error, BAD, "a cell has no value: the confidential table is needed, not a published one");
            return error_row(work->error, i);
        }
    return OK;
}

enum { LEAST_TURNS = 20 }; /* of branching in the search that follows the heuristic */

static Status find_pattern(Run *run, const args *a, Pattern *pattern, double *lower) {
    Status status = OK;
    *lower = 0;
    TRY(pattern_protect(pattern));
    TRY(pattern_improve(pattern, 3));
    double size = (double)pattern->demands * (double)pattern->movables + 1;
    if (a->method == OPTIMAL) TRY(pattern_search(pattern, isnan(a->time_limit) ? 0 : a->time_limit, 0, lower));
    else if (!pattern->large &&
             !a->quick) /* a bounded search costs little in small tables, and gives large ones a bound that means something */
        TRY(pattern_search(pattern, 0, (int64_t)smaller(larger(1e6 / size, LEAST_TURNS), 100), lower));
    TRY(pattern_open_unused(pattern));
    int32_t first;
    int64_t exposed;
    TRY(pattern_exposed(pattern, &exposed, &first));
    if (exposed && !pattern->skip) {
        fail(run->work.error, REFUSED, "%lld primary cells could not be proven safe, the first of them %s. No table was written.",
             (long long)exposed, model_cell_name(&run->work, pattern->m, first));
        TRY(REFUSED);
    }
done:
    return status;
}

/* What the proof is of, where the tables are linked. */
typedef struct Proven {
    UnpublishedCells unseen;
    bool named; /* the table says who its contributors are */
    bool reals; /* whole numbers were not enough: the proof is of real ones */
} Proven;

static void say_unseen(Run *run, const Proven *by) {
    if (by->unseen.kind == UNSEEN_CELLS)
        result_note(
            run->result,
            "The %lld cells of the joint table that no published table shows are part of the proof. What a contributor knows of its "
            "own part in these cells is not.",
            (long long)by->unseen.count);
    if (by->reals)
        result_note(run->result,
                    "The proof does not use that counts are whole numbers. An intruder who does may obtain narrower intervals.");
    if (by->unseen.kind == UNSEEN_TOO_MANY)
        result_note(run->result, "The proof covers the cells and sums of these tables. No table shows all dimensions at once, and the "
                                 "joint table is too large to consider.");
}

/* What is lost, by how coarse the cell is. */
static Status report_levels(Run *run, const Model *m, const Pattern *pattern) {
    Status status = OK;
    int32_t **at;
    int64_t dims = m->structure.dims;
    int64_t cells[17] = { 0 }, primary[17] = { 0 }, secondary[17] = { 0 };
    double value[17] = { 0 }, lost[17] = { 0 };
    TRY(structure_places(&run->work, &m->structure, m->table, &at));
    for (int64_t i = 0; i < m->cells; i++) {
        int totals = 0;
        for (int64_t d = 0; d < dims; d++) totals += !strcmp(m->structure.dim[d].code[at[d][i]], m->structure.total);
        cells[totals]++;
        value[totals] += fabs(m->value[i]);
        primary[totals] += m->status[i] == CELL_PRIMARY;
        secondary[totals] += pattern->hidden[i] && m->status[i] != CELL_PRIMARY;
        if (pattern->hidden[i]) lost[totals] += fabs(m->value[i]);
    }
    Grid *grid = grid_new(run->result, "levels", "totals:integer cells:integer primary:integer secondary:integer value_lost:real");
    for (int64_t d = 0; d <= dims; d++) {
        if (!cells[d]) continue;
        grid_integer(grid, d);
        grid_integer(grid, cells[d]);
        grid_integer(grid, primary[d]);
        grid_integer(grid, secondary[d]);
        grid_real(grid, value[d] > 0 ? lost[d] / value[d] : 0);
    }
    grid_done(grid);
done:
    return status;
}

static void report_skipped(Run *run, const Model *m, const Pattern *pattern, int64_t skipped) {
    if (!skipped) return;
    Grid *grid = grid_new(run->result, "impossible", "cell:text");
    for (int64_t i = 0; i < m->cells; i++)
        if (pattern->skipped[i]) grid_text(grid, model_cell_name(&run->work, m, i));
    grid_done(grid);
    result_note(run->result,
                "%lld primary cells cannot be protected by any suppression (--skip-impossible). Merge the cells around them before you "
                "publish the table.",
                (long long)skipped);
}

enum { MOST_NAMED = 3 };

/* Why each secondary cell is hidden: the primary cells in whose proofs it moves; none where cells of a sum are safe together by it. */
static Status reason_text(Work *work, const Model *m, Pattern *pattern, int32_t cell, const char **out) {
    Status status = OK;
    Buffer text = { 0 };
    int64_t found = 0;
    pattern->seen++;
    const List *users = &pattern->users[cell];
    for (int64_t u = 0; u < users->count; u++) {
        const Demand *d = &pattern->demand[users->at[u]];
        bool moves = false;
        for (int32_t i = 0; i < d->proofs && !moves; i++) {
            const Proof *p = &pattern->proof[d->proof[i]];
            for (int32_t k = 0; k < p->count && !moves; k++) moves = proof_cell(pattern, p, k) == cell;
        }
        if (!moves || pattern->seen_cell[d->cell] == pattern->seen || d->cell >= m->cells) continue;
        pattern->seen_cell[d->cell] = pattern->seen;
        if (found++ < MOST_NAMED) buffer_print(&text, "%s%s", text.count ? "; " : "", model_cell_name(work, m, d->cell));
    }
    if (found > MOST_NAMED) buffer_print(&text, "; and %lld more", (long long)(found - MOST_NAMED));
    *out = arena_text(work->arena, found ? buffer_get(&text) : "suppressed cells of one sum, taken together");
    if (!*out) status = out_of_memory(work->error);
    buffer_free(&text);
    return status;
}

static Status reasons_column(Work *work, const Model *m, Pattern *pattern, const uint8_t *at, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++)
        if (at[i] == CELL_SECONDARY) TRY(reason_text(work, m, pattern, (int32_t)i, &cells[i]));
    TRY(column_text("protects", cells, m->cells, out, work->error));
done:
    return status;
}

/* `m`: the cells that are published; the pattern may have more, which no table shows, after them. */
static Status give_out(Run *run, const args *a, const Model *m, const Proven *by, Pattern *pattern, const double *cost, double lower) {
    Status status = OK;
    Table *table = NULL, *bare = NULL;
    Column *reasons = NULL;
    uint8_t *at = NULL;
    int64_t secondary = 0, primary = 0, foreknown = 0, skipped = 0;
    double total = 0;
    NEW(&run->work, at, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        primary += m->status[i] == CELL_PRIMARY;
        at[i] = m->status[i] == CELL_PRIMARY ? CELL_PRIMARY : pattern->hidden[i] ? CELL_SECONDARY : CELL_OPEN;
        secondary += at[i] == CELL_SECONDARY;
        if (at[i] == CELL_SECONDARY) total += cost[i];
        foreknown += m->foreknown[i] && !pattern->skipped[i];
        skipped += pattern->skipped[i];
    }
    result_integer(run->result, "primary", primary);
    result_integer(run->result, "secondary", secondary);
    result_real(run->result, "cost", total);
    result_real(run->result, "lower_bound", fmin(lower, total));
    result_real(run->result, "gap", total > 0 ? fmax(0, (total - lower) / total) : 0);
    result_integer(run->result, "exposed", foreknown + skipped);
    report_skipped(run, m, pattern, skipped);
    TRY(report_levels(run, m, pattern));
    if (foreknown)
        result_note(run->result,
                    "For %lld primary cells the known bounds 'lower' and 'upper' disclose more than the protection level allows, and no "
                    "suppression can prevent that. Between these bounds their protection was proven.",
                    (long long)foreknown);
    result_note(run->result, "Every %sprimary cell has a feasibility interval that satisfies its protection level, for %s.",
                foreknown || skipped ? "other " : "",
                a->no_singletons ? "outside intruders only (--no-singletons)"
                                 : "outside intruders and for every contributor, who knows its own contribution to each cell");
    if (!a->no_singletons && m->count && !by->named && !m->whole)
        result_note(run->result, "The table does not name the largest contributors (by1, by2, …), so only contributors who are alone in a "
                                 "cell were considered. `tabular build` writes them.");
    say_unseen(run, by);
    if (a->previous)
        result_note(run->result, "In cost, lower_bound and gap a cell that was suppressed in the earlier edition counts a tenth.");
    if (a->method == OPTIMAL && total > lower * (1 + 1e-9))
        result_note(run->result, "The time limit was reached before the pattern was proven optimal.");
    model_say_left_out(run->result, m);
    TRY(model_table(&run->work, m, at, true, &bare));
    TRY(reasons_column(&run->work, m, pattern, at, &reasons));
    TRY(table_with(bare, &reasons, 1, &table, run->work.error));
    if (!table->structure) TRY(structure_keep(&run->work, &m->structure, table));
    result_output(run->result, table);
done:
    column_release(reasons);
    table_release(bare);
    return status;
}

/* The model that is proven: the table's own cells, and after them those that no table shows. */
static Status prove_on(Work *work, const args *a, const Model *m, Proven *by, Table **whole, Model *out) {
    Status status = OK;
    bool found;
    TRY(unpublished_find(work, m, &by->unseen));
    TRY(unpublished_append(work, &by->unseen, m->table, &m->structure, whole));
    if (!by->unseen.count) {
        *out = *m;
        goto done;
    }
    TRY(model_make(work, *whole, a->total_code, out));
    TRY(unpublished_finish(work, out, m->cells, &found));
    if (!found) {
        fail(work->error, BAD, "the linked tables contradict each other: no joint table has them as margins");
        TRY(error_advice(work->error, "Tables of the same data agree; rounded or noisy ones need not."));
    }
done:
    return status;
}

/* What the pattern borrows: the cells, those that stand for several included, and the contributors. */
typedef struct Borrowed {
    Model m;
    Contributors contributors;
} Borrowed;

static Status find_on(Run *run, const args *a, const Model *of, int64_t seen, Borrowed *b, Proven *by, Pattern *pattern, double **cost,
                      double *lower) {
    Status status = OK;
    Work *work = &run->work;
    uint8_t *keep = NULL, *keep_all = NULL;
    Model *m = &b->m;
    *m = *of;
    if (!a->no_singletons) {
        TRY(contributors_make(work, of, &b->contributors));
        TRY(unions_append(work, of, &b->contributors, m));
        by->named = b->contributors.named;
    }
    TRY(costs(work, a, m, cost));
    for (int64_t i = seen; i < m->cells; i++) (*cost)[i] = 0;
    if (a->keep) TRY(match_cells(work, of, a->keep, "keep", &keep));
    if (keep) {
        NEW(work, keep_all, m->cells + 1);
        memcpy(keep_all, keep, (size_t)of->cells);
    }
    TRY(prefer_previous(work, a, of, *cost));
    TRY(pattern_make(work, m, *cost, keep_all, a->no_singletons ? NULL : &b->contributors, a->quick && a->method == HEURISTIC, pattern));
    pattern->skip = a->skip_impossible;
    TRY(find_pattern(run, a, pattern, lower));
done:
    return status;
}

static Status open_table(Run *run, const args *a, Table **table, Model *m) {
    Status status = OK;
    DoubtfulPairs doubtful;
    Work *work = &run->work;
    if (a->hide_zeros) TRY(table_hiding_zeros(work, a->table, a->total_code, table));
    else *table = table_retain(a->table);
    TRY(model_make(work, *table, a->total_code, m));
    TRY(check_values(work, m));
    TRY(model_need_sums(work, m));
    TRY(one_variable_find(work, m, &doubtful));
    one_variable_say(run, m, &doubtful);
    m->structure.is_protected = true; /* of what is given out */
done:
    return status;
}

static Status suppress_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    Model m, proven;
    Pattern pattern = { 0 };
    Proven by = { 0 };
    Borrowed borrowed;
    Table *whole = NULL, *table = NULL;
    double *cost, lower;
    const Error before = *work->error;
    if (a->quick && a->method == OPTIMAL) {
        fail(work->error, BAD, "the optimum is not found quickly");
        TRY(error_parameter(work->error, "quick"));
    }
    TRY(open_table(run, a, &table, &m));
    TRY(prove_on(work, a, &m, &by, &whole, &proven));
    status = find_on(run, a, &proven, m.cells, &borrowed, &by, &pattern, &cost, &lower);
    if (status == REFUSED && by.unseen.count && proven.whole) { /* sums over three dimensions have no whole moves for every real one */
        *work->error = before;
        pattern_free(&pattern);
        proven.whole = false;
        by.reals = true;
        status = find_on(run, a, &proven, m.cells, &borrowed, &by, &pattern, &cost, &lower);
    }
    TRY(status);
    TRY(give_out(run, a, &m, &by, &pattern, cost, lower));
done:
    pattern_free(&pattern);
    table_release(whole);
    table_release(table);
    return status;
}

const Method tabular_suppress = { .group = "tabular",
                                  .name = "suppress",
                                  .summary =
                                      "Secondary suppression (complementary cell suppression): protect the primary cells at least cost",
                                  .source = "Fischetti & Salazar 2001; Kelly, Golden & Assad 1992",
                                  .params = params,
                                  .size = sizeof(args),
                                  .run = suppress_run,
                                  .values = values,
                                  .traits = ATTRIBUTE | UNAUDITED,
                                  .headline = "-cost",
                                  .example = "scrim tabular suppress examples/table.csv" };
