/* Verdicts, rules and files as parts of a result; and that result as a report. */
#include "recipe/report.h"
#include <stdio.h>
#include <string.h>
#include "base/file.h"
#include "base/number.h"

void report_rules(Result *result, const Policy *policy) {
    Grid *grid = grid_new(result, "rules", "rule:text met:text seen:text why:text");
    Buffer broken = { 0 };
    for (int64_t i = 0; i < policy->rules; i++) {
        const Rule *rule = &policy->rule[i];
        grid_text(grid, rule->text);
        grid_text(grid, rule->met ? "yes" : "no");
        grid_text(grid, rule->seen);
        grid_text(grid, rule->why);
        if (rule->met) continue;
        buffer_print(&broken, "%s%s (seen: %s)", broken.count ? "; " : "", rule->text, rule->seen ? rule->seen : "not computed");
    }
    grid_done(grid);
    result_integer(result, "rules", policy->rules);
    result_integer(result, "rules_broken", policy_broken(policy));
    if (broken.count) result_text(result, "rules_broken_names", buffer_get(&broken));
    buffer_free(&broken);
}

static const Value *found(const Result *measured, const char *method, const char *value) {
    const Result *result = result_within(measured, method);
    return result ? result_find(result, value) : NULL;
}

static int64_t count_of(const Result *measured, const char *value) {
    const Value *v = found(measured, "risk.k-anonymity", value);
    return v && v->kind == VALUE_INTEGER ? v->integer : 0;
}

/* People whom an intruder who knows their true keys finds, or nearly: said with every verdict where the original is at hand. */
static void say_candidates(const Result *measured, Buffer *text) {
    if (!found(measured, "risk.k-anonymity", "one_candidate")) return;
    int64_t one = count_of(measured, "one_candidate"), few = count_of(measured, "below_5");
    if (!few) return;
    if (one)
        buffer_print(text, " For an intruder who knows true keys %lld %s one candidate, and %lld fewer than five.", (long long)one,
                     one == 1 ? "person has" : "people have", (long long)few);
    else
        buffer_print(text, " For an intruder who knows true keys no one has one candidate, and %lld %s fewer than five.", (long long)few,
                     few == 1 ? "person has" : "people have");
}

/* What is left in a release that would undo its protection. */
static void say_ends(const Result *measured, const Table *table, Buffer *text) {
    const Value *count = found(measured, "risk.loose-ends", "loose_ends"), *names = found(measured, "risk.loose-ends", "names");
    if (!table->released || !count || count->kind != VALUE_INTEGER || !count->integer || !names || !names->text) return;
    buffer_print(text, " %lld loose end%s: %s.", (long long)count->integer, count->integer == 1 ? "" : "s", names->text);
}

static void by_policy(Result *result, const Policy *policy, const Result *measured, const Table *table, const char *what) {
    char text[512];
    long long rules = (long long)policy->rules, broken = (long long)policy_broken(policy);
    if (broken && rules == 1) snprintf(text, sizeof text, "Do not release %s: it breaks the policy's one rule.", what);
    else if (broken) snprintf(text, sizeof text, "Do not release %s: it breaks %lld of the policy's %lld rules.", what, broken, rules);
    else if (rules == 1) snprintf(text, sizeof text, "%s keeps the policy's one rule.", what);
    else if (rules == 2) snprintf(text, sizeof text, "%s keeps both rules of the policy.", what);
    else snprintf(text, sizeof text, "%s keeps all %lld rules of the policy.", what, rules);
    Buffer whole = { 0 };
    buffer_text(&whole, text);
    say_candidates(measured, &whole);
    say_ends(measured, table, &whole);
    result_text(result, "verdict", buffer_get(&whole));
    buffer_free(&whole);
}

