/* The audit: the exact interval that published tables leave for every hidden cell, for an outsider and for contributors who know their
 * own cell. Defined after Fischetti & Salazar 2001, section 2: docs/methods/tabular-audit.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "tabular/feasibility/feasibility_interval.h"
#include "tabular/feasibility/shuttle.h"
#include "method/method.h"
#include "tabular/merge.h"
#include "tabular/one_variable.h"
#include "tabular/suppress/pattern.h"
#include "tabular/unpublished_cells.h"

typedef struct {
    Tables tables;
    const Table *original;
    bool no_singletons, hide_zeros, marks_known;
    const char *total_code;
} args;
static const Param params[] = {
    TABLES(args, tables,
           "Published tables of the same data, audited together. A cell is suppressed if it is blank or its status is not open",
           .flags = REQUIRED | POSITIONAL),
    TABLE(args, original,
          "The confidential table with its primary cells and protection levels (from `tabular primary`): intervals are judged by it"),
    FLAG(args, no_singletons,
         "With --original: consider outside intruders only, not contributors, who know their own contribution to each cell"),
    FLAG(args, hide_zeros, "Suppressed cells of a table of counts may be 0. By default readers know that they are not"),
    FLAG(args, marks_known,
         "The reader distinguishes primary from secondary cells and knows the threshold: primary counts are below it, secondary counts are "
         "not"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension, for a table without a structure file"),
    END,
};
static const Return values[] = {
    VALUE(exposed, INTEGER,
          "Suppressed cells that are disclosed: exactly or, with --original, more closely than their protection level allows; with "
          "`at_least` also cells that were not proven protected. 0 = safe"),
    VALUE(exact, INTEGER,
          "Suppressed cells whose value follows exactly; with `at_least` also cells for which no second value was found. 0 = safe"),
    VALUE(hidden, INTEGER, "Hidden cells"),
    VALUE(contributors, INTEGER,
          "With --original: primary cells that were not proven protected against every contributor (who knows its contribution), or whose "
          "sum has suppressed cells that violate the rule together. 0 = safe"),
    VALUE(unproven, INTEGER,
          "Cells whose true interval may be narrower than reported: the integer search ended early, or the system is too large and each "
          "sum was evaluated alone"),
    VALUE(at_least, INTEGER, "Cells whose true interval may be wider than reported: the system is too large for exact intervals"),
    VALUE(uncompared, INTEGER,
          "Linked tables: pairs of dimensions that no table shows together and of which one may determine the other. If it does, more "
          "cells are "
          "disclosed. 0 = safe"),
    VALUE(residual, REAL, "Largest relative error of a published sum, where published cells do not add up"),
    TABLE_OUT(intervals, NULL,
              "Feasibility interval of each suppressed cell: its status, the smallest and the largest possible value, and which of these "
              "bounds are exact (column `told`: exact, at least, at most)"),
    END,
};

typedef struct Audit {
    Model m;
    UnpublishedCells unseen;
    DoubtfulPairs doubtful;
    int64_t seen; /* cells that the tables show; those that no table shows come after them */
    uint8_t *hidden;
    double *value;  /* a table that agrees with all that is published */
    bool negative;  /* cells can be negative */
    double *most;   /* what a reader of the marks knows not to be exceeded, by cell; NULL */
    uint8_t *large; /* cells for which none was found, since too many are connected: bounded by each sum alone, `value` a bound of theirs */
    int64_t larges;
    Bounds b;
} Audit;

/* Cells that are connected: up to so many in two dimensions, and in more, where programs take longer. Without the original a table that
 * agrees must be found, by one program. */
enum { LARGEST_FLAT = 20000, LARGEST_DEEP = 400, BLANK_FLAT = 30000, BLANK_DEEP = 3000 };

static int64_t largest_part(const Audit *u) { return u->m.structure.dims > 2 ? LARGEST_DEEP : LARGEST_FLAT; }
static int64_t largest_blank(const Audit *u) { return u->m.structure.dims > 2 ? BLANK_DEEP : BLANK_FLAT; }

