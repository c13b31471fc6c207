/* Counts over all pairs of tuples. */
#include "protect/suppress/pairs.h"
#include <string.h>

enum { BLOCK = 64 };
static const double PAIRS_MOST = 1e10, PAIRS_MOST_FEW_KEYS = 1e8, BYTES_MOST = 512e6;
enum { FEW_KEYS = 7 }; /* so few sets that going through them is no burden */

/* Eight codes at a time: whole numbers, the same on every processor. */
typedef uint16_t Eight __attribute__((vector_size(16), aligned(2), may_alias));

static int sizes_of(int keys) {
    int size = 0;
    while (size < keys && choose(keys, size + 1) <= SETS_MOST) size++;
    return size;
}

static double sets_of(int keys) {
    double sets = 0;
    for (int size = 0; size <= sizes_of(keys); size++) sets += choose(keys, size);
    return sets;
}

bool pairs_suit(const Problem *p, int64_t pending) {
    if (p->combinations.count != 1) return false;
    uint64_t among = p->combinations.at[0].keys | p->stratum;
    int bits = __builtin_popcountll(among);
    if (bits > PAIR_KEYS || p->rows > INT32_MAX) return false;
    for (uint64_t left = among; left; left &= left - 1)
        if (p->tuples.values[__builtin_ctzll(left)] >= UINT16_MAX) return false;
    return (double)pending * (double)p->tuples.count <= (p->keys <= FEW_KEYS ? PAIRS_MOST_FEW_KEYS : PAIRS_MOST) &&
           (double)pending * sets_of(bits - (p->stratum != 0)) * (double)sizeof(int32_t) <= BYTES_MOST;
}

/* ---- sets ---- */

static Status list_sets(Work *work, AllPairs *a) {
    Status status = OK;
    const uint64_t end = UINT64_C(1) << a->keys;
    NEW(work, a->set, (int64_t)sets_of(a->keys) + 1);
    NEW(work, a->rank, INT64_C(1) << a->bits);
    for (int64_t mask = 0; mask < INT64_C(1) << a->bits; mask++) a->rank[mask] = -1;
    for (int size = 0; size <= a->sizes; size++) {
        a->first[size] = a->sets;
        for (uint64_t at = low_bits(size); at < end; at = size ? next_set(at) : end) {
            a->rank[at] = (int16_t)a->sets;
            a->set[a->sets++] = (uint16_t)at;
        }
        a->first[size + 1] = a->sets;
    }
done:
    return status;
}

static Status list_above(Work *work, AllPairs *a) {
    Status status = OK;
    int64_t count = 0, room = 0;
    NEW(work, a->above_start, a->sets + 1);
    for (int64_t s = 0; s < a->sets; s++) {
        a->above_start[s] = (int32_t)count;
        for (int64_t other = s; other < a->sets; other++) {
            if (a->set[s] & ~a->set[other]) continue;
            GROW(work, a->above, room, count + 1);
            a->above[count++] = (int32_t)other;
        }
    }
    a->above_start[a->sets] = (int32_t)count;
    NEW(work, a->to, a->sets * a->keys + 1);
    NEW(work, a->from, a->sets * a->keys + 1);
    for (int bit = 0; bit < a->keys; bit++)
        for (int64_t s = 0; s < a->sets; s++) {
            if (!(a->set[s] >> bit & 1)) continue;
            a->to[a->steps] = (int16_t)s;
            a->from[a->steps++] = a->rank[a->set[s] & ~(1 << bit)];
        }
done:
    return status;
}

static uint16_t bits_of(const AllPairs *a, uint64_t keys) {
    uint16_t bits = 0;
    for (int i = 0; i < a->bits; i++) bits = (uint16_t)(bits | (keys >> a->key[i] & 1) << i);
    return bits;
}

static uint64_t keys_of(const AllPairs *a, uint16_t bits) {
    uint64_t keys = 0;
    for (int i = 0; i < a->keys; i++) keys |= (uint64_t)(bits >> i & 1) << a->key[i];
    return keys;
}

