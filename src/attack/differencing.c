/* Differencing: what published tables give away by subtraction. Defined after Denning & Schlörer 1983:
 * docs/methods/attack-differencing.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "method/method.h"
#include "table/group.h"
#include "classes/joint_codes.h"
#include "table/cell_structure.h"

typedef struct {
    Tables tables;
    const char *count, *value, *total_code;
    int64_t threshold;
    double sd, certainty;
} args;
static const Param params[] = {
    TABLES(args, tables, "Published tables, one row per cell: a column per dimension, then the count (and value)",
           .flags = REQUIRED | POSITIONAL),
    TEXT(args, count, "count", "Column of the count; empty where it was suppressed"),
    TEXT(args, value, "value", "Column of the magnitude, if there is one"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension in a dimension"),
    INT(args, threshold, 1, 1, 1000000, "A difference of at most this many people discloses them"),
    REAL(args, sd, 0, 0, INFINITY, "Standard deviation of the noise in each count (0 = exact counts)"),
    REAL(args, certainty, 0.95, 0.5, 1, "With noise: required probability that the difference is from 1 to --threshold people"),
    END,
};
static const Return values[] = {
    VALUE(exposed, INTEGER, "Cells that subtraction discloses. 0 = safe", .flags = PUBLIC),
    VALUE(people, REAL, "People in these cells", .flags = PUBLIC),
    VALUE(recovered, INTEGER, "Suppressed cells among them whose count follows", .flags = PUBLIC),
    VALUE(baseline, INTEGER, "Cells that already show so few people in a single table", .flags = PUBLIC),
    VALUE(gain, REAL, "Cells disclosed by subtraction only; with noise, their expected number. Smaller is safer", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain; without noise the gain is exact", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    TABLE_OUT(cells, "table1:text table2:text cell:text difference:real value:real how:text",
              "Each disclosed cell: the tables, the cell, the difference"),
    TABLE_OUT(intervals, NULL, "For tables with a structure: feasibility interval of each suppressed cell, from all tables together"),
    END,
};

/* A group's cells in one table, and what its own margin says of them. */
typedef struct Part {
    double sum, worth;
    int64_t unknown, cells, first;
    bool has_margin;
    double margin, margin_worth;
} Part;
/* A table summed over the dimensions that the other lacks, by group (numbered alike in both). */
typedef struct Side {
    const Table *table;
    const Column *count, *value;
    Columns dims;
    int64_t summed;  /* dimensions that the other lacks */
    uint8_t *within; /* by row: it stands at a subtotal of one of these; NULL where the table has none */
    Part *part;
} Side;

static bool is_dimension(const args *a, const Column *column) {
    return !structure_reserved(column->name) && strcmp(column->name, a->count) && strcmp(column->name, a->value);
}

static bool is_kept(const Side *s, const Column *column) {
    for (int64_t k = 0; k < s->dims.count; k++)
        if (s->dims.at[k] == column) return true;
    return false;
}

/* At how many of the dimensions that are summed over does the cell stand at the total? Such cells would count twice; one that does so in
 * all is the sum itself. */
static int64_t margins(const args *a, const Side *s, int64_t row) {
    char number[33];
    int64_t count = 0;
    for (int64_t j = 0; j < s->table->columns; j++) {
        const Column *column = s->table->column[j];
        if (is_dimension(a, column) && !is_kept(s, column)) count += same_text(column_cell(column, row, number), a->total_code);
    }
    return count;
}

/* Of a dimension with subtotals: the codes that add up to its totals, each once, though a code be the sum of others in several ways. */
static Status finest(Work *work, const Dimension *dim, uint8_t **out) {
    Status status = OK;
    int32_t *queue = NULL, end = 0;
    int64_t *first = NULL;
    uint8_t *seen = NULL;
    NEW(work, queue, dim->codes + 1);
    NEW(work, first, dim->codes + 1);
    NEW(work, seen, dim->codes + 1);
    NEW(work, *out, dim->codes + 1);
    for (int64_t k = dim->sums; k-- > 0;) {
        first[dim->sum[k].total] = k + 1;
        for (int32_t i = 0; i < dim->sum[k].count; i++) seen[dim->sum[k].part[i]] = 1;
    }
    for (int32_t c = 0; c < dim->codes; c++)
        if (!seen[c]) queue[end++] = c;
    for (int32_t at = 0; at < end; at++) {
        const Sum *sum = first[queue[at]] ? &dim->sum[first[queue[at]] - 1] : NULL;
        (*out)[queue[at]] = !sum;
        for (int32_t i = 0; sum && i < sum->count; i++)
            if (seen[sum->part[i]]++ == 1) queue[end++] = sum->part[i];
    }
done:
    return status;
}