static Status contradictory(Work *work, const Audit *u) {
    fail(work->error, BAD, "the published cells contradict each other: no table%s agrees with all of them",
         u->negative ? "" : " without negative values");
    return error_advice(work->error,
                        "Rounded or noisy tables have no exact intervals. Cells that are missing from a table count as empty.");
}

/* A reader who knows the threshold and the marks: primary counts are below it, other hidden ones are not, unless they may be empty. */
static Status read_marks(Work *work, Audit *u) {
    Status status = OK;
    Model *m = &u->m;
    const SafetyRules *rules = &m->structure.rules;
    if (!m->whole || !rules->threshold_alone) {
        fail(work->error, BAD,
             "the statuses carry no information: the table is not a table of counts that were marked by --threshold alone");
        TRY(error_parameter(work->error, "marks-known"));
    }
    NEW(work, u->most, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        bool primary = m->status[i] == CELL_PRIMARY;
        u->most[i] = u->hidden[i] && primary && i < u->seen ? (double)rules->threshold - 1 : INFINITY;
        if (u->hidden[i] && !primary && !m->structure.zeros_hidden) m->floor[i] = (double)rules->threshold;
    }
done:
    return status;
}

/* How many contributors the hidden parts of one sum have together, by the published counts; NaN where these do not say it. */
static double hidden_contributors(const Audit *u, int64_t relation, const uint8_t *empty) {
    const Relations *r = &u->m.relations;
    double count = 0;
    for (int64_t k = r->start[relation]; k < r->start[relation + 1]; k++) {
        const int32_t i = r->cell[k];
        if (u->hidden[i] && r->coefficient[k] < 0 && !empty[i]) return NAN;
        if (!u->hidden[i]) count -= r->coefficient[k] * (i < u->seen ? u->m.count[i] : NAN);
    }
    return count;
}

/* Hidden cells that nobody contributes to, by the published counts. Sums show it too, unless contributions can be negative. */
static Status bound_empty(Work *work, Audit *u) {
    Status status = OK;
    const Relations *r = &u->m.relations;
    uint8_t *empty = NULL;
    bool more = u->negative && u->m.count && u->m.structure.dims;
    if (!more) return OK;
    NEW(work, empty, u->m.cells + 1);
    while (more) {
        more = false;
        for (int64_t i = 0; i < r->count; i++) {
            if (hidden_contributors(u, i, empty) != 0) continue;
            for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) {
                const int32_t cell = r->cell[k];
                if (!u->hidden[cell] || empty[cell]) continue;
                empty[cell] = 1;
                more = true;
            }
        }
    }
    if (!u->most) {
        NEW(work, u->most, u->m.cells + 1);
        for (int64_t i = 0; i < u->m.cells; i++) u->most[i] = INFINITY;
    }
    for (int64_t i = 0; i < u->m.cells; i++)
        if (empty[i]) u->most[i] = u->m.floor[i] = 0;
done:
    return status;
}

static Status find_values(Work *work, Audit *u, bool original) {
    Status status = OK;
    double *least = NULL;
    bool found;
    Model *m = &u->m;
    NEW(work, u->value, m->cells + 1);
    NEW(work, u->large, m->cells + 1);
    NEW(work, least, m->cells + 1);
    memcpy(u->value, m->value, (size_t)m->cells * sizeof *u->value);
    u->negative = m->structure.is_signed;
    for (int64_t i = 0; i < m->cells; i++) u->negative |= m->value[i] < 0;
    TRY(bound_empty(work, u));
    for (int64_t i = 0; i < m->cells; i++) least[i] = !isnan(m->floor[i]) && i < u->seen ? m->floor[i] : u->negative ? -INFINITY : 0;
    TRY(values_complete(work, &m->relations, &m->member, u->value, least, u->most, m->whole, original ? INT64_MAX : largest_blank(u),
                        &found));
    if (!found) TRY(contradictory(work, u));
    for (int64_t i = 0; i < m->cells; i++) { /* a cell in no relation with the rest can be anything */
        bool blank = isnan(u->value[i]);
        u->large[i] = blank && m->member.start[i] < m->member.start[i + 1];
        u->larges += u->large[i];
        m->floor[i] = least[i];
        if (blank) u->value[i] = fmax(least[i], 0);
        if (!u->hidden[i]) continue;
        m->low[i] = fmax(0, u->value[i] - least[i]);
        if (u->most) m->high[i] = smaller_known(m->high[i], larger_known(0, u->most[i] - u->value[i]));
    }
    if (original && u->larges) TRY(fail(work->error, BAD, "no values were found in time for the cells that no table shows"));
done:
    return status;
}

