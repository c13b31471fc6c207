/* How each column of a table is written to an SPSS, Stata or SAS file. */
#ifndef SCRIM_IO_STAT_COLUMN_LAYOUT_H
#define SCRIM_IO_STAT_COLUMN_LAYOUT_H
#include "io/stat/stat.h"

typedef struct StatLayout {
    const Column *column;
    StatKind kind;
    const char *name;
    readstat_variable_t *variable;
    readstat_type_t type;
    size_t width; /* of a string */
    char format[64];
    bool labelled;         /* gets value labels */
    bool keeps;            /* those of its file, as far as they still hold */
    double *value;         /* a category written as numbers: each word's */
    bool *fresh;           /* … and whether the number is new, because no label was this word */
    const char **text;     /* a category written as text: each word's */
    CodeValue *target;     /* what each of About.missing_of is there */
    bool tells;            /* why a cell is missing; else all are plainly missing, whatever the reasons: some were blanked here */
    double below;          /* SPSS has no letters: .a is −below − 1, .b −below − 2, … */
    MissingRange range[3]; /* SPSS: what is declared as missing */
    int32_t ranges;
    int *next_ref; /* Stata's long strings: which comes next */
} StatLayout;

/* One for each column, in the arena; BAD where the file cannot hold a column. */
MUST_CHECK Status stat_layouts(Work *work, const Table *table, StatKind kind, bool short_names, StatLayout **out);
bool stat_all_short(const Table *table); /* fits SAS transport's version 5: names of 8, labels of 40, texts of 200 bytes */
bool stat_tags(StatKind kind);           /* letters say why a value is missing */
CodeValue stat_target(const StatLayout *plan, CodeValue code); /* what this value is in the file to be written */
/* Is it written as strings? */
bool stat_is_text(const StatLayout *plan);
bool stat_label_fits(const StatLayout *plan, CodeValue code); /* a value of the file to be written that a label can stand for there */
/* A label as far as the file has room for it, whole characters: itself where it fits, a copy where not, NULL when memory is out. */
typedef enum { OF_FILE, OF_VARIABLE, OF_VALUE } Labelled;
const char *stat_label(Work *work, StatKind kind, Labelled of, const char *label);
/* What else a file of this kind cannot hold of the table: a sentence for each. */
MUST_CHECK Status stat_losses(Work *work, const Table *table, StatKind kind, Buffer *out);
const char *stat_text(const StatLayout *plan, int64_t row, char number[33]);
MUST_CHECK Status stat_write(Work *work, const Table *table, const char *path, StatKind kind);
#endif
