/* scrim run, of a recipe with files: each step taken on every file that has its columns, risk measured on what is known of each person over
 * all files, one output per file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "io/open.h"
#include "recipe/formal_guarantee.h"
#include "recipe/manifest.h"
#include "report/findings.h"
#include "report/verdict.h"
#include "verb/explain.h"
#include "verb/joined_files.h"
#include "verb/linked_steps.h"
#include "verb/run_private.h"

/* The files joined by person, before and after. */
typedef struct Joined {
    Table *before, *original, *after; /* original: that of `after`, record for record; NULL where the records cannot be told */
    Roles roles, roles_before;
} Joined;

static Status check_recipe(const RecipeRun *k) {
    const Recipe *r = &k->recipe;
    const RunArgs *a = k->args;
    if (recipe_guarantee(r) >= 0) {
        yaml_fail(k->work, r->linked[0].node, "a step with a formal guarantee protects one table, and this recipe has several files");
        return error_advice(k->work->error,
                            "Such a guarantee of people would have to be charged for all files together: make the release of each "
                            "file by a recipe of its own.");
    }
    if (!a->output) return OK;
    fail(k->work->error, BAD, "a recipe with files has an output for each of them");
    error_advice(k->work->error, "Write `output:` beside each file's input.");
    return error_parameter(k->work->error, "output");
}

/* Before anything is done: no output is an input, and all change together or not at all. */
static Status check_places(RecipeRun *k, RecipeRun *file) {
    Status status = OK;
    const Recipe *r = &k->recipe;
    const char *report = k->args->report ? k->args->report : r->report;
    bool any = report != NULL;
    for (int64_t f = 0; f < r->files; f++) any |= r->linked[f].output != NULL;
    if (any) TRY(work_files(k->work));
    TRY(transaction_new(&k->stage, k->work->error));
    for (int64_t f = 0; f < r->files; f++) {
        file[f].stage = k->stage;
        TRY(run_guard_inputs(&file[f]));
        if (r->linked[f].beside) TRY(transaction_guard_input(k->stage, r->linked[f].beside, k->work->error));
        for (int64_t g = 0; g < r->files; g++)
            if (r->linked[g].output && table_replaces(r->linked[f].input, r->linked[g].output)) {
                fail(k->work->error, BAD, "is an input, and would be lost");
                error_advice(k->work->error, "Write the release to a file of its own.");
                TRY(error_file(k->work->error, r->linked[g].output));
            }
    }
    TRY(transaction_guard_input(k->stage, k->args->recipe, k->work->error));
    for (int64_t f = 0; f < r->files; f++)
        if (r->linked[f].output) TRY(transaction_check(k->stage, r->linked[f].output, k->work->error));
    if (report) TRY(transaction_check(k->stage, report, k->work->error));
done:
    return status;
}

/* Each file as a recipe of its own, with the steps of all. */
static Status open_files(RecipeRun *k, RecipeRun *file) {
    Status status = OK;
    int64_t identifiers = 0;
    for (int64_t f = 0; f < k->recipe.files; f++) {
        int64_t dropped = 0;
        TRY(run_open_input(&file[f], &dropped));
        identifiers += dropped;
    }
    result_integer(k->run->result, "identifiers_dropped", identifiers);
done:
    return status;
}

static void files_as_recipes(const RecipeRun *k, RecipeRun *file) {
    for (int64_t f = 0; f < k->recipe.files; f++) {
        const RecipeFile *linked = &k->recipe.linked[f];
        file[f] = *k;
        file[f].recipe.input = linked->input;
        file[f].recipe.output = linked->output;
        file[f].recipe.reading = linked->reading;
        file[f].recipe.roles = linked->roles;
        file[f].recipe.report = NULL;
    }
}

/* ---- whose each record of the release is ---- */

/* The original's record of each record of a release; NULL where they are not told. */
static Status origin_of(Work *work, const RecipeRun *file, int64_t **out) {
    Status status = OK;
    const Table *now = file->current;
    *out = NULL;
    if (!now->origin && now->rows != file->input->rows) return OK;
    NEW(work, *out, now->rows + 1);
    for (int64_t i = 0; i < now->rows; i++) {
        (*out)[i] = now->origin ? now->origin[i] : i;
        if ((*out)[i] < 0 || (*out)[i] >= file->input->rows) { /* a record that was made new */
            arena_drop(work->arena, *out);
            *out = NULL;
            return OK;
        }
    }
done:
    return status;
}

