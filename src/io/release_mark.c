/* Marks of releases: in databases, and as manifests say. */
#include "io/release_mark.h"
#include <string.h>
#include "base/escape.h"
#include "base/json_memory.h"

/* Inside a comment of SQL a slash might end it: JSON writes it as well with a backslash before it. */
static void put_name(Buffer *out, const char *name) {
    Buffer text = { 0 };
    put_json_text(&text, name);
    for (const char *c = buffer_get(&text); *c; c++) {
        if (*c == '/') buffer_char(out, '\\');
        buffer_char(out, *c);
    }
    out->failed |= text.failed;
    buffer_free(&text);
}

Status release_mark_text(Work *work, const Table *table, const char **out) {
    Buffer text = { 0 };
    bool first = true;
    *out = NULL;
    if (!table->released && !table->perturbed) return OK;
    buffer_print(&text, MARK_START ", \"perturbed\": %s", table->perturbed ? "true, \"perturbed_columns\": [" : "false");
    for (int64_t i = 0; table->perturbed && i < table->columns; i++) {
        if (!table->altered[i]) continue;
        if (!first) buffer_text(&text, ", ");
        put_name(&text, table->column[i]->name);
        first = false;
    }
    buffer_print(&text, "%s%s}", table->perturbed ? "]" : "", table->reordered ? ", \"reordered\": true" : "");
    if (!text.failed) *out = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return *out ? OK : out_of_memory(work->error);
}

/* "perturbed_columns" names the columns that were changed at random. Without such a list, or with a name that the table lacks, all were: it
 * would be unsafe to think that a renamed one was not. */
static void mark_perturbed(Table *table, const json_t *columns) {
    const json_t *name;
    size_t i;
    bool known = json_is_array(columns);
    json_array_foreach (columns, i, name) known &= json_is_string(name) && table_find(table, json_string_value(name)) >= 0;
    if (!known) {
        table_perturb(table, NULL);
        return;
    }
    table->perturbed = true;
    json_array_foreach (columns, i, name) table_perturb(table, json_string_value(name));
}

/* The file is just read: no other person has its columns yet. A name that the table lacks tells nothing. */
static void mark_pseudonyms(Table *table, const json_t *columns) {
    const json_t *name;
    size_t i;
    json_array_foreach (columns, i, name) {
        int64_t j = json_is_string(name) ? table_find(table, json_string_value(name)) : -1;
        Column *column = j < 0 ? NULL : (Column *)(uintptr_t)table->column[j];
        if (column && !column->about) column->about = metadata_new();
        if (column && column->about) column->about->pseudonym = true;
    }
}

void release_mark_of(Table *table, const json_t *root, bool whole) {
    table->released = true;
    table->reordered = json_is_true(json_object_get(root, "reordered"));
    if (whole) mark_pseudonyms(table, json_object_get(root, "pseudonyms"));
    if (json_is_true(json_object_get(root, "perturbed"))) mark_perturbed(table, whole ? json_object_get(root, "perturbed_columns") : NULL);
}

Status release_mark_apply(Work *work, const char *mark, size_t length, bool whole, Table *table) {
    json_error_t problem;
    json_memory();
    json_t *root = json_loadb(mark, length, 0, &problem);
    if (!root) {
        fail(work->error, BAD, "the mark of a release on this table is not JSON: %s", problem.text);
        error_advice(work->error, "Someone changed it. Write the table again, or remove the mark if it is no release.");
        return error_file(work->error, table->name ? table->name : "");
    }
    release_mark_of(table, root, whole);
    json_decref(root);
    return OK;
}
