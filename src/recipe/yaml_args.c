/* A tree's values: checked names, texts, and arguments for the binder. */
#include <stdio.h>
#include <string.h>
#include "recipe/yaml_args.h"

/* "a, b": the space after a comma is not part of a name. */
static Status split_trimmed(Work *work, const char *text, int64_t *count, const char ***items) {
    Status status = OK;
    TRY(args_split(work, text, count, items));
    for (int64_t i = 0; i < *count; i++) {
        const char *from = (*items)[i] + strspn((*items)[i], " ");
        size_t length = strlen(from);
        while (length && from[length - 1] == ' ') length--;
        (*items)[i] = arena_print(work->arena, "%.*s", (int)length, from);
        if (!(*items)[i]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

Status node_texts(Work *work, const YamlNode *node, const char *what, int64_t *count, const char ***items) {
    Status status = OK;
    if (node->kind == YAML_TEXT && node->text) return split_trimmed(work, node->text, count, items);
    TRY(yaml_need_kind(work, node, YAML_LIST, what));
    NEW(work, *items, node->count + 1);
    for (*count = 0; *count < node->count; ++*count) TRY(yaml_need_text(work, node->item[*count], what, &(*items)[*count]));
done:
    return status;
}

/* [[a, b], [c]] as "a,b" and "c"; {x: [0, 9]} as "x:0:9"; the separator is the kind's. */
static Status joined(Work *work, const char *name, const YamlNode *node, char separator, const char **out) {
    Buffer text = { 0 };
    if (name) buffer_text(&text, name);
    for (int64_t i = 0; i < (node->kind == YAML_TEXT ? 1 : node->count); i++) {
        const YamlNode *item = node->kind == YAML_TEXT ? node : node->item[i];
        if (item->kind != YAML_TEXT || !item->text) {
            buffer_free(&text);
            return yaml_fail(work, item, "must be one text");
        }
        if (name || i) buffer_char(&text, separator);
        buffer_text(&text, item->text);
    }
    *out = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return *out ? OK : out_of_memory(work->error);
}

Status node_pairs(Work *work, const YamlNode *map, int64_t *count, const char *const **items) {
    Status status = OK;
    const char **list = NULL;
    *count = 0;
    NEW(work, list, map->count + 1);
    for (; *count < map->count; ++*count) TRY(joined(work, map->name[*count], map->item[*count], ':', &list[*count]));
    *items = list;
done:
    return status;
}

static Status one_arg(Work *work, const YamlNode *node, const Param *param, Arg *out) {
    Status status = OK;
    char name[64];
    param_dashed(param, name);
    *out = (Arg){ .name = param->name };
    const char **items = NULL;
    if (node->kind == YAML_TEXT && !kind_is_list(param->kind)) {
        NEW(work, items, 1);
        items[0] = node->text;
        out->count = 1;
    } else if ((node->kind == YAML_MAP && param->kind == KIND_PAIRS) || (node->kind == YAML_LIST && param->kind == KIND_GROUPS)) {
        NEW(work, items, node->count + 1);
        for (; out->count < node->count; out->count++)
            TRY(joined(work, node->kind == YAML_MAP ? node->name[out->count] : NULL, node->item[out->count],
                       node->kind == YAML_MAP ? ':' : ',', &items[out->count]));
    } else TRY(node_texts(work, node, name, &out->count, &items));
    out->items = items;
done:
    return status;
}

static Status no_such_param(Work *work, const YamlNode *map, int64_t i, const Method *method) {
    const char *names[128];
    char dashed[128][64], what[160];
    size_t count = 0;
    for (const Param *p = method->params; p && p->kind && count < 120; p++)
        if (p->kind < RULE_ONE_OF) {
            param_dashed(p, dashed[count]);
            names[count] = dashed[count];
            count++;
        }
    for (const Param *p = common_params; p->kind; p++) {
        param_dashed(p, dashed[count]);
        names[count] = dashed[count];
        count++;
    }
    snprintf(what, sizeof what, "%s.%s", method->group, method->name);
    return yaml_unknown(work, map, i, what, names, count);
}

Status node_args(Work *work, const YamlNode *map, const Method *method, Args *out) {
    Status status = OK;
    Arg *list = NULL;
    int64_t count = 0;
    *out = (Args){ 0 };
    if (!map || (map->kind == YAML_TEXT && !map->text)) return OK;
    TRY(yaml_need_kind(work, map, YAML_MAP, method->name));
    NEW(work, list, map->count + 1);
    for (int64_t i = 0; i < map->count; i++) {
        const Param *param = method_param(method, map->name[i]);
        const YamlNode *item = map->item[i];
        if (!param) TRY(no_such_param(work, map, i, method));
        if (item->kind == YAML_TEXT && !item->text) continue; /* null: as if not there */
        if (param->kind == KIND_FLAG && item->kind == YAML_TEXT && !strcmp(item->text, "false")) continue;
        if (param->kind == KIND_FLAG && (item->kind != YAML_TEXT || strcmp(item->text, "true")))
            TRY(yaml_fail(work, item, "%s is true or false", map->name[i]));
        TRY(one_arg(work, item, param, &list[count++]));
    }
    *out = (Args){ count, list };
done:
    return status;
}

Status node_place(Work *work, const YamlNode *map, Status status) {
    Error *error = work->error;
    if (!status || !map || error->line >= 0 || (error->file[0] && !error->parameter[0])) return status; /* it has a place already */
    const YamlNode *there = error->parameter[0] ? yaml_find(map, error->parameter) : NULL;
    if (error->file[0]) { /* the table that lacks a column, say */
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used, " (in %s)", error->file);
    }
    error_line(error, there ? there->line : map->line, -1);
    error_file(error, map->file);
    return status;
}

const char *path_folder(Work *work, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_print(work->arena, "%.*s", (int)(slash - path + 1), path) : "";
}

const char *path_beside(Work *work, const char *folder, const char *path) {
    if (!folder || !*folder || path[0] == '/' || !strcmp(path, "-")) return path;
    return arena_print(work->arena, "%s%s", folder, path);
}
