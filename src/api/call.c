/* Errors across the edge, and one call's surroundings. */
#include <stdio.h>
#include <string.h>
#include "api/api.h"

scrim_status api_error(Status status, const Error *from, scrim_error *to) {
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

bool call_begin(Call *call) {
    *call = (Call){ .arena = arena_new(), .error = ERROR_NONE };
    call->work = (Work){ .arena = call->arena, .error = &call->error, .threads = 1 };
    if (!call->arena) fail(&call->error, FAILED, "out of memory");
    return call->arena;
}

void call_end(Call *call) { arena_free(call->arena); }
