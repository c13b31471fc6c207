/* The ROC privacy of a vector by simulation: the optimal score, or a risk score fitted by logistic regression. */
#include "math/special/normal.h"
#include <stdlib.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "math/privacy/roc.h"

typedef struct Drawing {
    const double *noncentrality;
    int64_t count, draws;
    RocScore score;
    const RandomStream *stream;
    uint64_t first;       /* word where this set of draws begins: each draw owns 2·count words */
    const double *weight; /* count + 1 coefficients, intercept first; NULL: keep the covariates */
    double *out;          /* 2·draws scores, or a column of ones and a column of each covariate; "same" first */
} Drawing;

/* One element's covariate from its test statistic Λ = z². */
static double covariate(const Drawing *d, int64_t element, double z) {
    double l = d->noncentrality[element], x = sqrt(l) * fabs(z);
    if (d->score == SCORE_STATISTICS) return z * z;
    return x < 0.5 ? log(cosh(x)) : x + log1p(exp(-2 * x)) - M_LN2;
}

static Status draw_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Drawing *d = self;
    int64_t count = d->count;
    uint64_t *words = malloc((size_t)count * 2 * sizeof *words);
    (void)block;
    if (!words) return out_of_memory(error);
    for (int64_t i = first; i < last; i++) {
        stream_words(d->stream, d->first + (uint64_t)(i * 2 * count), (size_t)(2 * count), words);
        for (int side = 0; side < 2; side++) {
            double score = d->weight ? d->weight[0] : 0, *row = d->out + side * d->draws + i;
            if (!d->weight) row[0] = 1;
            for (int64_t j = 0; j < count; j++) {
                double z = normal_quantile(word_uniform(words[side * count + j])) + (side ? sqrt(d->noncentrality[j]) : 0);
                double x = covariate(d, j, z);
                if (d->weight) score += d->weight[j + 1] * x;
                else row[(j + 1) * 2 * d->draws] = x;
            }
            if (d->weight) *row = score;
        }
    }
    free(words);
    return OK;
}

/* Logistic regression of "different" on the covariates; the two sides are of equal size. */
static Status fit_risk_score(Work *work, const Drawing *d, double *weight) {
    Status status = OK;
    double *y = NULL;
    LinearFit fit;
    NEW(work, y, 2 * d->draws);
    for (int64_t i = 0; i < 2 * d->draws; i++) y[i] = i >= d->draws;
    LinearModel model = { .rows = 2 * d->draws, .columns = d->count + 1, .x = d->out, .y = y, .intercept = true };
    TRY(glm_fit(work, BINOMIAL, &model, &fit));
    if (!fit.converged && !fit.separated) /* where the draws are separated, any multiple of the weights gives the same ranks */
        TRY(fail(work->error, FAILED, "the fit of the risk score did not converge in %d iterations", fit.iterations));
    for (int64_t j = 0; j <= d->count; j++) weight[j] = isnan(fit.coefficient[j]) ? 0 : fit.coefficient[j];
done:
    arena_drop(work->arena, y);
    return status;
}

/* Mean and variance of a side's placements: the share of the other side's (sorted) scores below, ties half. */
static double placements(const double *side, const double *other, int64_t n, double *variance) {
    double sum = 0, squares = 0;
    int64_t below = 0, through = 0;
    for (int64_t i = 0; i < n; i++) { /* both are sorted: two pointers */
        while (below < n && other[below] < side[i]) below++;
        while (through < n && other[through] <= side[i]) through++;
        double share = (double)(below + through) / 2 / (double)n;
        sum += share;
        squares += share * share;
    }
    double mean = sum / (double)n;
    *variance = (squares / (double)n - mean * mean) / (double)(n - 1);
    return mean;
}

RocEstimate roc_estimate(double *scores, int64_t draws) {
    double first, second;
    qsort(scores, (size_t)draws, sizeof *scores, ascending_real);
    qsort(scores + draws, (size_t)draws, sizeof *scores, ascending_real);
    double auc = placements(scores + draws, scores, draws, &first);
    placements(scores, scores + draws, draws, &second);
    double half = normal_quantile(0.975) * sqrt(first + second);
    return (RocEstimate){ auc, auc - half, auc + half };
}

Status roc_simulate(Work *work, const double *noncentrality, int64_t count, RocScore score, int64_t draws, const RandomStream *stream,
                    RocEstimate *out) {
    Status status = OK;
    double *weight = NULL, *scores = NULL;
    Drawing d = { .noncentrality = noncentrality, .count = count, .draws = draws, .score = score, .stream = stream };
    NEW(work, weight, count + 1);
    NEW(work, scores, 2 * draws);
    for (int64_t j = 0; score == SCORE_LIKELIHOOD_RATIO && j < count; j++) weight[j + 1] = 1; /* the fit starts from nought */
    if (score != SCORE_LIKELIHOOD_RATIO) { /* fitted on draws of its own, so that the curve is not flattered */
        NEW(work, d.out, 2 * draws * (count + 1));
        TRY(parallel_for(work, draws, 4096, draw_block, &d));
        TRY(fit_risk_score(work, &d, weight));
        arena_drop(work->arena, d.out);
        d.first = (uint64_t)draws * 2 * (uint64_t)count;
    }
    d.weight = weight;
    d.out = scores;
    TRY(parallel_for(work, draws, 4096, draw_block, &d));
    *out = roc_estimate(scores, draws);
done:
    arena_drop(work->arena, scores);
    return status;
}
