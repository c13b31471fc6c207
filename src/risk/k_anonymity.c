/* k-anonymity: how many records share each record's keys, and how many candidates an intruder who knows a person's true keys is left
 * with. Defined after Samarati & Sweeney 1998: docs/methods/risk-k-anonymity.md. */
#include <stdlib.h>
#include "classes/crowd.h"
#include "method/parts.h"
#include "risk/key_subsets.h"

typedef struct {
    const Table *data;
    Columns keys;
    const Column *weight;
    unsigned missing;
    const Table *original;
    const Column *id;
    bool by_keys;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    WEIGHT(args, data),
    MISSING_RULE(args),
    ORIGINAL(args, data),
    BY_KEYS_FLAG(args),
    END,
};

static const Return values[] = {
    VALUE(k, INTEGER,
          "The least over records: every record shares its keys with at least k−1 others; with --original the smaller of the two sides",
          .flags = PUBLIC | MORE),
    VALUE(k_released, INTEGER,
          "Released side: the least number of released records that agree with one, a missing key agreeing with every value",
          .flags = PUBLIC),
    VALUE(k_intruder, INTEGER, "Intruder's side: the least number of candidates that a person's true keys leave", .flags = PUBLIC),
    VALUE(one_candidate, INTEGER, "People whose true keys leave an intruder one candidate", .flags = PUBLIC),
    VALUE(found, INTEGER, "Of these, people whose own record it is: the intruder finds them", .flags = PUBLIC | LESS),
    VALUE(mistaken, INTEGER, "Of these, people for whom the intruder takes somebody else: it is another's record", .flags = PUBLIC),
    VALUE(no_candidate, INTEGER, "People whose true keys no released record fits: their keys were changed, not blanked", .flags = PUBLIC),
    VALUE(classes, INTEGER, "Distinct key tuples; a missing key counts as a value here", .flags = PUBLIC),
    VALUE(uniques, INTEGER, "Records that agree with no other, or whose person has one candidate", .flags = PUBLIC),
    VALUE(below_2, INTEGER, "Records with f or candidates below 2", .flags = PUBLIC),
    VALUE(below_3, INTEGER, "Records with f or candidates below 3", .flags = PUBLIC),
    VALUE(below_5, INTEGER, "Records with f or candidates below 5", .flags = PUBLIC),
    TABLE_OUT(frequencies, "f:text classes:integer records:integer share:real",
              "Records and classes by the f that they have, or by their candidates where these are fewer", .flags = PUBLIC),
    TABLE_OUT(keys, "key:text values:integer missing:integer", "Each key's distinct values, and its missing cells", .flags = PUBLIC),
    TABLE_OUT(by_keys, BY_KEYS_COLUMNS,
              "With --by-keys: the share of records that are unique for whoever knows so many of the keys, over all subsets of that size",
              .flags = PUBLIC),
    RECORD(Fk, REAL, "Records of the population that share its keys, by the weights"),
    RECORD(fk, INTEGER, "Records that share its keys"),
    RECORD(candidates, INTEGER, "Candidates that its person's true keys leave an intruder"),
    END,
};

/* What each record has on either side. `least` is what counts. */
typedef struct Sides {
    int64_t rows;
    int64_t *fk, *candidates, *least; /* fk itself where there is no other side */
    double *Fk;                       /* NULL where nobody asks for it */
} Sides;

static Status count_sides(Run *run, const args *a, const Crowd *crowd, Sides *out) {
    Status status = OK;
    const Classes *released = crowd->truth ? &crowd->truth->released : &crowd->classes;
    Frequencies f;
    *out = (Sides){ .rows = released->rows };
    TRY(classes_frequencies(&run->work, released, crowd->rule, a->weight, &f));
    NEW(&run->work, out->fk, out->rows + 1);
    out->least = out->fk;
    if (run_wants(run, "Fk")) NEW(&run->work, out->Fk, out->rows + 1);
    if (crowd->truth) NEW(&run->work, out->least, out->rows + 1);
    if (crowd->truth) NEW(&run->work, out->candidates, out->rows + 1);
    for (int64_t i = 0; i < out->rows; i++) {
        out->least[i] = out->fk[i] = f.f[released->of[i]];
        if (out->Fk) out->Fk[i] = f.F[released->of[i]];
        if (!crowd->truth) continue;
        out->candidates[i] = crowd->truth->candidates.count[crowd->truth->truth.of[i]];
        if (out->candidates[i] < out->least[i]) out->least[i] = out->candidates[i];
    }
    frequencies_drop(&run->work, &f);
done:
    return status;
}

