/* Whether proofs hold, checked again by code that knows nothing of how they were found; what they cost, and what they need not hide. */
#include <stdlib.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "tabular/suppress/pattern.h"

/* Is every change within what an outsider knows of the cell, and leaves it more than a contributor who is not named can have in it? */
static bool within(const Pattern *pattern, const Proof *p) {
    const Model *m = pattern->m;
    for (int32_t k = 0; k < p->count; k++) {
        int32_t i = proof_cell(pattern, p, k);
        double x = proof_x(pattern, p, k), unnamed = pattern->contributors ? pattern->contributors->unnamed[i] : 0;
        if (x > m->high[i] * (1 + 1e-9) + 1e-9 || -x > m->low[i] * (1 + 1e-9) + 1e-9) return false;
        if (unnamed > 0 && x < 0 && m->value[i] + x < unnamed - 1e-9 * (m->value[i] + 1)) return false;
    }
    return true;
}

/* Does the move leave every relation as it is? To a part in 10^9 of what moves. */
static bool balances(const Pattern *pattern, const Proof *p, double *sum) {
    const Memberships *member = &pattern->m->member;
    double size = 0;
    bool right = true;
    for (int32_t k = 0; k < p->count; k++) size = larger(size, fabs(proof_x(pattern, p, k)));
    for (int32_t k = 0; k < p->count; k++)
        for (int64_t e = member->start[proof_cell(pattern, p, k)]; e < member->start[proof_cell(pattern, p, k) + 1]; e++)
            sum[member->relation[e]] += member->coefficient[e] * proof_x(pattern, p, k);
    for (int32_t k = 0; k < p->count; k++)
        for (int64_t e = member->start[proof_cell(pattern, p, k)]; e < member->start[proof_cell(pattern, p, k) + 1]; e++) {
            right &= pattern->m->whole ? sum[member->relation[e]] == 0 : fabs(sum[member->relation[e]]) <= 1e-7 * size;
            sum[member->relation[e]] = 0;
        }
    return right;
}

/* Whatever the demand: cells are hidden, counts stay whole, sums hold. */
static bool holds(const Pattern *pattern, const Proof *p, double *sum) {
    bool right = within(pattern, p);
    for (int32_t k = 0; k < p->count && right; k++) {
        double x = proof_x(pattern, p, k);
        right = pattern->hidden[proof_cell(pattern, p, k)] && (!pattern->m->whole || x == round(x));
    }
    return right && balances(pattern, p, sum);
}

static double reach(const Pattern *pattern, const Demand *d, const Proof *p) {
    for (int32_t k = 0; k < p->count; k++) {
        double x = proof_x(pattern, p, k);
        if (proof_cell(pattern, p, k) == d->cell) return d->way == WAY_UP ? x : d->way == WAY_DOWN ? -x : fabs(x);
    }
    return 0;
}

/* Can this contributor tell that the move is none, from what it has in the cells? */
static bool rules_out(const Pattern *pattern, const Proof *p, int32_t who) {
    const Contributors *c = pattern->contributors;
    for (int32_t k = 0; k < p->count; k++) {
        int32_t i = proof_cell(pattern, p, k);
        double after = pattern->m->value[i] + proof_x(pattern, p, k), slack = 1e-9 * (fabs(pattern->m->value[i]) + 2);
        for (int64_t e = c->cell_start[i]; e < c->cell_start[i + 1]; e++)
            if (c->of_cell[e].other == who && (c->alone[i] || (c->bounds && after < c->of_cell[e].own - slack))) return true;
    }
    return false;
}

/* A valid proof that goes as far as `need` and that the contributor (-1: an outsider) cannot rule out; NULL where there is none. */
static const Proof *proof_for(const Pattern *pattern, const Demand *d, const uint8_t *valid, int32_t who, double need) {
    for (int32_t i = 0; i < d->proofs; i++) {
        const Proof *p = &pattern->proof[d->proof[i]];
        if (!valid[d->proof[i]] || reach(pattern, d, p) < need * (1 - 1e-7)) continue;
        if (who < 0 || !rules_out(pattern, p, who)) return p;
    }
    return NULL;
}

static bool is_listed(const Pattern *pattern, const Demand *d, int32_t who) {
    for (int64_t k = d->own_at; k < d->own_end; k++)
        if (pattern->own[k].who == who) return true;
    return false;
}

