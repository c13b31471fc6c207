/* Arrow's IPC format (https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc): files and
 * streams of messages. */
#ifndef SCRIM_IO_IPC_H
#define SCRIM_IO_IPC_H
#include "io/format.h"

bool ipc_is(const char *bytes, size_t count); /* begins as a file or a stream of Arrow does */
/* All batches as one table; every length and offset is checked. `name` is for errors. */
MUST_CHECK Status ipc_read_bytes(Work *work, const char *name, const char *bytes, size_t count, Table **out);
/* Batch by batch, as they were written; the path and the work's arena must stay. */
MUST_CHECK Status ipc_chunks(Work *work, const char *path, const CsvOptions *options, int64_t rows, Chunks *out);

/* Numbers of the format: kinds of messages, and of types. */
enum { IPC_SCHEMA = 1, IPC_DICTIONARY = 2, IPC_RECORDS = 3 };
enum {
    IPC_NULL = 1,
    IPC_INT = 2,
    IPC_FLOAT = 3,
    IPC_UTF8 = 5,
    IPC_BOOL = 6,
    IPC_DECIMAL = 7,
    IPC_DATE = 8,
    IPC_TIMESTAMP = 10,
    IPC_LARGE_UTF8 = 20,
    IPC_UTF8_VIEW = 24
};
enum { IPC_VERSION = 4 }; /* V5 */
#endif
