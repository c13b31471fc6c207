/* Cells given back that nobody misses, in whatever combination of keys: what was blanked for one of them is often served by what another
 * took later. Counted as the definition says (classes/candidates.h), and kept up as cells come back. */
#include <stdlib.h>
#include <string.h>
#include "base/sort.h"
#include "protect/suppress/hide.h"

enum { PLACES_MOST = 10 * 1000 * 1000, ROUNDS_MOST = 4 };
static const int64_t STEPS_MOST = 400 * 1000 * 1000;

/* The classes that a record fits once it has lost a set of keys. */
typedef struct {
    int32_t *group; /* class → its group by the keys outside the set */
    int64_t *start; /* group → its classes, in member */
    int32_t *member;
} Fitting;

/* One combination, and the candidates of each of its classes. */
typedef struct {
    uint64_t among;
    int64_t k, classes;
    int32_t *of;    /* row → class */
    int64_t *first; /* class → its rows, in row */
    int32_t *row;
    uint64_t *lacks;                /* class → keys that its people do not have */
    int64_t *exact, *fits, *blanks; /* class → records equal to it; that fit it with a key left; that fit it without any */
    Fitting *by;                    /* set of keys, by its number within the combination; made when it is asked for */
} Side;

typedef struct {
    Work *work;
    const Problem *problem;
    const uint64_t *floor; /* row → what it lacks in any case */
    uint64_t *lost;
    Side *side;
    int64_t steps;
    int64_t *next; /* row → 1 + the next of its unit: records of one tuple so far on that they are all treated alike */
    bool *follows; /* row → it is not the first of its unit */
    uint64_t *was; /* scratch: row → what it lacked before the attempt */
} Return;

static int set_number(uint64_t among, uint64_t set) {
    int number = 0, bit = 0;
    for (uint64_t left = among; left; left &= left - 1, bit++) number |= (set & left & -left) ? 1 << bit : 0;
    return number;
}

static Status fitting_of(Return *t, Side *s, uint64_t set, const Fitting **out) {
    Status status = OK;
    Fitting *f = &s->by[set_number(s->among, set)];
    int32_t *by_row = NULL;
    int64_t groups;
    *out = f;
    if (f->group) return OK;
    TRY(hide_classes(t->work, t->problem, s->among & ~set, &by_row, &groups));
    NEW(t->work, f->group, s->classes + 1);
    for (int64_t c = 0; c < s->classes; c++) f->group[c] = by_row[s->row[s->first[c]]];
    TRY(groups_listed(t->work, f->group, s->classes, groups, &f->start, &f->member));
done:
    arena_drop(t->work->arena, by_row);
    return status;
}

/* A row comes (sign 1) to lack `lost` of the combination's keys, or is no longer so (-1). */
static Status count_row(Return *t, Side *s, int64_t r, uint64_t lost, int sign) {
    Status status = OK;
    const Fitting *f;
    int64_t times = sign * problem_times(t->problem, r);
    TRY(fitting_of(t, s, lost, &f));
    int32_t group = f->group[s->of[r]];
    for (int64_t m = f->start[group]; m < f->start[group + 1]; m++) {
        int32_t c = f->member[m];
        if (s->lacks[c] == lost) s->exact[c] += times;
        *(lost == s->among ? &s->blanks[c] : &s->fits[c]) += times;
    }
    t->steps -= f->start[group + 1] - f->start[group] + 1;
done:
    return status;
}

static bool holds(const Side *s, int32_t c) { return (s->exact[c] ? s->exact[c] : s->fits[c] ? s->fits[c] : s->blanks[c]) >= s->k; }

static Status side_make(Return *t, Combination combination, Side *s) {
    Status status = OK;
    const Problem *p = t->problem;
    *s = (Side){ .among = combination.keys, .k = combination.k };
    TRY(hide_classes(t->work, p, s->among, &s->of, &s->classes));
    TRY(groups_listed(t->work, s->of, p->rows, s->classes, &s->first, &s->row));
    NEW(t->work, s->lacks, s->classes + 1);
    NEW(t->work, s->exact, s->classes + 1);
    NEW(t->work, s->fits, s->classes + 1);
    NEW(t->work, s->blanks, s->classes + 1);
    NEW(t->work, s->by, INT64_C(1) << __builtin_popcountll(s->among));
    for (int64_t c = 0; c < s->classes; c++) s->lacks[c] = p->tuples.lacks[p->of[s->row[s->first[c]]]] & s->among;
    for (int64_t r = 0; r < p->rows; r++) TRY(count_row(t, s, r, t->lost[r] & s->among, 1));
done:
    return status;
}

/* A row lacks `now` instead, in all combinations. */
static Status change(Return *t, int64_t r, uint64_t now) {
    Status status = OK;
    for (int64_t c = 0; c < t->problem->combinations.count; c++) {
        Side *s = &t->side[c];
        if (!((t->lost[r] ^ now) & s->among)) continue;
        TRY(count_row(t, s, r, t->lost[r] & s->among, -1));
        TRY(count_row(t, s, r, now & s->among, 1));
    }
    t->lost[r] = now;
done:
    return status;
}

/* Has everyone whom the row fitted before k candidates still? Whom it fits now is among them. */
static Status is_missed(Return *t, int64_t r, bool *out) {
    Status status = OK;
    for (int64_t c = 0; c < t->problem->combinations.count; c++) {
        Side *s = &t->side[c];
        const Fitting *f;
        if (!((t->was[r] ^ t->lost[r]) & s->among)) continue;
        TRY(fitting_of(t, s, t->was[r] & s->among, &f));
        int32_t group = f->group[s->of[r]];
        t->steps -= f->start[group + 1] - f->start[group];
        for (int64_t m = f->start[group]; m < f->start[group + 1]; m++)
            if (!holds(s, f->member[m])) {
                *out = true;
                return OK;
            }
    }
done:
    return status;
}

