/* What may be asked over HTTP, read off the declaration of release.query, and described as OpenAPI. */
#include <math.h>
#include <string.h>
#include "queries.h"
#include "registry.h"

/* Not the analyst's to say: what is counted where and for whom, which account pays, who a person is, what is public, what is for the
 * steward's eyes, and files. */
static bool is_stewards(const Param *p) {
    static const char *const names[] = { "data",        "analyst", "no-ledger", "insecure-reproducible",
                                         "show-scales", "account", "person",    "max-records" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(p->name, names[i])) return true;
    return p->kind == KIND_TABLE || p->kind == KIND_TABLES || p->kind == KIND_LEDGER || p->kind == KIND_SCHEMA;
}

bool may_ask(const char *parameter) {
    const Param *p = method_param(method_named("release.query"), parameter);
    return p && !is_stewards(p);
}

bool is_flag(const char *parameter) {
    const Param *p = method_param(method_named("release.query"), parameter);
    return p && p->kind == KIND_FLAG;
}

static json_t *type_of(const Param *p) {
    json_t *type = json_object();
    const char *name = p->kind == KIND_INT ? "integer" : p->kind == KIND_REAL ? "number" : p->kind == KIND_FLAG ? "boolean" : "string";
    bool list = p->kind == KIND_COLUMNS || p->kind == KIND_TEXTS || p->kind == KIND_PAIRS || p->kind == KIND_REALS;
    if (list) {
        json_object_set_new(type, "type", json_string("array"));
        json_object_set_new(type, "items", json_pack("{s:s}", "type", p->kind == KIND_REALS ? "number" : "string"));
    } else json_object_set_new(type, "type", json_string(name));
    if (p->kind == KIND_CHOICE) {
        json_t *words = json_array();
        for (int i = 0; p->words[i]; i++) json_array_append_new(words, json_string(p->words[i]));
        json_object_set_new(type, "enum", words);
    }
    if (p->least < p->most && isfinite(p->least))
        json_object_set_new(type, p->flags & EXCLUSIVE ? "exclusiveMinimum" : "minimum", json_real(p->least));
    if (p->least < p->most && isfinite(p->most)) json_object_set_new(type, "maximum", json_real(p->most));
    if (p->preset && p->kind != KIND_FLAG) json_object_set_new(type, "default", json_string(p->preset));
    json_object_set_new(type, "description", json_string(p->help));
    return type;
}

static json_t *question(const Queries *queries) {
    json_t *properties = json_object(), *names = json_array();
    for (size_t i = 0; i < queries->data_count; i++) json_array_append_new(names, json_string(queries->data[i].name));
    json_object_set_new(
        properties, "data",
        json_pack("{s:s, s:o, s:s}", "type", "string", "enum", names, "description", "The data set; optional if there is only one"));
    for (const Param *p = method_named("release.query")->params; p->kind; p++)
        if (p->kind < RULE_ONE_OF && !is_stewards(p)) json_object_set_new(properties, p->name, type_of(p));
    return json_pack("{s:s, s:o, s:[s], s:b}", "type", "object", "properties", properties, "required", "query", "additionalProperties", 0);
}

static json_t *response(const char *text, const char *schema) {
    return json_pack("{s:s, s:{s:{s:{s:s}}}}", "description", text, "content", "application/json", "schema", "$ref", schema);
}

static json_t *asking(void) {
    json_t *responses =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "200",
                  response("The answer, exactly as `scrim release --format json` prints it", "#/components/schemas/Answer"), "400",
                  response("The query is invalid", "#/components/schemas/Error"), "401",
                  response("The token is missing or unknown", "#/components/schemas/Error"), "403",
                  response("The remaining budget of the ledger is too small", "#/components/schemas/Error"), "500",
                  response("The query failed. Repeat it with the same request id: it is charged once", "#/components/schemas/Error"), "503",
                  response("The query exceeded the time limit. Repeat it with the same request id: it is charged once",
                           "#/components/schemas/Error"));
    return json_pack(
        "{s:{s:s, s:{s:b, s:{s:{s:{s:s}}}}, s:o}}", "post", "summary",
        "A noisy statistic with its guarantee. The ledger is charged before the noise is drawn, and not again for a repeated query",
        "requestBody", "required", 1, "content", "application/json", "schema", "$ref", "#/components/schemas/Question", "responses",
        responses);
}

static json_t *getting(const char *summary, const char *schema) {
    return json_pack("{s:{s:s, s:{s:o}}}", "get", "summary", summary, "responses", "200", response(summary, schema));
}

json_t *openapi(const Queries *queries) {
    json_t *paths = json_pack("{s:o, s:o}", "/v1/query", asking(), "/v1/budget",
                              getting("Remaining budget of the analyst in the ledger", "#/components/schemas/Budget"));
    json_t *schemas = json_pack("{s:o, s:{s:s, s:s}, s:{s:s}, s:{s:s, s:{s:{s:s, s:{s:{s:s}, s:{s:s}, s:{s:s}}}}}}", "Question",
                                question(queries), "Answer", "type", "object", "description",
                                "schema, method, version, params, values, tables, charts, notes, results, outputs", "Budget", "type",
                                "object", "Error", "type", "object", "properties", "error", "type", "object", "properties", "message",
                                "type", "string", "parameter", "type", "string", "advice", "type", "string");
    return json_pack("{s:s, s:{s:s, s:s, s:s}, s:o, s:{s:o, s:{s:{s:s, s:s}}}, s:[{s:[]}]}", "openapi", "3.1.0", "info", "title",
                     "scrim query server", "version", scrim_version(), "description",
                     "Noisy statistics of confidential data, each with a guarantee, charged to a ledger", "paths", paths, "components",
                     "schemas", schemas, "securitySchemes", "token", "type", "http", "scheme", "bearer", "security", "token");
}
