/* How a table is laid out for people: which columns head its rows, what stands for a hidden cell, what is said below it. Text, HTML and
 * Excel show it so; other formats write the cells alone. */
#ifndef SCRIM_TABLE_DISPLAY_LAYOUT_H
#define SCRIM_TABLE_DISPLAY_LAYOUT_H
#include "table/table.h"

typedef struct DisplayLayout {
    int64_t sides;    /* columns at the left that head the rows; those after them hold numbers and marks */
    uint8_t *depth;   /* how far the head of a row is set in, 0 for a total: [side · rows + row] */
    const char *mark; /* what stands for a hidden cell */
    const char *note; /* below the table; NULL: nothing */
    const char *
        *why; /* what is said of single cells (HTML: when the pointer rests on them): [(column − sides) · rows + row]; NULL: nothing */
    int64_t places; /* of `why`, in a copy */
} DisplayLayout;
/* Gives the table a copy of the layout. Only before the table is shared. */
MUST_CHECK Status display_layout_give(const DisplayLayout *layout, Table *table, Error *error);
void display_layout_free(DisplayLayout *layout);

/* What a cell of a laid out table is. */
typedef enum { LAID_HEAD, LAID_NUMBER, LAID_HIDDEN, LAID_KINDS } DisplayKind;
/* Of column j, with the text in it (NULL: missing). LAID_HEAD beside: the table has no layout, or the column heads rows. */
DisplayKind display_layout_kind(const Table *table, int64_t j, const char *text);
/* What is said of a cell, else NULL. */
const char *display_layout_why(const Table *table, int64_t j, int64_t row);
/* How far the cell is set in; 0 where the table has no layout. */
int display_layout_depth(const Table *table, int64_t j, int64_t row);
#endif
