/* Results across the edge: rendered, judged, saved. */
#include <stdlib.h>
#include <string.h>
#include "api/api.h"
#include "report/verdict.h"
#include "verb/verbs.h"
#include "render/render.h"
#include "result/detach.h"
#include "result/saved.h"

/* A result that judges is shown as a report: many results under one verdict. */
void api_html(Work *work, const Result *result, Buffer *text) {
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
    if (!result || !format || !out) return api_absent(error);
    if (!call_begin(&call)) status = FAILED;
    else if (!strcmp(format, "json")) render_json(r, &text);
    else if (!strcmp(format, "csv")) render_csv(r, &text);
    else if (!strcmp(format, "html")) api_html(&call.work, r, &text);
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
    if (!result || !format || !out) return api_absent(error);
    if (index < 0 || index >= r->charts) status = fail(&local, BAD, "%s has no chart of that number", r->method);
    else if (!strcmp(format, "svg")) render_svg(r->chart[index], width, height, &text);
    else if (!strcmp(format, "json")) render_chart_json(r->chart[index], &text);
    else status = fail(&local, BAD, "a chart has no format '%s': json and svg are", format);
    return api_text(status, &text, out, &local, error);
}

scrim_status scrim_result_verdict(const scrim_result *result, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!result) return api_absent(error);
    return api_error(verb_status(api_result(result), &local), &local, error);
}

scrim_status scrim_result_own(scrim_result *result, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!result) return api_absent(error);
    return api_error(result_detach((Result *)result, &local), &local, error);
}

Status api_public(const Result *r, Result **out, Error *error) {
    Status status = OK;
    Buffer text = { 0 };
    result_save(r, &text);
    if (text.failed) TRY(out_of_memory(error));
    TRY(result_load("the result", text.bytes, text.count, out, error));
    result_public(*out);
done:
    buffer_free(&text);
    return status;
}

scrim_status scrim_result_public(const scrim_result *result, scrim_result **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Result *edition = NULL;
    if (!result || !out) return api_absent(error);
    Status status = api_public(api_result(result), &edition, &local);
    *out = (scrim_result *)edition;
    return api_error(status, &local, error);
}

scrim_status scrim_result_save(const scrim_result *result, char **out, size_t *count, scrim_error *error) {
    Error local = ERROR_NONE;
    Buffer text = { 0 };
    if (!result || !out || !count) return api_absent(error);
    result_save(api_result(result), &text);
    *count = text.failed ? 0 : text.count;
    return api_text(OK, &text, out, &local, error);
}

scrim_status scrim_result_load(const char *name, const char *bytes, size_t count, scrim_result **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Result *result = NULL;
    if (!bytes || !out) return api_absent(error);
    Status status = result_load(name, bytes, count, &result, &local);
    *out = (scrim_result *)result;
    return api_error(status, &local, error);
}
