/* Which files a step is taken on, with which of its columns; and referential integrity. */
#include "verb/linked_steps.h"
#include <string.h>
#include "verb/joined_files.h"

static bool is_columns(const Param *param) { return param && (param->kind == KIND_COLUMN || param->kind == KIND_COLUMNS); }

static bool was_identifier(const RecipeRun *file, int64_t files, const char *name) {
    for (int64_t f = 0; f < files; f++)
        for (int64_t i = 0; i < file[f].recipe.roles.identifiers; i++)
            if (!strcmp(file[f].recipe.roles.identifier[i], name)) return true;
    return false;
}

/* The nearest name of a column that some file has. */
static Status no_such_column(RecipeRun *k, const RecipeRun *file, const Step *step, const char *name) {
    const char *names[512];
    size_t count = 0;
    for (int64_t f = 0; f < k->recipe.files; f++)
        for (int64_t j = 0; j < file[f].current->columns && count < 512; j++) names[count++] = file[f].current->column[j]->name;
    const char *near = nearest_name(name, names, count);
    yaml_fail(k->work, step->node, "%s names the column '%s', which no file has at this step", step->name, name);
    return near ? error_advice(k->work->error, "Did you mean '%s'?", near) : BAD;
}

static Status check_columns(RecipeRun *k, const RecipeRun *file, const Step *step) {
    for (int64_t i = 0; i < step->args.count; i++) {
        const Arg *arg = &step->args.at[i];
        if (!is_columns(method_param(step->method, arg->name))) continue;
        for (int64_t j = 0; j < arg->count; j++) {
            bool there = was_identifier(file, k->recipe.files, arg->items[j]);
            for (int64_t f = 0; f < k->recipe.files && !there; f++) there = table_column(file[f].current, arg->items[j]) != NULL;
            if (!there) return no_such_column(k, file, step, arg->items[j]);
        }
    }
    return OK;
}

/* The step's columns that this file has. */
typedef struct FileArgs {
    Args args;
    int64_t named, found;
    bool lacks_needed; /* none of the columns of a parameter that the method needs */
    const char *lacks; /* of another parameter */
} FileArgs;

static Status args_for_file(Work *work, const Step *step, const Table *table, FileArgs *out) {
    Status status = OK;
    Arg *list = NULL;
    *out = (FileArgs){ 0 };
    NEW(work, list, step->args.count + 1);
    for (int64_t i = 0; i < step->args.count; i++) {
        Arg arg = step->args.at[i];
        const Param *param = method_param(step->method, arg.name);
        const char **items = NULL;
        int64_t kept = 0;
        if (is_columns(param)) {
            NEW(work, items, arg.count + 1);
            for (int64_t j = 0; j < arg.count; j++)
                if (table_column(table, arg.items[j])) items[kept++] = arg.items[j];
            out->named += arg.count;
            out->found += kept;
            if (!kept) {
                bool by_role = param->role && !strcmp(param->role, "person"); /* whose a record is has another name in this file */
                if (param->flags & REQUIRED) out->lacks_needed = true;
                else if (arg.count && !by_role) out->lacks = arg.items[0];
                continue;
            }
            arg.items = items;
            arg.count = kept;
        }
        list[out->args.count++] = arg;
    }
    out->args.at = list;
done:
    return status;
}

/* Is the step taken on this file? Where it names columns, by these; else where the file's roles fill what it needs. */
static Status is_taken(RecipeRun *k, RecipeRun *file, const Step *step, const FileArgs *own, bool *out) {
    Status status = OK;
    Args given;
    *out = own->found > 0 && !own->lacks_needed;
    if (!own->named) {
        TRY(run_step_args(file, step, &own->args, &given));
        *out = !method_unfilled(step->method, &given, &file->recipe.roles.args);
        return OK;
    }
    if (*out && own->lacks) {
        yaml_fail(k->work, step->node, "%s needs its columns together, and a file that has some of them lacks '%s'", step->name,
                  own->lacks);
        return error_advice(k->work->error, "Write a step for each file, with the columns that it has.");
    }
done:
    return status;
}

/* Are all columns that it names identifiers, which are gone? */
static bool names_identifiers(const RecipeRun *k, const RecipeRun *file, const Step *step) {
    bool any = false;
    for (int64_t i = 0; i < step->args.count; i++)
        for (int64_t j = 0; is_columns(method_param(step->method, step->args.at[i].name)) && j < step->args.at[i].count; j++) {
            if (!was_identifier(file, k->recipe.files, step->args.at[i].items[j])) return false;
            any = true;
        }
    return any;
}

static Status step_on_file(RecipeRun *k, RecipeRun *file, const char *name, int64_t number, const FileArgs *own, Result *steps) {
    Status status = OK;
    const Step *step = &k->recipe.step[number];
    Session session = *k->run->session;
    Result *made = NULL;
    Args given;
    session.step = number; /* the same for every file: a method that draws by a key treats equal values alike in all of them */
    TRY(run_step_args(file, step, &own->args, &given));
    TRY(method_run(&session, step->method, &given, &file->recipe.roles.args, &made, k->work->error));
    const char *title = arena_print(k->work->arena, "%s: %s", step->name, name);
    result_result(steps, title ? title : step->name, made);
    if (made->outputs > 1)
        TRY(fail(k->work->error, BAD, "%s makes %lld tables, which a recipe with files does not take", step->name,
                 (long long)made->outputs));
    TRY(run_take_outputs(file, number, made));
    k->random |= (step->method->traits & RANDOM) != 0;
done:
    return status;
}

