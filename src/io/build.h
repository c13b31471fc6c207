/* A column that grows cell by cell, for readers that are given cells: what type it is in the end follows from all of them. */
#ifndef SCRIM_IO_BUILD_H
#define SCRIM_IO_BUILD_H
#include "io/csv_inside.h"

/* One column being read. `type` is how cells come: REAL_TYPE, INTEGER_TYPE, DATE_TYPE, DATETIME_TYPE, or TEXT_TYPE for words of any kind.
 */
typedef struct Build {
    char *name;
    Type type;
    int64_t rows, capacity;
    union {
        double *real;
        int64_t *integer;
        int32_t *code;
        int32_t *date;
        int64_t *moment;
    };
    uint64_t *valid;       /* NULL until a cell is missing */
    uint16_t *reason;      /* NULL until a missing cell has a reason */
    Words words;           /* TEXT_TYPE: `code` are numbers of these */
    ColumnMetadata *about; /* the builder's own; goes to the column */
    bool labels_apart;     /* labelled values stay numbers (--codes) */
    bool whole;            /* reals that are all whole numbers become integers */
    bool undecided;        /* no value yet: the first one decides the type (build_become) */
    bool text;             /* words stay text however often they repeat */
    const char *fault;     /* what keeps a cell from being text (text_fault), in row fault_row: build_close says so */
    int64_t fault_row;
} Build;

/* `expected` rows, where known: the room is made at once. */
MUST_CHECK Status build_open(Build *build, const char *name, Type type, int64_t expected, Error *error);
void build_free(Build *build);
/* Each appends a cell; false when memory is out. */
bool build_real(Build *build, double value);
bool build_integer(Build *build, int64_t value);
bool build_date(Build *build, int32_t days);
bool build_moment(Build *build, int64_t micros);
bool build_text(Build *build, const char *at, size_t length);
bool build_missing(Build *build, uint16_t reason);
/* Many cells of the builder's own kind at once (not words): `valid` is a bitmap from its first bit, or NULL where none is missing. */
bool build_many(Build *build, const void *cells, const uint64_t *valid, int64_t count);
/* Where cells may be of any kind: makes the column one of this type, if what it holds can be (integers can be reals, all can be words);
 * false where not, or when memory is out. */
bool build_become(Build *build, Type type);
bool build_number(Build *build, int64_t value); /* a whole number, as whatever the column is */
bool build_words(Build *build, double value);   /* a number among words */
/* The column of all its cells; the builder is empty then. Labelled values become a category where every one of them has a label. */
MUST_CHECK Status build_close(Build *build, Work *work, Column **out);
/* Reals that count seconds (or milliseconds…) become dates where all are whole days and `days_only`, else date-times: value · micros +
 * origin, in microseconds since 1970. Where some value is beyond what a date-time holds, they stay numbers. Before build_close. */
MUST_CHECK Status build_moments(Build *build, double micros, int64_t origin_days, bool days_only, Error *error);
/* All columns as a table; every builder is closed or freed. */
MUST_CHECK Status builds_table(Work *work, const char *name, Build *builds, int64_t count, int64_t rows, Table **out);
#endif
