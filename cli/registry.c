/* Declarations read from the JSON by which the library describes them. */
#include "registry.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? keep_text("%s", text) : NULL;
}

static const char **texts_of(const json_t *list) {
    const char **texts = keep((json_array_size(list) + 1) * sizeof *texts);
    for (size_t i = 0; i < json_array_size(list); i++) texts[i] = keep_text("%s", json_string_value(json_array_get(list, i)));
    return texts;
}

static bool has_word(const json_t *list, const char *word) {
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (!strcmp(json_string_value(item), word)) return true;
    return false;
}

/* As the library writes numbers: plain down to 0.000001, then with an exponent without leading zeros. */
const char *number_text(double value, char out[33]) {
    int digits = 0;
    if (!isfinite(value) || (value == floor(value) && fabs(value) < 1e21)) {
        snprintf(out, 33, "%.0f", value);
        return out;
    }
    do snprintf(out, 33, "%.*e", digits, value);
    while (strtod(out, NULL) != value && digits++ < 17);
    int power = atoi(strchr(out, 'e') + 1);
    if (power >= -6 && power < 21) snprintf(out, 33, "%.*f", digits > power ? digits - power : 0, value);
    else snprintf(strchr(out, 'e'), 8, "e%d", power);
    return out;
}

static const char *preset_of(const json_t *item) {
    char number[33];
    if (json_is_number(item)) return keep_text("%s", number_text(json_number_value(item), number));
    const char *text = json_string_value(json_is_array(item) ? json_array_get(item, 0) : item);
    if (!text) return NULL;
    return keep_text("%s", !strcmp(text, "Infinity") ? "inf" : !strcmp(text, "-Infinity") ? "-inf" : text);
}

static Kind kind_of(const char *name) {
    static const char *const names[] = { "",       "int",        "real",    "flag",  "text",  "choice", "column", "columns", "table",
                                         "tables", "expression", "formula", "reals", "texts", "pairs",  "groups", "ledger",  "schema" };
    for (Kind kind = KIND_INT; kind < KIND_OTHER; kind++)
        if (!strcmp(names[kind], name)) return kind;
    return KIND_OTHER;
}

static double bound(const json_t *param, const char *name, double otherwise) {
    const json_t *number = json_object_get(param, name);
    return json_is_number(number) ? json_number_value(number) : otherwise;
}

static Param param_of(const json_t *p) {
    Param param = { .name = text_of(p, "name"),
                    .type = text_of(p, "kind"),
                    .preset = preset_of(json_object_get(p, "default")),
                    .of = text_of(p, "of"),
                    .role = text_of(p, "role"),
                    .help = text_of(p, "help"),
                    .parts = (int)json_integer_value(json_object_get(p, "parts")) };
    static const struct {
        const char *name;
        unsigned flag;
    } flags[] = { { "required", REQUIRED }, { "positional", POSITIONAL }, { "numeric", NUMERIC }, { "exclusive", EXCLUSIVE } };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (json_is_true(json_object_get(p, flags[i].name))) param.flags |= flags[i].flag;
    param.kind = kind_of(param.type);
    if (json_object_get(p, "least") || json_object_get(p, "most")) {
        param.least = bound(p, "least", -INFINITY);
        param.most = bound(p, "most", INFINITY);
    }
    if (json_object_get(p, "choices")) param.words = texts_of(json_object_get(p, "choices"));
    return param;
}

static Param rule_of(const json_t *r) {
    const char *rule = json_string_value(json_object_get(r, "rule"));
    const json_t *words = json_object_get(r, "parameters");
    Param param = { .kind = !strcmp(rule, "one_of")    ? RULE_ONE_OF
                            : !strcmp(rule, "only_if") ? RULE_ONLY_IF
                                                       : RULE_ONLY_WITH,
                    .name = text_of(r, "parameter"),
                    .of = text_of(r, "choice") };
    param.words = texts_of(words ? words : json_object_get(r, "values"));
    return param;
}

