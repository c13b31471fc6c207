/* Exact bounds: how far each hidden cell of a table can lie from where it stands, for all that the published cells and the relations tell.
 */
#ifndef SCRIM_TABULAR_FEASIBILITY_FEASIBILITY_INTERVAL_H
#define SCRIM_TABULAR_FEASIBILITY_FEASIBILITY_INTERVAL_H
#include "tabular/feasibility/attacker_problem.h"

/* Down and up, by cell (0 where it is not hidden); infinite where nothing bounds it. exact: 0 where a whole-number search was cut short,
 * and the bound may be too wide. */
typedef struct Bounds {
    double *down, *up;
    uint8_t *exact;
    uint8_t *left; /* 1: in a part of more than `most` cells, and not looked at */
    int64_t components, largest, lefts;
} Bounds;
/* From a consistent table: low, high are how far below and above its value each cell can be thought; `whole`: by whole steps only. Parts
 * of more than `most` cells are left. */
MUST_CHECK Status bounds_make(Work *work, const Relations *relations, const Memberships *member, const uint8_t *hidden, const double *low,
                              const double *high, bool whole, int64_t most, Bounds *out);
/* Values for the blank cells (NaN) that agree with all relations, not below `least` and not above `most` (NULL: no such bounds) each; whole
 * ones where asked. *found: whether there are
 * any. Relations that are off by rounding (a part in 10^6 of their terms) are taken as they are. Where more than `largest` blank cells
 * are connected, or a search for whole numbers is cut short, they stay blank. */
MUST_CHECK Status values_complete(Work *work, const Relations *relations, const Memberships *member, double *value, const double *least,
                                  const double *most, bool whole, int64_t largest, bool *found);
/* Cells that share relations, by number: part[cell] = -1 where it is not hidden. A cell alone in a relation is known and in no part: −2 the
 * first that is told so, −3 the next, … */
MUST_CHECK Status hidden_parts(Work *work, const Relations *relations, const Memberships *member, const uint8_t *hidden, int32_t *part,
                               int32_t *count);
#endif
