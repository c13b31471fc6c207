/* A table by its name, in parts, as often as asked. */
#ifndef SCRIM_IO_PARTED_H
#define SCRIM_IO_PARTED_H
#include "io/csv.h"

typedef struct Parted Parted;
/* Parts of about `bytes`, and of no more than `rows` records (0: any number). BAD where the format is read whole only. */
MUST_CHECK Status parted_open(Work *work, const char *path, const CsvOptions *options, size_t bytes, int64_t rows, Parted **out);
/* The next part, marked as a manifest beside the file says; NULL at the end. first_row: its place in the table. A table without
 * records gives one part, of its columns. */
MUST_CHECK Status parted_next(Parted *parted, Work *work, Table **out, int64_t *first_row);
/* At the end: what was read before had narrower types than the whole file has. All of it is to be read again. */
bool parted_again(const Parted *parted);
MUST_CHECK Status parted_rewind(Parted *parted, Work *work);
double parted_share(const Parted *parted); /* how far it is; 0 where that is not known */
void parted_close(Parted *parted);         /* NULL is harmless */
#endif
