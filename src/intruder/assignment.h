/* Complete assignments of released records to people, on classes with multiplicities (bipartite b-matching).
 *
 * A complete assignment gives each record to one person who fits it, and nobody two. Given one of them as a flow, another is had by
 * going round a cycle of the residual graph, so that a pair is possible exactly when it carries flow or both its ends lie in one strongly
 * connected component (Berge 1973). Where there are more people than records, a class "not released" that fits everybody takes the rest. */
#ifndef SCRIM_INTRUDER_ASSIGNMENT_H
#define SCRIM_INTRUDER_ASSIGNMENT_H
#include "intruder/key_graph.h"

typedef struct Assignment {
    const KeyGraph *graph;
    bool complete;      /* there is a complete assignment */
    int64_t *flow;      /* edge -> people of its class who get a record of its released class */
    int64_t *left;      /* class of people -> those who get none */
    int64_t unreleased; /* all who get none: the capacity of "not released" */
    int64_t components;
    int32_t *truth_in;     /* class of people -> component */
    int32_t *release_in;   /* class of records -> component */
    int32_t unreleased_in; /* the component of "not released"; -1 where nobody is */
} Assignment;
/* owner: known owners are one complete assignment to begin with. Arrays are in the arena. */
MUST_CHECK Status assignment_make(Work *work, const KeyGraph *graph, const Ownership *owner, Assignment *out);

static inline bool assignment_possible(const Assignment *a, int64_t truth, int64_t edge) {
    return a->truth_in[truth] == a->release_in[a->graph->to[edge]];
}

/* Beliefs: value[e], for an edge, the probability that a given person of its class has a given record of its released class, over all
 * complete assignments weighed by their likelihoods. Exact for components of at most ASSIGN_EXACT people (permanents); above, the doubly
 * stochastic scaling of the likelihoods (Sinkhorn 1967), which is an approximation: *approximate. */
enum { ASSIGN_EXACT = 12 };
MUST_CHECK Status assignment_beliefs(Work *work, const Assignment *assignment, double *value, bool *approximate);
#endif
