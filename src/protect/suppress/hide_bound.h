/* Two ways to the same bound, and the ascent that both share. */
#ifndef SCRIM_PROTECT_HIDE_BOUND_H
#define SCRIM_PROTECT_HIDE_BOUND_H
#include "protect/suppress/hide.h"

/* Subgradient ascent on prices π ≥ 0. */
typedef struct Ascent {
    int64_t members, rounds, still;
    double pace;
    double *price, *slope;
} Ascent;
/* One step from here; true where it is at its end. `most` is the best value so far. */
bool ascent_step(Ascent *ascent, double value, double norm, int64_t cells, double *most);

/* Few keys: by the groups of every set of them. Is that less than comparing classes, `pairs_once` steps a round? */
bool bound_suits_sets(const Hide *h, double pairs_once);
MUST_CHECK Status bound_by_sets(Work *work, const Hide *h, int64_t cells, double *most);
#endif
