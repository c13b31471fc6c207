/* An assignment: every unsafe record fully blank at first, then the cheapest tuples opened, then parts of the assignment given up and made again wherever
 * that costs less. Every step is undone unless it saves; the same on every machine, since what ends the search is counted and not timed. */
#include <stdlib.h>
#include <string.h>
#include "base/sort.h"
#include "protect/suppress/suppress.h"
#include "table/group.h"

enum { AREA_MOST = 4096, RATIO = 1024, WORSE = 3 };

typedef struct Search {
    Work *work;
    const Problem *p;
    Assignment *assignment;
    int64_t *area; /* tuples near what was given up */
    int64_t areas;
    int64_t *seen; /* tuple → the round in which it was put there */
    int64_t round;
    uint64_t random;
    int64_t effort;
    int64_t least; /* no assignment costs less */
} Search;

static uint64_t draw(Search *s, uint64_t below) {
    s->random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)(((unsigned __int128)word_hash(s->random) * below) >> 64);
}

static bool over(const Search *s, int64_t limit) { return s->assignment->effort > limit || problem_late(s->p); }

static Status fill_short(Search *s) {
    Status status = OK;
    for (int64_t t = 0; t < s->p->tuples; t++) {
        bool done;
        if (!s->assignment->held[t] || s->assignment->people[t] >= s->p->k) continue;
        TRY(assignment_fill(s->work, s->p, s->assignment, t, &done));
        if (!done) TRY(fail(s->work->error, FAILED, "no first suppression was found: this is a fault in scrim"));
    }
done:
    return status;
}

static Status start_assignment(Search *s) {
    Status status = OK;
    const Problem *p = s->p;
    for (int64_t c = 0; c < p->classes; c++)
        if (p->start[c] < p->start[c + 1])
            TRY(assignment_move(s->work, p, s->assignment, -1, p->safe[c] ? p->own[c] : p->start[c + 1] - 1, p->units[c]));
    TRY(fill_short(s));
    s->assignment->steps = 0;
done:
    return status;
}

static Status try_open(Search *s, int64_t tuple, bool *done) {
    Status status = OK;
    TRY(assignment_open(s->work, s->p, s->assignment, tuple, true, done));
    if (!*done) TRY(assignment_open(s->work, s->p, s->assignment, tuple, false, done));
done:
    return status;
}

/* What a tuple would cost for each unsafe unit that it took from the fully blank ones, in 1/RATIO; INT64_MAX where it takes none. */
static int64_t cost_per_unit(Search *s, int64_t tuple) {
    const Problem *p = s->p;
    int64_t units = 0, cost = 0, people = s->assignment->people[tuple], lent = INT64_MAX;
    for (int64_t i = p->begin[tuple]; i < p->begin[tuple + 1]; i++) {
        int64_t l = p->member[i], c = p->owner[l], last = p->start[c + 1] - 1;
        s->assignment->effort++;
        if (p->safe[c] && link_cost(p, l) > 0 && link_cost(p, l) < lent) lent = link_cost(p, l);
        if (p->safe[c] || l == last) continue;
        int64_t waiting = s->assignment->units[last];
        units += waiting;
        cost += waiting * link_cost(p, l);
        people += p->counts[c] ? waiting : 0;
    }
    if (!units || (people < p->k && lent == INT64_MAX)) return INT64_MAX;
    if (people < p->k) cost += (p->k - people) * lent;
    return RATIO * cost / units;
}

static void sift_down(int64_t *key, int32_t *tuple, int64_t count, int64_t at) {
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && (key[child + 1] < key[child] || (key[child + 1] == key[child] && tuple[child + 1] < tuple[child])))
            child++;
        if (key[at] < key[child] || (key[at] == key[child] && tuple[at] < tuple[child])) return;
        int64_t k = key[at];
        int32_t t = tuple[at];
        key[at] = key[child];
        tuple[at] = tuple[child];
        key[child] = k;
        tuple[child] = t;
        at = child;
    }
}

