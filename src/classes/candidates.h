/* What an intruder faces: the released records that a person's true keys fit. */
#ifndef SCRIM_CLASSES_CANDIDATES_H
#define SCRIM_CLASSES_CANDIDATES_H
#include "classes/wildcard_count.h"

/* A released tuple fits true keys t when it equals t wherever it is not missing (a key that t itself lacks fits only a missing one). Where
 * some equal t on every key, an intruder keeps to those; else to all that fit and have a key left; records without any key are candidates
 * only where there is nothing else: (1,k)-anonymity of Gionis, Mazza & Tassa 2008, the better match first. */
typedef struct Candidates {
    int64_t *exact; /* true tuple → released records equal to it, missing as a value */
    int64_t *count; /* true tuple → its candidates: the exact ones, else all that fit with a key left, else those without any */
    int64_t *start; /* true tuple → its candidates as released tuples: node[start[t]] … */
    int32_t *node;
} Candidates;
/* Both coded alike, on the keys of `among`. Near-linear: for each pattern of missing keys in the release, true tuples and released ones are
 * matched on the keys that it has. */
MUST_CHECK Status candidates_make(Work *work, const Tuples *truth, const Tuples *released, uint64_t among, Candidates *out);
#endif
