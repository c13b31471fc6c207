/* Results across the edge. */
#include <string.h>
#include "api/api.h"
#include "base/elementary.h"
#include "render/render.h"

int64_t scrim_result_values(const scrim_result *result) { return api_result(result)->values; }

const char *scrim_result_value_name(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return index < 0 || index >= r->values ? NULL : r->value[index].name;
}

double scrim_result_number(const scrim_result *result, const char *name) {
    const Value *value = result_find(api_result(result), name);
    if (value && value->kind == VALUE_REAL) return value->real;
    return value && value->kind == VALUE_INTEGER ? (double)value->integer : NAN;
}

const char *scrim_result_text(const scrim_result *result, const char *name) {
    const Value *value = result_find(api_result(result), name);
    return value && value->kind == VALUE_TEXT ? value->text : NULL;
}

int64_t scrim_result_outputs(const scrim_result *result) { return api_result(result)->outputs; }

scrim_table *scrim_result_output(const scrim_result *result, int64_t index) {
    const Result *r = api_result(result);
    return index < 0 || index >= r->outputs ? NULL : (scrim_table *)table_retain(r->output[index]);
}

scrim_table *scrim_result_table(const scrim_result *result, const char *name) {
    return (scrim_table *)table_retain(result_find_table(api_result(result), name));
}

scrim_status scrim_result_render(const scrim_result *result, const char *format, char **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Status status = OK;
    Buffer text = { 0 };
    *out = NULL;
    const Result *r = api_result(result);
    if (!strcmp(format, "json")) render_json(r, &text);
    else if (!strcmp(format, "csv")) render_csv(r, &text);
    else if (!strcmp(format, "html")) render_html(r, NULL, &text);
    else if (!strcmp(format, "text")) render_text(r, 80, false, &text);
    else status = fail(&local, BAD, "there is no format '%s': text, json, csv and html are", format);
    if (!status && !(*out = strdup(buffer_get(&text)))) status = fail(&local, FAILED, "out of memory");
    buffer_free(&text);
    return api_error(status, &local, error);
}

void scrim_result_free(scrim_result *result) { result_free(api_result(result)); }
