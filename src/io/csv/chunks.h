/* CSV in parts: read as often as asked, in bounded memory; written as it comes. */
#ifndef SCRIM_IO_CSV_CHUNKS_H
#define SCRIM_IO_CSV_CHUNKS_H
#include "io/csv/csv.h"

/* Types follow from the whole file, as when it is read at once: they are what was seen so far, and where a later part holds more, the rest
 * is looked through and the reader says that it must begin again. */
typedef struct CsvChunks CsvChunks;
/* Parts of about `bytes` of the file, or of `rows` records where that is fewer (0: any number). */
MUST_CHECK Status csv_chunks_open(Work *work, const char *path, const CsvOptions *options, size_t bytes, int64_t rows, CsvChunks **out);
/* The next part; NULL at the end, or where it must begin again. */
MUST_CHECK Status csv_chunks_next(CsvChunks *parted, Work *work, Table **out);
bool csv_chunks_again(const CsvChunks *parted); /* what was read so far had narrower types than the file has: rewind */
MUST_CHECK Status csv_chunks_rewind(CsvChunks *parted, Error *error);
double csv_chunks_share(const CsvChunks *parted);
void csv_chunks_close(CsvChunks *parted);

/* Writing: the bytes that csv_write would give for all parts as one table. How a column is written may depend on all of it: then
 * csv_sheet_again says so at the end, and all is written once more. */
typedef struct CsvSheet CsvSheet;
/* Nothing is in place before csv_sheet_commit; ends with it or with csv_sheet_abandon. */
MUST_CHECK Status csv_sheet_open(Work *work, const char *path, const CsvOptions *options, CsvSheet **out);
/* The next part; all have the columns of the first. */
MUST_CHECK Status csv_sheet_add(CsvSheet *sheet, Work *work, const Table *part);
/* At the end: must all parts be added once more? */
bool csv_sheet_again(const CsvSheet *sheet);
MUST_CHECK Status csv_sheet_rewind(CsvSheet *sheet, Work *work); /* from the first part on, with what is known now */
MUST_CHECK Status csv_sheet_commit(CsvSheet *sheet, Work *work); /* frees it, whatever happens */
void csv_sheet_abandon(CsvSheet *sheet);                         /* NULL is harmless */
#endif