/* Without a policy nothing is judged: what was found is said. Each part stands only where its method was run. */
static void by_measures(Result *result, const Result *measured, const Table *table, const char *what) {
    Buffer text = { 0 };
    char number[33];
    const Value *uniques = found(measured, "risk.k-anonymity", "uniques"), *k = found(measured, "risk.k-anonymity", "k");
    const Value *most = found(measured, "risk.individual", "max_risk");
    const Value *intruder = found(measured, "risk.k-anonymity", "k_intruder");
    if (intruder && intruder->kind == VALUE_INTEGER && k && k->kind == VALUE_INTEGER)
        buffer_print(&text, "an intruder who knows the true keys of someone in %s is left with %lld candidate%s or more", what,
                     (long long)k->integer, k->integer == 1 ? "" : "s");
    else if (uniques && uniques->kind == VALUE_INTEGER && uniques->integer > 0)
        buffer_print(&text, "%lld of the %lld records of %s are alone with their keys", (long long)uniques->integer, (long long)table->rows,
                     what);
    else if (k && k->kind == VALUE_INTEGER)
        buffer_print(&text, "every record of %s shares its keys with at least %lld others", what,
                     (long long)(k->integer > 0 ? k->integer - 1 : 0));
    if (most && most->kind == VALUE_REAL)
        buffer_print(&text, "%sthe most exposed would be found in the population with probability %s", text.count ? "; " : "",
                     real_short(most->real, 2, number));
    if (!text.count) buffer_print(&text, "%s was measured", what);
    buffer_char(&text, '.');
    say_candidates(measured, &text);
    say_ends(measured, table, &text);
    if (table->released && !intruder)
        buffer_text(&text, " What an intruder who knows true keys faces cannot be seen without the original.");
    buffer_text(&text, " No policy was given, so that nothing is judged.");
    if (text.bytes && text.bytes[0] >= 'a' && text.bytes[0] <= 'z' && strncmp(text.bytes, what, strlen(what)))
        text.bytes[0] = (char)(text.bytes[0] - 32);
    result_text(result, "verdict", buffer_get(&text));
    buffer_free(&text);
}

void report_verdict(Result *result, const Policy *policy, const Result *measured, const Table *table, const char *what) {
    if (policy) by_policy(result, policy, measured, table, what);
    else by_measures(result, measured, table, what);
}

static const char *value_text(const Value *value, char out[64]) {
    char number[33];
    if (value->kind == VALUE_REAL) snprintf(out, 64, "%s", real_short(value->real, 4, number));
    else if (value->kind == VALUE_INTEGER) snprintf(out, 64, "%lld", (long long)value->integer);
    else if (value->kind == VALUE_TEXT) snprintf(out, 64, "%.60s", value->text);
    else snprintf(out, 64, "–");
    return out;
}

/* The first value of a result, under its method's name; with what it was before. */
static void headline(Result *summary, const char *method, const Result *before, const Result *after, bool compare) {
    char name[256], from[64], to[64], text[160];
    const Result *any = after ? after : before;
    if (!any || !any->values) return;
    const Value *new = after && after->values ? &after->value[0] : NULL, *old = before && before->values ? &before->value[0] : NULL;
    snprintf(name, sizeof name, "%s.%s", method, any->value[0].name);
    if (compare) snprintf(text, sizeof text, "%s → %s", old ? value_text(old, from) : "–", new ? value_text(new, to) : "–");
    else snprintf(text, sizeof text, "%s", value_text(new, to));
    if (!compare && new->kind == VALUE_REAL) result_real(summary, name, new->real);
    else if (!compare && new->kind == VALUE_INTEGER) result_integer(summary, name, new->integer);
    else result_text(summary, name, text);
    if (any->value[0].meaning) result_describe(summary, name, any->value[0].meaning, any->value[0].public);
}

void report_summary(Result *result, const Result *before, const Result *after, const Result *utility) {
    Result *summary = result_new("summary");
    if (!summary) {
        result->failed = true;
        return;
    }
    result_summary(summary, before ? "The first value of each measure, before → after" : "The first value of each measure");
    for (int64_t i = 0; before && i < before->results; i++) {
        const char *method = before->result[i].name;
        headline(summary, method, before->result[i].result, result_within(after, method), true);
    }
    for (int64_t i = 0; i < after->results; i++) {
        const char *method = after->result[i].name;
        if (!before || !result_within(before, method)) headline(summary, method, NULL, after->result[i].result, before != NULL);
    }
    for (int64_t i = 0; utility && i < utility->results; i++)
        headline(summary, utility->result[i].name, NULL, utility->result[i].result, false);
    result_result(result, "summary", summary);
}

void report_file(const Work *work, Grid *files, const char *path, const char *now, const Table *table) {
    char hash[65];
    grid_text(files, path ? path : "(table)");
    grid_text(files, path && !work->no_files && file_is_regular(now) && !file_hash(now, hash, NULL) ? hash : NULL);
    grid_integer(files, table->rows);
    grid_integer(files, table->columns);
}

static const char *cell(Work *work, const Table *table, const char *column, int64_t row) {
    char number[33];
    const Column *c = table_column(table, column);
    const char *text = c ? column_cell(c, row, number) : NULL;
    return text == number ? arena_text(work->arena, text) : text;
}

