/* How few cells can do: Lagrangian relaxation of the candidates that open classes want. */
#include <string.h>
#include "base/elementary.h"
#include "protect/suppress/hide_bound.h"

/* Let U be the classes of fewer than k people who have all keys: every record of them loses a key, and d_t = k − n_t others must be made to
 * fit t ∈ U. With a price π_t ≥ 0 for each candidate wanting,
 *
 *     L(π) = Σ_t d_t π_t + Σ_r min_P (|P| − Σ_{t ≠ r fitted by r without P} π_t)
 *
 * is at most the cells of any suppression: P runs over the sets that record r may lose, the empty one only outside U. Valid for every π, so
 * that rounding in the ascent does no harm; the sum itself is trusted to 1e-6. L(0) is the records of U. */
enum { WORK = 800 * 1000 * 1000, ROUNDS = 400, ROUNDS_LEAST = 4, KEYS_MOST = 13, PARTS = 16 };

/* Σ π over the classes that a record of class c would fit without a set of keys: over those that differ from c in no key outside it. So π
 * is added up by the keys in which they differ, and then over the subsets of each set. */
typedef struct {
    const Hide *h;
    int keys, key[KEYS_MOST + 1]; /* of the combination; the stratum after them */
    int64_t members;
    int32_t *member; /* the classes of U */
    int32_t *place;  /* class → its place among them, or -1 */
    int64_t room;    /* members, up to whole vectors */
    uint16_t *code;  /* key → member → code; where 16 bits do not hold it some agree that do not, and the value is too low at most */
    double *price;   /* member → π */
    double *slope;
    int64_t part;      /* classes in a part */
    double sum[PARTS]; /* part → what its classes add to L */
    int64_t *fits;     /* part → member → records that would fit it */
    double *size;      /* set → its keys */
    double *table;     /* part → set → Σ π */
    uint16_t *differs; /* part → member → keys in which it differs from the class at hand */
} NullSpaceSimplex;

static uint16_t code_of(const Hide *h, int64_t c, int key) {
    return (uint16_t)(h->problem->tuples.code[key][h->problem->of[h->row[h->start[c]]]] + 1);
}

static bool is_member(const Hide *h, int64_t c) { return h->size[c] < h->k && !h->lacks[c]; }

static Status make_dual(Work *work, const Hide *h, NullSpaceSimplex *d) {
    Status status = OK;
    for (uint64_t left = h->among; left; left &= left - 1) d->key[d->keys++] = __builtin_ctzll(left);
    int all = d->keys + (h->problem->stratum != 0);
    if (h->problem->stratum) d->key[d->keys] = __builtin_ctzll(h->problem->stratum);
    d->part = (h->classes + PARTS - 1) / PARTS;
    NEW(work, d->member, d->members + 1);
    NEW(work, d->place, h->classes + 1);
    d->room = (d->members + 7) / 8 * 8;
    NEW(work, d->code, all * (d->room + 8));
    NEW(work, d->size, INT64_C(1) << d->keys);
    for (int64_t set = 1; set < INT64_C(1) << d->keys; set++) d->size[set] = d->size[set / 2] + (double)(set & 1);
    NEW(work, d->price, d->members + 1);
    NEW(work, d->slope, d->members + 1);
    NEW(work, d->fits, PARTS * (d->members + 1));
    NEW(work, d->table, PARTS << d->keys);
    NEW(work, d->differs, PARTS * (d->room + 8));
    for (int64_t c = 0, at = 0; c < h->classes; c++) {
        d->place[c] = is_member(h, c) ? (int32_t)at : -1;
        if (is_member(h, c)) d->member[at++] = (int32_t)c;
    }
    for (int i = 0; i < all; i++)
        for (int64_t m = 0; m < d->members; m++) d->code[i * d->room + m] = code_of(h, d->member[m], d->key[i]);
done:
    return status;
}

/* Eight at a time, by whatever vectors the processor has: whole numbers, the same on all. */
typedef uint16_t Eight __attribute__((vector_size(16), aligned(2), may_alias));
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

static void compare(const NullSpaceSimplex *d, int64_t c, uint16_t *differs) {
    int all = d->keys + (d->h->problem->stratum != 0);
    uint16_t own[KEYS_MOST + 1];
    for (int i = 0; i < all; i++) own[i] = code_of(d->h, c, d->key[i]);
    for (int64_t m = 0; m < d->room; m += 8) {
        Eight found = { 0 };
        for (int i = 0; i < all; i++) {
            const Eight code = *(const Eight *)(d->code + i * d->room + m);
            found |= (Eight)(code != own[i]) & (uint16_t)(1 << i);
        }
        *(Eight *)(differs + m) = found;
    }
}

static void add_subsets(double *table, int keys) {
    const int64_t sets = INT64_C(1) << keys;
    for (int64_t set = 1; set < sets; set += 2) table[set] += table[set - 1];
    for (int64_t bit = 2; bit < sets; bit *= 2)
        for (int64_t high = 0; high < sets; high += 2 * bit)
            for (int64_t low = high; low < high + bit; low += 2) *(Two *)(table + low + bit) += *(const Two *)(table + low);
}