static Status take_step(RecipeRun *k, RecipeRun *file, int64_t number, Result *steps) {
    Status status = OK;
    const Step *step = &k->recipe.step[number];
    int64_t taken = 0, named = 0;
    TRY(check_columns(k, file, step));
    for (int64_t f = 0; f < k->recipe.files; f++) {
        FileArgs own;
        bool here;
        TRY(args_for_file(k->work, step, file[f].current, &own));
        named = own.named;
        TRY(is_taken(k, &file[f], step, &own, &here));
        if (!here) continue;
        TRY(step_on_file(k, &file[f], k->recipe.linked[f].name, number, &own, steps));
        taken++;
    }
    if (taken) return OK;
    if (names_identifiers(k, file, step))
        result_note(k->run->result, "Step %lld (%s) had nothing to do: its columns are identifiers, which were left out at once.",
                    (long long)number + 1, step->name);
    else if (named) TRY(yaml_fail(k->work, step->node, "no file has all the columns that %s needs", step->name));
    else TRY(yaml_fail(k->work, step->node, "%s names no columns, and the roles of no file fill what it needs", step->name));
done:
    return status;
}

Status linked_steps(RecipeRun *k, RecipeRun *file) {
    Status status = OK;
    int64_t i = 0;
    Result *steps = result_new("steps");
    if (!steps) return out_of_memory(k->work->error);
    for (; i < k->recipe.steps; i++) TRY(take_step(k, file, i, steps));
done:
    if (status && status != INTERRUPTED) node_place(k->work, k->recipe.step[i].node, status);
    result_result(k->run->result, "steps", steps);
    return status;
}

/* ---- referential integrity ---- */

static bool everybody_once(const Column *person, const Codes *codes) { return !person->missing && codes->count == person->rows; }

/* The first file in which nobody has two records; -1 where there is none. */
static Status find_register(RecipeRun *k, const RecipeRun *file, int64_t *out) {
    Status status = OK;
    for (int64_t f = 0; f < k->recipe.files; f++) {
        const Column *person = table_column(file[f].input, k->recipe.linked[f].person);
        Codes codes;
        *out = f;
        if (!person) continue;
        TRY(column_codes(k->work, person, &codes));
        const bool once = everybody_once(person, &codes);
        codes_drop(k->work, person, &codes);
        if (once) return OK;
    }
    *out = -1;
done:
    return status;
}

static Status count_without(RecipeRun *k, const RecipeRun *file, LinkCheck *link, int when) {
    const Table *child = when ? file[link->child].current : file[link->child].input;
    const Table *parent = when ? file[link->parent].current : file[link->parent].input;
    const Column *from = table_column(child, link->column), *to = table_column(parent, link->key);
    link->without[when] = -1;
    if (!from || !to) return OK;
    return records_without_parent(k->work, from, to, &link->without[when]);
}

static int64_t file_number(const Recipe *recipe, const char *name) {
    int64_t f = 0;
    while (strcmp(recipe->linked[f].name, name)) f++;
    return f;
}

Status links_before(RecipeRun *k, const RecipeRun *file, LinkCheck **out) {
    Status status = OK;
    const Recipe *r = &k->recipe;
    int64_t room = r->files + 1, count = 0, people;
    for (int64_t f = 0; f < r->files; f++) room += r->linked[f].parents;
    NEW(k->work, *out, room);
    TRY(find_register(k, file, &people));
    for (int64_t f = 0; f < r->files; f++)
        if (people >= 0 && f != people) (*out)[count++] = (LinkCheck){ f, people, r->linked[f].person, r->linked[people].person, { 0, 0 } };
    for (int64_t f = 0; f < r->files; f++)
        for (int64_t p = 0; p < r->linked[f].parents; p++) {
            const ParentKey *key = &r->linked[f].parent[p];
            const Column *column;
            const int64_t parent = file_number(r, key->file);
            TRY(table_need(file[f].original, key->column, &column, k->work->error));
            TRY(table_need(file[parent].original, key->parent, &column, k->work->error));
            (*out)[count++] = (LinkCheck){ f, parent, key->column, key->parent, { 0, 0 } };
        }
    for (LinkCheck *link = *out; link->column; link++) {
        TRY(count_without(k, file, link, 0));
        if (link->without[0] > 0)
            result_note(k->run->result, "%lld records of %s have a %s that %s lacks, before any step.", (long long)link->without[0],
                        r->linked[link->child].name, link->column, r->linked[link->parent].name);
    }
done:
    return status;
}

static Status broken(RecipeRun *k, const LinkCheck *link) {
    const Recipe *r = &k->recipe;
    fail(k->work->error, BAD, "the steps broke the link from %s.%s to %s.%s: %lld records refer to nothing, %lld before",
         r->linked[link->child].name, link->column, r->linked[link->parent].name, link->key, (long long)link->without[1],
         (long long)link->without[0]);
    error_advice(k->work->error, "Name both columns in the same step, and draw or drop people rather than records.");
    return error_file(k->work->error, r->file);
}

Status links_after(RecipeRun *k, const RecipeRun *file, LinkCheck *links) {
    Status status = OK;
    const Recipe *r = &k->recipe;
    if (!links->column) return OK;
    Grid *grid =
        grid_new(k->run->result, "links", "file:text column:text refers_to:text key:text without_before:integer without_after:integer");
    for (LinkCheck *link = links; link->column; link++) {
        TRY(count_without(k, file, link, 1));
        grid_text(grid, r->linked[link->child].name);
        grid_text(grid, link->column);
        grid_text(grid, r->linked[link->parent].name);
        grid_text(grid, link->key);
        for (int when = 0; when < 2; when++) {
            if (link->without[when] < 0) grid_missing(grid);
            else grid_integer(grid, link->without[when]);
        }
        if (link->without[1] > link->without[0] && link->without[0] >= 0) TRY(broken(k, link));
    }
done:
    grid_done(grid);
    return status;
}
