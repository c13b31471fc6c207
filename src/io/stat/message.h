/* What ReadStat's callbacks tell, as messages: the parser may run in a process of its own, and the columns are made here. */
#ifndef SCRIM_IO_STAT_MESSAGE_H
#define SCRIM_IO_STAT_MESSAGE_H
#include "io/stat/stat.h"
#include "table/column_metadata.h"

/* A message is its kind, one byte, and what is told with it: numbers as they lie in memory, texts with their length and a zero behind. */
enum {
    STAT_FILE,     /* i64 records (-1: not told), text label */
    STAT_VARIABLE, /* i32 text?, measure, align, display, storage width; texts name, label, format, label set */
    STAT_RANGE,    /* of the last variable: code lowest, code highest */
    STAT_WEIGHT,   /* i32 variable */
    STAT_LABEL,    /* text set, code, text label */
    STAT_AT,       /* i64 record, i32 variable: of the next cell; else it is the next variable's, and then the next record's */
    STAT_NUMBER,   /* double */
    STAT_NOTHING,  /* a cell that is plainly missing */
    STAT_LETTER,   /* char: a cell that is missing by it */
    STAT_TEXT,     /* text */
    STAT_PIECE,    /* i32 bytes, and they: of a message that no block holds */
    STAT_WHOLE     /* the pieces so far are a message */
};
/* A code: u8 kind (0 number, 1 text), double, char letter, text. */

/* Takes messages, whole ones, in their order. */
typedef Status StatTake(void *self, const char *bytes, size_t count);

typedef struct StatFile {
    Work *work;
    StatKind kind;
    const char *name, *bytes;
    size_t count;
    const char *beside;   /* the path, to look for a SAS catalogue next to it; NULL: none */
    const char *encoding; /* that the caller says, or NULL */
} StatFile;
struct SharedRing;
/* Parses the file; each block that is full goes to the channel. */
MUST_CHECK Status stat_parse_to(const StatFile *file, struct SharedRing *channel);
/* The same with blocks handed to `take` at once, in this process. */
MUST_CHECK Status stat_parse_here(const StatFile *file, StatTake *take, void *self);
#endif