static Param *params_of(const json_t *params, const json_t *rules) {
    size_t count = json_array_size(params);
    Param *list = keep((count + json_array_size(rules) + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) list[i] = param_of(json_array_get(params, i));
    for (size_t i = 0; i < json_array_size(rules); i++) list[count + i] = rule_of(json_array_get(rules, i));
    return list;
}

/* "f:text classes:integer" */
static const char *columns_of(const json_t *list) {
    Buffer text = { 0 };
    size_t i;
    json_t *item;
    if (!list) return NULL;
    json_array_foreach (list, i, item)
        buffer_print(&text, "%s%s:%s", i ? " " : "", json_string_value(json_object_get(item, "name")),
                     json_string_value(json_object_get(item, "type")));
    const char *kept = keep_text("%s", buffer_get(&text));
    if (text.failed) no_memory();
    buffer_free(&text);
    return kept;
}

static Return *values_of(const json_t *list) {
    static const char *const kinds[] = { "", "value", "table", "record", "output" };
    Return *values = keep((json_array_size(list) + 1) * sizeof *values);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *r = json_array_get(list, i);
        Return *out = &values[i];
        *out = (Return){ .name = text_of(r, "name"),
                         .type = text_of(r, "type"),
                         .columns = columns_of(json_object_get(r, "columns")),
                         .meaning = text_of(r, "meaning") };
        for (int kind = RETURN_VALUE; kind <= RETURN_OUTPUT; kind++)
            if (!strcmp(json_string_value(json_object_get(r, "kind")), kinds[kind])) out->kind = (ReturnKind)kind;
    }
    return values;
}

static json_t *described(const char *id) {
    char *text = NULL;
    json_t *json = scrim_methods_describe(id, &text, NULL) ? NULL : json_loads(text, 0, NULL);
    scrim_text_free(text);
    if (!json) no_memory(); /* nothing else keeps a method that is there from being described */
    return json;
}

static Method *method_of(const char *id) {
    json_t *json = described(id);
    const json_t *traits = json_object_get(json, "traits");
    Method *m = keep(sizeof *m);
    *m = (Method){ .id = keep_text("%s", id),
                   .command = text_of(json, "command"),
                   .group = text_of(json, "group"),
                   .name = text_of(json, "name"),
                   .summary = text_of(json, "summary"),
                   .source = text_of(json, "source"),
                   .example = text_of(json, "example"),
                   .instead = text_of(json, "instead"),
                   .verb = json_is_true(json_object_get(json, "verb")),
                   .random = has_word(traits, "random"),
                   .frequency = has_word(traits, "frequency"),
                   .disclosure = texts_of(json_object_get(json, "disclosure")),
                   .params = params_of(json_object_get(json, "params"), json_object_get(json, "rules")),
                   .values = values_of(json_object_get(json, "values")) };
    json_decref(json);
    return m;
}

/* ---- found by place and by name; read when they are asked for ---- */

static const Method **methods;

int64_t methods_count(void) { return scrim_methods_count(); }

const Method *methods_at(int64_t index) {
    if (!methods) methods = keep((size_t)methods_count() * sizeof *methods);
    if (!methods[index]) methods[index] = method_of(scrim_methods_name(index));
    return methods[index];
}

const Method *method_named(const char *id) {
    for (int64_t i = 0; i < methods_count(); i++)
        if (!strcmp(scrim_methods_name(i), id)) return methods_at(i);
    return NULL;
}

const Param *method_param(const Method *method, const char *name) {
    for (const Param *p = method->params; p->kind; p++)
        if (p->kind < RULE_ONE_OF && !strcmp(p->name, name)) return p;
    return NULL;
}

const Param *common_params(void) {
    static const Param *common;
    if (common) return common;
    json_t *json = described(scrim_methods_name(0));
    common = params_of(json_object_get(json, "common"), NULL);
    json_decref(json);
    return common;
}

bool is_group(const char *word) {
    for (int64_t i = 0; i < methods_count(); i++)
        if (!methods_at(i)->verb && !strcmp(methods_at(i)->group, word)) return true;
    return false;
}
