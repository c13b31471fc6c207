/* Primary cells: which cells of a table tell too much by themselves, and how far from its value each must stay in doubt. Defined after
 * Hundepool et al. 2012, 4.2: docs/methods/tabular-primary.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
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
    INT(args, threshold, ABSENT, 1, 1000000000,
        "Minimum frequency rule: cells with fewer contributors (holdings, if the table has them) are unsafe"),
    PAIRS(args, dominance, 1,
          "(n, k)-dominance rule, as n:k: a cell is unsafe if its n largest contributors have more than k percent of it"),
    REAL(args, p_percent, NAN, 0, 1e6,
         "p% rule: a cell is unsafe if the second largest contributor can estimate the largest to within p percent. Larger p = more cells "
         "are unsafe",
         .flags = EXCLUSIVE),
    PAIRS(args, pq, 1, "pq rule, as p:q: the p% rule if every contribution was known to within q percent before publication"),
    INT(args, coalition, 1, 1, 8, "With --p-percent and --pq: number of other contributors who pool their knowledge"),
    FLAG(args, group,
         "Group disclosure rule: a cell is unsafe if it holds all contributors of a total, because that discloses an attribute of all of "
         "them"),
    FLAG(args, zeros, "Empty cells are unsafe too"),
    COLUMN(args, flag, table, "Manual status: 1 = unsafe, 0 = safe, whatever the rules say", .flags = NUMERIC),
    COLUMN(args, waiver, table, "Waiver: 1 = the contributors agreed to publication, so --dominance, --p-percent and --pq do not apply",
           .flags = NUMERIC),
    COLUMN(args, request, table, "Request rule: --dominance, --p-percent and --pq apply only to cells where this column is 1",
           .flags = NUMERIC),
    REAL(args, range, 10, 0, 1000,
         "Protection level, in percent of the value, of cells that are unsafe by count or by hand in a magnitude table",
         .flags = EXCLUSIVE),
    TEXT(args, total_code, "Total", "Code of the total in each dimension, for a table without a structure file"),
    END,
};
static const Return values[] = {
    VALUE(primary, INTEGER, "Unsafe cells (primary suppressions)"),
    VALUE(cells, INTEGER, "Cells in the table"),
    TABLE_OUT(rules, "rule:text cells:integer", "Unsafe cells by rule. A cell can violate several rules"),
    OUTPUT("The table with status, rule and protection levels", .flags = KEEPERS),
    END,
};

typedef struct Judge {
    const args *a;
    Model m;
    const double *largest[9];
    const double *holdings;
    int64_t by[CELL_RULES];
    uint8_t *broken;     /* cell → the rules that it breaks, as bits */
    int32_t **place;     /* dimension → cell → code */
    int64_t bare_groups; /* full cells beside which no empty one can be hidden */
} Judge;

static Status need_largest(Work *work, Judge *j, int64_t n, const char *parameter) {
    for (int64_t k = 0; k < n; k++) {
        if (k < 9 && j->largest[k]) continue;
        fail(work->error, BAD, "the rule needs the %lld largest contributors of each cell (max1, max2, …), and the table has %lld",
             (long long)n, (long long)k);
        error_parameter(work->error, parameter);
        return error_advice(work->error, "Run `tabular build` with --response and --top %lld.", (long long)n);
    }
    return OK;
}

static double sum_of_largest(const Judge *j, int64_t cell, int64_t from, int64_t to) {
    double sum = 0;
    for (int64_t k = from; k < to; k++) sum += fabs(j->largest[k][cell]);
    return sum;
}

/* Dominance, p% and pq are about an upper bound: it must lie above the value by the level. The other rules ask that the cell is not known:
 * that it can be something else, above or below. */
static void mark(Judge *j, int64_t i, CellRule rule, double level) {
    double *need = rule == BY_DOMINANCE || rule == BY_P ? j->m.need_high : j->m.need_either;
    j->by[rule] += !(j->broken[i] >> rule & 1);
    j->broken[i] |= (uint8_t)(1 << rule);
    j->m.status[i] = CELL_PRIMARY;
    need[i] = fmax(need[i], level);
}

/* What a cell that is unsafe by its count needs: not to be known exactly. */
static double plain_level(const Judge *j, int64_t i) { return j->m.whole ? 1 : model_doubt(&j->m, i, j->a->range / 100); }

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

/* Who stands in a cell; where nobody counted them, its value. */
static double people_in(const Judge *j, int64_t i) { return j->holdings ? j->holdings[i] : j->m.count ? j->m.count[i] : j->m.value[i]; }

/* The one term of a relation whose sign is its own: the total of the others. Of two terms the one that is taken away; -1 where there is
 * none. */
static int64_t find_total(const Relations *r, int64_t relation) {
    int64_t from = r->start[relation], end = r->start[relation + 1], below = 0, last[2] = { -1, -1 };
    for (int64_t k = from; k < end; k++) {
        below += r->coefficient[k] < 0;
        last[r->coefficient[k] < 0] = k;
    }
    return below == 1 ? last[1] : end - from - below == 1 ? last[0] : -1;
}

