/* Measuring: driven by the registry alone, so that a method added later joins by itself. */
#include "recipe/measure.h"
#include <stdio.h>
#include <string.h>

static bool in_groups(const Method *method, const char *const *groups) {
    for (; *groups; groups++)
        if (!strcmp(method->group, *groups)) return true;
    return false;
}

/* The parameter that the judged table fills. */
static const Param *subject(const Method *method) {
    static const char *const names[] = { "data", "released", NULL };
    for (int i = 0; names[i]; i++) {
        const Param *param = method_param(method, names[i]);
        if (param && param->kind == KIND_TABLE) return param;
    }
    return NULL;
}

/* What the policy says of the method, and the table. */
static Status given_args(Measuring *m, const Method *method, Args *out) {
    Status status = OK;
    Arg *list = NULL;
    Table **handle = NULL;
    Args own;
    const Param *param = subject(method);
    TRY(policy_args(m->work, m->policy, method, &own));
    NEW(m->work, list, own.count + 1);
    NEW(m->work, handle, 1);
    if (own.count) memcpy(list, own.at, (size_t)own.count * sizeof *list);
    *handle = (Table *)(uintptr_t)m->data;
    if (param) list[own.count++] = (Arg){ .name = param->name, .count = 1, .tables = handle };
    *out = (Args){ own.count, list };
done:
    return status;
}

/* Roles and tables at hand, one list for the binder. */
static Status role_args(Measuring *m, Args *out) {
    Status status = OK;
    Arg *list = NULL;
    int64_t count = m->roles ? m->roles->args.count : 0;
    NEW(m->work, list, count + m->extra.count + 1);
    if (m->extra.count)
        memcpy(list, m->extra.at, (size_t)m->extra.count * sizeof *list); /* first: what is at hand wins over what a file names */
    if (count) memcpy(list + m->extra.count, m->roles->args.at, (size_t)count * sizeof *list);
    *out = (Args){ m->extra.count + count, list };
done:
    return status;
}

static const char *what_lacks(Work *work, const Param *param) {
    char name[64];
    Buffer text = { 0 };
    buffer_text(&text, "needs ");
    if (param->kind == RULE_ONE_OF)
        for (int i = 0; param->words[i]; i++) buffer_print(&text, "%s%s", i ? " or " : "", param->words[i]);
    else {
        param_dashed(param, name);
        buffer_text(&text, name);
    }
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy ? copy : "needs more";
}

static Status leave_out(Measuring *m, const Method *method, const char *why) {
    char name[160];
    snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    m->left_out++;
    if (m->skipped) {
        grid_text(m->skipped, name);
        grid_text(m->skipped, why);
    }
    return policy_judge(m->work, m->policy, method, NULL, why);
}

static Status measure_one(Measuring *m, const Method *method, const Args *roles) {
    Status status = OK;
    char name[160], why[2048];
    Error error = ERROR_NONE;
    Result *result = NULL;
    Args given;
    snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    TRY(given_args(m, method, &given));
    const Param *lacks = method_unfilled(method, &given, roles);
    if (lacks) return leave_out(m, method, what_lacks(m->work, lacks));
    Status ran = method_run(&m->session, method, &given, roles, &result, &error);
    if (ran == INTERRUPTED || (ran && error_of_machine(&error))) {
        *m->work->error = error;
        return ran;
    }
    if (ran) {
        error_text(&error, why, sizeof why);
        const char *kept = arena_text(m->work->arena, why);
        return leave_out(m, method, kept ? kept : "failed");
    }
    TRY(policy_judge(m->work, m->policy, method, result, NULL));
    result_result(m->into, name, result);
    result = NULL;
    m->done++;
done:
    result_free(result);
    return status;
}

static bool is_named(const Measuring *m, const Method *method) {
    char name[160];
    snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    for (int64_t i = 0; i < m->only.count; i++)
        if (!strcmp(m->only.at[i], name)) return true;
    return false;
}

/* Each must be a method that measures; one that makes a table or a release is none. */
static Status check_only(Measuring *m) {
    static const char *const measures[] = { "risk", "attack", "utility", NULL };
    Status status = OK;
    for (int64_t i = 0; i < m->only.count; i++) {
        const Method *method;
        TRY(method_need(m->only.at[i], &method, m->work->error));
        if (in_groups(method, measures)) continue;
        fail(m->work->error, BAD, "%s measures nothing: a method of risk, attack or utility does", m->only.at[i]);
        TRY(error_parameter(m->work->error, "only"));
    }
done:
    return status;
}

static bool is_wanted(const Measuring *m, const Method *method, const char *const *groups) {
    bool audited = m->only.count ? is_named(m, method) : in_groups(method, groups) && !(method->traits & UNAUDITED);
    return audited || policy_names(m->policy, method);
}

Status measure(Measuring *m, const char *const *groups) {
    Status status = OK;
    Args roles;
    int64_t all = 0, begun = 0;
    TRY(check_only(m));
    TRY(role_args(m, &roles));
    for (int64_t i = 0; i < methods_count(); i++) all += is_wanted(m, methods_at(i), groups);
    for (int64_t i = 0; i < methods_count(); i++) {
        const Method *method = methods_at(i);
        if (is_wanted(m, method, groups)) {
            char what[128];
            snprintf(what, sizeof what, "method %lld of %lld: %s %s", (long long)++begun, (long long)all, method->group, method->name);
            work_show(m->work, what, (double)begun / (double)all);
            TRY(measure_one(m, method, &roles));
        }
        TRY(work_check(m->work));
    }
done:
    return status;
}
