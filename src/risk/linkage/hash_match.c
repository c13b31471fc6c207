/* Originals that agree on a set of columns: the tuples asked for stand in a table of hashes, all originals are looked up in it. */
#include <string.h>
#include "risk/linkage/agreements.h"
#include "table/group.h"

static uint32_t missing_in(const TupleSet *t, int64_t tuple) {
    const uint64_t *line = tuple_line(t, tuple);
    uint32_t lacks = 0;
    for (int64_t j = 0; j < t->columns; j++) lacks |= (uint32_t) !(line[t->field[j].word] & t->field[j].mask) << j;
    return lacks;
}

Status matcher_make(Work *work, const TupleSet *t, int64_t most, Matcher *m) {
    Status status = OK;
    uint32_t any = 0;
    *m = (Matcher){ .tuples = t };
    for (m->slots = 64; m->slots < (uint64_t)most * 2;) m->slots *= 2;
    NEW(work, m->slot, m->slots);
    NEW(work, m->first, most + 1);
    for (int64_t g = 0; g < t->count && !any; g++) any = missing_in(t, g);
    if (any) NEW(work, m->lacks, t->count + 1);
    for (int64_t g = 0; g < t->count && any; g++) m->lacks[g] = missing_in(t, g);
done:
    return status;
}

void matcher_drop(Work *work, Matcher *m) {
    arena_drop(work->arena, m->slot);
    arena_drop(work->arena, m->first);
    arena_drop(work->arena, m->lacks);
    *m = (Matcher){ 0 };
}

/* The slot of a tuple's kind, and whether it is taken. Half of a hash stands in the slot: kinds that differ are seldom looked up. */
static uint64_t *find(const Matcher *m, const uint64_t *mask, uint64_t slots, const int32_t *asked, int64_t tuple, uint64_t *hash) {
    const uint64_t *own = tuple_line(m->tuples, tuple);
    const int stride = m->tuples->stride;
    uint64_t at = 0;
    for (int w = 1; w < stride; w++) at = word_hash(at ^ (own[w] & mask[w]));
    *hash = at & ~(uint64_t)UINT32_MAX;
    for (uint64_t place = at;; place++) {
        uint64_t *slot = &m->slot[place & (slots - 1)];
        if (!*slot) return slot;
        if ((*slot ^ at) >> 32) continue;
        const uint64_t *other = tuple_line(m->tuples, asked[(uint32_t)*slot - 1]);
        uint64_t differs = 0;
        for (int w = 1; w < stride; w++) differs |= (own[w] ^ other[w]) & mask[w];
        if (!differs) return slot;
    }
}

/* Originals are looked up. */
typedef struct {
    const Matcher *m;
    const uint64_t *mask;
    uint64_t slots;
    uint32_t set;
    const int32_t *asked;
    uint32_t *found;
} Lookup;

/* Whole numbers are added up: in whichever order. */
static Status look_up(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Lookup *l = self;
    const Matcher *m = l->m;
    (void)block, (void)error;
    for (int64_t g = first; g < last; g++) {
        uint64_t hash;
        uint32_t originals = line_originals(tuple_line(m->tuples, g));
        if (!originals || (m->lacks && m->lacks[g] & l->set)) continue;
        const uint64_t *slot = find(m, l->mask, l->slots, l->asked, g, &hash);
        if (*slot) __atomic_fetch_add(&l->found[(uint32_t)*slot - 1], originals, __ATOMIC_RELAXED);
    }
    return OK;
}

Status matcher_count(Work *work, Matcher *m, uint32_t set, const int32_t *asked, int64_t count, uint32_t *found) {
    enum { ALONE = 1 << 16 }; /* of fewer, waking the other threads takes longer */
    const TupleSet *t = m->tuples;
    uint64_t mask[AGREE_COLUMNS + 1] = { 0 }, slots = 64, hash;
    Work here = *work;
    if (t->count < ALONE) here.threads = 1;
    for (int64_t j = 0; j < t->columns; j++)
        if (set >> j & 1) mask[t->field[j].word] |= t->field[j].mask;
    while (slots < (uint64_t)count * 2) slots *= 2;
    memset(m->slot, 0, slots * sizeof *m->slot);
    for (int64_t i = 0; i < count; i++) {
        found[i] = 0;
        m->first[i] = -1;
        if (m->lacks && m->lacks[asked[i]] & set) continue;
        uint64_t *slot = find(m, mask, slots, asked, asked[i], &hash);
        if (!*slot) *slot = hash | ((uint32_t)i + 1);
        m->first[i] = (int32_t)((uint32_t)*slot - 1);
    }
    Lookup lookup = { m, mask, slots, set, asked, found };
    Status status = parallel_for(&here, t->count, 1 << 14, look_up, &lookup);
    for (int64_t i = 0; i < count && !status; i++)
        if (m->first[i] >= 0) found[i] = found[m->first[i]];
    return status;
}
