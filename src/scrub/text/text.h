/* What the files of scrub.text share. */
#ifndef SCRIM_SCRUB_TEXT_TEXT_H
#define SCRIM_SCRUB_TEXT_TEXT_H
#include "method/method.h"
#include "prose/known_names.h"
#include "prose/replace.h"

typedef struct ScrubArgs {
    const Table *data, *names, *patterns, *model;
    Columns columns, known;
    const Column *subject;
    unsigned replace, language, date_order;
    Pairs each;
    double threshold;
    Texts kinds, pattern;
    int64_t shift, review;
    const char *key;
    bool finds;
} ScrubArgs;

/* What a cell was found to hold, and what came of it. */
typedef struct CellFinds {
    Find *find, *miss; /* misses are kept for a review, else only counted */
    Made *made;        /* for --finds, else NULL */
    int32_t finds, misses;
} CellFinds;
typedef struct Cell {
    const char *text, *made; /* as it is, and as it was made where something was found: in a piece, then in the output's column */
    size_t size;
    CellFinds found;
} Cell;

typedef struct Scrubbing {
    Run *run;
    const ScrubArgs *a;
    Finder finder;
    Replacer replacer;
    Names names; /* of another table */
    int64_t rows, columns;
    Cell *cell;         /* columns × rows, by column */
    int64_t block;      /* rows of a piece */
    Buffer *piece;      /* what was made of the cells of a column, end to end: columns × blocks of rows, by column */
    Names *row_names;   /* by row, where `known` is given */
    People *people;     /* by subject or by row */
    int64_t *person_of; /* row → place in people */
    int64_t human_count;
} Scrubbing;
static inline Cell *cell_at(const Scrubbing *s, int64_t column, int64_t row) { return &s->cell[column * s->rows + row]; }

/* args.c: the finder and the replacer as the arguments want them. */
MUST_CHECK Status scrub_prepare(Run *run, const ScrubArgs *a, Finder *finder, Replacer *replacer, Names *names);
/* date_order.c: sets the order of dates of every subject, after finding and before replacing. */
MUST_CHECK Status scrub_date_orders(Scrubbing *s);
/* tables.c: what is reported. */
MUST_CHECK Status scrub_tables(Scrubbing *s);
#endif