/* Subtotals of dimensions that are summed over would count twice, too; the table's structure tells them. */
static Status find_subtotals(Run *run, const args *a, Side *s) {
    Status status = OK;
    Work *work = &run->work;
    Structure structure;
    int32_t **place = NULL;
    uint8_t *fine = NULL;
    if (!s->table->structure || !s->summed) return OK;
    TRY(structure_read(work, s->table, a->total_code, &structure));
    TRY(structure_places(work, &structure, s->table, &place));
    NEW(work, s->within, s->table->rows + 1);
    for (int64_t d = 0; d < structure.dims; d++) {
        if (is_kept(s, table_column(s->table, structure.dim[d].name))) continue;
        TRY(finest(work, &structure.dim[d], &fine));
        for (int64_t i = 0; i < s->table->rows; i++) s->within[i] |= !fine[place[d][i]];
    }
done:
    return status;
}

static Status sum_up(Run *run, const args *a, Side *s, const int32_t *of, int64_t groups) {
    Status status = OK;
    NEW(&run->work, s->part, groups + 1);
    for (int64_t j = 0; j < s->table->columns; j++) s->summed += is_dimension(a, s->table->column[j]) && !is_kept(s, s->table->column[j]);
    TRY(find_subtotals(run, a, s));
    for (int64_t i = s->table->rows - 1; i >= 0; i--) {
        Part *p = &s->part[of[i]];
        int64_t totals = margins(a, s, i);
        bool known = !column_missing(s->count, i);
        double n = known ? column_number(s->count, i) : 0;
        double x = !s->value || !known ? 0 : column_missing(s->value, i) ? NAN : column_number(s->value, i);
        bool part = !totals && !(s->within && s->within[i]);
        if (part || (totals == s->summed && known)) p->first = i;
        if (totals && totals == s->summed && known) {
            p->has_margin = true;
            p->margin = n;
            p->margin_worth = x;
        }
        if (!part) continue;
        p->cells++;
        p->unknown += !known;
        p->sum += n;
        p->worth += x;
    }
done:
    return status;
}

/* Cells of both tables grouped by their common dimensions: one's rows first, then two's. */
static Status group_both(Run *run, const Side *one, const Side *two, Grouping *out) {
    Status status = OK;
    Codes *codes = NULL;
    int64_t first = one->table->rows, rows = first + two->table->rows;
    NEW(&run->work, codes, one->dims.count + 1);
    for (int64_t j = 0; j < one->dims.count; j++) {
        JointCodes joint;
        int32_t *at = NULL;
        TRY(joint_codes(&run->work, one->dims.at[j], two->dims.at[j], 0, 0, &joint));
        NEW(&run->work, at, rows + 1);
        memcpy(at, joint.at[0], (size_t)first * sizeof *at);
        memcpy(at + first, joint.at[1], (size_t)(rows - first) * sizeof *at);
        codes[j] = (Codes){ .count = joint.count, .at = at };
    }
    TRY(group_codes(&run->work, codes, one->dims.count, rows, out));
done:
    return status;
}

