/* risk.residual: what identifies people in a release beside the keys that were protected. Defined after Hundepool et al. 2006, section 3.7:
 * docs/methods/risk-residual.md. */
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include <string.h>
#include "base/number_text.h"
#include "method/method.h"
#include "table/group.h"
#include "profile/person.h"
#include "table/measurement_level.h"
#include "risk/residual/unchanged_values.h"

typedef struct {
    const Table *data, *original;
    const Column *id, *weight, *household, *person;
    Columns keys;
    double determined;
} args;
static const Param params[] = {
    TABLE(args, data, "The release", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, keys, data, "Quasi-identifiers (key variables): columns that an intruder may know"),
    WEIGHT(args, data),
    COLUMN(args, household, data, "Household numbers"),
    PERSON(args, data),
    REAL(args, determined, 0.1, 0, 1,
         "Threshold, 0 to 1: a column determines a key if it leaves at most this share of the key's entropy, and a part of it if the key "
         "leaves at most this share of the column's"),
    TABLE(args, original, "The original file of this release"),
    COLUMN(args, id, data, "Record number in release and original (default: records are paired by position)"),
    END,
};

static const Return values[] = {
    VALUE(count, INTEGER, "Residual risks: columns, or the row order, that identify people beside the keys. 0 = none was found",
          .flags = PUBLIC | LESS),
    VALUE(names, TEXT, "The residual risks, one per line"),
    TABLE_OUT(residuals, "column:text kind:text people:integer recommendation:text",
              "Each residual risk: its kind, the people concerned where they can be counted, and a step that removes it"),
    END,
};

typedef struct {
    Run *run;
    Work *work;
    const args *a;
    Grid *grid;
    Buffer names;
    int64_t count;
    Kept kept;
    bool *gone; /* column → it must go anyhow */
} Residuals;

/* people: those concerned; -1 where they cannot be counted. */
static void report_risk(Residuals *e, const char *column, const char *what, int64_t people, const char *step) {
    grid_text(e->grid, column);
    grid_text(e->grid, what);
    if (people < 0) grid_missing(e->grid);
    else grid_integer(e->grid, people);
    grid_text(e->grid, step);
    buffer_print(&e->names, "%s%s (%s)", e->count++ ? "; " : "", column ? column : "all records", what);
}

static const char *step_for(Residuals *e, const char *format, const char *column) {
    char *text = arena_print(e->work->arena, format, column);
    return text ? text : "";
}

static bool is_key(const args *a, const Column *column) {
    for (int64_t k = 0; k < a->keys.count; k++)
        if (a->keys.at[k] == column) return true;
    return false;
}

/* A value that no other person has finds its holder. Numbers count where they are as they were, be that in a part of the column. */
static Status look_for_lone_values(Residuals *e, const Column *column) {
    Status status = OK;
    bool number = column_numeric(column) && !column_is_codes(column);
    int64_t people = 0, least = 0;
    if (column == e->a->weight || (column_linear(column) && is_key(e->a, column) && !column_is_codes(column))) return OK;
    if (number) TRY(kept_alone(&e->kept, column, &people));
    else TRY(kept_rare(&e->kept, column, e->a->weight, &people, &least));
    if (!people) return OK;
    char *what = arena_print(e->work->arena, "%lld %s a unique value%s", (long long)people, people == 1 ? "person has" : "people have",
                             number ? ", unchanged from the original" : "");
    const char *format = number  ? "protect.microaggregate: {vars: [%s], k: 3}"
                         : least ? "protect.recode: {var: %s, min-count: %lld}"
                                 : "protect.suppress: {keys: [%s], k: 3}";
    char *step = arena_print(e->work->arena, format, column->name, (long long)least);
    report_risk(e, column->name, what ? what : "", people, step ? step : "");
done:
    return status;
}

/* Numbers of households, or of people who have several records: what follows them through a file. Those of single records are identifiers.
 */
