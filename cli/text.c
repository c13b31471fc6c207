/* Growing text, errors filled in, and memory that lives as long as the program. */
#include "text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool room(Buffer *buffer, size_t more) {
    if (buffer->failed) return false;
    if (buffer->capacity - buffer->count > more) return true;
    size_t capacity = buffer->capacity ? buffer->capacity * 2 : 256;
    while (capacity - buffer->count <= more) capacity *= 2;
    char *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) {
        buffer->failed = true;
        return false;
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void buffer_add(Buffer *buffer, const char *bytes, size_t count) {
    if (!count || !room(buffer, count)) return;
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}
void buffer_text(Buffer *buffer, const char *text) {
    if (text) buffer_add(buffer, text, strlen(text));
}
void buffer_char(Buffer *buffer, char c) { buffer_add(buffer, &c, 1); }

void buffer_print(Buffer *buffer, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length > 0 && room(buffer, (size_t)length + 1)) {
        vsnprintf(buffer->bytes + buffer->count, (size_t)length + 1, format, again);
        buffer->count += (size_t)length;
    }
    va_end(args);
    va_end(again);
}

void buffer_free(Buffer *buffer) {
    free(buffer->bytes);
    *buffer = (Buffer){ 0 };
}

const char *buffer_get(Buffer *buffer) {
    if (!room(buffer, 1)) return "";
    buffer->bytes[buffer->count] = 0;
    return buffer->bytes;
}

/* ---- memory ---- */

typedef struct Kept {
    struct Kept *next;
    max_align_t bytes[];
} Kept;
static Kept *kept;

void no_memory(void) {
    fputs("scrim: out of memory\n", stderr);
    exit(SCRIM_FAILED);
}

void *keep(size_t size) {
    Kept *one = calloc(1, sizeof *one + size);
    if (!one) no_memory();
    one->next = kept;
    kept = one;
    return one->bytes;
}

const char *keep_text(const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    char *text = keep(size);
    vsnprintf(text, size, format, again);
    va_end(args);
    va_end(again);
    return text;
}

void keep_free(void) {
    while (kept) {
        Kept *next = kept->next;
        free(kept);
        kept = next;
    }
}

/* ---- errors ---- */

scrim_status fail(scrim_error *error, scrim_status status, const char *format, ...) {
    va_list args;
    *error = (scrim_error){ .size = sizeof *error, .status = status, .row = -1, .line = -1, .place = -1 };
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

scrim_status advise(scrim_error *error, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(error->advice, sizeof error->advice, format, args);
    va_end(args);
    return error->status;
}

scrim_status of_parameter(scrim_error *error, const char *parameter) {
    snprintf(error->parameter, sizeof error->parameter, "%s", parameter);
    return error->status;
}

scrim_status of_file(scrim_error *error, const char *file) {
    snprintf(error->file, sizeof error->file, "%s", file);
    return error->status;
}
