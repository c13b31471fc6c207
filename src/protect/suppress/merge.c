/* An assignment and its moves: a tuple is opened, so that classes merge, or closed, so that it is divided among others. Every move keeps k, or is
 * undone. */
#include <stdlib.h>
#include "protect/suppress/suppress.h"

/* Units that could be pulled to a tuple, and what a unit would save. */
struct Pull {
    int64_t gain;
    int32_t from, to;
};

Status assignment_new(Work *work, const Problem *p, Assignment *assignment) {
    Status status = OK;
    *assignment = (Assignment){ 0 };
    NEW(work, assignment->units, p->links + 1);
    NEW(work, assignment->people, p->tuples + 1);
    NEW(work, assignment->held, p->tuples + 1);
    NEW(work, assignment->next, p->links + 1);
    NEW(work, assignment->head, p->classes + 1);
    NEW(work, assignment->touched, p->tuples + 1);
    for (int64_t c = 0; c < p->classes; c++) assignment->head[c] = -1;
done:
    return status;
}

static void unlink_units(const Problem *p, Assignment *assignment, int64_t link) {
    int32_t *at = &assignment->head[p->owner[link]];
    while (*at != link) at = &assignment->next[*at];
    *at = assignment->next[link];
}

static void shift(const Problem *p, Assignment *assignment, int64_t link, int64_t units) {
    int64_t c = p->owner[link], t = p->tuple[link];
    if (!assignment->units[link]) {
        assignment->next[link] = assignment->head[c];
        assignment->head[c] = (int32_t)link;
    }
    assignment->units[link] += units;
    assignment->held[t] += units;
    assignment->people[t] += p->counts[c] ? units : 0;
    assignment->cost += units * link_cost(p, link);
    if (!assignment->units[link]) unlink_units(p, assignment, link);
}

Status assignment_move(Work *work, const Problem *p, Assignment *assignment, int64_t from, int64_t to, int64_t units) {
    Status status = OK;
    if (!units) return OK;
    GROW(work, assignment->step, assignment->room, assignment->steps + 1);
    assignment->step[assignment->steps++] = (struct Step){ (int32_t)from, (int32_t)to, units };
    if (from >= 0) shift(p, assignment, from, -units);
    shift(p, assignment, to, units);
done:
    return status;
}

void assignment_undo(const Problem *p, Assignment *assignment, int64_t steps) {
    while (assignment->steps > steps) {
        struct Step s = assignment->step[--assignment->steps];
        shift(p, assignment, s.to, -s.units);
        if (s.from >= 0) shift(p, assignment, s.from, s.units);
    }
}

void assignment_restore(const Problem *p, Assignment *assignment, const int64_t *units) {
    for (int64_t l = 0; l < p->links; l++)
        if (assignment->units[l] != units[l]) shift(p, assignment, l, units[l] - assignment->units[l]);
    assignment->steps = 0;
}

/* Units that may leave a link: of a large class nearly all stay (suppress_apart). */
static int64_t units_free(const Problem *p, const Assignment *assignment, int64_t link) {
    int64_t c = p->owner[link], free = assignment->units[link];
    if (p->own[c] == link && p->units[c] > p->movable + 1) free -= p->units[c] - p->movable;
    return free > 0 ? free : 0;
}

/* The cheapest tuple in use that a class may go to instead of this; -1: none. */
static int64_t cheapest_other(const Problem *p, Assignment *assignment, int64_t class, int64_t tuple) {
    for (int64_t l = p->start[class]; l < p->start[class + 1]; l++) {
        assignment->effort++;
        if (p->tuple[l] != tuple && assignment->people[p->tuple[l]] >= p->k) return l;
    }
    return -1;
}

/* What it would cost to give up a tuple; INT64_MAX where it cannot be. */
static int64_t closing_cost(const Problem *p, Assignment *assignment, int64_t tuple) {
    int64_t cost = 0;
    for (int64_t i = p->begin[tuple]; i < p->begin[tuple + 1]; i++) {
        int64_t l = p->member[i];
        assignment->effort++;
        if (!assignment->units[l]) continue;
        int64_t to = cheapest_other(p, assignment, p->owner[l], tuple);
        if (to < 0 || units_free(p, assignment, l) < assignment->units[l]) return INT64_MAX;
        cost += assignment->units[l] * (link_cost(p, to) - link_cost(p, l));
    }
    return cost;
}

