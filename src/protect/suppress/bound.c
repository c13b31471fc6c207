/* A lower bound on the cells, by the dual of a covering program.
 *
 * An offer is a record j that loses a set S of keys, at the cost of |S|. A want of record i (d more records must agree with it on C) is met
 * when i itself loses a key of C, or when d records that agree with it on C \ S lose such sets: [i loses a key of C] + (offers that serve
 * it)/d ≥ 1. Any u ≥ 0 on the wants with load = Σ u over the wants that an offer meets itself + Σ u/d over those it serves ≤ |S|, for every
 * offer, gives the bound Σu. The prices that the cover paid are such a u, nearly. From any u a good one comes by dividing each by the
 * greatest load/|S| among the offers that touch it (where that is over 1); dividing where it is under 1 too, and again, makes it better.
 * Small programs are solved outright. */
#include <string.h>
#include "base/elementary.h"
#include "math/lp/program.h"
#include "protect/suppress/counts.h"
#include "table/group.h"

enum { ROUNDS = 2, MOST_WORK = 200 * 1000 * 1000, ROWS_MOST = 1200, COLUMNS_MOST = 12000, ENTRIES_MOST = 400 * 1000 };

typedef struct {
    const Problem *problem;
    Tuples unsafe;  /* the unsafe tuples only */
    int32_t *tuple; /* which they are */
    int64_t *first; /* unsafe tuple → its first want */
    double *u;      /* want → its dual variable */
    double *worst;  /* want → the greatest load/|S| among the offers that touch it */
    double *load;   /* unsafe tuple → the load of its offer of the set at hand */
    double *agreeing;
    int64_t *count;
    bool lacking; /* some of them lack keys */
} NullSpaceSimplex;

static Status gather(Work *work, NullSpaceSimplex *d) {
    Status status = OK;
    const Problem *p = d->problem;
    Tuples *t = &d->unsafe;
    *t = (Tuples){ .keys = p->tuples.keys, .values = p->tuples.values };
    for (int64_t i = 0; i < p->tuples.count; i++) t->count += p->start[i] < p->start[i + 1];
    NEW(work, d->tuple, t->count);
    NEW(work, d->first, t->count + 1);
    NEW(work, t->code, t->keys);
    NEW(work, t->lacks, t->count);
    NEW(work, t->size, t->count);
    NEW(work, t->weight, t->count);
    NEW(work, d->load, t->count);
    NEW(work, d->agreeing, t->count);
    NEW(work, d->count, t->count);
    for (int64_t i = 0, at = 0; i < p->tuples.count; i++) {
        if (p->start[i] == p->start[i + 1]) continue;
        d->tuple[at] = (int32_t)i;
        d->first[at + 1] = d->first[at] + p->start[i + 1] - p->start[i];
        t->lacks[at] = p->tuples.lacks[i];
        t->size[at] = p->tuples.size[i];
        d->lacking |= t->lacks[at] != 0;
        at++;
    }
    for (int64_t key = 0; key < t->keys; key++) {
        NEW(work, t->code[key], t->count);
        for (int64_t i = 0; i < t->count; i++) t->code[key][i] = p->tuples.code[key][d->tuple[i]];
    }
    NEW(work, d->worst, d->first[t->count]);
    NEW(work, d->u, d->first[t->count]);
    for (int64_t i = 0; i < t->count; i++)
        for (int64_t w = d->first[i]; w < d->first[i + 1]; w++) {
            double price = p->price ? p->price[p->start[d->tuple[i]] + w - d->first[i]] : 1;
            d->u[w] = price > 0 ? price : 0.5; /* not reached by the cover: anything will do to begin with */
        }
done:
    return status;
}

static const Want *want_of(const NullSpaceSimplex *d, int64_t i, uint64_t keys, int64_t *number) {
    const Problem *p = d->problem;
    for (int64_t w = p->start[d->tuple[i]]; w < p->start[d->tuple[i] + 1]; w++) {
        if (p->want[w].keys != keys) continue;
        *number = d->first[i] + w - p->start[d->tuple[i]];
        return &p->want[w];
    }
    return NULL;
}

