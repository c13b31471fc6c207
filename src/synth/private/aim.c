/* AIM (McKenna, Mullins, Sheldon & Miklau 2022): round by round the marginal that the model has most wrong, weighed by the workload, is
 * measured; noise falls as the model stops improving. */
#include "base/elementary.h"
#include "base/extremes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "synth/private/private.h"

static const double SIGNAL = 3000;   /* N·√ρ for which one round per column is planned */
static const double TURNS = 15;      /* of a fit, per round planned */
static const double MEASURING = 0.9; /* of a round's budget; the rest is for the choice */
static const double CHEAP = 300000;  /* cells walked for one marginal, beyond which rows are drawn instead */

/* A marginal that may be measured, and its true counts, which only choose_marginal's scores see. */
typedef struct Candidate {
    Set set;
    double weight;
    int64_t cells;
    int32_t *count;
} Candidate;
typedef struct Aim {
    Private *p;
    int64_t count, room;
    Candidate *at;
    Tree tree;
    double *quality;
    int64_t *which;
    double *share;
    uint16_t **drawn;
    int64_t rows;
} Aim;

static int bits_in(Set set) { return __builtin_popcountll(set); }

/* All subsets of at most `order` attributes that a model can hold; a subset's weight is what it shares with each table of the workload. */
static Status candidates(Aim *a, int order) {
    Status status = OK;
    Private *p = a->p;
    int32_t d = p->domain.count;
    int32_t at[3];
    for (int k = 1; k <= order; k++) {
        for (int i = 0; i < k; i++) at[i] = i;
        while (at[0] + k <= d) {
            Set set = 0;
            for (int i = 0; i < k; i++) set |= UINT64_C(1) << at[i];
            int64_t cells = set_cells(&p->domain, set);
            if ((double)cells * 8 <= p->args->max_model_size * 1048576) {
                GROW(&p->run->work, a->at, a->room, a->count + 1);
                a->at[a->count++] = (Candidate){ .set = set, .cells = cells };
            }
            int i = k - 1;
            while (i >= 0 && at[i] == d - k + i) i--;
            if (i < 0) break;
            at[i]++;
            for (int j = i + 1; j < k; j++) at[j] = at[j - 1] + 1;
        }
    }
done:
    return status;
}

/* Σ over the workload's tables s of |r ∩ s|: every attribute of r is in C(d − 1, t − 1) tables of t. */
static double weight_of(int32_t d, int order, int size) {
    double tables = 1;
    for (int i = 1; i < order; i++) tables = tables * (d - i) / i;
    return tables * size;
}

static Status count_all(Aim *a, int order) {
    Status status = OK;
    int64_t widest = 0;
    for (int64_t k = 0; k < a->count; k++) {
        int64_t cells;
        TRY(count_marginal(a->p, a->at[k].set, &a->at[k].count, &cells));
        a->at[k].weight = weight_of(a->p->domain.count, order, bits_in(a->at[k].set));
        if (cells > widest) widest = cells;
    }
    NEW(&a->p->run->work, a->share, widest + 1);
    NEW(&a->p->run->work, a->quality, a->count + 1);
    NEW(&a->p->run->work, a->which, a->count + 1);
done:
    return status;
}

/* Would the model with this marginal fit into `bytes`? */
static Status fits(Aim *a, Set set, double bytes, bool *out) {
    Status status = OK;
    Private *p = a->p;
    Set cliques[MOST_ATTRIBUTES], *sets = NULL;
    int32_t found;
    double cells;
    NEW(&p->run->work, sets, p->measured + 2);
    for (int64_t r = 0; r < p->measured; r++) sets[r] = p->at[r].set;
    sets[p->measured] = set;
    TRY(tree_cliques(&p->domain, sets, p->measured + 1, cliques, &found, &cells));
    *out = cells * 8 <= bytes;
    for (int32_t k = 0; k < a->tree.count && !*out; k++) *out = !(set & ~a->tree.clique[k].set); /* it costs nothing more */
    arena_drop(p->run->work.arena, sets);
done:
    return status;
}

/* The model's shares of a marginal: exactly where that is cheap, else from rows drawn from the model, with their sampling variance per
 * share in *blur. */
static Status share_of(Aim *a, const Candidate *c, double *out, double *blur) {
    *blur = 0;
    if (tree_cost(a->p, &a->tree, c->set) <= CHEAP) return tree_marginal(a->p, &a->tree, c->set, out);
    memset(out, 0, (size_t)c->cells * sizeof *out);
    count_drawn(a->p, a->drawn, a->rows, c->set, 1 / (double)a->rows, out);
    *blur = 1 / (double)a->rows;
    return OK;
}

/* Rows for those marginals that are dear to compute. */
static Status draw_rows(Aim *a, int64_t round) {
    Status status = OK;
    char name[32];
    snprintf(name, sizeof name, "round %lld", (long long)round);
    if (!a->drawn) {
        a->rows = (int64_t)fmin(4 * a->p->total, 1000000) + 1;
        NEW(&a->p->run->work, a->drawn, a->p->domain.count + 1);
        for (int32_t j = 0; j < a->p->domain.count; j++) NEW(&a->p->run->work, a->drawn[j], a->rows + 1);
    }
    TRY(rows_draw(a->p, &a->tree, a->rows, name, a->drawn));
done:
    return status;
}