/* Is the cell too well known? By its protection where the original tells it, else where it is known exactly. */
static bool is_exposed(const Audit *u, int64_t i, const Model *original) {
    double down = u->b.down[i], up = u->b.up[i];
    if (!original) return down + up <= (u->m.whole ? 0.5 : 1e-9 * larger_known(1, fabs(u->value[i])));
    double v = original->value[i], low = u->value[i] - down, high = u->value[i] + up, slack = 1e-6 * larger_known(1, fabs(v));
    return low > v - original->need_low[i] + slack || high < v + original->need_high[i] - slack ||
           fmax(v - low, high - v) < original->need_either[i] - slack;
}

/* A bound of every hidden cell; missing where nothing bounds it. */
static Status bound_column(Work *work, const Audit *u, const int64_t *row, int64_t count, bool upper, Column **out) {
    Status status = OK;
    TRY(column_new(REAL_TYPE, upper ? "upper" : "lower", count, out, work->error));
    TRY(column_need_valid(*out, work->error));
    for (int64_t k = 0; k < count; k++) {
        double v = u->value[row[k]], x = snap_to_zero(upper ? v + u->b.up[row[k]] : v - u->b.down[row[k]], larger_known(fabs(v), 1));
        if (isinf(x)) column_set_missing(*out, k);
        else (*out)->real[k] = x;
    }
    column_seal(*out);
done:
    return status;
}

static Status status_words(Work *work, const Audit *u, const int64_t *row, int64_t count, Column **out) {
    Status status = OK;
    const char **word = NULL;
    NEW(work, word, count + 1);
    for (int64_t k = 0; k < count; k++) word[k] = u->m.status[row[k]] == CELL_OPEN ? "hidden" : cell_status_word[u->m.status[row[k]]];
    TRY(column_text("status", word, count, out, work->error));
done:
    return status;
}

/* What each interval is: the exact one, one within it, one around it. */
static Status told_words(Work *work, const Audit *u, const int64_t *row, int64_t count, Column **out) {
    Status status = OK;
    const char **word = NULL;
    NEW(work, word, count + 1);
    for (int64_t k = 0; k < count; k++) word[k] = u->b.left[row[k]] ? "at least" : u->b.exact[row[k]] ? "exact" : "at most";
    TRY(column_text("told", word, count, out, work->error));
done:
    return status;
}

/* Sums that do not add up whatever the hidden cells are, beyond what six digits leave. */
static Status say_contradiction(Run *run, const Audit *u) {
    Status status = OK;
    Model filled = u->m;
    NEW(&run->work, filled.value, filled.cells + 1);
    for (int64_t i = 0; i < filled.cells; i++) filled.value[i] = u->large[i] ? NAN : u->value[i];
    double residual = model_residual(&filled);
    if (residual <= (u->m.whole ? 0 : 1e-5)) goto done;
    result_real(run->result, "residual", residual);
    result_note(run->result, "Sums of the published cells do not add up, as in rounded or noisy tables. Intervals that follow from "
                             "different sums contradict each other.");
done:
    return status;
}

