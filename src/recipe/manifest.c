/* Manifests as JSON. */
#include "recipe/manifest.h"
#include <stdlib.h>
#include <string.h>
#include "base/file.h"

static json_t *params_json(const Result *result) {
    json_t *params = json_object();
    for (int64_t i = 0; i < result->params; i++)
        if (!result->param[i].secret) json_object_set_new(params, result->param[i].name, json_string(result->param[i].text));
    return params;
}

static json_t *value_json(const Value *value) {
    if (value->kind == VALUE_REAL) return json_real(value->real);
    if (value->kind == VALUE_INTEGER) return json_integer(value->integer);
    return value->kind == VALUE_TEXT ? json_string(value->text) : json_null();
}

json_t *manifest_step(const Result *result) {
    json_t *values = json_object(), *notes = json_array();
    for (int64_t i = 0; i < result->values; i++) json_object_set_new(values, result->value[i].name, value_json(&result->value[i]));
    for (int64_t i = 0; i < result->notes; i++) json_array_append_new(notes, json_string(result->note[i]));
    return json_pack("{s:s, s:o, s:o, s:o}", "method", result->method, "params", params_json(result), "values", values, "notes", notes);
}

static json_t *inputs_json(const Method *method, const Args *args) {
    json_t *inputs = json_array();
    char hash[65];
    for (const Param *p = method->params; p && p->kind; p++) {
        const Arg *arg = p->kind == KIND_TABLE ? args_find(args, p->name) : NULL;
        if (!arg || !arg->items || !strcmp(arg->items[0], "-")) continue;
        if (!file_hash(arg->items[0], hash, NULL)) json_array_append_new(inputs, json_pack("{s:s, s:s}", "file", arg->items[0], "blake2b", hash));
    }
    return inputs;
}

Status manifest_write(Work *work, const char *path, const Result *result, const Table *table, const Args *args, const Method *method) {
    Status status = OK;
    char hash[65];
    json_t *root = NULL;
    char *text = NULL;
    TRY(file_hash(path, hash, work->error));
    root = json_pack("{s:i, s:s, s:b, s:o, s:[o], s:{s:s, s:s, s:I, s:I}}", "schema", 1, "version", SCRIM_VERSION, "perturbed", (int)table->perturbed, "inputs",
                     inputs_json(method, args), "steps", manifest_step(result), "output", "file", path, "blake2b", hash, "rows", (json_int_t)table->rows, "columns",
                     (json_int_t)table->columns);
    text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    char *beside = arena_print(work->arena, "%s.manifest.json", path);
    if (!text || !beside) TRY(fail(work->error, FAILED, "out of memory"));
    TRY(file_write(beside, text, strlen(text), true, work->error));
done:
    json_decref(root);
    free(text);
    return status;
}