/* The dimensions that both tables have, in the same order. */
static Status common(Run *run, const args *a, Side *one, Side *two) {
    Status status = OK;
    NEW(&run->work, one->dims.at, one->table->columns + 1);
    NEW(&run->work, two->dims.at, one->table->columns + 1);
    for (int64_t j = 0; j < one->table->columns; j++) {
        const Column *mine = one->table->column[j], *theirs = table_column(two->table, mine->name);
        if (!is_dimension(a, mine) || !theirs) continue;
        one->dims.at[one->dims.count++] = mine;
        two->dims.at[two->dims.count++] = theirs;
    }
    Side *side[] = { one, two };
    for (int t = 0; t < 2; t++) {
        TRY(table_need(side[t]->table, a->count, &side[t]->count, run->work.error));
        side[t]->value = table_column(side[t]->table, a->value);
        const Column *number[] = { side[t]->count, side[t]->value };
        for (int k = 0; k < 2; k++)
            if (number[k] && !column_numeric(number[k]) && number[k]->missing < number[k]->rows) {
                fail(run->work.error, BAD, k ? "values must be numbers" : "counts must be numbers");
                TRY(error_column(run->work.error, number[k]->name));
            }
    }
done:
    return status;
}

static const char *cell_name(Run *run, const Side *s, int64_t row) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t j = 0; j < s->dims.count; j++) {
        const char *cell = column_cell(s->dims.at[j], row, number);
        buffer_print(&text, "%s%s=%s", j ? ", " : "", s->dims.at[j]->name, cell ? cell : "");
    }
    const char *copy = arena_text(run->work.arena, s->dims.count ? buffer_get(&text) : "all");
    buffer_free(&text);
    return copy;
}

static double normal_weight(double x, double variance) { return exp(-x * x / (2 * variance)); }

/* The posterior of a whole difference under a flat prior and noise of this variance: Pr(1 ≤ |D| ≤ threshold | d). */
static double small_probability(const args *a, double d, double variance) {
    static const double LONG = 1e6; /* terms: from there on their sum is the integral, to the last digit */
    double sum = 0, small = 0, reach = 12 * sqrt(variance / 2) + (double)a->threshold + 1;
    for (double k = floor(d - reach); k <= ceil(d + reach) && reach < LONG; k++) {
        double weight = normal_weight(d - k, variance);
        sum += weight;
        if (fabs(k) >= 1 && fabs(k) <= (double)a->threshold) small += weight;
    }
    for (int64_t k = 1; k <= a->threshold && reach >= LONG; k++)
        small += normal_weight(d - (double)k, variance) + normal_weight(d + (double)k, variance);
    if (reach >= LONG) sum = sqrt(2 * M_PI * variance);
    return sum > 0 ? small / sum : 0;
}

typedef struct Found {
    int64_t exposed, recovered;
    double people, expected, variance;
    Grid *grid;
} Found;
/* What a pair of tables shows of a group: their difference, or one suppressed cell. */
typedef struct Shown {
    double difference, worth, sure;
    bool recovered;
    int64_t s, t;
    const char *cell;
} Shown;

static void note_shown(const args *a, const Shown *x, Found *found) {
    found->expected += x->sure;
    found->variance += x->sure * (1 - x->sure);
    found->exposed++;
    found->recovered += x->recovered;
    found->people += fabs(round(x->difference));
    grid_text(found->grid, a->tables.name[x->s]);
    grid_text(found->grid, a->tables.name[x->t]);
    grid_text(found->grid, x->cell);
    grid_real(found->grid, x->difference);
    grid_real(found->grid, x->worth);
    grid_text(found->grid, x->recovered ? "suppressed cell recovered" : "few people");
}

static bool is_known(const Part *p) { return p->has_margin || (p->cells && !p->unknown); }
static double total_of(const Part *p) { return p->has_margin ? p->margin : p->sum; }

/* Few people between two sums that are both known. The difference to nothing is the other cell, which shows itself. */
static bool few_people(const args *a, const Part *one, const Part *two, Shown *out) {
    double d = total_of(one) - total_of(two);
    double counts = (one->has_margin ? 1 : (double)one->cells) + (two->has_margin ? 1 : (double)two->cells);
    if (!is_known(one) || !is_known(two) || total_of(one) == 0 || total_of(two) == 0) return false;
    out->difference = d;
    out->worth = (one->has_margin ? one->margin_worth : one->worth) - (two->has_margin ? two->margin_worth : two->worth);
    out->sure = a->sd > 0 ? small_probability(a, d, counts * a->sd * a->sd) : fabs(d) >= 1 && fabs(d) <= (double)a->threshold;
    return out->sure >= (a->sd > 0 ? a->certainty : 1);
}