static bool numbers_people(const Residuals *e, const Column *column, const Profile *p, const char *role) {
    bool repeated = p->distinct < p->present && p->distinct * 20 > p->present && column->type != REAL_TYPE;
    if ((e->a->household && column == e->a->household) || (e->a->person && column == e->a->person)) return true;
    if (is_key(e->a, column) || column == e->a->weight || same_text(role, "identifiers")) return false;
    const char *reason;
    return (!e->a->household && same_text(role, "household")) || column_numbers_people(column, p, &reason) ||
           (repeated && name_has_word(column->name, " id ids pid uid uuid patient person subject serial record case "));
}

static bool is_date(const Column *column) { return column->type == DATE_TYPE || column->type == DATETIME_TYPE; }

/* Has some text become another, as scrubbing makes it? Text that only stands in other records has not. */
static Status text_changed(const Residuals *e, const Column *column, bool *out) {
    Status status = OK;
    const Column *before = e->a->original ? table_column(e->a->original, column->name) : NULL;
    const char **words = NULL, *word;
    int64_t count = 0;
    char number[33];
    *out = false;
    if (!before || column_linear(before) || column_linear(column)) return OK;
    NEW(e->work, words, before->rows + 1);
    for (int64_t i = 0; i < before->rows; i++)
        if ((word = column_cell(before, i, number))) words[count++] = word;
    if (count) qsort(words, (size_t)count, sizeof *words, compare_texts);
    for (int64_t i = 0; i < column->rows && !*out; i++)
        if ((word = column_cell(column, i, number))) *out = !count || !bsearch(&word, words, (size_t)count, sizeof *words, compare_texts);
done:
    return status;
}

static Status look_at_column(Residuals *e, const Column *column) {
    Status status = OK;
    Profile profile;
    const char *reason = NULL;
    bool same = false;
    TRY(column_profile(e->work, column, &profile));
    const char *role = column_role(column, &profile, &reason);
    if (!profile.present) return OK;
    if (column_is_prose(column, &profile)) {
        TRY(text_changed(e, column, &same));
        if (!same) report_risk(e, column->name, "free text", -1, step_for(e, "scrub.text: {columns: [%s]}, or protect.drop", column->name));
    } else if (numbers_people(e, column, &profile, role)) {
        bool household = column == e->a->household || same_text(role, "household");
        TRY(kept_as_before(&e->kept, column, &same));
        if (same)
            report_risk(e, column->name, household ? "household numbers unchanged from the original" : "ids unchanged from the original",
                        -1, step_for(e, "protect.pseudonym: {vars: [%s]}", column->name));
    } else if (same_text(role, "identifiers") && !is_key(e->a, column) && column != e->a->weight) {
        report_risk(e, column->name, reason, -1, step_for(e, "protect.drop: {vars: [%s]}", column->name));
        e->gone[table_find(e->a->data, column->name)] = true;
    } else if ((is_date(column) || column_tells_days(column)) && !is_key(e->a, column) && profile.distinct > 1) {
        bool changed;
        TRY(kept_changed(&e->kept, column, &changed));
        if (!changed)
            report_risk(e, column->name, "dates to the day", -1,
                        step_for(e, is_date(column) ? "protect.shift-dates: {vars: [%s]}, or protect.drop" : "protect.drop: {vars: [%s]}",
                                 column->name));
    } else if (profile.uniques) {
        TRY(kept_none(&e->kept, column, &same));
        if (!same) TRY(look_for_lone_values(e, column));
    }
done:
    return status;
}

/* Does a column of many values tell the key for certain, and not by chance? Each record beyond the first of a value must agree with it. */
static bool beyond_chance(const int64_t *of_key, int32_t keys, int64_t n, int64_t others) {
    int64_t commonest = 0;
    for (int32_t c = 0; c < keys; c++) commonest = of_key[c] > commonest ? of_key[c] : commonest;
    return commonest < n && (double)(n - others) * log((double)n / (double)commonest) > log(1e6);
}

