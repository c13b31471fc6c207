/* A method's declaration as JSON: for schemas, forms and bindings. */
#include "base/number.h"
#include "method/method.h"

static void quoted(Buffer *out, const char *text) {
    buffer_char(out, '"');
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') { buffer_char(out, '\\'); buffer_char(out, (char)c); }
        else if (c < 0x20) buffer_print(out, "\\u%04x", c);
        else buffer_char(out, (char)c);
    }
    buffer_char(out, '"');
}

static void words(Buffer *out, const char *name, const char *const *list) {
    buffer_print(out, ",\"%s\":[", name);
    for (int i = 0; list[i]; i++) { if (i) buffer_char(out, ','); quoted(out, list[i]); }
    buffer_char(out, ']');
}

static void number(Buffer *out, const char *name, double value) {
    char text[33];
    if (isfinite(value)) buffer_print(out, ",\"%s\":%s", name, real_text(value, text));
}

static void describe_param(const Param *p, Buffer *out) {
    char name[64];
    param_dashed(p, name);
    buffer_print(out, "{\"name\":\"%s\",\"kind\":\"%s\",\"required\":%s", name, kind_name(p->kind), p->flags & REQUIRED ? "true" : "false");
    if (p->flags & POSITIONAL) buffer_text(out, ",\"positional\":true");
    if (p->flags & NUMERIC) buffer_text(out, ",\"numeric\":true");
    if (p->flags & SECRET) buffer_text(out, ",\"secret\":true");
    if (p->preset && !same_text(p->preset, "ABSENT") && !same_text(p->preset, "NAN")) { buffer_text(out, ",\"default\":"); quoted(out, p->preset); }
    if (p->least < p->most) { number(out, "least", p->least); number(out, "most", p->most); }
    if (p->of && p->of[0]) { buffer_text(out, ",\"of\":"); quoted(out, p->of); }
    if (p->role) { buffer_text(out, ",\"role\":"); quoted(out, p->role); }
    if (p->words) words(out, "choices", p->words);
    buffer_text(out, ",\"help\":");
    quoted(out, p->help);
    buffer_char(out, '}');
}

static void describe_rule(const Param *p, Buffer *out) {
    buffer_print(out, "{\"rule\":\"%s\"", p->kind == RULE_ONE_OF ? "one_of" : p->kind == RULE_ONLY_WITH ? "only_with" : "only_if");
    if (p->kind != RULE_ONE_OF) { buffer_text(out, ",\"parameter\":"); quoted(out, p->name); }
    if (p->kind == RULE_ONLY_IF) { buffer_text(out, ",\"choice\":"); quoted(out, p->of); }
    words(out, p->kind == RULE_ONLY_IF ? "values" : "parameters", p->words);
    buffer_char(out, '}');
}

/* What comes back. An output has no name; a table's columns are unknown where they depend on the input. */
static void describe_return(const Return *r, Buffer *out) {
    static const char *const kind[] = { "", "value", "table", "record", "output" };
    buffer_print(out, "{\"kind\":\"%s\"", kind[r->kind]);
    if (r->name) { buffer_text(out, ",\"name\":"); quoted(out, r->name); }
    if (r->kind == RETURN_VALUE || r->kind == RETURN_RECORD) buffer_print(out, ",\"type\":\"%s\"", type_name(r->type));
    if (r->columns) { buffer_text(out, ",\"columns\":"); quoted(out, r->columns); }
    if (r->of) { buffer_text(out, ",\"of\":"); quoted(out, r->of); }
    buffer_print(out, ",\"public\":%s", r->flags & PUBLIC ? "true" : "false");
    if (r->flags & (MORE | LESS)) buffer_print(out, ",\"better\":\"%s\"", r->flags & MORE ? "more" : "less");
    buffer_text(out, ",\"meaning\":");
    quoted(out, r->meaning);
    buffer_char(out, '}');
}

void method_describe(const Method *method, Buffer *out) {
    buffer_print(out, "{\"schema\":1,\"method\":\"%s.%s\",\"summary\":", method->group, method->name);
    quoted(out, method->summary);
    buffer_text(out, ",\"source\":");
    quoted(out, method->source);
    buffer_text(out, ",\"params\":[");
    bool some = false;
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind < RULE_ONE_OF) { if (some) buffer_char(out, ','); some = true; describe_param(p, out); }
    buffer_text(out, "],\"rules\":[");
    some = false;
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind >= RULE_ONE_OF) { if (some) buffer_char(out, ','); some = true; describe_rule(p, out); }
    buffer_text(out, "],\"values\":[");
    const char *comma = "";
    for (const Return *r = method->values; returns_more(r); r++, comma = ",") { buffer_text(out, comma); describe_return(r, out); }
    buffer_text(out, "],\"example\":");
    quoted(out, method->example);
    buffer_char(out, '}');
}
