/* What the workbench does in the background: profile, preview, pictures, single measures, and the release. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "registry.h"

static scrim_status out_of_memory(scrim_error *error) { return fail(error, SCRIM_FAILED, "out of memory"); }

/* ---- the data's columns ---- */

scrim_status work_profile(Job *job, void *given, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Snapshot *s = given;
    scrim_host host;
    scrim_args *args = scrim_args_new();
    s->job = job;
    if (!args) TRY(out_of_memory(error));
    TRY(scrim_args_table(args, "data", s->lent[0].table));
    TRY(scrim_args_flag(args, "charts"));
    snapshot_host(s, &host);
    TRY(scrim_run(&host, "inspect", args, &job->result, error));
    job->answer = result_json(job->result);
done:
    scrim_args_free(args);
    snapshot_free(s);
    return status;
}

/* ---- before and after ---- */

/* `audit`, of these measures alone and those of the policy. */
static scrim_status audit(Snapshot *s, const scrim_table *data, bool judged, const json_t *only, scrim_result **out, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_host host;
    size_t i;
    json_t *name;
    scrim_args *args = scrim_args_new();
    if (!args) return out_of_memory(error);
    TRY(scrim_args_table(args, "data", data));
    TRY(scrim_args_text(args, "roles", s->roles_text));
    TRY(scrim_args_table(args, "original", s->base)); /* as `scrim run` measures, before the steps and after them */
    if (s->policy_text && judged) TRY(scrim_args_text(args, "policy", s->policy_text));
    json_array_foreach (only, i, name)
        if (json_is_string(name)) TRY(scrim_args_text(args, "only", json_string_value(name)));
    snapshot_host(s, &host);
    host.roles = NULL;
    TRY(scrim_run(&host, "audit", args, out, error));
done:
    scrim_args_free(args);
    return status;
}

/* What the data are like before any step changes only with the roles. */
static scrim_status before(Snapshot *s, const json_t *only, json_t **out, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_table *table = NULL;
    scrim_result *result = NULL;
    Buffer key = { 0 };
    char *names = json_dumps(only, JSON_COMPACT);
    buffer_print(&key, "before %s %s", s->roles_text, names ? names : "");
    free(names);
    if (!made_recall(s, buffer_get(&key), &table, out)) {
        TRY(audit(s, s->base, false, only, &result, error));
        *out = result_json(result);
        made_remember(s, buffer_get(&key), s->base, *out);
    }
done:
    buffer_free(&key);
    scrim_table_free(table);
    scrim_result_free(result);
    return status;
}

/* {"only": measures}: risk and utility before and after all steps. A step that cannot be taken is told, and what stands before it measured.
 */
scrim_status work_preview(Job *job, void *given, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Snapshot *s = given;
    scrim_error step = { .size = sizeof step, .row = -1, .line = -1, .place = -1 };
    json_t *first = NULL;
    const json_t *only = json_object_get(s->asked, "only");
    s->job = job;
    TRY(steps_base(s, error));
    status = steps_take(s, -1, &step);
    if (status && s->failed < 0) goto done;
    TRY(before(s, only, &first, error));
    TRY(audit(s, s->current, true, only, &job->result, error));
    job->answer = json_pack("{s:O, s:o, s:O, s:I, s:I}", "before", first, "after", result_json(job->result), "steps", s->steps, "rows",
                            (json_int_t)scrim_table_rows(s->current), "columns", (json_int_t)scrim_table_columns(s->current));
    if (s->failed >= 0) {
        json_object_set_new(job->answer, "failed", json_integer(s->failed));
        json_object_set_new(job->answer, "error", error_json(&step));
    }
done:
    json_decref(first);
    snapshot_free(s);
    return status;
}

/* {"step": number, "columns": names}: the columns before and after that step. */
scrim_status work_picture(Job *job, void *given, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Snapshot *s = given;
    scrim_host host;
    scrim_args *args = scrim_args_new();
    scrim_table *was = NULL;
    size_t i;
    json_t *name;
    int64_t number = json_integer_value(json_object_get(s->asked, "step"));
    s->job = job;
    if (!args) TRY(out_of_memory(error));
    TRY(steps_base(s, error));
    TRY(steps_take(s, number, error));
    was = scrim_table_share(s->current);
    scrim_table_free(s->current);
    s->current = scrim_table_share(s->base);
    json_array_clear(s->steps);
    TRY(steps_take(s, number + 1, error));
    TRY(scrim_args_table(args, "data", was));
    TRY(scrim_args_table(args, "beside", s->current));
    TRY(scrim_args_flag(args, "charts"));
    json_array_foreach (json_object_get(s->asked, "columns"), i, name)
        if (json_is_string(name)) TRY(scrim_args_text(args, "vars", json_string_value(name)));
    snapshot_host(s, &host);
    host.roles = NULL;
    TRY(scrim_run(&host, "inspect", args, &job->result, error));
    job->answer = result_json(job->result);
done:
    scrim_table_free(was);
    scrim_args_free(args);
    snapshot_free(s);
    return status;
}

/* ---- one method ---- */

static bool may_run(const Method *method) {
    static const char *const names[] = { "risk", "attack", "utility", "audit", "explain", "tune", "plan", "inspect", "protect" };
    for (size_t i = 0; method && i < sizeof names / sizeof *names; i++)
        if (!strcmp(method->verb ? method->name : method->group, names[i])) return true;
    return false;
}

