/* scrim explain DATA --record N: why one record is risky, in plain sentences. */
#include <string.h>
#include "base/number_text.h"
#include "math/neighbours/neighbours.h"
#include "math/order_statistics.h"
#include "verb/explain.h"
#include "report/findings.h"
#include "classes/equivalence_class.h"
#include "verb/verbs.h"

enum { MOST_KEYS = 24 };

typedef struct {
    const Table *data;
    int64_t record;
    const char *roles;
    Columns keys, sensitive, vars;
    const Column *weight;
    int64_t max_size;
} args;
static const Param params[] = {
    TABLE(args, data, "The table that holds the record", .flags = REQUIRED | POSITIONAL),
    INT(args, record, ABSENT, 1, 9e15, "Number of the record; 1 is the first after the header (default: the ten riskiest)"),
    TEXT(args, roles, NULL, "Roles of the columns: a YAML file, as for audit"),
    COLUMNS(args, keys, data, "Quasi-identifiers: columns that an intruder may know (default: from the roles)"),
    COLUMNS(args, sensitive, data, "Sensitive columns (default: from the roles)"),
    COLUMNS(args, vars, data, "Numbers that an intruder may know approximately (default: from the roles)", .flags = NUMERIC,
            .role = "numeric"),
    COLUMN(args, weight, data, "Sampling weights (default: from the roles)", .flags = NUMERIC),
    INT(args, max_size, 4, 1, 6, "Examine combinations of at most this many keys"),
    END,
};

typedef struct Explain {
    Run *run;
    Work *work;
    Result *result;
    const Table *data;
    Columns keys, sensitive, vars;
    const Column *weight;
    int64_t row;
    Classes classes;  /* by the keys, as k-anonymity counts them */
    uint32_t *agrees; /* record → the keys on which it agrees with this one, as bits */
    int64_t sharing;  /* records that agree on all keys, this one included */
} Explain;

/* ---- what the roles give ---- */

static Status columns_by_role(Explain *e, const Roles *roles, const char *role, Columns *out) {
    Status status = OK;
    const Arg *arg = args_find(&roles->args, role);
    if (out->count || !arg) return OK;
    NEW(e->work, out->at, arg->count + 1);
    for (; out->count < arg->count; out->count++) TRY(table_need(e->data, arg->items[out->count], &out->at[out->count], e->work->error));
done:
    return status;
}

static Status fill_by_roles(Explain *e, const char *path) {
    Status status = OK;
    Roles roles;
    Columns weight = { 0 }, numbers = { 0 };
    if (!path) return OK;
    TRY(roles_read(e->work, path, &roles));
    TRY(roles_check(e->work, &roles, e->data, false));
    TRY(columns_by_role(e, &roles, "keys", &e->keys));
    TRY(columns_by_role(e, &roles, "sensitive", &e->sensitive));
    TRY(columns_by_role(e, &roles, "numeric", &numbers));
    TRY(columns_by_role(e, &roles, "weight", &weight));
    if (!e->vars.count) e->vars = numbers;
    if (!e->weight && weight.count) e->weight = weight.at[0];
done:
    return status;
}

/* ---- words ---- */

/* What a person calls a column: its label, where its file gives one. */
static const char *called(const Column *column) {
    return column->about && column->about->label && *column->about->label ? column->about->label : column->name;
}

