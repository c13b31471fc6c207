/* `files:` of a recipe: several files that share their people and are one release. */
#include <string.h>
#include "recipe/recipe.h"

static const char *const file_names[] = { "name", "input", "reading", "person", "parent", "roles", "output", NULL };

/* "FILE.COLUMN" into its parts. Names of files have no point. */
static Status read_parent(Work *work, const YamlNode *node, const char *column, ParentKey *out) {
    Status status = OK;
    const char *text = NULL;
    *out = (ParentKey){ .node = node, .column = column };
    TRY(yaml_need_text(work, node, "parent", &text));
    const char *point = text ? strchr(text, '.') : NULL;
    if (!point || point == text || !point[1]) {
        yaml_fail(work, node, "a parent key is COLUMN: FILE.COLUMN, such as parent: {vid: visits.vid}");
        return BAD;
    }
    out->file = arena_print(work->arena, "%.*s", (int)(point - text), text);
    out->parent = point + 1;
    if (!out->file) TRY(out_of_memory(work->error));
done:
    return status;
}

static Status read_parents(Work *work, const YamlNode *node, RecipeFile *out) {
    Status status = OK;
    if (!node) return OK;
    TRY(yaml_need_kind(work, node, YAML_MAP, "parent"));
    NEW(work, out->parent, node->count + 1);
    for (; out->parents < node->count; out->parents++)
        TRY(read_parent(work, node->item[out->parents], node->name[out->parents], &out->parent[out->parents]));
done:
    return status;
}

/* The person is a role of the file, so that methods and steps by person find it. */
static Status add_person(Work *work, RecipeFile *file) {
    Status status = OK;
    Arg *list = NULL;
    const char **name = NULL;
    const Arg *said = args_find(&file->roles.args, "person");
    if (said && strcmp(said->items[0], file->person))
        TRY(yaml_fail(work, file->node, "'%s' has two persons: '%s' and, in its roles, '%s'", file->name, file->person, said->items[0]));
    if (said) return OK;
    for (int64_t i = 0; i < file->roles.identifiers; i++)
        if (!strcmp(file->roles.identifier[i], file->person))
            TRY(yaml_fail(work, file->node, "'%s' is the person and an identifier: as an identifier it would be dropped", file->person));
    NEW(work, list, file->roles.args.count + 1);
    NEW(work, name, 1);
    if (file->roles.args.count) memcpy(list, file->roles.args.at, (size_t)file->roles.args.count * sizeof *list);
    name[0] = file->person;
    list[file->roles.args.count] = (Arg){ .name = "person", .count = 1, .items = name };
    file->roles.args = (Args){ file->roles.args.count + 1, list };
done:
    return status;
}

static Status read_roles(Work *work, const YamlNode *node, const char *folder, RecipeFile *out) {
    Status status = OK;
    if (node && node->kind == YAML_TEXT) {
        out->beside = path_beside(work, folder, node->text);
        TRY(roles_read(work, out->beside, &out->roles));
    } else if (node) TRY(roles_make(work, node, folder, &out->roles));
    const Arg *person = args_find(&out->roles.args, "person");
    if (!out->person && person) out->person = person->items[0];
    if (!out->person) {
        yaml_fail(work, out->node, "'%s' names no person", out->name);
        TRY(error_advice(work->error, "person: COLUMN says whose each record is, and links the files."));
    }
    TRY(add_person(work, out));
done:
    return status;
}

static Status read_path(Work *work, const YamlNode *node, const char *folder, const char *what, const char **out) {
    Status status = OK;
    if (!node) return OK;
    if (node->kind == YAML_MAP) node = yaml_find(node, "file"); /* a manifest's */
    TRY(yaml_need_text(work, node, what, out));
    *out = path_beside(work, folder, *out);
done:
    return status;
}

static Status read_one(Work *work, const YamlNode *node, const char *folder, RecipeFile *out) {
    Status status = OK;
    *out = (RecipeFile){ .node = node };
    TRY(yaml_need_kind(work, node, YAML_MAP, "a file"));
    TRY(yaml_known(work, node, "a file", file_names));
    if (!yaml_find(node, "name")) TRY(yaml_fail(work, node, "a file needs a name"));
    if (!yaml_find(node, "input")) TRY(yaml_fail(work, node, "a file needs an input"));
    TRY(yaml_need_text(work, yaml_find(node, "name"), "name", &out->name));
    if (strchr(out->name, '.')) TRY(yaml_fail(work, node, "the name of a file has no point: FILE.COLUMN is a column"));
    TRY(read_path(work, yaml_find(node, "input"), folder, "input", &out->input));
    TRY(read_path(work, yaml_find(node, "output"), folder, "output", &out->output));
    if (yaml_find(node, "person")) TRY(yaml_need_text(work, yaml_find(node, "person"), "person", &out->person));
    out->reading = yaml_find(node, "reading");
    TRY(read_roles(work, yaml_find(node, "roles"), folder, out));
    TRY(read_parents(work, yaml_find(node, "parent"), out));
done:
    return status;
}

static const RecipeFile *file_named(const Recipe *recipe, const char *name) {
    for (int64_t i = 0; i < recipe->files; i++)
        if (!strcmp(recipe->linked[i].name, name)) return &recipe->linked[i];
    return NULL;
}

static Status check_parents(Work *work, const Recipe *recipe, const RecipeFile *file) {
    for (int64_t p = 0; p < file->parents; p++) {
        const RecipeFile *parent = file_named(recipe, file->parent[p].file);
        if (!parent) return yaml_fail(work, file->parent[p].node, "there is no file '%s'", file->parent[p].file);
        if (parent == file) return yaml_fail(work, file->parent[p].node, "a file is not its own parent");
    }
    return OK;
}

Status recipe_read_files(Work *work, const YamlNode *node, Recipe *out) {
    Status status = OK;
    TRY(yaml_need_kind(work, node, YAML_LIST, "files"));
    if (!node->count) TRY(yaml_fail(work, node, "the recipe has no files"));
    NEW(work, out->linked, node->count);
    for (int64_t i = 0; i < node->count; i++) {
        RecipeFile *file = &out->linked[i];
        TRY(read_one(work, node->item[i], out->folder, file));
        if (file_named(out, file->name)) TRY(yaml_fail(work, node->item[i], "two files have the name '%s'", file->name));
        for (int64_t j = 0; j < i; j++)
            if (file->output && out->linked[j].output && !strcmp(file->output, out->linked[j].output))
                TRY(yaml_fail(work, node->item[i], "two files have the output '%s'", file->output));
        out->files++;
    }
    for (int64_t i = 0; i < out->files; i++) TRY(check_parents(work, out, &out->linked[i]));
    out->input = out->linked[0].input; /* of anyone who asks for one path */
done:
    return status;
}
