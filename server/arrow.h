/* The Arrow C data interface, as its specification has it (https://arrow.apache.org/docs/format/CDataInterface.html). */
#ifndef SCRIM_SERVER_ARROW_H
#define SCRIM_SERVER_ARROW_H
#include <stdint.h>

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