/* May tuple i lose this set? */
static bool offers(const NullSpaceSimplex *d, int64_t i, uint64_t set, int64_t size) {
    return d->problem->alone[d->tuple[i]] >= size && !(d->unsafe.lacks[i] & set);
}

/* The load of every offer of this set. */
static Status loads(Work *work, NullSpaceSimplex *d, uint64_t set) {
    Status status = OK;
    const Problem *p = d->problem;
    memset(d->load, 0, (size_t)d->unsafe.count * sizeof *d->load);
    for (int64_t c = 0; c < p->combinations.count; c++) {
        uint64_t keys = p->combinations.at[c].keys;
        int64_t number;
        if (!(keys & set)) continue;
        for (int64_t i = 0; i < d->unsafe.count; i++) {
            const Want *want = want_of(d, i, keys, &number);
            d->unsafe.weight[i] = want ? d->u[number] * (double)d->unsafe.size[i] / (double)(want->k - want->have) : 0;
        }
        TRY(wildcard_frequencies(work, &d->unsafe, (keys & ~set) | p->stratum, false, d->count, d->agreeing));
        for (int64_t i = 0; i < d->unsafe.count; i++) {
            double served = d->agreeing[i] - d->unsafe.weight[i];
            d->load[i] += (served > 0 ? served : 0) + (want_of(d, i, keys, &number) ? d->u[number] : 0);
        }
    }
done:
    return status;
}

static void touch(NullSpaceSimplex *d, int64_t number, double ratio) {
    if (ratio > d->worst[number]) d->worst[number] = ratio;
}

/* Wants of combination `keys`: each is touched by every offer of a tuple that equals it on the keys that are left. */
static Status touch_wants(Work *work, NullSpaceSimplex *d, uint64_t keys, uint64_t set, int64_t size) {
    Status status = OK;
    const Tuples *t = &d->unsafe;
    Codes codes[TUPLE_KEYS];
    Grouping groups = { 0 };
    double *most = NULL, anywhere = 0, all = 0;
    int64_t count = 0, number;
    uint64_t among = (keys & ~set) | d->problem->stratum;
    for (uint64_t left = among; left; left &= left - 1)
        codes[count++] = (Codes){ .count = t->values[__builtin_ctzll(left)], .at = t->code[__builtin_ctzll(left)] };
    TRY(group_codes(work, codes, count, t->count, &groups));
    NEW(work, most, groups.count);
    for (int64_t i = 0; i < t->count; i++) {
        if (!offers(d, i, set, size)) continue;
        double ratio = d->load[i] / (double)size;
        if (ratio > most[groups.of[i]]) most[groups.of[i]] = ratio;
        if (ratio > all) all = ratio;
        if ((t->lacks[i] & among) && ratio > anywhere) anywhere = ratio; /* one that lacks keys may agree with any group */
    }
    for (int64_t i = 0; i < t->count; i++) {
        if (!want_of(d, i, keys, &number)) continue;
        touch(d, number, t->lacks[i] & among ? all : fmax(most[groups.of[i]], anywhere));
    }
done:
    arena_drop(work->arena, groups.of);
    arena_drop(work->arena, groups.first);
    arena_drop(work->arena, groups.size);
    arena_drop(work->arena, most);
    return status;
}

/* The greatest relative load over each want. */
static Status weigh_offers(Work *work, NullSpaceSimplex *d) {
    Status status = OK;
    const Problem *p = d->problem;
    memset(d->worst, 0, (size_t)d->first[d->unsafe.count] * sizeof *d->worst);
    for (int64_t size = 1; size <= p->most_alone; size++)
        for (uint64_t places = low_bits(size), end = UINT64_C(1) << p->keys; places < end; places = next_set(places)) {
            TRY(work_check(work));
            TRY(loads(work, d, places));
            for (int64_t c = 0; c < p->combinations.count; c++)
                if (p->combinations.at[c].keys & places) TRY(touch_wants(work, d, p->combinations.at[c].keys, places, size));
        }
done:
    return status;
}

