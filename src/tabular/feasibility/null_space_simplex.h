/* Moves by the dual program in the kernel: as many rows as the kernel has free cells, not as there are relations. */
#ifndef SCRIM_TABULAR_FEASIBILITY_NULL_SPACE_SIMPLEX_H
#define SCRIM_TABULAR_FEASIBILITY_NULL_SPACE_SIMPLEX_H
#include "tabular/feasibility/null_space.h"
#include "math/lp/lp.h"

enum { DUAL_MOST = 1500 }; /* free cells */
typedef struct NullSpaceSimplex NullSpaceSimplex;
/* *out: NULL where relations are not at least three times the free cells, as in two dimensions: the ordinary program is faster there. Cells
 * by their place in `relations`. */
MUST_CHECK Status dual_new(Work *work, const Sparse *relations, NullSpaceSimplex **out);
void dual_free(NullSpaceSimplex *dual); /* NULL harmless */
/* How far a cell goes down and up, both finite, and what a unit of each costs: negative where it is wanted, one way and not the other. */
void dual_cell(NullSpaceSimplex *dual, int64_t cell, double low, double high, double down, double up);
void dual_reset(NullSpaceSimplex *dual); /* to a first basis; else the next program begins with the last one's */
/* The cheapest move; x by cell. LP_STOPPED where it was not found. */
MUST_CHECK Status dual_solve(NullSpaceSimplex *dual, Work *work, LpState *state, double *x);
#endif
