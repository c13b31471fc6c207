/* One blank can serve many: a record that loses keys agrees with all that equal it elsewhere, and each of those counts one more. So the
 * blanks that fill most of what is wanting, for each cell, go first, and records that others' blanks have made safe are left whole. */
#include <string.h>
#include "protect/suppress/counts.h"
#include "table/group.h"

enum { MOST_PLACES = 60 * 1000 * 1000, GAIN_MOST = 1 << 16, SETS = 64 };

/* What unsafe records have in common on some keys. */
typedef struct {
    int32_t *of;
    int64_t groups;
} Common;

/* Records that agree on a combination but for the keys of a set. */
typedef struct {
    int64_t combination;
    int set;
    int32_t *of; /* record → group; -1 where it lacks one of the keys */
    int32_t *start, *member;
    int32_t *length;  /* members still looked at */
    int32_t *wanting; /* group → records in it that want this combination still */
} View;

typedef struct {
    Problem *problem;
    int64_t records;
    int64_t *row;
    int32_t *tuple;
    uint64_t *blanked; /* record → keys it has lost */
    int64_t *first;    /* record → its wants */
    int32_t *deficit;  /* want → how many more it takes; 0 = settled */
    Common *common;    /* combination → records that agree on all of it */
    int32_t **alike;   /* combination → group of that → records that want it still */
    int sets;
    uint64_t set[SETS]; /* keys, the sets to be given up first first */
    uint64_t *good;     /* tuple → bits of the sets that settle every want they hit */
    int64_t views, view_start[SETS + 1];
    View *view;           /* set by set */
    int32_t *head, *next; /* candidates, by what they are worth */
    int64_t heads;
} Cover;

/* ---- making ---- */

static Status gather(Work *work, Cover *c) {
    Status status = OK;
    const Problem *p = c->problem;
    int64_t at = 0;
    NEW(work, c->row, p->unsafe);
    NEW(work, c->tuple, p->unsafe);
    NEW(work, c->blanked, p->unsafe);
    NEW(work, c->first, p->unsafe + 1);
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t wants = p->start[p->of[i] + 1] - p->start[p->of[i]];
        if (!wants) continue;
        c->row[at] = i;
        c->tuple[at] = p->of[i];
        c->first[at + 1] = c->first[at] + wants;
        at++;
    }
    c->records = at;
    NEW(work, c->deficit, c->first[c->records]);
    for (int64_t r = 0; r < c->records; r++)
        for (int64_t w = 0; w < c->first[r + 1] - c->first[r]; w++) {
            const Want *want = &p->want[p->start[c->tuple[r]] + w];
            c->deficit[c->first[r] + w] = (int32_t)(want->k - want->have);
        }
done:
    return status;
}

/* Single keys always; larger sets where some records need them and there is room. */
static void choose_sets(Cover *c) {
    const Problem *p = c->problem;
    double places = 0, combinations = (double)p->combinations.count;
    for (int64_t size = 1; size <= p->most_alone && size <= p->keys; size++) {
        places += choose(p->keys, size) * combinations * (double)p->unsafe;
        if (c->sets + choose(p->keys, size) > SETS || (size > 1 && places > MOST_PLACES)) return;
        for (uint64_t at = low_bits(size), end = UINT64_C(1) << p->keys; at < end; at = next_set(at)) c->set[c->sets++] = keys_at(p, at);
    }
}

static Status group_records(Work *work, const Cover *c, uint64_t keys, Grouping *out) {
    Status status = OK;
    const Problem *p = c->problem;
    Codes codes[TUPLE_KEYS];
    int32_t *copy[TUPLE_KEYS] = { 0 };
    int64_t count = 0;
    for (uint64_t left = keys | p->stratum; left; left &= left - 1, count++) {
        int key = __builtin_ctzll(left);
        NEW(work, copy[count], c->records);
        for (int64_t r = 0; r < c->records; r++) copy[count][r] = p->tuples.code[key][c->tuple[r]];
        codes[count] = (Codes){ .count = p->tuples.values[key], .at = copy[count] };
    }
    TRY(group_codes(work, codes, count, c->records, out));
done:
    for (int i = 0; i < TUPLE_KEYS; i++) arena_drop(work->arena, copy[i]);
    arena_drop(work->arena, out->first);
    return status;
}

/* The want of record r about this combination; -1 where it has none, or it is settled. */
static int64_t want_about(const Cover *c, int64_t r, int64_t combination) {
    const Problem *p = c->problem;
    int64_t start = p->start[c->tuple[r]], count = c->first[r + 1] - c->first[r];
    uint64_t keys = p->combinations.at[combination].keys;
    for (int64_t w = 0; w < count; w++)
        if (p->want[start + w].keys == keys) return c->deficit[c->first[r] + w] ? w : -1;
    return -1;
}