/* w_r·(‖M_r(D) − N·p_r‖₁ − √(2/π)·σ·n_r): the error less what noise (and the sampling of drawn rows) would add. */
static Status judge(Aim *a, double sigma, double share, int64_t *found, double *widest) {
    Status status = OK;
    Private *p = a->p;
    *found = 0;
    *widest = 0;
    for (int64_t k = 0; k < a->count; k++) {
        const Candidate *c = &a->at[k];
        double sum = 0, blur;
        bool room;
        TRY(fits(a, c->set, p->args->max_model_size * 1048576 * share, &room));
        if (!room) continue;
        TRY(share_of(a, c, a->share, &blur));
        for (int64_t i = 0; i < c->cells; i++)
            sum += fabs(c->count[i] - p->total * a->share[i]) -
                   sqrt(2 / M_PI) * (blur > 0 ? sqrt(sigma * sigma + p->total * p->total * a->share[i] * blur) : sigma);
        a->quality[*found] = c->weight * sum;
        a->which[(*found)++] = k;
        *widest = fmax(*widest, c->weight);
    }
done:
    return status;
}

/* Did the marginal just measured move the model by more than its noise? */
static Status moved(Aim *a, const Candidate *c, double sigma, const double *before, bool *out) {
    double sum = 0;
    Status status = tree_marginal(a->p, &a->tree, c->set, a->share);
    for (int64_t i = 0; i < c->cells; i++) sum += fabs(a->share[i] - before[i]);
    *out = sum * a->p->total > sqrt(2 / M_PI) * sigma * (double)c->cells;
    return status;
}

static Status renew(Aim *a, int turns) {
    Status status = OK;
    tree_drop(a->p, &a->tree);
    TRY(tree_make(a->p, &a->tree));
    TRY(tree_fit(a->p, &a->tree, turns));
done:
    return status;
}

/* Rounds that the budget is planned for, per column. Each costs noise in all others, and how many marginals stand out of the noise grows
 * with N·√ρ, N as it was estimated with noise. Sixteen is the authors'; with fewer records or a smaller budget that would spend most of it
 * on marginals that noise has drowned. */
enum { FEWEST_ROUNDS = 4, MOST_ROUNDS = 16 };
static double rounds_for(const Private *p) { return smaller(MOST_ROUNDS, larger(FEWEST_ROUNDS, p->total * sqrt(p->zcdp) / SIGNAL)); }

static Status measure_singles(Private *p, double share) {
    Status status = OK;
    double sigma = sqrt(p->domain.count * reach_squared(p) / (2 * share * p->zcdp));
    for (int32_t j = 0; j < p->domain.count; j++) TRY(measure_marginal(p, UINT64_C(1) << j, sigma));
    estimate_total(p);
done:
    return status;
}

/* One-way marginals, each for as much as a round will measure with; as of the most rounds first, which tell how many there are to be. */
static Status measure_first(Private *p, double *rounds) {
    Status status = OK;
    TRY(measure_singles(p, MEASURING / MOST_ROUNDS));
    *rounds = rounds_for(p);
    if (*rounds < MOST_ROUNDS) TRY(measure_singles(p, MEASURING / *rounds - MEASURING / MOST_ROUNDS));
done:
    return status;
}

Status aim_select(Private *p) {
    Status status = OK;
    Work *work = &p->run->work;
    Aim a = { .p = p };
    int32_t d = p->domain.count;
    int order = (int)(p->args->workload < d ? p->args->workload : d);
    double *before = NULL, rounds;
    bool last = false;
    TRY(measure_first(p, &rounds));
    int turns = (int)(TURNS * rounds);
    p->momentum = rounds > FEWEST_ROUNDS; /* where noise drowns much, a fit that is stopped early keeps some of it out */
    rounds *= d;
    double sigma = sqrt(rounds * reach_squared(p) / (2 * MEASURING * p->zcdp)), epsilon = sqrt(8 * (1 - MEASURING) * p->zcdp / rounds);
    TRY(candidates(&a, order));
    TRY(count_all(&a, order));
    TRY(renew(&a, turns));
    while (!last) {
        double left = p->zcdp - p->spent, widest, blur;
        int64_t found, chosen;
        bool more;
        if (left < 2 * (reach_squared(p) / (2 * sigma * sigma) + epsilon * epsilon / 8)) {
            last = true;
            sigma = sqrt(reach_squared(p) / (2 * MEASURING * left));
            epsilon = sqrt(8 * (1 - MEASURING) * left);
        }
        work_show(work, "measuring", p->spent / p->zcdp);
        TRY(draw_rows(&a, p->measured));
        TRY(judge(&a, sigma, last ? 1 : p->spent / p->zcdp, &found, &widest));
        if (!found) break;
        TRY(choose_marginal(p, a.quality, found, reach(p) * widest, epsilon, &chosen));
        const Candidate *c = &a.at[a.which[chosen]];
        NEW(work, before, c->cells + 1);
        TRY(share_of(&a, c, before, &blur));
        TRY(measure_marginal(p, c->set, sigma));
        estimate_total(p);
        TRY(renew(&a, turns));
        TRY(moved(&a, c, sigma, before, &more));
        arena_drop(work->arena, before);
        if (!more) {
            sigma /= 2;
            epsilon *= 2;
        }
    }
    p->turns = 5 * turns;
done:
    tree_drop(p, &a.tree);
    return status;
}
