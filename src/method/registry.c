/* The registry: every method of methods.def, found by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/password.h"
#include "base/number_text.h"
#include "method/method.h"

#define METHOD(group, name) extern const Method group##_##name;
#include "method/methods.def"
#undef METHOD

static const Method *const methods[] = {
#define METHOD(group, name) &group##_##name,
#include "method/methods.def"
#undef METHOD
    NULL
};

int64_t methods_count(void) { return (int64_t)(sizeof methods / sizeof *methods) - 1; }
const Method *methods_at(int64_t index) { return methods[index]; }

const Method *method_find(const char *group, const char *name) {
    for (const Method *const *m = methods; *m; m++)
        if (!strcmp((*m)->group, group) && !strcmp((*m)->name, name)) return *m;
    return NULL;
}

const char *method_said(const Method *method, char out[128]) {
    bool verb = !strcmp(method->group, "verb");
    snprintf(out, 128, "%.60s%s%.60s", verb ? "" : method->group, verb ? "" : " ", method->name);
    return out;
}

/* The nearest among the names of one group, or among the groups where the group itself is unknown. */
static Status unknown(const char *group, const char *name, Error *error) {
    const char **names = malloc((size_t)(methods_count() + 1) * sizeof *names);
    if (!names) return out_of_memory(error);
    size_t count = 0;
    bool known_group = false;
    for (const Method *const *m = methods; *m; m++) known_group |= !strcmp((*m)->group, group);
    for (const Method *const *m = methods; *m; m++)
        if (!known_group || !strcmp((*m)->group, group)) names[count++] = known_group ? (*m)->name : (*m)->group;
    const char *near = nearest_name(known_group ? name : group, names, count);
    if (known_group) fail(error, BAD, "there is no method '%s' in the group '%s'", holds_password(name) ? "…" : name, group);
    else fail(error, BAD, "there is no command or group '%s'", holds_password(group) ? "…" : group);
    if (near)
        error_advice(error, "Did you mean '%s'? `scrim methods%s%s` lists all methods.", near, known_group ? " " : "",
                     known_group ? group : "");
    else error_advice(error, "`scrim methods%s%s` lists all methods.", known_group ? " " : "", known_group ? group : "");
    free(names);
    return BAD;
}

Status method_need(const char *dotted, const Method **out, Error *error) {
    char group[64] = "", name[64] = "";
    const char *dot = strchr(dotted, '.');
    snprintf(group, sizeof group, "%.*s", dot ? (int)(dot - dotted) : (int)sizeof group - 1, dotted);
    snprintf(name, sizeof name, "%s", dot ? dot + 1 : "");
    *out = method_find(group, name);
    return *out ? OK : unknown(group, name, error);
}

const Param common_params[] = {
    EXPR(Common, where, , "Condition for records: in protect only these change, elsewhere only these count"),
    FLAG(Common, force, "Compute a frequency-based measure on a perturbed table nevertheless"),
    TEXT(Common, roles, NULL, "Roles of the columns: a YAML file, or its text"),
    FLAG(Common, show_records, "Allow results to name single records"),
    FLAG(Common, show_values, "Allow errors and results to show cell values"),
    END,
};

static const Param *find_in(const Param *params, const char *name) {
    for (const Param *p = params; p && p->kind; p++)
        if (p->kind < RULE_ONE_OF && param_is(p, name)) return p;
    return NULL;
}

const Param *method_param(const Method *method, const char *name) {
    const Param *own = find_in(method->params, name);
    return own ? own : find_in(common_params, name);
}

bool method_takes(const Method *method, const char *name, const Args *given, const Args *roles) {
    const Param *param = method_param(method, name);
    if (!param || args_find(given, name)) return false;
    for (const Param *rule = method->params; rule && rule->kind; rule++) {
        bool companion = rule->kind != RULE_ONLY_WITH || strcmp(rule->name, name);
        for (int i = 0; !companion && rule->words[i]; i++) companion = args_find(given, rule->words[i]) || args_find(roles, rule->words[i]);
        if (!companion) return false;
    }
    return true;
}

void param_dashed(const Param *param, char out[64]) {
    size_t i = 0;
    for (const char *p = param->name; *p && i < 63; p++) out[i++] = *p == '_' ? '-' : *p;
    out[i] = 0;
}

const char *param_preset(const Param *param, char out[33]) {
    if (param->kind != KIND_INT && param->kind != KIND_REAL) return param->preset;
    return isnan(param->number) || param->number == (double)ABSENT ? NULL : real_text(param->number, out);
}

bool param_is(const Param *param, const char *name) {
    const char *p = param->name;
    for (; *p && *name; p++, name++)
        if (*p != *name && !(*p == '_' && *name == '-')) return false;
    return !*p && !*name;
}

const char *kind_name(Kind kind) {
    static const char *const names[] = { "",       "int",        "real",    "flag",  "text",  "choice", "column", "columns", "table",
                                         "tables", "expression", "formula", "reals", "texts", "pairs",  "groups", "ledger",  "schema" };
    return kind < RULE_ONE_OF ? names[kind] : "rule";
}

bool kind_is_list(Kind kind) {
    return kind == KIND_COLUMNS || kind == KIND_REALS || kind == KIND_TEXTS || kind == KIND_PAIRS || kind == KIND_TABLES;
}
bool kind_is_file(Kind kind) { return kind == KIND_TABLE || kind == KIND_TABLES || kind == KIND_LEDGER || kind == KIND_SCHEMA; }
