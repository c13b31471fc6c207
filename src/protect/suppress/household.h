/* Suppression that does not stop at the person: what all members of a household share is blanked for all of them. */
#ifndef SCRIM_PROTECT_SUPPRESS_HOUSEHOLD_H
#define SCRIM_PROTECT_SUPPRESS_HOUSEHOLD_H
#include "protect/suppress/suppress.h"

/* Puts keys that vary within households, which cost one cell, before those that a whole household shares; keys that importance names stay
 * last. */
MUST_CHECK Status household_order(Work *work, Columns keys, const Column *household, const Columns *importance, Problem *problem);
/* Blanks, for every member, each key that is blanked in one and that all members share. Counts only rise: what is safe stays safe. */
MUST_CHECK Status household_extend(Work *work, Columns keys, const Column *household, uint64_t *blank);
#endif