/* Opens tuples by their cost per unit, the least first; costs only rise as others take the units, so that the top is looked at again. */
static Status open_cheapest(Search *s) {
    Status status = OK;
    const Problem *p = s->p;
    int64_t *key = NULL, count = 0;
    int32_t *tuple = NULL;
    bool done;
    NEW(s->work, key, p->tuples + 1);
    NEW(s->work, tuple, p->tuples + 1);
    for (int64_t t = 0; t < p->tuples; t++) {
        key[count] = cost_per_unit(s, t);
        tuple[count] = (int32_t)t;
        if (key[count] < INT64_MAX) count++;
    }
    for (int64_t i = count / 2; i >= 0; i--) sift_down(key, tuple, count, i);
    for (int64_t n = 0; count > 0; n++) {
        if (n % 1024 == 0) TRY(work_check(s->work));
        int64_t now = cost_per_unit(s, tuple[0]);
        if (now == key[0]) TRY(assignment_open(s->work, p, s->assignment, tuple[0], false, &done));
        s->assignment->steps = 0;
        if (now == key[0] || now == INT64_MAX) {
            count--;
            key[0] = key[count];
            tuple[0] = tuple[count];
        } else key[0] = now;
        sift_down(key, tuple, count, 0);
    }
done:
    arena_drop(s->work->arena, key);
    arena_drop(s->work->arena, tuple);
    return status;
}

/* Once through all tuples, as long as that saves much. */
static Status descend(Search *s) {
    Status status = OK;
    Keyed keyed;
    const Problem *p = s->p;
    TRY(keyed_new(s->work, p->tuples, &keyed));
    for (int64_t t = 0; t < p->tuples; t++) {
        keyed.key[t] = (uint64_t)p->cost[t] << 32 | (uint64_t)(UINT32_MAX - (uint32_t)(p->begin[t + 1] - p->begin[t]));
        keyed.row[t] = (int32_t)t;
    }
    TRY(keyed_sort(s->work, keyed, p->tuples));
    for (int pass = 0; pass < 12; pass++) {
        int64_t before = s->assignment->cost;
        for (int64_t i = 0; i < p->tuples; i++) {
            bool done;
            if (i % 256 == 0) TRY(work_check(s->work));
            if (over(s, 4 * s->effort)) break;
            TRY(try_open(s, keyed.row[i], &done));
            if (!done) TRY(assignment_close(s->work, p, s->assignment, keyed.row[i], 0, &done));
            s->assignment->steps = 0;
        }
        if (before - s->assignment->cost <= before / 1000 || over(s, s->effort)) break;
    }
    keyed_drop(s->work, &keyed);
done:
    return status;
}

static void add_area(Search *s, int64_t class) {
    const Problem *p = s->p;
    for (int64_t l = p->start[class]; l < p->start[class + 1] && s->areas < AREA_MOST; l++) {
        int64_t t = p->tuple[l];
        if (s->seen[t] == s->round) continue;
        s->seen[t] = s->round;
        s->area[s->areas++] = t;
    }
}

/* Gives up a tuple near a class, and notes the tuples that its records could go to. */
static Status give_up(Search *s, int64_t class) {
    Status status = OK;
    const Problem *p = s->p;
    Assignment *assignment = s->assignment;
    bool done;
    int64_t first = assignment->steps, links = p->start[class + 1] - p->start[class], tuple = -1;
    if (assignment->head[class] >= 0 && draw(s, 2)) tuple = p->tuple[assignment->head[class]];
    for (int attempt = 0; attempt < 8 && tuple < 0; attempt++) {
        int64_t l = p->start[class] + (int64_t)draw(s, (uint64_t)links);
        if (assignment->held[p->tuple[l]]) tuple = p->tuple[l];
    }
    if (tuple < 0) return OK;
    TRY(assignment_vacate(s->work, p, assignment, tuple, &done));
    if (!done) return OK;
    for (int64_t i = first; i < assignment->steps; i++) add_area(s, p->owner[assignment->step[i].to]);
done:
    return status;
}