/* A total and its only part in the table: are there other parts that the table leaves out, as empty ones often are? */
static bool leaves_out_parts(const Judge *j, int32_t total, int32_t part) {
    for (int64_t d = 0; d < j->m.structure.dims; d++) {
        const Dimension *dim = &j->m.structure.dim[d];
        for (int64_t s = 0; s < dim->sums; s++)
            for (int32_t k = 0; k < dim->sum[s].count && dim->sum[s].total == j->place[d][total]; k++)
                if (dim->sum[s].part[k] == j->place[d][part] && dim->sum[s].count > 1) return true;
    }
    return false;
}

/* Could somebody stand in this empty cell, by all sums that it is in? Not in one whose total is empty, nor in an empty total itself, whose
 * parts all show that they are. */
static bool could_be_full(const Judge *j, int32_t cell) {
    const Memberships *member = &j->m.member;
    for (int64_t k = member->start[cell]; k < member->start[cell + 1]; k++) {
        int64_t total = find_total(&j->m.relations, member->relation[k]);
        if (total >= 0 && people_in(j, j->m.relations.cell[total]) == 0) return false;
    }
    return true;
}

/* A part that holds everybody of its total: nobody may be sure that the others are empty, so one that could be full is unsafe beside it. */
static void judge_group(Judge *j, int64_t relation) {
    const Relations *r = &j->m.relations;
    int64_t from = r->start[relation], end = r->start[relation + 1], total = find_total(r, relation);
    int32_t full = -1, empty = -1;
    if (total < 0 || people_in(j, r->cell[total]) == 0) return;
    for (int64_t k = from; k < end; k++) {
        if (k == total) continue;
        if (people_in(j, r->cell[k]) == 0) {
            if (empty < 0 && could_be_full(j, r->cell[k])) empty = r->cell[k];
        } else if (full < 0) full = r->cell[k];
        else return;
    }
    if (full < 0 || (end - from < 3 && !leaves_out_parts(j, r->cell[total], full))) return;
    mark(j, full, BY_GROUP, plain_level(j, full));
    if (empty >= 0) mark(j, empty, BY_GROUP, plain_level(j, empty));
    else j->bare_groups++;
}

static Status judge_groups(Work *work, Judge *j) {
    Status status = OK;
    TRY(structure_places(work, &j->m.structure, j->m.table, &j->place));
    for (int64_t i = 0; i < j->m.relations.count; i++) judge_group(j, i);
done:
    return status;
}

static void judge_cell(Judge *j, int64_t i) {
    const args *a = j->a;
    double people = j->holdings ? j->holdings[i] : j->m.count ? j->m.count[i] : NAN;
    if (a->threshold != ABSENT && people > 0 && people < (double)a->threshold) mark(j, i, BY_THRESHOLD, plain_level(j, i));
    judge_magnitude(j, i);
    bool empty = people == 0 || (isnan(people) && j->m.value[i] == 0);
    if (a->zeros && empty) mark(j, i, BY_ZERO, plain_level(j, i));
    if (is_one(a->flag, i)) mark(j, i, BY_FLAG, plain_level(j, i));
}

/* Own marks have the last word. */
static void clear_flagged(Judge *j) {
    for (int64_t i = 0; j->a->flag && i < j->m.cells; i++)
        if (column_number(j->a->flag, i) == 0) {
            j->m.status[i] = CELL_OPEN;
            j->broken[i] = 0;
            j->m.need_either[i] = j->m.need_high[i] = 0;
        }
}

static Status check_rules(Work *work, Judge *j) {
    Status status = OK;
    const args *a = j->a;
    if (a->dominance.count > 8 || a->pq.count > 8) TRY(fail(work->error, BAD, "at most eight rules of a kind"));
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
        j->m.need_low[i] = j->m.need_high[i] = j->m.need_either[i] = 0;
    }
    TRY(model_need_sums(work, &j->m));
    for (int k = 0; k < 9; k++) {
        const Column *column = table_column(a->table, (char[]){ 'm', 'a', 'x', (char)('1' + k), 0 });
        if (column) TRY(column_reals(work, column, &j->largest[k]));
    }
    const Column *holdings = table_column(a->table, "holdings");
    if (holdings) TRY(column_reals(work, holdings, &j->holdings));
    NEW(work, j->broken, j->m.cells + 1);
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