/* "sex, age and region", with the record's values where they may be shown. */
static const char *key_names(const Explain *e, uint32_t set) {
    Buffer text = { 0 };
    char number[33];
    int left = __builtin_popcount(set);
    for (int64_t k = 0; k < e->keys.count; k++) {
        if (!(set >> k & 1)) continue;
        const char *cell = column_cell(e->keys.at[k], e->row, number);
        buffer_text(&text, called(e->keys.at[k]));
        if (e->run->common.show_values) buffer_print(&text, " (%s)", cell ? cell : "missing");
        left--;
        buffer_text(&text, left > 1 ? ", " : left == 1 ? " and " : "");
    }
    const char *copy = arena_text(e->work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}

static const char *others(Explain *e, int64_t count) {
    if (count == 0) return "no other record";
    return arena_print(e->work->arena, count == 1 ? "1 other record" : "%lld other records", (long long)count);
}

/* ---- keys ---- */

/* On which keys each record of a block has what this one has. */
static Status agree_rows(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Explain *e = self;
    (void)block, (void)error;
    memset(e->agrees + first, 0, (size_t)(last - first) * sizeof *e->agrees);
    for (int64_t k = 0; k < e->keys.count; k++) {
        const int32_t *code = e->classes.codes[k].at;
        const int32_t own = code[e->row];
        for (int64_t i = first; i < last; i++) e->agrees[i] |= (uint32_t)(code[i] == own) << k;
    }
    return OK;
}

static Status find_agreement(Explain *e) {
    enum { BLOCK = 1 << 14 };
    Status status = OK;
    if (!e->agrees) NEW(e->work, e->agrees, e->data->rows + 1);
    TRY(parallel_for(e->work, e->data->rows, BLOCK, agree_rows, e));
done:
    return status;
}

static int64_t sharing(const Explain *e, uint32_t set) {
    int64_t count = 0;
    for (int64_t i = 0; i < e->data->rows; i++) count += (e->agrees[i] & set) == set;
    return count;
}

static void say_sharing(Explain *e) {
    uint32_t all = (uint32_t)((UINT64_C(1) << e->keys.count) - 1);
    e->sharing = sharing(e, all);
    result_integer(e->result, "f", e->sharing);
    if (e->sharing == 1)
        result_note(e->result, "Record %lld is unique: no other record has its %s.", (long long)e->row + 1, key_names(e, all));
    else result_note(e->result, "Record %lld shares its %s with %s.", (long long)e->row + 1, key_names(e, all), others(e, e->sharing - 1));
}

/* The chance that an intruder who knows the keys points at the right person (Benedetti & Franconi). */
static Status say_risk(Explain *e) {
    Status status = OK;
    Result *made = NULL;
    const char **names = NULL;
    char risk[33], share[33];
    Table *handle[1] = { (Table *)(uintptr_t)e->data };
    if (!method_find("risk", "individual")) return OK;
    NEW(e->work, names, e->keys.count + 1);
    for (int64_t k = 0; k < e->keys.count; k++) names[k] = e->keys.at[k]->name;
    const char *weight = e->weight ? e->weight->name : NULL;
    const Arg list[] = { { .name = "data", .count = 1, .tables = handle },
                         { .name = "keys", .count = e->keys.count, .items = names },
                         { .name = "force" },
                         { .name = "weight", .count = 1, .items = &weight } };
    const Args given = { weight ? 4 : 3, list };
    TRY(run_method(e->run, "risk.individual", &given, &made));
    for (int64_t i = 0; i < made->columns; i++) {
        const Column *column = made->column[i].column;
        if (strcmp(column->name, "risk") || column_missing(column, e->row)) continue;
        int64_t below = 0;
        double own = column_number(column, e->row);
        for (int64_t j = 0; j < column->rows; j++) below += column_number(column, j) < own;
        result_real(e->result, "risk", own);
        const char *unweighted = e->weight ? "" : " (with the table as the whole population, because no weights were given)";
        result_note(e->result,
                    "An intruder who knows its keys and finds it is right with probability %s%s. %s%% of the records have a lower risk.",
                    real_short(own, 2, risk), unweighted, real_short(100 * (double)below / (double)e->data->rows, 2, share));
    }
done:
    result_free(made);
    return status;
}

/* What each key alone does, and what would be gained by blanking it. */
static void say_keys(Explain *e) {
    Grid *grid = grid_new(e->result, "keys", "key:text same:integer without:integer");
    uint32_t all = (uint32_t)((UINT64_C(1) << e->keys.count) - 1);
    int64_t rarest = -1, fewest = INT64_MAX, best = -1, most = 0;
    for (int64_t k = 0; k < e->keys.count; k++) {
        uint32_t one = UINT32_C(1) << k;
        int64_t same = sharing(e, one), without = sharing(e, all & ~one);
        grid_text(grid, e->keys.at[k]->name);
        grid_integer(grid, same);
        grid_integer(grid, without);
        if (same < fewest) {
            fewest = same;
            rarest = k;
        }
        if (without > most) {
            most = without;
            best = k;
        }
    }
    grid_done(grid);
    if (rarest >= 0) {
        const char *verb = fewest > 2 ? "have it" : "has it";
        result_note(e->result, "Its rarest key is %s: %s %s.", key_names(e, UINT32_C(1) << rarest), others(e, fewest - 1), verb);
    }
    if (best >= 0 && e->keys.count > 1 && most > e->sharing)
        result_note(e->result, "Suppressing %s would help most: the record would then share its keys with %s.",
                    key_names(e, UINT32_C(1) << best), others(e, most - 1));
}

/* ---- minimal unique sets ---- */

/* The distinct agreements of other records, ascending. A set of keys singles the record out unless it lies within one of them. */
static Status other_masks(Explain *e, uint32_t **out, int64_t *count) {
    Status status = OK;
    int64_t words = ((INT64_C(1) << e->keys.count) + 63) / 64, room = 0;
    uint64_t *seen = NULL;
    NEW(e->work, seen, words);
    for (int64_t i = 0; i < e->data->rows; i++)
        if (i != e->row) seen[e->agrees[i] / 64] |= UINT64_C(1) << e->agrees[i] % 64;
    for (int64_t w = 0; w < words; w++)
        for (uint64_t left = seen[w]; left; left &= left - 1) {
            GROW(e->work, *out, room, *count + 1);
            (*out)[(*count)++] = (uint32_t)(w * 64 + __builtin_ctzll(left));
        }
done:
    arena_drop(e->work->arena, seen);
    return status;
}

static bool singles_out(const uint32_t *masks, int64_t count, uint32_t set) {
    for (int64_t i = 0; i < count; i++)
        if ((masks[i] & set) == set) return false;
    return true;
}

/* All sets of `size` keys, as bits, in ascending order (Gosper's step), but for those that hold a smaller one. */
static Status unique_sets(Explain *e, int64_t max_size, uint32_t **sets, int64_t *found) {
    Status status = OK;
    uint32_t *masks = NULL;
    int64_t count = 0, room = 0;
    uint64_t limit = UINT64_C(1) << e->keys.count;
    TRY(other_masks(e, &masks, &count));
    for (int size = 1; size <= max_size && size <= e->keys.count; size++)
        for (uint64_t set = (UINT64_C(1) << size) - 1; set < limit;) {
            bool minimal = true;
            for (int64_t i = 0; i < *found && minimal; i++) minimal = ((*sets)[i] & set) != (*sets)[i];
            if (minimal && singles_out(masks, count, (uint32_t)set)) {
                GROW(e->work, *sets, room, *found + 1);
                (*sets)[(*found)++] = (uint32_t)set;
            }
            uint64_t low = set & -set, next = set + low;
            set = ((next ^ set) >> 2) / low | next;
        }
done:
    return status;
}

static Status say_unique_sets(Explain *e, int64_t max_size) {
    Status status = OK;
    uint32_t *sets = NULL;
    int64_t found = 0;
    TRY(unique_sets(e, max_size, &sets, &found));
    Grid *grid = grid_new(e->result, "unique_sets", "keys:text size:integer");
    for (int64_t i = 0; i < found; i++) {
        grid_text(grid, key_names(e, sets[i]));
        grid_integer(grid, __builtin_popcount(sets[i]));
    }
    grid_done(grid);
    result_integer(e->result, "unique_sets", found);
    if (found) result_integer(e->result, "smallest_set", __builtin_popcount(sets[0]));
    else result_null(e->result, "smallest_set", "No combination of at most %lld keys makes it unique.", (long long)max_size);
    if (found == 1) result_note(e->result, "It is unique on %s alone.", key_names(e, sets[0]));
    if (found > 1)
        result_note(e->result, "It is unique on %s alone; %lld other minimal combination%s of keys %s the same.", key_names(e, sets[0]),
                    (long long)found - 1, found == 2 ? "" : "s", found == 2 ? "does" : "do");
done:
    return status;
}

/* ---- sensitive values ---- */

/* Do all who share its keys have one value? */
static Status say_sensitive(Explain *e) {
    Status status = OK;
    uint32_t all = (uint32_t)((UINT64_C(1) << e->keys.count) - 1);
    for (int64_t s = 0; s < e->sensitive.count; s++) {
        const Column *column = e->sensitive.at[s];
        Codes codes;
        TRY(column_codes(e->work, column, &codes));
        int32_t own = codes.at[e->row];
        int64_t same = 0, known = 0;
        for (int64_t i = 0; i < e->data->rows; i++) {
            if ((e->agrees[i] & all) != all || codes.at[i] < 0) continue;
            known++;
            same += codes.at[i] == own;
        }
        if (own < 0 || e->sharing < 2) continue;
        if (same == known)
            result_note(
                e->result,
                "All records with its keys have the same %s. An intruder who knows the keys infers it without identifying the record.",
                called(column));
        else
            result_note(e->result, "Of those who share its keys %lld of %lld have its %s.", (long long)same, (long long)known,
                        called(column));
    }
done:
    return status;
}

/* ---- numbers ---- */

/* Records that lack a number have no neighbour. */
static double median_of(double *x, int64_t count) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (x[i] < INFINITY) x[kept++] = x[i];
    return select_median(x, kept);
}

