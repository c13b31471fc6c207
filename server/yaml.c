/* A recipe's YAML as JSON, so that the page can take its steps over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "bench.h"

enum { DEEPEST = 20, MOST_NODES = 100000 }; /* an alias may stand for itself many times over */

/* Plain words are numbers, true and false where they look so; what is quoted is text. */
static json_t *scalar(const yaml_node_t *node) {
    const char *text = (const char *)node->data.scalar.value;
    char *end;
    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return json_string(text);
    if (!strcmp(text, "true") || !strcmp(text, "false")) return json_boolean(text[0] == 't');
    if (!*text || !strcmp(text, "null") || !strcmp(text, "~")) return json_null();
    char again[32];
    snprintf(again, sizeof again, "%lld", strtoll(text, NULL, 10));
    if (!strcmp(again, text)) return json_integer(strtoll(text, NULL, 10));
    double real = strtod(text, &end);
    bool padded = text[0] == '0' && text[1] != '.'; /* 01 is a code, and stays what it is */
    bool looks = strspn(text, "0123456789+-.eE") == strlen(text) && strpbrk(text, ".eE") && !padded;
    return looks && !*end ? json_real(real) : json_string(text);
}

static json_t *convert(yaml_document_t *document, const yaml_node_t *node, int depth, int *left) {
    if (!node || depth > DEEPEST || --*left < 0) return NULL;
    if (node->type == YAML_SCALAR_NODE) return scalar(node);
    json_t *out = node->type == YAML_SEQUENCE_NODE ? json_array() : json_object();
    if (node->type == YAML_SEQUENCE_NODE)
        for (const yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++)
            json_array_append_new(out, convert(document, yaml_document_get_node(document, *i), depth + 1, left));
    else
        for (const yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
            const yaml_node_t *name = yaml_document_get_node(document, p->key);
            if (name && name->type == YAML_SCALAR_NODE)
                json_object_set_new(out, (const char *)name->data.scalar.value,
                                    convert(document, yaml_document_get_node(document, p->value), depth + 1, left));
        }
    return out;
}

static json_t *load(const char *bytes, size_t count) {
    yaml_parser_t parser;
    yaml_document_t document;
    json_t *out = NULL;
    if (!yaml_parser_initialize(&parser)) return NULL;
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, count);
    if (yaml_parser_load(&parser, &document)) {
        int left = MOST_NODES;
        out = convert(&document, yaml_document_get_root_node(&document), 0, &left);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return out;
}

/* "- protect.suppress: {k: 3}", "- protect.suppress", or a manifest's {"method", "params"}. */
static json_t *step_of(const json_t *item) {
    const char *name = json_string_value(item);
    json_t *params = NULL;
    if (json_is_object(item) && json_object_get(item, "method")) {
        name = json_string_value(json_object_get(item, "method"));
        params = json_object_get(item, "params");
    } else if (json_is_object(item) && json_object_size(item) == 1) {
        void *only = json_object_iter((json_t *)(uintptr_t)item);
        name = json_object_iter_key(only);
        params = json_object_iter_value(only);
    }
    if (!name) return NULL;
    return json_pack("{s:s, s:o}", "method", name, "params", json_is_object(params) ? json_deep_copy(params) : json_object());
}

json_t *recipe_read(const char *bytes, size_t count) {
    json_t *file = load(bytes, count), *out = NULL, *steps = json_array(), *item;
    const json_t *roles = json_object_get(file, "roles"), *policy = json_object_get(file, "policy");
    size_t i;
    json_array_foreach (json_object_get(file, "steps"), i, item) {
        json_t *step = step_of(item);
        if (step) json_array_append_new(steps, step);
    }
    if (json_is_object(file) && json_is_array(json_object_get(file, "steps"))) {
        out = json_pack("{s:O}", "steps", steps);
        if (json_is_object(roles)) json_object_set(out, "roles", (json_t *)(uintptr_t)roles);
        if (json_is_object(policy) || json_is_string(policy)) json_object_set(out, "policy", (json_t *)(uintptr_t)policy);
    }
    json_decref(steps);
    json_decref(file);
    return out;
}
