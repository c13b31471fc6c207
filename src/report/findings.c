/* Findings: which values of which methods tell what an intruder learns, and how to say it. */
#include "report/findings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"

const char *kind_of_disclosure(const Method *method) {
    unsigned t = method->traits;
    return t & IDENTITY ? "identity" : t & ATTRIBUTE ? "attribute" : t & INFERENTIAL ? "inferential" : t & POPULATION ? "population" : "";
}

/* In the order of gravity within a kind. %s: the columns of the role; %q: the quasi-identifiers; %k: the smallest class size that the policy
 * asks for. SHARE: a share, of no people. */
typedef enum { PEOPLE, POPULATION_PEOPLE, SHARE } Unit;
typedef struct Finding {
    const char *kind, *method, *value;
    Unit unit;
    const char *what, *role, *label;
} Finding;
static const Finding findings[] = {
    { "identity", "risk.reidentification", "expected", PEOPLE,
      "re-identified in a simulated attack by an intruder who knows %s (expected number)", "known", "re-identified" },
    { "identity", "risk.reidentification", "certain", PEOPLE, "re-identified with certainty by an intruder who knows everybody's %s",
      "keys", "with certainty" },
    { "identity", "risk.k-anonymity", "uniques", PEOPLE, "unique on %s", "keys", "unique on the keys" },
    { "identity", "risk.k-anonymity", "below_5", PEOPLE, "in equivalence classes (people with the same %s) of fewer than %k", "keys",
      NULL },
    { "attribute", "attack.homogeneity", "certain", PEOPLE, "whose %s can be inferred with certainty from %q", "sensitive",
      "attribute inferred" },
    { "attribute", "attack.background", "certain", PEOPLE,
      "whose %s can be inferred by an intruder who also knows that of one other person in their equivalence class", "sensitive",
      "inferred, one known" },
    { "inferential", "attack.inference", "gain", SHARE, "percentage points more correct guesses of %s with the release than without it",
      "sensitive", "guessed" },
    { "inferential", "attack.regression", "gain", SHARE,
      "percentage points more correct guesses of %s with a regression on the other columns than without", "sensitive",
      "guessed by regression" },
    { "inferential", "attack.skewness", "exposed", PEOPLE,
      "in equivalence classes where some rare %s is far more frequent than in the whole file", "sensitive", "far likelier" },
    { "population", "risk.individual", "expected_reidentifications", PEOPLE,
      "re-identified by an intruder who does not know who is in the file and searches the population by %s (expected number)", "keys",
      "found in the population" },
    { "population", "risk.population-uniques", "population_uniques", POPULATION_PEOPLE,
      "estimated to be unique in the population on %s, in the file or not", "keys", "population unique" },
    { "population", "attack.membership", "best_gain", SHARE,
      "percentage points more correct guesses of membership in the file than by chance", NULL, "membership" },
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

const Table *sizes_of_classes(const Result *k_anonymity, const char **sizes, const char **people) {
    const Table *table = k_anonymity ? result_find_table(k_anonymity, "candidates") : NULL;
    *sizes = table ? "candidates" : "f";
    *people = table ? "people" : "records";
    return table || !k_anonymity ? table : result_find_table(k_anonymity, "frequencies");
}

/* People with fewer than `bound` candidates, from the table by size; NAN where its ranges do not part there. */
static double people_below(const Result *measured, int64_t bound) {
    const char *f, *count;
    const Table *sizes = sizes_of_classes(measured ? result_within(measured, "risk.k-anonymity") : NULL, &f, &count);
    const Column *size = sizes ? table_column(sizes, f) : NULL, *records = sizes ? table_column(sizes, count) : NULL;
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

static double found(const Finding *f, const Result *measured, bool public) {
    const Value *value = value_of(measured, f->method, f->value);
    return !value || (public && !value->public) ? NAN : number_of(value);
}

/* The same, where `few` says how many candidates are too few. */
static double found_by(const Finding *f, const Result *measured, bool public, int64_t few) {
    return is_few(f) && few != FEW_CANDIDATES ? people_below(measured, few) : found(f, measured, public);
}

/* "sex, age and region"; "the keys" where the roles do not say. `known`: keys and numbers together. */
static const char *listed(Work *work, const Roles *roles, const char *role) {
    bool known = role && !strcmp(role, "known");
    const Arg *arg = roles && role ? args_find(&roles->args, known ? "keys" : role) : NULL,
              *more = roles && known ? args_find(&roles->args, "numeric") : NULL;
    int64_t own = arg && arg->items ? arg->count : 0, count = own + (more && more->items ? more->count : 0);
    Buffer text = { 0 };
    if (!count || count > 10)
        return !role                        ? ""
               : known                      ? "the keys and numbers"
               : !strcmp(role, "keys")      ? "the keys"
               : !strcmp(role, "sensitive") ? "sensitive value"
                                            : "the numbers";
    for (int64_t i = 0; i < count; i++)
        buffer_print(&text, "%s%s",
                     !i                           ? ""
                     : i + 1 < count              ? ", "
                     : !strcmp(role, "sensitive") ? " or "
                                                  : " and ",
                     i < own ? arg->items[i] : more->items[i - own]);
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
        } else if (at[0] == '%' && at[1] == 'q') {
            buffer_text(&text, listed(work, roles, "keys"));
            at++;
        } else if (at[0] == '%' && at[1] == 'k') {
            if (few <= 10) buffer_text(&text, candidate_words[few]);
            else buffer_print(&text, "%lld", (long long)few);
            at++;
        } else buffer_char(&text, *at);
    if (counts_worst(f, roles)) buffer_text(&text, ", by the most disclosive column");
    if (!strcmp(f->kind, "attribute") && !tells_for_certain(table, roles)) buffer_text(&text, " (apparently: values were drawn at random)");
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
        double was = found_by(f, before, public, few), is = found_by(f, after, public, few);
        if (isnan(is) && isnan(was)) continue;
        grid_text(grid, f->kind);
        grid_text(grid, spelled(work, f, roles, table, few));
        grid_text(grid, is_few(f) ? arena_print(work->arena, "classes below %lld", (long long)few) : f->label);
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
        double value = strcmp(f->kind, kind) ? NAN : found_by(f, measured, false, few);
        char number[33];
        looked |= !isnan(value);
        if (!(value > 0)) continue;
        if (f->unit == SHARE)
            return arena_print(work->arena, "%s %s", real_short(100 * value, 3, number), spelled(work, f, roles, table, few));
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

/* ---- sentences ---- */

static void put_share(Buffer *text, double share) {
    char number[33];
    buffer_print(text, "%s%%", real_short(100 * share, 100 * share < 1 ? 1 : 2, number));
}

/* "281 of 300 people (94%)", "1 of 300 people (0.3%)", "fewer than 1 of 300 people". */
static void put_people(Buffer *text, double count, double all) {
    char number[33], of[33];
    if (count < .5) {
        buffer_print(text, count > 0 ? "fewer than 1 of %s people" : "none of %s people", real_short(all, 15, of));
        return;
    }
    buffer_print(text, "%s of %s people (", real_short(floor(count + .5), 15, number), real_short(all, 15, of));
    put_share(text, all > 0 ? count / all : 0);
    buffer_char(text, ')');
}

/* People whom an intruder who knows all records of a person re-identifies, where the measure is of one who knows one; else NaN. */
static double by_whole_histories(const Result *measured) {
    const Result *result = result_within(measured, "risk.reidentification");
    const Value *knows = result ? result_find(result, "knows") : NULL;
    const Table *knowledge = result ? result_find_table(result, "knowledge") : NULL;
    if (!knowledge || !knowledge->rows || !knows || !knows->text) return NAN;
    if (strcmp(knows->text, "one") && strcmp(knows->text, "1")) return NAN;
    return table_number(knowledge, "expected", knowledge->rows - 1);
}

double exposure_share(const Result *measured) {
    const double people = number_of(value_of(measured, "risk.reidentification", "people"));
    return larger_known(number_of(value_of(measured, "risk.reidentification", "share")), by_whole_histories(measured) / people);
}

/* The columns that the best intruder uses: joining knows the numbers, too. */
static const char *known_to_best(Work *work, const Result *measured, const Roles *roles) {
    const Result *result = result_within(measured, "risk.reidentification");
    const Value *best = result ? result_find(result, "best") : NULL;
    return listed(work, roles, best && same_text(best->text, "joining") ? "known" : "keys");
}

/* A release in a new order, without its recipe: nobody can say which guesses are right. */
static bool truth_is_unknown(const Result *measured) {
    const Result *result = result_within(measured, "risk.reidentification");
    const Value *truth = result ? result_find(result, "truth") : NULL;
    return truth && same_text(truth->text, "unknown");
}

/* People in the table: those that were counted, else its records. */
static double people_in(const Result *measured, const Table *table) {
    const double people = number_of(value_of(measured, "risk.k-anonymity", "people"));
    return isnan(people) ? (double)table->rows : people;
}

const char *exposure_worst(Work *work, const Result *measured, const Roles *roles, const Table *table) {
    Buffer text = { 0 };
    double expected = number_of(value_of(measured, "risk.reidentification", "expected")),
           people = number_of(value_of(measured, "risk.reidentification", "people")),
           uniques = number_of(value_of(measured, "risk.k-anonymity", "uniques"));
    const double all = by_whole_histories(measured);
    if (all > expected) {
        put_people(&text, all, people);
        buffer_print(&text, " are re-identified in a simulated attack by an intruder who knows %s of all records of a person, and ",
                     listed(work, roles, "keys"));
        put_people(&text, expected, people);
        buffer_text(&text, " by an intruder who knows one record");
    } else if (!isnan(expected)) {
        put_people(&text, expected, people);
        const bool one = expected > 0 && expected < 1.5;
        buffer_print(&text, " %s re-identified in a simulated attack by an intruder who knows %s", one ? "is" : "are",
                     known_to_best(work, measured, roles));
        if (truth_is_unknown(measured)) buffer_text(&text, " (the intruder's own estimate, because the true links are not known)");
    } else if (!isnan(uniques) && !table->released) {
        put_people(&text, uniques, people_in(measured, table));
        buffer_print(&text, " are unique on %s", listed(work, roles, "keys"));
        if (uniques >= .5) buffer_text(&text, ": an intruder who knows they are in the file re-identifies them with certainty");
    }
    const char *copy = text.count ? arena_text(work->arena, buffer_get(&text)) : NULL;
    buffer_free(&text);
    return copy;
}

/* True where the sentence names the quasi-identifiers. */
static bool put_classes(Work *work, Buffer *text, const Result *measured, const Roles *roles, const Table *table) {
    double k = number_of(value_of(measured, "risk.k-anonymity", "k")),
           uniques = number_of(value_of(measured, "risk.k-anonymity", "uniques"));
    const char *keys = listed(work, roles, "keys");
    if (k >= 2)
        buffer_print(text, " Every %s shares %s with at least %lld %s.",
                     !isnan(number_of(value_of(measured, "risk.k-anonymity", "people"))) || !table->released ? "person" : "record", keys,
                     (long long)k - 1, k >= 3 ? "others" : "other");
    else if (uniques >= .5 && (table->released || !isnan(exposure_share(measured)))) {
        buffer_char(text, ' ');
        put_people(text, uniques, people_in(measured, table));
        buffer_print(text, " %s unique on %s.", uniques < 1.5 ? "is" : "are", keys);
    } else return false;
    return true;
}

/* One record is known: what is said beside the first sentence. */
static void put_whole_histories(Buffer *text, const Result *measured) {
    const double all = by_whole_histories(measured);
    if (all > number_of(value_of(measured, "risk.reidentification", "expected"))) return; /* the first sentence has both */
    buffer_text(text, " This is for an intruder who knows one record of each person.");
    if (!isnan(all)) buffer_text(text, " An intruder who knows all records re-identifies no more people.");
}

/* Where people have several records: what the figure of re-identifications is for. */
static void put_histories(Buffer *text, const Result *measured) {
    const Result *result = result_within(measured, "risk.reidentification");
    if (result && result->of_records) {
        buffer_text(text, " Re-identifications count records, not people, though people have several records.");
        return;
    }
    const Value *knows = result ? result_find(result, "knows") : NULL;
    if (!knows || !knows->text) return;
    if (!strcmp(knows->text, "all")) buffer_text(text, " This is for an intruder who knows all records of each person.");
    else if (strcmp(knows->text, "one") && strcmp(knows->text, "1"))
        buffer_print(text, " This is for an intruder who knows %s records of each person.", knows->text);
    else put_whole_histories(text, measured);
}

/* Equal classes tell of an inference from the quasi-identifiers, and of no other. */
static void put_attributes(Work *work, Buffer *text, const Result *measured, const Roles *roles, const Table *table, const char *keys) {
    double certain = number_of(value_of(measured, "attack.homogeneity", "certain"));
    const char *secret = listed(work, roles, "sensitive");
    char number[33];
    if (isnan(certain)) return;
    if (!tells_for_certain(table, roles)) buffer_text(text, " Values were drawn at random, so that inferred attributes need not be true.");
    else if (certain < .5) buffer_print(text, " No %s can be inferred with certainty from %s alone.", secret, keys);
    else
        buffer_print(text, " The %s of %s %s can be inferred with certainty from %s alone.", secret, real_short(certain, 15, number),
                     is_of_several(roles, "sensitive") ? "people or more"
                     : certain < 1.5                   ? "person"
                                                       : "people",
                     keys);
}

const char *exposure_sentences(Work *work, const Result *measured, const Roles *roles, const Table *table) {
    Buffer text = { 0 };
    put_histories(&text, measured);
    const char *keys = put_classes(work, &text, measured, roles, table) ? "these columns" : listed(work, roles, "keys");
    put_attributes(work, &text, measured, roles, table, keys);
    if (table->released && isnan(exposure_share(measured)))
        buffer_text(&text, " Re-identification cannot be measured without the original file.");
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "";
}

/* ---- roles ---- */

void roles_table(Result *into, const Roles *roles) {
    Grid *grid = grid_new(into, "roles", "role:text columns:text");
    for (int64_t r = -2; roles && r < roles->args.count; r++) {
        int64_t count = r == -2 ? roles->identifiers : r < 0 ? roles->others : roles->args.at[r].count;
        const char *const *items = r == -2 ? roles->identifier : r < 0 ? roles->other : roles->args.at[r].items;
        Buffer text = { 0 };
        if (!count || !items) continue;
        for (int64_t i = 0; i < count; i++) buffer_print(&text, "%s%s", i ? ", " : "", items[i]);
        grid_text(grid, r == -2 ? "identifiers" : r < 0 ? "other" : roles->args.at[r].name);
        grid_text(grid, buffer_get(&text));
        buffer_free(&text);
    }
    grid_done(grid);
}
