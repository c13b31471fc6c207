/* Manifests as JSON. */
#include "recipe/manifest.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/escape.h"
#include "base/file.h"
#include "base/number_text.h"
#include "io/treatments.h"

/* From one folder to another, both absolute: "../data/". */
static const char *path_between(Work *work, const char *from, const char *to) {
    size_t same = 0, i = 0;
    for (; from[i] && from[i] == to[i]; i++)
        if (from[i] == '/') same = i + 1;
    if ((!from[i] || from[i] == '/') && (!to[i] || to[i] == '/')) same = i + (from[i] && to[i]);
    Buffer path = { 0 };
    for (const char *at = from + same; *at; at++)
        if (*at != '/' && (at[1] == '/' || !at[1])) buffer_text(&path, "../");
    const char *rest = to + same + (to[same] == '/');
    if (*rest) buffer_print(&path, "%s/", rest);
    const char *copy = arena_text(work->arena, buffer_get(&path));
    buffer_free(&path);
    return copy;
}

/* Where the program was run, seen from where the manifest will lie. */
static const char *folder_from(Work *work, const char *path) {
    const char *folder = path_folder(work, path), *between = NULL;
    char *there = realpath(*folder ? folder : ".", NULL), *here = realpath(".", NULL);
    if (there && here) between = path_between(work, there, here);
    free(there);
    free(here);
    return between ? between : "";
}

static void put_value(const Value *value, Buffer *out) {
    if (value->kind == VALUE_REAL) put_json_real(out, value->real);
    else if (value->kind == VALUE_INTEGER) put_json_integer(out, value->integer);
    else put_json_text(out, value->kind == VALUE_TEXT ? value->text : NULL);
}

/* A text that is a number's shortest form is written as that number: it reads back the same. */
static void put_text(const char *text, Buffer *out) {
    double number;
    char shortest[33];
    bool plain = read_real(text, text + strlen(text), '.', &number) && !strcmp(real_text(number, shortest), text);
    if (plain) buffer_text(out, text);
    else put_json_text(out, text);
}

static Status put_param(Work *work, const Given *given, Buffer *out) {
    Status status = OK;
    int64_t count = 0;
    const char **items = NULL;
    put_json_text(out, given->name);
    buffer_text(out, ": ");
    if (!given->list) {
        put_text(given->text, out);
        return OK;
    }
    TRY(args_split(work, given->text, &count, &items));
    buffer_char(out, '[');
    for (int64_t i = 0; i < count; i++) {
        if (i) buffer_text(out, ", ");
        put_text(items[i], out);
    }
    buffer_char(out, ']');
done:
    return status;
}

static void put_values(const Result *result, Buffer *out) {
    buffer_char(out, '{');
    for (int64_t i = 0; i < result->values; i++) {
        if (i) buffer_text(out, ", ");
        put_json_text(out, result->value[i].name);
        buffer_text(out, ": ");
        put_value(&result->value[i], out);
    }
    buffer_char(out, '}');
}

static void put_notes(const Result *result, Buffer *out) {
    buffer_char(out, '[');
    for (int64_t i = 0; i < result->notes; i++) {
        if (i) buffer_text(out, ", ");
        put_json_text(out, result->note[i]);
    }
    buffer_char(out, ']');
}

typedef enum { WAS_GIVEN, BY_ROLE, BY_DEFAULT } Origin;

static Status put_params(Work *work, const Result *result, Origin origin, bool alone, Buffer *out) {
    Status status = OK;
    bool some = false;
    const Method *method = NULL;
    const Param *subject =
        method_need(result->method, &method, NULL) ? NULL : step_subject(method); /* the manifest's input is what fills it */
    buffer_char(out, '{');
    for (int64_t i = 0; i < result->params; i++) {
        const Given *given = &result->param[i];
        if (subject && param_is(subject, given->name)) continue;
        Origin from = given->preset ? BY_DEFAULT : given->role ? BY_ROLE : WAS_GIVEN;
        if (alone && from == BY_ROLE) from = WAS_GIVEN;
        if (given->secret || origin != from) continue;
        if (some) buffer_text(out, ", ");
        some = true;
        TRY(put_param(work, given, out));
    }
    buffer_char(out, '}');
done:
    return status;
}

/* One step: its method, parameters (secret ones left out), values and notes. What roles and defaults filled stands apart, since running the
 * manifest again fills it again; a method that ran alone has no roles in its manifest, so that what they filled counts as given. */
static Status put_step(Work *work, const Result *result, bool alone, Buffer *out) {
    Status status = OK;
    buffer_text(out, "{\"method\": ");
    put_json_text(out, result->method);
    buffer_text(out, ",\n     \"params\": ");
    TRY(put_params(work, result, WAS_GIVEN, alone, out));
    buffer_text(out, ",\n     \"roles\": ");
    TRY(put_params(work, result, BY_ROLE, alone, out));
    buffer_text(out, ",\n     \"defaults\": ");
    TRY(put_params(work, result, BY_DEFAULT, alone, out));
    buffer_text(out, ",\n     \"values\": ");
    put_values(result, out);
    buffer_text(out, ",\n     \"notes\": ");
    put_notes(result, out);
    buffer_char(out, '}');
done:
    return status;
}