static Status say_distance(Explain *e) {
    Status status = OK;
    const Scale *scale;
    Space space;
    Neighbours *index;
    double *measure = NULL;
    char own[33], half[33];
    if (!e->vars.count) return OK;
    TRY(scale_make(e->work, e->vars, NULL, EUCLIDEAN, &scale));
    TRY(scale_space(e->work, scale, e->vars, &space));
    if (!space.axes) return OK;
    TRY(neighbours_make(e->work, &space, NULL, e->data->rows, &index));
    NEW(e->work, measure, e->data->rows + 1);
    for (int64_t i = 0; i < e->data->rows; i++) measure[i] = INFINITY;
    TRY(neighbours_nearest(e->work, index, index, true, (Nearest){ .measure = measure }));
    for (int64_t i = 0; i < e->data->rows; i++) measure[i] = distance_of_measure(EUCLIDEAN, measure[i]);
    double distance = measure[e->row], median;
    if (!(distance < INFINITY)) {
        result_null(e->result, "nearest_distance", "It lacks one of the numbers, or is the only record with all of them.");
        return OK;
    }
    median = median_of(measure, e->data->rows);
    result_real(e->result, "nearest_distance", distance);
    result_real(e->result, "median_distance", median);
    result_note(e->result, "On the numbers its nearest neighbour is %s standard deviations away. Half of all records have one within %s.%s",
                real_short(distance, 2, own), real_short(median, 2, half), distance > 3 * median ? " It is an outlier." : "");
done:
    return status;
}

