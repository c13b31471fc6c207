/* Counts about sets of keys. */
#include "protect/suppress/counts.h"

void counts_forget(Work *work, Counts *c) {
    for (int64_t i = 0; i < c->count; i++) arena_drop(work->arena, c->at[i]);
    c->count = 0;
}

Status counts_about(Work *work, Counts *c, uint64_t keys, const int64_t **out) {
    Status status = OK;
    for (int64_t i = 0; i < c->count; i++)
        if (c->about[i] == keys) {
            *out = c->at[i];
            return OK;
        }
    if (c->count && c->count * c->problem->tuples.count > (INT64_C(1) << 26)) counts_forget(work, c);
    int64_t room = c->room;
    GROW(work, c->about, room, c->count + 1);
    GROW(work, c->at, c->room, c->count + 1);
    NEW(work, c->at[c->count], c->problem->tuples.count);
    TRY(work_check(work));
    TRY(wildcard_frequencies(work, &c->problem->tuples, keys | c->problem->stratum, false, c->at[c->count], NULL));
    c->about[c->count] = keys;
    *out = c->at[c->count++];
done:
    return status;
}

Status counts_fulfil(Work *work, Counts *c, int64_t tuple, uint64_t set, bool own, bool *out) {
    Status status = OK;
    const Problem *p = c->problem;
    *out = false;
    if (set & p->tuples.lacks[tuple]) return OK; /* some of it is missing already: a smaller set does as much */
    for (int64_t w = p->start[tuple]; own && w < p->start[tuple + 1]; w++)
        if (!(p->want[w].keys & (set | p->blanked[tuple]))) return OK;
    for (int64_t w = p->start[tuple]; w < p->start[tuple + 1]; w++) {
        const int64_t *count;
        TRY(counts_about(work, c, p->want[w].keys & ~set, &count));
        if (count[tuple] < p->want[w].k) return OK;
    }
    *out = true;
done:
    return status;
}

uint64_t keys_at(const Problem *p, uint64_t places) {
    uint64_t set = 0;
    for (; places; places &= places - 1) set |= UINT64_C(1) << p->order[__builtin_ctzll(places)];
    return set;
}
