/* Differencing: what published tables give away by subtraction. Defined after Denning & Schlörer 1983:
 * docs/methods/attack-differencing.md. */
#include <string.h>
#include "base/elementary.h"
#include "method/method.h"
#include "table/group.h"
#include "table/joint.h"

typedef struct {
    Tables tables;
    const char *count, *value, *total_code;
    int64_t threshold;
    double sd, certainty;
} args;
static const Param params[] = {
    TABLES(args, tables, "Published tables, one row per cell: a column per dimension, then the count (and value)",
           .flags = REQUIRED | POSITIONAL),
    TEXT(args, count, "count", "The column that holds the count; empty where it was suppressed"),
    TEXT(args, value, "value", "The column that holds the magnitude, where there is one"),
    TEXT(args, total_code, "Total", "The code of a margin in a dimension"),
    INT(args, threshold, 1, 1, 1000000, "A difference of at most this many people exposes them"),
    REAL(args, sd, 0, 0, INFINITY, "Standard deviation of the noise in each count (0: exact)"),
    REAL(args, certainty, 0.95, 0.5, 1, "With noise: how probable a difference of 1 to --threshold people must be"),
    END,
};
static const Return values[] = {
    VALUE(exposed, INTEGER, "Cells that subtraction exposes", .flags = PUBLIC),
    VALUE(people, REAL, "People in them", .flags = PUBLIC),
    VALUE(recovered, INTEGER, "Of these, suppressed cells whose count follows", .flags = PUBLIC),
    VALUE(baseline, INTEGER, "Cells of the tables that each show so few people by themselves", .flags = PUBLIC),
    VALUE(gain, REAL, "Cells that subtraction exposes beyond those; with noise, the number expected to be so", .flags = PUBLIC),
    VALUE(lower, REAL, "95% interval of the gain: exact without noise", .flags = PUBLIC),
    VALUE(upper, REAL, "95% interval of the gain", .flags = PUBLIC),
    TABLE_OUT(cells, "table1:text table2:text cell:text difference:real value:real how:text",
              "Each exposed cell: the tables, the cell, the difference"),
    TABLE_OUT(
        intervals, NULL,
        "Tables that say how their cells add up: each hidden cell, and the least and the most that it can be by all of them together"),
    END,
};

/* A table summed over the dimensions that the other lacks: per group (numbered alike in both) its sum and how many of its cells are
 * suppressed. */
typedef struct Side {
    const Table *table;
    const Column *count, *value;
    Columns dims;
    double *sum, *worth;
    int64_t *unknown, *cells, *first;
} Side;

static bool is_dimension(const args *a, const Column *column) {
    static const char *const never[] = { "status", "max1", "max2", "max3", "lower", "upper" };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (!strcmp(column->name, never[i])) return false;
    return strcmp(column->name, a->count) && strcmp(column->name, a->value);
}

/* Cells that are margins of a dimension which is summed over would count twice. */
static bool is_margin(const args *a, const Table *table, const Columns *kept, int64_t row) {
    char number[33];
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        bool keeps = !is_dimension(a, column);
        for (int64_t k = 0; k < kept->count && !keeps; k++) keeps = kept->at[k] == column;
        if (!keeps && same_text(column_cell(column, row, number), a->total_code)) return true;
    }
    return false;
}

