/* Primary cells: which cells of a table tell too much by themselves, and how far from its value each must stay in doubt. Defined after
 * Hundepool et al. 2012, 4.2: docs/methods/tabular-primary.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number.h"
#include "method/method.h"
#include "tabular/model.h"

typedef struct {
    const Table *table;
    int64_t threshold;
    Pairs dominance;
    double p_percent;
    Pairs pq;
    int64_t coalition;
    bool group, zeros;
    const Column *flag, *waiver, *request;
    double range;
    const char *total_code;
} args;

static const Param params[] = {
    TABLE(args, table, "The table of cells", .flags = REQUIRED | POSITIONAL),
    INT(args, threshold, ABSENT, 1, 1000000000, "Cells of fewer contributors than this (holdings where the table has them) are unsafe"),
    PAIRS(args, dominance, 1, "n:k, the n largest contributors have more than k percent of the cell"),
    REAL(args, p_percent, NAN, 0, 1e6, "The second largest contributor can estimate the largest to within p percent", .flags = EXCLUSIVE),
    PAIRS(args, pq, 1, "p:q, the same where everybody knew every contribution to within q percent before"),
    INT(args, coalition, 1, 1, 8, "With --p-percent and --pq: how many of the other contributors pool what they know"),
    FLAG(args, group, "A cell that holds everybody of a total (the others are empty) tells an attribute of them all"),
    FLAG(args, zeros, "Empty cells are unsafe, too"),
    COLUMN(args, flag, table, "Own marks: where this column is 1 the cell is unsafe, where it is 0 it is not, whatever the rules say"),
    COLUMN(args, waiver, table, "Where this column is 1 the contributors agreed: --dominance, --p-percent and --pq do not apply"),
    COLUMN(args, request, table, "Only where this column is 1 did a contributor ask: --dominance, --p-percent and --pq apply nowhere else"),
    REAL(args, range, 10, 0, 1000, "Protection of cells that are unsafe by count or mark in a table of magnitudes, in percent of the value",
         .flags = EXCLUSIVE),
    TEXT(args, total_code, "Total", "The code of a margin, where the table has no structure beside it"),
    END,
};
static const Return values[] = {
    VALUE(primary, INTEGER, "Unsafe cells"),
    VALUE(cells, INTEGER, "Cells in all"),
    TABLE_OUT(rules, "rule:text cells:integer", "How many cells each rule found; a cell can break several"),
    OUTPUT("The table with status, rule and protection levels", .flags = KEEPERS),
    END,
};

enum { BY_THRESHOLD, BY_DOMINANCE, BY_P, BY_GROUP, BY_ZERO, BY_FLAG, RULES };
static const char *const rule_name[] = { "threshold", "dominance", "p-percent", "group", "zero", "flag" };

typedef struct Judge {
    const args *a;
    Model m;
    const double *largest[9];
    const double *holdings;
    int64_t by[RULES];
    uint8_t *rule; /* cell → the first rule it breaks, plus 1 */
} Judge;

static Status need_largest(Work *work, Judge *j, int64_t n, const char *parameter) {
    for (int64_t k = 0; k < n; k++) {
        if (k < 9 && j->largest[k]) continue;
        fail(work->error, BAD, "the rule needs the %lld largest contributors of each cell (max1, max2, …), and the table has %lld",
             (long long)n, (long long)k);
        error_parameter(work->error, parameter);
        return error_advice(work->error, "Give `tabular build` a --response, and --top %lld.", (long long)n);
    }
    return OK;
}

static double sum_of_largest(const Judge *j, int64_t cell, int64_t from, int64_t to) {
    double sum = 0;
    for (int64_t k = from; k < to; k++) sum += fabs(j->largest[k][cell]);
    return sum;
}

static void mark(Judge *j, int64_t i, int rule, double level) {
    j->by[rule]++;
    if (!j->rule[i]) j->rule[i] = (uint8_t)(rule + 1);
    j->m.status[i] = CELL_PRIMARY;
    j->m.need_low[i] = fmax(j->m.need_low[i], level);
    j->m.need_high[i] = fmax(j->m.need_high[i], level);
}

/* What a cell that is unsafe by its count needs: not to be known exactly. */
static double plain_level(const Judge *j, int64_t i) { return j->m.whole ? 1 : fmax(fabs(j->m.value[i]) * j->a->range / 100, 1e-9); }

