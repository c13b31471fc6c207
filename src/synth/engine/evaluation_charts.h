/* Pictures of a synthesis beside its original (--evaluate). */
#ifndef SCRIM_SYNTH_EVALUATION_CHARTS_H
#define SCRIM_SYNTH_EVALUATION_CHARTS_H
#include "synth/engine/engine.h"

/* A histogram of both tables for each number, bars for each other column. */
MUST_CHECK Status distributions_drawn(Run *run, const Table *original, const Table *synthetic, const Grouped *g);
/* Maps of the associations in both tables, and of the errors of all pairs. */
MUST_CHECK Status pairs_drawn(Run *run, const Grouped *g);
/* Shares of the unique records that are copied; holdout: NaN where there is none. */
void copies_drawn(Run *run, double original, double holdout);
/* The attacks that were made, from the results within. */
void attacks_drawn(Run *run);
#endif