static Status take_rules(Work *work, const Table *table, Report *out) {
    Status status = OK;
    ReportRule *rules = NULL;
    NEW(work, rules, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++)
        rules[i] = (ReportRule){ .rule = cell(work, table, "rule", i),
                                 .passed = same_text(cell(work, table, "met", i), "yes"),
                                 .seen = cell(work, table, "seen", i),
                                 .why = cell(work, table, "why", i) };
    out->rule = rules;
    out->rules = table->rows;
done:
    return status;
}

/* What the roles do not fill, in one line: method (parameter), … */
static const char *unfilled(Work *work, const Table *skipped) {
    Buffer text = { 0 };
    for (int64_t i = 0; i < skipped->rows; i++) {
        const char *why = cell(work, skipped, "why", i);
        const char *before = text.count ? ", " : "Not run, since the roles do not give what they need: ";
        if (why && !strncmp(why, "needs ", 6)) buffer_print(&text, "%s%s (%s)", before, cell(work, skipped, "method", i), why + 6);
    }
    const char *line = text.count ? arena_text(work->arena, buffer_get(&text)) : NULL;
    buffer_free(&text);
    return line;
}

/* The result's own notes, then what was left out. */
static Status take_notes(Work *work, const Result *result, const Table *skipped, Report *out) {
    Status status = OK;
    const char **notes = NULL, *line = skipped ? unfilled(work, skipped) : NULL;
    NEW(work, notes, result->notes + (skipped ? skipped->rows : 0) + 2);
    for (int64_t i = 0; i < result->notes; i++) notes[out->notes++] = result->note[i];
    for (int64_t i = 0; skipped && i < skipped->rows; i++) {
        const char *why = cell(work, skipped, "why", i);
        if (why && strncmp(why, "needs ", 6))
            notes[out->notes++] = arena_print(work->arena, "Not run: %s: %s", cell(work, skipped, "method", i), why);
    }
    if (line) notes[out->notes++] = line;
    out->note = notes;
done:
    return status;
}

static Status take_files(Work *work, const Table *files, Report *out) {
    Status status = OK;
    const char **lines = NULL;
    NEW(work, lines, (files ? files->rows : 0) + 2);
    for (int64_t i = 0; files && i < files->rows; i++) {
        const char *hash = cell(work, files, "blake2b", i);
        lines[out->provenances++] =
            arena_print(work->arena, "%s: %s records, %s columns%s%s", cell(work, files, "file", i), cell(work, files, "rows", i),
                        cell(work, files, "columns", i), hash ? ", BLAKE2b " : "", hash ? hash : "");
    }
    lines[out->provenances++] = "scrim " SCRIM_VERSION;
    out->provenance = lines;
done:
    return status;
}

/* The summary first; results of results one after the other, under both names. */
static Status take_results(Work *work, const Result *result, bool brief, Report *out) {
    Status status = OK;
    NamedResult *list = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < result->results; i++) count += 1 + result->result[i].result->results;
    NEW(work, list, count + 1);
    for (int64_t i = 0; i < result->results; i++)
        if (!strcmp(result->result[i].name, "summary")) list[out->results++] = result->result[i];
    for (int64_t i = 0; i < result->results && !brief; i++) {
        const NamedResult *outer = &result->result[i];
        if (!strcmp(outer->name, "summary")) continue;
        if (outer->result->values || outer->result->tables || outer->result->charts) list[out->results++] = *outer;
        for (int64_t j = 0; j < outer->result->results; j++) {
            const NamedResult *inner = &outer->result->result[j];
            list[out->results++] = (NamedResult){ arena_print(work->arena, "%s: %s", outer->name, inner->name), inner->result };
        }
    }
    out->result = list;
done:
    return status;
}

bool report_from(Work *work, const Result *result, bool brief, Report *out) {
    const Value *verdict = result_find(result, "verdict"), *broken = result_find(result, "rules_broken"),
                *title = result_find(result, "title");
    if (!verdict || verdict->kind != VALUE_TEXT) return false;
    *out = (Report){ .title = title && title->text ? title->text : result->method, .verdict = verdict->text };
    out->level = !broken ? VERDICT_WARN : broken->integer ? VERDICT_BAD : VERDICT_GOOD;
    const Table *rules = result_find_table(result, "rules");
    if (rules && take_rules(work, rules, out)) return false;
    return !take_notes(work, result, result_find_table(result, "skipped"), out) &&
           !take_files(work, result_find_table(result, "files"), out) && !take_results(work, result, brief, out);
}