/* One suppressed cell in a group of which the other table has the sum. Not where its own table has another sum, or more than that in the
 * cells that it shows: the two are then not of the same people. */
static bool recovers(const args *a, const Part *of, const Part *by) {
    return a->sd == 0 && of->unknown == 1 && is_known(by) && total_of(by) >= of->sum && (!of->has_margin || of->margin == total_of(by));
}

static void judge(Run *run, const args *a, const Side *one, const Side *two, int64_t g, Shown x, Found *found) {
    const Part *mine = &one->part[g], *theirs = &two->part[g];
    bool same = !one->summed && !two->summed; /* a suppressed cell that the other table shows is no secret of this one's */
    if ((!mine->cells && !mine->has_margin) || (!theirs->cells && !theirs->has_margin)) return;
    x.cell = cell_name(run, one, mine->first);
    if (few_people(a, mine, theirs, &x)) {
        if (!one->value || !two->value) x.worth = NAN;
        note_shown(a, &x, found);
    }
    x.recovered = true;
    x.worth = NAN;
    x.sure = 1;
    x.difference = mine->sum - total_of(theirs);
    if (!same && recovers(a, mine, theirs)) note_shown(a, &x, found);
    x.difference = total_of(mine) - theirs->sum;
    if (!same && recovers(a, theirs, mine)) note_shown(a, &x, found);
}

static Status compare(Run *run, const args *a, int64_t s, int64_t t, Found *found) {
    Status status = OK;
    Side one = { .table = a->tables.at[s] }, two = { .table = a->tables.at[t] };
    Grouping grouping;
    TRY(common(run, a, &one, &two));
    TRY(group_both(run, &one, &two, &grouping));
    TRY(sum_up(run, a, &one, grouping.of, grouping.count));
    TRY(sum_up(run, a, &two, grouping.of + one.table->rows, grouping.count));
    for (int64_t g = 0; g < grouping.count; g++) judge(run, a, &one, &two, g, (Shown){ .s = s, .t = t }, found);
done:
    return status;
}

/* ---- tables that say how their cells add up ---- */

/* Can the tables be audited as one system? All have their structure, none is noisy, and all show the same thing under the audit's names for
 * it. */
static bool add_up(const args *a) {
    bool worth = table_column(a->tables.at[0], "value") != NULL;
    if (a->sd > 0 || strcmp(a->count, "count") || strcmp(a->value, "value")) return false;
    for (int64_t t = 0; t < a->tables.count; t++)
        if (!a->tables.at[t]->structure || (table_column(a->tables.at[t], "value") != NULL) != worth) return false;
    return true;
}