/* What one record of class c adds to L, and the set that it would lose: in places, -1 none. */
static double cheapest(const NullSpaceSimplex *d, int64_t c, const double *table, int64_t *chosen) {
    double least = d->place[c] >= 0 ? INFINITY : 0;
    uint64_t lacks = 0;
    for (int i = 0; i < d->keys; i++) lacks |= (d->h->lacks[c] >> d->key[i] & 1) << i;
    *chosen = -1;
    for (uint64_t set = 1; set < UINT64_C(1) << d->keys; set++) {
        double cost = d->size[set] - d->size[lacks] - table[set];
        if (lacks & ~set) continue;
        if (cost < least) {
            least = cost;
            *chosen = (int64_t)set;
        }
    }
    return least;
}

static Status weigh_part(void *self, int64_t part, int64_t first, int64_t last, Error *error) {
    (void)error;
    NullSpaceSimplex *d = self;
    const Hide *h = d->h;
    double *table = d->table + (part << d->keys);
    uint16_t *differs = d->differs + part * d->room;
    int64_t *fits = d->fits + part * d->members, sets = INT64_C(1) << d->keys;
    memset(fits, 0, (size_t)d->members * sizeof *fits);
    d->sum[part] = 0;
    for (int64_t c = first; c < last; c++) {
        int64_t chosen, size = h->size[c];
        memset(table, 0, (size_t)sets * sizeof *table);
        compare(d, c, differs);
        for (int64_t m = 0; m < d->members; m++)
            if (d->price[m] > 0 && differs[m] && differs[m] < sets) table[differs[m]] += d->price[m];
        add_subsets(table, d->keys);
        d->sum[part] += (double)size * cheapest(d, c, table, &chosen);
        if (chosen < 0) continue;
        for (int64_t m = 0; m < d->members; m++)
            if (!(differs[m] & ~chosen)) fits[m] += size;
        if (d->place[c] >= 0) fits[d->place[c]] -= size; /* its own do not count */
    }
    return OK;
}

static Status value_of(Work *work, NullSpaceSimplex *d, double *out) {
    Status status = OK;
    const Hide *h = d->h;
    *out = 0;
    TRY(parallel_for(work, h->classes, d->part, weigh_part, d));
    for (int64_t part = 0; part < blocks_of(h->classes, d->part); part++) *out += d->sum[part];
    for (int64_t m = 0; m < d->members; m++) {
        int64_t c = d->member[m];
        *out += (double)(h->k - h->size[c]) * d->price[m];
    }
done:
    return status;
}

/* slope_t = d_t − the records that would fit t. */
static double slopes(NullSpaceSimplex *d) {
    const Hide *h = d->h;
    double norm = 0;
    for (int64_t m = 0; m < d->members; m++) {
        int64_t c = d->member[m], fits = 0;
        for (int64_t part = 0; part < blocks_of(h->classes, d->part); part++) fits += d->fits[part * d->members + m];
        d->slope[m] = (double)(h->k - h->size[c] - fits);
        if (d->price[m] <= 0 && d->slope[m] < 0) d->slope[m] = 0;
        norm += d->slope[m] * d->slope[m];
    }
    return norm;
}

bool ascent_step(Ascent *a, double value, double norm, int64_t cells, double *most) {
    if (a->pace <= 0) a->pace = 1;
    a->still = value > *most + 1e-9 ? 0 : a->still + 1;
    if (value > *most) *most = value;
    if (a->still > 8) {
        a->pace /= 2;
        a->still = 0;
    }
    if (norm <= 0 || ceil(*most - 1e-6) >= (double)cells) return true;
    double step = a->pace * fmax((double)cells - value, 1e-3) / norm;
    for (int64_t m = 0; m < a->members; m++) a->price[m] = fmax(0, a->price[m] + step * a->slope[m]);
    return false;
}

static Status ascend(Work *work, NullSpaceSimplex *d, int64_t rounds, int64_t cells, double *most) {
    Status status = OK;
    Ascent a = { .members = d->members, .rounds = rounds, .price = d->price, .slope = d->slope };
    for (int64_t round = 0; round < rounds; round++) {
        double value;
        TRY(work_check(work));
        TRY(value_of(work, d, &value));
        if (ascent_step(&a, value, slopes(d), cells, most) || problem_late(d->h->problem)) break;
    }
done:
    return status;
}

Status hide_bound(Work *work, const Hide *h, int64_t cells, int64_t *bound) {
    Status status = OK;
    NullSpaceSimplex d = { .h = h };
    double most = 0;
    int keys = __builtin_popcountll(h->among);
    bool small = false;
    for (int64_t c = 0; c < h->classes; c++) {
        small |= h->size[c] < h->k;
        if (!is_member(h, c)) continue;
        d.members++;
        most += (double)h->size[c]; /* L(0) */
    }
    double once = (double)h->classes * (3 * (double)d.members + 0.5 * keys * (double)(INT64_C(1) << (keys < 20 ? keys : 20)));
    const bool higher = small && *bound < cells && most < (double)cells && !problem_late(h->problem);
    if (higher && bound_suits_sets(h, once)) TRY(bound_by_sets(work, h, cells, &most));
    else if (higher && d.members && keys <= KEYS_MOST && once * ROUNDS_LEAST <= 3.0 * WORK) {
        TRY(make_dual(work, h, &d));
        TRY(ascend(work, &d, (int64_t)fmin(ROUNDS, fmax(ROUNDS_LEAST, WORK / once)), cells, &most));
    }
    int64_t proven = (int64_t)ceil(most - 1e-6);
    if (proven > *bound) *bound = proven;
done:
    arena_drop(work->arena, d.fits);
    arena_drop(work->arena, d.table);
    arena_drop(work->arena, d.differs);
    arena_drop(work->arena, d.code);
    return status;
}
