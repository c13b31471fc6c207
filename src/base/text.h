/* Growing text, names compared and matched, UTF-8. */
#ifndef SCRIM_BASE_TEXT_H
#define SCRIM_BASE_TEXT_H
#include "base/status.h"

/* Appending never fails in the caller's hands: once memory is out, `failed` is set and appends do nothing. Zero-initialise. */
typedef struct Buffer {
    char *bytes;
    size_t count, capacity;
    bool failed;
} Buffer;
/* Append bytes, a text, a character; copied. */
void buffer_add(Buffer *buffer, const char *bytes, size_t count);
void buffer_text(Buffer *buffer, const char *text);
void buffer_char(Buffer *buffer, char c);
void buffer_print(Buffer *buffer, const char *format, ...)
    FORMAT(2, 3); /* no floating-point conversions: numbers go through base/number_text.h */
/* Gives the bytes back and leaves an empty buffer; harmless when zeroed. */
void buffer_free(Buffer *buffer);
const char *buffer_get(Buffer *buffer); /* NUL-terminated; "" when empty or failed */

/* The candidate nearest to `name` by edit distance (case folded), or NULL when none is near enough to be a slip. */
const char *nearest_name(const char *name, const char *const *candidates, size_t count);
bool same_text(const char *a, const char *b); /* NULL equals only NULL */
/* Length of the UTF-8 sequence at p (1–4), 0 where invalid. */
int utf8_length(const char *p, const char *end);
/* What keeps these bytes from being a text, in words ("holds a NUL byte", "is not UTF-8"); NULL where nothing does. */
const char *text_fault(const char *at, size_t length);
int64_t utf8_count(const char *text); /* code points */
int utf8_width(const char *text);     /* columns on a terminal, near enough */
/* Cuts a line at its tabs, in place; false where it has another number of fields, or an empty one. */
bool text_cut_fields(char *line, int fields, char **field);
#endif