typedef struct Whose {
    int64_t **who, *records, people;
    int64_t **origin; /* file → record → the original's; NULL where they are not told */
    bool told;        /* of every file */
} Whose;

static Status whose_before(Work *work, const RecipeRun *file, int64_t files, Whose *out) {
    Status status = OK;
    const Column **person = NULL;
    NEW(work, person, files + 1);
    NEW(work, out->who, files + 1);
    NEW(work, out->records, files + 1);
    for (int64_t f = 0; f < files; f++) {
        out->records[f] = file[f].input->rows;
        TRY(table_need(file[f].input, args_find(&file[f].recipe.roles.args, "person")->items[0], &person[f], work->error));
    }
    TRY(codes_in_common(work, person, files, out->who, &out->people));
done:
    return status;
}

/* By their origin; where some file does not tell it, by the released persons. A file without them is nobody's. */
static Status whose_after(Work *work, const RecipeRun *file, int64_t files, const Whose *before, Whose *out) {
    Status status = OK;
    const Column **person = NULL;
    int64_t **code = NULL, named = 0;
    NEW(work, out->who, files + 1);
    NEW(work, out->records, files + 1);
    NEW(work, out->origin, files + 1);
    NEW(work, person, files + 1);
    NEW(work, code, files + 1);
    out->told = true;
    for (int64_t f = 0; f < files; f++) {
        out->records[f] = file[f].current->rows;
        TRY(origin_of(work, &file[f], &out->origin[f]));
        out->told &= out->origin[f] != NULL;
        person[named] = table_column(file[f].current, args_find(&file[f].recipe.roles.args, "person")->items[0]);
        named += person[named] != NULL;
    }
    out->people = before->people;
    if (!out->told) TRY(codes_in_common(work, person, named, code, &out->people));
    named = 0;
    for (int64_t f = 0; f < files; f++) {
        const bool has = table_column(file[f].current, args_find(&file[f].recipe.roles.args, "person")->items[0]) != NULL;
        NEW(work, out->who[f], out->records[f] + 1);
        for (int64_t i = 0; i < out->records[f]; i++)
            out->who[f][i] = out->told ? before->who[f][out->origin[f][i]] : has ? code[named][i] : -1;
        named += has;
    }
done:
    return status;
}

/* The records of the joined release stand as those of its original do: whose they are is known, however the files were reordered. */
static Status put_beside(Table *after, Error *error) {
    int64_t *origin = malloc(((size_t)after->rows + 1) * sizeof *origin);
    if (!origin) return out_of_memory(error);
    for (int64_t i = 0; i < after->rows; i++) origin[i] = i;
    after->origin = origin;
    return OK;
}

static Status join_files(RecipeRun *k, const RecipeRun *file, Joined *out) {
    Status status = OK;
    Work *work = k->work;
    int64_t files = k->recipe.files;
    Whose before = { 0 }, after = { 0 };
    PersonLinks links;
    Table **input = NULL, **current = NULL;
    NEW(work, input, files + 1);
    NEW(work, current, files + 1);
    for (int64_t f = 0; f < files; f++) {
        input[f] = file[f].input;
        current[f] = file[f].current;
    }
    TRY(whose_before(work, file, files, &before));
    TRY(person_links_make(work, &k->recipe, input, (const int64_t *const *)before.who, before.records, before.people, &links));
    TRY(person_links_join(work, &links, &k->recipe, input, input, NULL, &out->before));
    TRY(person_links_roles(work, &links, &k->recipe, input, out->before, &out->roles_before));
    TRY(whose_after(work, file, files, &before, &after));
    TRY(person_links_make(work, &k->recipe, current, (const int64_t *const *)after.who, after.records, after.people, &links));
    TRY(person_links_join(work, &links, &k->recipe, input, current, NULL, &out->after));
    if (after.told) {
        TRY(person_links_join(work, &links, &k->recipe, input, input, (const int64_t *const *)after.origin, &out->original));
        TRY(put_beside(out->after, work->error));
    }
    TRY(person_links_roles(work, &links, &k->recipe, input, out->after, &out->roles));
    result_integer(k->run->result, "people", before.people);
done:
    return status;
}

