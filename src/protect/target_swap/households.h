/* Households and where they live: what record swapping exchanges. */
#ifndef SCRIM_PROTECT_HOUSEHOLDS_H
#define SCRIM_PROTECT_HOUSEHOLDS_H
#include "classes/equivalence_class.h"

typedef struct Households {
    int64_t count, levels;
    const int32_t *of;    /* record → household */
    int64_t *start, *row; /* members, ascending: row[start[h]] … row[start[h+1]-1] */
    int32_t **area;       /* level (coarsest first) → household → area, nested; -1 where its place, or a member's, is missing */
    int32_t *profile;     /* equal: as many members, with the same values of the `similar` columns */
} Households;

/* A record without a household is one of its own. BAD where a household lives in two places. */
MUST_CHECK Status households_make(Work *work, const Column *household, Columns geography, Columns similar, int64_t rows, Households *out);
static inline int64_t household_size(const Households *h, int64_t at) { return h->start[at + 1] - h->start[at]; }
#endif