Status pairs_make(Work *work, Problem *p, AllPairs *a) {
    Status status = OK;
    const Combination *combination = &p->combinations.at[0];
    *a = (AllPairs){ .problem = p, .k = combination->k, .tuples = p->tuples.count };
    for (int64_t i = 0; i < p->keys; i++)
        if (combination->keys >> p->order[i] & 1) a->key[a->keys++] = p->order[i];
    a->bits = a->keys;
    if (p->stratum) a->key[a->bits++] = __builtin_ctzll(p->stratum);
    a->sizes = sizes_of(a->keys);
    if (p->most_alone && p->alone_known && p->most_alone < a->sizes) a->sizes = (int)p->most_alone; /* no one needs more */
    a->room = (a->tuples + 7) / 8 * 8;
    TRY(list_sets(work, a));
    TRY(list_above(work, a));
    NEW(work, a->code, a->bits * a->room + 8);
    NEW(work, a->lacks, a->room + 8);
    for (int i = 0; i < a->bits; i++)
        for (int64_t t = 0; t < a->tuples; t++) a->code[i * a->room + t] = (uint16_t)(p->tuples.code[a->key[i]][t] + 1);
    for (int64_t t = 0; t < a->tuples; t++) a->lacks[t] = bits_of(a, p->tuples.lacks[t]);
done:
    return status;
}

void pairs_drop(Work *work, AllPairs *a) {
    void *const block[] = {
        a->code, a->lacks, a->pending_code, a->pending_lacks, a->f, a->differs, a->above, a->pending, a->ready, a->lost
    };
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) arena_drop(work->arena, block[i]);
}

/* ---- one against many ---- */

/* The keys in which tuple t differs from each of `count`, a whole number of vectors, and that neither lacks. */
static void compare(const AllPairs *a, int64_t t, uint16_t lacks, const uint16_t *code, const uint16_t *lacking, int64_t count,
                    int64_t stride, uint16_t *out) {
    uint16_t own[PAIR_KEYS];
    for (int i = 0; i < a->bits; i++) own[i] = a->code[i * a->room + t];
    for (int64_t m = 0; m < count; m += 8) {
        Eight found = { 0 };
        for (int i = 0; i < a->bits; i++) {
            const Eight codes = *(const Eight *)(code + i * stride + m);
            found |= (Eight)(codes != own[i]) & (uint16_t)(1 << i);
        }
        found &= ~(lacks | *(const Eight *)(lacking + m));
        *(Eight *)(out + m) = found;
    }
}

/* f[set]: records that agree with tuple t once it has lost the set. */
static void count_row(const AllPairs *a, int64_t t, uint16_t *differs, int32_t *f) {
    memset(f, 0, (size_t)a->sets * sizeof *f);
    compare(a, t, a->lacks[t], a->code, a->lacks, a->room, a->room, differs);
    for (int64_t u = 0; u < a->tuples; u++)
        if (a->rank[differs[u]] >= 0) f[a->rank[differs[u]]] += (int32_t)a->problem->tuples.size[u];
    for (int64_t i = 0; i < a->steps; i++) f[a->to[i]] += f[a->from[i]];
}

/* ---- alone ---- */

typedef struct {
    AllPairs *pairs;
    const int32_t *tuple;
    uint16_t *differs; /* block → tuple */
    int32_t *f;        /* block → set */
} Alone;

static Status alone_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)error;
    const Alone *l = self;
    const AllPairs *a = l->pairs;
    int32_t *f = l->f + block * a->sets;
    for (int64_t i = first; i < last; i++) {
        int32_t t = l->tuple[i];
        count_row(a, t, l->differs + block * (a->room + 8), f);
        for (int64_t s = a->first[1]; s < a->sets && !a->problem->alone[t]; s++)
            if (f[s] >= a->k && !(a->set[s] & a->lacks[t])) a->problem->alone[t] = __builtin_popcount(a->set[s]);
    }
    return OK;
}

