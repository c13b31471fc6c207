/* Rows that a database gives one after the other, as tables: what its readers have in common. */
#ifndef SCRIM_IO_SQL_ROW_BUILDER_H
#define SCRIM_IO_SQL_ROW_BUILDER_H
#include "io/column_builder.h"
#include "io/format.h"

/* The first member of a reader. */
typedef struct RowBuilder {
    const char *name;
    int64_t columns, limit; /* rows of a part: INT64_MAX where all come at once */
    int64_t given;          /* rows of the parts before */
    bool done;              /* the last row was given */
    ColumnBuilder *build;   /* of the part at hand */
    const char **mark;      /* of the releases that are read (mark.h) */
    int64_t marks;
    bool whole;                                             /* the one release as it stands, not what a query or a view makes of it */
    Status (*open)(void *self, Work *work, int64_t column); /* its builder */
    Status (*take)(void *self, Work *work, int64_t *rows);  /* up to `limit` rows into the builders; `done` at the end */
} RowBuilder;

static inline int64_t rows_limit(int64_t asked) { return asked > 0 ? asked : INT64_MAX; }
Status row_builder_next(void *self, Work *work, Table **out); /* a Chunks' next; self: a reader */
/* Everything as one table: a Format's read by its chunks. */
MUST_CHECK Status row_builder_whole(Work *work, const char *name, const CsvOptions *options,
                                    Status (*chunks)(Work *work, const char *name, const CsvOptions *options, int64_t rows, Chunks *out),
                                    Table **out);
#endif
