/* A pattern before anything is hidden: what every primary cell asks for, and the cells in the order in which they are tried. */
#include "tabular/suppress/pattern.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/sort.h"

static Status list_soles(Pattern *pattern) {
    if (!pattern->sole) return OK;
    return groups_listed(pattern->work, pattern->sole, pattern->m->cells, pattern->soles, &pattern->sole_start, &pattern->sole_cell);
}

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
    for (int64_t i = 0; i < m->cells; i++) most = fmax(most, fmax(fabs(m->value[i]), fmax(m->need_low[i], m->need_high[i])));
    most *= 2 * amplification(&m->relations);
    for (int64_t i = 0; i < m->cells; i++) {
        pattern->low[i] = fmin(m->low[i], most);
        pattern->high[i] = fmin(m->high[i], most);
    }
done:
    return status;
}

static int by_need(const void *a, const void *b) {
    const Demand *x = a, *y = b;
    if (x->need != y->need) return x->need > y->need ? -1 : 1;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    return x->up - y->up;
}

/* The greatest needs first: what is hidden for them serves the smaller ones. */
static Status list_demands(Pattern *pattern) {
    Status status = OK;
    const Model *m = pattern->m;
    NEW(pattern->work, pattern->demand, 2 * m->cells + 1);
    NEW(pattern->work, pattern->demand_at, 2 * m->cells + 2);
    for (int64_t i = 0; i < m->cells; i++)
        for (int up = 0; up < 2 && m->status[i] == CELL_PRIMARY; up++) {
            double need = up ? m->need_high[i] : m->need_low[i];
            if (need > 0) pattern->demand[pattern->demands++] = (Demand){ .cell = (int32_t)i, .up = up, .need = need };
        }
    qsort(pattern->demand, (size_t)pattern->demands, sizeof *pattern->demand, by_need);
    for (int64_t d = 0; d < pattern->demands; d++) pattern->demand_at[2 * pattern->demand[d].cell + pattern->demand[d].up] = d + 1;
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

Status pattern_make(Work *work, const Model *m, const double *cost, const uint8_t *keep, const int32_t *sole, int32_t soles, bool quick,
                    Pattern *pattern) {
    Status status = OK;
    *pattern = (Pattern){ .work = work, .m = m, .cost = cost, .sole = sole, .soles = soles };
    NEW(work, pattern->may, m->cells + 1);
    NEW(work, pattern->hidden, m->cells + 1);
    NEW(work, pattern->movable, m->cells + 1);
    TRY(list_soles(pattern));
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

void pattern_drop_mover(Pattern *pattern, Mover **mover) {
    if (*mover) pattern->effort += mover_effort(*mover);
    mover_free(*mover);
    *mover = NULL;
}

double pattern_effort(const Pattern *pattern) { return pattern->effort + (pattern->all ? mover_effort(pattern->all) : 0); }

void pattern_free(Pattern *pattern) {
    mover_free(pattern->all);
    pattern->all = NULL;
}
