/* Tables of counts and percentages with protected small counts: docs/methods/tabular-small-counts.md. */
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "method/method.h"
#include "table/display_layout.h"
#include "tabular/model.h"

typedef struct {
    const Table *data;
    Columns vars;
    const Column *by;
    int64_t threshold, base, digits;
    enum { SUPPRESS, MIDPOINT } method;
    enum { PERCENT_COLUMN, PERCENT_ROW, PERCENT_NONE } percent;
    bool totals_known;
    const char *mark;
} args;
static const Param params[] = {
    TABLE(args, data, "Records to count", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Variables whose values become the rows, one block of rows for each variable", .flags = REQUIRED),
    COLUMN(args, by, data, "Variable whose values become the columns (default: one column of totals)"),
    INT(args, threshold, 5, 2, 1000000, "Counts from 1 to threshold - 1 are small"),
    CHOICE(
        args, method, "suppress",
        "suppress: small counts are suppressed, and others that would give them away by subtraction; midpoint: every count is replaced by "
        "the midpoint of its interval of --base whole numbers",
        WORDS("suppress", "midpoint")),
    INT(args, base, 6, 2, 1000000, "midpoint: width of an interval; with 6, counts from 1 to 6 become 3 and counts from 7 to 12 become 9"),
    FLAG(args, totals_known, "midpoint: a reader knows the exact total of each column, for example the size of each arm of a trial"),
    CHOICE(args, percent, "column", "Percentages of the column's total, of the row's total, or none", WORDS("column", "row", "none")),
    INT(args, digits, 1, 0, 3, "Decimal places of percentages"),
    TEXT(args, mark, "x", "suppress: symbol for a suppressed count"),
    ONLY_IF("base", "method", "midpoint"),
    ONLY_IF("totals-known", "method", "midpoint"),
    ONLY_IF("mark", "method", "suppress"),
    END,
};
static const Return values[] = {
    VALUE(cells, INTEGER, "Counts in the table, with totals", .flags = PUBLIC),
    VALUE(small, INTEGER, "Counts from 1 to threshold - 1 before protection"),
    VALUE(suppressed, INTEGER, "suppress: counts that were suppressed, the small ones and others beside them", .flags = PUBLIC),
    VALUE(narrowest, INTEGER, "midpoint: the smallest number of values that remain possible for a count above 0; larger is safer"),
    TABLE_OUT(table, NULL, "The table as it is published"),
    OUTPUT("The table as it is published: .csv, .xlsx, .docx, .html"),
    END,
};

/* The counts: one block of rows for each variable; in each, one count for each code and each column. */
typedef struct Counts {
    Model m;
    int64_t vars, columns; /* columns: codes of --by with the total, or 1 */
    const Dimension *by;   /* NULL: none */
    int64_t **cell;        /* [variable][code * columns + column]: row of the table of cells, -1: empty */
    int32_t total_column;
} Counts;

static int32_t total_code(const Dimension *dim, const char *total) {
    for (int32_t c = 0; c < dim->codes; c++)
        if (!strcmp(dim->code[c], total)) return c;
    return -1;
}

static Status count_records(Run *run, const args *a, Table **out) {
    Status status = OK;
    Buffer dims = { 0 };
    Result *result = NULL;
    for (int64_t v = 0; v < a->vars.count; v++) {
        const char *mark = strpbrk(a->vars.at[v]->name, ",;`") || (a->by && strpbrk(a->by->name, ",;`")) ? "`" : "";
        buffer_print(&dims, "%s%s%s%s", v ? ";" : "", mark, a->vars.at[v]->name, mark);
        if (a->by) buffer_print(&dims, ",%s%s%s", mark, a->by->name, mark);
    }
    const char *text = buffer_get(&dims);
    Table *data = (Table *)(uintptr_t)a->data;
    const Arg list[] = { { .name = "data", .count = 1, .tables = &data }, { .name = "dims", .count = 1, .items = &text } };
    TRY(run_method(run, "tabular.build", &(Args){ 2, list }, &result));
    *out = table_retain(result->output[0]);
done:
    buffer_free(&dims);
    result_free(result);
    return status;
}

/* The table of cells after `tabular METHOD`. */
static Status chain(Run *run, const char *method, const char *name, const char *value, Table **table) {
    Status status = OK;
    Result *result = NULL;
    const Arg list[] = { { .name = "table", .count = 1, .tables = table }, { .name = name, .count = 1, .items = &value } };
    TRY(run_method(run, method, &(Args){ name ? 2 : 1, list }, &result));
    Table *made = table_retain(result->output[0]);
    table_release(*table);
    *table = made;
done:
    result_free(result);
    return status;
}

static int64_t dimension_of(const Structure *s, const char *name) {
    for (int64_t d = 0; d < s->dims; d++)
        if (!strcmp(s->dim[d].name, name)) return d;
    return -1;
}

/* Where the count of each variable, code and column is in the table of cells. */
static Status place_counts(Work *work, const args *a, const Table *table, Counts *c) {
    Status status = OK;
    int32_t **at;
    TRY(model_make(work, table, NULL, &c->m));
    const Structure *s = &c->m.structure;
    TRY(structure_places(work, s, table, &at));
    const int64_t by = a->by ? dimension_of(s, a->by->name) : -1;
    c->by = by < 0 ? NULL : &s->dim[by];
    c->columns = c->by ? c->by->codes : 1;
    c->total_column = c->by ? total_code(c->by, s->total) : 0;
    c->vars = a->vars.count;
    NEW(work, c->cell, c->vars + 1);
    for (int64_t v = 0; v < c->vars; v++) {
        const int64_t d = dimension_of(s, a->vars.at[v]->name);
        NEW(work, c->cell[v], s->dim[d].codes * c->columns + 1);
        for (int64_t i = 0; i < s->dim[d].codes * c->columns; i++) c->cell[v][i] = -1;
        for (int64_t row = 0; row < c->m.seen; row++) {
            bool own = true; /* every other variable is at its total */
            for (int64_t e = 0; e < s->dims; e++) own &= e == d || e == by || !strcmp(s->dim[e].code[at[e][row]], s->total);
            if (own) c->cell[v][at[d][row] * c->columns + (by < 0 ? 0 : at[by][row])] = row;
        }
    }
done:
    return status;
}

static const Dimension *variable(const args *a, const Counts *c, int64_t v) {
    return &c->m.structure.dim[dimension_of(&c->m.structure, a->vars.at[v]->name)];
}
static double count_at(const Counts *c, int64_t v, int64_t i) { return c->cell[v][i] < 0 ? 0 : c->m.value[c->cell[v][i]]; }

/* ---- midpoint rounding ---- */

/* 0 stays 0; a count c > 0 lies in (base·k, base·(k + 1)] and becomes that interval's midpoint, rounded down. */
static double interval_end(double count, int64_t base) { return ceil(count / (double)base) * (double)base; }
static double midpoint(double count, int64_t base) { return count <= 0 ? 0 : interval_end(count, base) - (double)(base / 2); }

typedef struct Range {
    double low, high;
} Range;

static Range interval_of(double count, int64_t base) {
    const double end = count > 0 ? interval_end(count, base) : 0;
    return (Range){ .low = count > 0 ? end - (double)base + 1 : 0, .high = end };
}
static Range meet(Range a, Range b) { return (Range){ a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high }; }

/* What the rounded counts of one variable in a column tell of the column's total. */
static Range sum_of(const args *a, const Counts *c, int64_t v, int64_t column) {
    const Dimension *dim = variable(a, c, v);
    Range sum = { 0, 0 };
    for (int32_t k = 0; k < dim->codes; k++) {
        if (k == total_code(dim, c->m.structure.total)) continue;
        const Range one = interval_of(count_at(c, v, k * c->columns + column), a->base);
        sum.low += one.low;
        sum.high += one.high;
    }
    return sum;
}

/* A reader knows that the total N of a column is in its own interval and in the sum of the intervals of each variable, or knows N exactly.
 * Of a count in [lo, hi] it follows that it is at least N − Σ hi of the others and at most N − Σ lo of the others. Columns share no other
 * equation, since totals of rows are sums of what is published. So the range is exact. */
static int64_t narrowest_range(const args *a, const Counts *c) {
    int64_t least = INT64_MAX;
    for (int64_t j = 0; j < c->columns; j++) {
        if (c->by && j == c->total_column) continue;
        const double exact = count_at(c, 0, total_code(variable(a, c, 0), c->m.structure.total) * c->columns + j);
        Range total = a->totals_known ? (Range){ exact, exact } : interval_of(exact, a->base);
        for (int64_t v = 0; v < c->vars; v++) total = meet(total, sum_of(a, c, v, j));
        for (int64_t v = 0; v < c->vars; v++) {
            const Dimension *dim = variable(a, c, v);
            const Range sum = sum_of(a, c, v, j);
            for (int32_t k = 0; k < dim->codes; k++) {
                const double count = count_at(c, v, k * c->columns + j);
                if (count <= 0 || k == total_code(dim, c->m.structure.total)) continue;
                const Range own = interval_of(count, a->base);
                const Range left = meet(own, (Range){ total.low - (sum.high - own.high), total.high - (sum.low - own.low) });
                if (left.high - left.low + 1 < (double)least) least = (int64_t)(left.high - left.low + 1);
            }
        }
    }
    return least;
}

/* ---- what is published ---- */

/* NaN: suppressed. Totals of rounded counts are sums of what is published in their row; totals of columns are rounded themselves. */
static double published(const args *a, const Counts *c, int64_t v, int32_t code, int64_t column) {
    const int64_t cell = c->cell[v][code * c->columns + column];
    if (a->method == SUPPRESS) return cell < 0 ? 0 : c->m.status[cell] == CELL_OPEN ? c->m.value[cell] : NAN;
    if (!c->by || column != c->total_column) return midpoint(count_at(c, v, code * c->columns + column), a->base);
    double sum = 0;
    for (int64_t j = 0; j < c->columns; j++)
        if (j != column) sum += midpoint(count_at(c, v, code * c->columns + j), a->base);
    return sum;
}

/* "12 (34.3%)": the percentage is made of published counts alone, and left out where its total is not published. */
static const char *cell_text(Work *work, const args *a, const Counts *c, int64_t v, int32_t code, int64_t column) {
    char number[33], text[96];
    const Dimension *dim = variable(a, c, v);
    const double count = published(a, c, v, code, column);
    if (isnan(count)) return a->mark;
    const int32_t total = total_code(dim, c->m.structure.total);
    const double whole = a->percent == PERCENT_ROW ? published(a, c, v, code, c->total_column) : published(a, c, v, total, column);
    snprintf(text, sizeof text, "%s", real_text(count, number));
    if (a->percent != PERCENT_NONE && whole > 0 && (a->percent == PERCENT_ROW ? column != c->total_column : code != total)) {
        const size_t length = strlen(text);
        double share = 100 * count / whole;
        snprintf(text + length, sizeof text - length, " (%.*f%%)", (int)a->digits, share > 100 ? 100 : share);
    }
    return arena_text(work->arena, text);
}

typedef struct Rows {
    int64_t count;
    int64_t *var;
    int32_t *code;
} Rows;

/* The total first, once, then the codes of each variable. */
static Status list_rows(Work *work, const args *a, const Counts *c, Rows *rows) {
    Status status = OK;
    int64_t most = 1;
    for (int64_t v = 0; v < c->vars; v++) most += variable(a, c, v)->codes;
    NEW(work, rows->var, most);
    NEW(work, rows->code, most);
    for (int64_t v = 0; v < c->vars; v++) {
        const Dimension *dim = variable(a, c, v);
        const int32_t total = total_code(dim, c->m.structure.total);
        for (int32_t k = -1; k < dim->codes; k++) {
            const int32_t code = k < 0 ? total : k;
            if (k == total || (k < 0 && v)) continue;
            rows->var[rows->count] = v;
            rows->code[rows->count++] = code;
        }
    }
done:
    return status;
}

static Status column_of(Work *work, const char *name, const char **cells, int64_t rows, Column **out) {
    return column_text(name, cells, rows, out, work->error);
}

static Status table_of(Work *work, const args *a, const Counts *c, const Rows *rows, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    const char **cells = NULL;
    int64_t n = 0;
    NEW(work, columns, c->columns + 3);
    NEW(work, cells, rows->count + 1);
    for (int64_t r = 0; r < rows->count; r++) cells[r] = r ? variable(a, c, rows->var[r])->name : c->m.structure.total;
    TRY(column_of(work, "variable", cells, rows->count, &columns[n++]));
    for (int64_t r = 0; r < rows->count; r++) cells[r] = variable(a, c, rows->var[r])->code[rows->code[r]];
    TRY(column_of(work, "value", cells, rows->count, &columns[n++]));
    for (int64_t k = 0; k < c->columns; k++) { /* the total stands last */
        const int64_t j = c->by && k == c->columns - 1 ? c->total_column : k + (c->by && k >= c->total_column);
        for (int64_t r = 0; r < rows->count; r++)
            if (!(cells[r] = cell_text(work, a, c, rows->var[r], rows->code[r], j))) TRY(out_of_memory(work->error));
        const char *name = c->by ? c->by->code[j] : c->m.structure.total;
        if (!strcmp(name, "variable") || !strcmp(name, "value")) name = arena_print(work->arena, "%s=%s", c->by->name, name);
        TRY(column_of(work, name, cells, rows->count, &columns[n++]));
    }
    TRY(table_new(a->data->name, columns, n, rows->count, out, work->error));
done:
    for (int64_t i = 0; columns && i < n; i++) column_release(columns[i]);
    return status;
}

static Status lay_out(Work *work, const args *a, const Rows *rows, const char *note, Table *table) {
    Status status = OK;
    DisplayLayout layout = { .sides = 2, .mark = a->method == SUPPRESS ? a->mark : "", .note = note };
    NEW(work, layout.depth, 2 * rows->count + 1);
    for (int64_t r = 0; r < rows->count; r++) layout.depth[rows->count + r] = (uint8_t)(r > 0);
    TRY(display_layout_give(&layout, table, work->error));
done:
    return status;
}

static Status give_table(Run *run, const args *a, const Counts *c, const char *note) {
    Status status = OK;
    Work *work = &run->work;
    Rows rows = { 0 };
    Table *table = NULL, *shown = NULL;
    TRY(list_rows(work, a, c, &rows));
    TRY(table_of(work, a, c, &rows, &table));
    TRY(table_without(table, NULL, 0, &shown, work->error));
    TRY(lay_out(work, a, &rows, note, table));
    TRY(lay_out(work, a, &rows, note, shown));
    result_table(run->result, "table", shown);
    result_output(run->result, table);
    shown = table = NULL;
done:
    table_release(table);
    table_release(shown);
    return status;
}

static Status refuse_narrow(Run *run, const args *a, int64_t narrowest) {
    if (narrowest > 1) return OK;
    fail(run->work.error, REFUSED,
         a->totals_known ? "a reader who knows the total of a column can compute a count from the rounded ones"
                         : "a count can be computed from the rounded ones");
    error_parameter(run->work.error, "base");
    return error_advice(run->work.error, "Use a base above %lld, fewer values, or --method suppress.", (long long)a->base);
}

static Status small_counts_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    Table *table = NULL;
    Counts c = { 0 }, before = { 0 };
    int64_t small = 0, hidden = 0;
    char threshold[33];
    const char *note;
    if (a->by)
        for (int64_t v = 0; v < a->vars.count; v++)
            if (a->vars.at[v] == a->by) TRY(fail(work->error, BAD, "'%s' is in --vars and in --by", a->by->name));
    TRY(count_records(run, a, &table));
    TRY(place_counts(work, a, table, &before));
    for (int64_t i = 0; i < before.m.seen; i++) small += before.m.value[i] > 0 && before.m.value[i] < (double)a->threshold;
    snprintf(threshold, sizeof threshold, "%lld", (long long)a->threshold);
    if (a->method == SUPPRESS) {
        TRY(chain(run, "tabular.primary", "threshold", threshold, &table));
        TRY(chain(run, "tabular.suppress", NULL, NULL, &table));
        TRY(place_counts(work, a, table, &c));
        for (int64_t i = 0; i < c.m.seen; i++) hidden += c.m.status[i] != CELL_OPEN;
        note = arena_print(work->arena, "%s: suppressed, because the count is below %s or protects such a count.", a->mark, threshold);
    } else {
        c = before;
        const int64_t narrowest = narrowest_range(a, &c);
        TRY(refuse_narrow(run, a, narrowest));
        if (narrowest < INT64_MAX) result_integer(run->result, "narrowest", narrowest);
        note =
            arena_print(work->arena, "Counts are rounded to the midpoints of intervals of %lld. Totals of rows are sums of rounded counts.",
                        (long long)a->base);
    }
    if (!note) TRY(out_of_memory(work->error));
    result_integer(run->result, "cells", before.m.seen);
    result_integer(run->result, "small", small);
    if (a->method == SUPPRESS) result_integer(run->result, "suppressed", hidden);
    result_note(run->result, "%s", note);
    if (a->percent != PERCENT_NONE)
        result_note(run->result, "Percentages are computed from the published counts, so they disclose no more than the counts.");
    TRY(give_table(run, a, &c, a->method == MIDPOINT || hidden ? note : NULL));
done:
    table_release(table);
    return status;
}

const Method tabular_small_counts = {
    .group = "tabular",
    .name = "small-counts",
    .summary = "Small-count protection of a summary table: suppression or midpoint rounding of counts and percentages",
    .source = "Hundepool et al. 2012",
    .params = params,
    .size = sizeof(args),
    .run = small_counts_run,
    .values = values,
    .example = "scrim tabular small-counts examples/clinic.csv --vars sex,education,smoker --by region --threshold 5",
};
