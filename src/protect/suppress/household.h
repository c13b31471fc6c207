/* Suppression that does not stop at the person: what all members of a household share is blanked for all of them. */
#ifndef SCRIM_PROTECT_SUPPRESS_HOUSEHOLD_H
#define SCRIM_PROTECT_SUPPRESS_HOUSEHOLD_H
#include "protect/suppress/suppress.h"

/* Blanks, for every member, each key that is blanked in one and that all members share. *any: was there one more? */
MUST_CHECK Status household_extend(Work *work, Columns keys, const Column *household, uint64_t *blank, bool *any);
/* Multiplies prices by the cells that a blank in a key costs on average, in eighths. */
MUST_CHECK Status household_prices(Work *work, Columns keys, const Column *household, int64_t *price);
#endif
