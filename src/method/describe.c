/* A method's declaration as JSON: for schemas, forms, bindings, and the program's own help. */
#include <string.h>
#include "base/escape.h"
#include "base/number_text.h"
#include "method/parts.h"

static void member(Buffer *out, const char *name, const char *text) {
    buffer_print(out, ",\"%s\":", name);
    put_json_text(out, text);
}

static void flag(Buffer *out, const char *name, bool set) {
    if (set) buffer_print(out, ",\"%s\":true", name);
}

static void words(Buffer *out, const char *name, const char *const *list) {
    buffer_print(out, ",\"%s\":[", name);
    for (int i = 0; list[i]; i++) {
        if (i) buffer_char(out, ',');
        put_json_text(out, list[i]);
    }
    buffer_char(out, ']');
}

/* Names of parameters, as they are outside. */
static void names(Buffer *out, const char *name, const char *const *list) {
    buffer_print(out, ",\"%s\":[", name);
    for (int i = 0; list[i]; i++) {
        char dashed[64];
        param_dashed(&(Param){ .name = list[i] }, dashed);
        buffer_print(out, "%s\"%s\"", i ? "," : "", dashed);
    }
    buffer_char(out, ']');
}

static void number(Buffer *out, const char *name, double value) {
    if (!isfinite(value)) return;
    buffer_print(out, ",\"%s\":", name);
    put_json_real(out, value);
}

/* Of the parameter's own kind: a number, true or false, a text, a list. */
static void describe_default(const Param *p, Buffer *out) {
    char text[33];
    const char *preset = param_preset(p, text);
    if (p->kind == KIND_FLAG) buffer_text(out, ",\"default\":false");
    if (!preset) return;
    buffer_text(out, ",\"default\":");
    if (p->kind == KIND_INT || p->kind == KIND_REAL) {
        put_json_real(out, p->number);
        return;
    }
    if (kind_is_list(p->kind)) buffer_char(out, '[');
    put_json_text(out, preset);
    if (kind_is_list(p->kind)) buffer_char(out, ']');
}

static void describe_param(const Param *p, Buffer *out) {
    char name[64];
    param_dashed(p, name);
    buffer_print(out, "{\"name\":\"%s\",\"kind\":\"%s\",\"required\":%s", name, kind_name(p->kind), p->flags & REQUIRED ? "true" : "false");
    flag(out, "positional", p->flags & POSITIONAL);
    flag(out, "numeric", p->flags & NUMERIC);
    flag(out, "secret", p->flags & SECRET);
    flag(out, "as_text", p->flags & AS_TEXT);
    flag(out, "whole", p->flags & WHOLE);
    describe_default(p, out);
    if (p->least < p->most) {
        number(out, "least", p->least);
        number(out, "most", p->most);
        flag(out, "exclusive", p->flags & EXCLUSIVE);
    }
    if (p->of && p->of[0]) member(out, "of", p->of);
    if (!(p->flags & SECRET)) member(out, "role", p->role ? p->role : p->name);
    if (p->kind == KIND_PAIRS) buffer_print(out, ",\"parts\":%d", p->parts);
    if (p->words) words(out, "choices", p->words);
    member(out, "help", p->help);
    buffer_char(out, '}');
}

static void describe_rule(const Param *p, Buffer *out) {
    buffer_print(out, "{\"rule\":\"%s\"", p->kind == RULE_ONE_OF ? "one_of" : p->kind == RULE_ONLY_WITH ? "only_with" : "only_if");
    char dashed[64];
    if (p->kind != RULE_ONE_OF) {
        param_dashed(p, dashed);
        member(out, "parameter", dashed);
    }
    if (p->kind == RULE_ONLY_IF) {
        param_dashed(&(Param){ .name = p->of }, dashed);
        member(out, "choice", dashed);
    }
    if (p->kind == RULE_ONLY_IF) words(out, "values", p->words);
    else names(out, "parameters", p->words);
    buffer_char(out, '}');
}

/* Parameters, or the rules among them. */
static void describe_list(const char *name, const Param *list, bool rules, Buffer *out) {
    const char *comma = "";
    buffer_print(out, ",\"%s\":[", name);
    for (const Param *p = list; p && p->kind; p++) {
        if ((p->kind >= RULE_ONE_OF) != rules) continue;
        buffer_text(out, comma);
        (rules ? describe_rule : describe_param)(p, out);
        comma = ",";
    }
    buffer_char(out, ']');
}

