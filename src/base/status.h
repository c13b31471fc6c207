/* How every fallible function answers: a Status, and an Error that says what, where and what to do. */
#ifndef SCRIM_BASE_STATUS_H
#define SCRIM_BASE_STATUS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are the program's exit codes. */
typedef enum { OK = 0, FAILED = 1, BAD = 2, REFUSED = 3, INTERRUPTED = 130 } Status;

#if defined(__GNUC__)
#define MUST_CHECK __attribute__((warn_unused_result))
#define FORMAT(string, first) __attribute__((format(printf, string, first)))
#else
#define MUST_CHECK
#define FORMAT(string, first)
#endif

/* What decisions are made by: an error's text is for people alone. */
typedef enum {
    ERROR_OTHER,
    ERROR_MEMORY,  /* memory ran out */
    ERROR_SIMILAR, /* there is no such name, and the advice names a similar one */
} ErrorKind;

/* Fixed in size: filling it never allocates. Unset places are empty or -1. A confidential cell value gets in
 * only through error_value(), and only where show_values was allowed. */
typedef struct Error {
    Status status;
    ErrorKind kind;
    bool show_values;
    int64_t row;   /* 0-based record, or -1 */
    int64_t line;  /* 1-based line of a file, or -1 */
    int64_t place; /* 1-based character within that line, or -1 */
    char file[256];
    char column[128];
    char parameter[64];
    char message[768];
    char advice[384];
} Error;

#define ERROR_NONE ((Error){ .row = -1, .line = -1, .place = -1 })

/* Sets status and message (any earlier content but show_values is cleared) and returns status. error may be NULL. */
Status fail(Error *error, Status status, const char *format, ...) FORMAT(3, 4);
/* Answers FAILED, "out of memory". */
Status out_of_memory(Error *error);
/* Adds to an error that fail() has filled; each returns the error's status so that it can end a return statement. */
Status error_advice(Error *error, const char *format, ...) FORMAT(2, 3);
Status error_kind(Error *error, ErrorKind kind);
Status error_parameter(Error *error, const char *parameter);
Status error_column(Error *error, const char *column);
Status error_file(Error *error, const char *file);
Status error_row(Error *error, int64_t row);
void error_part(Error *error, int64_t first); /* the record, if one is told, is of a part that begins with this one */
Status error_line(Error *error, int64_t line, int64_t place);
/* Appends ": «value»" to the message, only where show_values is set. */
Status error_value(Error *error, const char *value);
/* Without bytes that a terminal obeys: control characters are written out, as \\x1b. Cut where `size` does not hold it. */
void text_printable(const char *text, char *out, size_t size);
/* The error as one sentence or two, printable, without a trailing newline. */
void error_text(const Error *error, char *out, size_t size);

#if defined(__clang_analyzer__) && !defined(SCRIM_BASE_STATUS_C)
/* None of these answers OK, which anyone who reads one file at a time cannot know. */
#define fail(error, status, ...) ((void)(fail)(error, status, __VA_ARGS__), (status))
#define out_of_memory(error) ((void)(out_of_memory)(error), FAILED)
#define error_kind(error, kind) ((void)(error_kind)(error, kind), BAD)
#define error_advice(...) ((void)(error_advice)(__VA_ARGS__), BAD)
#define error_parameter(error, text) ((void)(error_parameter)(error, text), BAD)
#define error_column(error, text) ((void)(error_column)(error, text), BAD)
#define error_file(error, text) ((void)(error_file)(error, text), BAD)
#define error_row(error, row) ((void)(error_row)(error, row), BAD)
#define error_line(error, line, place) ((void)(error_line)(error, line, place), BAD)
#endif

/* Did the machine fail (memory, a file that could not be read or written), and not the method? Then nothing else is to be tried. */
bool error_of_machine(const Error *error);

/* Memory that ran out where nobody could be told (a text that is left empty, a copy that is NULL): noted for this thread, and asked for
 * before anything is put in place and wherever a method or a call ends. memory_lost_take() forgets it. */
void memory_lost_note(void);
bool memory_lost(void);
bool memory_lost_take(void);

/* Inside a function with `Status status = OK;` and one label `done:`. */
#define TRY(call)                                                                                                                          \
    do {                                                                                                                                   \
        status = (call);                                                                                                                   \
        if (status != OK) goto done;                                                                                                       \
    } while (0)
#endif
