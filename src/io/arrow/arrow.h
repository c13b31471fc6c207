/* Tables by the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html). */
#ifndef SCRIM_IO_ARROW_ARROW_H
#define SCRIM_IO_ARROW_ARROW_H
#include "table/table.h"

/* As scrim.h has them, which this room does not know. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/* A struct array of columns into a table; both structs are taken over, also on error. Doubles, 64-bit integers, date32 and timestamps in
 * microseconds stay in the producer's memory, which is released with the last column of it that anyone holds, from whichever thread lets
 * go; unless something stands under a missing cell. An array without a release is lent for the call alone, and copied. Taken: bool and
 * (u)int8…64 (as integer), half, float, double and decimals (as real; as integer where they have at most 18 digits and none after the
 * point), utf8, large utf8 and utf8 views (as text), date32, date64 and timestamps (as datetime), null (as reals that are all missing), and
 * dictionaries of text or whole numbers (as category). */
MUST_CHECK Status arrow_import(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, Table **out, Error *error);
/* The table shared as a struct array; numbers, dates, categories' codes and bitmaps are not copied. */
MUST_CHECK Status arrow_export(const Table *table, struct ArrowSchema *schema, struct ArrowArray *array, Error *error);
/* All that the stream gives, as one table; the stream is released, also on error. Batches of one schema may have different dictionaries. */
MUST_CHECK Status arrow_import_stream(const char *name, struct ArrowArrayStream *stream, Table **out, Error *error);
/* The table as a stream of one batch. The consumer releases it. */
MUST_CHECK Status arrow_export_stream(const Table *table, struct ArrowArrayStream *stream, Error *error);
#endif
