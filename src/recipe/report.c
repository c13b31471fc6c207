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

static void by_policy(Result *result, const Policy *policy, const char *what) {
    char text[512];
    long long rules = (long long)policy->rules, broken = (long long)policy_broken(policy);
    if (broken && rules == 1) snprintf(text, sizeof text, "Do not release %s: it breaks the policy's one rule.", what);
    else if (broken) snprintf(text, sizeof text, "Do not release %s: it breaks %lld of the policy's %lld rules.", what, broken, rules);
    else if (rules == 1) snprintf(text, sizeof text, "%s keeps the policy's one rule.", what);
    else snprintf(text, sizeof text, "%s keeps all %lld rules of the policy.", what, rules);
    result_text(result, "verdict", text);
}

/* Without a policy nothing is judged: what was found is said. Each part stands only where its method was run. */
static void by_measures(Result *result, const Result *measured, const Table *table, const char *what) {
    Buffer text = { 0 };
    char number[33];
    const Value *uniques = found(measured, "risk.k-anonymity", "uniques"), *k = found(measured, "risk.k-anonymity", "k");
    const Value *most = found(measured, "risk.individual", "max_risk");
    if (uniques && uniques->kind == VALUE_INTEGER && uniques->integer > 0)
        buffer_print(&text, "%lld of the %lld records of %s are alone with their keys", (long long)uniques->integer, (long long)table->rows, what);
    else if (k && k->kind == VALUE_INTEGER)
        buffer_print(&text, "every record of %s shares its keys with at least %lld others", what, (long long)(k->integer > 0 ? k->integer - 1 : 0));
    if (most && most->kind == VALUE_REAL)
        buffer_print(&text, "%sthe most exposed would be found in the population with probability %s", text.count ? "; " : "", real_short(most->real, 2, number));
    if (!text.count) buffer_print(&text, "%s was measured", what);
    buffer_text(&text, ". No policy was given, so that nothing is judged.");
    if (text.bytes && text.bytes[0] >= 'a' && text.bytes[0] <= 'z' && strncmp(text.bytes, what, strlen(what))) text.bytes[0] = (char)(text.bytes[0] - 32);
    result_text(result, "verdict", buffer_get(&text));
    buffer_free(&text);
}

void report_verdict(Result *result, const Policy *policy, const Result *measured, const Table *table, const char *what) {
    if (policy) by_policy(result, policy, what);
    else by_measures(result, measured, table, what);
}

void report_file(Grid *files, const char *path, const Table *table) {
    char hash[65];
    grid_text(files, path ? path : "(table)");
    grid_text(files, path && file_is_regular(path) && !file_hash(path, hash, NULL) ? hash : NULL);
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
        rules[i] = (ReportRule){ .rule = cell(work, table, "rule", i), .passed = same_text(cell(work, table, "met", i), "yes"), .seen = cell(work, table, "seen", i), .why = cell(work, table, "why", i) };
    out->rule = rules;
    out->rules = table->rows;
done:
    return status;
}

/* The result's own notes, then what was left out. */
static Status take_notes(Work *work, const Result *result, const Table *skipped, Report *out) {
    Status status = OK;
    const char **notes = NULL;
    NEW(work, notes, result->notes + (skipped ? skipped->rows : 0) + 1);
    for (int64_t i = 0; i < result->notes; i++) notes[out->notes++] = result->note[i];
    for (int64_t i = 0; skipped && i < skipped->rows; i++)
        notes[out->notes++] = arena_print(work->arena, "Not run: %s: %s", cell(work, skipped, "method", i), cell(work, skipped, "why", i));
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
        lines[out->provenances++] = arena_print(work->arena, "%s: %s records, %s columns%s%s", cell(work, files, "file", i), cell(work, files, "rows", i),
                                                cell(work, files, "columns", i), hash ? ", BLAKE2b " : "", hash ? hash : "");
    }
    lines[out->provenances++] = "scrim " SCRIM_VERSION;
    out->provenance = lines;
done:
    return status;
}

/* Results of results are shown one after the other, under both names. */
static Status take_results(Work *work, const Result *result, Report *out) {
    Status status = OK;
    NamedResult *list = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < result->results; i++) count += 1 + result->result[i].result->results;
    NEW(work, list, count + 1);
    for (int64_t i = 0; i < result->results; i++) {
        const NamedResult *outer = &result->result[i];
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

bool report_from(Work *work, const Result *result, Report *out) {
    const Value *verdict = result_find(result, "verdict"), *broken = result_find(result, "rules_broken"), *title = result_find(result, "title");
    if (!verdict || verdict->kind != VALUE_TEXT) return false;
    *out = (Report){ .title = title && title->text ? title->text : result->method, .verdict = verdict->text };
    out->level = !broken ? VERDICT_WARN : broken->integer ? VERDICT_BAD : VERDICT_GOOD;
    const Table *rules = result_find_table(result, "rules");
    if (rules && take_rules(work, rules, out)) return false;
    return !take_notes(work, result, result_find_table(result, "skipped"), out) && !take_files(work, result_find_table(result, "files"), out) && !take_results(work, result, out);
}
