/* MST (McKenna, Miklau & Sheldon 2021): all one-way marginals, then the pairs of a spanning tree that is chosen for what independence
 * misses. */
#include "base/elementary.h"
#include "synth/private/private.h"

static const double SINGLES = 0.3, CHOICES = 0.2, PAIRS_SHARE = 0.5; /* of the promise */

/* Values whose noisy count is under three standard deviations become one: what is not there is not modelled value by value. */
static void merge_rare(Attribute *a, Measured *m) {
    int32_t kept = 0, rare = 0;
    double rest = 0;
    for (int64_t k = 0; k < m->cells; k++) rare += m->noisy[k] <= 3 * m->sigma;
    if (rare < 2) return;
    for (int32_t k = 0; k < a->size; k++) {
        if (m->noisy[k] > 3 * m->sigma) {
            m->noisy[kept] = m->noisy[k];
            a->merge[k] = kept++;
        } else {
            rest += m->noisy[k];
            a->merge[k] = -1;
        }
    }
    for (int32_t k = 0; k < a->size; k++)
        if (a->merge[k] < 0) a->merge[k] = kept;
    m->noisy[kept] = rest; /* its noise is wider by √rare; taking it for σ only weighs it more */
    a->merged = kept + 1;
    m->cells = a->merged;
}

/* L1 distance between a pair's counts and the product of its margins as the noisy one-way marginals have them, less what chance alone makes
 * of it and what noise would put in its place: neither depends on the data, and large tables are not taken for dependent ones. */
static Status pair_error(Private *p, int32_t i, int32_t j, const double *const *margin, double sigma, double *out) {
    Status status = OK;
    int32_t *count = NULL;
    int64_t cells, across = p->domain.at[j].merged;
    TRY(count_marginal(p, UINT64_C(1) << i | UINT64_C(1) << j, &count, &cells));
    *out = 0;
    for (int64_t c = 0; c < cells; c++) {
        double expected = p->total * margin[i][c / across] * margin[j][c % across];
        *out += fabs(count[c] - expected) - (-0.1 * fmin(sigma, expected));
    }
    arena_drop(p->run->work.arena, count);
done:
    return status;
}

static Status margins(Private *p, const double ***out) {
    Status status = OK;
    Tree tree = { 0 };
    NEW(&p->run->work, *out, p->domain.count + 1);
    TRY(tree_make(p, &tree));
    TRY(tree_fit(p, &tree, 200));
    for (int32_t j = 0; j < p->domain.count; j++) {
        double *share = NULL;
        NEW(&p->run->work, share, p->domain.at[j].merged + 1);
        TRY(tree_marginal(p, &tree, UINT64_C(1) << j, share));
        (*out)[j] = share;
    }
done:
    tree_drop(p, &tree);
    return status;
}

static int32_t part_of(const int32_t *part, int32_t j) {
    while (part[j] != j) j = part[j];
    return j;
}

/* Where noise drowns much of the pairs, a plain descent that stops early keeps some of it out; N√ρ, N with its noise, tells how much. Both
 * numbers were found on one table (docs/methods/synth-private.md). */
static void plan_fit(Private *p) {
    enum { DROWNED = 2000, FEW_TURNS = 80 };
    if (p->total * sqrt(p->zcdp) > DROWNED) return;
    p->momentum = false;
    p->turns = FEW_TURNS;
}

Status mst_select(Private *p) {
    Status status = OK;
    int32_t d = p->domain.count, part[MOST_ATTRIBUTES];
    const double **margin = NULL;
    double *error = NULL, *quality = NULL;
    int64_t *pair = NULL;
    double sigma = sqrt(d * reach_squared(p) / (2 * p->zcdp * (d > 1 ? SINGLES : 1)));
    double epsilon = sqrt(8 * CHOICES * p->zcdp / (d - 1)), pairs = sqrt((d - 1) * reach_squared(p) / (2 * PAIRS_SHARE * p->zcdp));
    for (int32_t j = 0; j < d; j++) TRY(measure_marginal(p, UINT64_C(1) << j, sigma));
    estimate_total(p);
    for (int32_t j = 0; j < d; j++) merge_rare(&p->domain.at[j], &p->at[j]);
    if (d < 2) goto done;
    TRY(margins(p, &margin));
    NEW(&p->run->work, error, d * d + 1);
    NEW(&p->run->work, quality, d * d + 1);
    NEW(&p->run->work, pair, d * d + 1);
    for (int32_t i = 0; i < d; i++)
        for (int32_t j = i + 1; j < d; j++) TRY(pair_error(p, i, j, margin, pairs, &error[i * d + j]));
    for (int32_t j = 0; j < d; j++) part[j] = j;
    for (int32_t round = 0; round < d - 1; round++) {
        int64_t count = 0, chosen;
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i + 1; j < d; j++)
                if (part_of(part, i) != part_of(part, j)) {
                    quality[count] = error[i * d + j];
                    pair[count++] = i * d + j;
                }
        TRY(choose_marginal(p, quality, count, reach(p), epsilon, &chosen));
        int32_t i = (int32_t)(pair[chosen] / d), j = (int32_t)(pair[chosen] % d);
        part[part_of(part, i)] = part_of(part, j);
        TRY(measure_marginal(p, UINT64_C(1) << i | UINT64_C(1) << j, pairs));
    }
    estimate_total(p);
    plan_fit(p);
done:
    return status;
}
