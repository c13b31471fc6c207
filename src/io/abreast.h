/* One table in parts, or two side by side: parts of both that begin with the same record. */
#ifndef SCRIM_IO_ABREAST_H
#define SCRIM_IO_ABREAST_H
#include "io/parted.h"

enum { ABREAST = 2 };
typedef struct Abreast Abreast;
/* `path`: of one table or two. Parts of about `bytes` each, and of no more than `rows` records (0: any number). */
MUST_CHECK Status abreast_open(Work *work, const char *const *path, int tables, const CsvOptions *options, size_t bytes, int64_t rows,
                               Abreast **out);
/* The next parts, from record first_row on; out[0] NULL at the end. Where one table is at its end, its part has no records. */
MUST_CHECK Status abreast_next(Abreast *abreast, Work *work, Table *out[ABREAST], int64_t *first_row);
int abreast_again(const Abreast *abreast); /* as parted_again, of which: 1 or 2; 0: of none */
MUST_CHECK Status abreast_rewind(Abreast *abreast, Work *work);
double abreast_share(const Abreast *abreast); /* of the one that is less far */
void abreast_close(Abreast *abreast);         /* NULL is harmless */
#endif
