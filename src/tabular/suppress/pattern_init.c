/* A pattern before anything is hidden: what every primary cell asks for, and the cells in the order in which they are tried. */
#include "tabular/suppress/pattern.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/sort.h"

/* How many times as far as another may a cell of the same relation have to go? */
static double amplification(const Relations *r) {
    double most = 1;
    for (int64_t i = 0; i < r->count; i++) {
        double least = INFINITY, greatest = 0;
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) {
            double c = fabs(r->coefficient[k]);
            if (c > 0) least = fmin(least, c);
            greatest = fmax(greatest, c);
        }
        if (greatest > 0) most = fmax(most, greatest / least);
    }
    return fmin(most, 1e4); /* wider bounds cost programs their digits */
}

/* Bounds that are infinite become wide ones: what is protected within them is protected without them, and no demand was seen that is the
 * less met for it. */
static Status finite_bounds(Pattern *pattern) {
    Status status = OK;
    const Model *m = pattern->m;
    double most = 1;
    NEW(pattern->work, pattern->low, m->cells + 1);
    NEW(pattern->work, pattern->high, m->cells + 1);
    NEW(pattern->work, pattern->plain_low, m->cells + 1);
    NEW(pattern->work, pattern->plain_high, m->cells + 1);
    for (int64_t i = 0; i < m->cells; i++)
        most = larger_known(
            most, larger_known(larger_known(fabs(m->value[i]), m->need_either[i]), larger_known(m->need_low[i], m->need_high[i])));
    most *= 2 * amplification(&m->relations);
    for (int64_t i = 0; i < m->cells; i++) {
        double unnamed = pattern->contributors ? pattern->contributors->unnamed[i] : 0;
        double low = unnamed > 0 ? larger_known(0, smaller_known(m->low[i], m->value[i] - unnamed)) : m->low[i];
        pattern->low[i] = pattern->plain_low[i] = fmin(low, most);
        pattern->high[i] = pattern->plain_high[i] = fmin(m->high[i], most);
    }
done:
    return status;
}

/* A cell of its own is known; others are at least what the contributor has in them. */
static void know(Pattern *pattern, const Share *share, bool on) {
    const Contributors *c = pattern->contributors;
    const int32_t i = share->other;
    pattern->low[i] = pattern->plain_low[i];
    pattern->high[i] = pattern->plain_high[i];
    if (!on) return;
    if (c->alone[i]) pattern->low[i] = pattern->high[i] = 0;
    else if (c->bounds) pattern->low[i] = smaller_known(pattern->low[i], larger_known(0, pattern->m->value[i] - share->own));
}

void pattern_read_as(Pattern *pattern, int32_t who) {
    const Contributors *c = pattern->contributors;
    if (who == pattern->reader) return;
    for (int on = 0; on < 2; on++) {
        int32_t reader = on ? who : pattern->reader;
        for (int64_t k = reader < 0 ? 0 : c->who_start[reader]; reader >= 0 && k < c->who_start[reader + 1]; k++)
            know(pattern, &c->of_who[k], on);
    }
    pattern->reader = who;
}

static int by_need(const void *a, const void *b) {
    const Demand *x = a, *y = b;
    if (x->most != y->most) return x->most > y->most ? -1 : 1;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    return (int)x->way - (int)y->way;
}

/* Contributors of the cell whose needs differ from everybody's: who is alone in it asks for nothing; the others as the rules say, where the
 * level is what the rules give and not one of the custodian's own. */
static Status list_own(Pattern *pattern, Demand *d, Needs *needs) {
    Status status = OK;
    const Model *m = pattern->m;
    const Contributors *c = pattern->contributors;
    const int32_t i = d->cell;
    const int64_t from = c ? c->cell_start[i] : 0, end = c ? c->cell_start[i + 1] : 0;
    const int broken = m->rule[i] & (1 << BY_P | 1 << BY_DOMINANCE);
    d->own_at = d->own_end = pattern->owns;
    if (from == end) return OK;
    needs->count = 0;
    if (d->way == WAY_UP && broken && c->named && m->structure.rules.coalition) {
        TRY(needs_find(pattern->work, &m->structure.rules, broken, m->value[i], c->of_cell + from, end - from, c->unnamed[i], needs));
        double most = needs->others;
        for (int64_t k = 0; k < needs->count; k++) most = fmax(most, needs->of[k].need);
        if (fabs(most - d->most) > 1e-6 * d->most) needs->count = 0;
        else d->need = needs->others;
    }
    for (int64_t k = 0; k < needs->count; k++)
        if (!c->alone[i]) pattern->own[pattern->owns++] = needs->of[k];
    if (c->alone[i]) pattern->own[pattern->owns++] = (Need){ c->of_cell[from].other, 0 };
    d->own_end = pattern->owns;
done:
    return status;
}

