/* A column that grows cell by cell, for readers that are given cells: what type it is in the end follows from all of them. */
#ifndef SCRIM_IO_COLUMN_BUILDER_H
#define SCRIM_IO_COLUMN_BUILDER_H
#include "io/csv/private.h"

/* One column being read. `type` is how cells come: REAL_TYPE, INTEGER_TYPE, DATE_TYPE, DATETIME_TYPE, or TEXT_TYPE for words of any kind.
 */
typedef struct ColumnBuilder {
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
    bool undecided;        /* no value yet: the first one decides the type (builder_convert) */
    bool text;             /* words stay text however often they repeat */
    const char *fault;     /* what keeps a cell from being text (text_fault), in row fault_row: builder_close says so */
    int64_t fault_row;
} ColumnBuilder;

/* `expected` rows, where known: the room is made at once. */
MUST_CHECK Status builder_open(ColumnBuilder *build, const char *name, Type type, int64_t expected, Error *error);
void builder_free(ColumnBuilder *build);
/* Each appends a cell; false when memory is out. */
bool builder_real(ColumnBuilder *build, double value);
bool builder_integer(ColumnBuilder *build, int64_t value);
bool builder_date(ColumnBuilder *build, int32_t days);
bool builder_moment(ColumnBuilder *build, int64_t micros);
bool builder_text(ColumnBuilder *build, const char *at, size_t length);
bool builder_missing(ColumnBuilder *build, uint16_t reason);
/* Many cells of the builder's own kind at once (not words): `valid` is a bitmap from its first bit, or NULL where none is missing. */
bool builder_many(ColumnBuilder *build, const void *cells, const uint64_t *valid, int64_t count);
/* Where cells may be of any kind: makes the column one of this type, if what it holds can be (integers can be reals, all can be words);
 * false where not, or when memory is out. */
bool builder_convert(ColumnBuilder *build, Type type);
bool builder_number(ColumnBuilder *build, int64_t value); /* a whole number, as whatever the column is */
bool builder_words(ColumnBuilder *build, double value);   /* a number among words */
/* The column of all its cells; the builder is empty then. Labelled values become a category where every one of them has a label. */
MUST_CHECK Status builder_close(ColumnBuilder *build, Work *work, Column **out);
/* Reals that count seconds (or milliseconds…) become dates where all are whole days and `days_only`, else date-times: value · micros +
 * origin, in microseconds since 1970. Where some value is beyond what a date-time holds, they stay numbers. Before builder_close. */
MUST_CHECK Status builder_moments(ColumnBuilder *build, double micros, int64_t origin_days, bool days_only, Error *error);
/* All columns as a table; every builder is closed or freed. */
MUST_CHECK Status builders_table(Work *work, const char *name, ColumnBuilder *builds, int64_t count, int64_t rows, Table **out);
#endif
