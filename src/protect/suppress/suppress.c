/* Local suppression to k-anonymity: blank as few cells as possible. Defined after Willenborg & de Waal 1996; Templ et al. 2015:
 * docs/methods/protect-suppress.md. */
#include "base/number_text.h"
#include "method/parts.h"
#include "protect/suppress/hide.h"
#include "protect/suppress/household.h"

typedef struct {
    const Table *data;
    Columns keys;
    int64_t k;
    Columns importance;
    Texts combinations;
    Columns strata;
    const Column *household;
    unsigned side;
    bool fewest;
    double time_limit;
} args;
enum { RELEASED, INTRUDER, BOTH };

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    INT(args, k, 3, 2, 1000000000, "How many records must share each record's keys"),
    COLUMNS(args, importance, data, "Keys to spare, the most important first: they are blanked only where no other key will do"),
    TEXTS(args, combinations, "Combinations to make safe instead of all keys at once: 2 (all pairs), 3:5 (all triples, k = 5), sex+age:10"),
    COLUMNS(args, strata, data, "Columns within whose groups k must hold"),
    COLUMN(args, household, data, "Household: a key that all its members share is blanked for all of them or none"),
    CHOICE(args, side, "both",
           "Whose count must reach k: released, how many released records agree with a record; intruder, how many candidates a person's "
           "true keys leave; both",
           WORDS("released", "intruder", "both")),
    FLAG(args, fewest,
         "Let unsafe records stay whole where the blanks of others raise their count to k: fewer cells by the letter of the wildcard rule, "
         "and weaker protection"),
    ONLY_IF("fewest", "side", "released"),
    REAL(args, time_limit, NAN, 0, 1e9,
         "Seconds after which no more is spent on fewer cells or a better bound: who is unsafe by then loses keys in the simplest way",
         .flags = EXCLUSIVE),
    END,
};

static const Return values[] = {
    VALUE(cells, INTEGER, "Cells newly blanked", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records with a cell newly blanked", .flags = PUBLIC),
    VALUE(unsafe, INTEGER, "Records that shared their keys (or a combination) with fewer than k before", .flags = PUBLIC),
    VALUE(one_candidate, INTEGER, "People whom an intruder who knows their true keys found before: one candidate", .flags = PUBLIC),
    VALUE(lower_bound, INTEGER, "Cells that any suppression by this rule takes: proven", .flags = PUBLIC),
    VALUE(gap, REAL, "(cells − lower_bound)/cells: how much too many there can be; 0 = proven least", .flags = PUBLIC),
    VALUE(k, INTEGER, "The smaller of the two sides now; of the released side alone with --side released", .flags = PUBLIC),
    VALUE(k_released, INTEGER, "The least number of records that now agree with a record", .flags = PUBLIC),
    VALUE(k_intruder, INTEGER, "The least number of candidates that a person's true keys now leave", .flags = PUBLIC),
    TABLE_OUT(suppressed, "key:text cells:integer share:real", "Cells newly blanked in each key", .flags = PUBLIC),
    OUTPUT("The protected table"),
    END,
};

static int64_t bits(uint64_t set) { return __builtin_popcountll(set); }

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
    Chart *chart = result_chart(run->result, CHART_BAR, "Cells blanked in each key", "key", "cells");
    chart_of(chart, "suppressed");
    if (room) chart_series(chart, "cells", a->keys.count, NULL, bars, NULL, names);
}

typedef struct {
    int64_t cells, records, unsafe, lower_bound, one, released, intruder;
} Outcome;

/* Counts again, on what is released: the promise is checked, not believed. */
static Status least_agreeing(Work *work, const Problem *p, const Table *released, Columns keys, Columns strata, int64_t *out) {
    Status status = OK;
    Columns now = { .count = keys.count };
    Problem after;
    NEW(work, now.at, keys.count);
    for (int64_t key = 0; key < keys.count; key++) now.at[key] = table_column(released, keys.at[key]->name);
    TRY(problem_make(work, now, strata, &p->combinations, NULL, false, &after));
    if (after.unsafe)
        TRY(fail(work->error, FAILED, "%lld records would still be unsafe: this is a fault in scrim", (long long)after.unsafe));
    int64_t *f = NULL;
    NEW(work, f, after.tuples.count);
    *out = INT64_MAX;
    for (int64_t c = 0; c < p->combinations.count; c++) {
        TRY(wildcard_frequencies(work, &after.tuples, p->combinations.at[c].keys | after.stratum, false, f, NULL));
        for (int64_t i = 0; i < after.tuples.count; i++)
            if (f[i] < *out) *out = f[i];
    }
done:
    return status;
}

static void say_released(Run *run, const args *a, bool late) {
    result_note(run->result, "Missing keys: wildcard. A missing or blanked key agrees with every value, before and after. This is the "
                             "released side alone: an intruder who knows true keys may find people all the same (--side both).");
    result_note(run->result, "Only unsafe records lose cells%s. %s%s. The bound is for such suppressions.",
                late ? "" : ", and none more than would make it safe alone",
                a->fewest ? "One that the blanks of others have made safe stays whole, and is protected by nothing else"
                          : "Every unsafe record loses at least one key of its own",
                !a->fewest && a->combinations.count ? " in each combination that is too rare" : "");
}