/* Where each hidden cell stands, and its interval. */
static Status put_intervals(Run *run, const Audit *u) {
    Status status = OK;
    Work *work = &run->work;
    Column **columns = NULL;
    Table *table = NULL;
    int64_t *row = NULL, count = 0, n = 0, dims = u->m.structure.dims;
    bool exact = true;
    NEW(work, row, u->seen + 1);
    NEW(work, columns, dims + 6);
    for (int64_t i = 0; i < u->seen; i++) {
        if (!u->hidden[i]) continue;
        row[count++] = i;
        exact &= u->b.exact[i] && !u->b.left[i];
    }
    for (int64_t d = 0; d < dims; d++, n++)
        TRY(column_take(table_column(u->m.table, u->m.structure.dim[d].name), row, count, &columns[n], work->error));
    if (!dims) TRY(column_take(table_column(u->m.table, "cell"), row, count, &columns[n++], work->error));
    TRY(status_words(work, u, row, count, &columns[n++]));
    if (!exact) TRY(told_words(work, u, row, count, &columns[n++]));
    TRY(bound_column(work, u, row, count, false, &columns[n++]));
    TRY(bound_column(work, u, row, count, true, &columns[n++]));
    TRY(table_new("intervals", columns, n, count, &table, work->error));
    result_table(run->result, "intervals", table);
done:
    for (int64_t k = 0; columns && k < dims + 6; k++) column_release(columns[k]);
    return status;
}

static Status report(Run *run, const Audit *u, const Model *original) {
    Status status = OK;
    int64_t hidden = 0, exposed = 0, exact = 0, unproven = 0, at_least = 0, doubtful = 0, first = -1;
    bool marked = false;
    for (int64_t i = 0; i < u->seen; i++) marked |= u->m.status[i] == CELL_PRIMARY;
    for (int64_t i = 0; i < u->seen; i++) {
        if (!u->hidden[i]) continue;
        hidden++;
        exact += is_exposed(u, i, NULL);
        unproven += !u->b.exact[i];
        at_least += u->b.left[i];
        doubtful += u->b.left[i] && is_exposed(u, i, NULL);
        bool counts = original ? original->status[i] == CELL_PRIMARY : !marked || u->m.status[i] == CELL_PRIMARY;
        bool bad = counts && (is_exposed(u, i, original) || (original && original->foreknown[i]));
        exposed += bad;
        if (bad && first < 0) first = i;
    }
    TRY(put_intervals(run, u));
    for (int64_t i = 0; original && i < u->seen; i++)
        if (original->status[i] == CELL_PRIMARY && !u->hidden[i]) {
            exposed++;
            if (first < 0) first = i;
        }
    result_integer(run->result, "exposed", exposed);
    result_integer(run->result, "exact", exact);
    result_integer(run->result, "hidden", hidden);
    result_integer(run->result, "unproven", unproven);
    result_integer(run->result, "at_least", at_least);
    if (at_least)
        result_note(
            run->result,
            "For %lld cells the reported interval is a proven lower bound of the true interval, because the system of sums is too large.",
            (long long)at_least);
    if (doubtful)
        result_note(run->result,
                    "For %lld of these no second value was found. They count as exact, although an intruder may still be uncertain.",
                    (long long)doubtful);
    if (unproven && !u->larges)
        result_note(run->result,
                    "For %lld cells the true interval may be narrower than reported, because the integer search ended early. Their "
                    "protection is not proven.",
                    (long long)unproven);
    if (u->larges)
        result_note(
            run->result,
            "The sums connect %lld cells, too many for exact intervals, so each sum was evaluated alone. Values that follow in this way "
            "are certain. For the other cells the true interval may be narrower. Give --original to prove their protection.",
            (long long)u->larges);
    if (first >= 0)
        result_note(run->result, "Exposed: %s%s", model_cell_name(&run->work, &u->m, first),
                    exposed > 1 ? ", and others: see the intervals." : ".");
    if (!original)
        result_note(run->result, "Without --original a cell counts as disclosed only if its value follows exactly. With it, a cell counts "
                                 "as disclosed if it follows more closely than its protection level allows.");
    TRY(say_contradiction(run, u));
    one_variable_say(run, &u->m, &u->doubtful);
    if (u->unseen.kind == UNSEEN_CELLS)
        result_note(run->result, "The %lld cells of the joint table that no published table shows were taken into account%s.",
                    (long long)u->unseen.count, original ? ", but not what contributors know of their own part in these" : "");
    if (u->unseen.kind == UNSEEN_TOO_MANY)
        result_note(run->result, "No table shows all dimensions at once, and the joint table is too large. What follows through its cells "
                                 "is not seen, so true intervals may be narrower than reported.");
done:
    return status;
}

