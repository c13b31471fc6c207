/* Rules: read, and judged by results. */
#include "recipe/policy.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/number_text.h"

static const char *const signs[] = { ">=", "<=", ">", "<", "==", "!=", NULL }; /* in the order of Comparison; longer ones first */

static Status bad_rule(Work *work, const YamlNode *node, const char *text) {
    yaml_fail(work, node, "'%.100s' is not a rule", text);
    return error_advice(work->error, "A rule is a method's value, a comparison and a number, such as: risk.k-anonymity.k >= 3");
}

static const char *trimmed(Work *work, const char *from, const char *end) {
    while (from < end && isspace((unsigned char)*from)) from++;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    return arena_print(work->arena, "%.*s", (int)(end - from), from);
}

/* Where the comparison stands, and which it is. */
static const char *find_sign(const char *text, Comparison *out) {
    for (const char *at = text; *at; at++)
        for (int i = 0; signs[i]; i++)
            if (!strncmp(at, signs[i], strlen(signs[i]))) {
                *out = (Comparison)i;
                return at;
            }
    return NULL;
}

static Status check_value_name(Work *work, const YamlNode *node, const Rule *rule) {
    const char *names[256];
    size_t count = 0;
    for (const Return *r = rule->method->values; returns_more(r) && count < 256; r++) {
        if (r->kind != RETURN_VALUE) continue;
        if (!strcmp(r->name, rule->value)) return OK;
        names[count++] = r->name;
    }
    if (!count) return OK;
    const char *near = nearest_name(rule->value, names, count);
    yaml_fail(work, node, "%s.%s has no value '%s'", rule->method->group, rule->method->name, rule->value);
    if (near) return error_advice(work->error, "Did you mean '%s'?", near);
    return error_advice(work->error, "`scrim help %s %s` lists them.", rule->method->group, rule->method->name);
}

/* "… >= 3 at protect.suppress": what stands before " at ", and the step. */
static Status cut_step(Work *work, const char **text, Rule *out) {
    const char *at = strstr(*text, " at ");
    out->step = -1;
    if (!at) return OK;
    out->at = trimmed(work, at + 4, at + strlen(at));
    *text = trimmed(work, *text, at);
    return out->at && *text ? OK : out_of_memory(work->error);
}

static Status read_rule(Work *work, const YamlNode *node, Rule *out) {
    Status status = OK;
    out->node = node;
    TRY(yaml_need_text(work, node, "a rule", &out->text));
    const char *text = out->text;
    TRY(cut_step(work, &text, out));
    const char *sign = find_sign(text, &out->comparison);
    const char *first = strchr(text, '.'), *second = first ? strchr(first + 1, '.') : NULL;
    if (!sign || !second || second > sign) TRY(bad_rule(work, node, out->text));
    const char *number = trimmed(work, sign + strlen(signs[out->comparison]), text + strlen(text));
    const char *dotted = trimmed(work, text, second);
    out->value = trimmed(work, second + 1, sign);
    if (!number || !dotted || !out->value) TRY(out_of_memory(work->error));
    if (!read_real(number, number + strlen(number), '.', &out->number)) TRY(bad_rule(work, node, out->text));
    status = method_need(dotted, &out->method, work->error);
    if (status) {
        error_file(work->error, node->file);
        TRY(error_line(work->error, node->line, -1));
    }
    TRY(check_value_name(work, node, out));
done:
    return status;
}

static Status check_params(Work *work, const Policy *policy) {
    Status status = OK;
    if (!policy->params) return OK;
    TRY(yaml_need_kind(work, policy->params, YAML_MAP, "params"));
    for (int64_t i = 0; i < policy->params->count; i++) {
        const Method *method;
        Args args;
        status = method_need(policy->params->name[i], &method, work->error);
        if (status) {
            error_file(work->error, policy->params->file);
            TRY(error_line(work->error, policy->params->name_line[i], -1));
        }
        TRY(node_args(work, policy->params->item[i], method, &args));
    }
done:
    return status;
}

/* residual: warn or refuse; residual-limit: a share. */
static Status read_residual(Work *work, const YamlNode *node, Policy *out) {
    Status status = OK;
    const YamlNode *word = yaml_find(node, "residual"), *limit = yaml_find(node, "residual-limit");
    const char *text = NULL;
    if (word) {
        TRY(yaml_need_text(work, word, "residual", &text));
        out->refuse_residual = !strcmp(text, "refuse");
        if (!out->refuse_residual && strcmp(text, "warn")) {
            yaml_fail(work, word, "residual is '%.60s'", text);
            TRY(error_advice(work->error, "It is `warn`, or `refuse` where a release with residual risks is not to be written."));
        }
    }
    if (limit) {
        TRY(yaml_need_text(work, limit, "residual-limit", &text));
        if (!read_real(text, text + strlen(text), '.', &out->residual_limit) || !(out->residual_limit >= 0 && out->residual_limit <= 1))
            TRY(yaml_fail(work, limit, "residual-limit is a share of the people, from 0 to 1"));
    }
done:
    return status;
}