/* Opens what saves, until nothing near does. */
static Status renew(Search *s) {
    Status status = OK;
    bool any = true;
    for (int pass = 0; any && pass < 6; pass++) {
        any = false;
        for (int64_t i = 0; i < s->areas; i++) {
            bool done;
            int64_t other = (int64_t)draw(s, (uint64_t)s->areas), t = s->area[other];
            s->area[other] = s->area[i];
            s->area[i] = t;
            TRY(try_open(s, t, &done));
            any |= done;
        }
    }
done:
    return status;
}

/* Worse is taken up to a threshold that falls to 0 (threshold accepting, Dueck & Scheuer 1990); the best is kept. */
static Status ruin_and_renew(Search *s, const int64_t *unsafe, int64_t count) {
    Status status = OK;
    const Problem *p = s->p;
    Assignment *assignment = s->assignment;
    int64_t *units = NULL, best = assignment->cost, first = assignment->effort, price = INT64_MAX, improved = 0;
    const int64_t patience = 10000 + 100 * count;
    NEW(s->work, units, p->links + 1);
    memcpy(units, assignment->units, (size_t)p->links * sizeof *units);
    for (int64_t t = 0; t < p->tuples; t++)
        if (p->cost[t] > 0 && p->cost[t] < price) price = p->cost[t];
    for (s->round = 1; !over(s, first + s->effort) && best > s->least && s->round - improved < patience; s->round++) {
        int64_t before = assignment->cost, c = unsafe[draw(s, (uint64_t)count)];
        int64_t left = s->effort - (assignment->effort - first), threshold = WORSE * price * (left >> 10) / (s->effort >> 10);
        if (s->round % 64 == 0) TRY(work_check(s->work));
        s->areas = 0;
        assignment->steps = 0;
        assignment->effort += 100;
        for (int64_t n = 1 + (int64_t)draw(s, 6); n > 0; n--) {
            TRY(give_up(s, c));
            if (!assignment->steps) continue;
            struct Step last = assignment->step[draw(s, (uint64_t)assignment->steps)];
            c = p->owner[last.to];
        }
        TRY(renew(s));
        bool valid = true;
        int64_t blank = p->tuple[p->start[c + 1] - 1];
        if (assignment->held[blank] && assignment->people[blank] < p->k) TRY(assignment_fill(s->work, p, assignment, blank, &valid));
        if (!valid || (assignment->cost > before && assignment->cost - before > (int64_t)draw(s, (uint64_t)threshold + 1)))
            assignment_undo(p, assignment, 0);
        if (assignment->cost >= best) continue;
        best = assignment->cost;
        improved = s->round;
        memcpy(units, assignment->units, (size_t)p->links * sizeof *units);
    }
    if (assignment->cost > best) assignment_restore(p, assignment, units);
    assignment->steps = 0;
done:
    arena_drop(s->work->arena, units);
    return status;
}

Status assignment_search(Work *work, const Problem *p, int64_t effort, Assignment *out) {
    Status status = OK;
    Search s = { .work = work, .p = p, .assignment = out, .effort = effort };
    TRY(assignment_new(work, p, out));
    TRY(start_assignment(&s));
    TRY(open_cheapest(&s));
    TRY(descend(&s));
done:
    return status;
}

Status assignment_improve(Work *work, const Problem *p, int64_t effort, int64_t least, Assignment *assignment) {
    Status status = OK;
    Search s = { .work = work, .p = p, .assignment = assignment, .random = UINT64_C(0x5c71a3), .effort = effort, .least = least };
    int64_t *unsafe = NULL, count = 0;
    NEW(work, s.area, AREA_MOST + 1);
    NEW(work, s.seen, p->tuples + 1);
    NEW(work, unsafe, p->classes + 1);
    for (int64_t c = 0; c < p->classes; c++)
        if (!p->safe[c]) unsafe[count++] = c;
    if (count) TRY(ruin_and_renew(&s, unsafe, count));
done:
    return status;
}
