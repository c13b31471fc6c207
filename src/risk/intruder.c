/* Intruder scenarios (Reiter 2005): who knows which keys, with what error, and whether the target is in the file; and whom they would then
 * find. */
#include <string.h>
#include "risk/paired_columns.h"
#include "classes/candidates.h"
#include "table/group.h"
#include "classes/joint_codes.h"
#include "classes/true_keys.h"
#include "classes/wildcard_count.h"
#include "base/extremes.h"

typedef struct {
    const Table *released, *targets, *scenario, *original;
    Columns keys;
    const Column *weight, *id;
} args;
static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    KEYS(args, released, .flags = REQUIRED),
    TABLE(args, scenario,
          "Columns key and error and, for several scenarios, scenario and in_sample (yes or no). Default: all keys, without error, in the "
          "sample"),
    TABLE(args, targets, "The intruder's knowledge of each person, record by record (default: the released values)"),
    WEIGHT(args, released),
    TABLE(args, original, "The original file: the intruder then knows everyone's true keys, recoded as in the release"),
    COLUMN(args, id, released, "Column that identifies the record in release and original (default: the row number)"),
    END,
};
static const Return values[] = {
    VALUE(expected_matches, REAL,
          "Expected number of correct matches in the worst scenario, if the intruder chooses among the best matches at random. 0 = safe",
          .flags = PUBLIC),
    VALUE(true_matches, INTEGER, "Correct matches among those that the intruder would declare (probability above ½)", .flags = PUBLIC),
    VALUE(false_rate, REAL, "Share of the declared matches that are wrong, 0 to 1. Larger is safer", .flags = PUBLIC),
    VALUE(declared, INTEGER, "Matches that the intruder would declare, correct or false", .flags = PUBLIC),
    VALUE(worst_scenario, TEXT, "Scenario with the most expected matches"),
    TABLE_OUT(scenarios,
              "scenario:text keys:integer in_sample:text expected_matches:real true_matches:integer declared:integer false_rate:real",
              "The same for each scenario", .flags = PUBLIC),
    RECORD(match, REAL, "Probability that the intruder matches the record", .of = "released"),
    END,
};

enum { MOST_KEYS = 64 };
typedef struct Scenario {
    const char *name;
    bool in_sample;
    int64_t keys;
    int64_t key[MOST_KEYS];
    double error[MOST_KEYS];
} Scenario;
typedef struct Found {
    double expected;
    int64_t right, declared;
    double *match;
} Found;

/* ---- Scenarios ---- */

static Status bad_scenario(Run *run, const args *a, int64_t row, const char *what) {
    fail(run->work.error, BAD, "%s", what);
    error_file(run->work.error, a->scenario->name);
    if (row >= 0) error_row(run->work.error, row);
    error_advice(run->work.error, "Columns: key, error (a standard deviation, or for categories the probability of another value; 0: "
                                  "none), scenario, in_sample (yes or no).");
    return error_parameter(run->work.error, "scenario");
}

static bool says_no(const char *text) {
    return !strcmp(text, "no") || !strcmp(text, "0") || !strcmp(text, "false") || !strcmp(text, "FALSE");
}

static Status read_scenario_row(Run *run, const args *a, int64_t i, Scenario *s) {
    const Table *t = a->scenario;
    const Column *key = table_column(t, "key"), *error = table_column(t, "error"), *in = table_column(t, "in_sample");
    char text[33];
    const char *name = column_cell(key, i, text);
    int64_t k = 0;
    while (name && k < a->keys.count && strcmp(a->keys.at[k]->name, name)) k++;
    if (!name || k == a->keys.count) return bad_scenario(run, a, i, "a scenario's key must be one of --keys");
    if (s->keys == MOST_KEYS) return bad_scenario(run, a, i, "a scenario has more than 64 keys");
    double e = error && !column_missing(error, i) ? column_number(error, i) : 0;
    if (!(e >= 0) || (!column_numeric(a->keys.at[k]) && e >= 1))
        return bad_scenario(run, a, i, "an error must not be negative, and for a category below 1");
    const char *where = in ? column_cell(in, i, text) : NULL;
    if (where && says_no(where)) s->in_sample = false;
    s->key[s->keys] = k;
    s->error[s->keys++] = e;
    return OK;
}