/* Rows of the original in the order of the audited table. */
static Status match_original(Work *work, const args *a, const Table *published, Table **out) {
    Status status = OK;
    Model o;
    int64_t *row = NULL;
    TRY(model_make(work, a->original, a->total_code, &o));
    if (o.cells != published->rows)
        TRY(fail(work->error, BAD, "--original has %lld cells, the published table %lld", (long long)o.cells, (long long)published->rows));
    TRY(cells_match(work, &o.structure, published, o.table, &row));
    for (int64_t i = 0; i < o.cells; i++)
        if (row[i] < 0) {
            fail(work->error, BAD, "--original lacks a cell of the published table");
            TRY(error_row(work->error, i));
        }
    TRY(table_take(a->original, row, o.cells, out, work->error));
done:
    return status;
}

/* Contributors: every demand proven with the hidden cells alone, or counted. */
static Status judge_contributors(Run *run, const Audit *u, const Model *original) {
    Status status = OK;
    Work *work = &run->work;
    Pattern pattern = { 0 };
    Contributors contributors;
    Model m;
    double *cost = NULL;
    int64_t failing = 0, exposed = 0;
    int32_t first;
    TRY(contributors_make(work, original, &contributors));
    TRY(unions_append(work, original, &contributors, &m));
    NEW(work, cost, m.cells + 1);
    for (int64_t i = 0; i < m.cells; i++) cost[i] = 1;
    TRY(pattern_make(work, &m, cost, NULL, &contributors, false, &pattern));
    memset(pattern.hidden, 1, (size_t)m.cells);
    memcpy(pattern.hidden, u->hidden, (size_t)original->cells);
    TRY(pattern_prove(&pattern, false, &failing));
    TRY(pattern_exposed(&pattern, &exposed, &first));
    result_integer(run->result, "contributors", exposed);
done:
    pattern_free(&pattern);
    return status;
}

/* The original, cell for cell as the audited table has it, unseen ones included. */
static Status open_original(Work *work, const args *a, const Audit *u, const Table *published, Table **matched, Table **longer,
                            Model *out) {
    Status status = OK;
    Structure structure;
    TRY(match_original(work, a, published, matched));
    if (u->m.structure.zeros_hidden) {
        Table *same = *matched;
        status = table_hiding_zeros(work, same, a->total_code, matched);
        table_release(same);
        TRY(status);
    }
    TRY(structure_read(work, *matched, a->total_code, &structure));
    TRY(unpublished_append(work, &u->unseen, *matched, &structure, longer));
    TRY(model_make(work, *longer, a->total_code, out));
    for (int64_t i = 0; i < u->seen; i++)
        if (u->hidden[i]) {
            u->m.value[i] = out->value[i];
            u->m.low[i] = out->low[i];
            u->m.high[i] = out->high[i];
            u->m.floor[i] = out->floor[i];
        }
done:
    return status;
}

/* The cells of the model that no table shows are hidden for good in the original too, at the values found for them. */
static void settle_original(const Audit *u, Model *original) {
    for (int64_t i = u->seen; i < u->m.cells; i++) {
        original->value[i] = u->value[i];
        original->low[i] = u->m.low[i];
        original->high[i] = INFINITY;
        original->need_low[i] = original->need_high[i] = original->need_either[i] = 0;
        original->status[i] = CELL_PRIMARY;
        original->floor[i] = u->m.floor[i];
    }
    original->seen = u->seen;
}

