/* A small problem, record by record: who agrees with whom, and what is still wanting. */
#ifndef SCRIM_PROTECT_SUPPRESS_SMALL_H
#define SCRIM_PROTECT_SUPPRESS_SMALL_H
#include "protect/suppress/suppress.h"

typedef struct {
    uint64_t differs;
    int64_t records;
} Others; /* safe records that differ from this one in these keys */

typedef struct {
    int32_t record;
    uint64_t differs;
} Near; /* an unsafe record that differs from this one in these keys */

typedef struct Small {
    const Problem *problem;
    int64_t records; /* the unsafe ones */
    int64_t *row;
    int32_t *tuple;
    uint64_t *set;       /* what each has blanked */
    uint64_t *missing;   /* what it lacks from the start */
    int64_t *near_start; /* record → the records that blanks could make agree with it */
    Near *near;
    int64_t *others_start; /* record → its safe others */
    Others *others;
    int64_t *first;     /* record → its first want here; wants are numbered record by record */
    int64_t *f;         /* want → records that agree */
    uint64_t looked_at; /* keys of any combination, and the stratum */
    int64_t cells, penalty;
    int64_t work_left; /* elementary steps that may still be spent */
} Small;

MUST_CHECK Status small_make(Work *work, const Problem *problem, const uint64_t *blank, int64_t steps, Small *out, bool *fits);
static inline const Want *small_want(const Small *s, int64_t i, int64_t w) { return &s->problem->want[s->problem->start[s->tuple[i]] + w]; }
static inline int64_t small_wants(const Small *s, int64_t i) { return s->first[i + 1] - s->first[i]; }
int64_t small_safe_others(const Small *s, int64_t i, uint64_t among); /* safe records that agree with record i on these keys */
/* May record i lose this set? No more keys than would make it safe alone; where `own`, one of every unsafe combination. */
bool small_allows(const Small *s, int64_t i, uint64_t set);
int64_t small_change(Small *s, int64_t i, uint64_t set); /* what the penalty would be with this set */
void small_apply(Small *s, int64_t i, uint64_t set);

/* Fewer cells by tabu search; then, within the steps left, the proof that fewer cannot do, or a better answer. */
MUST_CHECK Status small_search(Work *work, Small *s, int64_t lower_bound);
MUST_CHECK Status small_prove(Work *work, Small *s, int64_t *lower_bound);
#endif