/* ---- measured, judged, written ---- */

/* What is measured of columns, and not of people: of each file by itself. */
static const char *const of_columns[] = { "risk.residual", "risk.detail", "risk.safe-harbour", NULL };

static bool is_of_columns(const Rule *rule) {
    char name[160];
    snprintf(name, sizeof name, "%s.%s", rule->method->group, rule->method->name);
    for (int i = 0; of_columns[i]; i++)
        if (!strcmp(of_columns[i], name)) return true;
    return false;
}

/* A rule holds when it holds of the people over all files, and of each file for which it can be computed too. One on columns is judged of the
 * files alone. */
static void judge_also(Policy *policy, const Policy *one) {
    for (int64_t i = 0; i < policy->rules; i++) {
        Rule *all = &policy->rule[i];
        const Rule *here = &one->rule[i];
        const bool first = !all->seen && is_of_columns(all);
        if (!here->seen || (!all->seen && !first)) continue;
        if (first || (all->met && !here->met)) *all = *here;
    }
}

static Status copy_policy(Work *work, const Policy *policy, Policy *out) {
    Status status = OK;
    *out = *policy;
    NEW(work, out->rule, policy->rules + 1);
    memcpy(out->rule, policy->rule, (size_t)policy->rules * sizeof *out->rule);
done:
    return status;
}

static Status measure_file(RecipeRun *k, RecipeRun *file, const char *name, Policy *policy, const Policy *unjudged) {
    static const char *const all[] = { "risk", "attack", "utility", NULL };
    Status status = OK;
    Policy here;
    Table *aligned = NULL;
    const char *into = arena_print(k->work->arena, "after: %s", name);
    if (!into) TRY(out_of_memory(k->work->error));
    if (policy) TRY(copy_policy(k->work, unjudged, &here));
    TRY(table_aligned(file->input, file->current, &aligned, k->work->error));
    TRY(run_measure(file, into, file->current, aligned, policy ? &here : NULL, all, NULL));
    if (policy) judge_also(policy, &here);
done:
    table_release(aligned);
    return status;
}

/* The residual risks of all files as one result of the release. */
static Status sum_residuals(RecipeRun *k) {
    Status status = OK;
    Result *sum = result_new("risk.residual"), *after = (Result *)(uintptr_t)result_within(k->run->result, "after");
    int64_t count = 0;
    Buffer names = { 0 };
    char a[33], b[33], c[33], name[300];
    if (!sum || !after) TRY(out_of_memory(k->work->error));
    Grid *grid = grid_new(sum, "residuals", "column:text kind:text people:integer recommendation:text");
    for (int64_t f = 0; f < k->recipe.files; f++) {
        snprintf(name, sizeof name, "after: %s", k->recipe.linked[f].name);
        const Result *of_file = result_within(k->run->result, name), *own = of_file ? result_within(of_file, "risk.residual") : NULL;
        const Table *rows = own ? result_find_table(own, "residuals") : NULL;
        for (int64_t i = 0; rows && i < rows->rows; i++, count++) {
            const char *column = table_cell(rows, "column", i, a), *kind = table_cell(rows, "kind", i, b);
            double people = table_number(rows, "people", i);
            char *full = arena_print(k->work->arena, column && *column ? "%s.%s" : "%s%s", k->recipe.linked[f].name, column ? column : "");
            grid_text(grid, full ? full : column);
            grid_text(grid, kind);
            if (people >= 0) grid_integer(grid, (int64_t)people);
            else grid_missing(grid);
            grid_text(grid, table_cell(rows, "recommendation", i, c));
            buffer_print(&names, "%s%s: %s", names.count ? "; " : "", full ? full : "", kind ? kind : "");
        }
    }
    grid_done(grid);
    result_integer(sum, "count", count);
    result_text(sum, "names", buffer_get(&names));
    const Method *method;
    TRY(method_need("risk.residual", &method, k->work->error));
    describe_returns(method, sum);
    result_result(after, "risk.residual", sum);
    sum = NULL;
done:
    buffer_free(&names);
    result_free(sum);
    return status;
}