static Status scenarios_read(Run *run, const args *a, Scenario **out, int64_t *count) {
    Status status = OK;
    const Table *t = a->scenario;
    Codes codes = { .count = 1 };
    char text[33];
    if (t && (!table_column(t, "key") || !t->rows)) TRY(bad_scenario(run, a, -1, "not a table of scenarios"));
    const Column *name = t ? table_column(t, "scenario") : NULL;
    if (name) TRY(column_codes(&run->work, name, &codes));
    NEW(&run->work, *out, codes.count + 1);
    *count = codes.count;
    for (int32_t c = 0; c < codes.count; c++)
        (*out)[c] = (Scenario){ .name = name ? arena_text(run->work.arena, column_cell(name, codes.first_row[c], text)) : "all keys",
                                .in_sample = true };
    for (int64_t i = 0; t && i < t->rows; i++) {
        if (name && codes.at[i] < 0) TRY(bad_scenario(run, a, i, "the scenario has no name"));
        TRY(read_scenario_row(run, a, i, &(*out)[name ? codes.at[i] : 0]));
    }
    for (int64_t k = 0; !t && k < a->keys.count && k < MOST_KEYS; k++) (*out)[0].key[(*out)[0].keys++] = k;
done:
    return status;
}

/* ---- Matching ---- */

/* Distinct tuples of the keys that a scenario knows, over targets and release, and what they say of one another. */
typedef struct Compare {
    int64_t rows, tuples, keys;
    const int32_t *of;                          /* target i, then (`beside`) released record i → tuple */
    int64_t beside;                             /* 0 where the targets are the released records themselves */
    int32_t *code[MOST_KEYS];                   /* key → tuple → code */
    double *number[MOST_KEYS];                  /* key → tuple → number, where its error is a standard deviation; else NULL */
    double error[MOST_KEYS], differ[MOST_KEYS]; /* what a difference adds to the log-likelihood */
    int64_t *targets, *released;                /* tuple → records; one and the same where the records are */
    double *weight;                             /* tuple → weights of the released records */
    double *best, *ties, *tie_weight; /* tuple, as a target → largest log-likelihood, released records that attain it, their weights */
    Candidates candidates;            /* of each tuple, as a target whose true keys are known without error; else none */
    bool *by_candidates;              /* tuple → they are what counts; NULL: of none */
} Compare;

/* Missing agrees with everything. */
static double likelihood(const Compare *c, int64_t t, int64_t r) {
    double sum = 0;
    for (int64_t k = 0; k < c->keys; k++) {
        int32_t a = c->code[k][t], b = c->code[k][r];
        if (a == b || a < 0 || b < 0) continue;
        if (!c->number[k]) {
            sum += c->differ[k];
            continue;
        }
        double gap = (c->number[k][t] - c->number[k][r]) / c->error[k];
        sum -= gap * gap / 2;
    }
    return sum;
}

static Status compare_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Compare *c = self;
    (void)block;
    (void)error;
    for (int64_t t = first; t < last; t++) {
        c->best[t] = -INFINITY;
        for (int64_t r = 0; c->targets[t] && r < c->tuples; r++) {
            if (!c->released[r]) continue;
            double l = likelihood(c, t, r);
            if (l < c->best[t] - 1e-9 || l == -INFINITY) continue;
            if (l > c->best[t] + 1e-9) {
                c->best[t] = l;
                c->ties[t] = c->tie_weight[t] = 0;
            }
            c->ties[t] += (double)c->released[r];
            c->tie_weight[t] += c->weight[r];
        }
    }
    return OK;
}

static Status compare_all(Run *run, Compare *c) {
    Status status = OK;
    NEW(&run->work, c->best, c->tuples + 1);
    NEW(&run->work, c->ties, c->tuples + 1);
    TRY(parallel_for(&run->work, c->tuples, 64, compare_block, c));
done:
    return status;
}