/* The hash is the release's alone. One of the confidential input, without a key, would tell anyone who knows all but a few cells of it whether
 * a guess at these is right. */
static Status put_file(const char *path, const char *name, const Table *table, bool hashed, Buffer *out, Error *error) {
    Status status = OK;
    char hash[65] = "";
    if (hashed && file_is_regular(path)) TRY(file_hash(path, hash, error));
    buffer_text(out, "{\"file\": ");
    put_json_text(out, name);
    if (hash[0]) buffer_print(out, ", \"blake2b\": \"%s\"", hash);
    if (table) buffer_print(out, ", \"rows\": %lld, \"columns\": %lld", (long long)table->rows, (long long)table->columns);
    buffer_char(out, '}');
done:
    return status;
}

/* Which columns were changed at random: the others' frequencies still count. */
static void put_altered(const Table *table, Buffer *out) {
    const char *between = "";
    buffer_text(out, ",\n  \"perturbed_columns\": [");
    for (int64_t i = 0; i < table->columns; i++) {
        if (!table->altered[i]) continue;
        buffer_text(out, between);
        put_json_text(out, table->column[i]->name);
        between = ", ";
    }
    buffer_char(out, ']');
}

/* Columns whose values are pseudonyms: they lead to nobody without the key. */
static void put_pseudonyms(const Table *table, Buffer *out) {
    bool any = false;
    for (int64_t i = 0; i < table->columns; i++) {
        if (!table->column[i]->about || !table->column[i]->about->pseudonym) continue;
        buffer_text(out, any ? ", " : ",\n  \"pseudonyms\": [");
        put_json_text(out, table->column[i]->name);
        any = true;
    }
    if (any) buffer_char(out, ']');
}

/* Cells without a value: how many were blanked here, and how many had none before. Only here are they told apart: the release does not. */
static void put_missing(const Table *table, Buffer *out) {
    const char *between = "\n    ";
    buffer_text(out, ",\n  \"missing\": {");
    for (int64_t i = 0; i < table->columns; i++) {
        const Column *column = table->column[i];
        if (!column->missing) continue;
        int64_t suppressed = table->elsewhere ? table->elsewhere[i] : column_suppressed(column);
        buffer_text(out, between);
        put_json_text(out, column->name);
        buffer_print(out, ": {\"suppressed\": %lld, \"before\": %lld}", (long long)suppressed, (long long)(column->missing - suppressed));
        between = ",\n    ";
    }
    buffer_char(out, '}');
}

/* `now` is where the table's bytes are until they are put in their place. */
static Status put_head(Work *work, const char *path, const char *now, const char *input, const Table *table, Buffer *out) {
    Status status = OK;
    const char *slash = strrchr(path, '/');
    buffer_print(out, "{\n  \"schema\": 1,\n  \"version\": \"%s\",\n  \"perturbed\": %s", SCRIM_VERSION,
                 table->perturbed ? "true" : "false");
    if (table->perturbed) put_altered(table, out);
    put_pseudonyms(table, out);
    treatments_put(table, out);
    if (table->reordered) buffer_text(out, ",\n  \"reordered\": true");
    buffer_text(out, ",\n  \"folder\": ");
    put_json_text(out, folder_from(work, path));
    if (input) {
        buffer_text(out, ",\n  \"input\": ");
        TRY(put_file(input, input, NULL, false, out, work->error));
    }
    buffer_text(out, ",\n  \"output\": ");
    TRY(put_file(now, slash ? slash + 1 : path, table, true, out, work->error));
    put_missing(table, out);
done:
    return status;
}

static Status save(Work *work, Transaction *stage, const char *path, Buffer *text) {
    const char *now, *beside = arena_print(work->arena, "%s.manifest.json", path);
    Status status =
        text->failed || !beside ? out_of_memory(work->error) : transaction_path(stage, work->arena, beside, 0077, &now, work->error);
    if (!status) status = transaction_restore_path(work->error, now, beside, file_write(now, text->bytes, text->count, true, work->error));
    buffer_free(text);
    return status;
}

Status manifest_write(Work *work, Transaction *stage, const char *path, const char *now, const Result *result, const Table *table,
                      const Args *args, const Method *method, const CsvOptions *reading) {
    Status status = OK;
    Buffer text = { 0 };
    const Param *subject = step_subject(method);
    const Arg *arg = subject ? args_find(args, subject->name) : NULL;
    TRY(put_head(work, path, now, arg && arg->items ? arg->items[0] : NULL, table, &text));
    read_options_put(reading, ",\n  ", &text);
    buffer_text(&text, ",\n  \"steps\": [\n    ");
    TRY(put_step(work, result, true, &text));
    buffer_text(&text, "\n  ]\n}\n");
    TRY(save(work, stage, path, &text));
done:
    buffer_free(&text);
    return status;
}