/* (n, k): unsafe where x1 + … + xn > k/100·X; safe from X' = 100/k·(x1 + … + xn) on, hence the level (Hundepool et al. 2012, 4.2.2). */
static void judge_dominance(Judge *j, int64_t i) {
    for (int64_t r = 0; r < j->a->dominance.count; r++) {
        int64_t n = 0;
        const char *text = j->a->dominance.at[r].name;
        read_integer(text, text + strlen(text), &n);
        double k = j->a->dominance.at[r].number[0], large = sum_of_largest(j, i, 0, n), x = fabs(j->m.value[i]);
        if (large > k / 100 * x) mark(j, i, BY_DOMINANCE, 100 / k * large - x);
    }
}

/* p percent, and pq with prior knowledge q: unsafe where q/100·(X − x1 − x2) < p/100·x1; the upper level is p/q·x1 − (X − x1 − x2). */
static void judge_pq(Judge *j, int64_t i, double p, double q) {
    double first = fabs(j->largest[0][i]), rest = fabs(j->m.value[i]) - sum_of_largest(j, i, 0, 1 + j->a->coalition);
    if (rest < 0) rest = 0;
    if (q * rest < p * first) mark(j, i, BY_P, p / q * first - rest);
}

static bool is_one(const Column *column, int64_t i) { return column && column_number(column, i) == 1; }

static void judge_magnitude(Judge *j, int64_t i) {
    const args *a = j->a;
    if (!(j->m.count ? j->m.count[i] > 0 : j->m.value[i] != 0) || is_one(a->waiver, i) || (a->request && !is_one(a->request, i))) return;
    judge_dominance(j, i);
    if (!isnan(a->p_percent)) judge_pq(j, i, a->p_percent, 100);
    for (int64_t r = 0; r < a->pq.count; r++) {
        double p = NAN;
        const char *text = a->pq.at[r].name;
        read_real(text, text + strlen(text), '.', &p);
        judge_pq(j, i, p, a->pq.at[r].number[0]);
    }
}

/* A part as large as its total, among other parts: all of them are there. */
static void judge_groups(Judge *j) {
    const Relations *r = &j->m.relations;
    for (int64_t i = 0; i < r->count; i++) {
        int32_t total = r->cell[r->start[i]];
        if (r->start[i + 1] - r->start[i] < 3 || r->coefficient[r->start[i]] != -1 || !(j->m.value[total] > 0)) continue;
        for (int64_t k = r->start[i] + 1; k < r->start[i + 1]; k++)
            if (j->m.value[r->cell[k]] == j->m.value[total]) mark(j, r->cell[k], BY_GROUP, plain_level(j, r->cell[k]));
    }
}

static void judge_cell(Judge *j, int64_t i) {
    const args *a = j->a;
    double people = j->holdings ? j->holdings[i] : j->m.count ? j->m.count[i] : NAN;
    if (a->threshold != ABSENT && people > 0 && people < (double)a->threshold) mark(j, i, BY_THRESHOLD, plain_level(j, i));
    judge_magnitude(j, i);
    bool empty = people == 0 || (isnan(people) && j->m.value[i] == 0);
    if (a->zeros && empty) mark(j, i, BY_ZERO, j->m.whole ? 1 : 1e-9);
    if (is_one(a->flag, i)) mark(j, i, BY_FLAG, plain_level(j, i));
}

/* Own marks have the last word. */
static void clear_flagged(Judge *j) {
    for (int64_t i = 0; j->a->flag && i < j->m.cells; i++)
        if (column_number(j->a->flag, i) == 0) {
            j->m.status[i] = CELL_OPEN;
            j->rule[i] = 0;
            j->m.need_low[i] = j->m.need_high[i] = 0;
        }
}

static Status check_rules(Work *work, Judge *j) {
    Status status = OK;
    const args *a = j->a;
    if (a->threshold != ABSENT && !j->m.count && !j->holdings) {
        fail(work->error, BAD, "the table has no column 'count'");
        TRY(error_parameter(work->error, "threshold"));
    }
    for (int64_t r = 0; r < a->dominance.count; r++) {
        int64_t n = 0;
        const char *text = a->dominance.at[r].name;
        double k = a->dominance.at[r].number[0];
        if (!read_integer(text, text + strlen(text), &n) || n < 1 || n > 9 || !(k > 0 && k <= 100)) {
            fail(work->error, BAD, "a dominance rule is n:k, such as 1:85 or 2:90");
            TRY(error_parameter(work->error, "dominance"));
        }
        TRY(need_largest(work, j, n, "dominance"));
    }
    for (int64_t r = 0; r < a->pq.count; r++) {
        double p = NAN;
        const char *text = a->pq.at[r].name;
        if (!read_real(text, text + strlen(text), '.', &p) || !(p > 0) || !(a->pq.at[r].number[0] > 0)) {
            fail(work->error, BAD, "a pq rule is p:q, such as 10:80");
            TRY(error_parameter(work->error, "pq"));
        }
    }
    if (!isnan(a->p_percent) || a->pq.count) TRY(need_largest(work, j, 1 + a->coalition, isnan(a->p_percent) ? "pq" : "p-percent"));
    if (a->threshold == ABSENT && !a->dominance.count && isnan(a->p_percent) && !a->pq.count && !a->group && !a->zeros && !a->flag) {
        fail(work->error, BAD, "no rule was given");
        TRY(error_advice(work->error, "Give --threshold, --dominance, --p-percent, --pq, --group, --zeros or --flag."));
    }
done:
    return status;
}