/* The words of all rules that a cell breaks. */
static Status rule_column(Work *work, const uint8_t *broken, int64_t n, Column **out) {
    Status status = OK;
    const char **cells = NULL, *words[1 << CELL_RULES] = { NULL };
    NEW(work, cells, n + 1);
    for (int64_t i = 0; i < n; i++) {
        Buffer text = { 0 };
        if (!broken[i]) continue;
        for (int r = 0; r < CELL_RULES && !words[broken[i]]; r++)
            if (broken[i] >> r & 1) buffer_print(&text, "%s%s", text.count ? " " : "", cell_rule_word[r]);
        if (!words[broken[i]] && !(words[broken[i]] = arena_text(work->arena, buffer_get(&text)))) status = BAD;
        buffer_free(&text);
        if (status) return out_of_memory(work->error);
        cells[i] = words[broken[i]];
    }
    TRY(column_category("rule", cells, n, out, work->error));
done:
    return status;
}

static void pairs_kept(const Pairs *pairs, double out[8][2], int *count) {
    for (int64_t r = 0; r < pairs->count; r++) {
        const char *text = pairs->at[r].name;
        (void)read_real(text, text + strlen(text), '.', &out[r][0]);
        out[r][1] = pairs->at[r].number[0];
    }
    *count = (int)pairs->count;
}

/* The rules go with the table: suppression and audit ask for what they ask. */
static Status keep_rules(Work *work, Judge *j, Table *table) {
    const args *a = j->a;
    Structure *s = &j->m.structure;
    const bool magnitude = a->dominance.count || a->pq.count || !isnan(a->p_percent);
    s->rules =
        (SafetyRules){ .threshold = a->threshold == ABSENT ? 0 : a->threshold,
                       .coalition = a->coalition,
                       .p_percent = isnan(a->p_percent) ? 0 : a->p_percent,
                       .threshold_alone = a->threshold != ABSENT && !magnitude && !a->group && !a->zeros && !a->flag && !j->holdings };
    pairs_kept(&a->dominance, s->rules.dominance, &s->rules.dominances);
    pairs_kept(&a->pq, s->rules.pq, &s->rules.pqs);
    for (int64_t i = 0; i < j->m.cells; i++) s->zeros_hidden |= j->m.status[i] == CELL_PRIMARY && people_in(j, i) == 0;
    s->is_protected = false;
    return structure_keep(work, s, table);
}

static Status marked_table(Work *work, Judge *j, Table **out) {
    Status status = OK;
    Column *columns[4] = { NULL };
    Table *before = NULL, *bare = NULL;
    static const char *const old[] = { "rule", "protection", "protection_lower", "protection_upper", "protection_either" };
    int64_t n = j->m.cells;
    TRY(model_table(work, &j->m, j->m.status, false, &before));
    TRY(table_without(before, old, 5, &bare, work->error));
    TRY(rule_column(work, j->broken, n, &columns[0]));
    TRY(levels_column(work, "protection_lower", j->m.need_low, j->m.status, n, &columns[1]));
    TRY(levels_column(work, "protection_upper", j->m.need_high, j->m.status, n, &columns[2]));
    TRY(levels_column(work, "protection_either", j->m.need_either, j->m.status, n, &columns[3]));
    TRY(table_with(bare, columns, 4, out, work->error));
    TRY(keep_rules(work, j, *out));
done:
    for (int i = 0; i < 4; i++) column_release(columns[i]);
    table_release(before);
    table_release(bare);
    return status;
}

static Status primary_run(Run *run, const void *p) {
    Status status = OK;
    Judge j;
    Table *table = NULL;
    int64_t primary = 0;
    TRY(judge_make(&run->work, p, &j));
    for (int64_t i = 0; i < j.m.cells; i++) judge_cell(&j, i);
    if (j.a->group) TRY(judge_groups(&run->work, &j));
    clear_flagged(&j);
    for (int64_t i = 0; i < j.m.cells; i++) primary += j.m.status[i] == CELL_PRIMARY;
    result_integer(run->result, "primary", primary);
    result_integer(run->result, "cells", j.m.cells);
    Grid *grid = grid_new(run->result, "rules", "rule:text cells:integer");
    for (int r = 0; r < CELL_RULES; r++) {
        if (!j.by[r]) continue;
        grid_text(grid, cell_rule_word[r]);
        grid_integer(grid, j.by[r]);
    }
    grid_done(grid);
    if (j.bare_groups)
        result_note(
            run->result,
            "%lld cells hold all contributors of a total, and no empty cell beside them can be suppressed: the other parts are not in the "
            "table, or are known to be empty. The group is therefore disclosed. Add the empty cells to the table, or leave out the total.",
            (long long)j.bare_groups);
    TRY(marked_table(&run->work, &j, &table));
    result_output(run->result, table);
    table = NULL;
done:
    table_release(table);
    return status;
}

const Method tabular_primary = { .group = "tabular",
                                 .name = "primary",
                                 .summary = "Primary suppression: mark unsafe cells by threshold, dominance, p% and pq rules",
                                 .source = "Hundepool et al. 2012, 4.2",
                                 .params = params,
                                 .size = sizeof(args),
                                 .run = primary_run,
                                 .values = values,
                                 .traits = ATTRIBUTE | UNAUDITED,
                                 .example = "scrim tabular primary examples/table.csv --threshold 3 --p-percent 10" };