/* "f:text classes:integer" as a list of names and types. */
static void describe_columns(const char *columns, Buffer *out) {
    const char *comma = "";
    buffer_text(out, ",\"columns\":[");
    for (const char *at = columns; *at;) {
        size_t length = strcspn(at, " "), name = strcspn(at, ":");
        buffer_print(out, "%s{\"name\":\"%.*s\",\"type\":\"%.*s\"}", comma, (int)name, at, (int)(length - name - 1), at + name + 1);
        at += length + (at[length] == ' ');
        comma = ",";
    }
    buffer_char(out, ']');
}

/* What comes back. An output has no name; a table's columns are unknown where they depend on the input. */
static void describe_return(const Return *r, Buffer *out) {
    static const char *const kind[] = { "", "value", "table", "record", "output" };
    buffer_print(out, "{\"kind\":\"%s\"", kind[r->kind]);
    if (r->name) member(out, "name", r->name);
    if (r->kind == RETURN_VALUE || r->kind == RETURN_RECORD) member(out, "type", type_name(r->type));
    if (r->columns) describe_columns(r->columns, out);
    if (r->of) member(out, "of", r->of);
    buffer_print(out, ",\"public\":%s", r->flags & PUBLIC ? "true" : "false");
    if (r->flags & (MORE | LESS)) member(out, "better", r->flags & MORE ? "more" : "less");
    member(out, "meaning", r->meaning);
    buffer_char(out, '}');
}

static void describe_traits(const Method *method, Buffer *out) {
    static const struct {
        unsigned trait;
        const char *word;
    } traits[] = {
        { PERTURBS, "perturbs" }, { FREQUENCY, "frequency" }, { RANDOM, "random" }, { OWN_WHERE, "own_where" }, { UNAUDITED, "unaudited" },
        { KEYED, "keyed" }, { ANEW, "anew" }, { PROMISES, "promises" }, { WORKSHEET, "worksheet" },
        { CODES_AS_CATEGORIES, "codes_as_categories" }, { BY_PERSON, "by_person" },
    }, disclosure[] = { { IDENTITY, "identity" }, { ATTRIBUTE, "attribute" }, { INFERENTIAL, "inferential" }, { POPULATION, "population" } };
    const char *comma = "";
    buffer_text(out, ",\"traits\":[");
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (method->traits & traits[i].trait) {
            buffer_print(out, "%s\"%s\"", comma, traits[i].word);
            comma = ",";
        }
    buffer_text(out, "],\"disclosure\":[");
    comma = "";
    for (size_t i = 0; i < sizeof disclosure / sizeof *disclosure; i++)
        if (method->traits & disclosure[i].trait) {
            buffer_print(out, "%s\"%s\"", comma, disclosure[i].word);
            comma = ",";
        }
    buffer_char(out, ']');
}

/* The value that sums the method up, and which way is better. */
static void describe_headline(const Method *method, Buffer *out) {
    if (!method->headline) {
        buffer_text(out, ",\"headline\":null");
        return;
    }
    bool less = method->headline[0] == '-';
    buffer_text(out, ",\"headline\":{\"value\":");
    put_json_text(out, method->headline + less);
    buffer_print(out, ",\"better\":\"%s\"}", less ? "less" : "more");
}

void method_describe(const Method *method, Buffer *out) {
    char said[128];
    const char *comma = "";
    buffer_text(out, "{\"schema\":1");
    buffer_print(out, ",\"method\":\"%s%s%s\"", method_is_verb(method) ? "" : method->group, method_is_verb(method) ? "" : ".",
                 method->name);
    member(out, "group", method->group);
    member(out, "name", method->name);
    member(out, "command", method_said(method, said));
    member(out, "summary", method->summary);
    member(out, "source", method->source);
    describe_list("params", method->params, false, out);
    describe_list("common", common_params, false, out);
    describe_list("rules", method->params, true, out);
    buffer_text(out, ",\"values\":[");
    for (const Return *r = method->values; returns_more(r); r++, comma = ",") {
        buffer_text(out, comma);
        describe_return(r, out);
    }
    buffer_char(out, ']');
    describe_traits(method, out);
    describe_headline(method, out);
    if (method->traits & FREQUENCY) member(out, "instead", method->instead ? method->instead : "risk linkage");
    flag(out, "verb", method_find(method->group, method->name) != method); /* a command over many methods, above the registry */
    flag(out, "passes", method->passes != NULL);
    buffer_print(out, ",\"in_parts\":%s", method->parts ? "true" : "false");
    if (method->parts) member(out, "shape", parts_name(method));
    member(out, "example", method->example);
    buffer_char(out, '}');
}