static uint64_t all_keys(const Compare *c) { return c->keys == TUPLE_KEYS ? UINT64_MAX : (UINT64_C(1) << c->keys) - 1; }

/* True keys: the better match first (classes/candidates.h). A key that a target lacks was not answered in an original, but
 * is not known to the intruder in a table of targets: then every record that agrees is as good. */
static Status compare_candidates(Run *run, const args *a, Compare *c, const Tuples *tuples) {
    Status status = OK;
    NEW(&run->work, c->by_candidates, c->tuples + 1);
    TRY(candidates_make(&run->work, tuples, tuples, all_keys(c), &c->candidates));
    for (int64_t t = 0; t < c->tuples; t++) {
        if (!c->targets[t] || (tuples->lacks[t] && !a->original)) continue;
        c->by_candidates[t] = true;
        c->ties[t] = (double)c->candidates.count[t];
        c->tie_weight[t] = 0;
        for (int64_t at = c->candidates.start[t]; at < c->candidates.start[t + 1]; at++)
            c->tie_weight[t] += c->weight[c->candidates.node[at]];
    }
done:
    return status;
}

/* Is a released tuple among the best matches of a target's? */
static bool is_match(const Compare *c, int32_t t, int32_t r) {
    if (!c->beside) return true; /* nothing is a better match than the record itself */
    if (!c->by_candidates || !c->by_candidates[t]) return likelihood(c, t, r) >= (c->best ? c->best[t] : 0) - 1e-9;
    int64_t low = c->candidates.start[t], high = c->candidates.start[t + 1];
    while (low < high) { /* nodes ascend */
        int64_t middle = low + (high - low) / 2;
        if (c->candidates.node[middle] < r) low = middle + 1;
        else high = middle;
    }
    return low < c->candidates.start[t + 1] && c->candidates.node[low] == r;
}

/* Without errors the best matches are those that agree: counted, not compared pair by pair. */
static Status compare_exactly(Run *run, const args *a, Compare *c) {
    Status status = OK;
    Tuples tuples = { .count = c->tuples, .keys = c->keys, .code = c->code, .size = c->released, .weight = c->weight };
    int64_t *f = NULL;
    NEW(&run->work, tuples.values, c->keys + 1);
    NEW(&run->work, tuples.lacks, c->tuples + 1);
    NEW(&run->work, f, c->tuples + 1);
    for (int64_t k = 0; k < c->keys; k++)
        for (int64_t t = 0; t < c->tuples; t++) {
            if (c->code[k][t] < 0) tuples.lacks[t] |= UINT64_C(1) << k;
            if (c->code[k][t] >= tuples.values[k]) tuples.values[k] = c->code[k][t] + 1;
        }
    TRY(wildcard_frequencies(&run->work, &tuples, all_keys(c), true, f, c->tie_weight));
    NEW(&run->work, c->ties, c->tuples + 1);
    for (int64_t t = 0; t < c->tuples; t++) c->ties[t] = (double)f[t];
    arena_drop(run->work.arena, f);
    if (a->targets) TRY(compare_candidates(run, a, c, &tuples));
done:
    arena_drop(run->work.arena, tuples.lacks);
    return status;
}

static bool without_error(const Scenario *s) {
    for (int64_t k = 0; k < s->keys; k++)
        if (s->error[k] > 0) return false;
    return true;
}

/* One table below the other; or the one that is both. */
static Status stack_codes(Work *work, const Compare *c, JointCodes *joint, Codes *out) {
    Status status = OK;
    int32_t *at = NULL;
    *out = (Codes){ .count = joint->count, .at = joint->at[1] };
    if (!c->beside) {
        if (joint->at[0] != joint->at[1]) arena_drop(work->arena, (int32_t *)(uintptr_t)joint->at[0]);
        return OK;
    }
    NEW(work, at, 2 * c->rows + 1);
    memcpy(at, joint->at[0], (size_t)c->rows * sizeof *at);
    memcpy(at + c->rows, joint->at[1], (size_t)c->rows * sizeof *at);
    out->at = at;
    joint_drop(work, joint);
done:
    return status;
}

