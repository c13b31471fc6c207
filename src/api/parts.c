/* Running in parts across the edge: files, and jobs. */
#include <stdlib.h>
#include <string.h>
#include "api/api.h"
#include "method/parts.h"
#include "verb/out_of_core.h"

const char *scrim_methods_in_parts(const char *method) {
    const Method *found;
    return !method || api_method(method, &found, NULL) ? NULL : parts_name(found);
}

int64_t scrim_parts_memory(const char *method, const scrim_args *args, const char *output) {
    const Method *found;
    return !method || api_method(method, &found, NULL) ? 0 : parts_memory(found, api_args(args), output);
}

static Status run_file(Call *call, const scrim_host *host, const char *name, const scrim_args *args, PartPlan *plan, Result **out) {
    Status status = OK;
    const Method *method;
    HostAdapter lender;
    Session session = { 0 };
    host_adapter_open(&lender, host, &call->work);
    TRY(host_adapter_method(&lender, name, &method, &call->error));
    if (lender.lent.no_files) TRY(fail(&call->error, BAD, "this caller opens no files"));
    plan->csv = api_reading(lender.lent.reading, call->work.threads);
    plan->need_records = lender.needs_records;
    TRY(api_session(&lender, &call->work, args, &session, &call->error));
    const Args *given = api_args(args), *roles = api_args(lender.lent.roles);
    TRY(api_roles(call, method, &given, &roles));
    TRY(run_out_of_core(&call->work, &session, method, given, roles, plan, out));
done:
    memset(&session.seed, 0, sizeof session.seed);
    host_adapter_close(&lender);
    return status;
}

/* Before the table is put in its place: its pages lie beside it, or nothing is written. */
static Status write_pages(void *self, Work *work, Transaction *stage, const Result *result) {
    Status status = OK;
    const scrim_parts *parts = self;
    Result *edition = NULL;
    if (parts->everyone && !result->outputs) {
        fail(work->error, BAD, "an edition for everyone has nothing of single records");
        TRY(error_advice(work->error, "Use -o with .html or .json for the result itself."));
    }
    if (parts->everyone) TRY(api_public(result, &edition, work->error));
    TRY(api_write_beside(work, stage, result, edition ? edition : result, parts->pages, parts->page_count));
done:
    result_free(edition);
    return status;
}

scrim_status scrim_run_parts(const scrim_host *host, const char *method, const scrim_args *args, const scrim_parts *parts,
                             scrim_result **out, scrim_error *error) {
    Call call;
    Result *result = NULL;
    scrim_parts own = { 0 };
    if (!method || !out || !parts) return api_absent(error);
    memcpy(&own, parts, parts->size < sizeof own ? parts->size : sizeof own);
    if (own.page_count < 0 || (own.page_count && !own.pages)) return api_absent(error);
    for (int64_t i = 0; i < own.page_count; i++)
        if (!own.pages[i]) return api_absent(error);
    PartPlan plan = { .memory = own.max_memory, .rows = own.rows, .output = own.output, .also = write_pages, .self = &own };
    Status status = FAILED;
    if (call_begin(&call))
        status = parts->size < sizeof parts->size ? fail(&call.error, BAD, "the size of a scrim_parts is not set")
                                                  : run_file(&call, host, method, args, &plan, &result);
    *out = (scrim_result *)result;
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

scrim_status scrim_run_in_parts(const scrim_host *host, const char *method, const scrim_args *args, int64_t max_memory, int64_t rows,
                                const char *output, scrim_result **out, scrim_error *error) {
    const scrim_parts parts = { .size = sizeof parts, .max_memory = max_memory, .rows = rows, .output = output };
    return scrim_run_parts(host, method, args, &parts, out, error);
}

/* ---- jobs ---- */

struct scrim_job {
    Call call; /* first of all: the lender refers to its work */
    HostAdapter lender;
    Job *job;
};

scrim_status scrim_job_new(const scrim_host *host, const char *method, const scrim_args *args, scrim_job **out, scrim_error *error) {
    Status status = OK;
    Error local = ERROR_NONE;
    const Method *found;
    Session session = { 0 };
    if (!method || !out) return api_absent(error);
    scrim_job *job = calloc(1, sizeof *job);
    *out = NULL;
    if (!job || !call_begin(&job->call)) {
        free(job);
        out_of_memory(&local);
        return api_error(FAILED, &local, error);
    }
    host_adapter_open(&job->lender, host, &job->call.work);
    TRY(host_adapter_method(&job->lender, method, &found, &local));
    TRY(api_session(&job->lender, &job->call.work, args, &session, &local));
    const Args *given = api_args(args), *roles = api_args(job->lender.lent.roles);
    job->call.work.error = &local;
    TRY(api_roles(&job->call, found, &given, &roles));
    TRY(job_new(&session, found, given, roles, &job->job, &local));
    job->call.work.error = &job->call.error;
    *out = job;
    job = NULL;
done:
    memset(&session.seed, 0, sizeof session.seed);
    scrim_job_free(job);
    return api_error(status, &local, error);
}

void scrim_job_free(scrim_job *job) {
    if (!job) return;
    job_free(job->job);
    host_adapter_close(&job->lender);
    call_end(&job->call);
    free(job);
}

static Status fit(scrim_job *job, const scrim_table *part, const scrim_table *beside, int64_t first_row, Error *error) {
    return job_fit_both(job->job, (const Table *[PART_TABLES]){ api_table(part), beside ? api_table(beside) : NULL }, first_row, error);
}

scrim_status scrim_job_fit(scrim_job *job, const scrim_table *part, int64_t first_row, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!job || !part) return api_absent(error);
    return api_error(fit(job, part, NULL, first_row, &local), &local, error);
}

