/* The intruder's problem at a fractional pattern, and the inequalities that it gives. */
#ifndef SCRIM_TABULAR_SUPPRESS_CAPACITY_CUTS_H
#define SCRIM_TABULAR_SUPPRESS_CAPACITY_CUTS_H
#include "tabular/suppress/pattern.h"

/* Σ coefficient·s ≥ 1 over cells that are not primary: holds for every pattern s that protects. */
typedef struct Cut {
    int32_t count;
    int32_t *cell;
    double *coefficient;
} Cut;
typedef struct Cuts {
    int64_t count, room;
    Cut *at;
} Cuts;

/* What moves have shown of a demand: the contributors who can rule out every one that answers it, and are still to be asked. */
typedef struct Asked {
    bool answered; /* by some move */
    int64_t count, room;
    int32_t *who;
} Asked;

typedef struct Separator {
    Pattern *pattern;
    Cuts *cuts;
    double *s;               /* by cell; 1 for primary cells */
    AttackerProblem **mover; /* by part of the cells with s > 0, made when needed */
    int32_t *part, parts;
    int32_t *list;
    int64_t *list_start;
    double *low, *high;   /* scaled by s */
    double *dual;         /* by relation, zero between uses */
    int32_t *used, *told; /* relations that have one, and cells that are told and in one of them */
    int64_t useds, tolds;
    double *side, *fresh;  /* by cell, zero between uses: coefficients of an inequality that is being made */
    int32_t *list_cut;     /* its cells */
    bool whole;            /* `at` is 0 or 1 everywhere */
    double *at;            /* where the intruder stands: s, or s rounded up from some share on */
    int64_t next;          /* demand to begin with: rounds take turns */
    Asked *asked;          /* by demand, as the intruder stands */
    int32_t *knows, known; /* by contributor: number of the last move that it can rule out; of moves */
} Separator;
MUST_CHECK Status separator_make(Pattern *pattern, Cuts *cuts, Separator *out);
/* Adds violated inequalities, at most `most`; *added tells how many. None added: s protects (as far as real numbers go). */
MUST_CHECK Status separator_run(Separator *separator, int64_t most, int64_t *added);
/* Knapsack covers of inequalities that are there: with A hidden for certain, Σ_{i∉A} min(a_i, 1 − a(A))·s_i ≥ 1 − a(A) (Carr, Fleischer,
 * Leung & Phillips 2000). */
MUST_CHECK Status separator_cover(Separator *separator, int64_t first, int64_t *added);
#endif