/* ---- parts too large for exact intervals ---- */

/* Bounds by each sum alone; where these meet, the cell follows for certain. */
static Status bound_large(Work *work, Audit *u) {
    Status status = OK;
    double *low = NULL, *high = NULL;
    bool possible;
    if (!u->larges) return OK;
    NEW(work, low, u->m.cells + 1);
    NEW(work, high, u->m.cells + 1);
    for (int64_t i = 0; i < u->m.cells; i++) {
        low[i] = u->hidden[i] ? u->m.floor[i] : u->m.value[i];
        high[i] = !u->hidden[i] ? u->m.value[i] : u->most ? u->most[i] : INFINITY;
    }
    TRY(shuttle_bounds(work, &u->m.relations, &u->m.member, u->m.whole, low, high, &possible));
    if (!possible) TRY(contradictory(work, u));
    for (int64_t i = 0; i < u->m.cells; i++) {
        if (!u->large[i]) continue;
        u->value[i] = isinf(low[i]) ? 0 : low[i];
        u->b.down[i] = u->value[i] - low[i];
        u->b.up[i] = high[i] - u->value[i];
        u->b.exact[i] = low[i] == high[i];
    }
done:
    return status;
}

/* The cells whose intervals are found otherwise. */
static Status bound_others(Work *work, Audit *u) {
    Status status = OK;
    uint8_t *hidden = NULL;
    NEW(work, hidden, u->m.cells + 1);
    for (int64_t i = 0; i < u->m.cells; i++) hidden[i] = u->hidden[i] && !u->large[i];
    TRY(bounds_make(work, &u->m.relations, &u->m.member, hidden, u->m.low, u->m.high, u->m.whole, largest_part(u), &u->b));
done:
    return status;
}

/* What must be shown where intervals are not exact: first the protection of primary cells, then of those that have not moved yet, that
 * they are not known exactly, be it that they go up or that they go down. */
typedef enum { SHOW_PROTECTION, SHOW_UP, SHOW_DOWN, SHOWS } Show;
static Status set_demands(Work *work, const Audit *u, const Model *original, Show show, Model *out, int64_t *demands) {
    Status status = OK;
    *out = u->m;
    *demands = 0;
    out->value = u->value;
    NEW(work, out->status, out->cells + 1);
    NEW(work, out->need_low, out->cells + 1);
    NEW(work, out->need_high, out->cells + 1);
    NEW(work, out->need_either, out->cells + 1);
    for (int64_t i = 0; i < out->cells; i++) {
        bool primary = original && original->status[i] == CELL_PRIMARY, still = u->b.up[i] <= 0 && u->b.down[i] <= 0;
        double some = out->whole ? 1 : 1e-3 * larger_known(fabs(u->value[i]), 1);
        bool shown = primary && u->b.up[i] >= original->need_high[i] && u->b.down[i] >= original->need_low[i] &&
                     fmax(u->b.up[i], u->b.down[i]) >= original->need_either[i];
        if (!u->b.left[i] || (show == SHOW_PROTECTION ? !primary || shown : !still)) continue;
        ++*demands;
        out->status[i] = CELL_PRIMARY;
        if (show == SHOW_PROTECTION) out->need_high[i] = original->need_high[i];
        if (show == SHOW_PROTECTION) out->need_low[i] = original->need_low[i];
        if (show == SHOW_PROTECTION) out->need_either[i] = original->need_either[i];
        if (show == SHOW_UP) out->need_high[i] = fmin(some, out->high[i]);
        if (show == SHOW_DOWN) out->need_low[i] = fmin(some, out->low[i]);
    }
done:
    return status;
}

