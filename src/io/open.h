/* A table by its name, a name for a table: its suffix or prefix says the format (io/format.h); "-" is a standard stream. */
#ifndef SCRIM_IO_OPEN_H
#define SCRIM_IO_OPEN_H
#include "base/file_transaction.h"
#include "io/csv/csv.h"

struct Format; /* io/format.h */

/* By suffix; a manifest beside it says whether it was perturbed. */
MUST_CHECK Status table_open(Work *work, const char *path, const CsvOptions *options, Table **out);
/* Its format by its name; a stream carries CSV. */
MUST_CHECK Status table_format(const char *path, const struct Format **out, Error *error);
/* What the manifest beside the file says of the table, or of a part of it. */
MUST_CHECK Status table_marks(Work *work, const char *path, Table *table);
bool table_in_database(const char *name); /* goes by a prefix: no file of its own to put aside or to write a manifest beside */
MUST_CHECK Status table_save(Work *work, const Table *table, const char *path, const CsvOptions *options);
/* The same aside, put in place with the rest of the stage, the structure of a table of cells with it. `now`: where it lies until then
 * (`path` itself for a stream or a database). */
MUST_CHECK Status table_save_staged(Work *work, Transaction *stage, const Table *table, const char *path, const CsvOptions *options,
                                    const char **now);
/* One and the same file, or the same table of one database. */
bool table_same(const char *name, const char *other);
bool table_replaces(const char *name, const char *output); /* that, or the output is a table that the query `name` has as a word */
/* What reading `names` (one name, or several with commas between) takes: the files, those of a folder, and what lies beside them (manifest,
 * structure, ledger). No file of the stage may take their place. */
MUST_CHECK Status table_protect(Transaction *stage, const char *names, Error *error);
/* The permission bits that some file behind these tables has not (those of a folder; the database; what standard input comes from): 0077
 * where which those are cannot be told. table_open notes them in the table. */
unsigned table_closed(const char *names);
/* BAD where writing `path` would lose something of that, or the same table of one database. */
MUST_CHECK Status table_loses(const char *names, const char *path, Error *error);
/* Every table file of a folder, by name without suffix (or the one file that the path is); sorted by name. New references; arrays in the
 * arena. */
MUST_CHECK Status folder_open(Work *work, const char *path, const CsvOptions *options, int64_t *count, const char ***names,
                              const Table ***tables);
#endif
