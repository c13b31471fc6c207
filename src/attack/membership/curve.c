/* The ROC curve of an attack: true positive rates at small false positive rates with intervals that hold for any distribution, and the
 * probability of the findings by chance. */
#include "attack/membership/membership.h"
#include "base/elementary.h"
#include "math/mann_whitney.h"
#include "math/ranks.h"
#include "math/special/beta.h"
#include "math/special/log_gamma.h"
#include "math/special/normal.h"

const double FALSE_POSITIVES[RATES] = { 0.001, 0.01, 0.1 };
static const double TAIL = 0.0125; /* two bounds, each by a threshold and a share: 4 × 0.0125 = 5% */

/* Targets by score, in groups of equal scores. */
typedef struct Group {
    int64_t members, others;
} Group;
typedef struct ScoreGroups {
    int64_t count;
    Group *at;
} ScoreGroups;

static Status group_scores(Run *run, const double *score, int64_t members, int64_t others, int64_t *order, int64_t *placed,
                           ScoreGroups *out) {
    Status status = OK;
    *out = (ScoreGroups){ 0 };
    TRY(order_reals(&run->work, score, members + others, order, placed));
    NEW(&run->work, out->at, *placed + 1);
    for (int64_t i = 0; i < *placed; i++) {
        if (!i || score[order[i]] != score[order[i - 1]]) out->count++;
        Group *group = &out->at[out->count - 1];
        if (order[i] < members) group->members++;
        else group->others++;
    }
done:
    return status;
}

/* Without disclosure the first hits + place − 1 records of the order are drawn without replacement, and at most place − 1 are others. */
double before_by_chance(double hits, double place, double members, double others) {
    double sum = 0, drawn = hits + place - 1;
    if (hits <= 0) return 1;
    for (double k = place - 1 < others ? place - 1 : others; k >= 0; k--) {
        double term = exp(log_hypergeometric_term(k, others, members, drawn));
        sum += term;
        if (sum > 0 && term < 1e-17 * sum) break;
    }
    return sum < 1 ? sum : 1;
}

Interval exact_interval(double hits, double trials, double tail) {
    Interval out = { 0, 1 };
    if (trials <= 0) return out;
    for (int side = 0; side < 2; side++) {
        double low = 0, high = 1;
        if (side ? hits >= trials : hits <= 0) continue;
        for (int i = 0; i < 60; i++) {
            double p = (low + high) / 2;
            double beyond = side ? binomial_tails(hits, trials, p).lower : binomial_tails(hits - 1, trials, p).upper;
            if (side ? beyond > tail : beyond < tail) low = p;
            else high = p;
        }
        if (side) out.high = high;
        else out.low = low;
    }
    return out;
}

/* Members strictly before the place-th other record; those that come up to it, ties with it too, in *until. */
static double members_before(const ScoreGroups *g, int64_t place, double *until) {
    int64_t others = 0, members = 0;
    for (int64_t k = 0; k < g->count; k++) {
        others += g->at[k].others;
        *until = (double)(members + g->at[k].members);
        if (others >= place) return (double)members;
        members += g->at[k].members;
    }
    return *until = (double)members;
}

/* The curve at a false positive rate, ties as diagonals: of a tied group an attacker takes a part at random. */
static double rate_at(const ScoreGroups *g, double fpr, const Curve *c) {
    double false_ones = fpr * c->others, others = 0, members = 0;
    for (int64_t k = 0; k < g->count; k++) {
        const Group *own = &g->at[k];
        if (own->others && others + (double)own->others > false_ones)
            return (members + (double)own->members * (false_ones - others) / (double)own->others) / c->members;
        others += (double)own->others;
        members += (double)own->members;
    }
    return 1;
}

/* The number of the last other record before which the population's false positive rate is at most fpr, or of the first up to which it is
 * at least fpr, but for TAIL: that rate at the place-th of n is Beta(place, n − place + 1) or less. */
