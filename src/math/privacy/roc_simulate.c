/* The ROC privacy of a vector by simulation: the optimal score, or a risk score fitted by logistic regression. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include "math/privacy/roc.h"

typedef struct Drawing {
    const double *noncentrality;
    int64_t count, draws;
    RocScore score;
    const Stream *stream;
    uint64_t first;       /* word where this set of draws begins: each draw owns 2·count words */
    const double *weight; /* count + 1 coefficients, intercept first; NULL: keep the covariates */
    double *out;          /* 2·draws scores, or 2·draws rows of covariates; "same" first */
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
    if (!words) return fail(error, FAILED, "out of memory");
    for (int64_t i = first; i < last; i++) {
        stream_words(d->stream, d->first + (uint64_t)(i * 2 * count), (size_t)(2 * count), words);
        for (int side = 0; side < 2; side++) {
            double score = d->weight ? d->weight[0] : 0, *row = d->out + (side * d->draws + i) * (d->weight ? 1 : count);
            for (int64_t j = 0; j < count; j++) {
                double z = gsl_cdf_ugaussian_Pinv(word_uniform(words[side * count + j])) + (side ? sqrt(d->noncentrality[j]) : 0);
                double x = covariate(d, j, z);
                if (d->weight) score += d->weight[j + 1] * x; else row[j] = x;
            }
            if (d->weight) *row = score;
        }
    }
    free(words);
    return OK;
}

/* Newton's method for logistic regression of "different" on the covariates (rows of `d->out`); the two sides are of equal size. */
static Status fit_logistic(Work *work, const Drawing *d, double *weight) {
    Status status = OK;
    int64_t p = d->count + 1;
    gsl_matrix *information = gsl_matrix_alloc((size_t)p, (size_t)p);
    gsl_vector *gradient = gsl_vector_alloc((size_t)p), *step = gsl_vector_alloc((size_t)p);
    if (!information || !gradient || !step) TRY(fail(work->error, FAILED, "out of memory"));
    for (int turn = 0; turn < 50; turn++) {
        gsl_matrix_set_zero(information);
        gsl_vector_set_zero(gradient);
        for (int64_t i = 0; i < 2 * d->draws; i++) {
            const double *x = d->out + i * d->count;
            double eta = weight[0];
            for (int64_t j = 1; j < p; j++) eta += weight[j] * x[j - 1];
            double mean = 1 / (1 + exp(-eta)), residual = (i >= d->draws) - mean;
            for (int64_t a = 0; a < p; a++) {
                double xa = a ? x[a - 1] : 1;
                *gsl_vector_ptr(gradient, (size_t)a) += residual * xa;
                for (int64_t b = 0; b <= a; b++) *gsl_matrix_ptr(information, (size_t)a, (size_t)b) += mean * (1 - mean) * xa * (b ? x[b - 1] : 1);
            }
        }
        TRY(work_check(work));
        if (gsl_linalg_cholesky_decomp1(information) || gsl_linalg_cholesky_solve(information, gradient, step))
            TRY(fail(work->error, FAILED, "the logistic regression of the risk score has no solution: an element tells the two sides apart completely"));
        double largest = 0;
        for (int64_t j = 0; j < p; j++) {
            weight[j] += gsl_vector_get(step, (size_t)j);
            largest = fmax(largest, fabs(gsl_vector_get(step, (size_t)j)));
        }
        if (largest < 1e-9) break;
    }
done:
    gsl_matrix_free(information);
    gsl_vector_free(gradient);
    gsl_vector_free(step);
    return status;
}

static int by_value(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

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

static RocEstimate estimate(double *scores, int64_t draws) {
    double first, second;
    qsort(scores, (size_t)draws, sizeof *scores, by_value);
    qsort(scores + draws, (size_t)draws, sizeof *scores, by_value);
    double auc = placements(scores + draws, scores, draws, &first);
    placements(scores, scores + draws, draws, &second);
    double half = gsl_cdf_ugaussian_Pinv(0.975) * sqrt(first + second);
    return (RocEstimate){ auc, auc - half, auc + half };
}

Status roc_simulate(Work *work, const double *noncentrality, int64_t count, RocScore score, int64_t draws, const Stream *stream, RocEstimate *out) {
    Status status = OK;
    double *weight = NULL, *scores = NULL;
    Drawing d = { .noncentrality = noncentrality, .count = count, .draws = draws, .score = score, .stream = stream };
    NEW(work, weight, count + 1);
    NEW(work, scores, 2 * draws);
    for (int64_t j = 0; score == SCORE_LIKELIHOOD_RATIO && j < count; j++) weight[j + 1] = 1; /* the fit starts from nought */
    if (score != SCORE_LIKELIHOOD_RATIO) { /* fitted on draws of its own, so that the curve is not flattered */
        NEW(work, d.out, 2 * draws * count);
        TRY(parallel_for(work, draws, 4096, draw_block, &d));
        TRY(fit_logistic(work, &d, weight));
        arena_drop(work->arena, d.out);
        d.first = (uint64_t)draws * 2 * (uint64_t)count;
    }
    d.weight = weight;
    d.out = scores;
    TRY(parallel_for(work, draws, 4096, draw_block, &d));
    *out = estimate(scores, draws);
done:
    arena_drop(work->arena, scores);
    return status;
}