/* ---- the riskiest records ---- */

enum { RISKIEST = 10, FEW_KEYS = 12 };

typedef struct {
    int64_t row, sharing;
    double score; /* SUDA's: the fewer keys single it out, the more */
} Exposed;

/* A per-record column of a method's result, over these records; NULL where it was not run. */
static const Column *per_record(const Result *measured, const char *method, const char *name, int64_t rows) {
    const Result *result = measured ? result_within(measured, method) : NULL;
    for (int64_t i = 0; result && i < result->columns; i++)
        if (!strcmp(result->column[i].column->name, name) && result->column[i].column->rows == rows) return result->column[i].column;
    return NULL;
}

static bool more_exposed(const Exposed *x, const Exposed *y) {
    if (x->sharing != y->sharing) return x->sharing < y->sharing;
    if (x->score != y->score) return x->score > y->score;
    return x->row < y->row;
}

/* Into its place among the most exposed so far. */
static void keep_exposed(Exposed *list, int64_t *count, Exposed one) {
    int64_t at = *count;
    if (at == RISKIEST && !more_exposed(&one, &list[at - 1])) return;
    if (at < RISKIEST) ++*count;
    else at--;
    for (; at > 0 && more_exposed(&one, &list[at - 1]); at--) list[at] = list[at - 1];
    list[at] = one;
}