/* Dimensions are all columns before `status`. */
static const char *interval_name(Run *run, const Table *intervals, int64_t row) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t j = 0; strcmp(intervals->column[j]->name, "status") != 0; j++) {
        const char *cell = column_cell(intervals->column[j], row, number);
        buffer_print(&text, "%s%s=%s", j ? ", " : "", intervals->column[j]->name, cell ? cell : "");
    }
    const char *copy = arena_text(run->work.arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* The audit's intervals: one without width gives its cell away, unless it is only the least that was proven. */
static void take_intervals(Run *run, const Table *intervals, bool worth, Found *found) {
    const Column *lower = table_column(intervals, "lower"), *upper = table_column(intervals, "upper"),
                 *told = table_column(intervals, "told");
    char number[33];
    for (int64_t i = 0; i < intervals->rows; i++) {
        if (column_missing(lower, i) || column_missing(upper, i) || (told && !strcmp(column_cell(told, i, number), "at least"))) continue;
        double low = column_number(lower, i), high = column_number(upper, i);
        if (high - low > 1e-9 * larger_known(1, fabs(low))) continue;
        found->exposed++;
        found->recovered++;
        found->expected++;
        if (!worth) found->people += low;
        grid_missing(found->grid);
        grid_missing(found->grid);
        grid_text(found->grid, interval_name(run, intervals, i));
        grid_real(found->grid, worth ? NAN : low);
        grid_real(found->grid, worth ? low : NAN);
        grid_text(found->grid, "all tables together");
    }
}

/* All tables as one system of cells and sums: what follows from any number of them. Tables that are not of the same data contradict each
 * other; they are left to subtraction two at a time, which is what tells them apart. */
static Status audit_together(Run *run, const args *a, Found *found, bool *audited) {
    Error quiet = ERROR_NONE;
    Run within = *run;
    Result *result = NULL;
    const Arg list[] = { { .name = "tables", .count = a->tables.count, .tables = (Table *const *)a->tables.at },
                         { .name = "hide-zeros", .count = 1, .items = &(const char *){ "true" } }, /* how they were hidden is not known */
                         { .name = "total-code", .count = 1, .items = &a->total_code } };
    within.work.error = &quiet;
    Status status = run_method(&within, "tabular.audit", &(Args){ 3, list }, &result);
    if (status == BAD) {
        result_note(run->result, "The tables could not be audited together and were compared in pairs: %s.", quiet.message);
        return OK;
    }
    if (status) {
        *run->work.error = quiet;
        return status;
    }
    if (result_find(result, "residual")) {
        result_note(run->result,
                    "The tables could not be audited together and were compared in pairs: sums of the published cells do not add up.");
        result_free(result);
        return OK;
    }
    const Table *intervals = result_find_table(result, "intervals");
    const Value *unproven = result_find(result, "unproven");
    take_intervals(run, intervals, table_column(a->tables.at[0], "value") != NULL, found);
    result_table(run->result, "intervals", table_retain((Table *)intervals));
    if (unproven && unproven->integer > 0)
        result_note(
            run->result,
            "For %lld cells the true interval may be narrower than reported, so more cells may be disclosed. Column `told` names them.",
            (long long)unproven->integer);
    result_note(run->result, "The tables have a structure and were audited together as tables of the same data (tabular audit). What "
                             "follows only through cells that no table shows is not seen.");
    result_free(result);
    *audited = true;
    return OK;
}

static Status compare_all(Run *run, const args *a, Found *found) {
    Status status = OK;
    for (int64_t s = 0; s < a->tables.count; s++)
        for (int64_t t = s + 1; t < a->tables.count; t++) TRY(compare(run, a, s, t, found));
    result_note(run->result, "Tables were compared in pairs, each summed over the dimensions that the other lacks. What follows only from "
                             "three or more tables together is not seen.");
done:
    return status;
}

static Status differencing_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Found found = { 0 };
    int64_t alone = 0;
    bool audited = false;
    if (a->tables.count < 2) TRY(fail(run->work.error, BAD, "differencing needs at least two published tables"));
    found.grid = grid_new(run->result, "cells", "table1:text table2:text cell:text difference:real value:real how:text");
    if (add_up(a)) TRY(audit_together(run, a, &found, &audited));
    if (!audited) TRY(compare_all(run, a, &found));
    for (int64_t s = 0; s < a->tables.count; s++) {
        const Column *count = table_column(a->tables.at[s], a->count);
        for (int64_t i = 0; count && i < a->tables.at[s]->rows; i++)
            alone += !column_missing(count, i) && column_number(count, i) >= 1 && column_number(count, i) <= (double)a->threshold;
    }
    grid_done(found.grid);
    result_integer(run->result, "exposed", found.exposed);
    result_real(run->result, "people", found.people);
    result_integer(run->result, "recovered", found.recovered);
    result_integer(run->result, "baseline", alone);
    double reach = 1.959963984540054 * sqrt(found.variance), exposed = (double)found.exposed;
    result_real(run->result, "gain", found.expected);
    result_real(run->result, "lower", fmax(0, found.expected - reach));
    result_real(run->result, "upper", fmin(exposed, found.expected + reach));
done:
    return status;
}

const Method attack_differencing = {
    .group = "attack",
    .name = "differencing",
    .summary = "Differencing attack: cells and people disclosed by subtracting published tables",
    .source = "Denning & Schlörer 1983",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | ATTRIBUTE,
    .run = differencing_run,
    .values = values,
    .example = "scrim attack differencing examples/table-all.csv examples/table-without.csv",
};
