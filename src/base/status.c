/* Errors: filled once, told as one sentence. */
#define SCRIM_BASE_STATUS_C
#include "base/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/password.h"

_Static_assert(sizeof(void *) == 8 && sizeof(long) == 8, "scrim is for 64-bit systems");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers in files and in Arrow are read as they lie: least byte first");
_Static_assert(sizeof(double) == 8 && sizeof(int) == 4, "reals of 64 bits, ints of 32");

/* What fail() last answered on this thread: the functions below return it where there is no Error to hold it. */
static _Thread_local Status last_status;

Status fail(Error *error, Status status, const char *format, ...) {
    last_status = status;
    if (!error) return status;
    bool show = error->show_values;
    *error = ERROR_NONE;
    error->show_values = show;
    error->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

Status out_of_memory(Error *error) {
    fail(error, FAILED, "out of memory");
    return error_kind(error, ERROR_MEMORY);
}

Status error_kind(Error *error, ErrorKind kind) {
    if (!error) return last_status;
    error->kind = kind;
    return error->status;
}

Status error_advice(Error *error, const char *format, ...) {
    if (!error) return last_status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->advice, sizeof error->advice, format, args);
    va_end(args);
    return error->status;
}

static void put(char *to, size_t size, const char *text) { snprintf(to, size, "%s", text ? text : ""); }

Status error_parameter(Error *error, const char *parameter) {
    if (!error) return last_status;
    put(error->parameter, sizeof error->parameter, parameter);
    for (char *c = error->parameter; *c; c++)
        if (*c == '_') *c = '-'; /* as it is written outside */
    return error->status;
}
Status error_column(Error *error, const char *column) {
    if (!error) return last_status;
    put(error->column, sizeof error->column, column);
    return error->status;
}
/* An address may hold a password: only the scheme of such a name is shown. */
Status error_file(Error *error, const char *file) {
    if (!error) return last_status;
    const char *scheme = file && holds_password(file) ? strstr(file, "://") : NULL;
    if (scheme) snprintf(error->file, sizeof error->file, "%.*s://…", (int)(scheme - file > 20 ? 20 : scheme - file), file);
    else put(error->file, sizeof error->file, file && holds_password(file) ? "(a database)" : file);
    return error->status;
}
Status error_row(Error *error, int64_t row) {
    if (!error) return last_status;
    error->row = row;
    return error->status;
}
void error_part(Error *error, int64_t first) {
    if (error && error->row >= 0) error->row += first;
}
Status error_line(Error *error, int64_t line, int64_t place) {
    if (!error) return last_status;
    error->line = line;
    error->place = place;
    return error->status;
}
Status error_value(Error *error, const char *value) {
    if (!error) return last_status;
    size_t used = strlen(error->message);
    if (error->show_values) snprintf(error->message + used, sizeof error->message - used, ": «%s»", value ? value : "");
    return error->status;
}

/* "people.csv, line 3, character 5, column age: --k: must be 1 to 10. Advice." */
/* A terminal obeys some bytes of what it is shown: names of files and columns are shown with these written out, as \x1b. C0 and DEL, and
 * C1 in UTF-8 (C2 80 to C2 9F). */
void text_printable(const char *text, char *out, size_t size) {
    size_t used = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at && used + 5 < size; at++) {
        const bool wide = at[0] == 0xC2 && at[1] >= 0x80 && at[1] <= 0x9F;
        if (wide) at++;
        if (wide || *at < 0x20 || *at == 0x7F) used += (size_t)snprintf(out + used, size - used, "\\x%02x", *at);
        else out[used++] = (char)*at;
    }
    if (size) out[used] = 0;
}

/* The error as it is, whatever it shows. */
static void plain_text(const Error *error, char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
#define ADD(...)                                                                                                                           \
    do {                                                                                                                                   \
        int wrote = snprintf(out + used, size - used, __VA_ARGS__);                                                                        \
        used = wrote < 0 ? used : used + (size_t)wrote >= size ? size - 1 : used + (size_t)wrote;                                          \
    } while (0)
    const char *comma = "";
    if (error->file[0]) {
        ADD("%s", error->file);
        comma = ", ";
    }
    if (error->line >= 0) {
        ADD("%sline %lld", comma, (long long)error->line);
        comma = ", ";
    }
    if (error->place >= 0) {
        ADD("%scharacter %lld", comma, (long long)error->place);
        comma = ", ";
    }
    if (error->row >= 0) {
        ADD("%srecord %lld", comma, (long long)error->row + 1);
        comma = ", ";
    }
    if (error->column[0]) {
        ADD("%scolumn '%s'", comma, error->column);
        comma = ", ";
    }
    if (*comma) ADD(": ");
    if (error->parameter[0]) ADD("--%s: ", error->parameter);
    ADD("%s", error->message);
    size_t end = strlen(out);
    if (end && end + 1 < size && !strchr(".!?", out[end - 1])) ADD(".");
    if (error->advice[0]) ADD(" %s", error->advice);
#undef ADD
}

void error_text(const Error *error, char *out, size_t size) {
    char plain[sizeof *error + 128];
    plain_text(error, plain, sizeof plain);
    text_printable(plain, out, size);
}

bool error_of_machine(const Error *error) { return error->status == FAILED && (error->kind == ERROR_MEMORY || error->file[0]); }

static _Thread_local bool lost;
void memory_lost_note(void) { lost = true; }
bool memory_lost(void) { return lost; }
bool memory_lost_take(void) {
    bool was = lost;
    lost = false;
    return was;
}
