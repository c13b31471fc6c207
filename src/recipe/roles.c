/* Roles, read from a file or from the recipe itself. */
#include "recipe/roles.h"
#include <string.h>
#include "base/escape.h"
#include "base/password.h"

static bool is_table(Kind kind) { return kind == KIND_TABLE || kind == KIND_TABLES || kind == KIND_LEDGER || kind == KIND_SCHEMA; }
static bool is_column(Kind kind) { return kind == KIND_COLUMN || kind == KIND_COLUMNS; }

/* What columns are called everywhere, whether or not a method asks for it. */
static const char *const column_roles[] = { "identifiers", "keys",   "sensitive", "numeric", "weight", "household",
                                            "person",      "strata", "notes",     "other",   NULL };

bool role_is_single(const char *role) { return !strcmp(role, "weight") || !strcmp(role, "household") || !strcmp(role, "person"); }

/* A parameter that is a column somewhere is taken for one: `weight` may be a number elsewhere. */
Kind role_kind(const char *name) {
    Kind found = KIND_END;
    bool said = false; /* a parameter that names the role counts before one that happens to be called like it */
    const Param asked = { .name = name };
    for (int i = 0; column_roles[i]; i++)
        if (!strcmp(name, column_roles[i])) return KIND_COLUMNS;
    for (int64_t i = 0; i < methods_count(); i++)
        for (const Param *p = methods_at(i)->params; p && p->kind; p++) {
            if (p->kind >= RULE_ONE_OF || (p->flags & SECRET)) continue;
            Param role = { .name = p->role ? p->role : p->name };
            if (!param_is(&role, name) && !param_is(&asked, role.name)) continue;
            if (is_column(p->kind)) return p->kind;
            if (p->role && !said) {
                found = p->kind;
                said = true;
            }
            if (!said) found = p->kind;
        }
    return found;
}

/* The roles worth suggesting: those that columns have. */
static Status unknown(Work *work, const YamlNode *node, int64_t i) {
    const char *names[512];
    size_t count = 0;
    while (column_roles[count]) {
        names[count] = column_roles[count];
        count++;
    }
    for (int64_t m = 0; m < methods_count(); m++)
        for (const Param *p = methods_at(m)->params; p && p->kind; p++)
            if ((is_column(p->kind) || is_table(p->kind)) && count < 512) names[count++] = p->role ? p->role : p->name;
    const char *near = nearest_name(node->name[i], names, count);
    YamlNode place = { .file = node->file, .line = node->name_line[i] };
    Status status = yaml_fail(work, &place, "there is no role '%s'", node->name[i]);
    if (near) return error_advice(work->error, "Did you mean '%s'?", near);
    error_advice(work->error,
                 "Roles are identifiers, keys, sensitive, numeric, weight, household, person, notes, other and names of parameters.");
    return status;
}

/* A schema that stands in the roles themselves, as the text that a schema's file would hold. */
static void put_node(Buffer *out, const YamlNode *node) {
    if (node->kind == YAML_TEXT) {
        put_json_text(out, node->text);
        return;
    }
    buffer_char(out, node->kind == YAML_MAP ? '{' : '[');
    for (int64_t i = 0; i < node->count; i++) {
        if (i) buffer_text(out, ", ");
        if (node->kind == YAML_MAP) {
            put_json_text(out, node->name[i]);
            buffer_text(out, ": ");
        }
        put_node(out, node->item[i]);
    }
    buffer_char(out, node->kind == YAML_MAP ? '}' : ']');
}

static Status inline_schema(Work *work, const YamlNode *node, Arg *out) {
    Status status = OK;
    Buffer text = { 0 };
    const char **items = NULL;
    put_node(&text, node);
    NEW(work, items, 1);
    if (text.failed || !(items[0] = arena_text(work->arena, buffer_get(&text)))) TRY(out_of_memory(work->error));
    out->items = items;
    out->count = 1;
done:
    buffer_free(&text);
    return status;
}

static Status one_role(Work *work, const YamlNode *node, const char *folder, Kind kind, Arg *out) {
    Status status = OK;
    const char **items = NULL;
    if (kind == KIND_SCHEMA && node->kind == YAML_MAP) return inline_schema(work, node, out);
    if (kind == KIND_PAIRS && node->kind == YAML_MAP) return node_pairs(work, node, &out->count, &out->items);
    bool list = is_column(kind) || kind_is_list(kind) || node->kind == YAML_LIST;
    if (list) TRY(node_texts(work, node, out->name, &out->count, &items));
    else {
        NEW(work, items, 1);
        TRY(yaml_need_text(work, node, out->name, &items[0]));
        out->count = 1;
    }
    for (int64_t i = 0; is_table(kind) && i < out->count; i++) {
        if (holds_password(items[i])) {
            yaml_fail(work, node, "a name that is kept in results must not hold a password");
            TRY(error_advice(work->error, "Put it into ~/.pgpass or PGPASSWORD."));
        }
        items[i] = path_beside(work, folder, items[i]);
    }
    out->items = items;
done:
    return status;
}