/* H(key | other) / H(key), over the records that have both. 1 where the key has no entropy, or the other column so many values that chance
 * may tell it: more than a fifth of the records, save where it tells the key for certain. */
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
    bool many = (int64_t)other->count * 5 > n;
    if (!n || key->count < 2 || (many && !beyond_chance(of_key, key->count, n, other->count))) goto done;
    TRY(group_codes(work, both, 2, rows, &cells));
    for (int32_t c = 0; c < key->count; c++)
        if (of_key[c]) all -= (double)of_key[c] / (double)n * log2((double)of_key[c] / (double)n);
    for (int64_t g = 0; g < cells.count; g++) {
        int32_t k = key->at[cells.first[g]], o = other->at[cells.first[g]];
        if (k >= 0 && o >= 0) open -= (double)cells.size[g] / (double)n * log2((double)cells.size[g] / (double)of_other[o]);
    }
    if (all > 0 && (!many || open == 0)) *out = open / all;
done:
    arena_drop(work->arena, cells.of);
    return status;
}

/* Has some record that lost the key a value of the other column that a record with the key has, too? Else there is nothing to read off, as
 * where a whole household lost it. */
static Status reaches_blanks(const Residuals *e, const Column *key, const Column *before, const Codes *of_key, const Codes *other,
                             bool *out) {
    Status status = OK;
    uint8_t *told = NULL;
    *out = false;
    NEW(e->work, told, other->count + 1);
    for (int64_t i = 0; i < key->rows; i++)
        if (of_key->at[i] >= 0 && other->at[i] >= 0) told[other->at[i]] = 1;
    for (int64_t i = 0; i < key->rows && !*out; i++) {
        bool lost = of_key->at[i] < 0 && !(before && e->kept.row && column_missing(before, e->kept.row[i]));
        *out = lost && other->at[i] >= 0 && told[other->at[i]];
    }
done:
    arena_drop(e->work->arena, told);
    return status;
}

/* What a column tells of a blanked key: all but a trifle, or, where it follows from the key as an age group does from the age, a part.
 * NULL: neither. */
static Status what_it_tells(Residuals *e, const Codes *key, const Codes *other, int64_t rows, const char **out) {
    Status status = OK;
    double open, follows;
    *out = NULL;
    TRY(share_open(e->work, key, other, rows, &open));
    if (open <= e->a->determined) *out = "determines";
    if (*out || open > 1 - e->a->determined) return OK;
    TRY(share_open(e->work, other, key, rows, &follows));
    if (follows <= e->a->determined) *out = "partly determines";
done:
    return status;
}

/* Weights as multiples of a base, coded. */
static Status rounded_codes(Residuals *e, const Column *weight, double base, Codes *out) {
    Status status = OK;
    Column *column = NULL;
    const double *x;
    TRY(column_reals(e->work, weight, &x));
    TRY(column_copy(weight, &column, e->work->error));
    for (int64_t i = 0; i < weight->rows; i++) {
        double multiple = isnan(x[i]) ? 0 : round(x[i] / base) * base;
        if (column->type == INTEGER_TYPE) column->integer[i] = (int64_t)multiple;
        else column->real[i] = multiple;
    }
    TRY(column_codes(e->work, column, out));
done:
    column_release(column);
    return status;
}

/* The finest of the bases 1, 2, 5, 10, … (times a power of ten that suits the weights) at which rounded weights tell nothing of the key and
 * none becomes nought; where there is none, they must go. */
