/* A table by its name, in parts, as often as asked. */
#ifndef SCRIM_IO_CHUNK_READER_H
#define SCRIM_IO_CHUNK_READER_H
#include "io/csv/csv.h"

typedef struct ChunkReader ChunkReader;
/* Parts of about `bytes`, and of no more than `rows` records (0: any number). BAD where the format is read whole only. */
MUST_CHECK Status chunk_reader_open(Work *work, const char *path, const CsvOptions *options, size_t bytes, int64_t rows, ChunkReader **out);
/* The next part, marked as a manifest beside the file says; NULL at the end. first_row: its place in the table. A table without
 * records gives one part, of its columns. */
MUST_CHECK Status chunk_reader_next(ChunkReader *parted, Work *work, Table **out, int64_t *first_row);
/* At the end: what was read before had narrower types than the whole file has. All of it is to be read again. */
bool chunk_reader_again(const ChunkReader *parted);
MUST_CHECK Status chunk_reader_rewind(ChunkReader *parted, Work *work);
double chunk_reader_share(const ChunkReader *parted); /* how far it is; 0 where that is not known */
void chunk_reader_close(ChunkReader *parted);         /* NULL is harmless */
#endif
