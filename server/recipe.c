/* The recipe as a file that `scrim run` reads: YAML, in the tone of those that people write. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "bench.h"
#include "registry.h"

/* Words that need no quotes: a letter first, and nothing that YAML would read otherwise. */
static bool is_bare(const char *text) {
    static const char *const taken[] = { "true", "false", "null", "yes", "no", "on", "off", "y", "n" };
    if (!isalpha((unsigned char)text[0])) return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c)) return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!strcasecmp(taken[i], text)) return false;
    return true;
}

static void put_text(Buffer *out, const char *text) {
    if (is_bare(text)) {
        buffer_text(out, text);
        return;
    }
    buffer_char(out, '"'); /* as JSON, which is YAML */
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') buffer_print(out, "\\%c", *c);
        else if (*c == '\n') buffer_text(out, "\\n");
        else if (*c < 32) buffer_print(out, "\\u%04x", *c);
        else buffer_char(out, (char)*c);
    }
    buffer_char(out, '"');
}

static void put_value(Buffer *out, const json_t *value) {
    char number[33];
    const char *name;
    json_t *item;
    size_t i;
    bool first = true;
    if (json_is_string(value)) put_text(out, json_string_value(value));
    else if (json_is_integer(value)) buffer_print(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value)) buffer_text(out, number_text(json_real_value(value), number));
    else if (json_is_boolean(value)) buffer_text(out, json_is_true(value) ? "true" : "false");
    else if (json_is_array(value)) {
        buffer_char(out, '[');
        json_array_foreach (value, i, item) {
            if (i) buffer_text(out, ", ");
            put_value(out, item);
        }
        buffer_char(out, ']');
    } else if (json_is_object(value)) {
        buffer_char(out, '{');
        json_object_foreach ((json_t *)(uintptr_t)value, name, item) {
            if (!first) buffer_text(out, ", ");
            first = false;
            put_text(out, name);
            buffer_text(out, ": ");
            put_value(out, item);
        }
        buffer_char(out, '}');
    } else buffer_text(out, "null");
}

static void put_member(Buffer *out, const char *indent, const char *name, const json_t *value) {
    buffer_text(out, indent);
    put_text(out, name);
    buffer_text(out, ": ");
    put_value(out, value);
    buffer_char(out, '\n');
}

static void put_roles(Buffer *out, const json_t *roles) {
    const char *name;
    json_t *value;
    if (!json_object_size(roles)) return;
    buffer_text(out, "roles:\n");
    json_object_foreach ((json_t *)(uintptr_t)roles, name, value) put_member(out, "  ", name, value);
}

static void put_steps(Buffer *out, const json_t *steps) {
    size_t i;
    json_t *step;
    int64_t count = 0;
    json_array_foreach (steps, i, step) count += !json_is_true(json_object_get(step, "off"));
    buffer_text(out, count ? "steps:\n" : "steps: []\n");
    json_array_foreach (steps, i, step) {
        const json_t *params = json_object_get(step, "params");
        if (json_is_true(json_object_get(step, "off"))) continue;
        buffer_print(out, "  - %s", json_string_value(json_object_get(step, "method")));
        if (json_object_size(params)) {
            buffer_text(out, ": ");
            put_value(out, params);
        }
        buffer_char(out, '\n');
    }
}

static void put_policy(Buffer *out, const json_t *policy) {
    const char *name;
    json_t *value, *item;
    size_t i;
    if (json_is_string(policy)) put_member(out, "", "policy", policy);
    if (!json_is_object(policy)) return;
    buffer_text(out, "policy:\n");
    json_object_foreach ((json_t *)(uintptr_t)policy, name, value) {
        if (strcmp(name, "rules")) {
            put_member(out, "  ", name, value);
            continue;
        }
        buffer_text(out, "  rules:\n");
        json_array_foreach (value, i, item) {
            buffer_text(out, "    - ");
            put_value(out, item);
            buffer_char(out, '\n');
        }
    }
}

const char *released_name(const char *name, char out[256]) {
    const char *dot = strrchr(name, '.');
    int stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    bool writable = dot && (!strcmp(dot, ".csv") || !strcmp(dot, ".tsv") || !strcmp(dot, ".sav") || !strcmp(dot, ".dta"));
    if (strchr(name, '/') || strchr(name, ':')) return strcpy(out, "released.csv");
    snprintf(out, 256, "%.*s-released%s", stem > 200 ? 200 : stem, name, writable ? dot : ".csv");
    return out;
}

static void put_list(Buffer *out, const char *name, int64_t count, const char *const *items) {
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++) json_array_append_new(list, json_string(items[i]));
    if (count) put_member(out, "  ", name, list);
    json_decref(list);
}

static void put_word(Buffer *out, const char *name, const char *text) {
    json_t *value = text && *text ? json_string(text) : NULL;
    if (value) put_member(out, "  ", name, value);
    json_decref(value);
}

/* How the file was read, where it was said: the recipe reads it the same way. */
static void put_reading(Buffer *out, const scrim_reading *r) {
    if (!r->separator && !r->decimal && !r->na_count && !r->type_count && !r->encoding && !r->sheet && !r->codes) return;
    buffer_text(out, "reading:\n");
    put_word(out, "separator", (char[]){ r->separator, 0 });
    put_word(out, "decimal", (char[]){ r->decimal, 0 });
    put_list(out, "na", r->na_count, r->na);
    put_list(out, "types", r->type_count, r->types);
    put_word(out, "encoding", r->encoding);
    put_word(out, "sheet", r->sheet);
    if (r->codes) buffer_text(out, "  codes: true\n");
}

void recipe_write(const Snapshot *s, Buffer *out) {
    char name[256];
    const char *input = s->lent[0].name;
    buffer_print(out, "# Made with scrim serve. Beside %s: scrim run recipe.yaml\ninput: ", input);
    put_text(out, input);
    buffer_char(out, '\n');
    put_reading(out, &s->bench->reading);
    put_roles(out, json_object_get(s->recipe, "roles"));
    put_steps(out, json_object_get(s->recipe, "steps"));
    put_policy(out, json_object_get(s->recipe, "policy"));
    buffer_text(out, "output: ");
    put_text(out, released_name(input, name));
    buffer_text(out, "\nreport: report.html\n");
}