/* The greatest needs first: what is hidden for them serves the smaller ones. */
static Status list_demands(Pattern *pattern) {
    Status status = OK;
    const Model *m = pattern->m;
    const double *const asked[WAYS] = { m->need_low, m->need_high, m->need_either };
    Needs needs = { 0 };
    NEW(pattern->work, pattern->demand, WAYS * m->cells + 1);
    NEW(pattern->work, pattern->demand_at, WAYS * (m->cells + 1));
    NEW(pattern->work, pattern->own, (pattern->contributors ? WAYS * pattern->contributors->cell_start[m->cells] : 0) + 1);
    for (int64_t i = 0; i < m->cells; i++)
        for (int way = 0; way < WAYS && m->status[i] == CELL_PRIMARY; way++) {
            double need = asked[way][i];
            if (need <= 0) continue;
            Demand *d = &pattern->demand[pattern->demands++];
            *d = (Demand){ .cell = (int32_t)i, .way = (Way)way, .need = need, .most = need };
            TRY(list_own(pattern, d, &needs));
        }
    qsort(pattern->demand, (size_t)pattern->demands, sizeof *pattern->demand, by_need);
    for (int64_t d = 0; d < pattern->demands; d++) pattern->demand_at[WAYS * pattern->demand[d].cell + pattern->demand[d].way] = d + 1;
done:
    return status;
}

typedef struct {
    double cost;
    int32_t cell;
} Candidate;
static int cheapest(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}
/* The cells of each relation by cost, for walks to the cheapest neighbours. */
static Status rank_cells(Pattern *pattern) {
    Status status = OK;
    const Relations *r = &pattern->m->relations;
    Candidate *list = NULL;
    NEW(pattern->work, pattern->ranked, r->start[r->count] + 1);
    NEW(pattern->work, pattern->seen_cell, r->cells + 1);
    NEW(pattern->work, pattern->seen_relation, r->count + 1);
    NEW(pattern->work, pattern->near, r->cells + 1);
    NEW(pattern->work, pattern->times, r->cells + 1);
    NEW(pattern->work, pattern->aside_x, r->cells + 1);
    NEW(pattern->work, pattern->aside_cell, r->cells + 1);
    NEW(pattern->work, pattern->corner_x, r->cells + 1);
    NEW(pattern->work, pattern->corner_cell, r->cells + 1);
    NEW(pattern->work, list, r->start[r->count] + 1);
    for (int64_t i = 0; i < r->count; i++) {
        int64_t from = r->start[i], size = r->start[i + 1] - from;
        for (int64_t k = 0; k < size; k++) list[k] = (Candidate){ pattern->cost[r->cell[from + k]], r->cell[from + k] };
        qsort(list, (size_t)size, sizeof *list, cheapest);
        for (int64_t k = 0; k < size; k++) pattern->ranked[from + k] = list[k].cell;
    }
done:
    return status;
}

static bool has_rules(const Model *m) { return m->structure.rules.coalition > 0; }

Status pattern_make(Work *work, const Model *m, const double *cost, const uint8_t *keep, const Contributors *contributors, bool quick,
                    Pattern *pattern) {
    Status status = OK;
    *pattern = (Pattern){ .work = work, .m = m, .cost = cost, .contributors = contributors, .reader = -1 };
    if (has_rules(m) && contributors) pattern->unions.rules = &m->structure.rules;
    NEW(work, pattern->unions.cell, m->cells + 1);
    NEW(work, pattern->may, m->cells + 1);
    NEW(work, pattern->skipped, m->cells + 1);
    NEW(work, pattern->hidden, m->cells + 1);
    NEW(work, pattern->movable, m->cells + 1);
    TRY(finite_bounds(pattern));
    for (int64_t i = 0; i < m->cells; i++) {
        pattern->hidden[i] = m->status[i] == CELL_PRIMARY;
        pattern->may[i] = pattern->hidden[i] || ((pattern->low[i] > 0 || pattern->high[i] > 0) && !(keep && keep[i]));
        if (pattern->may[i]) pattern->movable[pattern->movables++] = (int32_t)i;
    }
    TRY(list_demands(pattern));
    NEW(work, pattern->users, m->cells + 1);
    TRY(rank_cells(pattern));
    TRY(cubes_make(work, m, &pattern->cubes));
    bool deep = m->structure.dims > 2 && (double)pattern->movables * (double)m->relations.count >= PATTERN_SMALL;
    pattern->large = pattern->cubes && (quick || deep);
    pattern->banned = -1;
done:
    return status;
}

void pattern_drop_mover(Pattern *pattern, AttackerProblem **mover) {
    if (*mover) pattern->effort += attacker_effort(*mover);
    attacker_free(*mover);
    *mover = NULL;
}

double pattern_effort(const Pattern *pattern) { return pattern->effort + (pattern->all ? attacker_effort(pattern->all) : 0); }

void pattern_free(Pattern *pattern) {
    attacker_free(pattern->all);
    pattern->all = NULL;
}