Status pairs_alone(Work *work, AllPairs *a, const int32_t *tuple, int64_t count, bool *all) {
    Status status = OK;
    enum { PARTS = 16 };
    Alone l = { .pairs = a, .tuple = tuple };
    NEW(work, l.differs, PARTS * (a->room + 8));
    NEW(work, l.f, PARTS * (a->sets + 1));
    TRY(parallel_for(work, count, (count + PARTS - 1) / PARTS, alone_block, &l));
    *all = true;
    for (int64_t i = 0; i < count; i++) *all &= a->problem->alone[tuple[i]] != 0;
done:
    arena_drop(work->arena, l.differs);
    arena_drop(work->arena, l.f);
    return status;
}

/* ---- those that still want something ---- */

static uint8_t ready_sizes(const AllPairs *a, const int32_t *f) {
    int ready = 0;
    for (int size = 0; size <= a->sizes; size++)
        for (int64_t s = a->first[size]; s < a->first[size + 1] && !(ready >> (size & 7) & 1); s++)
            if (f[s] >= a->k) ready |= 1 << (size & 7);
    return (uint8_t)ready;
}

static Status begin_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    const Alone *l = self;
    const AllPairs *a = l->pairs;
    for (int64_t i = first; i < last; i++) {
        count_row(a, a->pending[i], l->differs + block * (a->room + 8), a->f + i * a->sets);
        a->ready[i] = ready_sizes(a, a->f + i * a->sets);
    }
    return OK;
}

Status pairs_begin(Work *work, AllPairs *a, const int32_t *pending, int64_t left) {
    Status status = OK;
    enum { PARTS = 16 };
    Alone l = { .pairs = a };
    int64_t room = (left + 7) / 8 * 8;
    a->left = left;
    NEW(work, a->pending, left + 1);
    NEW(work, a->pending_code, a->bits * room + 8);
    NEW(work, a->pending_lacks, room + 8);
    NEW(work, a->differs, (room > a->room ? room : a->room) + 8);
    NEW(work, a->ready, left + 1);
    NEW(work, a->lost, left + 1);
    NEW(work, a->f, left * a->sets + 1);
    NEW(work, l.differs, PARTS * (a->room + 8));
    a->pending_room = room;
    for (int64_t i = 0; i < left; i++) {
        a->pending[i] = pending[i];
        a->pending_lacks[i] = a->lacks[pending[i]];
        for (int bit = 0; bit < a->bits; bit++) a->pending_code[bit * room + i] = a->code[bit * a->room + pending[i]];
    }
    TRY(parallel_for(work, left, (left + PARTS - 1) / PARTS, begin_block, &l));
done:
    arena_drop(work->arena, l.differs);
    return status;
}

/* The place is taken by the last. */
static void leave(AllPairs *a, int64_t place) {
    int64_t last = --a->left;
    if (place == last) return;
    a->pending[place] = a->pending[last];
    a->pending_lacks[place] = a->pending_lacks[last];
    a->ready[place] = a->ready[last];
    for (int bit = 0; bit < a->bits; bit++) a->pending_code[bit * a->pending_room + place] = a->pending_code[bit * a->pending_room + last];
    memcpy(a->f + place * a->sets, a->f + last * a->sets, (size_t)a->sets * sizeof *a->f);
}

