/* CSV in and out: RFC 4180, types from the whole file, the same bytes for any number of threads. docs/files.md has the rules. */
#ifndef SCRIM_IO_CSV_CSV_H
#define SCRIM_IO_CSV_CSV_H
#include <string.h>
#include "base/text.h"
#include "table/table.h"

/* What becomes of a cell whose bytes are no UTF-8. Where a formal guarantee hides single records, such a cell ends nothing: a schema decides
 * about it as about any cell that does not fit, and without one it is missing. */
typedef enum { ODD_BYTES_REFUSED, ODD_BYTES_KEPT, ODD_BYTES_MISSING } OddBytes;
typedef struct CsvOptions {
    char separator;  /* 0: found by itself */
    char decimal;    /* 0 is '.' */
    const char **na; /* words that mean missing, beside the bare empty cell */
    int64_t na_count;
    const char **types; /* "column:type" */
    int64_t type_count;
    bool types_elsewhere; /* a declared column may be absent: it is another table's */
    const char *encoding; /* NULL: UTF-8 */
    int threads;          /* 0: those of the work */
    bool codes;           /* labelled values are their codes, not categories */
    const char *sheet;    /* of a workbook; NULL: its first */
    bool empty;           /* a table without records is one, whatever the caller thinks of such */
    OddBytes odd_bytes;
    bool spreadsheet_safe; /* written words that begin a formula in a spreadsheet program get ' before them */
    bool raw;              /* every line is a record, every cell text as it stands; columns are named level0, level1, … */
} CsvOptions;
/* A file, packed or not, or "-"; BAD with file, line and character where it is no such table. */
MUST_CHECK Status csv_read(Work *work, const char *path, const CsvOptions *options, Table **out);
/* The same of bytes in memory; `name` is for errors. */
MUST_CHECK Status csv_read_bytes(Work *work, const char *name, const char *bytes, size_t count, const CsvOptions *options, Table **out);
/* Does a spreadsheet program take this word for a formula, or for the place where one begins? = + - @, a tab or a CR comes first (OWASP,
 * "CSV Injection"). */
static inline bool csv_begins_formula(const char *word) { return *word && strchr("=+-@\t\r", *word); }
/* A sentence that names the columns with such words; nothing where there are none. */
void csv_formulas(const Table *table, Buffer *out);
/* Written aside and put in place at the end; .gz and .zst are packed. */
MUST_CHECK Status csv_write(Work *work, const Table *table, const char *path, const CsvOptions *options);
/* The same bytes into a buffer. */
void csv_write_buffer(const Table *table, const CsvOptions *options, Buffer *out);
#endif
