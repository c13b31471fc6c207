/* Cells that any suppression takes: Lagrangian relaxation of the facility location problem with lower bounds.
 *
 * Let u be a price for each unit of an unsafe class, paid when it is released at all. A tuple t then earns u − c for each unit that costs c
 * cells in it, must hold k people when it is used, and is used where that pays:
 *     v(t) = min(0, the least sum of c − u over units of which at least k count).
 * For any u, Σ units·u + Σ v(t) is a lower bound (Geoffrion 1974). It starts from the fewest cells that each unit needs alone, of which v is 0,
 * and is raised by subgradient steps (Held, Wolfe & Crowder 1974). The bound that is given out is worked out from the best prices in whole
 * numbers, so that rounding cannot raise it. */
#include <stdlib.h>
#include "protect/suppress/suppress.h"

enum { SCALE = 4096, ROUNDS = 400 };

typedef struct Offer {
    int64_t price, units, class; /* class −1: lenders */
} Offer;

typedef struct Relaxation {
    const Problem *p;
    int64_t *u;      /* per unit, in 1/SCALE cells */
    double *exact;   /* the same, as it moves */
    double *slope;   /* units − units that tuples took */
    int64_t *earned; /* tuple → sum over links that pay */
    int64_t *people; /* tuple → people of these */
    int32_t *used;   /* tuples where something pays */
    int64_t uses;
    Offer *offer;
} Relaxation;

static int64_t price_of(const Relaxation *r, int64_t link) {
    int64_t c = r->p->owner[link];
    return (int64_t)SCALE * r->p->records[c] * link_cells(r->p, link) - r->u[c];
}

static int compare_offers(const void *a, const void *b) {
    const Offer *x = a, *y = b;
    if (x->price != y->price) return x->price < y->price ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

/* Units that do not pay by themselves fill the tuple up to k, the cheapest first. Returns v(t), and takes its units off the slope. */
static int64_t use_tuple(Relaxation *r, int64_t tuple) {
    const Problem *p = r->p;
    int64_t need = p->k - r->people[tuple], value = r->earned[tuple], offers = 0, taken = 0;
    if (need > 0) {
        if (p->lender[tuple] < INT8_MAX) r->offer[offers++] = (Offer){ (int64_t)SCALE * p->lender[tuple], need, -1 };
        for (int64_t i = p->begin[tuple]; i < p->begin[tuple + 1]; i++) {
            int64_t l = p->member[i], c = p->owner[l], price = price_of(r, l);
            if (p->counts[c] && price >= 0 && (!p->safe[c] || !link_cells(p, l))) r->offer[offers++] = (Offer){ price, p->units[c], c };
        }
        qsort(r->offer, (size_t)offers, sizeof *r->offer, compare_offers);
        for (; taken < offers && need > 0; taken++) {
            Offer *o = &r->offer[taken];
            if (o->units > need) o->units = need;
            value += o->price * o->units;
            need -= o->units;
        }
    }
    if (need > 0 || value >= 0) return 0; /* such a tuple cannot be used, or does not pay */
    for (int64_t i = 0; i < taken; i++)
        if (r->offer[i].class >= 0) r->slope[r->offer[i].class] -= (double)r->offer[i].units;
    for (int64_t i = p->begin[tuple]; i < p->begin[tuple + 1]; i++) {
        int64_t c = p->owner[p->member[i]];
        if (!p->safe[c] && price_of(r, p->member[i]) < 0) r->slope[c] -= (double)p->units[c];
    }
    return value;
}

/* The bound at the present prices, in 1/SCALE cells, and the slope. */
static int64_t relax(Relaxation *r) {
    const Problem *p = r->p;
    int64_t bound = 0;
    r->uses = 0;
    for (int64_t c = 0; c < p->classes; c++) {
        if (p->safe[c]) continue;
        bound += p->units[c] * r->u[c];
        r->slope[c] = (double)p->units[c];
        for (int64_t l = p->start[c]; l < p->start[c + 1]; l++) {
            int64_t price = price_of(r, l), t = p->tuple[l];
            if (price >= 0) continue;
            if (!r->earned[t]) r->used[r->uses++] = (int32_t)t;
            r->earned[t] += price * p->units[c];
            r->people[t] += p->counts[c] ? p->units[c] : 0;
        }
    }
    for (int64_t i = 0; i < r->uses; i++) {
        int64_t t = r->used[i];
        bound += use_tuple(r, t);
        r->earned[t] = r->people[t] = 0;
    }
    return bound;
}

static void move_prices(Relaxation *r, double gap, double share) {
    const Problem *p = r->p;
    double norm = 0;
    for (int64_t c = 0; c < p->classes; c++)
        if (!p->safe[c]) norm += r->slope[c] * r->slope[c] / (double)p->units[c];
    if (norm <= 0) return;
    double step = share * gap / norm;
    for (int64_t c = 0; c < p->classes; c++) {
        if (p->safe[c]) continue;
        double most = (double)SCALE * p->records[c] * p->cap[c], u = r->exact[c] + step * r->slope[c] / (double)p->units[c];
        r->exact[c] = u < 0 ? 0 : u > most ? most : u;
        r->u[c] = (int64_t)r->exact[c];
    }
}

static Status new_relaxation(Work *work, const Problem *p, Relaxation *r) {
    Status status = OK;
    int64_t widest = 0;
    *r = (Relaxation){ .p = p };
    for (int64_t t = 0; t < p->tuples; t++)
        if (p->begin[t + 1] - p->begin[t] > widest) widest = p->begin[t + 1] - p->begin[t];
    NEW(work, r->u, p->classes + 1);
    NEW(work, r->exact, p->classes + 1);
    NEW(work, r->slope, p->classes + 1);
    NEW(work, r->earned, p->tuples + 1);
    NEW(work, r->people, p->tuples + 1);
    NEW(work, r->used, p->tuples + 1);
    NEW(work, r->offer, widest + 2);
    for (int64_t c = 0; c < p->classes; c++) {
        int least = p->cap[c];
        for (int64_t l = p->start[c]; l < p->start[c + 1]; l++)
            if (link_cells(p, l) < least) least = link_cells(p, l);
        r->u[c] = p->safe[c] ? 0 : (int64_t)SCALE * p->records[c] * least;
        r->exact[c] = (double)r->u[c];
    }
done:
    return status;
}

Status problem_bound(Work *work, const Problem *p, int64_t effort, int64_t cells, int64_t *out) {
    Status status = OK;
    Relaxation r;
    int64_t best = 0, stale = 0, rounds = effort / (p->links + 1) + 1;
    double share = 1;
    TRY(new_relaxation(work, p, &r));
    if (rounds > ROUNDS) rounds = ROUNDS;
    for (int64_t i = 0; i < rounds && share > 0.004; i++) {
        TRY(work_check(work));
        int64_t bound = relax(&r);
        if (bound > best) stale = 0;
        if (bound > best) best = bound;
        if ((best + SCALE - 1) / SCALE >= cells || problem_late(p)) break;
        if (++stale > 8) {
            share /= 2;
            stale = 0;
        }
        move_prices(&r, (double)(cells * SCALE - bound), share);
    }
    *out = (best + SCALE - 1) / SCALE;
done:
    return status;
}