/* Roles and policy where a verb asks for them as texts. */
static scrim_status fill_texts(Snapshot *s, const Method *method, scrim_args *args) {
    const Param *roles = method_param(method, "roles"), *policy = method_param(method, "policy");
    scrim_status status = SCRIM_OK;
    if (roles && roles->kind == KIND_TEXT && scrim_args_count(args, "roles") < 0) status = scrim_args_text(args, "roles", s->roles_text);
    if (!status && policy && policy->kind == KIND_TEXT && s->policy_text && scrim_args_count(args, "policy") < 0)
        status = scrim_args_text(args, "policy", s->policy_text);
    return status;
}

/* {"method": name, "params": {…}, "on": "data" (without identifiers), "current" (after the steps) or "whole" (as it was read)}. */
scrim_status work_method(Job *job, void *given, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Snapshot *s = given;
    scrim_host host;
    const char *name = json_string_value(json_object_get(s->asked, "method")), *on = json_string_value(json_object_get(s->asked, "on"));
    const Method *method = name ? method_named(name) : NULL;
    const char *subject = name ? subject_of(name) : NULL;
    scrim_args *args = scrim_args_new();
    bool now = on && !strcmp(on, "current");
    s->job = job;
    if (!args) TRY(out_of_memory(error));
    if (!may_run(method)) TRY(fail(error, SCRIM_BAD, "there is no such measure"));
    TRY(steps_base(s, error));
    if (now) TRY(steps_take(s, -1, error));
    if (on && !strcmp(on, "whole")) {
        scrim_table_free(s->current);
        s->current = scrim_table_share(s->lent[0].table);
    }
    TRY(args_from(args, name, json_object_get(s->asked, "params"), error));
    if (subject) TRY(scrim_args_table(args, subject, s->current));
    if (method_param(method, "original") && scrim_args_count(args, "original") < 0) TRY(scrim_args_table(args, "original", s->base));
    TRY(fill_texts(s, method, args));
    snapshot_host(s, &host);
    if (method->verb) host.roles = NULL;
    TRY(scrim_run(&host, name, args, &job->result, error));
    job->answer = result_json(job->result);
done:
    scrim_args_free(args);
    snapshot_free(s);
    return status;
}

/* ---- the release ---- */

static scrim_status write_recipe(Snapshot *s, scrim_error *error) {
    Buffer text = { 0 };
    recipe_write(s, &text);
    bool written = !text.failed && file_save("recipe.yaml", buffer_get(&text));
    buffer_free(&text);
    return written ? SCRIM_OK : fail(error, SCRIM_FAILED, "the recipe could not be written");
}

static void add_file(json_t *list, const char *name, const char *what) {
    struct stat about;
    if (!stat(name, &about))
        json_array_append_new(list, json_pack("{s:s, s:s, s:I}", "name", name, "what", what, "bytes", (json_int_t)about.st_size));
}

/* What there is to take away, in the order in which it is wanted. */
static json_t *files_told(const Snapshot *s) {
    json_t *list = json_array();
    char released[256], beside[300];
    add_file(list, released_name(s->lent[0].name, released), "The release");
    add_file(list, "recipe.yaml", "The recipe: scrim run makes the same release again");
    snprintf(beside, sizeof beside, "%s.manifest.json", released);
    add_file(list, beside, "The manifest: what was done, for the data custodian");
    snprintf(beside, sizeof beside, "%s.seed", released);
    add_file(list, beside, "The seed: keep it secret, with it the randomness can be undone");
    add_file(list, "report.html", "The report, for the data custodian");
    add_file(list, "report-public.html", "The report, for everyone");
    return list;
}

static void remove_old(const Snapshot *s) {
    char released[256], beside[300];
    static const char *const behind[] = { "", ".manifest.json", ".seed" };
    released_name(s->lent[0].name, released);
    for (size_t i = 0; i < 3; i++) {
        snprintf(beside, sizeof beside, "%s%s", released, behind[i]);
        unlink(beside);
    }
    unlink("report.html");
    unlink("report-public.html");
}

/* `run` reads the files again, and may open others: what is released must be what was judged, and no name that a page sends a path. */
static scrim_status check_before_run(Snapshot *s, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    char hash[33];
    for (int64_t i = 0; i < s->lent_count; i++) {
        data_hash(s->lent[i].name, hash);
        if (!strcmp(hash, s->lent[i].hash)) continue;
        fail(error, SCRIM_BAD, "the file has changed since it was opened, and what was judged is not what is in it now");
        advise(error, "Open it again.");
        return of_file(error, s->lent[i].name);
    }
    TRY(steps_base(s, error));
    TRY(steps_take(s, -1, error));
done:
    return status;
}

/* {"keep": true} writes what breaks the policy; {"public": true} makes the public report too. The private folder is where we are, so that
 * every name is the plain one that the recipe has. */
scrim_status work_release(Job *job, void *given, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Snapshot *s = given;
    scrim_host host;
    bool public = json_is_true(json_object_get(s->asked, "public"));
    scrim_args *args = scrim_args_new();
    s->job = job;
    if (!args) TRY(out_of_memory(error));
    TRY(check_before_run(s, error));
    if (!public) remove_old(s);
    TRY(write_recipe(s, error));
    TRY(scrim_args_text(args, "recipe", "recipe.yaml"));
    if (json_is_true(json_object_get(s->asked, "keep"))) TRY(scrim_args_flag(args, "keep"));
    if (public) {
        TRY(scrim_args_flag(args, "public"));
        TRY(scrim_args_text(args, "report", "report-public.html"));
    }
    snapshot_host(s, &host);
    host.table = NULL;
    host.roles = NULL;
    host.no_files = 0;
    TRY(scrim_run(&host, "run", args, &job->result, error));
    job->answer = json_pack("{s:o, s:o}", "result", result_json(job->result), "files", files_told(s));
done:
    scrim_args_free(args);
    snapshot_free(s);
    return status;
}
