/* Local suppression to k-anonymity: the fewest blanks after which every released key tuple is shared by k people. Defined after Willenborg &
 * de Waal 1996; Samarati & Sweeney 1998: docs/methods/protect-suppress.md. */
#include "base/number_text.h"
#include "classes/strata.h"
#include "method/parts.h"
#include "protect/suppress/household.h"

typedef struct {
    const Table *data;
    Columns keys;
    int64_t k;
    Columns importance;
    Texts combinations;
    Columns strata;
    const Column *household, *person;
    double time_limit;
    unsigned effort;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    INT(args, k, 3, 2, 1000000000, "k: people who must share each released combination of the keys. Larger is safer"),
    COLUMNS(args, importance, data, "Keys in order of importance: the first is suppressed last"),
    TEXTS(args, combinations,
          "Combinations of keys to protect instead of all keys together: 2 (all pairs), 3:5 (all triples with k = 5), sex+age:10"),
    COLUMNS(args, strata, data, "Columns: k must be reached within each of their groups"),
    COLUMN(args, household, data, "Household number: a key that all members share is suppressed for all of them or none"),
    PERSON(args, data),
    REAL(args, time_limit, NAN, 0, 1e9, "Time limit in seconds for the search for fewer cells and a better bound", .flags = EXCLUSIVE),
    CHOICE(args, effort, "thorough",
           "Search for fewer cells and a better bound: thorough, or quick, with a few percent more cells in a small part of the time",
           WORDS("thorough", "quick")),
    END,
};