static Status sum_up(Run *run, const args *a, Side *s, const int32_t *of, int64_t groups) {
    Status status = OK;
    NEW(&run->work, s->sum, groups + 1);
    NEW(&run->work, s->worth, groups + 1);
    NEW(&run->work, s->unknown, groups + 1);
    NEW(&run->work, s->cells, groups + 1);
    NEW(&run->work, s->first, groups + 1);
    for (int64_t i = s->table->rows - 1; i >= 0; i--) {
        int32_t g = of[i];
        if (is_margin(a, s->table, &s->dims, i)) continue;
        s->first[g] = i;
        s->cells[g]++;
        if (column_missing(s->count, i)) s->unknown[g]++;
        else s->sum[g] += column_number(s->count, i);
        if (s->value && !column_missing(s->value, i)) s->worth[g] += column_number(s->value, i);
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
        if (!column_numeric(side[t]->count)) {
            fail(run->work.error, BAD, "counts must be numbers");
            TRY(error_column(run->work.error, a->count));
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

/* The posterior of a whole difference under a flat prior and two normal noises: Pr(1 ≤ |D| ≤ threshold | d). */
static double small_probability(const args *a, double d) {
    double sum = 0, small = 0, variance = 2 * a->sd * a->sd, reach = 12 * a->sd + (double)a->threshold + 1;
    for (double k = floor(d - reach); k <= ceil(d + reach); k++) {
        double weight = exp(-(d - k) * (d - k) / (2 * variance));
        sum += weight;
        if (fabs(k) >= 1 && fabs(k) <= (double)a->threshold) small += weight;
    }
    return sum > 0 ? small / sum : 0;
}

typedef struct Found {
    int64_t exposed, recovered;
    double people, expected, variance;
    Grid *grid;
} Found;

static void judge(Run *run, const args *a, const Side *one, const Side *two, int64_t g, int64_t s, int64_t t, Found *found) {
    int64_t unknown = one->unknown[g] + two->unknown[g];
    double difference = one->sum[g] - two->sum[g];
    if (!one->cells[g] || !two->cells[g] || unknown > 1 || (one->cells[g] == 1 && two->cells[g] == 1 && unknown)) return;
    if (!unknown && (one->sum[g] == 0 || two->sum[g] == 0)) return; /* the difference to nothing is the other cell, which shows itself */
    bool recovered = unknown == 1 && a->sd == 0;
    double sure =
        a->sd > 0 ? unknown == 0 ? small_probability(a, difference) : 0 : fabs(difference) >= 1 && fabs(difference) <= (double)a->threshold;
    if (recovered) sure = 1;
    if (sure < (a->sd > 0 ? a->certainty : 1)) return;
    found->expected += sure;
    found->variance += sure * (1 - sure);
    found->exposed++;
    found->recovered += recovered;
    found->people += fabs(round(difference));
    grid_text(found->grid, a->tables.name[s]);
    grid_text(found->grid, a->tables.name[t]);
    grid_text(found->grid, cell_name(run, one, one->first[g]));
    grid_real(found->grid, difference);
    grid_real(found->grid, one->value && two->value && !unknown ? one->worth[g] - two->worth[g] : NAN);
    grid_text(found->grid, recovered ? "suppressed cell recovered" : "few people");
}

static Status compare(Run *run, const args *a, int64_t s, int64_t t, Found *found) {
    Status status = OK;
    Side one = { .table = a->tables.at[s] }, two = { .table = a->tables.at[t] };
    Grouping grouping;
    TRY(common(run, a, &one, &two));
    TRY(group_both(run, &one, &two, &grouping));
    TRY(sum_up(run, a, &one, grouping.of, grouping.count));
    TRY(sum_up(run, a, &two, grouping.of + one.table->rows, grouping.count));
    for (int64_t g = 0; g < grouping.count; g++) judge(run, a, &one, &two, g, s, t, found);
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

static const char *interval_name(Run *run, const Table *intervals, int64_t row) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t j = 0; j < intervals->columns - 3; j++) {
        const char *cell = column_cell(intervals->column[j], row, number);
        buffer_print(&text, "%s%s=%s", j ? ", " : "", intervals->column[j]->name, cell ? cell : "");
    }
    const char *copy = arena_text(run->work.arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* The audit's intervals (dimensions, status, lower, upper): one without width gives its cell away. */
static void take_intervals(Run *run, const Table *intervals, bool worth, Found *found) {
    const Column *lower = intervals->column[intervals->columns - 2], *upper = intervals->column[intervals->columns - 1];
    for (int64_t i = 0; i < intervals->rows; i++) {
        if (column_missing(lower, i) || column_missing(upper, i)) continue;
        double low = column_number(lower, i), high = column_number(upper, i);
        if (high - low > 1e-9 * fmax(1, fabs(low))) continue;
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
                         { .name = "total-code", .count = 1, .items = &a->total_code } };
    within.work.error = &quiet;
    Status status = run_method(&within, "tabular.audit", &(Args){ 2, list }, &result);
    if (status == BAD) {
        result_note(run->result, "The tables could not be audited together, and were compared two at a time: %s.", quiet.message);
        return OK;
    }
    if (status) {
        *run->work.error = quiet;
        return status;
    }
    const Table *intervals = result_find_table(result, "intervals");
    const Value *unproven = result_find(result, "unproven");
    take_intervals(run, intervals, table_column(a->tables.at[0], "value") != NULL, found);
    result_table(run->result, "intervals", table_retain((Table *)intervals));
    if (unproven && unproven->integer > 0)
        result_note(run->result, "The search for whole numbers was cut short: the intervals of %lld cells may be narrower than told.",
                    (long long)unproven->integer);
    result_note(run->result, "The tables say how their cells add up: all were taken together, as tables of the same data (tabular audit). "
                             "What follows only through cells "
                             "that no table has a row for is not seen.");
    result_free(result);
    *audited = true;
    return OK;
}

static Status compare_all(Run *run, const args *a, Found *found) {
    Status status = OK;
    for (int64_t s = 0; s < a->tables.count; s++)
        for (int64_t t = s + 1; t < a->tables.count; t++) TRY(compare(run, a, s, t, found));
    result_note(run->result, "Tables are compared two at a time, each summed over the dimensions that the other lacks: what follows only "
                             "from three or more together is "
                             "not seen.");
done:
    return status;
}

static Status differencing_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Found found = { 0 };
    int64_t alone = 0;
    bool audited = false;
    if (a->tables.count < 2) TRY(fail(run->work.error, BAD, "differencing needs two published tables at the least"));
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
    .summary = "Expose cells and people by subtracting published tables",
    .source = "Denning & Schlörer 1983",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | ATTRIBUTE,
    .run = differencing_run,
    .values = values,
    .example = "scrim attack differencing examples/table-all.csv examples/table-without.csv",
};
