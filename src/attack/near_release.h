/* The released record nearest to a person: what attacks by distance share. */
#ifndef SCRIM_ATTACK_NEAR_RELEASE_H
#define SCRIM_ATTACK_NEAR_RELEASE_H
#include "math/neighbours/neighbours.h"
#include "method/method.h"

/* The release indexed by the columns that the intruder knows, by Gower's distance on its own scale. */
typedef struct NearRelease {
    const char **names;
    int64_t count;
    const Scale *scale;
    Neighbours *index;
} NearRelease;
/* known: those columns, or all that release and original share where none is named; never `except` (may be NULL). `more`: a further table
 * whose values the scale knows, or NULL. */
MUST_CHECK Status near_release_make(Run *run, const Table *released, const Table *original, const Table *holdout, const Table *more,
                                    Texts known, const char *except, NearRelease *out);
/* Another table with these columns as an index on the same scale. */
MUST_CHECK Status near_release_index(Run *run, const NearRelease *near, const Table *table, Neighbours **out);
/* For each record of the original or the holdout. A missing value is compared as a value. */
MUST_CHECK Status near_release_find(Run *run, const NearRelease *near, const Table *table, Nearest out);
#endif