Status roles_make(Work *work, const YamlNode *node, const char *folder, Roles *out) {
    Status status = OK;
    Arg *list = NULL;
    int64_t count = 0;
    *out = (Roles){ .node = node };
    TRY(yaml_need_kind(work, node, YAML_MAP, "roles"));
    NEW(work, list, node->count + 1);
    for (int64_t i = 0; i < node->count; i++) {
        if (!strcmp(node->name[i], "schema") && node->item[i]->kind == YAML_TEXT && same_text(node->item[i]->text, "1"))
            continue; /* the version of this file's form */
        Kind kind = role_kind(node->name[i]);
        if (!kind) TRY(unknown(work, node, i));
        if (node->item[i]->kind == YAML_TEXT && !node->item[i]->text) continue;
        Arg arg = { .name = node->name[i] };
        TRY(one_role(work, node->item[i], folder, kind, &arg));
        if (!strcmp(arg.name, "identifiers")) {
            out->identifiers = arg.count;
            out->identifier = (const char **)(uintptr_t)arg.items;
        } else if (!strcmp(arg.name, "other")) { /* measures have them by what the table has of them */
            out->others = arg.count;
            out->other = (const char **)(uintptr_t)arg.items;
        } else list[count++] = arg;
    }
    out->args = (Args){ count, list };
    Arg *all = NULL;
    NEW(work, all, count + 3);
    for (int64_t i = 0; i < count; i++) all[i] = list[i];
    if (out->identifiers) all[count++] = (Arg){ .name = "identifiers", .count = out->identifiers, .items = out->identifier };
    if (out->others) all[count++] = (Arg){ .name = "other", .count = out->others, .items = out->other };
    out->all = (Args){ count, all };
done:
    return status;
}

Status roles_read(Work *work, const char *path, Roles *out) {
    const YamlNode *node = NULL;
    Status status = yaml_open(work, path, "the roles", &node);
    return status ? status : roles_make(work, node, yaml_inline(path) ? "" : path_folder(work, path), out);
}

static Status check_names(Work *work, const Roles *roles, const char *role, int64_t count, const char *const *names, const Table *table) {
    const Column *column;
    for (int64_t i = 0; i < count; i++) {
        if (!table_need(table, names[i], &column, work->error)) continue;
        const YamlNode *at = yaml_find(roles->node, role);
        error_file(work->error, at ? at->file : "");
        return error_line(work->error, at ? at->line : -1, -1);
    }
    return OK;
}

Status roles_check(Work *work, const Roles *roles, const Table *table, bool original) {
    Status status = OK;
    for (int64_t i = 0; i < roles->args.count; i++) {
        const Arg *arg = &roles->args.at[i];
        if (is_column(role_kind(arg->name))) TRY(check_names(work, roles, arg->name, arg->count, arg->items, table));
    }
    if (original) TRY(check_names(work, roles, "other", roles->others, roles->other, table));
    if (original)
        TRY(check_names(work, roles, "identifiers", roles->identifiers, roles->identifier, table)); /* a slip here would leak them */
done:
    return status;
}

static bool among(int64_t count, const char *const *names, const char *name) {
    for (int64_t i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

bool roles_decide(const Roles *roles, const char *column) {
    if (among(roles->identifiers, roles->identifier, column) || among(roles->others, roles->other, column)) return true;
    for (int64_t i = 0; i < roles->args.count; i++) {
        const Arg *arg = &roles->args.at[i];
        if (arg->items && is_column(role_kind(arg->name)) && among(arg->count, arg->items, column)) return true;
    }
    return false;
}

Status roles_drop(Work *work, const Roles *roles, const Table *table, Table **out, int64_t *dropped) {
    Status status = OK;
    const char **names = NULL;
    *dropped = 0;
    NEW(work, names, roles->identifiers + 1);
    for (int64_t i = 0; i < roles->identifiers; i++)
        if (table_column(table, roles->identifier[i])) names[(*dropped)++] = roles->identifier[i];
    TRY(table_without(table, names, *dropped, out, work->error));
done:
    return status;
}

Status roles_drop_notes(Work *work, Roles *roles, const Table *table, Table **out) {
    Status status = OK;
    const char **names = NULL;
    int64_t count = 0, kept = 0;
    const Arg *notes = args_find(&roles->args, "notes");
    Arg *list = NULL;
    NEW(work, names, (notes ? notes->count : 0) + 1);
    NEW(work, list, roles->args.count + 1);
    for (int64_t i = 0; notes && i < notes->count; i++)
        if (table_column(table, notes->items[i])) names[count++] = notes->items[i];
    TRY(table_without(table, names, count, out, work->error));
    for (int64_t i = 0; i < roles->args.count; i++)
        if (&roles->args.at[i] != notes) list[kept++] = roles->args.at[i];
    roles->args = (Args){ kept, list };
done:
    return status;
}

/* Columns without a suggestion, as comments, each with the question that its owner must answer. */
static void put_undecided(const Table *profile, Buffer *out) {
    char a[33], b[33], c[33];
    bool any = false;
    for (int64_t i = 0; i < profile->rows; i++) {
        if (table_cell(profile, "role", i, a)) continue;
        if (!any) buffer_text(out, "# Not decided. Give each of these a role, or list it as other: [\xe2\x80\xa6] where it is harmless.\n");
        any = true;
        const char *reason = table_cell(profile, "reason", i, c);
        buffer_print(out, "#   %s: %s\n", table_cell(profile, "column", i, b), reason ? reason : "");
    }
}

bool roles_suggested(const Result *result, Buffer *out) {
    static const char *const names[] = { "person", "keys", "sensitive", "numeric", "weight", "household", "identifiers", "notes", "other" };
    const Table *profile = result_find_table(result, "profile");
    char a[33], b[33];
    if (!profile || !table_column(profile, "role")) return false;
    buffer_text(out, "# Suggested from names and values: the data custodian decides.\n");
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        bool single = role_is_single(names[r]);
        int64_t count = 0;
        for (int64_t i = 0; i < profile->rows; i++) {
            if (!same_text(table_cell(profile, "role", i, a), names[r]) || (single && count)) continue;
            if (count++) buffer_text(out, ", ");
            else buffer_print(out, single ? "%s: " : "%s: [", names[r]);
            put_json_text(out, table_cell(profile, "column", i, b));
        }
        if (count) buffer_text(out, single ? "\n" : "]\n");
    }
    put_undecided(profile, out);
    return true;
}
