/* Results across the edge: rendered, written, saved. */
#include <stdlib.h>
#include <string.h>
#include "api/api.h"
#include "base/file.h"
#include "base/stage.h"
#include "io/open.h"
#include "recipe/manifest.h"
#include "recipe/report.h"
#include "recipe/roles.h"
#include "recipe/verbs.h"
#include "render/render.h"
#include "result/own.h"
#include "result/saved.h"

/* A result that judges is shown as a report: many results under one verdict. */
static void as_html(Work *work, const Result *result, Buffer *text) {
    Report report;
    if (report_from(work, result, false, &report)) render_report(&report, text);
    else render_html(result, result->method, text);
}

static void as_text(Work *work, const Result *result, int width, bool colour, Buffer *text) {
    Report report;
    if (report_from(work, result, true, &report)) render_report_text(&report, width, colour, text);
    else render_text(result, width, colour, text);
}

scrim_status scrim_result_render(const scrim_result *result, const char *format, int width, int colour, char **out, scrim_error *error) {
    Call call;
    Status status = OK;
    Buffer text = { 0 };
    const Result *r = api_result(result);
    if (!call_begin(&call)) status = FAILED;
    else if (!strcmp(format, "json")) render_json(r, &text);
    else if (!strcmp(format, "csv")) render_csv(r, &text);
    else if (!strcmp(format, "html")) as_html(&call.work, r, &text);
    else if (!strcmp(format, "text")) as_text(&call.work, r, width > 0 ? width : 80, colour, &text);
    else status = fail(&call.error, BAD, "there is no format '%s': text, json, csv and html are", format);
    scrim_status answer = api_text(status, &text, out, &call.error, error);
    call_end(&call);
    return answer;
}

scrim_status scrim_result_chart(const scrim_result *result, int64_t index, const char *format, int width, int height, char **out,
                                scrim_error *error) {
    Error local = ERROR_NONE;
    Status status = OK;
    Buffer text = { 0 };
    const Result *r = api_result(result);
    if (index < 0 || index >= r->charts) status = fail(&local, BAD, "%s has no chart of that number", r->method);
    else if (!strcmp(format, "svg")) render_svg(r->chart[index], width, height, &text);
    else if (!strcmp(format, "json")) render_chart_json(r->chart[index], &text);
    else status = fail(&local, BAD, "a chart has no format '%s': json and svg are", format);
    return api_text(status, &text, out, &local, error);
}

/* What the manifest is to name as the input: the path that filled the parameter, unless a table did. */
static Args subject_of(const Result *result, const Method *method, Arg *arg, const char **item) {
    const Param *subject = step_subject(method);
    for (int64_t i = 0; subject && i < result->params; i++) {
        const Given *given = &result->param[i];
        if (!param_is(subject, given->name) || given->handle) continue;
        *item = given->text;
        *arg = (Arg){ .name = subject->name, .count = 1, .items = item };
        return (Args){ 1, arg };
    }
    return (Args){ 0, NULL };
}

static Status write_outputs(Work *work, const Result *r, int64_t first, int64_t count, const char *path, const CsvOptions *csv) {
    Status status = OK;
    const Method *method;
    Arg arg;
    const char *item;
    Stage *stage = NULL;
    if (first < 0 || count < 0 || count > r->outputs || first > r->outputs - count)
        return fail(work->error, BAD, "%s has made no table of that number", r->method);
    TRY(api_method(r->method, &method, work->error));
    Args args = subject_of(r, method, &arg, &item);
    TRY(stage_new(&stage, work->error));
    for (int64_t i = 0; i < count; i++) {
        const char *name = file_numbered(work->arena, path, i + 1), *now = name;
        const Table *table = r->output[first + i];
        if (!name) TRY(fail(work->error, FAILED, "out of memory"));
        if (table->elsewhere) TRY(fail(work->error, BAD, "the records of %s were written as they were made", r->method));
        TRY(table_save_staged(work, stage, table, name, csv, &now));
        if (now != name) TRY(manifest_write(work, stage, name, now, r, table, &args, method, csv));
    }
    status = stage_commit(stage, work->error);
    stage = NULL;
done:
    stage_abandon(stage);
    return status;
}

