/* A table written as it comes, part by part: CSV, or Arrow. */
#ifndef SCRIM_IO_CHUNK_WRITER_H
#define SCRIM_IO_CHUNK_WRITER_H
#include "io/csv/csv.h"

typedef struct ChunkWriter ChunkWriter;
bool chunk_writer_can(const char *path); /* can a table be written there part by part? */
/* Nothing is in place before chunk_writer_commit; ends with it or with chunk_writer_abandon. */
MUST_CHECK Status chunk_writer_open(Work *work, const char *path, const CsvOptions *options, ChunkWriter **out);
MUST_CHECK Status chunk_writer_add(ChunkWriter *sheet, Work *work, const Table *part); /* all have the columns of the first */
/* At the end: must all parts be added once more, because how the first are written depends on the last? */
bool chunk_writer_again(const ChunkWriter *sheet);
MUST_CHECK Status chunk_writer_rewind(ChunkWriter *sheet, Work *work);
MUST_CHECK Status chunk_writer_commit(ChunkWriter *sheet, Work *work); /* frees it, whatever happens */
void chunk_writer_abandon(ChunkWriter *sheet);                         /* NULL is harmless */
#endif