static Status by_ratio(Work *work, NullSpaceSimplex *d, int rounds, double *out) {
    Status status = OK;
    for (int round = 0; round < rounds; round++) {
        double sum = 0;
        TRY(weigh_offers(work, d));
        for (int64_t i = 0; i < d->unsafe.count; i++)
            for (int64_t w = d->first[i]; w < d->first[i + 1]; w++) {
                if (!(d->worst[w] > 0)) continue; /* nothing touches it: it has no key to lose */
                sum += (double)d->unsafe.size[i] * d->u[w] / fmax(1, d->worst[w]);
                d->u[w] /= d->worst[w];
            }
        *out = fmax(*out, sum * (1 - 1e-9));
    }
done:
    return status;
}

/* ---- ascent, for one combination of keys ---- */

enum { VIEWS = 64, FULLEST = 4096 };
/* Tuples that agree but for the keys of a set of this size: what their u add up to, and whether one of them may lose the set. */
typedef struct {
    int32_t *of;
    double *filled, *most;
    uint8_t *offered;
    int64_t size;
} Group;
typedef struct {
    Group at[VIEWS];
    int count;
} Views;

static Status make_group(Work *work, const NullSpaceSimplex *d, uint64_t keys, uint64_t set, Group *out) {
    Status status = OK;
    const Tuples *t = &d->unsafe;
    Codes codes[TUPLE_KEYS];
    Grouping groups;
    int64_t count = 0;
    for (uint64_t rest = (keys & ~set) | d->problem->stratum; rest; rest &= rest - 1)
        codes[count++] = (Codes){ .count = t->values[__builtin_ctzll(rest)], .at = t->code[__builtin_ctzll(rest)] };
    TRY(group_codes(work, codes, count, t->count, &groups));
    arena_drop(work->arena, groups.first);
    arena_drop(work->arena, groups.size);
    *out = (Group){ .of = groups.of, .size = __builtin_popcountll(set) };
    NEW(work, out->filled, groups.count);
    NEW(work, out->most, groups.count);
    NEW(work, out->offered, groups.count);
    for (int64_t i = 0; i < t->count; i++)
        if (offers(d, i, set, out->size)) out->offered[groups.of[i]] = 1;
done:
    return status;
}

static Status make_groups(Work *work, const NullSpaceSimplex *d, uint64_t keys, Views *out) {
    Status status = OK;
    const Problem *p = d->problem;
    for (int64_t size = 1; size <= p->most_alone && out->count + choose(p->keys, size) <= VIEWS; size++)
        for (uint64_t set = low_bits(size), end = UINT64_C(1) << p->keys; set < end; set = next_set(set))
            if (keys & set) TRY(make_group(work, d, keys, set, &out->at[out->count++]));
done:
    return status;
}

/* Tuples in the order of the fullest group that each is in: those with few neighbours can bear most, and are raised first. */
static Status order_tuples(Work *work, const NullSpaceSimplex *d, const Views *v, const double *share, int32_t **out) {
    Status status = OK;
    int64_t start[FULLEST + 2] = { 0 };
    int32_t *full = NULL;
    NEW(work, *out, d->unsafe.count);
    NEW(work, full, d->unsafe.count);
    for (int a = 0; a < v->count; a++) {
        const Group *g = &v->at[a];
        for (int64_t i = 0; i < d->unsafe.count; i++) g->filled[g->of[i]] += share[i];
        for (int64_t i = 0; i < d->unsafe.count; i++) {
            double fill = g->offered[g->of[i]] ? fmin(FULLEST - 1, 4 * g->filled[g->of[i]] / (double)g->size) : 0;
            if ((int32_t)fill > full[i]) full[i] = (int32_t)fill;
        }
        for (int64_t i = 0; i < d->unsafe.count; i++) g->filled[g->of[i]] = 0;
    }
    for (int64_t i = 0; i < d->unsafe.count; i++) start[full[i] + 1]++;
    for (int64_t b = 0; b < FULLEST; b++) start[b + 1] += start[b];
    for (int64_t i = 0; i < d->unsafe.count; i++) (*out)[start[full[i]]++] = (int32_t)i;
done:
    arena_drop(work->arena, full);
    return status;
}