Status policy_make(Work *work, const YamlNode *node, Policy *out) {
    Status status = OK;
    *out = (Policy){ .file = node->file, .residual_limit = RESIDUAL_LIMIT };
    const YamlNode *rules = node, *title = NULL;
    if (node->kind != YAML_LIST) {
        TRY(yaml_known(work, node, "a policy",
                       (const char *const[]){ "rules", "params", "title", "residual", "residual-limit", "schema", NULL }));
        rules = yaml_find(node, "rules");
        title = yaml_find(node, "title");
        out->params = yaml_find(node, "params");
        if (!rules) TRY(yaml_fail(work, node, "the policy has no rules"));
        TRY(read_residual(work, node, out));
        if (title) TRY(yaml_need_text(work, title, "title", &out->title));
    }
    TRY(yaml_need_kind(work, rules, YAML_LIST, "rules"));
    NEW(work, out->rule, rules->count + 1);
    for (; out->rules < rules->count; out->rules++) TRY(read_rule(work, rules->item[out->rules], &out->rule[out->rules]));
    TRY(check_params(work, out));
done:
    return status;
}

Status policy_args(Work *work, const Policy *policy, const Method *method, Args *out) {
    char dotted[160];
    *out = (Args){ 0 };
    snprintf(dotted, sizeof dotted, "%s.%s", method->group, method->name);
    const YamlNode *node = policy && policy->params ? yaml_find(policy->params, dotted) : NULL;
    return node ? node_args(work, node, method, out) : OK;
}

Status policy_at(Work *work, const Policy *policy, int64_t step, Policy *out) {
    Status status = OK;
    *out = *policy;
    out->rules = 0;
    out->rule = NULL;
    NEW(work, out->rule, policy->rules + 1);
    for (int64_t i = 0; i < policy->rules; i++) {
        if (policy->rule[i].step != step || !policy->rule[i].at) continue;
        out->rule[out->rules] = policy->rule[i];
        out->rule[out->rules++].at = NULL; /* here it is judged like any other */
    }
done:
    return status;
}

void policy_finish(Policy *policy, int64_t step, const Policy *judged) {
    for (int64_t i = 0, j = 0; i < policy->rules; i++) {
        Rule *rule = &policy->rule[i];
        if (rule->step != step || !rule->at) continue;
        const Rule *from = &judged->rule[j++];
        rule->met = from->met;
        rule->seen = from->seen;
        rule->why = from->why;
        rule->judged = true;
    }
}

bool policy_names(const Policy *policy, const Method *method) {
    for (int64_t i = 0; policy && i < policy->rules; i++)
        if (policy->rule[i].method == method) return true;
    return false;
}

static bool compare(Comparison how, double seen, double number) {
    switch (how) {
    case COMPARE_LEAST: return seen >= number;
    case COMPARE_MOST: return seen <= number;
    case COMPARE_MORE: return seen > number;
    case COMPARE_LESS: return seen < number;
    case COMPARE_EQUAL: return seen == number;
    case COMPARE_UNEQUAL: return seen != number;
    }
    return false;
}

bool rule_holds(const Rule *rule, double value) { return compare(rule->comparison, value, rule->number); }

/* Rounded for people; the text and what it says. */
static double shown_short(double value, char out[33]) {
    double read = value;
    real_short(value, 6, out);
    return read_real(out, out + strlen(out), '.', &read) ? read : value;
}

Status policy_judge(Work *work, Policy *policy, const Method *method, const Result *result, const char *why_not) {
    char number[33];
    for (int64_t i = 0; policy && i < policy->rules; i++) {
        Rule *rule = &policy->rule[i];
        if (rule->method != method || rule->judged) continue;
        if (rule->at) {
            rule->met = false;
            rule->why = "it is judged after a step of a recipe: `scrim run`";
            continue;
        }
        const Value *value = result ? result_find(result, rule->value) : NULL;
        bool is_number = value && (value->kind == VALUE_REAL || value->kind == VALUE_INTEGER);
        rule->met = false;
        if (is_number) {
            double seen = value->kind == VALUE_REAL ? value->real : (double)value->integer;
            rule->met = compare(rule->comparison, seen, rule->number);
            double shown = shown_short(seen, number);
            if (compare(rule->comparison, shown, rule->number) != rule->met) real_text(seen, number); /* rounding must not hide why */
            rule->seen = arena_text(work->arena, number);
            if (!rule->seen) return out_of_memory(work->error);
            rule->why = rule->met ? NULL : rule_recommendation(work, rule);
        } else rule->why = !result ? why_not : !value || !value->text ? "the method gave no such value" : value->text;
    }
    return OK;
}

int64_t policy_broken(const Policy *policy) {
    int64_t broken = 0;
    for (int64_t i = 0; policy && i < policy->rules; i++) broken += !policy->rule[i].met;
    return broken;
}
