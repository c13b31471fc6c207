/* Bounds by one sum at a time: wider than the exact ones or as wide, and found in no time in tables of any size. */
#ifndef SCRIM_TABULAR_FEASIBILITY_SHUTTLE_H
#define SCRIM_TABULAR_FEASIBILITY_SHUTTLE_H
#include "base/work.h"
#include "table/cell_structure.h"

/* low and high of every cell, equal where it is published, are drawn together as far as each relation by itself allows, again and again;
 * `whole`: to whole numbers. *possible: false where nothing is left between them. */
MUST_CHECK Status shuttle_bounds(Work *work, const Relations *relations, const Memberships *member, bool whole, double *low, double *high,
                                 bool *possible);
#endif
