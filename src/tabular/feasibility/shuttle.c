/* The shuttle algorithm (Buzzigoli & Giusti 1999): in Σ c·x = 0 a cell lies between what the bounds of all others leave for it; a bound
 * that has become narrower may narrow others, through the cell's other relations. */
#include "tabular/feasibility/shuttle.h"
#include "base/elementary.h"

enum { MOST_VISITS = 200 }; /* of one relation: real numbers may come closer without end */

/* A sum of which some terms are infinite. */
typedef struct Open {
    double sum;
    int64_t infinite;
} Open;
static void add_term(Open *o, double x) {
    if (isinf(x)) o->infinite++;
    else o->sum += x;
}
/* The sum without this term of it. */
static double rest_of(const Open *o, double x, double none) {
    if (o->infinite > (isinf(x) ? 1 : 0)) return none;
    return isinf(x) ? o->sum : o->sum - x;
}

/* What the terms of a relation come to, as far as they are bounded: what rounding is measured by. */
static double size_of(const Relations *r, int32_t relation, const double *low, const double *high) {
    double size = 0;
    for (int64_t k = r->start[relation]; k < r->start[relation + 1]; k++) {
        double c = fabs(r->coefficient[k]), from = low[r->cell[k]], to = high[r->cell[k]];
        size += (isinf(from) ? 0 : c * fabs(from)) + (isinf(to) ? 0 : c * fabs(to));
    }
    return size;
}

typedef struct Shuttle {
    const Relations *r;
    const Memberships *member;
    bool whole, possible;
    double *low, *high;
    int32_t *queue, *visits;
    uint8_t *waits;
    int64_t first, waiting;
} Shuttle;

static void put(Shuttle *s, int32_t relation) {
    if (s->waits[relation] || s->visits[relation] >= MOST_VISITS) return;
    s->waits[relation] = 1;
    s->queue[(s->first + s->waiting++) % s->r->count] = relation;
}

static void put_all_of(Shuttle *s, int32_t cell) {
    for (int64_t k = s->member->start[cell]; k < s->member->start[cell + 1]; k++) put(s, s->member->relation[k]);
}

/* A cell lies within [low, high]: whole numbers at once, real ones but for what rounding leaves. */
static void narrow(Shuttle *s, int32_t cell, double low, double high, double size) {
    const double slack = 1e-12 * size, step = s->whole ? 0.5 : 1e-9 * fmax(1, size);
    low = s->whole ? ceil(low - 1e-6) : low - slack;
    high = s->whole ? floor(high + 1e-6) : high + slack;
    bool changed = low > s->low[cell] + step || high < s->high[cell] - step;
    if (low > s->low[cell]) s->low[cell] = low;
    if (high < s->high[cell]) s->high[cell] = high;
    if (s->low[cell] > s->high[cell] + (s->whole ? 0.5 : 1e-6 * fmax(1, size))) s->possible = false;
    if (s->low[cell] > s->high[cell]) s->low[cell] = s->high[cell];
    if (changed) put_all_of(s, cell);
}

static void visit(Shuttle *s, int32_t relation) {
    const Relations *r = s->r;
    Open least = { 0 }, most = { 0 };
    const double size = size_of(r, relation, s->low, s->high);
    s->visits[relation]++;
    for (int64_t k = r->start[relation]; k < r->start[relation + 1]; k++) {
        double c = r->coefficient[k], low = s->low[r->cell[k]], high = s->high[r->cell[k]];
        add_term(&least, c > 0 ? c * low : c * high);
        add_term(&most, c > 0 ? c * high : c * low);
    }
    for (int64_t k = r->start[relation]; k < r->start[relation + 1] && s->possible; k++) {
        double c = r->coefficient[k], low = s->low[r->cell[k]], high = s->high[r->cell[k]];
        if (c == 0 || low == high) continue;
        double top = -rest_of(&least, c > 0 ? c * low : c * high, -INFINITY) / c;
        double bottom = -rest_of(&most, c > 0 ? c * high : c * low, INFINITY) / c;
        narrow(s, r->cell[k], c > 0 ? bottom : top, c > 0 ? top : bottom, size / fabs(c));
    }
}

/* Bounds that are apart by no more than the slack of a few visits have met: the cell is what lies between them, 0 where that does. */
static void meet(const Shuttle *s, int32_t relation) {
    const double size = size_of(s->r, relation, s->low, s->high);
    for (int64_t k = s->r->start[relation]; k < s->r->start[relation + 1]; k++) {
        double *low = &s->low[s->r->cell[k]], *high = &s->high[s->r->cell[k]], c = fabs(s->r->coefficient[k]);
        if (c == 0 || *low == *high || !(*high - *low <= 1e-10 * size / c)) continue;
        *low = *high = *low <= 0 && *high >= 0 ? 0 : (*low + *high) / 2;
    }
}

Status shuttle_bounds(Work *work, const Relations *r, const Memberships *member, bool whole, double *low, double *high, bool *possible) {
    Status status = OK;
    Shuttle s = { .r = r, .member = member, .whole = whole, .possible = true, .low = low, .high = high };
    NEW(work, s.queue, r->count + 1);
    NEW(work, s.visits, r->count + 1);
    NEW(work, s.waits, r->count + 1);
    for (int32_t i = 0; i < r->count; i++) put(&s, i);
    for (int64_t turn = 0; s.waiting && s.possible; turn++) {
        int32_t relation = s.queue[s.first];
        if (turn % 1000 == 0) TRY(work_check(work));
        s.first = (s.first + 1) % r->count;
        s.waiting--;
        s.waits[relation] = 0;
        visit(&s, relation);
    }
    for (int32_t i = 0; i < r->count && !whole; i++) meet(&s, i);
    *possible = s.possible;
done:
    return status;
}
