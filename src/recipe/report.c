/* Verdicts, rules and files as parts of a result; and that result as a report. */
#include "recipe/report.h"
#include <stdio.h>
#include <string.h>
#include "base/file.h"
#include "base/number.h"
#include "recipe/exposure.h"

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

/* What is left in a release that would undo its protection. */
static void say_ends(const Result *measured, const Table *table, Buffer *text) {
    const Value *count = found(measured, "risk.loose-ends", "loose_ends");
    if (!table->released || !count || count->kind != VALUE_INTEGER || !count->integer) return;
    buffer_print(text,
                 count->integer == 1 ? " One loose end is left: see what to do next." : " %lld loose ends are left: see what to do next.",
                 (long long)count->integer);
}

/* What keys leave is no comfort where names are in it. */
static void say_identifiers(const Roles *roles, const Table *table, Buffer *text) {
    Buffer names = { 0 };
    for (int64_t i = 0; roles && i < roles->identifiers; i++)
        if (table_column(table, roles->identifier[i])) buffer_print(&names, "%s%s", names.count ? ", " : "", roles->identifier[i]);
    if (names.count) buffer_print(text, " The table still has identifiers (%s): whoever reads them needs no keys.", buffer_get(&names));
    buffer_free(&names);
}

static void by_policy(Work *work, Result *result, const Policy *policy, const Result *measured, const Roles *roles, const Table *table,
                      const char *what) {
    long long rules = (long long)policy->rules, broken = (long long)policy_broken(policy);
    const char *sentence = exposure_sentence(work, measured, roles, table);
    Buffer text = { 0 };
    if (broken && rules == 1) buffer_print(&text, "Do not release %s: it breaks the policy's one rule.", what);
    else if (broken) buffer_print(&text, "Do not release %s: it breaks %lld of the policy's %lld rules.", what, broken, rules);
    else if (rules == 1) buffer_print(&text, "%s keeps the policy's one rule.", what);
    else if (rules == 2) buffer_print(&text, "%s keeps both rules of the policy.", what);
    else buffer_print(&text, "%s keeps all %lld rules of the policy.", what, rules);
    if (*sentence) buffer_print(&text, " %s", sentence);
    if (!broken) say_identifiers(roles, table, &text);
    say_ends(measured, table, &text);
    result_text(result, "verdict", buffer_get(&text));
    buffer_free(&text);
}

/* Without a policy nothing is judged: what was found is said. */
static void by_measures(Work *work, Result *result, const Result *measured, const Roles *roles, const Table *table, const char *what) {
    Buffer text = { 0 };
    const char *sentence = exposure_sentence(work, measured, roles, table);
    if (*sentence) buffer_text(&text, sentence);
    else buffer_print(&text, "%s was measured.", what);
    say_identifiers(roles, table, &text);
    say_ends(measured, table, &text);
    if (!*sentence && table->released) /* else the sentence says so */
        buffer_text(&text, " What an intruder who knows true keys faces cannot be seen without the original.");
    buffer_text(&text, " No policy was given, so that nothing is judged.");
    result_text(result, "verdict", buffer_get(&text));
    buffer_free(&text);
}

void report_verdict(Work *work, Result *result, const Policy *policy, const Result *measured, const Roles *roles, const Table *table,
                    const char *what) {
    if (policy) by_policy(work, result, policy, measured, roles, table, what);
    else by_measures(work, result, measured, roles, table, what);
}

void report_tables(Work *work, Result *into, const Result *before, const Result *after, const Result *utility, const Roles *roles,
                   const Policy *policy, const Table *table, bool public) {
    exposure_table(work, into, before, after, roles, policy, table, public);
    if (utility) costs_table(work, into, before, after, utility);
    measures_table(work, into, before, after, utility);
    if (!public) roles_table(into, roles);
    front_charts(work, into, before, after, utility, policy);
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

Status report_file(const Work *work, Grid *files, const char *path, const char *now, const Table *table) {
    Status status = OK;
    char hash[65] = "";
    if (path && !work->no_files && file_is_regular(now)) TRY(file_hash(now, hash, work->error));
    grid_text(files, path ? path : "(table)");
    grid_text(files, hash[0] ? hash : NULL);
    grid_integer(files, table->rows);
    grid_integer(files, table->columns);
done:
    return status;
}
