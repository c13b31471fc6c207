/* Counts of placements, a column of states after another: those of one step do not depend on one another, so that many are added at once.
 */
#ifndef SCRIM_MATH_ROC_PLACEMENT_COUNTS_H
#define SCRIM_MATH_ROC_PLACEMENT_COUNTS_H
#include "math/roc/placement_states.h"

/* Rows low…high of every column from first to last, counted from 1 for the first row of a part of the band; neither ever falls. */
typedef struct RocWindow {
    int64_t first, last;
    int32_t *low, *high; /* of column − first */
} RocWindow;
static inline int64_t roc_rows(const RocWindow *w, int64_t column) { return w->high[column - w->first] - w->low[column - w->first] + 1; }
double roc_states(const RocWindow *w);
/* The whole band between rows from and to. */
MUST_CHECK Status roc_window(Work *work, const RocBand *band, int64_t from, int64_t to, RocWindow *out);
MUST_CHECK Status roc_window_new(Work *work, int64_t first, int64_t last, RocWindow *out);
void roc_window_drop(Work *work, RocWindow *w);

enum { ROC_FORWARD = -1, ROC_BACKWARD = 1 };               /* where a row's new ways come from: the row before, or the one after */
enum { ROC_BLOCK = 64, ROC_VISITED = 16, ROC_KINDS = 16 }; /* columns with the same powers; where each is looked at and kept so long */
/* The counts of one column: number · 2^power of each row. Rows 0 and rows + 1 are never reached. */
typedef struct RocLane RocLane;
struct RocLane {
    const RocBand *band;
    const RocWindow *window;
    int64_t from, rows, column; /* the first row in the band, how many, and where the counts are */
    int shift, buffers;
    double *at[ROC_VISITED + 1]; /* [0]: the counts; while visited, the columns that follow */
    int32_t *power;
    int32_t *positives, *negatives; /* of the group by which a row is reached, or left */
    int32_t *far, *spare;           /* rows whose neighbour is so far above them that they are counted by themselves */
    int64_t far_count;
    int64_t low, high;            /* rows of the block */
    int64_t block, left, longest; /* columns that went well with the same powers; of the block, those to come; a block at most */
    double *saved, *scale, *factor[ROC_KINDS]; /* what a row takes from its neighbour, by the kind of the step */
    RocStep kind[ROC_KINDS];
    int kinds;
    /* Columns at[1…count] after `column`, one step of its way each, with the powers as they are; NULL: nobody looks. */
    void (*visit)(void *self, const RocLane *lane, int count);
    void *self;
};
MUST_CHECK Status roc_lane_new(Work *work, const RocBand *band, int64_t from, int64_t to, int shift, bool visited, RocLane *out);
void roc_lane_drop(Work *work, RocLane *lane);
/* At this column, with these counts of the window's rows there. */
void roc_lane_set(RocLane *lane, const RocWindow *window, int64_t column, const double *number, const int32_t *power);
void roc_lane_get(const RocLane *lane, double *number, int32_t *power);
/* To that column; numbers are from 1 to 2 then, or 0. */
MUST_CHECK Status roc_lane_go(Work *work, RocLane *lane, int64_t column);

/* to[k] = a[k]·b[k]·2^(ap[k] + bp[k] − power). */
void roc_products(double *to, const double *a, const int32_t *ap, const double *b, const int32_t *bp, int64_t count, int32_t power);

/* Of the whole window, about where most placements go: all but 1e-18 of each of some columns, and a margin. Found false where that is not
 * much fewer states. */
typedef struct RocCorridor {
    RocWindow whole, narrow;
    double number; /* all placements: number · 2^power */
    int32_t power;
    double margin, states;
    struct RocStops *stops;
} RocCorridor;
MUST_CHECK Status roc_corridor(Work *work, const RocBand *band, int64_t from, int64_t to, RocCorridor *out);
/* The narrow window, wider each time; the whole one when that is not much more. */
void roc_corridor_widen(RocCorridor *corridor);
void roc_corridor_drop(Work *work, RocCorridor *corridor);
#endif
