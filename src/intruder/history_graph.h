/* Which released people may be whom, where people have several records: the graph of keys, on people instead of records.
 *
 * A true history is what the intruder knows of a person: the classes of so many of the person's true records (of KNOWS_SOME those that fit
 * the fewest released people), or of all of them. A released history is the classes of all released records of a person. An edge joins the
 * two where the known records can be given to different released records, each to one that it may have become; where all are known, every
 * released record must be one of them. Its likelihood is the mean over all such ways of the product of the records' likelihoods. */
#ifndef SCRIM_INTRUDER_HISTORY_GRAPH_H
#define SCRIM_INTRUDER_HISTORY_GRAPH_H
#include "intruder/key_graph.h"

/* Whose the records of both tables are. */
typedef struct ReleasedPeople {
    int64_t people, released;   /* in the original, in the release */
    const int32_t *true_person; /* record of the original → person */
    const int32_t *person_of;   /* record of the release → released person */
    Ownership owner;            /* released person → person of the original */
} ReleasedPeople;
/* person: of the original; a record without one is a person of its own. released_person: of the release, needed where owners are not known.
 * In the arena. */
MUST_CHECK Status released_people_find(Work *work, const Ownership *owner, int64_t records, const Column *person,
                                       const Column *released_person, ReleasedPeople *out);

typedef struct HistoryGraph {
    KeyGraph graph;   /* its people are those of the original, its records are released people */
    bool bounded;     /* not every set of records of everybody was tried: some may have fewer candidates */
    bool approximate; /* long histories are weighed by one way to give records, not by all */
} HistoryGraph;
/* rows: the graph of records, with all its edges, by the same owners. knows: KNOWS_ALL (classes/histories.h) or a number of records. In the
 * arena. */
MUST_CHECK Status history_graph_make(Work *work, const KeyGraph *rows, const Ownership *owner, const ReleasedPeople *people, int64_t knows,
                                     HistoryGraph *out);

/* ---- for history_graph.c alone ---- */

/* Classes of the records of one history, ascending, and how many records of each. */
typedef struct History {
    int64_t runs, records;
    const int32_t *class;
    const int64_t *times;
} History;

/* Does a true history fit a released one, and how well? Scratch that grows. */
typedef struct HistoryFit {
    Work *work;
    const KeyGraph *rows;
    bool whole; /* every released record is a known one; else every known record is a released one */
    int64_t room_weight, room_flow, room_used, room_seen, room_state;
    double *weight; /* known run × released run → likelihood, 0: cannot be */
    int64_t *flow, *used;
    bool *seen;
    double *state[2];
    double *matrix; /* class of people × class of records → likelihood; NULL where it would be too large */
    double steps;   /* taken so far */
} HistoryFit;
MUST_CHECK Status history_fit_prepare(HistoryFit *fit);
MUST_CHECK Status history_fits(HistoryFit *fit, const History *known, const History *released, bool *out);
/* After history_fits said yes. *approximate is set where not all ways were added up. */
MUST_CHECK Status history_likelihood(HistoryFit *fit, const History *known, const History *released, double *out, bool *approximate);
#endif
