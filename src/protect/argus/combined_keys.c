/* Keys combined into one column, whose rare categories are folded. */
#include "protect/argus/combined_keys.h"
#include <string.h>
#include "classes/equivalence_class.h"

static bool holds(Columns columns, const Column *column) {
    for (int64_t j = 0; j < columns.count; j++)
        if (!strcmp(columns.at[j]->name, column->name)) return true;
    return false;
}

static bool is_crossed(const Groups *groups, const Column *column) {
    for (int64_t g = 0; g < groups->count; g++)
        if (holds(groups->at[g], column)) return true;
    return false;
}

static Status bad_group(Work *work, const char *what, const char *column) {
    fail(work->error, BAD, "%s", what);
    if (column) error_column(work->error, column);
    return error_parameter(work->error, "cross");
}

static Status check_groups(Work *work, Columns keys, const Groups *groups) {
    Status status = OK;
    for (int64_t g = 0; g < groups->count; g++) {
        Columns group = groups->at[g];
        if (group.count < 2) TRY(bad_group(work, "a group must have two keys or more: \"region,education;sex,age\"", NULL));
        for (int64_t j = 0; j < group.count; j++) {
            if (!holds(keys, group.at[j])) TRY(bad_group(work, "only keys can be combined, and this is not a key", group.at[j]->name));
            for (int64_t h = 0; h <= g; h++)
                for (int64_t i = 0; i < (h < g ? groups->at[h].count : j); i++)
                    if (!strcmp(groups->at[h].at[i]->name, group.at[j]->name)) TRY(bad_group(work, "is named twice", group.at[j]->name));
        }
    }
done:
    return status;
}

/* "north.primary", or the columns' names joined likewise (row < 0). */
static const char *joined(Work *work, Columns group, int64_t row) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t j = 0; j < group.count; j++)
        buffer_print(&text, "%s%s", j ? "." : "", row < 0 ? group.at[j]->name : column_cell(group.at[j], row, number));
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

static Status cross_group(Work *work, const Table *data, Columns group, int64_t k, Crossed *out, Column **made) {
    Status status = OK;
    Classes classes;
    const char **word = NULL, **cells = NULL;
    const char *name = joined(work, group, -1);
    if (!name) TRY(out_of_memory(work->error));
    if (table_column(data, name)) TRY(bad_group(work, "the combined column would have the name of an existing one", name));
    TRY(classes_make(work, group, &classes));
    NEW(work, word, classes.count + 1);
    NEW(work, cells, data->rows + 1);
    for (int64_t c = 0; c < classes.count; c++) {
        int64_t row = classes.first[c];
        bool lacks = false;
        for (int64_t j = 0; j < group.count; j++) lacks |= column_missing(group.at[j], row);
        if (lacks) continue;
        bool rare = classes.size[c] < k;
        out->categories++;
        out->folded += rare;
        word[c] = rare ? "other" : joined(work, group, row);
        if (!word[c]) TRY(out_of_memory(work->error));
    }
    for (int64_t i = 0; i < data->rows; i++) cells[i] = word[classes.of[i]];
    TRY(column_category(name, cells, data->rows, made, work->error));
done:
    return status;
}

Status combined_keys(Work *work, const Table *data, Columns keys, const Groups *groups, int64_t k, Crossed *out) {
    Status status = OK;
    Column **made = NULL;
    const char **gone = NULL;
    Table *wider = NULL;
    int64_t lost = 0;
    *out = (Crossed){ 0 };
    TRY(check_groups(work, keys, groups));
    NEW(work, made, groups->count + 1);
    NEW(work, gone, keys.count + 1);
    NEW(work, out->keys.at, keys.count + 1);
    for (int64_t j = 0; j < keys.count; j++)
        if (is_crossed(groups, keys.at[j])) gone[lost++] = keys.at[j]->name;
    for (int64_t g = 0; g < groups->count; g++) TRY(cross_group(work, data, groups->at[g], k, out, &made[g]));
    TRY(table_with(data, made, groups->count, &wider, work->error));
    TRY(table_without(wider, gone, lost, &out->data, work->error));
    for (int64_t j = 0; j < keys.count; j++)
        if (!is_crossed(groups, keys.at[j])) out->keys.at[out->keys.count++] = table_column(out->data, keys.at[j]->name);
    out->plain = out->keys.count;
    for (int64_t g = 0; g < groups->count; g++) out->keys.at[out->keys.count++] = table_column(out->data, made[g]->name);
done:
    for (int64_t g = 0; made && g < groups->count; g++) column_release(made[g]);
    table_release(wider);
    return status;
}
