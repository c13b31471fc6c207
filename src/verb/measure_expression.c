/* Measures as people write them: parsed, run, and one number taken from what comes back. */
#include "verb/measure_expression.h"
#include <ctype.h>
#include <string.h>
#include "base/elementary.h"

static const char *skip_spaces(const char *at) {
    while (*at && isspace((unsigned char)*at)) at++;
    return at;
}

/* [from, to) without the spaces around it. */
static const char *piece_of(Work *work, const char *from, const char *to) {
    from = skip_spaces(from);
    while (to > from && isspace((unsigned char)to[-1])) to--;
    return arena_print(work->arena, "%.*s", (int)(to > from ? to - from : 0), from);
}

/* Where the comma or closing parenthesis is that ends the argument at `at`: brackets nest, quotes and backticks protect. */
static const char *argument_end(const char *at) {
    int depth = 0;
    for (char quote = 0; *at; at++) {
        if (quote) {
            if (*at == quote) quote = 0;
            continue;
        }
        if (*at == '"' || *at == '\'' || *at == '`') quote = *at;
        else if (*at == '(') depth++;
        else if (*at == ')' && depth-- == 0) break;
        else if (*at == ',' && !depth) break;
    }
    return at;
}

static Status bad_call(Work *work, const MeasureExpression *call, const char *what) {
    fail(work->error, BAD, "%s: '%s'", what, call->text);
    return error_advice(
        work->error,
        "A measure is written as a method's name, with arguments and a value where they are needed: regression(y ~ a + b).mean_overlap");
}

/* ---- Names ---- */

/* Every attack says how much more is learned than without the release. */
static const char *headline_of(const Method *method) {
    return method->headline || strcmp(method->group, "attack") ? method->headline : "-gain";
}

static bool is_group(const char *name) {
    for (int64_t i = 0; i < methods_count(); i++)
        if (!strcmp(methods_at(i)->group, name)) return true;
    return false;
}

static Status find_method(Work *work, MeasureExpression *call, char *name, const char *const *groups) {
    char *dot = strchr(name, '.');
    if (dot) *dot = 0;
    if (dot && is_group(name)) {
        char *value = strchr(dot + 1, '.');
        if (value) {
            *value = 0;
            call->value = value + 1;
        }
        return method_need(arena_print(work->arena, "%s.%s", name, dot + 1), &call->method, work->error);
    }
    if (dot) call->value = dot + 1;
    for (int i = 0; groups[i]; i++)
        if ((call->method = method_find(groups[i], name))) return OK;
    const char *names[256];
    size_t count = 0;
    for (int64_t i = 0; i < methods_count(); i++)
        for (int g = 0; groups[g] && count < 256; g++)
            if (!strcmp(methods_at(i)->group, groups[g])) names[count++] = methods_at(i)->name;
    const char *near = nearest_name(name, names, count);
    fail(work->error, BAD, "there is no measure '%s'", name);
    if (near) return error_advice(work->error, "Did you mean '%s'?", near);
    return error_advice(work->error, "`scrim methods` lists them; write utility.track for one of another group.");
}

/* ---- Arguments ---- */

/* What a bare argument is for: the first thing that the method needs beside tables, else its first formula, expression or columns. */
static const Param *main_parameter(const Method *method) {
    for (const Param *p = method->params; p && p->kind; p++)
        if ((p->flags & REQUIRED) && p->kind < RULE_ONE_OF && p->kind != KIND_TABLE && p->kind != KIND_TABLES) return p;
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind == KIND_FORMULA || p->kind == KIND_EXPR || p->kind == KIND_COLUMNS) return p;
    return NULL;
}

/* "family = binomial": the parameter, and where its value begins; a comparison (==) names nothing. */
static Status named_parameter(Work *work, const MeasureExpression *call, const char *text, const Param **param, const char **value) {
    const char *at = text;
    *param = NULL;
    while (isalnum((unsigned char)*at) || *at == '_' || *at == '-') at++;
    const char *end = at;
    at = skip_spaces(at);
    if (end == text || *at != '=' || at[1] == '=') return OK;
    const char *name = piece_of(work, text, end);
    if (!(*param = method_param(call->method, name)))
        return fail(work->error, BAD, "%s.%s has no parameter '%s'", call->method->group, call->method->name, name);
    *value = skip_spaces(at + 1);
    return OK;
}

static const char *bare(Work *work, const char *text) {
    size_t length = strlen(text);
    if (length > 2 && text[0] == '`' && text[length - 1] == '`') return arena_print(work->arena, "%.*s", (int)length - 2, text + 1);
    return text;
}

static Status add_item(Work *work, Arg *list, int64_t *count, const Param *param, const char *text) {
    Status status = OK;
    const char **items = NULL;
    int64_t at = 0;
    while (at < *count && strcmp(list[at].name, param->name)) at++;
    int64_t have = at < *count ? list[at].count : 0;
    if (have && !kind_is_list(param->kind)) {
        fail(work->error, BAD, "is given twice");
        return error_parameter(work->error, param->name);
    }
    NEW(work, items, have + 1);
    for (int64_t i = 0; i < have; i++) items[i] = list[at].items[i];
    items[have] = kind_is_list(param->kind) ? bare(work, text) : text;
    list[at] = (Arg){ .name = param->name, .count = param->kind == KIND_FLAG && !strcmp(text, "true") ? 0 : have + 1, .items = items };
    if (at == *count) ++*count;
done:
    return status;
}