static Status measure_all(RecipeRun *k, RecipeRun *file, const Joined *joined, Policy *policy) {
    static const char *const risks[] = { "risk", "attack", NULL };
    Status status = OK;
    Policy before = { 0 }, unjudged = { 0 };
    RecipeRun whole = *k;
    whole.except = of_columns;
    Result *all = k->run->result;
    if (policy) TRY(copy_policy(k->work, policy, &before));
    if (policy) TRY(copy_policy(k->work, policy, &unjudged));
    whole.recipe.roles = joined->roles_before;
    TRY(run_measure(&whole, "before", joined->before, NULL, policy ? &before : NULL, risks, NULL));
    Grid *skipped = grid_new(all, "skipped", "method:text why:text lacks:text");
    whole.recipe.roles = joined->roles;
    TRY(run_measure(&whole, "after", joined->after, joined->original, policy, risks, skipped));
    for (int64_t f = 0; f < k->recipe.files; f++) TRY(measure_file(k, &file[f], k->recipe.linked[f].name, policy, &unjudged));
    grid_done(skipped);
    TRY(sum_residuals(k));
    report_summary(all, result_within(all, "before"), result_within(all, "after"), NULL);
done:
    return status;
}

static Status write_files(RecipeRun *k, RecipeRun *file) {
    Status status = OK;
    const char *first = NULL;
    Buffer names = { 0 };
    Grid *files = grid_new(k->run->result, "files", "file:text blake2b:text rows:integer columns:integer");
    for (int64_t f = 0; f < k->recipe.files; f++) {
        const char *output = k->recipe.linked[f].output;
        if (!output) {
            result_output(k->run->result, table_retain(file[f].current));
            continue;
        }
        file[f].recipe.has_policy = k->recipe.has_policy;
        file[f].recipe.policy = k->recipe.policy;
        TRY(run_write_tables(&file[f], output, files));
        buffer_print(&names, "%s%s", names.count ? ", " : "", output);
        if (!first && !file_is_stream(output) && !table_in_database(output)) first = output;
    }
    if (names.count) result_text(k->run->result, "output", buffer_get(&names));
    if (k->random && first) TRY(run_write_seed(k, first));
done:
    grid_done(files);
    buffer_free(&names);
    return status;
}

static Status deliver(RecipeRun *k, RecipeRun *file, const Joined *joined) {
    Status status = OK;
    Result *result = k->run->result;
    const Policy *policy = k->recipe.has_policy ? &k->recipe.policy : NULL;
    const Result *before = result_within(result, "before"), *after = result_within(result, "after");
    const char *report = k->args->report ? k->args->report : k->recipe.report;
    int64_t records = 0;
    bool broken = report_verdict(k->work, result, policy, after, &joined->roles, joined->after, "The release") == STATE_NOT_READY;
    run_warn_of_seed(k);
    TRY(explain_riskiest(k->run, joined->after, &joined->roles, after, result));
    report_tables(k->work, result, before, after, NULL, &joined->roles, policy, joined->after, false);
    if (policy) report_rules(result, policy);
    for (int64_t f = 0; f < k->recipe.files; f++) records += file[f].current->rows;
    result_integer(result, "steps", k->recipe.steps);
    result_integer(result, "records", records);
    if (broken && !k->args->keep)
        result_note(result, "Nothing was written, because the release is not ready. --keep writes it nevertheless.");
    else TRY(write_files(k, file));
    if (report) TRY(run_write_report(k, report));
done:
    return status;
}

Status run_linked(RecipeRun *k) {
    Status status = OK;
    RecipeRun *file = NULL;
    Joined joined = { 0 };
    k->promise = -1;
    TRY(check_recipe(k));
    NEW(k->work, file, k->recipe.files);
    files_as_recipes(k, file);
    TRY(check_places(k, file));
    TRY(open_files(k, file));
    LinkCheck *links = NULL;
    TRY(links_before(k, file, &links));
    TRY(linked_steps(k, file));
    TRY(links_after(k, file, links));
    TRY(join_files(k, file, &joined));
    TRY(measure_all(k, file, &joined, k->recipe.has_policy ? &k->recipe.policy : NULL));
    TRY(deliver(k, file, &joined));
    status = transaction_commit(k->stage, k->work->error);
    k->stage = NULL;
done:
    for (int64_t f = 0; file && f < k->recipe.files; f++) run_close(&file[f]);
    table_release(joined.before);
    table_release(joined.original);
    table_release(joined.after);
    return status;
}