static Status compare_keys(Run *run, const args *a, const Scenario *s, Codes *stacked, Compare *c) {
    Status status = OK;
    const Table *targets = a->targets ? a->targets : a->released;
    Work own = run->work;
    own.memo = NULL; /* codes of tuples take the place of codes of records, which need not stay */
    for (int64_t k = 0; k < s->keys; k++) {
        const Column *released = a->keys.at[s->key[k]], *known;
        JointCodes joint;
        TRY(table_need(targets, released->name, &known, run->work.error));
        TRY(joint_codes(&own, known, released, 0, 0, &joint));
        TRY(stack_codes(&own, c, &joint, &stacked[k]));
        c->error[k] = s->error[k];
        c->differ[k] = s->error[k] > 0 ? smaller(0, log(s->error[k] / ((1 - s->error[k]) * larger(1, stacked[k].count - 1)))) : -INFINITY;
        if (!(s->error[k] > 0 && column_numeric(released) && column_numeric(known))) continue;
        NEW(&run->work, c->number[k], c->beside + c->rows + 1);
        for (int64_t i = 0; i < c->rows; i++) {
            c->number[k][i] = column_number(known, i);
            c->number[k][c->beside + i] = column_number(released, i);
        }
    }
done:
    return status;
}

static Status compare_make(Run *run, const args *a, const Scenario *s, Compare *c) {
    Status status = OK;
    Codes stacked[MOST_KEYS];
    Grouping groups;
    *c = (Compare){ .rows = a->released->rows, .keys = s->keys, .beside = a->targets ? a->released->rows : 0 };
    TRY(compare_keys(run, a, s, stacked, c));
    TRY(group_codes(&run->work, stacked, s->keys, c->beside + c->rows, &groups));
    c->tuples = groups.count;
    c->of = groups.of;
    for (int64_t k = 0; k < s->keys; k++) {
        double *by_row = c->number[k];
        NEW(&run->work, c->code[k], groups.count + 1);
        if (by_row) NEW(&run->work, c->number[k], groups.count + 1);
        for (int64_t g = 0; g < groups.count; g++) {
            c->code[k][g] = stacked[k].at[groups.first[g]];
            if (by_row) c->number[k][g] = by_row[groups.first[g]];
        }
        arena_drop(run->work.arena, (int32_t *)(uintptr_t)stacked[k].at);
        arena_drop(run->work.arena, by_row);
    }
    arena_drop(run->work.arena, groups.first);
    arena_drop(run->work.arena, groups.size);
    NEW(&run->work, c->released, groups.count + 1);
    c->targets = c->released;
    if (c->beside) NEW(&run->work, c->targets, groups.count + 1);
    NEW(&run->work, c->weight, groups.count + 1);
    NEW(&run->work, c->tie_weight, groups.count + 1);
    for (int64_t i = 0; i < c->rows; i++) {
        int32_t r = groups.of[c->beside + i];
        if (c->beside) c->targets[groups.of[i]]++;
        c->released[r]++;
        c->weight[r] += a->weight ? column_number(a->weight, i) : 1;
    }
done:
    return status;
}

/* The intruder picks one of the best matches. In the sample: 1/ties. Else there are as many candidates as the best matches stand for in the
 * population. */
static Status try_scenario(Run *run, const args *a, const Scenario *s, Found *out) {
    Status status = OK;
    Compare c;
    if (!s->in_sample && !a->weight) {
        fail(run->work.error, BAD, "a scenario in which the target may be outside the sample needs weights");
        TRY(error_parameter(run->work.error, "weight"));
    }
    TRY(compare_make(run, a, s, &c));
    if (without_error(s)) TRY(compare_exactly(run, a, &c));
    else TRY(compare_all(run, &c));
    *out = (Found){ 0 };
    if (run_wants(run, "match")) NEW(&run->work, out->match, c.rows + 1);
    for (int64_t i = 0; i < c.rows; i++) {
        int32_t t = c.of[i];
        double candidates = s->in_sample ? c.ties[t] : fmax(c.ties[t], c.tie_weight[t]);
        if (!(candidates > 0)) continue;
        bool among = is_match(&c, t, c.of[c.beside + i]), declares = 1 / candidates > 0.5;
        double match = among ? 1 / candidates : 0;
        if (out->match) out->match[i] = match;
        out->expected += match;
        out->declared += declares;
        out->right += declares && among;
    }
done:
    return status;
}