scrim_status scrim_result_output_write(const scrim_result *result, int64_t first, int64_t count, const char *path,
                                       const scrim_reading *reading, scrim_error *error) {
    Call call;
    CsvOptions csv = api_reading(reading, 1);
    Status status = FAILED;
    if (call_begin(&call)) {
        call.work.threads = csv.threads;
        status = write_outputs(&call.work, api_result(result), first, count, path, &csv);
    }
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

static bool ends(const char *path, const char *suffix) {
    size_t a = strlen(path), b = strlen(suffix);
    return a > b && !strcmp(path + a - b, suffix);
}

static Status save_text(Buffer *text, const char *path, Error *error) {
    return text->failed ? fail(error, FAILED, "out of memory") : file_write(path, text->bytes, text->count, false, error);
}

static Status write_rendered(Work *work, const Result *r, const char *path) {
    Status status = OK;
    Buffer text = { 0 };
    if (ends(path, ".svg")) {
        if (!r->charts) TRY(fail(work->error, BAD, "%s has no chart to write to %s", r->method, path));
        for (int64_t i = 0; i < r->charts; i++) {
            text.count = 0;
            render_svg(r->chart[i], 800, 500, &text);
            TRY(save_text(&text, file_numbered(work->arena, path, i + 1), work->error));
        }
    } else {
        if (ends(path, ".json")) render_json(r, &text);
        else if (ends(path, ".html")) as_html(work, r, &text);
        else if (ends(path, ".yaml") || ends(path, ".yml")) {
            if (!roles_suggested(r, &text)) TRY(fail(work->error, BAD, "%s suggests no roles to write to %s", r->method, path));
        } else TRY(fail(work->error, BAD, "a result is written as .json, .html or .svg, suggested roles as .yaml"));
        TRY(save_text(&text, path, work->error));
    }
done:
    buffer_free(&text);
    return status;
}

scrim_status scrim_result_write(const scrim_result *result, const char *path, scrim_error *error) {
    Call call;
    Status status = call_begin(&call) ? write_rendered(&call.work, api_result(result), path) : FAILED;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

scrim_status scrim_result_verdict(const scrim_result *result, scrim_error *error) {
    Error local = ERROR_NONE;
    return api_error(verb_status(api_result(result), &local), &local, error);
}

scrim_status scrim_result_own(scrim_result *result, scrim_error *error) {
    Error local = ERROR_NONE;
    return api_error(result_own((Result *)result, &local), &local, error);
}

static Status public_edition(const Result *r, Result **out, Error *error) {
    Status status = OK;
    Buffer text = { 0 };
    result_save(r, &text);
    if (text.failed) TRY(fail(error, FAILED, "out of memory"));
    TRY(result_load("the result", text.bytes, text.count, out, error));
    result_public(*out);
done:
    buffer_free(&text);
    return status;
}

scrim_status scrim_result_public(const scrim_result *result, scrim_result **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Result *edition = NULL;
    Status status = public_edition(api_result(result), &edition, &local);
    *out = (scrim_result *)edition;
    return api_error(status, &local, error);
}

scrim_status scrim_result_save(const scrim_result *result, char **out, size_t *count, scrim_error *error) {
    Error local = ERROR_NONE;
    Buffer text = { 0 };
    result_save(api_result(result), &text);
    *count = text.failed ? 0 : text.count;
    return api_text(OK, &text, out, &local, error);
}

scrim_status scrim_result_load(const char *name, const char *bytes, size_t count, scrim_result **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Result *result = NULL;
    Status status = result_load(name, bytes, count, &result, &local);
    *out = (scrim_result *)result;
    return api_error(status, &local, error);
}