static Status step_for_weights(Residuals *e, const Codes *key, const Column *weight, const char **out) {
    static const double nice[] = { 1, 2, 5 };
    Status status = OK;
    Profile profile;
    Codes rounded;
    const char *tells = "determines";
    *out = step_for(e, "protect.drop: {vars: [%s]}", weight->name);
    TRY(column_profile(e->work, weight, &profile));
    if (!(profile.least > 0 && profile.range > 0)) goto done;
    double power = weight->type == INTEGER_TYPE ? 1 : pow(10, floor(log10(profile.range)) - 2);
    for (int i = 0; tells && i < 30; i++) {
        double base = power * nice[i % 3] * pow(10, i / 3);
        if (base > 2 * profile.least) break;
        TRY(rounded_codes(e, weight, base, &rounded));
        TRY(what_it_tells(e, key, &rounded, weight->rows, &tells));
        char number[33];
        if (!tells) *out = arena_print(e->work->arena, "protect.round: {vars: [%s], base: %s}", weight->name, real_short(base, 6, number));
    }
    if (!*out) status = out_of_memory(e->work->error);
done:
    return status;
}

/* A key that lost cells, and a column that tells what stood there. */
static Status look_at_key(Residuals *e, const Column *key) {
    Status status = OK;
    Codes codes, other;
    const Column *before = e->a->original ? table_column(e->a->original, key->name) : NULL;
    if (!key->missing || (before && before->missing >= key->missing)) return OK;
    TRY(column_codes(e->work, key, &codes));
    for (int64_t j = 0; j < e->a->data->columns; j++) {
        const Column *column = e->a->data->column[j];
        const char *tells;
        bool reaches;
        if (is_key(e->a, column) || e->gone[j]) continue;
        TRY(column_codes(e->work, column, &other));
        TRY(reaches_blanks(e, key, before, &codes, &other, &reaches));
        if (!reaches) continue;
        TRY(what_it_tells(e, &codes, &other, key->rows, &tells));
        if (!tells) continue;
        char *what = column == e->a->weight ? arena_print(e->work->arena, "weights determine %s, which was suppressed", key->name)
                                            : arena_print(e->work->arena, "%s %s, which was suppressed", tells, key->name);
        const char *step = step_for(e, "protect.drop: {vars: [%s]}, or make it a key", column->name);
        if (column == e->a->weight) TRY(step_for_weights(e, &codes, column, &step));
        report_risk(e, column->name, what ? what : "", -1, step);
    }
done:
    return status;
}

static Status residual_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Residuals e = { .run = run, .work = &run->work, .a = a };
    bool ordered = false;
    NEW(e.work, e.gone, a->data->columns + 1);
    e.grid = grid_new(run->result, "residuals", "column:text kind:text people:integer recommendation:text");
    TRY(kept_make(e.work, a->data, a->original, a->id ? a->id->name : NULL, &e.kept));
    for (int64_t j = 0; j < a->data->columns; j++) TRY(look_at_column(&e, a->data->column[j]));
    for (int64_t k = 0; k < a->keys.count; k++) TRY(look_at_key(&e, a->keys.at[k]));
    TRY(kept_order(&e.kept, &ordered));
    if (ordered) report_risk(&e, NULL, "records are in the order of the original", a->data->rows, "protect.reorder: {}");
    result_integer(run->result, "count", e.count);
    result_text(run->result, "names", e.count ? buffer_get(&e.names) : "none");
    if (!a->original) result_note(run->result, "Without the original file, row order and unchanged unique numbers cannot be checked.");
    result_note(run->result,
                "Identifiers and columns that determine a key are recognised by values and names. That nothing was found does not "
                "prove that nothing is there.");
done:
    grid_done(e.grid);
    buffer_free(&e.names);
    return status;
}

const Method risk_residual = {
    .group = "risk",
    .name = "residual",
    .summary = "Residual risks: identifiers, dates, places, rare values and row order that identify people beside the keys",
    .source = "Hundepool et al. 2006, section 3.7",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY,
    .run = residual_run,
    .headline = "-count",
    .values = values,
    .example = "scrim risk residual examples/clinic.csv --keys sex,age,region --weight w --household hid"
};
