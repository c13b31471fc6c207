/* Findings: which values of which methods tell what an intruder learns, and how to say it. */
#include "recipe/exposure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number.h"

const char *kind_of_disclosure(const Method *method) {
    unsigned t = method->traits;
    return t & IDENTITY ? "identity" : t & ATTRIBUTE ? "attribute" : t & INFERENTIAL ? "inferential" : t & POPULATION ? "population" : "";
}

/* In the order of gravity within a kind. %s: the keys, or the sensitive columns. `shares`: out of all records, else of one. */
typedef enum { PEOPLE, PEOPLE_SHARE, POPULATION_PEOPLE, SHARE } Unit;
typedef struct Finding {
    const char *kind, *method, *value, *or_value;
    Unit unit;
    const char *what, *role, *label;
} Finding;
static const Finding findings[] = {
    { "identity", "risk.k-anonymity", "found", "uniques", PEOPLE, "found for certain by whoever knows %s, and that they are in it", "keys",
      "alone with their keys" },
    { "identity", "risk.k-anonymity", "below_5", NULL, PEOPLE, "with fewer than %k candidates for whoever knows %s", "keys", NULL },
    { "identity", "risk.found", "by_keys", NULL, PEOPLE_SHARE, "expected to be found by whoever guesses among the candidates for %s",
      "keys", "guessed by keys" },
    { "identity", "risk.found", "by_numbers", NULL, PEOPLE_SHARE, "found by whoever knows %s exactly and takes the nearest record",
      "numeric", "linked by numbers" },
    { "identity", "risk.k-anonymity", "mistaken", NULL, PEOPLE, "for whom whoever knows %s takes somebody else's record", "keys",
      "taken for another" },
    { "attribute", "attack.homogeneity", "certain", NULL, PEOPLE, "whose %s is certain for whoever knows the keys", "sensitive",
      "secret certain" },
    { "attribute", "attack.background", "certain", NULL, PEOPLE, "whose %s is certain once one other value is ruled out", "sensitive",
      "certain with a fact more" },
    { "inferential", "attack.inference", "gain", NULL, SHARE, "more right guesses of %s with the release than without", "sensitive",
      "guessed" },
    { "inferential", "attack.regression", "gain", NULL, SHARE, "more right guesses of %s by regression than without", "sensitive",
      "guessed by regression" },
    { "inferential", "attack.skewness", "exposed", NULL, PEOPLE, "whose class makes some %s far likelier than in the whole table",
      "sensitive", "secret likelier" },
    { "population", "risk.individual", "expected_reidentifications", NULL, PEOPLE,
      "expected to be found by whoever searches the population for %s", "keys", "found in the population" },
    { "population", "risk.population-uniques", "population_uniques", NULL, POPULATION_PEOPLE,
      "estimated to be alone in the whole population with %s", "keys", "alone in the population" },
    { "population", "attack.membership", "gain", NULL, SHARE, "more right guesses of who is in the table than without it", NULL,
      "membership" },
};

enum { FINDINGS = sizeof findings / sizeof *findings };

/* ---- values ---- */

static const Value *value_of(const Result *measured, const char *method, const char *name) {
    const Result *result = measured ? result_within(measured, method) : NULL;
    const Value *value = result && name ? result_find(result, name) : NULL;
    return value && (value->kind == VALUE_REAL || value->kind == VALUE_INTEGER) ? value : NULL;
}

static double number_of(const Value *value) { return !value ? NAN : value->kind == VALUE_REAL ? value->real : (double)value->integer; }

/* ---- how few candidates are too few ---- */

enum { FEW_CANDIDATES = 5 };
static const char *const candidate_words[] = { "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten" };

/* People with fewer than `bound` candidates, from the table by size; NAN where its ranges do not part there. */
static double people_below(const Result *measured, int64_t bound) {
    const Result *result = measured ? result_within(measured, "risk.k-anonymity") : NULL;
    const Table *sizes = result ? result_find_table(result, "frequencies") : NULL;
    const Column *size = sizes ? table_column(sizes, "f") : NULL, *records = sizes ? table_column(sizes, "records") : NULL;
    double people = 0;
    char number[33];
    for (int64_t i = 0; size && records && i < sizes->rows; i++) {
        const char *text = column_cell(size, i, number);
        int64_t from = text ? strtoll(text, NULL, 10) : 0;
        if (from == bound) return people;
        if (from > bound) break;
        people += (double)column_integer(records, i);
    }
    return NAN;
}