/* Is one value of a sensitive column all that those have who share this record's keys? */
static Status gives_away(Explain *e, const Column *column, bool *out) {
    Status status = OK;
    Codes codes;
    uint32_t all = (uint32_t)((UINT64_C(1) << e->keys.count) - 1);
    TRY(column_codes(e->work, column, &codes));
    *out = codes.at[e->row] >= 0;
    for (int64_t i = 0; i < e->data->rows && *out; i++)
        if ((e->agrees[i] & all) == all && codes.at[i] >= 0) *out = codes.at[i] == codes.at[e->row];
    codes_drop(e->work, column, &codes);
done:
    return status;
}

/* "alone: it takes only age and region to single it out; anyone who does knows the diagnosis" */
static Status say_why(Explain *e, int64_t sharing, Buffer *text) {
    Status status = OK;
    uint32_t *sets = NULL;
    int64_t found = 0;
    bool known = false;
    if (sharing == 1) {
        TRY(unique_sets(e, 3, &sets, &found));
        if (found) buffer_print(text, "Unique on %s alone", key_names(e, sets[0]));
        else buffer_text(text, "Unique on all its keys");
    } else buffer_print(text, "Shares its keys with %s", others(e, sharing - 1));
    for (int64_t s = 0; s < e->sensitive.count; s++) {
        TRY(gives_away(e, e->sensitive.at[s], &known));
        if (known) buffer_print(text, "; an intruder who knows the keys infers the %s", called(e->sensitive.at[s]));
    }
    buffer_char(text, '.');
done:
    return status;
}

static Status explain_each(Explain *e, const Exposed *list, int64_t count) {
    Status status = OK;
    Grid *grid = grid_new(e->result, "riskiest", RISKIEST_COLUMNS);
    for (int64_t i = 0; i < count; i++) {
        Buffer text = { 0 };
        e->row = list[i].row;
        status = find_agreement(e);
        if (!status) status = say_why(e, list[i].sharing, &text);
        grid_integer(grid, e->row + 1);
        grid_integer(grid, list[i].sharing);
        grid_text(grid, buffer_get(&text));
        buffer_free(&text);
        TRY(status);
    }
done:
    grid_done(grid);
    return status;
}

static bool has_all(const Table *data, const Roles *roles, const char *role) {
    const Arg *arg = args_find(&roles->args, role);
    for (int64_t i = 0; arg && i < arg->count; i++)
        if (!table_column(data, arg->items[i])) return false;
    return true;
}

/* The ten, by how many share their keys, then by how few keys single them out. */
static Status riskiest(Explain *e, const Result *measured) {
    Status status = OK;
    Frequencies f;
    Exposed list[RISKIEST];
    int64_t count = 0;
    const Table *data = e->data;
    TRY(classes_make_by(e->work, e->keys, CATEGORY_RULE, &e->classes));
    TRY(classes_frequencies(e->work, &e->classes, CATEGORY_RULE, NULL, &f));
    const Column *score = per_record(measured, "risk.suda", "suda_score", data->rows);
    for (int64_t i = 0; i < data->rows; i++) {
        bool scored = score && !column_missing(score, i);
        keep_exposed(list, &count, (Exposed){ i, f.f[e->classes.of[i]], scored ? column_number(score, i) : 0 });
    }
    frequencies_drop(e->work, &f);
    TRY(explain_each(e, list, count));
done:
    return status;
}

Status explain_riskiest(Run *run, const Table *data, const Roles *roles, const Result *measured, Result *into) {
    Status status = OK;
    Explain e = { .run = run, .work = &run->work, .result = into, .data = data };
    if (!has_all(data, roles, "keys") || !has_all(data, roles, "sensitive")) return OK; /* a step dropped one */
    TRY(columns_by_role(&e, roles, "keys", &e.keys));
    TRY(columns_by_role(&e, roles, "sensitive", &e.sensitive));
    if (!e.keys.count || e.keys.count > FEW_KEYS || !data->rows || table_altered_any(data, e.keys)) return OK;
    TRY(riskiest(&e, measured));
done:
    return status;
}

