/* Loose ends: what is left in a release beside the keys that were protected, and would undo it. Defined after Hundepool et al. 2006,
 * section 3.7: docs/methods/risk-loose-ends.md. */
#include "base/elementary.h"
#include <string.h>
#include "method/method.h"
#include "table/group.h"
#include "table/guess.h"
#include "table/joint.h"
#include "table/truth.h"

typedef struct {
    const Table *data, *original;
    const Column *id, *weight, *household;
    Columns keys;
    double determined;
} args;
static const Param params[] = {
    TABLE(args, data, "The release", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, keys, data, "Quasi-identifiers: the columns an intruder may know"),
    WEIGHT(args, data),
    COLUMN(args, household, data, "Household numbers"),
    REAL(args, determined, 0.1, 0, 1,
         "A column tells a key when it leaves at most this share of the key's entropy open, and a part of it when the key leaves at most "
         "this share of the column's"),
    ORIGINAL(args, data),
    END,
};

static const Return values[] = {
    VALUE(loose_ends, INTEGER, "Loose ends found", .flags = PUBLIC | LESS),
    VALUE(names, TEXT, "Each of them, in a line"),
    TABLE_OUT(ends, "column:text what:text step:text", "Each loose end, and the step that would mend it"),
    END,
};

typedef struct {
    Run *run;
    Work *work;
    const args *a;
    Grid *grid;
    Buffer names;
    int64_t count;
    int64_t *row;
} Ends;

static void say(Ends *e, const char *column, const char *what, const char *step) {
    grid_text(e->grid, column);
    grid_text(e->grid, what);
    grid_text(e->grid, step);
    buffer_print(&e->names, "%s%s (%s)", e->count++ ? "; " : "", column ? column : "all records", what);
}

static const char *step_for(Ends *e, const char *format, const char *column) {
    char *text = arena_print(e->work->arena, format, column);
    return text ? text : "";
}

static bool is_key(const args *a, const Column *column) {
    for (int64_t k = 0; k < a->keys.count; k++)
        if (a->keys.at[k] == column) return true;
    return false;
}

/* As it was in the original, record for record: whoever holds the original's numbers finds everyone. */
static Status as_before(Ends *e, const Column *column, bool *out) {
    Status status = OK;
    const Column *before = e->row ? table_column(e->a->original, column->name) : NULL;
    JointCodes codes;
    *out = false;
    if (!before) return OK;
    TRY(joint_codes(e->work, before, column, 0, 0, &codes));
    *out = true;
    for (int64_t i = 0; i < column->rows && *out; i++) *out = codes.at[0][e->row[i]] == codes.at[1][i];
done:
    return status;
}

static Status look_at_column(Ends *e, const Column *column) {
    Status status = OK;
    Profile profile;
    const char *reason = NULL;
    bool same = false;
    TRY(column_profile(e->work, column, &profile));
    const char *role = column_role(column, &profile, &reason);
    if (!profile.present) return OK;
    if (column_is_prose(column, &profile))
        say(e, column->name, "free text", step_for(e, "protect.drop: {vars: [%s]}, or scrim scrub", column->name));
    else if (column == e->a->household) {
        TRY(as_before(e, column, &same));
        if (same)
            say(e, column->name, "household numbers as in the original", step_for(e, "protect.pseudonym: {vars: [%s]}", column->name));
    } else if (same_text(role, "identifiers") && !is_key(e->a, column) && column != e->a->weight)
        say(e, column->name, reason, step_for(e, "protect.drop: {vars: [%s]}", column->name));
    else if ((column->type == DATE_TYPE || column->type == DATETIME_TYPE || column_tells_days(column)) && !is_key(e->a, column) &&
             profile.distinct > 1)
        say(e, column->name, "dates to the day", step_for(e, "protect.shift-dates: {vars: [%s]}, or protect.drop", column->name));
    else if ((column->type == CATEGORY_TYPE || column->type == TEXT_TYPE) && profile.uniques && profile.distinct * 4 < profile.present)
        say(e, column->name, "a value that only one record has", step_for(e, "protect.recode: {var: %s, min-count: 3}", column->name));
done:
    return status;
}

/* H(key | other) / H(key), over the records that have both. 1 where the key has no entropy, or the other column too many values to tell by
 * chance. */
static Status share_open(Work *work, const Codes *key, const Codes *other, int64_t rows, double *out) {
    Status status = OK;
    int64_t n = 0, *of_key = NULL, *of_other = NULL;
    double open = 0, all = 0;
    Grouping cells = { 0 };
    const Codes both[2] = { *key, *other };
    *out = 1;
    NEW(work, of_key, key->count + 1);
    NEW(work, of_other, other->count + 1);
    for (int64_t i = 0; i < rows; i++) {
        if (key->at[i] < 0 || other->at[i] < 0) continue;
        n++;
        of_key[key->at[i]]++;
        of_other[other->at[i]]++;
    }
    if (!n || key->count < 2 || (int64_t)other->count * 5 > n) goto done;
    TRY(group_codes(work, both, 2, rows, &cells));
    for (int32_t c = 0; c < key->count; c++)
        if (of_key[c]) all -= (double)of_key[c] / (double)n * log2((double)of_key[c] / (double)n);
    for (int64_t g = 0; g < cells.count; g++) {
        int32_t k = key->at[cells.first[g]], o = other->at[cells.first[g]];
        if (k >= 0 && o >= 0) open -= (double)cells.size[g] / (double)n * log2((double)cells.size[g] / (double)of_other[o]);
    }
    if (all > 0) *out = open / all;
done:
    arena_drop(work->arena, cells.of);
    return status;
}

