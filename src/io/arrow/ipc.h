/* Arrow's IPC format (https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc): files and
 * streams of messages. */
#ifndef SCRIM_IO_ARROW_IPC_H
#define SCRIM_IO_ARROW_IPC_H
#include "io/format.h"

bool ipc_is(const char *bytes, size_t count); /* begins as a file or a stream of Arrow does */
/* All batches as one table; every length and offset is checked. `name` is for errors. */
MUST_CHECK Status ipc_read_bytes(Work *work, const char *name, const char *bytes, size_t count, Table **out);
MUST_CHECK Status ipc_read_from(Work *work, const char *name, const Bytes *bytes, Table **out); /* of a file that may be mapped */
/* Batch by batch, as they were written; the path and the work's arena must stay. */
MUST_CHECK Status ipc_chunks(Work *work, const char *path, const CsvOptions *options, int64_t rows, Chunks *out);

/* Writing part by part, each a batch; words as text, since a dictionary stands before all records. Ends with commit or abandon. */
typedef struct IpcSheet IpcSheet;
MUST_CHECK Status ipc_sheet_open(Work *work, const char *path, IpcSheet **out);
MUST_CHECK Status ipc_sheet_add(IpcSheet *sheet, Work *work, const Table *part);
bool ipc_sheet_again(const IpcSheet *sheet); /* a column of whole numbers turned out to hold others: all parts once more */
MUST_CHECK Status ipc_sheet_rewind(IpcSheet *sheet, Work *work);
MUST_CHECK Status ipc_sheet_commit(IpcSheet *sheet, Work *work); /* frees it, whatever happens */
void ipc_sheet_abandon(IpcSheet *sheet);                         /* NULL is harmless */

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
