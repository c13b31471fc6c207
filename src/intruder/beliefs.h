/* What each intruder believes: how often a best guess is right, and how strongly the person's own record is believed in.
 *
 * Four intruders attack a release (docs/methods/risk-reidentification.md):
 *   counting   a uniform choice among the released records that fit the person's true keys
 *   weighing   records weighed by L(r|t) over the mean of L(r|.) in the known population (Fellegi & Sunter 1969)
 *   assigning  knows everybody's keys: beliefs over all complete assignments of records to people
 *   joining    keys and numbers together */
#ifndef SCRIM_INTRUDER_BELIEFS_H
#define SCRIM_INTRUDER_BELIEFS_H
#include "intruder/key_graph.h"

/* One intruder's beliefs. Arrays have a place for each record of the release: its owner is the person. In the arena. */
typedef struct Beliefs {
    bool ran;
    const char *why_not; /* where it did not run; NULL: it was not asked to */
    double total;        /* expected number of right best guesses, ties shared out; for all people, also where a sample was tried */
    double error;        /* standard error of the total where a sample was tried, else 0 */
    double worst;        /* the largest belief in an own record; where owners are not known, in any record */
    double *right;       /* probability that the best guess is the own record; NaN where the person was not tried. NULL without owners */
    double *belief;      /* belief in the own record */
    bool approximate;    /* assigning: some components were scaled, not enumerated */
} Beliefs;

typedef struct Assignments {
    Beliefs beliefs;
    bool possible;         /* a complete assignment with a positive likelihood exists */
    int64_t certain;       /* people for whom one released record is possible, and nothing else */
    int64_t class_certain; /* people for whom one released class is possible, and nothing else */
    bool *is_certain;      /* by record of the release, where owners are known; else NULL */
} Assignments;

MUST_CHECK Status believe_by_counting(Work *work, const KeyGraph *graph, const Ownership *owner, Beliefs *out);
/* Without owners the probability that a value was kept is first estimated by EM: the likelihoods of the graph change. */
MUST_CHECK Status believe_by_weighing(Work *work, KeyGraph *graph, const Ownership *owner, Beliefs *out);
/* Edge -> L / mean of L over the population, the weight that weighing gives to a record; in the arena. */
MUST_CHECK Status edge_weights(Work *work, const KeyGraph *graph, double **out);
MUST_CHECK Status believe_by_assigning(Work *work, const KeyGraph *graph, const Ownership *owner, Assignments *out);

/* before[j], after[j]: numbers in the original and in the release, by record. graph: NULL where no keys are known. described: the release says
 * what was done to its numbers. Without owners it is not run where the numbers do not tell whose they are. */
MUST_CHECK Status believe_by_joining(Work *work, const KeyGraph *graph, Columns before, Columns after, const Ownership *owner,
                                     bool described, Beliefs *out);

/* For the intruders: turns edge beliefs into a result. value[e]: belief of a person of the edge's class in one record of its released
 * class, larger is better guessed. */
MUST_CHECK Status beliefs_from_edges(Work *work, const KeyGraph *graph, const Ownership *owner, const double *value, Beliefs *out);
#endif
