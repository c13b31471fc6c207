/* An assignment: every unsafe record fully blank at first, then the cheapest tuples opened, then parts of the assignment given up and made anew wherever
 * that costs less. Every step is undone unless it saves; the same on every machine, since what ends the search is counted and not timed. */
#include <stdlib.h>
#include "base/sort.h"
#include "protect/suppress/suppress.h"
#include "table/group.h"

enum { AREA_MOST = 4096 };

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
    TRY(assignment_close(s->work, p, assignment, tuple, INT64_MAX, &done));
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

static Status ruin_and_renew(Search *s, const int64_t *unsafe, int64_t count) {
    Status status = OK;
    const Problem *p = s->p;
    Assignment *assignment = s->assignment;
    for (s->round = 1; !over(s, s->effort); s->round++) {
        int64_t before = assignment->cost, c = unsafe[draw(s, (uint64_t)count)];
        if (s->round % 64 == 0) TRY(work_check(s->work));
        s->areas = 0;
        assignment->steps = 0;
        assignment->effort += 100;
        for (int64_t n = 1 + (int64_t)draw(s, 3); n > 0; n--) {
            TRY(give_up(s, c));
            if (!assignment->steps) continue;
            struct Step last = assignment->step[draw(s, (uint64_t)assignment->steps)];
            c = p->owner[last.to];
        }
        TRY(renew(s));
        if (assignment->cost > before) assignment_undo(p, assignment, 0);
    }
    assignment->steps = 0;
done:
    return status;
}

Status assignment_search(Work *work, const Problem *p, int64_t effort, Assignment *out) {
    Status status = OK;
    Search s = { .work = work, .p = p, .assignment = out, .effort = effort, .random = UINT64_C(0x5c71a3) };
    int64_t *unsafe = NULL, count = 0;
    TRY(assignment_new(work, p, out));
    NEW(work, s.area, AREA_MOST + 1);
    NEW(work, s.seen, p->tuples + 1);
    NEW(work, unsafe, p->classes + 1);
    for (int64_t c = 0; c < p->classes; c++)
        if (!p->safe[c]) unsafe[count++] = c;
    TRY(start_assignment(&s));
    if (!count) goto done;
    TRY(descend(&s));
    TRY(ruin_and_renew(&s, unsafe, count));
done:
    return status;
}