/* The k that the policy asks of the release, where what was measured tells who has fewer; else five. */
static int64_t few_by(const Policy *policy, const Result *before, const Result *after) {
    for (int64_t r = 0; policy && r < policy->rules; r++) {
        const Rule *rule = &policy->rule[r];
        if (rule->at || !rule->method || strcmp(rule->method->group, "risk") || strcmp(rule->method->name, "k-anonymity")) continue;
        if (rule->comparison != COMPARE_LEAST || strcmp(rule->value, "k")) continue;
        if (!(rule->number > 2 && rule->number <= 1000) || rule->number != floor(rule->number)) continue; /* one candidate: a line above */
        int64_t k = (int64_t)rule->number;
        if (!isnan(people_below(after, k)) && (!before || !isnan(people_below(before, k)))) return k;
    }
    return FEW_CANDIDATES;
}

static bool is_few(const Finding *f) { return f->value && !strcmp(f->value, "below_5"); }

static bool is_mistake(const Finding *f) { return f->value && !strcmp(f->value, "mistaken"); }

static double found(const Finding *f, const Result *measured, const Table *table, bool public) {
    const Value *value = value_of(measured, f->method, f->value);
    if (!value) value = value_of(measured, f->method, f->or_value);
    if (!value || (public && !value->public)) return NAN;
    return number_of(value) * (f->unit == PEOPLE_SHARE ? (double)table->rows : 1);
}

/* The same, where `few` says how many candidates are too few. */
static double found_by(const Finding *f, const Result *measured, const Table *table, bool public, int64_t few) {
    return is_few(f) && few != FEW_CANDIDATES ? people_below(measured, few) : found(f, measured, table, public);
}

/* "sex, age and region"; "the keys" where the roles do not say. */
static const char *listed(Work *work, const Roles *roles, const char *role) {
    const Arg *arg = roles && role ? args_find(&roles->args, role) : NULL;
    Buffer text = { 0 };
    if (!arg || !arg->count || arg->count > 8)
        return !role ? "" : !strcmp(role, "keys") ? "the keys" : !strcmp(role, "numeric") ? "the numbers" : "sensitive value";
    for (int64_t i = 0; i < arg->count; i++)
        buffer_print(&text, "%s%s", !i ? "" : i + 1 < arg->count ? ", " : !strcmp(role, "sensitive") ? " or " : " and ", arg->items[i]);
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}

/* Were values of these columns drawn at random? Then what they seem to tell need not be so. */
static bool is_drawn(const Table *table, const Roles *roles, const char *role) {
    const Arg *arg = roles ? args_find(&roles->args, role) : NULL;
    for (int64_t i = 0; arg && arg->items && i < arg->count; i++)
        if (table_altered(table, arg->items[i])) return true;
    return false;
}
static bool tells_for_certain(const Table *table, const Roles *roles) {
    return !is_drawn(table, roles, "keys") && !is_drawn(table, roles, "sensitive");
}

static bool is_of_several(const Roles *roles, const char *role) {
    const Arg *arg = roles && role ? args_find(&roles->args, role) : NULL;
    return arg && arg->count > 1;
}

/* These attacks count for one sensitive column at a time, and give the count of the worst. */
static bool counts_worst(const Finding *f, const Roles *roles) {
    return f->unit == PEOPLE && f->role && !strcmp(f->role, "sensitive") && is_of_several(roles, f->role);
}

static const char *spelled(Work *work, const Finding *f, const Roles *roles, const Table *table, int64_t few) {
    Buffer text = { 0 };
    for (const char *at = f->what; *at; at++)
        if (at[0] == '%' && at[1] == 's') {
            buffer_text(&text, listed(work, roles, f->role));
            at++;
        } else if (at[0] == '%' && at[1] == 'k') {
            if (few <= 10) buffer_text(&text, candidate_words[few]);
            else buffer_print(&text, "%lld", (long long)few);
            at++;
        } else buffer_char(&text, *at);
    if (counts_worst(f, roles)) buffer_text(&text, ", by the column that tells most");
    if (!strcmp(f->kind, "attribute") && !tells_for_certain(table, roles)) buffer_text(&text, ", as it seems: values were drawn at random");
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}