static const Return values[] = {
    VALUE(cells, INTEGER, "Cells suppressed by this run", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records with a cell suppressed by this run", .flags = PUBLIC),
    VALUE(unsafe, INTEGER, "Records that were unsafe before: fewer than k people shared their keys (or a combination of them)",
          .flags = PUBLIC),
    VALUE(lower_bound, INTEGER, "Proven lower bound: any suppression that reaches k needs at least so many cells", .flags = PUBLIC),
    VALUE(gap, REAL, "(cells − lower_bound)/cells, 0 to 1: largest share of the suppressed cells that could be saved; 0 = proven optimal",
          .flags = PUBLIC),
    VALUE(k, INTEGER, "Size of the smallest equivalence class after suppression (or of the smallest combination asked for), in people",
          .flags = PUBLIC | MORE),
    TABLE_OUT(suppressed, "key:text cells:integer share:real", "Cells suppressed by this run, by key", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

enum { DEAREST = 1 << 20 };

static void show_keys(Run *run, const args *a, const uint64_t *blank) {
    int64_t rows = a->data->rows;
    Grid *grid = grid_new(run->result, "suppressed", "key:text cells:integer share:real");
    double *bars = NULL;
    const char **names = NULL;
    bool room = !arena_array(run->work.arena, a->keys.count, sizeof *bars, &bars, NULL) &&
                !arena_array(run->work.arena, a->keys.count, sizeof *names, &names, NULL);
    for (int64_t key = 0; key < a->keys.count; key++) {
        int64_t cells = 0;
        for (int64_t i = 0; i < rows; i++) cells += blank[i] >> key & 1 ? work_times(&run->work, i) : 0;
        grid_text(grid, a->keys.at[key]->name);
        grid_integer(grid, cells);
        grid_real(grid, rows ? (double)cells / (double)work_records(&run->work, rows) : 0);
        if (!room) continue;
        bars[key] = (double)cells;
        names[key] = a->keys.at[key]->name;
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Cells suppressed in each key", "key", "cells");
    chart_of(chart, "suppressed");
    if (room) chart_series(chart, "cells", a->keys.count, NULL, bars, NULL, names);
}

typedef struct {
    int64_t cells, records, unsafe, lower_bound, k;
} Outcome;

/* Prices of blanks: a key that is named costs more than all lesser keys together. */
static Status make_prices(Work *work, const args *a, int64_t **out) {
    Status status = OK;
    int64_t price = a->keys.count - a->importance.count + 1;
    NEW(work, *out, a->keys.count + 1);
    for (int64_t key = 0; key < a->keys.count; key++) (*out)[key] = 1;
    for (int64_t i = a->importance.count - 1; i >= 0; i--) {
        int64_t key = 0;
        while (key < a->keys.count && a->keys.at[key] != a->importance.at[i]) key++;
        if (key == a->keys.count) {
            fail(work->error, BAD, "names '%s', which is not among the keys", a->importance.at[i]->name);
            return error_parameter(work->error, "importance");
        }
        (*out)[key] = price;
        if (price < DEAREST) price *= 2;
    }
    if (a->household) TRY(household_prices(work, a->keys, a->household, *out));
done:
    return status;
}

/* Records that too few people share a combination of. */
static Status count_unsafe(Work *work, const Request *request, const Combinations *combinations, int64_t *out) {
    Status status = OK;
    int64_t rows = request->keys.at[0]->rows;
    bool *unsafe = NULL;
    NEW(work, unsafe, rows + 1);
    for (int64_t c = 0; c < combinations->count; c++) {
        Classes classes;
        int64_t *people = NULL;
        TRY(suppress_classes(work, request, combinations->at[c].keys, &classes, &people));
        for (int64_t i = 0; i < rows; i++) unsafe[i] |= people[classes.of[i]] < combinations->at[c].k;
    }
    *out = 0;
    for (int64_t i = 0; i < rows; i++) *out += unsafe[i] ? work_times(work, i) : 0;
done:
    arena_drop(work->arena, unsafe);
    return status;
}

/* What the release is, is counted on it: k is checked and not believed. */
static Status check_release(Work *work, const Request *request, const Combinations *combinations, const Table *released, int64_t *out) {
    Status status = OK;
    Request now = *request;
    now.keys = (Columns){ .count = request->keys.count };
    NEW(work, now.keys.at, request->keys.count + 1);
    for (int64_t key = 0; key < request->keys.count; key++) now.keys.at[key] = table_column(released, request->keys.at[key]->name);
    *out = INT64_MAX;
    for (int64_t c = 0; c < combinations->count; c++) {
        Classes classes;
        int64_t *people = NULL;
        TRY(suppress_classes(work, &now, combinations->at[c].keys, &classes, &people));
        for (int64_t i = 0; i < classes.count; i++) {
            if (people[i] < *out) *out = people[i];
            if (people[i] < combinations->at[c].k)
                TRY(fail(work->error, FAILED, "a class of the release has %lld people: this is a fault in scrim", (long long)people[i]));
        }
    }
done:
    return status;
}

/* What a household shares is blanked for all of it, which can leave a tuple too small: again, until nothing is added. */
static Status choose_cells(Run *run, const args *a, Request *request, const Combinations *combinations, uint64_t *blank, Outcome *out) {
    Status status = OK;
    int64_t later;
    bool any = a->household != NULL;
    if (any) request->effort /= 4;
    TRY(suppress_combinations(&run->work, request, combinations, blank, &out->lower_bound));
    while (any) {
        TRY(household_extend(&run->work, a->keys, a->household, blank, &any));
        if (any) TRY(suppress_combinations(&run->work, request, combinations, blank, &later));
    }
    for (int64_t i = 0; i < a->data->rows; i++) {
        out->cells += __builtin_popcountll(blank[i]) * work_times(&run->work, i);
        out->records += blank[i] ? work_times(&run->work, i) : 0;
    }
    if (out->lower_bound > out->cells) out->lower_bound = out->cells;
done:
    return status;
}

static void show_values(Run *run, const args *a, const Outcome *o, bool late) {
    Result *result = run->result;
    result_integer(result, "cells", o->cells);
    result_integer(result, "records", o->records);
    result_integer(result, "unsafe", o->unsafe);
    result_integer(result, "lower_bound", o->lower_bound);
    result_real(result, "gap", o->cells ? (double)(o->cells - o->lower_bound) / (double)o->cells : 0);
    if (a->data->rows) result_integer(result, "k", o->k);
    else result_null(result, "k", "The table has no records.");
    result_note(result, "%s", missing_rule_note(CATEGORY_RULE));
    if (late) result_note(result, "The time limit was reached: fewer cells may do, and the bound is the one proven by then.");
}

static Status suppress_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Combinations combinations;
    uint64_t *blank = NULL;
    int64_t *price = NULL;
    Table *released = NULL;
    Outcome outcome = { 0 };
    TRY(combinations_make(&run->work, a->keys, &a->combinations, a->k, &combinations));
    TRY(make_prices(&run->work, a, &price));
    Request request = { .keys = a->keys,
                        .strata = a->strata,
                        .person = a->person,
                        .price = price,
                        .deadline = isnan(a->time_limit) ? 0 : work_seconds() + a->time_limit,
                        .effort = a->effort ? SUPPRESS_QUICK : SUPPRESS_EFFORT,
                        .bound = a->effort ? SUPPRESS_QUICK : SUPPRESS_BOUND };
    NEW(&run->work, blank, a->data->rows + 1);
    TRY(count_unsafe(&run->work, &request, &combinations, &outcome.unsafe));
    TRY(choose_cells(run, a, &request, &combinations, blank, &outcome));
    TRY(suppress_apply(&run->work, a->data, a->keys, blank, &released));
    TRY(check_release(&run->work, &request, &combinations, released, &outcome.k));
    show_values(run, a, &outcome, request.deadline > 0 && work_seconds() > request.deadline);
    show_keys(run, a, blank);
    result_output(run->result, released);
    released = NULL;
done:
    table_release(released);
    return status;
}

static const char *suppress_whole(const void *p) {
    const args *a = p;
    if (a->household) return "--household blanks what its members have in common";
    if (a->person) return "--person counts the people of all records";
    return isnan(a->time_limit) ? NULL : "the result within --time-limit depends on the machine";
}
static int64_t suppress_rows(const void *p) {
    const args *a = p;
    return a->household || a->person ? 0 : suppress_apart(combinations_most(&a->combinations, a->k), a->keys.count);
}
static const InParts in_parts = { .shape = BY_CLASS, .whole = suppress_whole, .apart = suppress_rows };

const Method protect_suppress = {
    .group = "protect",
    .name = "suppress",
    .summary = "Local suppression: suppress as few cells as possible to reach k-anonymity, with a proven lower bound",
    .source = "Willenborg & de Waal 1996; Samarati & Sweeney 1998",
    .params = params,
    .size = sizeof(args),
    .traits = BY_PERSON | IDENTITY,
    .run = suppress_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect suppress examples/clinic.csv --keys sex,age,region,education --k 3 --importance sex,region"
};
