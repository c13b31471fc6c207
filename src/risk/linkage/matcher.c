/* Originals that agree on a set of columns: the tuples asked for stand in a table of hashes, all originals are looked up in it. */
#include <string.h>
#include "risk/linkage/agreements.h"
#include "table/group.h"

Status matcher_make(Work *work, const TupleSet *t, Matcher *m) {
    Status status = OK;
    uint32_t any = 0;
    *m = (Matcher){ .tuples = t };
    for (m->slots = 64; m->slots < (uint64_t)t->count * 2;) m->slots *= 2;
    NEW(work, m->lacks, t->count + 1);
    NEW(work, m->slot, m->slots);
    NEW(work, m->first, t->count + 1);
    for (int64_t g = 0; g < t->count; g++) {
        const uint64_t *line = tuple_line(t, g);
        for (int64_t j = 0; j < t->columns; j++) m->lacks[g] |= (uint32_t) !(line[t->field[j].word] & t->field[j].mask) << j;
        any |= m->lacks[g];
    }
    if (any) return OK;
    arena_drop(work->arena, m->lacks);
    m->lacks = NULL;
done:
    return status;
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

void matcher_count(Matcher *m, uint32_t set, const int32_t *asked, int64_t count, double *found) {
    const TupleSet *t = m->tuples;
    uint64_t mask[AGREE_COLUMNS + 1] = { 0 }, slots = 64, hash;
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
    for (int64_t g = 0; g < t->count; g++) {
        uint32_t originals = line_originals(tuple_line(t, g));
        if (!originals || (m->lacks && m->lacks[g] & set)) continue;
        const uint64_t *slot = find(m, mask, slots, asked, g, &hash);
        if (*slot) found[(uint32_t)*slot - 1] += originals;
    }
    for (int64_t i = 0; i < count; i++)
        if (m->first[i] >= 0) found[i] = found[m->first[i]];
}
