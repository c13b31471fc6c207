/* A table written as it comes, part by part: CSV, or Arrow. */
#ifndef SCRIM_IO_SHEET_H
#define SCRIM_IO_SHEET_H
#include "io/csv.h"

typedef struct Sheet Sheet;
bool sheet_can(const char *path); /* can a table be written there part by part? */
/* Nothing is in place before sheet_commit; ends with it or with sheet_abandon. */
MUST_CHECK Status sheet_open(Work *work, const char *path, const CsvOptions *options, Sheet **out);
MUST_CHECK Status sheet_add(Sheet *sheet, Work *work, const Table *part); /* all have the columns of the first */
/* At the end: must all parts be added once more, because how the first are written depends on the last? */
bool sheet_again(const Sheet *sheet);
MUST_CHECK Status sheet_rewind(Sheet *sheet, Work *work);
MUST_CHECK Status sheet_commit(Sheet *sheet, Work *work); /* frees it, whatever happens */
void sheet_abandon(Sheet *sheet);                         /* NULL is harmless */
#endif
