/* FlatBuffers, as much of them as Arrow's metadata needs (https://flatbuffers.dev/internals/): tables, strings, vectors. */
#ifndef SCRIM_IO_ARROW_FLATBUFFERS_H
#define SCRIM_IO_ARROW_FLATBUFFERS_H
#include "base/text.h"

/* ---- reading: every position is checked; 0 stands for what is not there ---- */
typedef struct Flatbuffer {
    const uint8_t *at;
    size_t size;
} Flatbuffer;
/* Where the root table is. */
size_t flat_root(Flatbuffer flat);
int64_t flat_scalar(Flatbuffer flat, size_t table, int slot, int bytes,
                    int64_t otherwise);                     /* a signed whole number of 1, 2, 4 or 8 bytes */
size_t flat_table(Flatbuffer flat, size_t table, int slot); /* where the table of this slot is */
size_t flat_vector(Flatbuffer flat, size_t table, int slot, size_t item,
                   int64_t *count);                                             /* where its items, of so many bytes each, begin */
size_t flat_item(Flatbuffer flat, size_t items, int64_t index);                 /* the table that an item of a vector of tables is */
const char *flat_text(Flatbuffer flat, size_t table, int slot, size_t *length); /* not NUL-terminated; NULL where there is none */
int64_t flat_number(Flatbuffer flat, size_t at, int bytes);                     /* at a known place */

/* ---- writing: forwards, children after parents; a place that refers to a child is filled in when it is written ---- */
typedef struct FlatbufferSlot {
    int bytes;
    int64_t value;
    size_t at;
} FlatbufferSlot; /* bytes 0: absent; REFERENCE: `at` is where to point from; filled in by flat_put_table */
enum { FLAT_REFERENCE = -1 };
size_t flat_put_root(Buffer *out);                                               /* where the root is pointed to from */
void flat_put_table(Buffer *out, size_t from, FlatbufferSlot *slots, int count); /* `from`: the place that refers to it */
/* A string, and its place into `from`. */
void flat_put_text(Buffer *out, size_t from, const char *text);
size_t flat_put_vector(Buffer *out, size_t from, int64_t count, size_t item, size_t align); /* zeroed; where its items begin */
/* Overwrites a number at a known place. */
void flat_set(Buffer *out, size_t at, int64_t value, int bytes);
#endif