static Status record_columns(Run *run, const Sides *sides) {
    Status status = OK;
    TRY(put_integers(run, "data", "fk", sides->fk, sides->rows));
    if (sides->Fk) TRY(put_reals(run, "data", "Fk", sides->Fk, sides->rows));
    if (sides->candidates) TRY(put_integers(run, "data", "candidates", sides->candidates, sides->rows));
done:
    return status;
}

/* Who has one candidate, by whose record it is; who has none. Where it is not known whose a record is, it is taken for their own. */
static void say_found(Run *run, const TrueKeys *truth, const Sides *sides) {
    int64_t found = 0, mistaken = 0, none = 0;
    for (int64_t i = 0; i < sides->rows; i++) {
        int64_t times = work_times(&run->work, i);
        if (!sides->candidates[i]) none += times;
        if (sides->candidates[i] != 1) continue;
        bool own = truth->by_set || truth->candidates.node[truth->candidates.start[truth->truth.of[i]]] == truth->released.of[i];
        *(own ? &found : &mistaken) += times;
    }
    result_integer(run->result, "one_candidate", found + mistaken);
    result_integer(run->result, "found", found);
    result_integer(run->result, "mistaken", mistaken);
    result_integer(run->result, "no_candidate", none);
}

static int64_t below(const Work *work, const int64_t *count, int64_t rows, int64_t bound) {
    int64_t records = 0;
    for (int64_t i = 0; i < rows; i++) records += count[i] < bound ? work_times(work, i) : 0;
    return records;
}

static int64_t smallest(const int64_t *count, int64_t rows) {
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < rows; i++)
        if (count[i] < least) least = count[i];
    return least;
}

