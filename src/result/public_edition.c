/* What is taken out of a result: for its public edition what was not declared public, in it and in those within it; or all that was found.
 */
#include <stdio.h>
#include <string.h>
#include "result/result.h"

static int64_t whole(const Result *result, const char *name) {
    const Value *value = result_find(result, name);
    return value && value->kind == VALUE_INTEGER ? value->integer : 0;
}

/* A verdict names files and counts: its place is taken by what the rules say alone. */
static void say_verdict(Result *result, int64_t rules, int64_t broken) {
    char text[160];
    if (!rules) snprintf(text, sizeof text, "The public edition: what is for the data custodian only was left out.");
    else if (broken) snprintf(text, sizeof text, "%lld of the policy's %lld rules are violated.", (long long)broken, (long long)rules);
    else snprintf(text, sizeof text, "All rules of the policy are satisfied (%lld).", (long long)rules);
    result_text(result, "verdict", text);
    result_text(result, "title", "Public edition");
    result_describe(result, "verdict", "What was found, in one sentence", true);
    result_describe(result, "title", "Which edition this is", true);
}

static void keep_public(Result *result) {
    int64_t values = 0, tables = 0, charts = 0;
    for (int64_t i = 0; i < result->values; i++)
        if (result->value[i].public) result->value[values++] = result->value[i];
    for (int64_t i = 0; i < result->tables; i++) {
        if (result->table[i].public) result->table[tables++] = result->table[i];
        else table_release(result->table[i].table);
    }
    for (int64_t i = 0; i < result->charts; i++)
        if (result->chart[i]->public) result->chart[charts++] = result->chart[i];
    result->values = values;
    result->tables = tables;
    result->charts = charts;
    result->notes = result->params = 0; /* written for the data custodian: either may tell an original value */
    for (int64_t i = 0; i < result->results; i++) keep_public(result->result[i].result);
}

void result_public(Result *result) {
    result->kept = false;
    bool verdict = result_find(result, "verdict");
    int64_t rules = whole(result, "rules"), broken = whole(result, "rules_broken");
    keep_public(result);
    if (verdict) say_verdict(result, rules, broken);
}

void result_forget_records(Result *result, const char *but) {
    int64_t kept = 0;
    for (int64_t i = 0; i < result->columns; i++) {
        if (but && !strcmp(result->column[i].column->name, but)) {
            result->column[kept++] = result->column[i];
            continue;
        }
        column_release(result->column[i].column);
        table_release(result->column[i].input);
    }
    result->columns = kept;
    for (int64_t i = 0; i < result->results; i++) result_forget_records(result->result[i].result, but);
}

void result_redact(Result *result) {
    for (int64_t i = 0; i < result->tables; i++) table_release(result->table[i].table);
    result_forget_records(result, NULL);
    for (int64_t i = 0; i < result->results; i++) result_free(result->result[i].result);
    for (int64_t i = 0; i < result->outputs; i++) table_release(result->output[i]);
    result->values = result->tables = result->charts = result->notes = result->results = result->outputs = 0;
}