static void tell(Grid *grid, const Scenario *s, const Found *f) {
    grid_text(grid, s->name);
    grid_integer(grid, s->keys);
    grid_text(grid, s->in_sample ? "yes" : "no");
    grid_real(grid, f->expected);
    grid_integer(grid, f->right);
    grid_integer(grid, f->declared);
    grid_real(grid, f->declared ? 1 - (double)f->right / (double)f->declared : NAN);
}

static Status try_all(Run *run, const args *a) {
    Status status = OK;
    Scenario *scenarios = NULL, *worst = NULL;
    Found most = { .expected = -1 };
    int64_t count = 0;
    if (a->targets && a->targets->rows != a->released->rows) {
        fail(run->work.error, BAD, "the tables have %lld and %lld records, and are compared record by record", (long long)a->released->rows,
             (long long)a->targets->rows);
        TRY(error_parameter(run->work.error, "targets"));
    }
    TRY(scenarios_read(run, a, &scenarios, &count));
    Grid *grid =
        grid_new(run->result, "scenarios",
                 "scenario:text keys:integer in_sample:text expected_matches:real true_matches:integer declared:integer false_rate:real");
    for (int64_t s = 0; s < count; s++) {
        Found found;
        TRY(try_scenario(run, a, &scenarios[s], &found));
        tell(grid, &scenarios[s], &found);
        if (found.expected > most.expected) {
            most = found;
            worst = &scenarios[s];
        }
    }
    grid_done(grid);
    result_real(run->result, "expected_matches", most.expected);
    result_integer(run->result, "true_matches", most.right);
    if (most.declared) result_real(run->result, "false_rate", 1 - (double)most.right / (double)most.declared);
    else result_null(run->result, "false_rate", "The intruder would declare no match.");
    result_integer(run->result, "declared", most.declared);
    result_text(run->result, "worst_scenario", worst->name);
    result_note(run->result, a->targets ? "A missing key agrees with every value. If a key is known without error, a record equal to a "
                                          "target's keys is preferred to records that fit, and these to records without keys."
                                        : "A missing key agrees with every value.");
    if (!a->targets)
        result_note(run->result,
                    "The intruder is assumed to know the keys as released. If they were changed, give --original or --targets.");
    if (most.match) TRY(put_reals(run, "released", "match", most.match, a->released->rows));
done:
    return status;
}

static Status intruder_run(Run *run, const void *p) {
    Status status = OK;
    args a = *(const args *)p;
    Table *truth = NULL;
    if (a.original && a.targets) TRY(fail(run->work.error, BAD, "only one of --targets and --original can be given"));
    if (a.original) TRY(true_keys_table(&run->work, a.released, a.keys, a.original, a.id ? a.id->name : NULL, &truth));
    if (truth) a.targets = truth;
    TRY(try_all(run, &a));
done:
    table_release(truth);
    return status;
}

/* With errors, tuples are compared pair by pair. */
static double cost(const void *p) {
    const args *a = p;
    return a->scenario ? 3e-9 * (double)a->released->rows * (double)a->released->rows * (double)a->keys.count
                       : 1e-6 * (double)a->released->rows;
}

const Method risk_intruder = {
    .group = "risk",
    .name = "intruder",
    .summary = "Intruder scenarios: expected, true and false matches under stated knowledge",
    .source = "Reiter 2005",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY,
    .run = intruder_run,
    .values = values,
    .cost = cost,
    .example = "scrim risk intruder examples/clinic-released.csv --targets examples/clinic.csv --keys sex,age,region,education,occupation "
               "--scenario examples/scenarios.csv --weight w",
};
