/* Transition matrices over named categories: row = what is, column = what is released. */
#ifndef SCRIM_MATH_TRANSITION_H
#define SCRIM_MATH_TRANSITION_H
#include "table/table.h"

typedef struct Transition {
    int64_t count;
    const char **name;
    double *p; /* count × count, row-major; rows sum to 1 */
} Transition;

/* From a table, in one of two shapes. Long: columns original, released, probability (and variable: only its rows count). Wide: a first
 * column that names the originals and one column per released category; without that first column, rows go in the order of the columns. A
 * category that has no row of its own is never changed. A row that does not sum to 1, or a negative probability, is BAD. */
MUST_CHECK Status transition_read(Work *work, const Table *table, const char *variable, Transition *out);
/* `keep` on the diagonal, the rest of each row shared out equally. The names are borrowed. */
MUST_CHECK Status transition_keep(Work *work, const char **name, int64_t count, double keep, Transition *out);
/* The same with these names put first (those it lacks added, never changed): category i of the result is names[i] for i < count. */
MUST_CHECK Status transition_with(Work *work, const Transition *from, const char **names, int64_t count, Transition *out);
int64_t transition_find(const Transition *transition, const char *name); /* its place, or -1 */
/* a·P + (1 − a)·I, in place. */
void transition_blend(Transition *transition, double a);
/* Gouweleeuw et al. 1998: R = P·Q with Q_lj = p_jl·T_j / Σ_k p_kl·T_k, so that T'R = T'. */
MUST_CHECK Status transition_invariant(Work *work, const Transition *p, const double *counts, Transition *out);
#endif
