/* Partners for an exchange: free households of one kind that live elsewhere. */
#ifndef SCRIM_PROTECT_POOL_H
#define SCRIM_PROTECT_POOL_H
#include "base/random.h"
#include "table/group.h"

typedef struct Pool {
    Grouping kinds;        /* households that may be exchanged with one another */
    int64_t *start, *left; /* of each kind: member[start] … member[start+left-1] are not known to be used */
    int64_t *member;
    int32_t *only;       /* the one area in which all that are left live; -1 = not known */
    const int32_t *area; /* household → area */
    const uint8_t *used;
} Pool;

/* Households with equal words are of one kind. `area` and `used` are borrowed and looked at with every draw. */
MUST_CHECK Status pool_make(Work *work, const uint64_t *words, int64_t count, const int32_t *area, const uint8_t *used, Pool *out);
/* One of the household's kind, not used, in another area, each with the same chance; -1 where there is none. */
int64_t pool_draw(Pool *pool, RandomReader *reader, int64_t household);
#endif
