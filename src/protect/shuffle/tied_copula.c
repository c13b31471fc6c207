/* Ties in a normal copula: what they take from Spearman's correlation. */
#include "protect/shuffle/tied_copula.h"
#include "base/elementary.h"
#include "math/ranks.h"
#include "math/special/normal.h"

enum { GROUPS = TIED_LEVELS / 2 }; /* a value with a share of 1/GROUPS is a level of its own, and the others fill as many groups at most */

/* Values in ascending order: a new level where this value or the one before is large, or the level is full. */
static void add_value(TiedLevels *out, double rank, double place, double share, bool *closed) {
    const bool large = share >= 1.0 / GROUPS;
    int at = out->count - 1;
    if (at < 0 || *closed || large || out->share[at] + share > 1.0 / GROUPS) {
        if (out->count < TIED_LEVELS) at = out->count++;
        else at = TIED_LEVELS - 1;
    }
    *closed = large;
    const double both = out->share[at] + share;
    out->rank[at] += (rank - out->rank[at]) * share / both;
    out->place[at] += (place - out->place[at]) * share / both;
    out->share[at] = both;
    out->ties -= share * share * share;
}

Status tied_levels(Work *work, const double *rank, const double *score, const int64_t *row, int64_t rows, TiedLevels *out) {
    Status status = OK;
    double *own = NULL;
    int64_t *order = NULL, count = 0;
    bool closed = false;
    *out = (TiedLevels){ .ties = 1 };
    NEW(work, own, rows + 1);
    NEW(work, order, rows + 1);
    for (int64_t r = 0; r < rows; r++) own[r] = rank[row ? row[r] : r];
    TRY(order_reals(work, own, rows, order, &count));
    for (int64_t first = 0, last; first < count; first = last) {
        double place = 0;
        for (last = first; last < count && own[order[last]] == own[order[first]]; last++)
            if (score) place += score[row ? row[order[last]] : order[last]];
        add_value(out, own[order[first]], place / (double)(last - first), (double)(last - first) / (double)count, &closed);
    }
done:
    arena_drop(work->arena, own);
    arena_drop(work->arena, order);
    return status;
}

void tied_points_discrete(const TiedLevels *levels, double scale, TiedPoints *out) {
    out->count = levels->count;
    out->normal = false;
    for (int m = 0; m < levels->count; m++) {
        out->share[m] = levels->share[m];
        out->score[m] = levels->place[m] * scale;
        out->rank[m] = levels->rank[m];
    }
}

/* Each level's part of the normal distribution in pieces of equal probability. */
void tied_points_normal(const TiedLevels *levels, TiedPoints *out) {
    enum { PIECES = 128 };
    double below = 0;
    out->count = 0;
    out->normal = true;
    for (int l = 0; l < (levels ? levels->count : 1); l++) {
        const double share = levels ? levels->share[l] : 1;
        const int pieces = 1 + (int)(share * (PIECES - 1));
        for (int k = 0; k < pieces && out->count < TIED_POINTS; k++) {
            const double at = below + share * (k + 0.5) / pieces;
            out->share[out->count] = share / pieces;
            out->score[out->count] = normal_quantile(at < 1 ? at : 1 - 1e-9);
            out->rank[out->count++] = levels ? levels->rank[l] : at;
        }
        below += share;
    }
}

/* Where Y* = b·S* + w·z exceeds its quantile: normal, or the mixture over the points. */
static double quantile_of(const TiedPoints *s, double b, double w, double lower) {
    double low = -9, high = 9;
    if (s->normal) return normal_quantile(lower);
    for (int step = 0; step < 32; step++) {
        const double middle = (low + high) / 2;
        double below = 0;
        for (int m = 0; m < s->count; m++) below += s->share[m] * normal_lower((middle - b * s->score[m]) / w);
        if (below < lower) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

/* cov(E[rank of Y | S], rank of S), where the rank of Y rises by a step at each quantile that parts two levels. */
double tied_spearman(const TiedLevels *y, const TiedPoints *s, double b) {
    const double w = sqrt(1 - b * b);
    double covariance = 0, mean = 0, centre = 0, variance = 0, other = 0, below = 0;
    for (int l = 0; l < y->count; l++) mean += y->share[l] * y->rank[l];
    for (int l = 0; l < y->count; l++) variance += y->share[l] * (y->rank[l] - mean) * (y->rank[l] - mean);
    for (int m = 0; m < s->count; m++) centre += s->share[m] * s->rank[m];
    for (int m = 0; m < s->count; m++) other += s->share[m] * (s->rank[m] - centre) * (s->rank[m] - centre);
    for (int l = 0; l + 1 < y->count; l++) {
        below += y->share[l];
        const double at = quantile_of(s, b, w, below);
        for (int m = 0; m < s->count; m++)
            covariance += s->share[m] * (s->rank[m] - centre) * (y->rank[l + 1] - y->rank[l]) * normal_upper((at - b * s->score[m]) / w);
    }
    return variance > 0 && other > 0 ? covariance / sqrt(variance * other) : 0;
}

double tied_latent(const TiedLevels *y, const TiedPoints *s, double seen) {
    const double most = 0.9999;
    double low = seen < 0 ? -most : 0, high = seen < 0 ? 0 : most;
    if (isnan(seen)) return 0;
    for (int step = 0; step < 24; step++) {
        const double middle = (low + high) / 2, here = tied_spearman(y, s, middle);
        if (fabs(here - seen) < 5e-4) return middle;
        if (here < seen) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}
