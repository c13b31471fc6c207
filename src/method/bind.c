/* The binder: what was given, else what a role fills, else the default; bounds checked once. */
#include "method/bind.h"
#include <stdio.h>
#include <string.h>
#include "table/common_types.h"

static const char *dashed_name(const Param *param, char out[64]) {
    param_dashed(param, out);
    return out;
}

static Status complain(Binding *b, const Param *param) {
    char name[64];
    return error_parameter(b->work->error, dashed_name(param, name));
}

static bool is_table(Kind kind) { return kind == KIND_TABLE || kind == KIND_TABLES || kind == KIND_LEDGER || kind == KIND_SCHEMA; }

Status binding_hold(Binding *b, Table *table) {
    Status status = work_grow(b->work, sizeof *b->held, &b->held, &b->hold_room, b->holds + 1);
    if (status) table_release(table);
    else b->held[b->holds++] = table;
    return status;
}

void binding_release(Binding *binding) {
    for (int64_t i = 0; i < binding->holds; i++) table_release(binding->held[i]);
    binding->holds = 0;
}

/* A parameter as text, for `params` in the result: items joined by commas (groups, which hold commas, by semicolons), those of a list
 * that hold one in backticks, so that it reads back. */
static const char *joined(Binding *b, const Arg *arg, const Param *param) {
    if (!arg->count) return "true";
    bool list = kind_is_list(param->kind);
    const char *between = param->kind == KIND_GROUPS ? ";" : ",";
    Buffer text = { 0 };
    for (int64_t i = 0; i < arg->count; i++) {
        const char *item = arg->items ? arg->items[i] : arg->tables[i]->name ? arg->tables[i]->name : "(table)";
        const char *tick = list && strchr(item, ',') && item[0] != '`' ? "`" : "";
        buffer_print(&text, "%s%s%s%s", i ? between : "", tick, item, tick);
    }
    const char *copy = arena_text(b->work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* What was given, else what a role fills; NULL where there is neither, or an empty list. A secret is no role's. */
static const Arg *said(const Binding *b, const Param *param) {
    const Arg *arg = args_find(b->given, param->name);
    if (!arg && !(param->flags & SECRET) && param->role) arg = args_find(b->roles, param->role);
    if (!arg && !(param->flags & SECRET)) arg = args_find(b->roles, param->name);
    bool columns = arg && (param_is(param, "other") || param_is(param, "identifiers"));
    if (columns && !(param->flags & IF_THERE) && !args_find(b->given, param->name)) arg = NULL; /* another thing of that name */
    return arg && !arg->count && param->kind != KIND_FLAG ? NULL : arg;
}

static Status bind_said(Binding *b, const Param *param, const Arg *arg, char *base) {
    Status status = bind_value(b, param, arg, base + param->offset);
    if (status && !b->work->error->parameter[0] && !(param->flags & POSITIONAL)) complain(b, param);
    return status;
}

static Status is_needed(Binding *b, const Param *param) {
    char said[128];
    if (param->flags & POSITIONAL) fail(b->work->error, BAD, "%s needs an input: %s", method_said(b->method, said), param->help);
    else {
        fail(b->work->error, BAD, "is needed: %s", param->help);
        complain(b, param);
    }
    return error_advice(b->work->error, "For example: %s", b->method->example ? b->method->example : "see scrim help");
}

static Status bind_one(Binding *b, const Param *param, char *base, Result *result) {
    char name[64], number[33];
    const char *by_itself = param_preset(param, number);
    const Arg preset = { .name = param->name, .count = 1, .items = &by_itself };
    const Arg *arg = said(b, param);
    bool by_default = !args_find(b->given, param->name), from_role = by_default && arg;
    if (!arg && by_itself) arg = &preset;
    if (arg) {
        const bool done = b->session->times && param->kind == KIND_EXPR && base == (char *)&b->common; /* a roll is of what `where` kept */
        Status status = done ? OK : bind_said(b, param, arg, base);
        if (status) return status;
        result_param(result, dashed_name(param, name), joined(b, arg, param), param->flags & SECRET, by_default && !from_role,
                     kind_is_list(param->kind));
        if (!result->failed) result->param[result->params - 1].role = from_role;
        if (!result->failed) result->param[result->params - 1].handle = arg->tables != NULL;
        return OK;
    }
    if (param->flags & REQUIRED) return is_needed(b, param);
    if (param->kind == KIND_INT) *(int64_t *)(void *)(base + param->offset) = ABSENT;
    if (param->kind == KIND_REAL) *(double *)(void *)(base + param->offset) = NAN;
    return OK;
}

/* What --where keeps would be told without noise: how many, or which, and the rest as they are. */
static Status tells_count(Binding *b) {
    char said[128];
    fail(b->work->error, BAD, "cannot be used with %s, because its content is not public", method_said(b->method, said));
    error_parameter(b->work->error, "where");
    return error_advice(b->work->error, "Leave it out, and filter the released table.");
}

/* The rows where `where` is true, of the first table; then the same rows of every table of that length. */
static Status filter(Binding *b) {
    Status status = OK;
    uint8_t *mask = NULL;
    int64_t count = 0, *rows = NULL, kept = 0;
    const Table *first = b->whole;
    if (!b->common.where || !first || (b->method->traits & OWN_WHERE)) return OK;
    if (method_promises(b->method)) return tells_count(b);
    TRY(expr_mask(b->work, b->common.where, first, &mask, &count));
    NEW(b->work, rows, count + 1);
    for (int64_t i = 0; i < first->rows; i++)
        if (mask[i]) rows[kept++] = i;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE) continue;
        const Table **at = (const Table **)(void *)(b->args + p->offset);
        if (!*at || (*at)->rows != first->rows) continue;
        Table *some = NULL;
        TRY(table_take(*at, rows, kept, &some, b->work->error));
        TRY(binding_hold(b, some));
        *at = some;
    }
    b->rows = rows;
    b->row_count = kept;
    b->told[0] = kept;
    b->told[1] = first->rows;
done:
    return status;
}

