/* One table in parts, or two side by side: parts of both that begin with the same record. */
#ifndef SCRIM_IO_PAIRED_READER_H
#define SCRIM_IO_PAIRED_READER_H
#include "io/chunk_reader.h"

enum { PAIRED_FILES = 2 };
typedef struct PairedReader PairedReader;
/* `path`: of one table or two. Parts of about `bytes` each, and of no more than `rows` records (0: any number). */
MUST_CHECK Status paired_reader_open(Work *work, const char *const *path, int tables, const CsvOptions *options, size_t bytes, int64_t rows,
                                     PairedReader **out);
/* The next parts, from record first_row on; out[0] NULL at the end. Where one table is at its end, its part has no records. */
MUST_CHECK Status paired_reader_next(PairedReader *abreast, Work *work, Table *out[PAIRED_FILES], int64_t *first_row);
int paired_reader_again(const PairedReader *abreast); /* as chunk_reader_again, of which: 1 or 2; 0: of none */
MUST_CHECK Status paired_reader_rewind(PairedReader *abreast, Work *work);
double paired_reader_share(const PairedReader *abreast); /* of the one that is less far */
void paired_reader_close(PairedReader *abreast);         /* NULL is harmless */
#endif
