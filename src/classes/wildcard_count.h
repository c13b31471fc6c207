/* Weighted key tuples, some lacking some keys, and how many records agree with each under the wildcard rule. */
#ifndef SCRIM_CLASSES_WILDCARD_COUNT_H
#define SCRIM_CLASSES_WILDCARD_COUNT_H
#include "classes/equivalence_class.h"

enum { TUPLE_KEYS = 64 }; /* one bit per key */

typedef struct Tuples {
    int64_t count, keys;
    int32_t **code;  /* key → tuple → code; any value where the tuple lacks the key */
    int32_t *values; /* key → number of codes */
    uint64_t *lacks; /* tuple → bits of the keys it lacks */
    int64_t *size;   /* tuple → its records */
    double *weight;  /* tuple → their weights; NULL = none asked for */
} Tuples;

/* The classes as tuples, in the same order. More than 64 keys are an error. */
MUST_CHECK Status tuples_of_classes(Work *work, const Classes *classes, Tuples *out);
void tuples_drop(Work *work, Tuples *tuples); /* gives their memory back early */

/* f (and F, where weights are given): for each tuple the records that agree with it on the keys of `among` that neither lacks. Near-linear:
 * tuples are matched by pattern of lacking keys. `distinct`: no two tuples are equal on `among`, which saves grouping them. */
MUST_CHECK Status wildcard_frequencies(Work *work, const Tuples *tuples, uint64_t among, bool distinct, int64_t *f, double *F);
#endif