static int64_t place_for(double fpr, int64_t n, bool above) {
    int64_t low = 0, high = n + 1; /* low holds (place 0 always does), high does not */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        Tails tails = binomial_tails((double)(middle - 1), (double)n, fpr);
        bool holds = above ? tails.lower < 1 - TAIL : tails.upper >= 1 - TAIL;
        if (holds) low = middle;
        else high = middle;
    }
    return above ? high : low;
}

/* Between a threshold that surely has no more false positives and one that surely has no fewer (order statistics are free of the
 * distribution). With too few other records nothing is known, and the end is 0 or 1. */
static Interval rate_interval(const ScoreGroups *g, double fpr, const Curve *c) {
    Interval out = { 0, 1 };
    double until;
    int64_t n = (int64_t)c->others, low = place_for(fpr, n, false), high = place_for(fpr, n, true);
    if (low >= 1) out.low = exact_interval(members_before(g, low, &until), c->members, TAIL).low;
    if (high > n) return out;
    members_before(g, high, &until);
    out.high = exact_interval(until, c->members, TAIL).high;
    return out;
}

static double area_by_chance(const ScoreGroups *g, const Curve *c) {
    double n = c->members + c->others, ties = 0;
    for (int64_t k = 0; k < g->count; k++) {
        double t = (double)(g->at[k].members + g->at[k].others);
        ties += t * (t - 1) * (t + 1);
    }
    double variance = (n + 1 - ties / (n * (n - 1))) / (12 * c->members * c->others);
    return variance > 0 ? normal_upper((c->area - 0.5) / sqrt(variance)) : 1;
}

static void advantage_of(const ScoreGroups *g, Curve *c) {
    double members = 0, others = 0;
    for (int64_t k = 0; k < g->count; k++) {
        members += (double)g->at[k].members;
        others += (double)g->at[k].others;
        double ahead = members / c->members - others / c->others;
        c->advantage = fmax(c->advantage, ahead);
    }
}

static void least_of(const ScoreGroups *g, const int64_t *order, int64_t members, const Curve *c, double *least) {
    double others = 0;
    int64_t i = 0;
    for (int64_t k = 0; k < g->count; k++) {
        others += (double)g->at[k].others;
        for (int64_t last = i + g->at[k].members + g->at[k].others; i < last; i++)
            if (order[i] < members) least[order[i]] = others / c->others;
    }
}

Status curve_make(Run *run, const double *score, int64_t members, int64_t others, Curve *out, double *least) {
    Status status = OK;
    ScoreGroups g;
    int64_t *order = NULL, placed;
    double until;
    *out = (Curve){ .chance = 1 };
    NEW(&run->work, order, members + others + 1);
    TRY(group_scores(run, score, members, others, order, &placed, &g));
    for (int64_t k = 0; k < g.count; k++) {
        out->members += (double)g.at[k].members;
        out->others += (double)g.at[k].others;
    }
    TRY(mann_whitney(&run->work, score, members, others, &out->area, &out->variance));
    mann_whitney_interval(out->area, out->variance, out->members, out->others, &out->low, &out->high);
    if (out->members == 0 || out->others == 0) goto done;
    advantage_of(&g, out);
    out->first = members_before(&g, 1, &until);
    double chance = area_by_chance(&g, out);
    for (int r = 0; r < RATES; r++) {
        int64_t place = (int64_t)floor(FALSE_POSITIVES[r] * out->others) + 1;
        double own = before_by_chance(members_before(&g, place, &until), (double)place, out->members, out->others);
        out->rate[r] = rate_at(&g, FALSE_POSITIVES[r], out);
        out->between[r] = rate_interval(&g, FALSE_POSITIVES[r], out);
        chance = fmin(chance, own);
    }
    out->chance = fmin((1 + RATES) * chance, 1);
    if (least) least_of(&g, order, members, out, least);
done:
    return status;
}
