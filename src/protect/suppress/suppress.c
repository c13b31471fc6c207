/* Local suppression to k-anonymity: blank as few cells as possible. */
#include "method/method.h"
#include "base/number.h"
#include "protect/suppress/household.h"

typedef struct {
    const Table *data;
    Columns keys;
    int64_t k;
    Columns importance;
    Texts combinations;
    Columns strata;
    const Column *household;
    bool fewest;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    INT(args, k, 3, 2, 1000000000, "How many records must share each record's keys"),
    COLUMNS(args, importance, data, "Keys to spare, the most important first: they are blanked only where no other key will do"),
    TEXTS(args, combinations, "Combinations to make safe instead of all keys at once: 2 (all pairs), 3:5 (all triples, k = 5), sex+age:10"),
    COLUMNS(args, strata, data, "Columns within whose groups k must hold"),
    COLUMN(args, household, data, "Household: a key that all its members share is blanked for all of them or none"),
    FLAG(args, fewest, "Let unsafe records stay whole where the blanks of others raise their count to k: fewer cells by the letter of the wildcard rule, and weaker protection"),
    END };

static const Return values[] = {
    VALUE(cells, INTEGER, "Cells newly blanked", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records with a cell newly blanked", .flags = PUBLIC),
    VALUE(unsafe, INTEGER, "Records that shared their keys (or a combination) with fewer than k before", .flags = PUBLIC),
    VALUE(lower_bound, INTEGER, "Cells that any suppression by this rule takes: proven", .flags = PUBLIC),
    VALUE(gap, REAL, "(cells − lower_bound)/cells: how much too many there can be; 0 = proven least", .flags = PUBLIC),
    VALUE(k, INTEGER, "The least number of records that now agree with a record", .flags = PUBLIC),
    TABLE_OUT(suppressed, "key:text cells:integer share:real", "Cells newly blanked in each key", .flags = PUBLIC),
    OUTPUT("The protected table"),
    END };

static int64_t bits(uint64_t set) { return __builtin_popcountll(set); }

static void show_keys(Run *run, const args *a, const uint64_t *blank) {
    int64_t rows = a->data->rows;
    Grid *grid = grid_new(run->result, "suppressed", "key:text cells:integer share:real");
    double *bars = NULL;
    const char **names = NULL;
    bool room = !arena_array(run->work.arena, a->keys.count, sizeof *bars, &bars, NULL) && !arena_array(run->work.arena, a->keys.count, sizeof *names, &names, NULL);
    for (int64_t key = 0; key < a->keys.count; key++) {
        int64_t cells = 0;
        for (int64_t i = 0; i < rows; i++) cells += blank[i] >> key & 1;
        grid_text(grid, a->keys.at[key]->name);
        grid_integer(grid, cells);
        grid_real(grid, rows ? (double)cells / (double)rows : 0);
        if (!room) continue;
        bars[key] = (double)cells;
        names[key] = a->keys.at[key]->name;
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Cells blanked in each key", "key", "cells");
    chart_of(chart, "suppressed");
    if (room) chart_series(chart, "cells", a->keys.count, NULL, bars, NULL, names);
}

/* Counts again, on what is released: the promise is checked, not believed. */
static Status least_agreeing(Work *work, const Problem *p, const Table *released, Columns keys, Columns strata, int64_t *out) {
    Status status = OK;
    Columns now = { .count = keys.count };
    Problem after;
    NEW(work, now.at, keys.count);
    for (int64_t key = 0; key < keys.count; key++) now.at[key] = table_column(released, keys.at[key]->name);
    TRY(problem_make(work, now, strata, &p->combinations, NULL, false, &after));
    if (after.unsafe) TRY(fail(work->error, FAILED, "%lld records would still be unsafe: this is a fault in scrim", (long long)after.unsafe));
    int64_t *f = NULL;
    NEW(work, f, after.tuples.count);
    *out = INT64_MAX;
    for (int64_t c = 0; c < p->combinations.count; c++) {
        TRY(tuples_agreeing(work, &after.tuples, p->combinations.at[c].keys | after.stratum, false, f, NULL));
        for (int64_t i = 0; i < after.tuples.count; i++)
            if (f[i] < *out) *out = f[i];
    }
done:
    return status;
}

static void show_values(Run *run, const args *a, const Problem *p, const uint64_t *blank, int64_t k) {
    int64_t cells = 0, records = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        cells += bits(blank[i]);
        records += blank[i] != 0;
    }
    result_integer(run->result, "cells", cells);
    result_integer(run->result, "records", records);
    result_integer(run->result, "unsafe", p->unsafe);
    result_integer(run->result, "lower_bound", p->lower_bound);
    result_real(run->result, "gap", cells ? (double)(cells - p->lower_bound) / (double)cells : 0);
    if (p->rows) result_integer(run->result, "k", k);
    else result_null(run->result, "k", "The table has no records.");
    result_note(run->result, "Missing keys: wildcard. A missing or blanked key agrees with every value, before and after.");
    result_note(run->result, "Only unsafe records lose cells, and none more than would make it safe alone. %s%s. The bound is for such suppressions.",
                a->fewest ? "One that the blanks of others have made safe stays whole, and is protected by nothing else" : "Every unsafe record loses at least one key of its own",
                !a->fewest && a->combinations.count ? " in each combination that is too rare" : "");
    if (a->household) result_note(run->result, "Household: where all members share the value of a key, it is blanked for all of them; the bound does not count on that.");
}

static Status suppress_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Combinations combinations;
    Problem problem;
    uint64_t *blank = NULL;
    Table *released = NULL;
    int64_t k = 0;
    TRY(combinations_make(&run->work, a->keys, &a->combinations, a->k, &combinations));
    TRY(problem_make(&run->work, a->keys, a->strata, &combinations, &a->importance, !a->fewest, &problem));
    NEW(&run->work, blank, problem.rows);
    if (a->household) TRY(household_order(&run->work, a->keys, a->household, &a->importance, &problem));
    TRY(suppress_cells(&run->work, &problem, blank));
    if (a->household) TRY(household_extend(&run->work, a->keys, a->household, blank));
    TRY(suppress_apply(&run->work, a->data, a->keys, blank, &released));
    TRY(least_agreeing(&run->work, &problem, released, a->keys, a->strata, &k));
    show_values(run, a, &problem, blank, k);
    show_keys(run, a, blank);
    result_output(run->result, released);
    released = NULL;
done:
    table_release(released);
    return status;
}

const Method protect_suppress = {
    .group = "protect", .name = "suppress", .summary = "Blank as few cells as possible so that every record shares its keys with k records",
    .source = "Willenborg & de Waal 1996; Templ et al. 2015", .params = params, .size = sizeof(args), .traits = IDENTITY, .run = suppress_run, .values = values,
    .example = "scrim protect suppress examples/clinic.csv --keys sex,age,region,education --k 3 --importance sex,region" };