Status manifest_write_copy(Work *work, Transaction *stage, const char *path, const char *now, const char *input, const Table *table) {
    Status status = OK;
    Buffer text = { 0 };
    TRY(put_head(work, path, now, input, table, &text));
    buffer_text(&text, ",\n  \"steps\": []\n}\n");
    TRY(save(work, stage, path, &text));
done:
    buffer_free(&text);
    return status;
}

/* method → values, for each result within. */
static void put_measures(const Result *measures, Buffer *out) {
    buffer_char(out, '{');
    for (int64_t i = 0; measures && i < measures->results; i++) {
        buffer_text(out, i ? ",\n      " : "\n      ");
        put_json_text(out, measures->result[i].name);
        buffer_text(out, ": ");
        put_values(measures->result[i].result, out);
    }
    buffer_char(out, '}');
}

static void put_list(int64_t count, const char *const *items, Buffer *out) {
    buffer_char(out, '[');
    for (int64_t i = 0; i < count; i++) {
        if (i) buffer_text(out, ", ");
        put_json_text(out, items[i]);
    }
    buffer_char(out, ']');
}

static void put_roles(const Roles *roles, Buffer *out) {
    buffer_text(out, ",\n  \"roles\": {\"identifiers\": ");
    put_list(roles->identifiers, roles->identifier, out);
    if (roles->others) {
        buffer_text(out, ", \"other\": ");
        put_list(roles->others, roles->other, out);
    }
    for (int64_t i = 0; i < roles->args.count; i++) {
        const Arg *arg = &roles->args.at[i];
        buffer_text(out, ", ");
        put_json_text(out, arg->name);
        buffer_text(out, ": ");
        put_list(arg->count, arg->items, out);
    }
    buffer_char(out, '}');
}

/* The parameters of a policy, as they were written. */
static void put_node(const YamlNode *node, Buffer *out) {
    if (node->kind == YAML_TEXT) {
        if (node->text) put_text(node->text, out);
        else buffer_text(out, "null");
        return;
    }
    buffer_char(out, node->kind == YAML_MAP ? '{' : '[');
    for (int64_t i = 0; i < node->count; i++) {
        if (i) buffer_text(out, ", ");
        if (node->kind == YAML_MAP) {
            put_json_text(out, node->name[i]);
            buffer_text(out, ": ");
        }
        put_node(node->item[i], out);
    }
    buffer_char(out, node->kind == YAML_MAP ? '}' : ']');
}

static void put_policy(const Policy *policy, Buffer *out) {
    buffer_text(out, ",\n  \"policy\": {\"rules\": [");
    for (int64_t i = 0; i < policy->rules; i++) {
        if (i) buffer_text(out, ", ");
        put_json_text(out, policy->rule[i].text);
    }
    buffer_char(out, ']');
    if (policy->title) {
        buffer_text(out, ", \"title\": ");
        put_json_text(out, policy->title);
    }
    if (policy->params) {
        buffer_text(out, ", \"params\": ");
        put_node(policy->params, out);
    }
    if (policy->refuse_residual) buffer_text(out, ", \"residual\": \"refuse\"");
    if (policy->residual_limit != RESIDUAL_LIMIT) {
        buffer_text(out, ", \"residual-limit\": ");
        put_json_real(out, policy->residual_limit);
    }
    buffer_text(out, "},\n  \"rules\": [");
    for (int64_t i = 0; i < policy->rules; i++) {
        const Rule *rule = &policy->rule[i];
        buffer_text(out, i ? ",\n    {\"rule\": " : "\n    {\"rule\": ");
        put_json_text(out, rule->text);
        buffer_print(out, ", \"met\": %s, \"seen\": ", rule->met ? "true" : "false");
        if (rule->seen) put_text(rule->seen, out);
        else put_json_text(out, NULL);
        buffer_char(out, '}');
    }
    buffer_text(out, "\n  ]");
}

Status manifest_write_recipe(Work *work, Transaction *stage, const char *path, const char *now, const Result *result, const Table *table,
                             const Recipe *recipe, const CsvOptions *reading) {
    Status status = OK;
    Buffer text = { 0 };
    const Result *steps = result_within(result, "steps");
    TRY(put_head(work, path, now, recipe->input, table, &text));
    read_options_put(reading, ",\n  ", &text);
    put_roles(&recipe->roles, &text);
    buffer_text(&text, ",\n  \"steps\": [");
    for (int64_t i = 0; steps && i < steps->results; i++) {
        buffer_text(&text, i ? ",\n    " : "\n    ");
        TRY(put_step(work, steps->result[i].result, false, &text));
    }
    buffer_text(&text, "\n  ]");
    if (recipe->has_policy) put_policy(&recipe->policy, &text);
    buffer_text(&text, ",\n  \"risk\": {\"before\": ");
    put_measures(result_within(result, "before"), &text);
    buffer_text(&text, ",\n    \"after\": ");
    put_measures(result_within(result, "after"), &text);
    buffer_text(&text, "},\n  \"utility\": ");
    put_measures(result_within(result, "utility"), &text);
    buffer_text(&text, ",\n  \"notes\": ");
    put_notes(result, &text);
    buffer_text(&text, "\n}\n");
    TRY(save(work, stage, path, &text));
done:
    buffer_free(&text);
    return status;
}