static void say_intruder(Run *run) {
    result_note(run->result,
                "Missing keys: category before (a missing answer is an answer). Afterwards everyone's true keys equal k released records, "
                "or none and then fit k: an intruder who knows them is left with k candidates or more. With blanks alone the "
                "released side follows.");
    result_note(run->result,
                "The promise counts candidates. It does not weigh them: a candidate that kept more keys is the likelier one, and whoever "
                "knows this method and k can reason about why a cell was blanked (minimality attacks are not covered).");
}

static void show_values(Run *run, const args *a, const Outcome *o, bool late) {
    Result *result = run->result;
    result_integer(result, "cells", o->cells);
    result_integer(result, "records", o->records);
    result_integer(result, "unsafe", o->unsafe);
    if (a->side != RELEASED) result_integer(result, "one_candidate", o->one);
    result_integer(result, "lower_bound", o->lower_bound);
    result_real(result, "gap", o->cells ? (double)(o->cells - o->lower_bound) / (double)o->cells : 0);
    if (!a->data->rows) result_null(result, "k", "The table has no records.");
    else {
        result_integer(result, "k", a->side == RELEASED || o->released < o->intruder ? o->released : o->intruder);
        result_integer(result, "k_released", o->released);
        result_integer(result, "k_intruder", o->intruder);
    }
    if (a->side == RELEASED) say_released(run, a, late);
    else say_intruder(run);
    if (a->household)
        result_note(
            result,
            "Household: where all members share the value of a key, it is blanked for all of them; the bound does not count on that.");
}

static void count_cells(const Problem *p, const uint64_t *blank, Outcome *out) {
    out->cells = out->records = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        out->cells += problem_times(p, i) * bits(blank[i]);
        out->records += blank[i] ? problem_times(p, i) : 0;
    }
}

static Status choose_cells(Run *run, const args *a, Problem *p, uint64_t *blank, Outcome *out) {
    Status status = OK;
    Hidden hidden;
    int64_t cells = -1;
    if (a->household) TRY(household_order(&run->work, a->keys, a->household, &a->importance, p));
    if (a->side == RELEASED) {
        TRY(suppress_cells(&run->work, p, blank));
        if (a->household) TRY(household_extend(&run->work, a->keys, a->household, blank));
        out->unsafe = p->unsafe;
        out->lower_bound = p->lower_bound;
    }
    for (bool first = true; a->side != RELEASED && out->cells != cells;
         first = false) { /* what a household loses together can leave a class too small: again */
        TRY(hide_cells(&run->work, p, blank, &hidden));
        if (first) *out = (Outcome){ .unsafe = hidden.unsafe, .one = hidden.one, .lower_bound = hidden.lower_bound };
        count_cells(p, blank, out);
        cells = out->cells;
        if (a->household) TRY(household_extend(&run->work, a->keys, a->household, blank));
        count_cells(p, blank, out);
    }
    count_cells(p, blank, out);
done:
    return status;
}

static Status suppress_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Combinations combinations;
    Problem problem, again;
    uint64_t *blank = NULL;
    Table *released = NULL;
    Outcome outcome = { 0 };
    Hidden hidden;
    TRY(combinations_make(&run->work, a->keys, &a->combinations, a->k, &combinations));
    TRY(problem_make(&run->work, a->keys, a->strata, &combinations, &a->importance, !a->fewest, &problem));
    problem.deadline = isnan(a->time_limit) ? 0 : work_seconds() + a->time_limit;
    NEW(&run->work, blank, problem.rows);
    TRY(choose_cells(run, a, &problem, blank, &outcome));
    const bool late = problem_late(&problem);
    TRY(suppress_apply(&run->work, a->data, a->keys, blank, &released));
    TRY(least_agreeing(&run->work, &problem, released, a->keys, a->strata, &outcome.released));
    TRY(problem_make(&run->work, a->keys, a->strata, &combinations, &a->importance, !a->fewest,
                     &again)); /* suppress_cells splits its problem */
    TRY(hide_count(&run->work, &again, blank, &hidden));
    outcome.intruder = hidden.k;
    show_values(run, a, &outcome, late);
    if (late)
        result_note(run->result,
                    "The time limit was reached: fewer cells may do than were blanked, and the bound is the one proven by then.");
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
    return isnan(a->time_limit) ? NULL : "what is found within --time-limit is not the same wherever it is run";
}
static int64_t suppress_rows(const void *p) {
    const args *a = p;
    return a->household ? 0 : suppress_apart(combinations_most(&a->combinations, a->k), a->keys.count);
}
static const InParts in_parts = { .shape = BY_CLASS, .whole = suppress_whole, .apart = suppress_rows };

const Method protect_suppress = {
    .group = "protect",
    .name = "suppress",
    .summary = "Blank as few cells as possible so that every record shares its keys with k records",
    .source = "Willenborg & de Waal 1996; Templ et al. 2015",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY,
    .run = suppress_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect suppress examples/clinic.csv --keys sex,age,region,education --k 3 --importance sex,region"
};