void exposure_table(Work *work, Result *into, const Result *before, const Result *after, const Roles *roles, const Policy *policy,
                    const Table *table, bool public) {
    int64_t few = few_by(policy, before, after);
    Grid *grid = grid_new(into, "exposure", EXPOSURE_COLUMNS);
    for (int i = 0; i < FINDINGS; i++) {
        const Finding *f = &findings[i];
        double was = found_by(f, before, table, public, few), is = found_by(f, after, table, public, few);
        if ((isnan(is) && isnan(was)) || (is_mistake(f) && !(is > 0) && !(was > 0))) continue;
        grid_text(grid, f->kind);
        grid_text(grid, spelled(work, f, roles, table, few));
        grid_text(grid, is_few(f) ? arena_print(work->arena, "fewer than %lld candidates", (long long)few) : f->label);
        grid_text(grid, f->unit == SHARE ? "share" : f->unit == POPULATION_PEOPLE ? "people of the population" : "people");
        grid_real(grid, was);
        grid_real(grid, is);
    }
    grid_done(grid);
}

/* ---- the four kinds ---- */

/* The gravest of a kind that was found: "256 people found for certain by …"; what is known where nothing was. */
static const char *gravest(Work *work, const char *kind, const Result *measured, const Roles *roles, const Table *table, int64_t few) {
    bool looked = false;
    for (int i = 0; i < FINDINGS; i++) {
        const Finding *f = &findings[i];
        double value = strcmp(f->kind, kind) ? NAN : found_by(f, measured, table, false, few);
        char number[33];
        looked |= !isnan(value);
        if (!(value > 0)) continue;
        if (f->unit == SHARE)
            return arena_print(work->arena, "%s%% %s", real_short(100 * value, 3, number), spelled(work, f, roles, table, few));
        real_short(value < 10 ? value : floor(value + 0.5), value < 10 ? 2 : 15, number);
        return arena_print(work->arena, "%s %s %s", number, f->unit == POPULATION_PEOPLE ? "people of the population" : "people",
                           spelled(work, f, roles, table, few));
    }
    return looked ? "nobody, by what was measured" : NULL;
}

/* "attack.linkage, risk.intruder": the methods on a kind that were not run. */
static const char *left_out(Work *work, unsigned kind, const Table *skipped) {
    Buffer text = { 0 };
    const Column *names = skipped ? table_column(skipped, "method") : NULL;
    char number[33];
    for (int64_t i = 0; names && i < skipped->rows; i++) {
        const Method *method;
        const char *name = column_cell(names, i, number);
        if (name && !method_need(name, &method, NULL) && (method->traits & kind)) buffer_print(&text, "%s%s", text.count ? ", " : "", name);
    }
    const char *copy = text.count ? arena_text(work->arena, buffer_get(&text)) : NULL;
    buffer_free(&text);
    return copy;
}

static int64_t measured_by(const Result *measured, unsigned kind) {
    int64_t count = 0;
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *method = methods_at(i);
        char name[128];
        snprintf(name, sizeof name, "%s.%s", method->group, method->name);
        count += (method->traits & kind) && result_within(measured, name);
    }
    return count;
}

void kinds_table(Work *work, Result *into, const Result *measured, const Table *skipped, const Roles *roles, const Policy *policy,
                 const Table *table) {
    int64_t few = few_by(policy, NULL, measured);
    static const struct {
        const char *name;
        unsigned trait;
    } kinds[] = { { "identity", IDENTITY }, { "attribute", ATTRIBUTE }, { "inferential", INFERENTIAL }, { "population", POPULATION } };
    Grid *grid = grid_new(into, "kinds", KINDS_COLUMNS);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        grid_text(grid, kinds[i].name);
        grid_integer(grid, measured_by(measured, kinds[i].trait));
        grid_text(grid, gravest(work, kinds[i].name, measured, roles, table, few));
        grid_text(grid, left_out(work, kinds[i].trait, skipped));
    }
    grid_done(grid);
}

/* ---- one sentence ---- */

