/* Whether proofs hold, checked anew by code that knows nothing of how they were found; what they cost, and what they need not hide. */
#include <stdlib.h>
#include "base/elementary.h"
#include "tabular/suppress/pattern.h"

static bool within(const Pattern *pattern, const Proof *p) {
    for (int32_t k = 0; k < p->count; k++)
        if (!pattern_allows(pattern, proof_cell(pattern, p, k), proof_x(pattern, p, k))) return false;
    return true;
}

/* Does the move leave every relation as it is? To a part in 10^9 of what moves. */
static bool balances(const Pattern *pattern, const Proof *p, double *sum) {
    const Memberships *member = &pattern->m->member;
    double size = 0;
    bool right = true;
    for (int32_t k = 0; k < p->count; k++) size = fmax(size, fabs(proof_x(pattern, p, k)));
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

static bool holds(const Pattern *pattern, const Demand *d, const Proof *p, double *sum) {
    bool right = within(pattern, p), answered = false;
    for (int32_t k = 0; k < p->count && right; k++) {
        right =
            pattern->hidden[proof_cell(pattern, p, k)] && (!pattern->m->whole || proof_x(pattern, p, k) == round(proof_x(pattern, p, k)));
        answered |= proof_cell(pattern, p, k) == d->cell && demand_met(d, proof_x(pattern, p, k));
    }
    return right && answered && balances(pattern, p, sum);
}

int64_t pattern_exposed(const Pattern *pattern, int32_t *first) {
    double *sum = calloc((size_t)pattern->m->relations.count + 1, sizeof *sum);
    int64_t exposed = 0;
    int32_t last = -1;
    *first = -1;
    for (int64_t n = 0; n < pattern->demands; n++) {
        const Demand *d = &pattern->demand[n];
        bool good = sum && pattern_undeceived(pattern, d) == -1;
        for (int32_t i = 0; i < d->proofs && good; i++) good = holds(pattern, d, &pattern->proof[d->proof[i]], sum);
        if (good || d->cell == last) continue;
        exposed++;
        last = d->cell;
        if (*first < 0) *first = d->cell;
    }
    free(sum);
    return exposed;
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
            bool good = holds(pattern, &pattern->demand[n], p, sum);
            for (int32_t k = 0; k < p->count && good; k++) {
                double *bound = proof_x(pattern, p, k) > 0 ? &up[proof_cell(pattern, p, k)] : &down[proof_cell(pattern, p, k)];
                *bound = fmax(*bound, fabs(proof_x(pattern, p, k)));
            }
        }
    free(sum);
}

Status pattern_open_unused(Pattern *pattern) {
    Status status = OK;
    uint8_t *used = NULL;
    NEW(pattern->work, used, pattern->m->cells + 1);
    for (int64_t n = 0; n < pattern->demands; n++)
        for (int32_t i = 0; i < pattern->demand[n].proofs; i++) {
            const Proof *p = &pattern->proof[pattern->demand[n].proof[i]];
            for (int32_t k = 0; k < p->count; k++) used[proof_cell(pattern, p, k)] = 1;
        }
    for (int64_t i = 0; i < pattern->m->cells; i++)
        if (pattern->m->status[i] != CELL_PRIMARY) pattern->hidden[i] &= used[i];
done:
    return status;
}
