/* Reading options from a tree, and back. */
#include "recipe/read_options.h"
#include <stdio.h>
#include <string.h>
#include "base/escape.h"

static Status one_character(Work *work, const YamlNode *node, const char *what, char *out) {
    Status status = OK;
    const char *text;
    TRY(yaml_need_text(work, node, what, &text));
    if (!strcmp(text, "tab") || !strcmp(text, "\\t")) text = "\t";
    if (strlen(text) != 1) TRY(yaml_fail(work, node, "%s must be one character", what));
    *out = *text;
done:
    return status;
}

/* {income: real} as "income:real", or the list of such texts. */
static Status read_types(Work *work, const YamlNode *node, CsvOptions *out) {
    Status status = OK;
    if (node->kind != YAML_MAP) return node_texts(work, node, "types", &out->type_count, &out->types);
    out->types = NULL;
    NEW(work, out->types, node->count + 1);
    for (out->type_count = 0; out->type_count < node->count; out->type_count++) {
        const char *type;
        TRY(yaml_need_text(work, node->item[out->type_count], "a type", &type));
        out->types[out->type_count] = arena_print(work->arena, "%s:%s", node->name[out->type_count], type);
        if (!out->types[out->type_count]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

static Status read_truth(Work *work, const YamlNode *node, const char *name, bool *out) {
    Status status = OK;
    const char *text;
    TRY(yaml_need_text(work, node, name, &text));
    *out = !strcmp(text, "true");
    if (!*out && strcmp(text, "false")) TRY(yaml_fail(work, node, "%s must be true or false", name));
done:
    return status;
}

Status read_options_make(Work *work, const CsvOptions *caller, const YamlNode *node, CsvOptions *out) {
    Status status = OK;
    const YamlNode *at;
    *out = caller ? *caller : (CsvOptions){ .decimal = '.', .threads = work->threads };
    if (!node) return OK;
    TRY(yaml_need_kind(work, node, YAML_MAP, "reading"));
    TRY(yaml_known(work, node, "reading",
                   (const char *const[]){ "na", "decimal", "separator", "types", "encoding", "sheet", "codes", "spreadsheet-safe", NULL }));
    if ((at = yaml_find(node, "na"))) TRY(node_texts(work, at, "na", &out->na_count, &out->na));
    if ((at = yaml_find(node, "decimal"))) TRY(one_character(work, at, "decimal", &out->decimal));
    if ((at = yaml_find(node, "separator"))) TRY(one_character(work, at, "separator", &out->separator));
    if ((at = yaml_find(node, "types"))) TRY(read_types(work, at, out));
    if ((at = yaml_find(node, "encoding"))) TRY(yaml_need_text(work, at, "encoding", &out->encoding));
    if ((at = yaml_find(node, "sheet"))) TRY(yaml_need_text(work, at, "sheet", &out->sheet));
    if ((at = yaml_find(node, "codes"))) TRY(read_truth(work, at, "codes", &out->codes));
    if ((at = yaml_find(node, "spreadsheet-safe"))) TRY(read_truth(work, at, "spreadsheet-safe", &out->spreadsheet_safe));
done:
    return status;
}

static void put_name(const char *name, bool *some, Buffer *out) {
    buffer_text(out, *some ? ", " : "");
    put_json_text(out, name);
    buffer_text(out, ": ");
    *some = true;
}

static void put_character(const char *name, char value, bool *some, Buffer *out) {
    put_name(name, some, out);
    put_json_text(out, (const char[]){ value, 0 });
}

static void put_texts(const char *name, int64_t count, const char *const *items, bool *some, Buffer *out) {
    put_name(name, some, out);
    for (int64_t i = 0; i < count; i++) {
        buffer_text(out, i ? ", " : "[");
        put_json_text(out, items[i]);
    }
    buffer_char(out, ']');
}

void read_options_put(const CsvOptions *r, const char *lead, Buffer *out) {
    bool some = false;
    if (!r || !(r->na_count || r->type_count || r->separator || (r->decimal && r->decimal != '.') || r->encoding || r->sheet || r->codes ||
                r->spreadsheet_safe))
        return;
    buffer_text(out, lead);
    buffer_text(out, "\"reading\": {");
    if (r->na_count) put_texts("na", r->na_count, r->na, &some, out);
    if (r->decimal && r->decimal != '.') put_character("decimal", r->decimal, &some, out);
    if (r->separator) put_character("separator", r->separator, &some, out);
    if (r->type_count) put_texts("types", r->type_count, r->types, &some, out);
    if (r->encoding) {
        put_name("encoding", &some, out);
        put_json_text(out, r->encoding);
    }
    if (r->sheet) {
        put_name("sheet", &some, out);
        put_json_text(out, r->sheet);
    }
    if (r->codes) {
        put_name("codes", &some, out);
        buffer_text(out, "true");
    }
    if (r->spreadsheet_safe) {
        put_name("spreadsheet-safe", &some, out);
        buffer_text(out, "true");
    }
    buffer_char(out, '}');
}
