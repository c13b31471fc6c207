/* Errors and texts across the edge, and one call's surroundings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "api/api.h"
#include "base/file.h"
#include "base/file_journal.h"
#include "base/file_transaction.h"

const Table api_no_table;
const Result api_no_result;

scrim_status api_absent(scrim_error *error) {
    Error local = ERROR_NONE;
    return api_error(fail(&local, BAD, "an argument that is needed is NULL"), &local, error);
}

scrim_status api_error(Status status, const Error *from, scrim_error *to) {
    Error local = ERROR_NONE;
    if (memory_lost_take() && status != INTERRUPTED && status != FAILED) { /* what is bad may be so by it */
        status = out_of_memory(&local);
        from = &local;
    }
    if (to && to->size >= sizeof(size_t)) {
        scrim_error full = { .size = to->size, .status = (scrim_status)status, .row = from->row, .line = from->line, .place = from->place };
        memcpy(full.file, from->file, sizeof full.file);
        memcpy(full.column, from->column, sizeof full.column);
        memcpy(full.parameter, from->parameter, sizeof full.parameter);
        memcpy(full.message, from->message, sizeof full.message);
        memcpy(full.advice, from->advice, sizeof full.advice);
        memcpy(to, &full, to->size < sizeof full ? to->size : sizeof full);
    }
    return (scrim_status)status;
}

void api_error_back(const scrim_error *from, Error *to) {
    fail(to, (Status)from->status, "%s", from->message);
    if (from->advice[0]) error_advice(to, "%s", from->advice);
    error_file(to, from->file);
    error_column(to, from->column);
    error_parameter(to, from->parameter);
    to->row = from->row;
    to->line = from->line;
    to->place = from->place;
}

/* The caller's struct may be of an older size; what it lacks is unset. */
void scrim_error_text(const scrim_error *error, char *out, size_t size) {
    scrim_error full = { .row = -1, .line = -1, .place = -1 };
    Error inner = ERROR_NONE;
    if (!out || !size) return;
    out[0] = 0;
    if (!error) return;
    memcpy(&full, error, error->size < sizeof full ? error->size : sizeof full);
    api_error_back(&full, &inner);
    error_text(&inner, out, size);
}

scrim_status api_text(Status status, Buffer *text, char **out, Error *local, scrim_error *error) {
    *out = NULL;
    if (!status && (text->failed || memory_lost())) status = out_of_memory(local);
    if (!status && !(*out = strdup(buffer_get(text)))) status = out_of_memory(local);
    buffer_free(text);
    return api_error(status, local, error);
}

void scrim_text_free(char *text) { free(text); }

bool call_begin(Call *call) {
    *call = (Call){ .arena = arena_new(), .error = ERROR_NONE };
    call->work = (Work){ .arena = call->arena, .error = &call->error, .threads = 1 };
    if (!call->arena) out_of_memory(&call->error);
    return call->arena;
}

void call_end(Call *call) { arena_free(call->arena); }

/* ---- stopping ---- */

struct scrim_cancel {
    atomic_int set;
};
scrim_cancel *scrim_cancel_new(void) { return calloc(1, sizeof(scrim_cancel)); }
void scrim_cancel_set(scrim_cancel *cancel) {
    if (cancel) atomic_store(&cancel->set, 1);
}
void scrim_cancel_free(scrim_cancel *cancel) { free(cancel); }
atomic_int *api_cancel(scrim_cancel *cancel) { return &cancel->set; }
void scrim_abandon(void) { outputs_abandon_all(); }
void scrim_map_files(int yes) { bytes_map_large(yes != 0); }
void scrim_notices(void (*tell)(const char *text)) { file_notices(tell); }

/* As it will be written: what a killed probe leaves is known to the next run, and removed. */
scrim_status scrim_writable(const char *path, scrim_error *error) {
    Call call;
    Transaction *probe = NULL;
    const char *now;
    if (!path) return api_absent(error);
    if (file_is_stream(path)) return SCRIM_OK; /* pipes and devices are written straight */
    Status status = call_begin(&call) ? transaction_new(&probe, &call.error) : FAILED;
    if (!status) status = transaction_path(probe, call.arena, path, 0, &now, &call.error);
    transaction_rollback(probe);
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}