/* How far u of this tuple can go up. */
static double headroom(const Views *v, int64_t i, double share) {
    double rise = INFINITY;
    for (int a = 0; a < v->count; a++) {
        const Group *g = &v->at[a];
        int32_t at = g->of[i];
        if (g->offered[at]) rise = fmin(rise, ((double)g->size - g->filled[at] - g->most[at]) / fmax(share, 1));
    }
    return rise;
}

/* Offer (j, S) has the load u_j + Σ over its group, its own tuple left out, of n·u/d ≤ (Σ over the group) + max u(1 − n/d)⁺. Each u is
 * raised in turn as far as its groups let it. Tuples that lack keys, and sets beyond those looked at, are seen to afterwards, when loads
 * are weighed. */
static Status ascend(Work *work, NullSpaceSimplex *d) {
    Status status = OK;
    const Problem *p = d->problem;
    Views *v = NULL;
    int32_t *order = NULL;
    double *share = NULL;
    NEW(work, v, 1);
    NEW(work, share, d->unsafe.count);
    for (int64_t i = 0; i < d->unsafe.count; i++) {
        const Want *want = &p->want[p->start[d->tuple[i]]];
        share[i] = (double)d->unsafe.size[i] / (double)(want->k - want->have);
    }
    TRY(make_groups(work, d, p->combinations.at[0].keys, v));
    TRY(order_tuples(work, d, v, share, &order));
    for (int64_t n = 0; n < d->unsafe.count; n++) {
        int32_t i = order[n];
        double rise = d->unsafe.lacks[i] & p->combinations.at[0].keys ? 0 : headroom(v, i, share[i]);
        d->u[i] = isfinite(rise) && rise > 0 ? rise : 0;
        for (int a = 0; a < v->count && d->u[i] > 0; a++) {
            const Group *g = &v->at[a];
            g->filled[g->of[i]] += rise * share[i];
            g->most[g->of[i]] = fmax(g->most[g->of[i]], rise * fmax(0, 1 - share[i]));
        }
    }
done:
    for (int a = 0; v && a < v->count; a++) {
        arena_drop(work->arena, v->at[a].of);
        arena_drop(work->arena, v->at[a].filled);
        arena_drop(work->arena, v->at[a].most);
        arena_drop(work->arena, v->at[a].offered);
    }
    arena_drop(work->arena, order);
    arena_drop(work->arena, share);
    return status;
}

/* ---- small programs, solved outright ---- */

typedef struct {
    int64_t rows, columns, entries, column_room, entry_room;
    ProgramColumn *column;
    int32_t *row_of, *column_of;
    double *value;
    int64_t entry_room2, entry_room3;
} Covering;

static Status add_entry(Work *work, Covering *c, int64_t row, double value) {
    Status status = OK;
    GROW(work, c->row_of, c->entry_room, c->entries + 1);
    GROW(work, c->column_of, c->entry_room2, c->entries + 1);
    GROW(work, c->value, c->entry_room3, c->entries + 1);
    c->row_of[c->entries] = (int32_t)row;
    c->column_of[c->entries] = (int32_t)c->columns - 1;
    c->value[c->entries++] = value;
done:
    return status;
}

static bool agree(const NullSpaceSimplex *d, int64_t i, int64_t j, uint64_t among) {
    for (uint64_t left = among & ~d->unsafe.lacks[i] & ~d->unsafe.lacks[j]; left; left &= left - 1) {
        const int32_t *code = d->unsafe.code[__builtin_ctzll(left)];
        if (code[i] != code[j]) return false;
    }
    return true;
}