/* Tuple u has lost a set: whoever it comes to agree with counts its records from now on. */
static void spread(AllPairs *a, int64_t u, uint16_t set) {
    uint16_t before = a->lacks[u], now = (uint16_t)(before | set);
    int32_t size = (int32_t)a->problem->tuples.size[u];
    compare(a, u, before, a->pending_code, a->pending_lacks, (a->left + 7) / 8 * 8, a->pending_room, a->differs);
    a->lacks[u] = now;
    for (int64_t i = 0; i < a->left; i++) {
        uint16_t was = a->differs[i], is = (uint16_t)(was & ~now);
        int16_t rank = a->rank[is];
        if (was == is || rank < 0) continue;
        int32_t *f = a->f + i * a->sets;
        for (int32_t at = a->above_start[rank]; at < a->above_start[rank + 1]; at++) {
            int32_t s = a->above[at];
            if (!(was & ~a->set[s])) continue; /* it did already */
            f[s] += size;
            if (f[s] >= a->k) a->ready[i] |= (uint8_t)(1 << (__builtin_popcount(a->set[s]) & 7));
        }
    }
}

/* Blanks are noted at once, and counted when the set has been tried on all. */
void pairs_try(AllPairs *a, int size, int64_t quota) {
    Problem *p = a->problem;
    for (int64_t s = a->first[size]; s < a->first[size + 1] && quota > 0 && a->left; s++) {
        uint16_t set = a->set[s];
        uint64_t keys = keys_of(a, set);
        int64_t lost = 0;
        for (int64_t i = 0; i < a->left && quota > 0;) {
            int32_t t = a->pending[i];
            if (!(a->ready[i] >> (size & 7) & 1) || (set & a->pending_lacks[i]) || a->f[i * a->sets + s] < a->k) {
                i++;
                continue;
            }
            p->blanked[t] |= keys;
            p->tuples.lacks[t] |= keys;
            leave(a, i);
            a->lost[lost++] = t;
            quota--;
        }
        for (int64_t i = 0; i < lost && set; i++) spread(a, a->lost[i], set);
    }
}

/* ---- key by key ---- */

/* The key that lets most records agree, k of them being enough; the first of those that do as well. */
static int best_key(const AllPairs *a, const uint16_t *differs, uint16_t have, int64_t *agree) {
    int64_t count[PAIR_KEYS] = { 0 }, already = 0, most = -1;
    int best = -1;
    for (int64_t u = 0; u < a->tuples; u++) {
        unsigned is = differs[u] & ~(unsigned)have;
        if (!is) already += a->problem->tuples.size[u];
        else if (!(is & (is - 1))) count[__builtin_ctz(is)] += a->problem->tuples.size[u];
    }
    for (int key = 0; key < a->keys; key++) {
        int64_t worth = already + count[key] < a->k ? already + count[key] : a->k;
        if (have >> key & 1 || worth <= most) continue;
        most = worth;
        best = key;
    }
    *agree = most;
    return best;
}

static uint16_t key_by_key(const AllPairs *a, int32_t t) {
    uint16_t have = a->lacks[t];
    int64_t agree = 0;
    do {
        int key = best_key(a, a->differs, have, &agree);
        if (key < 0) break; /* everything: agrees with its whole stratum */
        have = (uint16_t)(have | 1 << key);
    } while (agree < a->k);
    return (uint16_t)(have & ~a->lacks[t]);
}

Status pairs_one_by_one(Work *work, AllPairs *a, const int32_t *tuple, int64_t count) {
    Status status = OK;
    Problem *p = a->problem;
    int32_t *f = NULL;
    NEW(work, f, a->sets + 1);
    if (!a->differs) NEW(work, a->differs, a->room + 8);
    for (int64_t i = 0; i < count; i++) {
        int32_t t = tuple[i];
        int64_t s = a->first[p->own ? 1 : 0];
        TRY(work_check(work));
        count_row(a, t, a->differs, f);
        while (s < a->sets && (f[s] < a->k || (a->set[s] & a->lacks[t]))) s++;
        uint16_t set = s < a->sets ? a->set[s] : key_by_key(a, t);
        a->lacks[t] = (uint16_t)(a->lacks[t] | set);
        p->blanked[t] |= keys_of(a, set);
        p->tuples.lacks[t] |= keys_of(a, set);
    }
done:
    arena_drop(work->arena, f);
    return status;
}
