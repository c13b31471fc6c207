/* Cells that no published table shows, and that tie linked tables together all the same: of three tables a×b, a×c and b×c, the cells of
 * a×b×c. They are not below zero, and that alone can tell a hidden cell. */
#ifndef SCRIM_TABULAR_UNPUBLISHED_CELLS_H
#define SCRIM_TABULAR_UNPUBLISHED_CELLS_H
#include "tabular/model.h"

typedef enum {
    UNSEEN_NONE,    /* whatever agrees with the tables' own sums is the margin of some table of all dimensions: nothing more follows */
    UNSEEN_CELLS,   /* more may follow: `code` has the cells that must be brought in */
    UNSEEN_TOO_MANY /* more may follow, and they are too many */
} UnseenKind;

typedef struct UnpublishedCells {
    UnseenKind kind;
    int64_t dims, count;
    const char **dim;   /* names of the dimensions */
    const char ***code; /* dimension → unseen cell → code */
} UnpublishedCells;

MUST_CHECK Status unpublished_find(Work *work, const Model *model, UnpublishedCells *out);
/* The table with the unseen cells after its own, blank. A new reference to the table itself where there are none. */
MUST_CHECK Status unpublished_append(Work *work, const UnpublishedCells *unseen, const Table *table, const Structure *structure,
                                     Table **out);
/* Values for the unseen cells of a model that has them (from cell `seen` on), which then are hidden for good and ask for nothing. False
 * where no table agrees. */
MUST_CHECK Status unpublished_finish(Work *work, Model *model, int64_t seen, bool *found);
#endif