const Table *first_table(const Binding *b) {
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE) continue;
        return *(const Table **)(void *)(b->args + p->offset);
    }
    return NULL;
}

/* A table with a schema is seen only as the schema says it is: columns and expressions are read against that. */
static Status apply_schemas(Binding *b) {
    Status status = OK;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind != KIND_SCHEMA || (p->flags & UNAPPLIED)) continue;
        const Schema *schema = *(const Schema **)(void *)(b->args + p->offset);
        for (const Param *t = b->method->params; schema && t->kind; t++) {
            if (t->kind != KIND_TABLE || strcmp(t->name, p->of)) continue;
            const Table **at = (const Table **)(void *)(b->args + t->offset);
            Table *seen = NULL;
            if (!*at) continue;
            TRY(schema_apply(b->work, schema, *at, &seen));
            TRY(binding_hold(b, seen));
            *at = seen;
        }
    }
done:
    return status;
}

/* A method that measures reads a column that several of its tables have alike in all of them: an identical copy in which one cell is a word
 * would else have nothing in common with its original. A method that makes a table gets it as it was read; one with a promise, as its
 * schema says it is. */
static bool compares_tables(const Binding *b) {
    for (const Return *r = b->method->values; returns_more(r); r++)
        if (r->kind == RETURN_OUTPUT) return false;
    return !method_promises(b->method) && !b->chunk;
}

static Status read_alike(Binding *b) {
    Status status = OK;
    enum { MOST = 16 };
    const Table **at[MOST], *table[MOST];
    Table *changed[MOST];
    int64_t count = 0;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE || (p->flags & AS_TEXT) || count == MOST) continue;
        const Table **of = (const Table **)(void *)(b->args + p->offset);
        if (!*of) continue;
        at[count] = of;
        table[count++] = *of;
    }
    if (count < 2 || !compares_tables(b)) return OK;
    TRY(tables_common_types(b->work, table, count, changed));
    for (int64_t i = 0; i < count; i++)
        if (changed[i]) *at[i] = changed[i];
    for (int64_t i = 0; i < count; i++) {
        Status held = changed[i] ? binding_hold(b, changed[i]) : OK;
        status = status ? status : held;
    }
done:
    return status;
}

static bool given_or_role(const Binding *b, const char *name) { return args_find(b->given, name) || args_find(b->roles, name); }

/* How many of a rule's parameters are there; their names as "--a, --b or --c". */
static int rule_given(const Binding *b, const Param *rule, Buffer *names) {
    int count = 0;
    for (int i = 0; rule->words[i]; i++) {
        Param named = { .name = rule->words[i] };
        char dashed[64];
        param_dashed(&named, dashed);
        count += given_or_role(b, rule->words[i]);
        buffer_print(names, "%s--%s", i ? rule->words[i + 1] ? ", " : " or " : "", dashed);
    }
    return count;
}

static Status check_one_of(const Binding *b, const Param *rule) {
    Buffer names = { 0 };
    char said[128];
    int count = rule_given(b, rule, &names);
    Status status = OK;
    if (count == 0) status = fail(b->work->error, BAD, "%s needs one of %s", method_said(b->method, said), buffer_get(&names));
    if (count > 1) status = fail(b->work->error, BAD, "only one of %s can be given", buffer_get(&names));
    buffer_free(&names);
    return status;
}

static Status check_only_with(const Binding *b, const Param *rule) {
    Buffer names = { 0 };
    Status status = OK;
    if (args_find(b->given, rule->name) && !rule_given(b, rule, &names)) {
        fail(b->work->error, BAD, "has a meaning only with %s", buffer_get(&names));
        status = error_parameter(b->work->error, rule->name);
    }
    buffer_free(&names);
    return status;
}