static Status close_tuple(Work *work, const Problem *p, Assignment *assignment, int64_t tuple) {
    Status status = OK;
    for (int64_t i = p->begin[tuple]; i < p->begin[tuple + 1]; i++) {
        int64_t l = p->member[i];
        if (assignment->units[l])
            TRY(assignment_move(work, p, assignment, l, cheapest_other(p, assignment, p->owner[l], tuple), assignment->units[l]));
    }
done:
    return status;
}

static int compare_pulls(const void *a, const void *b) {
    const struct Pull *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* All units that are elsewhere and may come, the largest saving first. */
static Status list_pulls(Work *work, const Problem *p, Assignment *assignment, int64_t tuple, int64_t *count, int64_t *best) {
    Status status = OK;
    *count = 0;
    *best = INT64_MIN;
    for (int64_t i = p->begin[tuple]; i < p->begin[tuple + 1]; i++) {
        int64_t to = p->member[i], cost = link_cost(p, to);
        for (int64_t from = assignment->head[p->owner[to]]; from >= 0; from = assignment->next[from]) {
            assignment->effort++;
            if (from == to || !units_free(p, assignment, from)) continue;
            GROW(work, assignment->pull, assignment->pulls, *count + 1);
            int64_t gain = link_cost(p, from) - cost;
            assignment->pull[(*count)++] = (struct Pull){ gain, (int32_t)from, (int32_t)to };
            if (gain > *best) *best = gain;
        }
    }
done:
    return status;
}

/* Fills a tuple up to k from tuples that have people to spare, by the cheapest; with `whole` also from others. */
static Status fill(Work *work, const Problem *p, Assignment *assignment, int64_t tuple, const struct Pull *pull, int64_t count,
                   bool whole) {
    Status status = OK;
    for (int64_t i = 0; i < count && assignment->people[tuple] < p->k; i++) {
        int64_t source = p->tuple[pull[i].from], free = units_free(p, assignment, pull[i].from), spare = assignment->people[source] - p->k;
        if (!p->counts[p->owner[pull[i].from]]) continue;
        if (spare < 0 || whole) spare = free;
        int64_t need = p->k - assignment->people[tuple], units = free < spare ? free : spare;
        TRY(assignment_move(work, p, assignment, pull[i].from, pull[i].to, units < need ? units : need));
    }
done:
    return status;
}

/* The cost of filling up a tuple from those with people to spare; the pulls are left sorted. */
static int64_t filling_cost(const Problem *p, Assignment *assignment, int64_t tuple, int64_t count) {
    int64_t cost = 0, need = p->k - assignment->people[tuple];
    qsort(assignment->pull, (size_t)count, sizeof *assignment->pull, compare_pulls);
    assignment->effort += 4 * count;
    for (int64_t i = 0; i < count && need > 0; i++) {
        int64_t source = p->tuple[assignment->pull[i].from], free = units_free(p, assignment, assignment->pull[i].from),
                spare = assignment->people[source] - p->k;
        if (!p->counts[p->owner[assignment->pull[i].from]] || spare <= 0) continue;
        int64_t units = free < spare ? free : spare;
        if (units > need) units = need;
        cost -= units * assignment->pull[i].gain;
        need -= units;
    }
    return need > 0 ? INT64_MAX : cost;
}

/* A tuple that lost people is given up or filled, whichever is cheaper. */
static Status repair(Work *work, const Problem *p, Assignment *assignment, int64_t tuple, bool *done) {
    Status status = OK;
    int64_t count, best, closing = closing_cost(p, assignment, tuple), filling;
    *done = true;
    TRY(list_pulls(work, p, assignment, tuple, &count, &best));
    filling = filling_cost(p, assignment, tuple, count);
    if (closing == INT64_MAX && filling == INT64_MAX) *done = false;
    else if (closing <= filling) TRY(close_tuple(work, p, assignment, tuple));
    else {
        TRY(fill(work, p, assignment, tuple, assignment->pull, count, false));
        *done = assignment->people[tuple] >= p->k;
    }
done:
    return status;
}

static bool short_of(const Problem *p, const Assignment *assignment, int64_t tuple) {
    return assignment->held[tuple] && assignment->people[tuple] < p->k;
}

/* Tuples that the steps since `first` left with fewer than k. */
static Status repair_touched(Work *work, const Problem *p, Assignment *assignment, int64_t first, bool *done) {
    Status status = OK;
    int64_t last = assignment->steps, count = 0;
    for (int64_t i = first; i < last; i++)
        if (assignment->step[i].from >= 0 && short_of(p, assignment, p->tuple[assignment->step[i].from]) && count < p->tuples) {
            int32_t tuple = p->tuple[assignment->step[i].from];
            if (!count || assignment->touched[count - 1] != tuple) assignment->touched[count++] = tuple;
        }
    *done = true;
    for (int64_t i = 0; i < count && *done; i++)
        if (short_of(p, assignment, assignment->touched[i])) TRY(repair(work, p, assignment, assignment->touched[i], done));
done:
    return status;
}

Status assignment_open(Work *work, const Problem *p, Assignment *assignment, int64_t tuple, bool whole, bool *done) {
    Status status = OK;
    int64_t before = assignment->cost, first = assignment->steps, count, best;
    *done = false;
    TRY(list_pulls(work, p, assignment, tuple, &count, &best));
    if (best <= 0) return OK;
    qsort(assignment->pull, (size_t)count, sizeof *assignment->pull, compare_pulls);
    assignment->effort += 4 * count;
    for (int64_t i = 0; i < count && assignment->pull[i].gain > 0; i++) {
        struct Pull pull = assignment->pull[i];
        int64_t units = units_free(p, assignment, pull.from), spare = assignment->people[p->tuple[pull.from]] - p->k;
        if (!whole && p->counts[p->owner[pull.from]] && units > spare) units = spare;
        if (units > 0) TRY(assignment_move(work, p, assignment, pull.from, pull.to, units));
    }
    TRY(fill(work, p, assignment, tuple, assignment->pull, count, false));
    if (assignment->people[tuple] < p->k && whole) TRY(fill(work, p, assignment, tuple, assignment->pull, count, true));
    *done = !short_of(p, assignment, tuple) && assignment->steps > first;
    if (*done) TRY(repair_touched(work, p, assignment, first, done));
    if (*done) *done = assignment->cost < before;
    if (!*done) assignment_undo(p, assignment, first);
done:
    return status;
}

Status assignment_close(Work *work, const Problem *p, Assignment *assignment, int64_t tuple, int64_t most, bool *done) {
    Status status = OK;
    *done = false;
    if (!assignment->held[tuple]) return OK;
    int64_t cost = closing_cost(p, assignment, tuple);
    if (cost >= most) return OK;
    TRY(close_tuple(work, p, assignment, tuple));
    *done = true;
done:
    return status;
}

Status assignment_vacate(Work *work, const Problem *p, Assignment *assignment, int64_t tuple, bool *done) {
    Status status = OK;
    int64_t first = assignment->steps;
    *done = assignment->held[tuple] > 0;
    for (int64_t i = p->begin[tuple]; i < p->begin[tuple + 1] && *done; i++) {
        int64_t l = p->member[i], c = p->owner[l];
        if (!assignment->units[l]) continue;
        int64_t to = cheapest_other(p, assignment, c, tuple);
        if (to < 0) to = p->start[c + 1] - 1;
        *done = p->tuple[to] != tuple && units_free(p, assignment, l) == assignment->units[l];
        if (*done) TRY(assignment_move(work, p, assignment, l, to, assignment->units[l]));
    }
    if (!*done) assignment_undo(p, assignment, first);
done:
    return status;
}

Status assignment_fill(Work *work, const Problem *p, Assignment *assignment, int64_t tuple, bool *done) {
    Status status = OK;
    int64_t first = assignment->steps, count, best;
    TRY(list_pulls(work, p, assignment, tuple, &count, &best));
    qsort(assignment->pull, (size_t)count, sizeof *assignment->pull, compare_pulls);
    TRY(fill(work, p, assignment, tuple, assignment->pull, count, false));
    TRY(fill(work, p, assignment, tuple, assignment->pull, count, true));
    *done = assignment->people[tuple] >= p->k;
    if (*done) TRY(repair_touched(work, p, assignment, first, done));
done:
    return status;
}