static Status make_common(Work *work, Cover *c) {
    Status status = OK;
    const Problem *p = c->problem;
    NEW(work, c->common, p->combinations.count);
    NEW(work, c->alike, p->combinations.count);
    for (int64_t i = 0; i < p->combinations.count; i++) {
        Grouping groups;
        TRY(group_records(work, c, p->combinations.at[i].keys, &groups));
        c->common[i] = (Common){ groups.of, groups.count };
        arena_drop(work->arena, groups.size);
        NEW(work, c->alike[i], groups.count);
        for (int64_t r = 0; r < c->records; r++) c->alike[i][groups.of[r]] += want_about(c, r, i) >= 0;
    }
done:
    return status;
}

static Status make_view(Work *work, Cover *c, View *v) {
    Status status = OK;
    const Problem *p = c->problem;
    uint64_t keys = p->combinations.at[v->combination].keys;
    Grouping groups = { 0 };
    TRY(group_records(work, c, keys & ~c->set[v->set], &groups));
    v->of = groups.of;
    NEW(work, v->start, groups.count + 1);
    NEW(work, v->member, c->records);
    NEW(work, v->length, groups.count);
    NEW(work, v->wanting, groups.count);
    for (int64_t g = 0; g < groups.count; g++) v->start[g + 1] = v->start[g] + (int32_t)groups.size[g];
    for (int64_t r = 0; r < c->records; r++) {
        int32_t g = v->of[r];
        if (p->tuples.lacks[c->tuple[r]] & keys) { /* agrees across groups: left to the exact counts */
            v->of[r] = -1;
            continue;
        }
        if (want_about(c, r, v->combination) < 0) continue;
        v->member[v->start[g] + v->length[g]++] = (int32_t)r;
        v->wanting[g]++;
    }
done:
    arena_drop(work->arena, groups.size);
    return status;
}

static Status make_views(Work *work, Cover *c) {
    Status status = OK;
    const Problem *p = c->problem;
    NEW(work, c->view, c->sets * p->combinations.count);
    for (int set = 0; set < c->sets; set++) {
        c->view_start[set] = c->views;
        for (int64_t i = 0; i < p->combinations.count; i++) {
            if (!(p->combinations.at[i].keys & c->set[set])) continue;
            c->view[c->views] = (View){ .combination = i, .set = set };
            TRY(work_check(work));
            TRY(make_view(work, c, &c->view[c->views++]));
        }
    }
    c->view_start[c->sets] = c->views;
done:
    return status;
}

/* Sets that a tuple may lose: no larger than makes it safe alone, and settling all the wants that they hit. */
static Status find_good(Work *work, Cover *c) {
    Status status = OK;
    Problem *p = c->problem;
    Counts counts = { .problem = p };
    NEW(work, c->good, p->tuples.count);
    for (int set = 0; set < c->sets; set++) {
        for (int64_t t = 0; t < p->tuples.count; t++)
            if (!((p->tuples.lacks[t] | ~p->open[t]) & c->set[set]) && __builtin_popcountll(c->set[set]) <= p->alone[t])
                c->good[t] |= UINT64_C(1) << set;
        for (int64_t v = c->view_start[set]; v < c->view_start[set + 1]; v++) {
            const int64_t *count;
            uint64_t keys = p->combinations.at[c->view[v].combination].keys;
            TRY(counts_about(work, &counts, keys & ~c->set[set], &count));
            for (int64_t t = 0; t < p->tuples.count; t++)
                for (int64_t w = p->start[t]; w < p->start[t + 1]; w++)
                    if (p->want[w].keys == keys && count[t] < p->want[w].k) c->good[t] &= ~(UINT64_C(1) << set);
            if (counts.count > 8) counts_forget(work, &counts);
        }
    }
done:
    counts_forget(work, &counts);
    return status;
}

/* ---- choosing ---- */

/* What losing this set fills: the record's own wants, and one for each other record that then agrees with it. */
static int64_t worth(const Cover *c, int64_t r, int set) {
    int64_t gain = 0;
    if (__builtin_popcountll(c->blanked[r] | c->set[set]) > c->problem->alone[c->tuple[r]] || (c->blanked[r] & c->set[set])) return 0;
    for (int64_t v = c->view_start[set]; v < c->view_start[set + 1]; v++) {
        const View *view = &c->view[v];
        int64_t w = want_about(c, r, view->combination);
        if (w >= 0) gain += c->deficit[c->first[r] + w];
        if (view->of[r] >= 0) gain += view->wanting[view->of[r]] - c->alike[view->combination][c->common[view->combination].of[r]];
    }
    return gain < GAIN_MOST ? gain : GAIN_MOST - 1;
}

/* A blank that fills `gain` units of want costs each of them an equal share. */
static void charge(Cover *c, int64_t r, int64_t w, double units, double price) {
    c->problem->price[c->problem->start[c->tuple[r]] + w] += units * price / (double)c->problem->tuples.size[c->tuple[r]];
}

static void settle(Cover *c, int64_t r, int64_t w, int64_t combination) {
    c->deficit[c->first[r] + w] = 0;
    c->alike[combination][c->common[combination].of[r]]--;
    for (int64_t v = 0; v < c->views; v++)
        if (c->view[v].combination == combination && c->view[v].of[r] >= 0) c->view[v].wanting[c->view[v].of[r]]--;
}

