/* What the files that import Arrow arrays share. */
#ifndef SCRIM_IO_ARROW_PRIVATE_H
#define SCRIM_IO_ARROW_PRIVATE_H
#include "io/arrow/arrow.h"

/* Set by the stream on the schemas that it took over: an ordered dictionary keeps the words that do not occur in this batch. */
enum { ARROW_ALL_WORDS = 1 << 20 };

/* Is cell i there? An array without a bitmap has all. */
static inline bool arrow_present(const struct ArrowArray *a, int64_t i) {
    const uint8_t *bits = a->n_buffers ? a->buffers[0] : NULL;
    int64_t at = i + a->offset;
    return !bits || (bits[at >> 3] >> (at & 7)) & 1;
}

/* A whole number of that format; false where it is none, or beyond 2^63. */
bool arrow_whole(char format, const void *values, int64_t i, int64_t *out);
Status arrow_unsupported(const char *name, const char *format, Error *error);
MUST_CHECK Status arrow_decimal(const char *name, const char *format, const struct ArrowArray *a, Column **out, Error *error);
/* Strings: utf8, large utf8 and views, which must be UTF-8 without NULs. */
MUST_CHECK Status arrow_text(const char *name, const char *format, const struct ArrowArray *a, Column **out, Error *error);
/* Codes into a dictionary of strings or whole numbers: a category of those words that occur, sorted unless it says that it is ordered. */
MUST_CHECK Status arrow_dictionary(const char *name, const struct ArrowSchema *s, const struct ArrowArray *a, Column **out, Error *error);
#endif