/* Without a record: whom to look at first. SUDA's scores order those who are alone. */
static Status explain_all(Explain *e) {
    Status status = OK;
    Result *scores = result_new("scores"), *made = NULL;
    const char **names = NULL;
    Table *handle[1] = { (Table *)(uintptr_t)e->data };
    if (!scores) return out_of_memory(e->work->error);
    NEW(e->work, names, e->keys.count + 1);
    for (int64_t k = 0; k < e->keys.count; k++) names[k] = e->keys.at[k]->name;
    const Arg list[] = { { .name = "data", .count = 1, .tables = handle },
                         { .name = "keys", .count = e->keys.count, .items = names },
                         { .name = "force" } };
    TRY(run_method(e->run, "risk.suda", &(Args){ 3, list }, &made));
    result_result(scores, "risk.suda", made);
    TRY(riskiest(e, scores));
    const Table *made_table = result_find_table(e->result, "riskiest");
    for (int64_t i = 0; made_table && i < made_table->rows; i++) {
        char number[33], cell[33];
        result_note(e->result, "Record %s. %s", column_cell(made_table->column[0], i, number), column_cell(made_table->column[2], i, cell));
    }
    result_note(e->result, "--record N explains one of them.");
done:
    result_free(scores);
    return status;
}

static Status explain_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Explain e = { .run = run,
                  .work = &run->work,
                  .result = run->result,
                  .data = a->data,
                  .keys = a->keys,
                  .sensitive = a->sensitive,
                  .vars = a->vars,
                  .weight = a->weight,
                  .row = a->record == ABSENT ? 0 : a->record - 1 };
    TRY(fill_by_roles(&e, a->roles));
    if (a->record != ABSENT && a->record > a->data->rows) {
        fail(e.work->error, BAD, "the table has %lld record%s", (long long)a->data->rows, a->data->rows == 1 ? "" : "s");
        TRY(error_parameter(e.work->error, "record"));
    }
    if (!e.keys.count) TRY(fail(e.work->error, BAD, "no keys are known: give --keys or --roles"));
    if (e.keys.count > MOST_KEYS) TRY(fail(e.work->error, BAD, "at most %d keys can be explained", MOST_KEYS));
    if (a->record == ABSENT) return explain_all(&e);
    result_integer(run->result, "record", a->record);
    TRY(classes_make_by(&run->work, e.keys, CATEGORY_RULE, &e.classes));
    TRY(find_agreement(&e));
    say_sharing(&e);
    TRY(say_unique_sets(&e, a->max_size));
    say_keys(&e);
    TRY(say_risk(&e));
    TRY(say_sensitive(&e));
    TRY(say_distance(&e));
    if (table_altered_any(a->data, e.keys) || table_altered_any(a->data, e.sensitive))
        result_note(run->result, "These columns were perturbed, so counts of them do not show the risk of a record. Explain the original.");
    result_note(run->result, "A missing key is a value of its own.");
done:
    return status;
}

static const Return values[] = {
    VALUE(record, INTEGER, "Number of the record", .flags = PUBLIC),
    VALUE(f, INTEGER, "Records that agree with it on all keys, including itself", .flags = PUBLIC),
    VALUE(unique_sets, INTEGER, "Minimal combinations of keys that make it unique"),
    TABLE_OUT(unique_sets, "keys:text size:integer", "Minimal combinations of keys that make it unique"),
    VALUE(smallest_set, INTEGER, "Number of keys in the smallest of them", .flags = PUBLIC),
    VALUE(risk, REAL, "Probability that an intruder who knows its keys identifies the person. Smaller is safer", .flags = PUBLIC),
    VALUE(nearest_distance, REAL, "Distance to its nearest neighbour on the numbers, in standard deviations. Smaller is safer",
          .flags = PUBLIC),
    VALUE(median_distance, REAL, "Median of that distance over all records", .flags = PUBLIC),
    TABLE_OUT(keys, "key:text same:integer without:integer",
              "Each key: records with its value, and records that would agree if it were suppressed"),
    TABLE_OUT(riskiest, RISKIEST_COLUMNS, "Without --record: the ten records with the smallest classes, and why each is risky"),
    END,
};

const Method verb_explain = {
    .group = "verb",
    .name = "explain",
    .summary = "Explain in plain sentences why a record is at risk",
    .params = params,
    .size = sizeof(args),
    .run = explain_run,
    .values = values,
    .example = "scrim explain examples/clinic.csv --record 45 --roles examples/roles.yaml",
};
