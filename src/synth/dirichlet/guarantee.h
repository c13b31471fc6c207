/* What counts drawn from a Dirichlet-multinomial tell of one record. */
#ifndef SCRIM_SYNTH_DIRICHLET_GUARANTEE_H
#define SCRIM_SYNTH_DIRICHLET_GUARANTEE_H
#include "base/work.h"

/* A histogram of `cells` counts n with prior α, from which m synthetic records are drawn. */
typedef struct Histogram {
    int64_t cells;
    const double *alpha, *n;
    double total, m;
} Histogram;
/* The largest loss that any synthetic counts can cause when one record moves from cell i to cell j. */
double histogram_pair_loss(const Histogram *h, int64_t i, int64_t j);
/* The most over all neighbours of this table: a record leaves a cell that has one, and enters another. */
double histogram_largest_loss(const Histogram *h);
/* The loss that is exceeded with probability delta at most: *exact where all synthetic counts are few enough to be listed, else an upper
 * bound; infinite where that takes too long as well. */
MUST_CHECK Status histogram_probable_loss(Work *work, const Histogram *h, double delta, double *out, bool *exact);
#endif
