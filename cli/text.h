/* Growing text, errors filled in, and memory that lives as long as the program: what the program's files write with. */
#ifndef SCRIM_CLI_TEXT_H
#define SCRIM_CLI_TEXT_H
#include <stdbool.h>
#include <scrim.h>

#define FORMAT(string, first) __attribute__((format(printf, string, first)))

/* Appending never fails in the caller's hands: once memory is out, `failed` is set and appends do nothing. Zero-initialise. */
typedef struct Buffer {
    char *bytes;
    size_t count, capacity;
    bool failed;
} Buffer;
void buffer_add(Buffer *buffer, const char *bytes, size_t count);
void buffer_text(Buffer *buffer, const char *text);
void buffer_char(Buffer *buffer, char c);
void buffer_print(Buffer *buffer, const char *format, ...) FORMAT(2, 3);
void buffer_free(Buffer *buffer);
const char *buffer_get(Buffer *buffer); /* NUL-terminated; "" when empty or failed */

/* Zeroed memory, and texts, that live until keep_free. The program ends where there is no memory for what its command line says. */
_Noreturn void no_memory(void);
void *keep(size_t size);
const char *keep_text(const char *format, ...) FORMAT(1, 2);
void keep_free(void);

/* An error that the program finds itself. Each returns the error's status, so that it can end a return statement. */
scrim_status fail(scrim_error *error, scrim_status status, const char *format, ...) FORMAT(3, 4);
scrim_status advise(scrim_error *error, const char *format, ...) FORMAT(2, 3);
scrim_status of_parameter(scrim_error *error, const char *parameter);
scrim_status of_file(scrim_error *error, const char *file);

/* Inside a function with `scrim_status status = SCRIM_OK;` and one label `done:`. */
#define TRY(call)                                                                                                                          \
    do {                                                                                                                                   \
        status = (call);                                                                                                                   \
        if (status != SCRIM_OK) goto done;                                                                                                 \
    } while (0)
#endif