/* Some rows get these keys back, all of them or none. */
static Status give_back(Return *t, const int32_t *row, int64_t count, uint64_t keys, bool *out) {
    Status status = OK;
    bool missed = false, any = false;
    for (int64_t i = 0; i < count; i++) {
        int32_t r = row[i];
        uint64_t now = t->lost[r] & ~(keys & ~t->floor[r]);
        t->was[r] = t->lost[r];
        any |= now != t->lost[r];
        if (now != t->lost[r]) TRY(change(t, r, now));
    }
    for (int64_t i = 0; i < count && !missed; i++)
        if (t->was[row[i]] != t->lost[row[i]]) TRY(is_missed(t, row[i], &missed));
    for (int64_t i = 0; missed && i < count; i++)
        if (t->was[row[i]] != t->lost[row[i]]) TRY(change(t, row[i], t->was[row[i]]));
    *out |= any && !missed;
done:
    return status;
}

static bool is_over(const Return *t) { return t->steps <= 0 || problem_late(t->problem); }

/* Whole classes, which none may show unless k do. */
static Status return_classes(Return *t, const Side *s, bool *moved) {
    Status status = OK;
    for (int64_t c = 0; c < s->classes && !is_over(t); c++) {
        int64_t some = 0;
        TRY(work_check(t->work));
        for (int64_t i = s->first[c]; i < s->first[c + 1]; i++) some += (t->lost[s->row[i]] & ~t->floor[s->row[i]] & s->among) != 0;
        if (some > 1) TRY(give_back(t, s->row + s->first[c], s->first[c + 1] - s->first[c], s->among, moved));
    }
done:
    return status;
}

static int by_cells(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

static int64_t blanked(const Return *t, int64_t r) { return __builtin_popcountll(t->lost[r] & ~t->floor[r]); }

/* Row by row, who lost most first: all its cells, or one after the other, those that are to be spared first. */
static Status return_rows(Return *t, bool *moved) {
    Status status = OK;
    const Problem *p = t->problem;
    int64_t(*order)[2] = NULL, count = 0;
    int32_t *unit = NULL;
    NEW(t->work, order, p->rows + 1);
    NEW(t->work, unit, p->rows + 1);
    for (int64_t r = 0; r < p->rows; r++) {
        if (t->follows[r] || !blanked(t, r)) continue;
        order[count][0] = blanked(t, r);
        order[count++][1] = r;
    }
    if (count) qsort(order, (size_t)count, sizeof *order, by_cells);
    for (int64_t i = 0; i < count && !is_over(t); i++) {
        int64_t members = 0, first = order[i][1];
        bool all = false;
        TRY(work_check(t->work));
        for (int64_t r = first; r >= 0; r = t->next[r] - 1) unit[members++] = (int32_t)r;
        TRY(give_back(t, unit, members, UINT64_MAX, &all));
        for (int64_t key = p->keys - 1; !all && blanked(t, first) > 0 && key >= 0; key--)
            if (t->lost[first] >> p->order[key] & 1) TRY(give_back(t, unit, members, UINT64_C(1) << p->order[key], moved));
        *moved |= all;
    }
done:
    arena_drop(t->work->arena, order);
    arena_drop(t->work->arena, unit);
    return status;
}

/* Records of one tuple beyond those that may each lose cells of their own are one unit, as where one row stands for them all. */
static Status make_units(Return *t) {
    Status status = OK;
    const Problem *p = t->problem;
    int64_t *seen = NULL, *last = NULL, k = 1;
    for (int64_t c = 0; c < p->combinations.count; c++) k = p->combinations.at[c].k > k ? p->combinations.at[c].k : k;
    const int64_t apart = suppress_apart(k, p->keys);
    NEW(t->work, t->next, p->rows + 1);
    NEW(t->work, t->follows, p->rows + 1);
    NEW(t->work, seen, p->tuples.count + 1);
    NEW(t->work, last, p->tuples.count + 1);
    for (int64_t r = 0; r < p->rows; r++) {
        int32_t tuple = p->of[r];
        if (++seen[tuple] < apart) continue;
        if (seen[tuple] > apart) {
            t->next[last[tuple]] = r + 1;
            t->follows[r] = true;
        }
        last[tuple] = r;
    }
done:
    arena_drop(t->work->arena, seen);
    arena_drop(t->work->arena, last);
    return status;
}

Status hide_return(Work *work, const Problem *p, const uint64_t *floor, uint64_t *lost) {
    Status status = OK;
    Return t = { .work = work, .problem = p, .floor = floor, .lost = lost, .steps = STEPS_MOST };
    double places = 0;
    bool moved = true;
    if (p->keys > 30) return OK; /* more sets of keys than there is room for */
    for (int64_t c = 0; c < p->combinations.count; c++)
        places += (double)p->tuples.count * (double)(UINT64_C(1) << __builtin_popcountll(p->combinations.at[c].keys));
    if (places > PLACES_MOST) return OK;
    TRY(make_units(&t));
    NEW(work, t.was, p->rows + 1);
    NEW(work, t.side, p->combinations.count + 1);
    for (int64_t c = 0; c < p->combinations.count; c++) TRY(side_make(&t, p->combinations.at[c], &t.side[c]));
    for (int round = 0; moved && round < ROUNDS_MOST && !is_over(&t); round++) {
        moved = false;
        for (int64_t c = p->combinations.count - 1; c >= 0; c--) TRY(return_classes(&t, &t.side[c], &moved));
        TRY(return_rows(&t, &moved));
    }
done:
    return status;
}
