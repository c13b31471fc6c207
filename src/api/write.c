/* Results and tables across the edge into files: whatever one call writes changes together. */
#include <string.h>
#include <unistd.h>
#include "api/api.h"
#include "base/file.h"
#include "base/file_transaction.h"
#include "io/open.h"
#include "recipe/manifest.h"
#include "recipe/proposed_schema.h"
#include "recipe/roles.h"
#include "verb/verbs.h"
#include "render/render.h"
#include "result/saved.h"

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

static Status write_outputs(Work *work, Transaction *stage, const Result *r, int64_t first, int64_t count, const char *path,
                            const CsvOptions *csv) {
    Status status = OK;
    const Method *method;
    Arg arg;
    const char *item;
    if (first < 0 || count < 0 || count > r->outputs || first > r->outputs - count)
        return fail(work->error, BAD, "%s has made no table of that number", r->method);
    TRY(api_method(r->method, &method, work->error));
    Args args = subject_of(r, method, &arg, &item);
    for (int64_t i = 0; i < count; i++) {
        const char *name = file_numbered(work->arena, path, i + 1), *now = name;
        const Table *table = r->output[first + i];
        if (!name) TRY(out_of_memory(work->error));
        if (table->elsewhere) TRY(fail(work->error, BAD, "the records of %s were written as they were made", r->method));
        TRY(table_save_staged(work, stage, table, name, csv, &now));
        if (now != name && !(method->traits & WORKSHEET)) TRY(manifest_write(work, stage, name, now, r, table, &args, method, csv));
    }
done:
    return status;
}

static bool ends(const char *path, const char *suffix) {
    size_t a = strlen(path), b = strlen(suffix);
    return a > b && !strcmp(path + a - b, suffix);
}

int scrim_result_renders(const char *path) {
    if (!path) return 0;
    return ends(path, ".html") || ends(path, ".svg") || ends(path, ".json") || ends(path, ".yaml") || ends(path, ".yml");
}

static Status save_text(Work *work, Transaction *stage, const Buffer *text, unsigned closed, const char *path) {
    const char *now;
    if (!path || text->failed) return out_of_memory(work->error);
    Status status = transaction_path(stage, work->arena, path, closed, &now, work->error);
    return status ? status
                  : transaction_restore_path(work->error, now, path, file_write(now, text->bytes, text->count, false, work->error));
}

static Status write_rendered(Work *work, Transaction *stage, const Result *r, const char *path) {
    Status status = OK;
    Buffer text = { 0 };
    if (ends(path, ".svg")) {
        if (!r->charts) TRY(fail(work->error, BAD, "%s has no chart to write to %s", r->method, path));
        for (int64_t i = 0; i < r->charts; i++) {
            text.count = 0;
            render_svg(r->chart[i], 800, 500, &text);
            TRY(save_text(work, stage, &text, r->closed, file_numbered(work->arena, path, i + 1)));
        }
    } else {
        if (ends(path, ".json") && r->kept) result_save(r, &text); /* to be read back: whole */
        else if (ends(path, ".json")) render_json(r, &text);
        else if (ends(path, ".html")) api_html(work, r, &text);
        else if (ends(path, ".yaml") || ends(path, ".yml")) {
            if (!schema_proposed(r, &text) && !roles_suggested(r, &text))
                TRY(fail(work->error, BAD, "%s suggests no roles to write to %s", r->method, path));
        } else TRY(fail(work->error, BAD, "a result is written as .json, .html or .svg, suggested roles as .yaml"));
        TRY(save_text(work, stage, &text, r->closed, path));
    }
done:
    buffer_free(&text);
    return status;
}

/* ---- several files at once ---- */

/* What was read is not what is written, whatever a method makes of the names: numbered tables and charts, manifests. */
static Status protect_inputs(Transaction *stage, const Result *r, Error *error) {
    const Method *method;
    Status status = api_method(r->method, &method, error);
    for (const Param *p = status ? NULL : method->params; p && p->kind && !status; p++) {
        const bool text = p->kind == KIND_TEXT && strcmp(p->name, "output") && strcmp(p->name, "report");
        for (int64_t i = 0; (text || kind_is_file(p->kind)) && !status && i < r->params; i++) {
            const Given *given = &r->param[i];
            if (!param_is(p, given->name) || given->handle || !given->text || (text && !file_is_regular(given->text))) continue;
            status = table_protect(stage, given->text, error);
        }
    }
    for (int64_t i = 0; i < r->reads && !status; i++) status = table_protect(stage, r->read[i], error);
    return status;
}

/* The input with its per-record columns added, or else the first table. */
static Status write_records(Work *work, Transaction *stage, const Result *r, const char *path, const CsvOptions *csv) {
    Status status = OK;
    const scrim_result *result = (const scrim_result *)r;
    const char *now;
    scrim_table *table = NULL;
    if (!r->columns && !scrim_result_tables(result)) {
        fail(work->error, BAD, "%s makes no table to write to %s", r->method, path);
        return error_advice(work->error, "Use -o with .json or .html for the result itself.");
    }
    table = r->columns ? scrim_result_record_joined(result) : scrim_result_table(result, scrim_result_table_name(result, 0));
    if (!table && r->columns && !r->column[0].input) TRY(fail(work->error, BAD, "%s has no per-record result", r->method));
    if (!table) TRY(out_of_memory(work->error));
    TRY(table_save_staged(work, stage, api_table(table), path, csv, &now));
done:
    scrim_table_free(table);
    return status;
}

