/* Mann & Whitney's statistic and its interval. */
#include "math/mann_whitney.h"
#include "base/elementary.h"
#include "math/ranks.h"

/* The Mann–Whitney estimate of Pr(member's distance < other's), with the variance of DeLong, DeLong & Clarke-Pearson (1988): the placement
 * of each record among those of the other kind is its rank among all less its rank among its own. */
Status mann_whitney(Work *work, const double *all, int64_t members, int64_t others, double *area, double *variance) {
    Status status = OK;
    double *rank = NULL, *own = NULL;
    int64_t count[2] = { 0 }, total = members + others;
    NEW(work, rank, total + 1);
    NEW(work, own, total + 1);
    TRY(mid_ranks(work, all, total, rank));
    TRY(mid_ranks(work, all, members, own));
    TRY(mid_ranks(work, all + members, others, own + members));
    for (int64_t i = 0; i < total; i++) count[i >= members] += !isnan(all[i]);
    double mean[2] = { 0 }, square[2] = { 0 };
    for (int64_t i = 0; i < total; i++) {
        int kind = i >= members;
        if (isnan(all[i])) continue;
        double below = (rank[i] - own[i]) / (double)count[!kind],
               place = kind ? below : 1 - below; /* others nearer than this one, or farther than this member */
        mean[kind] += place;
        square[kind] += place * place;
    }
    *area = *variance = NAN;
    if (!count[0] || !count[1]) goto done;
    *area = mean[0] / (double)count[0];
    *variance = 0;
    for (int kind = 0; kind < 2; kind++) {
        double n = (double)count[kind], m = mean[kind] / n;
        if (n > 1) *variance += (square[kind] / n - m * m) * n / (n - 1) / n;
    }
done:
    return status;
}

/* Where no placement varies (members all nearer, or all equally near) DeLong's variance is 0, which is not what is known. Then the score
 * interval of Newcombe (2006, part 2, method 5): the θ with (θ̂ − θ)² = z² V(θ), V(θ) = θ(1−θ)(1 + k((1−θ)/(2−θ) + θ/(1+θ)))/(mn), k =
 * (m+n)/2 − 1. */
static double score_bound(double area, double members, double others, double towards, double z2) {
    double near = area, far = towards, k = (members + others) / 2 - 1;
    for (int i = 0; i < 60; i++) {
        double t = (near + far) / 2, v = t * (1 - t) * (1 + k * ((1 - t) / (2 - t) + t / (1 + t))) / (members * others);
        if ((area - t) * (area - t) <= z2 * v) near = t;
        else far = t;
    }
    return near;
}

void mann_whitney_bounds(double area, double variance, double first, double second, double z, double *low, double *high) {
    double half = z * sqrt(variance);
    *low = fmax(0, area - half);
    *high = fmin(1, area + half);
    if (variance != 0) return;
    *low = score_bound(area, first, second, 0, z * z);
    *high = score_bound(area, first, second, 1, z * z);
}

void mann_whitney_interval(double area, double variance, double first, double second, double *low, double *high) {
    mann_whitney_bounds(area, variance, first, second, 1.959963984540054, low, high);
}
