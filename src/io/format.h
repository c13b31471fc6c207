/* Formats of tables: one declaration each, one line in formats.def. */
#ifndef SCRIM_IO_FORMAT_H
#define SCRIM_IO_FORMAT_H
#include "base/file.h"
#include "io/csv/csv.h"

/* A table in parts: next gives a table of the next rows, or NULL at the end. */
typedef struct Chunks {
    void *self;
    Status (*next)(void *self, Work *work, Table **out);
    void (*close)(void *self);
} Chunks;

/* A file whose records a table has: there is no such file, it is this one, perhaps those that fit a pattern, or it cannot be told. */
typedef enum { BEHIND_NONE, BEHIND_FILE, BEHIND_PATTERN, BEHIND_UNKNOWN } Behind;
enum { BEHIND_PATH = 4096 };

/* What a format can hold beside names, types, values and missing. */
enum {
    HOLDS_LABELS = 1,
    HOLDS_VALUE_LABELS = 2,
    HOLDS_REASONS = 4,
    HOLDS_MEASURES = 8,
    HOLDS_ORDER = 16,
    WRITES_CODES = 32,
    HOLDS_WEIGHTS = 64,
    HOLDS_FILE_LABEL = 128,
    HOLDS_STRUCTURE = 256, /* how cells add up: no file beside it */
    MIXES_CELLS = 512      /* a column may have words among its numbers: codes are looked for (io/letter_codes.h) */
};                         /* WRITES_CODES: labelled values as their codes; else, where it holds no value labels, as the labels */

typedef struct Format {
    const char *name;            /* for people */
    const char *const *suffixes; /* ".sav", …, NULL */
    const char *const *prefixes; /* "sqlite:", …, NULL; or NULL */
    const char *form;            /* with prefixes: how it is written, for advice */
    bool packed;                 /* .gz or .zst may follow the suffix */
    unsigned holds;
    Status (*read)(Work *work, const char *name, const CsvOptions *options, Table **out);
    Status (*write)(Work *work, const Table *table, const char *name, const CsvOptions *options);         /* NULL: read only */
    Status (*chunks)(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out); /* NULL: not in parts */
    /* What else of this table it cannot hold, beside what `holds` says; may be NULL. */
    Status (*losses)(Work *work, const Table *table, const char *name, Buffer *out);
    /* The files behind a name, the n-th from 0 into `path`, up to BEHIND_NONE. NULL: the file of that name and no other. */
    Behind (*behind)(const char *name, int n, char path[BEHIND_PATH]);
} Format;

#define TABLE_FORMAT(name) extern const Format format_##name;
#include "io/formats.def"
#undef TABLE_FORMAT

/* By its prefix or suffix, whatever their case; NULL where it is none. `stem`: the length of the name without suffixes (whole where it goes
 * by prefix). */
const Format *format_of(const char *name, size_t *stem);
bool format_is_source(const char *name);                               /* goes by a prefix: a database or a query, no path of its own */
Behind format_behind(const char *name, int n, char path[BEHIND_PATH]); /* as above; of a name in no known format, its file */
/* The end of a reading, whose status is given: FAILED, and no table, where the file was written to meanwhile. Closes the bytes. */
MUST_CHECK Status format_read_end(Work *work, const char *path, Bytes *bytes, Status status, Table **out);
void format_list(Buffer *out); /* "Tables are .csv, …", for advice */
/* Says `what` of the columns that pass the test, the first three by name: "… sex, region and 3 more." */
typedef bool LossTest(const Column *column, const void *self, int64_t index);
void format_say(const Table *table, LossTest *test, const void *self, const char *what, Buffer *out);
/* What writing the table under this name would lose, a sentence for each, each ended by a newline. */
MUST_CHECK Status format_losses(Work *work, const Table *table, const char *name, Buffer *out);
#endif