typedef struct Writing {
    Work *work;
    Transaction *stage;
    const Result *result, *shown;
    const char *const *paths;
    int64_t count, tables; /* names in all, and those of tables */
    const CsvOptions *csv;
} Writing;

/* Can what goes there be taken back until all is written? Streams, devices and databases cannot. */
static bool waits(const char *path) { return !table_in_database(path) && !file_is_stream(path); }

/* Tables first (put in place last), in their order; the last of their names takes all that are left. */
static Status write_tables(const Writing *w, bool waiting) {
    Status status = OK;
    int64_t outputs = w->result->outputs;
    for (int64_t i = 0, at = 0; !status && i < w->count; i++) {
        const char *path = w->paths[i];
        if (scrim_result_renders(path)) continue;
        int64_t which = at++;
        if (waits(path) != waiting) continue;
        status = outputs ? write_outputs(w->work, w->stage, w->result, which, at == w->tables ? outputs - which : 1, path, w->csv)
                         : write_records(w->work, w->stage, w->result, path, w->csv);
    }
    return status;
}

static Status write_pages(const Writing *w, bool waiting) {
    Status status = OK;
    for (int64_t i = 0; !status && i < w->count; i++)
        if (scrim_result_renders(w->paths[i]) && waits(w->paths[i]) == waiting)
            status = write_rendered(w->work, w->stage, w->shown, w->paths[i]);
    return status;
}

static Status write_all(Writing *w) {
    Status status = OK;
    int64_t outputs = w->result->outputs;
    for (int64_t i = 0; i < w->count; i++) w->tables += !scrim_result_renders(w->paths[i]);
    if (outputs && w->tables > outputs)
        TRY(fail(w->work->error, BAD, "there %s %lld %s to write, and %lld names for them (-o)", outputs == 1 ? "is" : "are",
                 (long long)outputs, outputs == 1 ? "table" : "tables", (long long)w->tables));
    TRY(write_tables(w, true));
    TRY(write_pages(w, true));
    TRY(write_pages(w, false));
    TRY(write_tables(w, false));
done:
    return status;
}

Status api_write_beside(Work *work, Transaction *stage, const Result *result, const Result *shown, const char *const *pages,
                        int64_t count) {
    Status status = protect_inputs(stage, result, work->error);
    const Writing w = { .work = work, .stage = stage, .result = result, .shown = shown, .paths = pages, .count = count };
    if (!status) status = write_pages(&w, true);
    return status ? status : write_pages(&w, false);
}

/* ---- at the edge ---- */

/* What is to be written goes into a stage; `csv` is how. */
static Status writing_begin(Call *call, const scrim_reading *reading, CsvOptions *csv, Transaction **stage) {
    *stage = NULL;
    *csv = api_reading(reading, 1);
    if (!call_begin(call)) return FAILED;
    call->work.threads = csv->threads;
    Status status = api_sized(reading, &call->error);
    return status ? status : transaction_new(stage, &call->error);
}

static scrim_status writing_end(Call *call, Transaction *stage, Status status, scrim_error *error) {
    if (status) transaction_rollback(stage);
    else status = transaction_commit(stage, &call->error);
    scrim_status answer = api_error(status, &call->error, error);
    call_end(call);
    return answer;
}

scrim_status scrim_table_write(const scrim_table *table, const char *path, const scrim_reading *reading, scrim_error *error) {
    Call call;
    Transaction *stage;
    const char *now;
    CsvOptions csv;
    if (!table || !path) return api_absent(error);
    Status status = writing_begin(&call, reading, &csv, &stage);
    if (!status) status = table_save_staged(&call.work, stage, api_table(table), path, &csv, &now);
    return writing_end(&call, stage, status, error);
}

scrim_status scrim_result_output_write(const scrim_result *result, int64_t first, int64_t count, const char *path,
                                       const scrim_reading *reading, scrim_error *error) {
    Call call;
    Transaction *stage;
    CsvOptions csv;
    if (!result || !path) return api_absent(error);
    Status status = writing_begin(&call, reading, &csv, &stage);
    if (!status) status = protect_inputs(stage, api_result(result), &call.error);
    if (!status) status = write_outputs(&call.work, stage, api_result(result), first, count, path, &csv);
    return writing_end(&call, stage, status, error);
}

scrim_status scrim_result_write(const scrim_result *result, const char *path, scrim_error *error) {
    Call call;
    Transaction *stage;
    CsvOptions csv;
    if (!result || !path) return api_absent(error);
    Status status = writing_begin(&call, NULL, &csv, &stage);
    if (!status) status = protect_inputs(stage, api_result(result), &call.error);
    if (!status) status = write_rendered(&call.work, stage, api_result(result), path);
    return writing_end(&call, stage, status, error);
}

scrim_status scrim_result_write_all(const scrim_result *result, const scrim_result *shown, const char *const *paths, int64_t count,
                                    const scrim_reading *reading, scrim_error *error) {
    Call call;
    CsvOptions csv;
    if (!result || count < 0 || (count && !paths)) return api_absent(error);
    for (int64_t i = 0; i < count; i++)
        if (!paths[i]) return api_absent(error);
    Writing w = { .work = &call.work,
                  .result = api_result(result),
                  .shown = api_result(shown ? shown : result),
                  .paths = paths,
                  .count = count,
                  .csv = &csv };
    Status status = writing_begin(&call, reading, &csv, &w.stage);
    if (!status) status = protect_inputs(w.stage, w.result, &call.error);
    if (!status) status = write_all(&w);
    return writing_end(&call, w.stage, status, error);
}
