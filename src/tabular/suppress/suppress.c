/* Complementary suppression: further cells hidden until no primary cell can be computed more closely than its protection allows. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "method/method.h"
#include "tabular/suppress/optimal.h"

typedef struct {
    const Table *table;
    enum { OPTIMAL, HEURISTIC } method;
    enum { BY_VALUE, BY_COUNT, BY_ONE, BY_LOG } cost;
    double time_limit;
    const Table *keep, *previous;
    bool no_singletons;
    const char *total_code;
} args;

static const Param params[] = {
    TABLE(args, table, "The table of cells, with its primary cells marked", .flags = REQUIRED | POSITIONAL),
    CHOICE(args, method, "heuristic", "optimal: the cheapest pattern, proven; heuristic: a good one, for large tables", WORDS("optimal", "heuristic")),
    CHOICE(args, cost, "value", "What hiding a cell costs: its value, its count of contributors, one, or the logarithm of its value", WORDS("value", "count", "one", "log")),
    REAL(args, time_limit, ABSENT, 0, INFINITY, "Seconds after which optimal gives the best pattern so far, with its gap", .flags = EXCLUSIVE),
    TABLE(args, keep, "Cells that must stay open: a table with the same dimensions (or cell)"),
    TABLE(args, previous, "An earlier edition of the table with its status: cells that were hidden then cost a tenth, so that patterns stay alike"),
    FLAG(args, no_singletons, "Protect against outsiders alone, not against contributors who are alone in a cell and know it"),
    TEXT(args, total_code, "Total", "The code of a margin, where the table has no structure beside it"),
    END };
static const char *const values[] = {
    "primary", "Primary cells",
    "secondary", "Cells hidden beside them",
    "cost", "What hiding these costs",
    "lower_bound", "No safe pattern costs less, as far as was proven",
    "gap", "(cost − lower_bound) / cost",
    "exposed", "Primary cells for which protection was not proven: 0, or nothing is given out",
    "levels", "Cells and values lost, by how many dimensions of the cell are totals",
    NULL };

static Status costs(Work *work, const args *a, const Model *m, double **out) {
    Status status = OK;
    if (a->cost == BY_COUNT && !m->count) { fail(work->error, BAD, "the table has no column 'count'"); TRY(error_parameter(work->error, "cost")); }
    NEW(work, *out, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++) {
        double v = fabs(m->value[i]);
        double c = a->cost == BY_VALUE ? v : a->cost == BY_COUNT ? m->count[i] : a->cost == BY_LOG ? log1p(v) : 1;
        (*out)[i] = isnan(c) || c <= 0 ? 1 : c;
    }
done:
    return status;
}

static Status suppress_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    Model m;
    Pattern pattern = { 0 };
    double *cost;
    int32_t *sole = NULL, soles = 0, first;
    int64_t secondary;
    Table *table = NULL;
    uint8_t *at = NULL;
    TRY(model_make(work, a->table, a->total_code, &m));
    TRY(costs(work, a, &m, &cost));
    if (!a->no_singletons) TRY(model_sole(work, &m, &sole, &soles));
    TRY(pattern_make(work, &m, cost, NULL, sole, soles, &pattern));
    TRY(pattern_protect(&pattern));
    double before = pattern_cost(&pattern, &secondary);
    fprintf(stderr, "greedy %g %d pushes %d\n", before, (int)secondary, (int)pattern.pushes);
    TRY(pattern_improve(&pattern, 5));
    double total = pattern_cost(&pattern, &secondary);
    fprintf(stderr, "improved %g %d pushes %d\n", total, (int)secondary, (int)pattern.pushes);
    double lower = NAN;
    if (a->method == OPTIMAL) { TRY(pattern_optimal(&pattern, isnan(a->time_limit) ? 0 : a->time_limit, &lower)); total = pattern_cost(&pattern, &secondary); result_real(run->result, "lower_bound", lower); }
    result_integer(run->result, "secondary", secondary);
    result_real(run->result, "cost", total);
    result_integer(run->result, "exposed", pattern_exposed(&pattern, &first));
    NEW(work, at, m.cells + 1);
    for (int64_t i = 0; i < m.cells; i++) at[i] = m.status[i] == CELL_PRIMARY ? CELL_PRIMARY : pattern.hidden[i] ? CELL_SECONDARY : CELL_OPEN;
    TRY(model_table(work, &m, at, true, &table));
    result_output(run->result, table);
    table = NULL;
done:
    pattern_free(&pattern);
    table_release(table);
    return status;
}

const Method tabular_suppress = {
    .group = "tabular", .name = "suppress", .summary = "Hide further cells, so that no primary cell can be computed too closely", .source = "Fischetti & Salazar 2001; Kelly, Golden & Assad 1992",
    .params = params, .size = sizeof(args), .run = suppress_run, .values = values, .traits = ATTRIBUTE | UNAUDITED, .headline = "-cost",
    .example = "scrim tabular suppress examples/table.csv" };