static Status check_only_if(const Binding *b, const Param *rule) {
    const Param *choice = method_param(b->method, rule->of);
    if (!args_find(b->given, rule->name) || !choice) return OK;
    unsigned chosen = *(unsigned *)(void *)(b->args + choice->offset);
    Buffer words = { 0 };
    for (int i = 0; rule->words[i]; i++) {
        if (!strcmp(choice->words[chosen], rule->words[i])) {
            buffer_free(&words);
            return OK;
        }
        buffer_print(&words, "%s%s", i ? rule->words[i + 1] ? ", " : " or " : "", rule->words[i]);
    }
    fail(b->work->error, BAD, "has a meaning only with --%s %s", rule->of, buffer_get(&words));
    buffer_free(&words);
    return error_parameter(b->work->error, rule->name);
}

static Status check_rule(const Binding *b, const Param *rule) {
    return rule->kind == RULE_ONE_OF      ? check_one_of(b, rule)
           : rule->kind == RULE_ONLY_WITH ? check_only_with(b, rule)
                                          : check_only_if(b, rule);
}

static Status check_names(Binding *b) {
    for (int64_t i = 0; b->given && i < b->given->count; i++) {
        if (method_param(b->method, b->given->at[i].name)) continue;
        const Method *inner = b->method->passes ? b->method->passes(b->given) : NULL;
        if (inner && method_param(inner, b->given->at[i].name)) continue;
        const char *names[128];
        size_t count = 0;
        for (const Param *p = b->method->params; p && p->kind && count < 128; p++)
            if (p->kind < RULE_ONE_OF) names[count++] = p->name;
        const char *near = nearest_name(b->given->at[i].name, names, count);
        fail(b->work->error, BAD, "%s.%s has no parameter '%s'", b->method->group, b->method->name, b->given->at[i].name);
        return near ? error_advice(b->work->error, "Did you mean '%s'?", near) : BAD;
    }
    return OK;
}

/* Does its value mean something without a table? */
static bool stands_alone(Kind kind) {
    return kind == KIND_INT || kind == KIND_REAL || kind == KIND_FLAG || kind == KIND_TEXT || kind == KIND_CHOICE || kind == KIND_REALS ||
           kind == KIND_TEXTS || kind == KIND_PAIRS;
}

/* All that needs no data, before a byte is read: what is missing, out of bounds or against a rule. Bound again, and noted, beside the rest.
 */
static Status check_early(Binding *b) {
    Status status = OK;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        char number[33];
        const char *by_itself = p->kind < RULE_ONE_OF ? param_preset(p, number) : NULL;
        const Arg preset = { .name = p->name, .count = 1, .items = &by_itself };
        if (p->kind >= RULE_ONE_OF) continue;
        const Arg *arg = said(b, p);
        if (!arg && !by_itself && (p->flags & REQUIRED)) TRY(is_needed(b, p));
        if (stands_alone(p->kind) && (arg || by_itself)) TRY(bind_said(b, p, arg ? arg : &preset, b->args));
    }
    for (const Param *p = b->method->params; p && p->kind; p++)
        if (p->kind >= RULE_ONE_OF) TRY(check_rule(b, p));
    memset(b->args, 0, b->method->size);
done:
    return status;
}

Status binding_make(Binding *b, Result *result) {
    Status status = OK;
    TRY(check_names(b));
    b->common.show_values = b->session->show_values || args_find(b->given, "show_values");
    b->work->error->show_values = b->common.show_values;
    TRY(check_early(b));
    for (const Param *p = b->method->params; p && p->kind; p++) /* tables first: columns and expressions are read against them */
        if (is_table(p->kind)) TRY(bind_one(b, p, b->args, result));
    TRY(apply_schemas(b));
    TRY(read_alike(b));
    b->whole = first_table(b);
    size_t tables = 0;
    for (const Param *p = b->method->params; p && p->kind; p++)
        if (p->kind == KIND_TABLE && tables < sizeof b->bound / sizeof *b->bound)
            b->bound[tables++] = *(const Table **)(void *)(b->args + p->offset);
    for (const Param *p = common_params; p->kind; p++)
        if (!(p->kind == KIND_EXPR && (b->method->traits & OWN_WHERE)) && args_find(b->given, p->name) &&
            method_param(b->method, p->name) == p) /* a method's own of that name goes before */
            TRY(bind_one(b, p, (char *)&b->common, result));
    TRY(filter(b));
    TRY(bind_levels(b));
    for (const Param *p = b->method->params; p && p->kind; p++)
        if (!is_table(p->kind) && p->kind < RULE_ONE_OF) TRY(bind_one(b, p, b->args, result));
done:
    return status;
}

const Param *method_unfilled(const Method *method, const Args *given, const Args *roles) {
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind == RULE_ONE_OF) {
            bool any = false;
            for (int i = 0; p->words[i]; i++) any |= args_find(given, p->words[i]) || args_find(roles, p->words[i]);
            if (!any) return p;
        }
        if (p->kind >= RULE_ONE_OF || !(p->flags & REQUIRED)) continue;
        bool by_role = args_find(roles, p->name) || (p->role && args_find(roles, p->role));
        if (!args_find(given, p->name) && !by_role) return p;
    }
    return NULL;
}
