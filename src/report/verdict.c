/* Verdicts, rules and files as parts of a result; and that result as a report. */
#include "report/open_columns.h"
#include "report/verdict.h"
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "base/file.h"
#include "base/number_text.h"
#include "report/findings.h"

void report_rules(Result *result, const Policy *policy) {
    Grid *grid = grid_new(result, "rules", "rule:text met:text seen:text why:text words:text");
    Buffer broken = { 0 }, words = { 0 };
    for (int64_t i = 0; i < policy->rules; i++) {
        const Rule *rule = &policy->rule[i];
        grid_text(grid, rule->text);
        grid_text(grid, rule->met ? "yes" : "no");
        grid_text(grid, rule->seen);
        grid_text(grid, rule->why);
        rule_words(rule, &words);
        grid_text(grid, buffer_get(&words));
        buffer_free(&words);
        if (rule->met) continue;
        buffer_print(&broken, "%s%s (observed: %s)", broken.count ? "; " : "", rule->text, rule->seen ? rule->seen : "not computed");
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

static int64_t residual_count(const Result *measured) {
    const Value *count = found(measured, "risk.residual", "count");
    return count && count->kind == VALUE_INTEGER ? count->integer : 0;
}

/* What keys leave is no comfort where names are in it. */
static int64_t put_identifiers(const Result *measured, const Roles *roles, const Table *table, Buffer *text) {
    Buffer names = { 0 };
    int64_t count = put_identifying(measured, roles, table, &names);
    if (count) buffer_print(text, " The table still has direct identifiers: %s.", buffer_get(&names));
    buffer_free(&names);
    return count;
}

static void put_violated(Buffer *text, const Policy *policy) {
    long long rules = (long long)policy->rules, broken = (long long)policy_broken(policy);
    if (rules == 1) buffer_text(text, "the one rule of the policy is violated");
    else if (rules == 2 && broken == 2) buffer_text(text, "both rules of the policy are violated");
    else if (rules == broken) buffer_print(text, "all %lld rules of the policy are violated", rules);
    else buffer_print(text, "%lld of the %lld rules of the policy %s violated", broken, rules, broken == 1 ? "is" : "are");
}

static void put_satisfied(Buffer *text, const Policy *policy) {
    long long rules = (long long)policy->rules;
    if (rules == 1) buffer_text(text, "the one rule of the policy is satisfied");
    else if (rules == 2) buffer_text(text, "both rules of the policy are satisfied");
    else buffer_print(text, "all %lld rules of the policy are satisfied", rules);
}

/* The first sentence: the state, and the worst that a simulated intruder achieves. */
static void put_state(Buffer *text, VerdictState state, const Policy *policy, const char *worst, bool by_share, int64_t residual) {
    const char *risks = residual == 1 ? "residual risk remains" : "residual risks remain";
    if (state == STATE_NOT_JUDGED) {
        bool small = worst && worst[0] >= 'a' && worst[0] <= 'z';
        if (worst) buffer_print(text, "%c%s.", small ? worst[0] - 'a' + 'A' : worst[0], worst + 1);
    } else if (state == STATE_READY) {
        buffer_text(text, "Ready: ");
        put_satisfied(text, policy);
        buffer_print(text, worst ? ", and %s." : ".", worst);
    } else if (state == STATE_NOT_READY && policy_broken(policy)) {
        buffer_text(text, "Not ready: ");
        if (worst) buffer_print(text, "%s, and ", worst);
        put_violated(text, policy);
        buffer_char(text, '.');
    } else {
        bool refused = state == STATE_NOT_READY;
        buffer_text(text, refused ? "Not ready: the rules are satisfied, but " : "The rules are satisfied, but ");
        if (by_share) buffer_text(text, worst);
        else {
            if (residual) buffer_print(text, "%lld %s", (long long)residual, risks);
            else buffer_text(text, "the table still has direct identifiers");
            if (worst) buffer_print(text, ", and %s", worst);
        }
        buffer_text(text, refused ? ". The policy refuses residual risks." : ".");
    }
}

/* Whose the records are decides every count of people: where that is asked, nothing is said of them. */
static VerdictState put_question(Result *result, const Policy *policy, const char *question) {
    Buffer text = { 0 };
    buffer_print(&text, "%s%s", policy ? "Not ready, because a question must be answered first. " : "", question);
    result_text(result, "verdict", buffer_get(&text));
    buffer_free(&text);
    return policy ? STATE_NOT_READY : STATE_NOT_JUDGED;
}

/* Where the risk was measured by group: the group with the highest, which the average of all may hide. */
static void put_worst_group(Buffer *text, const Result *measured) {
    const Result *result = result_within(measured, "risk.reidentification");
    const Table *groups = result ? result_find_table(result, "groups") : NULL;
    char name[33], share[33];
    int64_t worst = -1;
    for (int64_t g = 0; groups && g < groups->rows; g++) {
        double here = table_number(groups, "share", g);
        if (!isnan(here) && (worst < 0 || here > table_number(groups, "share", worst))) worst = g;
    }
    if (worst < 0) return;
    buffer_print(text, " The group with the highest risk is %s (%lld people), of whom the same intruder re-identifies %s%%.",
                 table_cell(groups, "group", worst, name), (long long)table_number(groups, "people", worst),
                 real_short(100 * table_number(groups, "share", worst), 2, share));
}

static const char *const state_words[] = { "ready", "residual risk", "not ready", "not judged" };

VerdictState report_verdict(Work *work, Result *result, const Policy *policy, const Result *measured, const Roles *roles,
                            const Table *table, const char *what) {
    Buffer text = { 0 }, names = { 0 };
    const char *worst = exposure_worst(work, measured, roles, table);
    int64_t residual = residual_count(measured), identifiers = put_identifiers(measured, roles, table, &names);
    bool by_share = policy && worst && exposure_share(measured) > policy->residual_limit, shown = policy || table->released;
    VerdictState state = !policy                                  ? STATE_NOT_JUDGED
                         : policy_broken(policy)                  ? STATE_NOT_READY
                         : !by_share && !residual && !identifiers ? STATE_READY
                         : policy->refuse_residual                ? STATE_NOT_READY
                                                                  : STATE_RESIDUAL;
    put_state(&text, state, policy, worst, by_share, residual);
    buffer_text(&text, exposure_sentences(work, measured, roles, table));
    put_worst_group(&text, measured);
    if (identifiers) buffer_text(&text, buffer_get(&names));
    put_undecided_sentence(roles, table, &text);
    if (!text.count) buffer_print(&text, "%s was measured.", what);
    if (!policy) buffer_text(&text, " No policy was given, so nothing is judged.");
    if ((policy && policy_broken(policy)) || (shown && residual)) buffer_text(&text, " See Recommendations.");
    const char *from = buffer_get(&text);
    const Value *question = result_find(result, "question");
    if (question && question->text) state = put_question(result, policy, question->text);
    else result_text(result, "verdict", *from == ' ' ? from + 1 : from);
    result_text(result, "state", state_words[state]);
    if (shown) result_integer(result, "residual_risks", residual);
    buffer_free(&text);
    buffer_free(&names);
    return state;
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