/* What a column tells of a blanked key: all but a trifle, or, where it follows from the key as an age group does from the age, a part.
 * NULL: neither. */
static Status what_it_tells(Ends *e, const Codes *key, const Codes *other, int64_t rows, const char **out) {
    Status status = OK;
    double open, follows;
    *out = NULL;
    TRY(share_open(e->work, key, other, rows, &open));
    if (open <= e->a->determined) *out = "tells";
    if (*out || open > 1 - e->a->determined) return OK;
    TRY(share_open(e->work, other, key, rows, &follows));
    if (follows <= e->a->determined) *out = "tells a part of";
done:
    return status;
}

/* A key that lost cells, and a column that tells what stood there. */
static Status look_at_key(Ends *e, const Column *key) {
    Status status = OK;
    Codes codes, other;
    const Column *before = e->a->original ? table_column(e->a->original, key->name) : NULL;
    if (!key->missing || (before && before->missing >= key->missing)) return OK;
    TRY(column_codes(e->work, key, &codes));
    for (int64_t j = 0; j < e->a->data->columns; j++) {
        const Column *column = e->a->data->column[j];
        const char *tells;
        if (is_key(e->a, column)) continue;
        TRY(column_codes(e->work, column, &other));
        TRY(what_it_tells(e, &codes, &other, key->rows, &tells));
        if (!tells) continue;
        char *what = column == e->a->weight ? arena_print(e->work->arena, "weights that tell %s, which was blanked", key->name)
                                            : arena_print(e->work->arena, "%s %s, which was blanked", tells, key->name);
        say(e, column->name, what ? what : "",
            step_for(e, column == e->a->weight ? "protect.round: {vars: [%s]}" : "protect.drop: {vars: [%s]}, or make it a key",
                     column->name));
    }
done:
    return status;
}

/* Records where they stood: some column whose values tell records apart is as it was, place for place. */
static Status look_at_order(Ends *e) {
    Status status = OK;
    const Table *data = e->a->data;
    bool same = false;
    if (!e->a->original || data->rows < 2 || e->a->original->rows != data->rows) return OK;
    for (int64_t i = 0; i < data->rows; i++)
        if (e->row && e->row[i] != i) return OK;
    for (int64_t j = 0; j < data->columns && !same; j++) {
        Profile profile;
        const Column *before = table_column(e->a->original, data->column[j]->name);
        if (!before || before->missing == before->rows) continue;
        TRY(column_profile(e->work, data->column[j], &profile));
        same = profile.distinct > 2 && column_equal(before, data->column[j]);
    }
    if (same) say(e, NULL, "records in the order of the original", "protect.reorder: {}");
done:
    return status;
}

/* Numbers that nothing changed and that mostly one record alone has: no loose end by form, but whoever knows one finds its record. */
static Status note_lone_numbers(Ends *e) {
    Status status = OK;
    const Table *data = e->a->data;
    Buffer list = { 0 };
    int64_t count = 0;
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = data->column[j];
        const char *reason;
        Profile profile;
        bool same;
        if (!column_numeric(column) || is_key(e->a, column) || column == e->a->weight || column == e->a->household) continue;
        TRY(column_profile(e->work, column, &profile));
        if (profile.uniques * 2 <= profile.present || same_text(column_role(column, &profile, &reason), "identifiers")) continue;
        TRY(as_before(e, column, &same));
        if (same) buffer_print(&list, "%s%s", count++ ? ", " : "", column->name);
    }
    if (count)
        result_note(
            e->run->result,
            "%s: numbers as in the original, most of them held by one record alone. They are not counted as loose ends; whoever knows "
            "such a number of someone finds the record.",
            buffer_get(&list));
done:
    buffer_free(&list);
    return status;
}

static Status loose_ends_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Ends e = { .run = run, .work = &run->work, .a = a };
    bool paired = a->original && (a->id || a->original->rows == a->data->rows || a->data->origin);
    e.grid = grid_new(run->result, "ends", "column:text what:text step:text");
    if (paired) TRY(truth_pairs(e.work, a->data, a->original, a->id ? a->id->name : NULL, &e.row));
    for (int64_t j = 0; j < a->data->columns; j++) TRY(look_at_column(&e, a->data->column[j]));
    for (int64_t k = 0; k < a->keys.count; k++) TRY(look_at_key(&e, a->keys.at[k]));
    TRY(look_at_order(&e));
    TRY(note_lone_numbers(&e));
    result_integer(run->result, "loose_ends", e.count);
    result_text(run->result, "names", e.count ? buffer_get(&e.names) : "none");
    if (!a->original) result_note(run->result, "Without --original, row order and numbers kept from the original cannot be seen.");
    result_note(run->result, "What looks like an identifier, and which columns tell a key, is judged by values and names: that nothing was "
                             "found is no proof that nothing is there.");
done:
    grid_done(e.grid);
    buffer_free(&e.names);
    return status;
}

const Method risk_loose_ends = { .group = "risk",
                                 .name = "loose-ends",
                                 .summary = "What is left in a release that would undo its protection",
                                 .source = "Hundepool et al. 2006, section 3.7",
                                 .params = params,
                                 .size = sizeof(args),
                                 .traits = IDENTITY,
                                 .run = loose_ends_run,
                                 .headline = "-loose_ends",
                                 .values = values,
                                 .example = "scrim risk loose-ends examples/clinic.csv --keys sex,age,region --weight w --household hid" };
