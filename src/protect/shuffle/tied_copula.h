/* Spearman's correlation of a column with ties under a normal copula, and the latent correlation behind one that was seen. */
#ifndef SCRIM_PROTECT_SHUFFLE_TIED_COPULA_H
#define SCRIM_PROTECT_SHUFFLE_TIED_COPULA_H
#include "table/column.h"

enum { TIED_LEVELS = 40, TIED_POINTS = 3 * TIED_LEVELS + 128 };

/* A column's distribution as few levels: every value that many records share, the others in groups. */
typedef struct TiedLevels {
    int count;
    double share[TIED_LEVELS], rank[TIED_LEVELS]; /* mean mid-rank in (0, 1), ascending */
    double place[TIED_LEVELS];                    /* mean of the scores that came with the ranks */
    double ties;                                  /* 1 − Σ share³ over the column's own values: 1 without ties */
} TiedLevels;
/* Of the records in `row` (NULL: the first `rows`); those with a NaN are left out. `score` may be NULL. */
MUST_CHECK Status tied_levels(Work *work, const double *rank, const double *score, const int64_t *row, int64_t rows, TiedLevels *out);

/* A law of the other variable S*: points with shares, and the ranks that go with them. */
typedef struct TiedPoints {
    int count;
    bool normal; /* S* is normal, so that Y* is; else these points are all its values */
    double share[TIED_POINTS], score[TIED_POINTS], rank[TIED_POINTS];
} TiedPoints;
void tied_points_discrete(const TiedLevels *levels, double scale, TiedPoints *out); /* S* = place · scale */
void tied_points_normal(const TiedLevels *levels, TiedPoints *out);                 /* NULL: without ties */

/* Spearman's correlation between a variable with these levels, by the rank of Y* = b·S* + √(1−b²)·z, and S. */
double tied_spearman(const TiedLevels *y, const TiedPoints *s, double b);
/* The smallest |b| at which that is the one seen, to 5e-4; at most 0.9999. */
double tied_latent(const TiedLevels *y, const TiedPoints *s, double seen);
#endif
