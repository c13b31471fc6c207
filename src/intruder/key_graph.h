/* Which released records may be whose, by the keys: a bipartite graph on classes with multiplicities.
 *
 * On one side stand the people of the original by their true keys, on the other the records of the release by their released keys; an edge
 * joins a class of people to a class of records whose keys it may have become, weighed by the likelihood (intruder/channel.h). People of
 * one class are alike to the intruder, and so are records of one class: everything is computed once per class.
 *
 * Edges are found by a trie over the released classes, one level for each key: a class of people walks down the values that its own may
 * have become. With suppressed cells that takes at most 2^keys steps for each class, mostly far fewer. */
#ifndef SCRIM_INTRUDER_KEY_GRAPH_H
#define SCRIM_INTRUDER_KEY_GRAPH_H
#include "intruder/channel.h"

enum { EDGES_MOST = 40000000 }; /* 12 bytes each */

typedef struct KeyGraph {
    int64_t truths, releases;  /* classes of people, of records */
    int64_t people, records;   /* records of the original, of the release */
    const int32_t *truth_of;   /* record of the original -> its class */
    const int32_t *release_of; /* record of the release -> its class */
    const int64_t *truth_size, *release_size;
    int64_t *start;        /* class of people -> its edges: start[t] ... start[t + 1] - 1 */
    int32_t *to;           /* edge -> class of records */
    double *likelihood;    /* edge -> likelihood, above 0 */
    bool sampled;          /* the edges would be too many: only those of some classes of people are here ... */
    const bool *has_edges; /* ... and this says of which */
    int64_t keys;
    const Channel *channel; /* one for each key */
} KeyGraph;

/* before, after: the keys in the original and in the release, in the same order; at least one. altered[k]: key k was changed at random. */
MUST_CHECK Status key_graph_make(Work *work, Columns before, Columns after, const Ownership *owner, const bool *altered, KeyGraph *out);
/* The edge from a class of people to a class of records; -1 where there is none. */
int64_t key_graph_edge(const KeyGraph *graph, int64_t truth, int32_t release);
#endif
