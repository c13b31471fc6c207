/* Inside the reading of τ-Argus' files: what an .rda file says, of a table of cells or of microdata. */
#ifndef SCRIM_IO_ARGUS_ARGUS_H
#define SCRIM_IO_ARGUS_ARGUS_H
#include "table/cell_structure.h"

enum { ARGUS_VARIABLES = 64, ARGUS_LEVELS = 16, ARGUS_MISSING = 4, ARGUS_MOST_COLUMNS = ARGUS_VARIABLES * (ARGUS_LEVELS + 1) };
typedef enum {
    ARGUS_OTHER, /* nothing that is used here */
    ARGUS_DIMENSION,
    ARGUS_VALUE,
    ARGUS_COUNT,
    ARGUS_LARGEST,
    ARGUS_COST,
    ARGUS_LOWER,
    ARGUS_UPPER,
    ARGUS_STATUS,
    ARGUS_CODE /* in microdata: a holding, or who asked for protection */
} ArgusKind;
typedef struct ArgusVariable {
    const char *name;
    ArgusKind kind;
    const char *total;               /* its code, or NULL: Total */
    const char *hierarchy;           /* name of the .hrc file, or NULL */
    const char *lead;                /* a line of it has this once for each level below the first */
    int levels, level[ARGUS_LEVELS]; /* digits of each level of a code; 0: no such levels */
    int start, width;                /* in microdata of fixed width: the first position, from 1, and how many */
    int missings;
    const char *missing[ARGUS_MISSING]; /* codes that stand for a missing value */
} ArgusVariable;
typedef struct ArgusMeta {
    char separator;      /* 0: columns of fixed width */
    const char *word[3]; /* of a status: open, primary, open and not to be hidden */
    int variables;
    ArgusVariable variable[ARGUS_VARIABLES]; /* in the order of the columns */
} ArgusMeta;

/* The next line of a text that is changed on the way; NULL at the end. */
char *argus_line(char **text);
Status argus_bad(Work *work, const char *file, int64_t line, const char *what);
/* What the text of the .rda file `file` says; words point into the text. */
MUST_CHECK Status argus_meta(Work *work, const char *file, char *text, ArgusMeta *out);
bool argus_is_missing(const ArgusVariable *v, const char *code);

/* A reading on its way. */
typedef struct ArgusReading {
    Work *work;
    const char *path; /* of the .rda */
    ArgusMeta meta;
    Table *cells; /* the data, all cells text */
    Structure s;
    Column *column[ARGUS_MOST_COLUMNS];
    int64_t columns;
} ArgusReading;
/* The text without blanks around it, in the arena; NULL without memory. */
const char *argus_trimmed(Work *work, const char *text);
/* A code's number in the dimension, added where it is not there yet. */
MUST_CHECK Status argus_add_code(Work *work, Dimension *d, int64_t *room, const char *code, int32_t *out);
/* Codes and their parents by the variable's .hrc file: code 0 of the dimension is the total. */
MUST_CHECK Status argus_tree(ArgusReading *r, const ArgusVariable *v, Dimension *d, int64_t *room, int32_t **parent);
/* A column of numbers, with a decimal point or a decimal comma; missing where they are blank or stand for a missing value. */
MUST_CHECK Status argus_numbers(ArgusReading *r, const ArgusVariable *v, const char *name, const Column *from);
/* Microdata: the file `data` beside the .rda into columns. Codes of a hierarchy have their upper levels beside them, NAME_1 the coarsest. */
MUST_CHECK Status argus_microdata(ArgusReading *r, const char *data, const char *encoding);
#endif