/* Column: how many records of tuple j lose this set. */
static Status add_offer(Work *work, const NullSpaceSimplex *d, Covering *c, int64_t j, uint64_t set) {
    Status status = OK;
    const Problem *p = d->problem;
    GROW(work, c->column, c->column_room, c->columns + 1);
    c->column[c->columns++] = (ProgramColumn){ .cost = (double)__builtin_popcountll(set), .low = 0, .high = (double)d->unsafe.size[j] };
    for (int64_t i = 0; i < d->unsafe.count; i++)
        for (int64_t w = p->start[d->tuple[i]]; w < p->start[d->tuple[i] + 1]; w++) {
            const Want *want = &p->want[w];
            if (!(want->keys & set)) continue;
            int64_t row = d->first[i] + w - p->start[d->tuple[i]];
            double need = (double)(want->k - want->have);
            if (i == j) TRY(add_entry(work, c, row, need / (double)d->unsafe.size[i]));
            else if (agree(d, i, j, (want->keys & ~set) | p->stratum) && !agree(d, i, j, want->keys | p->stratum))
                TRY(add_entry(work, c, row, 1));
        }
done:
    return status;
}

static Status solve_covering(Work *work, const NullSpaceSimplex *d, const Covering *c, double *out) {
    Status status = OK;
    ProgramRow *row = NULL;
    int32_t *column = NULL;
    double *value = NULL;
    int64_t *start = NULL;
    Solution solution;
    NEW(work, row, c->rows);
    NEW(work, start, c->rows + 2);
    NEW(work, column, c->entries);
    NEW(work, value, c->entries);
    for (int64_t e = 0; e < c->entries; e++) start[c->row_of[e] + 2]++;
    for (int64_t r = 0; r < c->rows; r++) start[r + 2] += start[r + 1];
    for (int64_t e = 0; e < c->entries; e++) {
        int64_t at = start[c->row_of[e] + 1]++;
        column[at] = c->column_of[e];
        value[at] = c->value[e];
    }
    for (int64_t i = 0; i < d->unsafe.count; i++)
        for (int64_t w = d->first[i]; w < d->first[i + 1]; w++) {
            const Want *want = &d->problem->want[d->problem->start[d->tuple[i]] + w - d->first[i]];
            row[w] = (ProgramRow){ .count = start[w + 1] - start[w],
                                   .column = column + start[w],
                                   .coefficient = value + start[w],
                                   .low = (double)(want->k - want->have),
                                   .high = INFINITY };
        }
    const Program program = { .rows = c->rows, .columns = c->columns, .row = row, .column = c->column };
    TRY(program_solve(work, &program, &solution));
    if (solution.state == PROGRAM_OPTIMAL) *out = solution.objective;
done:
    return status;
}

static Status by_program(Work *work, NullSpaceSimplex *d, double *out) {
    Status status = OK;
    const Problem *p = d->problem;
    Covering c = { .rows = d->first[d->unsafe.count] };
    if (c.rows > ROWS_MOST || (double)d->unsafe.count * (double)c.rows * (double)p->keys * (double)p->most_alone > MOST_WORK / 4) return OK;
    for (int64_t j = 0; j < d->unsafe.count; j++)
        for (uint64_t set = 1; set < UINT64_C(1) << p->keys; set++) {
            if (!offers(d, j, set, __builtin_popcountll(set))) continue;
            TRY(add_offer(work, d, &c, j, set));
            if (c.columns > COLUMNS_MOST || c.entries > ENTRIES_MOST) return OK;
        }
    TRY(solve_covering(work, d, &c, out));
done:
    return status;
}

Status problem_bound(Work *work, Problem *p) {
    Status status = OK;
    NullSpaceSimplex d = { .problem = p };
    double ratio = 0, program = 0, sets = 0;
    if (!p->unsafe || !p->alone_known || p->own) return OK;
    TRY(gather(work, &d));
    for (int64_t size = 1; size <= p->most_alone; size++) sets += choose(p->keys, size);
    double once = sets * (double)p->combinations.count * (double)d.unsafe.count; /* one look at every offer */
    if (p->combinations.count == 1) TRY(ascend(work, &d));
    if (once <= MOST_WORK) TRY(by_ratio(work, &d, once * ROUNDS <= MOST_WORK ? ROUNDS : 1, &ratio));
    if (p->keys <= 12) TRY(by_program(work, &d, &program));
    double bound = ceil(fmax(ratio, program) - 1e-6);
    if (bound > (double)p->lower_bound) p->lower_bound = (int64_t)bound;
done:
    return status;
}
