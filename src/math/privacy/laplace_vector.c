/* The ROC privacy of a vector with Laplace noise, by simulation: the log likelihood ratios of its elements add up, but have no closed form. */
#include <stdlib.h>
#include "base/elementary.h"
#include "math/privacy/roc.h"

typedef struct Drawing {
    const double *epsilon;
    int64_t count, draws;
    bool informed;
    const RandomStream *stream; /* each draw owns 4·count words */
    double *out;
} Drawing;

/* Laplace noise of scale 1. */
static double laplace_draw(uint64_t word) {
    double u = word_uniform(word) - 0.5;
    return u < 0 ? log1p(2 * u) : -log1p(-2 * u);
}

/* ln of the density of the difference of two such noises, but for a constant: (1 + |d|)e^−|d|. */
static double log_difference(double d) { return log1p(fabs(d)) - fabs(d); }

/* Two releases lie d apart, and the change is ε in one direction or the other. */
static double two_releases(double d, double epsilon) {
    double left = log_difference(d - epsilon), right = log_difference(d + epsilon), top = left > right ? left : right;
    return top + log(exp(left - top) + exp(right - top)) - M_LN2 - log_difference(d);
}

/* ln of the ratio of the densities around ε and around 0: constant beyond either, so that many draws tie exactly. */
static double one_release(double x, double epsilon) { return x <= 0 ? -epsilon : x >= epsilon ? epsilon : 2 * x - epsilon; }

static Status draw_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Drawing *d = self;
    size_t words = (size_t)d->count * 4;
    uint64_t *word = malloc(words * sizeof *word);
    (void)block;
    if (!word) return out_of_memory(error);
    for (int64_t i = first; i < last; i++) {
        stream_words(d->stream, (uint64_t)i * words, words, word);
        for (int side = 0; side < 2; side++) {
            double score = 0;
            for (int64_t j = 0; j < d->count; j++) {
                const uint64_t *own = word + 4 * j + 2 * side;
                double e = d->epsilon[j], x = laplace_draw(own[0]) + (side ? e : 0);
                score += d->informed ? one_release(x, e) : two_releases(x - laplace_draw(own[1]), e);
            }
            d->out[side * d->draws + i] = score;
        }
    }
    free(word);
    return OK;
}

Status roc_laplace_simulate(Work *work, const double *epsilon, int64_t count, bool informed, int64_t draws, const RandomStream *stream,
                            RocEstimate *out) {
    Status status = OK;
    double *scores = NULL;
    NEW(work, scores, 2 * draws);
    Drawing d = { epsilon, count, draws, informed, stream, scores };
    TRY(parallel_for(work, draws, 4096, draw_block, &d));
    *out = roc_estimate(scores, draws);
done:
    arena_drop(work->arena, scores);
    return status;
}

double roc_simulation_error(int64_t draws, double probability) { return sqrt(log(2 / probability) / (2 * (double)draws)); }