static Status judge_make(Work *work, const args *a, Judge *j) {
    Status status = OK;
    *j = (Judge){ .a = a };
    TRY(model_make(work, a->table, a->total_code, &j->m));
    for (int64_t i = 0; i < j->m.cells; i++) {
        if (isnan(j->m.value[i])) {
            fail(work->error, BAD, "a cell has no value");
            TRY(error_row(work->error, i));
        }
        j->m.status[i] = CELL_OPEN;
        j->m.need_low[i] = j->m.need_high[i] = 0;
    }
    for (int k = 0; k < 9; k++) {
        const Column *column = table_column(a->table, (char[]){ 'm', 'a', 'x', (char)('1' + k), 0 });
        if (column) TRY(column_reals(work, column, &j->largest[k]));
    }
    const Column *holdings = table_column(a->table, "holdings");
    if (holdings) TRY(column_reals(work, holdings, &j->holdings));
    NEW(work, j->rule, j->m.cells + 1);
    TRY(check_rules(work, j));
done:
    return status;
}

static Status levels_column(Work *work, const char *name, const double *at, const uint8_t *cell, int64_t n, Column **out) {
    Status status = column_new(REAL_TYPE, name, n, out, work->error);
    if (!status) status = column_need_valid(*out, work->error);
    for (int64_t i = 0; !status && i < n; i++) {
        (*out)->real[i] = at[i];
        if (cell[i] != CELL_PRIMARY) {
            (*out)->real[i] = 0;
            column_set_missing(*out, i);
        }
    }
    if (!status) column_seal(*out);
    return status;
}

static Status rule_column(Work *work, const uint8_t *rule, int64_t n, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, n + 1);
    for (int64_t i = 0; i < n; i++) cells[i] = rule[i] ? rule_name[rule[i] - 1] : NULL;
    TRY(column_category("rule", cells, n, out, work->error));
done:
    return status;
}

static Status marked_table(Work *work, const Judge *j, Table **out) {
    Status status = OK;
    Column *columns[3] = { NULL };
    Table *before = NULL;
    int64_t n = j->m.cells;
    TRY(model_table(work, &j->m, j->m.status, false, &before));
    TRY(rule_column(work, j->rule, n, &columns[0]));
    TRY(levels_column(work, "protection_lower", j->m.need_low, j->m.status, n, &columns[1]));
    TRY(levels_column(work, "protection_upper", j->m.need_high, j->m.status, n, &columns[2]));
    TRY(table_with(before, columns, 3, out, work->error));
done:
    for (int i = 0; i < 3; i++) column_release(columns[i]);
    table_release(before);
    return status;
}

static Status primary_run(Run *run, const void *p) {
    Status status = OK;
    Judge j;
    Table *table = NULL;
    int64_t primary = 0;
    TRY(judge_make(&run->work, p, &j));
    for (int64_t i = 0; i < j.m.cells; i++) judge_cell(&j, i);
    if (j.a->group) judge_groups(&j);
    clear_flagged(&j);
    for (int64_t i = 0; i < j.m.cells; i++) primary += j.m.status[i] == CELL_PRIMARY;
    result_integer(run->result, "primary", primary);
    result_integer(run->result, "cells", j.m.cells);
    Grid *grid = grid_new(run->result, "rules", "rule:text cells:integer");
    for (int r = 0; r < RULES; r++) {
        if (!j.by[r]) continue;
        grid_text(grid, rule_name[r]);
        grid_integer(grid, j.by[r]);
    }
    grid_done(grid);
    TRY(marked_table(&run->work, &j, &table));
    result_output(run->result, table);
    table = NULL;
done:
    table_release(table);
    return status;
}

const Method tabular_primary = { .group = "tabular",
                                 .name = "primary",
                                 .summary = "Mark the cells of a table that tell too much by themselves",
                                 .source = "Hundepool et al. 2012, 4.2",
                                 .params = params,
                                 .size = sizeof(args),
                                 .run = primary_run,
                                 .values = values,
                                 .traits = ATTRIBUTE | UNAUDITED,
                                 .example = "scrim tabular primary examples/table.csv --threshold 3 --p-percent 10" };