static Status parse_arguments(Work *work, MeasureExpression *call, const char *at, const char **after) {
    Status status = OK;
    Arg *list = NULL;
    int64_t count = 0;
    const Param *last = NULL;
    NEW(work, list, strlen(at) + 1);
    for (;;) {
        const char *end = argument_end(at), *text = piece_of(work, at, end), *value = text;
        const Param *param = NULL;
        if (!*end) return bad_call(work, call, "a parenthesis is not closed");
        TRY(named_parameter(work, call, text, &param, &value));
        if (!param) param = last && kind_is_list(last->kind) ? last : main_parameter(call->method);
        if (!param && *text) return bad_call(work, call, "this method takes no argument");
        if (*text) TRY(add_item(work, list, &count, param, value));
        last = param;
        at = end + 1;
        if (*end == ')') break;
    }
    call->args = (Args){ count, list };
    *after = at;
done:
    return status;
}

Status measure_expression_parse(Work *work, const char *text, const char *const *groups, bool less, MeasureExpression *out) {
    Status status = OK;
    char *name = NULL;
    *out = (MeasureExpression){ .text = text };
    const char *at = skip_spaces(text);
    bool turned = *at == '-';
    if (turned) at = skip_spaces(at + 1);
    size_t length = strcspn(at, "(");
    NEW(work, name, length + 1);
    memcpy(name, at, length);
    while (length && isspace((unsigned char)name[length - 1])) name[--length] = 0;
    if (!length) TRY(bad_call(work, out, "this names no measure"));
    TRY(find_method(work, out, name, groups));
    at += strcspn(at, "(");
    if (*at) {
        if (out->value) TRY(bad_call(work, out, "the value comes after the parentheses"));
        TRY(parse_arguments(work, out, at + 1, &at));
        at = skip_spaces(at);
        if (*at == '.') out->value = piece_of(work, at + 1, at + strlen(at));
        else if (*at) TRY(bad_call(work, out, "something stands after the parentheses"));
    }
    const char *headline = headline_of(out->method);
    if (headline && (!out->value || same_text(out->value, headline + (*headline == '-')))) less = *headline == '-';
    out->less = turned ? !less : less;
done:
    return status;
}

/* ---- Running ---- */

static Status call_args(Work *work, const MeasureExpression *call, const Table *original, const Table *released, const Args *roles,
                        Args *out) {
    Status status = OK;
    Arg *list = NULL;
    Table **handle = NULL;
    int64_t count = call->args.count;
    NEW(work, list, count + 5);
    NEW(work, handle, 2);
    handle[0] = (Table *)(uintptr_t)original;
    handle[1] = (Table *)(uintptr_t)released;
    if (count) memcpy(list, call->args.at, (size_t)count * sizeof *list);
    for (const Param *p = call->method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE || !method_takes(call->method, p->name, &call->args, roles)) continue;
        int which = !strcmp(p->name, "original") ? 0 : !strcmp(p->name, "released") || !strcmp(p->name, "data") ? 1 : -1;
        if (which >= 0) list[count++] = (Arg){ .name = p->name, .count = 1, .tables = &handle[which] };
    }
    if (call->force) list[count++] = (Arg){ .name = "force" };
    *out = (Args){ count, list };
done:
    return status;
}

static bool is_number(const Value *value) { return value && (value->kind == VALUE_REAL || value->kind == VALUE_INTEGER); }

double value_number(const Value *value) {
    return !is_number(value) ? NAN : value->kind == VALUE_INTEGER ? (double)value->integer : value->real;
}

/* Which value: the one asked for, the headline, or the first number. */
static Status settle_value(MeasureExpression *call, const Result *result, Error *error) {
    const char *headline = headline_of(call->method);
    if (!call->value && headline) call->value = headline + (*headline == '-');
    for (const Return *r = call->method->values; !call->value && returns_more(r); r++)
        if (r->kind == RETURN_VALUE && is_number(result_find(result, r->name))) call->value = r->name;
    if (call->value && result_find(result, call->value)) return OK;
    const char *names[64];
    size_t count = 0;
    for (int64_t i = 0; i < result->values && count < 64; i++) names[count++] = result->value[i].name;
    const char *near = call->value ? nearest_name(call->value, names, count) : NULL;
    fail(error, BAD, "%s.%s gives no value '%s'", call->method->group, call->method->name, call->value ? call->value : "that is a number");
    return near ? error_advice(error, "Did you mean '%s'?", near) : BAD;
}

Status measure_expression_run(const Session *session, MeasureExpression *call, const Table *original, const Table *released,
                              const Args *roles, double *out, Error *error) {
    Status status = OK;
    Work work = { .arena = arena_new(), .error = error, .threads = session->threads };
    Result *result = NULL;
    Table *aligned = NULL;
    Args args;
    *out = NAN;
    if (!work.arena) return out_of_memory(error);
    TRY(table_aligned(original, released, &aligned, error));
    TRY(call_args(&work, call, aligned, released, roles, &args));
    TRY(method_run(session, call->method, &args, roles, &result, error));
    TRY(settle_value(call, result, error));
    const Value *value = result_find(result, call->value);
    if (value->kind == VALUE_TEXT)
        TRY(fail(error, BAD, "%s.%s: '%s' is not a number", call->method->group, call->method->name, call->value));
    *out = value_number(value);
    /* the name outlives the result where it is the declaration's or the caller's own, which it is */
done:
    result_free(result);
    table_release(aligned);
    arena_free(work.arena);
    return status;
}
