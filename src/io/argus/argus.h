/* Inside the reading of τ-Argus' tables: what an .rda file says. */
#ifndef SCRIM_IO_ARGUS_ARGUS_H
#define SCRIM_IO_ARGUS_ARGUS_H
#include "base/work.h"

enum { ARGUS_VARIABLES = 64, ARGUS_LEVELS = 16 };
typedef enum {
    ARGUS_OTHER, /* nothing that is used here */
    ARGUS_DIMENSION,
    ARGUS_VALUE,
    ARGUS_COUNT,
    ARGUS_LARGEST,
    ARGUS_COST,
    ARGUS_LOWER,
    ARGUS_UPPER,
    ARGUS_STATUS
} ArgusKind;
typedef struct ArgusVariable {
    const char *name;
    ArgusKind kind;
    const char *total;               /* its code, or NULL: Total */
    const char *hierarchy;           /* name of the .hrc file, or NULL */
    const char *lead;                /* a line of it has this once for each level below the first */
    int levels, level[ARGUS_LEVELS]; /* digits of each level of a code; 0: no such levels */
} ArgusVariable;
typedef struct ArgusMeta {
    char separator;
    const char *word[3]; /* of a status: open, primary, open and not to be hidden */
    int variables;
    ArgusVariable variable[ARGUS_VARIABLES]; /* in the order of the columns */
} ArgusMeta;

/* The next line of a text that is changed on the way; NULL at the end. */
char *argus_line(char **text);
Status argus_bad(Work *work, const char *file, int64_t line, const char *what);
/* What the text of the .rda file `file` says; words point into the text. */
MUST_CHECK Status argus_meta(Work *work, const char *file, char *text, ArgusMeta *out);
#endif