scrim_status scrim_job_fit_both(scrim_job *job, const scrim_table *part, const scrim_table *beside, int64_t first_row, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!job || !part || !beside) return api_absent(error);
    return api_error(fit(job, part, beside, first_row, &local), &local, error);
}

scrim_status scrim_job_state(scrim_job *job, char **out, size_t *count, scrim_error *error) {
    return scrim_job_piece(job, 0, 1, out, count, error);
}

scrim_status scrim_job_piece(scrim_job *job, int64_t piece, int64_t pieces, char **out, size_t *count, scrim_error *error) {
    Error local = ERROR_NONE;
    Buffer bytes = { 0 };
    if (!job || !out || !count) return api_absent(error);
    Status status = job_state_piece(job->job, piece, pieces, &bytes, &local);
    *out = status ? NULL : malloc(bytes.count + 1);
    *count = bytes.count;
    if (*out) memcpy(*out, bytes.bytes, bytes.count);
    else if (!status) status = out_of_memory(&local);
    buffer_free(&bytes);
    return api_error(status, &local, error);
}

scrim_status scrim_job_merge(scrim_job *job, const char *bytes, size_t count, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!job || !bytes) return api_absent(error);
    return api_error(job_merge(job->job, bytes, count, &local), &local, error);
}

scrim_status scrim_job_finish(scrim_job *job, scrim_error *error) {
    Error local = ERROR_NONE;
    if (!job) return api_absent(error);
    return api_error(job_finish(job->job, &local), &local, error);
}

static scrim_status apply(scrim_job *job, const scrim_table *part, const scrim_table *beside, int64_t first_row, scrim_table **out,
                          scrim_error *error) {
    Error local = ERROR_NONE;
    Table *table = NULL;
    const Table *both[PART_TABLES] = { api_table(part), beside ? api_table(beside) : NULL };
    Status status = job_apply_both(job->job, both, first_row, &table, &local);
    *out = (scrim_table *)table;
    return api_error(status, &local, error);
}

scrim_status scrim_job_apply(scrim_job *job, const scrim_table *part, int64_t first_row, scrim_table **out, scrim_error *error) {
    return job && part && out ? apply(job, part, NULL, first_row, out, error) : api_absent(error);
}

scrim_status scrim_job_apply_both(scrim_job *job, const scrim_table *part, const scrim_table *beside, int64_t first_row, scrim_table **out,
                                  scrim_error *error) {
    return job && part && beside && out ? apply(job, part, beside, first_row, out, error) : api_absent(error);
}

scrim_status scrim_job_result(scrim_job *job, scrim_result **out, scrim_error *error) {
    Error local = ERROR_NONE;
    Result *result = NULL;
    if (!job || !out) return api_absent(error);
    Status status = job_result(job->job, &result, &local);
    *out = (scrim_result *)result;
    return api_error(status, &local, error);
}