/* f from 1 to 4 apart, then in widening ranges: the small ones are those that matter. */
static Status size_distribution(Run *run, const Classes *classes, const Sides *sides) {
    Status status = OK;
    static const int64_t from[] = { 1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, INT64_MAX };
    static const char *const label[] = { "1", "2", "3", "4", "5–9", "10–19", "20–49", "50–99", "100–999", "1000+" };
    enum { BINS = sizeof label / sizeof *label };
    int64_t counts[BINS] = { 0 }, records[BINS] = { 0 };
    double bars[BINS];
    uint8_t *seen = NULL;
    NEW(&run->work, seen, classes->count + 1);
    for (int64_t i = 0; i < sides->rows; i++) {
        int bin = 0;
        while (sides->least[i] >= from[bin + 1]) bin++;
        counts[bin] += !seen[classes->of[i]];
        seen[classes->of[i]] = 1;
        records[bin] += work_times(&run->work, i);
    }
    Grid *grid = grid_new(run->result, "frequencies", "f:text classes:integer records:integer share:real");
    for (int bin = 0; bin < BINS; bin++) {
        bars[bin] = (double)records[bin];
        grid_text(grid, label[bin]);
        grid_integer(grid, counts[bin]);
        grid_integer(grid, records[bin]);
        grid_real(grid, classes->records ? (double)records[bin] / (double)classes->records : 0);
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Records by the number that share their keys", "f", "records");
    chart_of(chart, "frequencies");
    chart_series(chart, "records", BINS, NULL, bars, NULL, label);
done:
    return status;
}

static int64_t missing_records(const Work *work, const Column *column) {
    int64_t records = 0;
    for (int64_t i = 0; column->missing && i < column->rows; i++) records += column_missing(column, i) ? work_times(work, i) : 0;
    return records;
}

static Status describe_keys(Run *run, const args *a, const Crowd *crowd) {
    Status status = OK;
    Grid *grid = grid_new(run->result, "keys", "key:text values:integer missing:integer");
    for (int64_t key = 0; key < a->keys.count; key++) {
        Codes codes = crowd->classes.codes[key];
        if (crowd->truth) TRY(column_codes(&run->work, a->keys.at[key], &codes)); /* those of the truth count the original's values too */
        grid_text(grid, a->keys.at[key]->name);
        grid_integer(grid, codes.count);
        grid_integer(grid, missing_records(&run->work, a->keys.at[key]));
    }
done:
    grid_done(grid);
    return status;
}

static void say_values(Run *run, const Crowd *crowd, const Sides *sides) {
    Result *result = run->result;
    int64_t rows = sides->rows;
    if (rows) result_integer(result, "k", smallest(sides->least, rows));
    else result_null(result, "k", "The table has no records, so that no k holds or fails.");
    if (rows && sides->candidates) {
        result_integer(result, "k_released", smallest(sides->fk, rows));
        result_integer(result, "k_intruder", smallest(sides->candidates, rows));
        say_found(run, crowd->truth, sides);
    }
    result_integer(result, "classes", crowd->truth ? crowd->truth->released.count : crowd->classes.count);
    result_integer(result, "uniques", below(&run->work, sides->least, rows, 2));
    result_integer(result, "below_2", below(&run->work, sides->least, rows, 2));
    result_integer(result, "below_3", below(&run->work, sides->least, rows, 3));
    result_integer(result, "below_5", below(&run->work, sides->least, rows, 5));
    result_note(result, "%s", crowd_note(crowd));
}

/* ---- risk by the number of keys (Paass 1988; Matloff & Tendick 2015, 5.2) ---- */

/* The share of records that are unique with the keys whose bits are set. What it takes is given back: there are thousands of subsets. */
static Status unique_share(Run *run, const void *self, unsigned subset, double *out) {
    Status status = OK;
    const args *a = self;
    const Column *some[MOST_KEYS];
    Run inner = *run;
    args with = *a;
    Crowd crowd;
    Sides sides;
    inner.work.arena = arena_new();
    if (!inner.work.arena) return fail(run->work.error, FAILED, "out of memory");
    with.keys = (Columns){ 0, some };
    for (int64_t j = 0; j < a->keys.count; j++)
        if (subset >> j & 1) some[with.keys.count++] = a->keys.at[j];
    TRY(crowd_make(&inner.work, a->data, with.keys, a->missing, a->original, a->id, &crowd));
    TRY(count_sides(&inner, &with, &crowd, &sides));
    *out = crowd.classes.records ? (double)below(&inner.work, sides.least, sides.rows, 2) / (double)crowd.classes.records : 0;
done:
    arena_free(inner.work.arena);
    return status;
}

static Status k_anonymity_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Crowd crowd;
    Sides sides;
    TRY(crowd_make(&run->work, a->data, a->keys, a->missing, a->original, a->id, &crowd));
    TRY(count_sides(run, a, &crowd, &sides));
    say_values(run, &crowd, &sides);
    const Classes *released = crowd.truth ? &crowd.truth->released : &crowd.classes;
    TRY(size_distribution(run, released, &sides));
    TRY(describe_keys(run, a, &crowd));
    TRY(record_columns(run, &sides));
    if (a->by_keys) TRY(by_number_of_keys(run, a->keys, "Unique records by the number of keys that an intruder knows", unique_share, a));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_k_anonymity = { .group = "risk",
                                  .name = "k-anonymity",
                                  .summary = "Count the records that share each record's keys",
                                  .source = "Samarati & Sweeney 1998",
                                  .params = params,
                                  .size = sizeof(args),
                                  .traits = FREQUENCY | IDENTITY,
                                  .run = k_anonymity_run,
                                  .parts = &in_parts,
                                  .headline = "k",
                                  .values = values,
                                  .example = "scrim risk k-anonymity examples/clinic.csv --keys sex,age,region",
                                  .instead = "risk linkage" };