static void say_people(Buffer *text, double count, int64_t rows) {
    char number[33];
    real_short(floor(count + .5), 12, number);
    if (count < .5) buffer_text(text, "nobody");
    else if (rows == 1) buffer_text(text, "the one person");
    else if (rows && floor(count + .5) >= (double)rows) buffer_print(text, "all %s people", number);
    else buffer_print(text, "%s of the %lld people", number, (long long)rows);
}

static void say_found(Work *work, Buffer *text, const Result *measured, const Roles *roles, const Table *table) {
    const Value *candidates = value_of(measured, "risk.k-anonymity", "k_intruder"), *k = value_of(measured, "risk.k-anonymity", "k");
    double mistaken = number_of(value_of(measured, "risk.k-anonymity", "mistaken"));
    double one = found(&findings[0], measured, table, false), linked = number_of(value_of(measured, "risk.found", "by_keys"));
    const char *keys = listed(work, roles, "keys");
    if (!isnan(one) && one < .5 && number_of(k) > 1 && candidates)
        buffer_print(text, "Whoever knows someone's true %s is left with %lld candidates or more", keys, (long long)number_of(k));
    else if (!isnan(one) && one < .5 && k && !candidates &&
             table->released) /* blanks agree with all: it need not be what an intruder meets */
        buffer_print(text, "Each record agrees with %lld or more on %s, itself among them", (long long)number_of(k), keys);
    else if (!isnan(one) && one < .5 && k && !candidates)
        buffer_print(text, "Whoever knows someone's %s finds %lld records or more that fit", keys, (long long)number_of(k));
    else if (!isnan(one)) {
        buffer_print(text, "Whoever knows %s of someone in it finds ", keys);
        say_people(text, one, table->rows);
        buffer_text(text, " for certain");
        if (mistaken > 0) buffer_print(text, ", mistakes the record of somebody else for that of %lld", (long long)mistaken);
    } else if (!isnan(linked)) {
        buffer_print(text, "Whoever knows someone's true %s and guesses finds about ", keys);
        say_people(text, linked * (double)table->rows, table->rows);
    }
}

const char *exposure_sentence(Work *work, const Result *measured, const Roles *roles, const Table *table) {
    Buffer text = { 0 };
    say_found(work, &text, measured, roles, table);
    double certain = number_of(value_of(measured, "attack.homogeneity", "certain"));
    bool unseen = table->released && !value_of(measured, "risk.k-anonymity", "k_intruder") && !value_of(measured, "risk.found", "by_keys");
    if (unseen && text.count) {
        buffer_text(&text, ". What an intruder who knows true keys faces cannot be seen without the original");
    } else if (!isnan(certain) && text.count && !tells_for_certain(table, roles))
        buffer_text(&text, "; what the release tells of them was drawn at random, and need not be so");
    else if (!isnan(certain) && text.count) {
        buffer_print(&text, certain < .5 ? ", and learns the %s of " : " and learns the %s of ", listed(work, roles, "sensitive"));
        char number[33];
        if (certain >= .5 && certain < (double)table->rows) buffer_text(&text, real_short(certain, 12, number));
        else say_people(&text, certain, table->rows);
        if (certain >= .5 && certain < (double)table->rows && is_of_several(roles, "sensitive")) buffer_text(&text, " or more");
        if (certain >= .5) buffer_text(&text, " without error");
        else buffer_text(&text, " for certain");
    }
    if (text.count) buffer_char(&text, '.');
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}

/* ---- roles ---- */

void roles_table(Result *into, const Roles *roles) {
    Grid *grid = grid_new(into, "roles", "role:text columns:text");
    for (int64_t r = -1; roles && r < roles->args.count; r++) {
        int64_t count = r < 0 ? roles->identifiers : roles->args.at[r].count;
        const char *const *items = r < 0 ? roles->identifier : roles->args.at[r].items;
        Buffer text = { 0 };
        if (!count || !items) continue;
        for (int64_t i = 0; i < count; i++) buffer_print(&text, "%s%s", i ? ", " : "", items[i]);
        grid_text(grid, r < 0 ? "identifiers" : roles->args.at[r].name);
        grid_text(grid, buffer_get(&text));
        buffer_free(&text);
    }
    grid_done(grid);
}