/* Moves of hidden cells alone: each widens the intervals of the cells that it moves. */
static Status widen_by_moves(Work *work, Audit *u, const Model *original, Show show, bool near) {
    Status status = OK;
    Model m;
    Pattern pattern = { 0 };
    double *cost = NULL;
    int64_t failing, demands;
    TRY(set_demands(work, u, original, show, &m, &demands));
    if (!demands) return OK;
    NEW(work, cost, m.cells + 1);
    for (int64_t i = 0; i < m.cells; i++) cost[i] = 1;
    TRY(pattern_make(work, &m, cost, NULL, NULL, true, &pattern));
    memcpy(pattern.hidden, u->hidden, (size_t)m.cells);
    TRY(pattern_prove(&pattern, near, &failing));
    pattern_learn(&pattern, u->b.up, u->b.down);
done:
    pattern_free(&pattern);
    return status;
}

static Status audit_all(Run *run, const args *a, Audit *u, Model *original) {
    Status status = OK;
    Work *work = &run->work;
    TRY(find_values(work, u, a->original != NULL));
    TRY(bound_others(work, u));
    TRY(bound_large(work, u));
    for (int k = 0; k < 2 * SHOWS && u->b.lefts; k++) /* programs over all cells take long: only for what is left in the end */
        TRY(widen_by_moves(work, u, original, (Show)(k % SHOWS), k < SHOWS));
    if (original) settle_original(u, original);
    TRY(report(run, u, original));
    if (original && !a->no_singletons) TRY(judge_contributors(run, u, original));
done:
    return status;
}

/* Files of others, without a structure, in which no empty cell is published: hidden ones may be empty for all that a reader can tell. */
static bool shows_no_zero(const args *a, const Table *table) {
    for (int64_t t = 0; t < a->tables.count; t++)
        if (a->tables.at[t]->structure) return false;
    const Column *count = table_column(table, "count"), *status = table_column(table, "status");
    char number[33];
    for (int64_t i = 0; count && column_numeric(count) && i < table->rows; i++) {
        const char *mark = status ? column_cell(status, i, number) : NULL;
        if (!column_missing(count, i) && column_number(count, i) == 0 && (!mark || !strcmp(mark, "open"))) return false;
    }
    return true;
}

static Status audit_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    Audit u = { 0 };
    Table *joined = NULL, *merged = NULL, *whole = NULL, *matched = NULL, *longer = NULL;
    Model original;
    TRY(tables_merge(work, &a->tables, a->total_code, &joined));
    if (a->hide_zeros || shows_no_zero(a, joined)) TRY(table_hiding_zeros(work, joined, a->total_code, &merged));
    else merged = table_retain(joined);
    TRY(model_make(work, merged, a->total_code, &u.m));
    TRY(one_variable_find(work, &u.m, &u.doubtful));
    u.seen = u.m.cells;
    TRY(unpublished_find(work, &u.m, &u.unseen));
    TRY(unpublished_append(work, &u.unseen, merged, &u.m.structure, &whole));
    if (u.unseen.count) TRY(model_make(work, whole, a->total_code, &u.m));
    NEW(work, u.hidden, u.m.cells + 1);
    for (int64_t i = 0; i < u.m.cells; i++) u.hidden[i] = u.m.status[i] != CELL_OPEN || isnan(u.m.value[i]);
    if (a->original) TRY(open_original(work, a, &u, merged, &matched, &longer, &original));
    if (a->marks_known) TRY(read_marks(work, &u));
    TRY(audit_all(run, a, &u, a->original ? &original : NULL));
done:
    table_release(joined);
    table_release(merged);
    table_release(whole);
    table_release(matched);
    table_release(longer);
    return status;
}

const Method tabular_audit = { .group = "tabular",
                               .name = "audit",
                               .summary =
                                   "Feasibility intervals (disclosure audit): range of every suppressed cell, given the published tables",
                               .source = "Fischetti & Salazar 2001, section 2",
                               .params = params,
                               .size = sizeof(args),
                               .run = audit_run,
                               .values = values,
                               .traits = ATTRIBUTE | UNAUDITED,
                               .headline = "-exposed",
                               .example = "scrim tabular audit examples/table.csv" };