/* Everyone else in the group counts one more; those that want no more are looked at no more. */
static void serve(Cover *c, View *view, int64_t r, double price) {
    int32_t g = view->of[r], *member = view->member + view->start[g], kept = 0;
    const int32_t *same = c->common[view->combination].of;
    for (int32_t i = 0; i < view->length[g]; i++) {
        int32_t other = member[i];
        int64_t w = want_about(c, other, view->combination);
        if (w < 0) continue;
        if (same[other] != same[r]) { /* else they agree already */
            charge(c, other, w, 1, price);
            if (--c->deficit[c->first[other] + w] == 0) {
                settle(c, other, w, view->combination);
                continue;
            }
        }
        member[kept++] = other;
    }
    view->length[g] = kept;
}

static void lose(Cover *c, int64_t r, int set, double price) {
    c->blanked[r] |= c->set[set];
    for (int64_t v = c->view_start[set]; v < c->view_start[set + 1]; v++) {
        View *view = &c->view[v];
        int64_t w = want_about(c, r, view->combination);
        if (w >= 0) {
            charge(c, r, w, c->deficit[c->first[r] + w], price);
            settle(c, r, w, view->combination);
        }
        if (view->of[r] >= 0) serve(c, view, r, price);
    }
}

/* Candidates wait in lists by worth for each cell and, within that, by the order in which keys are given up. Worth only falls: one that is
 * no longer what its list says goes to a lower one. */
static void put(Cover *c, int64_t r, int set, int64_t gain) {
    int64_t list = gain / __builtin_popcountll(c->set[set]) * c->sets + c->sets - 1 - set, candidate = r * c->sets + set;
    if (gain <= 0) return;
    c->next[candidate] = c->head[list];
    c->head[list] = (int32_t)candidate;
}

static Status make_lists(Work *work, Cover *c) {
    Status status = OK;
    int64_t most = 0;
    NEW(work, c->next, c->records * c->sets);
    for (int64_t v = 0; v < c->views; v++)
        for (int64_t r = 0; r < c->records; r++)
            if (c->view[v].of[r] >= 0 && c->view[v].wanting[c->view[v].of[r]] > most) most = c->view[v].wanting[c->view[v].of[r]];
    most = most * c->problem->combinations.count + 1; /* and its own wants */
    for (int64_t i = 0; i < c->problem->combinations.count; i++) most += c->problem->combinations.at[i].k;
    c->heads = ((most < GAIN_MOST ? most : GAIN_MOST) + 1) * c->sets;
    NEW(work, c->head, c->heads);
    for (int64_t i = 0; i < c->heads; i++) c->head[i] = -1;
    for (int64_t r = c->records - 1; r >= 0; r--)
        for (int set = 0; set < c->sets; set++)
            if (c->good[c->tuple[r]] >> set & 1) put(c, r, set, worth(c, r, set));
done:
    return status;
}

static Status run_cover(Work *work, Cover *c) {
    Status status = OK;
    TRY(make_lists(work, c));
    for (int64_t list = c->heads - 1; list >= 0; list--) {
        if (list % c->sets == 0) TRY(work_check(work));
        while (c->head[list] >= 0) {
            int32_t candidate = c->head[list];
            int64_t r = candidate / c->sets;
            int set = (int)(candidate % c->sets), size = __builtin_popcountll(c->set[set]);
            int64_t gain = worth(c, r, set);
            c->head[list] = c->next[candidate];
            if (gain > 0 && gain / size * c->sets + c->sets - 1 - set == list) lose(c, r, set, (double)size / (double)gain);
            else put(c, r, set, gain);
        }
    }
done:
    return status;
}

static void cover_drop(Work *work, Cover *c) {
    for (int64_t v = 0; v < c->views; v++) {
        arena_drop(work->arena, c->view[v].of);
        arena_drop(work->arena, c->view[v].start);
        arena_drop(work->arena, c->view[v].member);
        arena_drop(work->arena, c->view[v].length);
        arena_drop(work->arena, c->view[v].wanting);
    }
    arena_drop(work->arena, c->next);
    arena_drop(work->arena, c->head);
    arena_drop(work->arena, c->row);
    arena_drop(work->arena, c->first);
}

Status problem_cover(Work *work, Problem *problem, uint64_t *blank) {
    Status status = OK;
    Cover c = { .problem = problem };
    double places = (double)problem->combinations.count * (double)problem->keys * (double)problem->unsafe;
    if (!problem->unsafe || places > MOST_PLACES || problem->unsafe * SETS > INT32_MAX) return OK;
    NEW(work, problem->price, problem->start[problem->tuples.count]);
    TRY(gather(work, &c));
    choose_sets(&c);
    TRY(make_common(work, &c));
    TRY(make_views(work, &c));
    TRY(find_good(work, &c));
    TRY(run_cover(work, &c));
    for (int64_t r = 0; r < c.records; r++) blank[c.row[r]] = c.blanked[r];
done:
    cover_drop(work, &c);
    return status;
}