/* Is every reader left in doubt? Contributors who are in no cell of the outsider's proof cannot rule it out. */
static bool is_met(const Pattern *pattern, const Demand *d, const uint8_t *valid) {
    const Contributors *c = pattern->contributors;
    const Proof *p = d->need > 0 ? proof_for(pattern, d, valid, -1, d->need) : NULL;
    if (d->need > 0 && !p) return false;
    for (int64_t k = d->own_at; k < d->own_end; k++)
        if (pattern->own[k].need > 0 && !proof_for(pattern, d, valid, pattern->own[k].who, pattern->own[k].need)) return false;
    for (int32_t k = 0; p && c && k < p->count; k++)
        for (int64_t e = c->cell_start[proof_cell(pattern, p, k)]; e < c->cell_start[proof_cell(pattern, p, k) + 1]; e++) {
            int32_t who = c->of_cell[e].other;
            if (!is_listed(pattern, d, who) && !proof_for(pattern, d, valid, who, d->need)) return false;
        }
    return true;
}

/* The first primary cell of each relation whose hidden cells break a rule together. */
static Status mark_unions(Pattern *pattern, uint8_t *bad) {
    Status status = OK;
    const Relations *r = &pattern->m->relations;
    for (int64_t i = 0; i < r->count && pattern->unions.rules; i++) {
        bool unsafe;
        TRY(relation_unsafe(pattern, i, -1, &unsafe));
        for (int64_t k = r->start[i]; k < r->start[i + 1] && unsafe; k++) {
            if (pattern->m->status[r->cell[k]] != CELL_PRIMARY) continue;
            bad[r->cell[k]] = 1;
            unsafe = false;
        }
    }
done:
    return status;
}

Status pattern_exposed(Pattern *pattern, int64_t *exposed, int32_t *first) {
    Status status = OK;
    Arena *arena = pattern->work->arena;
    double *sum = NULL;
    uint8_t *valid = NULL, *bad = NULL;
    *first = -1;
    *exposed = 0;
    NEW(pattern->work, sum, pattern->m->relations.count + 1);
    NEW(pattern->work, valid, pattern->proofs + 1);
    NEW(pattern->work, bad, pattern->m->cells + 1);
    for (int64_t i = 0; i < pattern->proofs; i++) valid[i] = holds(pattern, &pattern->proof[i], sum);
    for (int64_t n = 0; n < pattern->demands; n++)
        if (!is_met(pattern, &pattern->demand[n], valid)) bad[pattern->demand[n].cell] = 1;
    TRY(mark_unions(pattern, bad));
    for (int64_t i = 0; i < pattern->m->cells; i++) {
        if (!bad[i]) continue;
        ++*exposed;
        if (*first < 0) *first = (int32_t)i;
    }
done:
    arena_drop(arena, bad);
    arena_drop(arena, valid);
    arena_drop(arena, sum);
    return status;
}

double pattern_cost(const Pattern *pattern, int64_t *secondary) {
    double cost = 0;
    *secondary = 0;
    for (int64_t i = 0; i < pattern->m->cells; i++)
        if (pattern->hidden[i] && pattern->m->status[i] != CELL_PRIMARY) {
            cost += pattern->cost[i];
            ++*secondary;
        }
    return cost;
}

void pattern_learn(const Pattern *pattern, double *up, double *down) {
    double *sum = calloc((size_t)pattern->m->relations.count + 1, sizeof *sum);
    for (int64_t n = 0; n < pattern->demands && sum; n++)
        for (int32_t i = 0; i < pattern->demand[n].proofs; i++) {
            const Proof *p = &pattern->proof[pattern->demand[n].proof[i]];
            bool good = holds(pattern, p, sum);
            for (int32_t k = 0; k < p->count && good; k++) {
                double *bound = proof_x(pattern, p, k) > 0 ? &up[proof_cell(pattern, p, k)] : &down[proof_cell(pattern, p, k)];
                *bound = larger(*bound, fabs(proof_x(pattern, p, k)));
            }
        }
    free(sum);
}

Status pattern_open_unused(Pattern *pattern) {
    Status status = OK;
    uint8_t *used = NULL;
    const Memberships *member = &pattern->m->member;
    NEW(pattern->work, used, pattern->m->cells + 1);
    for (int64_t n = 0; n < pattern->demands; n++)
        for (int32_t i = 0; i < pattern->demand[n].proofs; i++) {
            const Proof *p = &pattern->proof[pattern->demand[n].proof[i]];
            for (int32_t k = 0; k < p->count; k++) used[proof_cell(pattern, p, k)] = 1;
        }
    for (int64_t i = 0; i < pattern->m->cells; i++) {
        bool unsafe = false;
        if (pattern->m->status[i] == CELL_PRIMARY || used[i] || !pattern->hidden[i]) continue;
        pattern->hidden[i] &= used[i];
        for (int64_t k = member->start[i]; k < member->start[i + 1] && !unsafe; k++)
            TRY(relation_unsafe(pattern, member->relation[k], -1, &unsafe));
        pattern->hidden[i] = unsafe;
    }
done:
    return status;
}
