/* Noise: drawn and added, block by block; the draw of the table's row i in column j is word i of that column's stream. */
#include "base/elementary.h"
#include "math/distributions.h"
#include "protect/noise/noise.h"

enum { BLOCK = 1 << 12 };

/* In place, from the last column to the first: the root is lower triangular, so column j needs only columns 0…j of the standard draws. */
static void correlate(const Noise *noise, const NoiseFit *fit, int64_t i) {
    int64_t p = noise->columns;
    for (int64_t j = p - 1; j >= 0; j--) {
        double sum = 0;
        for (int64_t k = 0; k <= j; k++) sum += fit->root[j * p + k] * noise->out[k][i];
        noise->out[j][i] = sum;
    }
}

/* Kim 1986: z = a·y + b_j with b_j = (1 − a)·mean, so that E z = E x; noise of either law. */
static double kim(const Noise *noise, const NoiseFit *fit, int64_t j, double y) {
    return noise->scale == 1 ? y : noise->scale * y + (1 - noise->scale) * fit->mean[j];
}

static void add_donor(const Noise *noise, int64_t i, uint64_t word) {
    const DonorPool *pool = &noise->donors.pool[noise->stratum[i]];
    int64_t donor = donor_of(pool, word);
    for (int64_t j = 0; j < noise->columns; j++) {
        double y = noise->x[j][i] + sqrt(noise->amount) * donor_deviation(pool, noise->x[j], donor, j);
        noise->out[j][i] = kim(noise, &noise->fit[noise->stratum[i]], j, y);
    }
}

static void add_record(const Noise *noise, const NoiseFit *fit, int64_t i) {
    double size = sqrt(noise->amount);
    if (noise->kind == CORRELATED || noise->kind == KIM) correlate(noise, fit, i);
    if (noise->kind == LAPLACE_NOISE) size *= M_SQRT1_2; /* a Laplace variate of scale 1 has variance 2 */
    for (int64_t j = 0; j < noise->columns; j++) {
        double x = noise->x[j][i], draw = noise->out[j][i];
        double y = noise->kind == MULTIPLICATIVE ? x * (1 + size * draw) : x + size * fit->sd[j] * draw;
        noise->out[j][i] = kim(noise, fit, j, y);
    }
}

static Status apply_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Noise *noise = self;
    (void)block, (void)error;
    if (noise->kind == OWN_DISTRIBUTION) {
        uint64_t words[BLOCK];
        stream_words(&noise->donor_stream, (uint64_t)(noise->first_row + first), (size_t)(last - first), words);
        for (int64_t i = first; i < last; i++) add_donor(noise, i, words[i - first]);
        return OK;
    }
    for (int64_t j = 0; j < noise->columns; j++)
        (noise->kind == LAPLACE_NOISE ? draw_laplaces : draw_normals)(&noise->stream[j], (uint64_t)(noise->first_row + first), last - first,
                                                                      noise->out[j] + first);
    for (int64_t i = first; i < last; i++) add_record(noise, &noise->fit[noise->stratum[i]], i);
    return OK;
}

Status noise_apply(Work *work, Noise *noise) { return parallel_for(work, noise->rows, BLOCK, apply_block, noise); }

double noise_covariance(const Noise *noise, const NoiseFit *fit, int64_t j, int64_t k) {
    double both = noise->amount * fit->sd[j] * fit->sd[k];
    if (noise->kind == MULTIPLICATIVE) return j == k ? noise->amount * (fit->sd[j] * fit->sd[j] + fit->mean[j] * fit->mean[j]) : 0;
    if (noise_is_joint(noise->kind)) return both * fit->correlation[j * noise->columns + k];
    return j == k ? both : 0;
}

double noise_variance_ratio(const Noise *noise, const NoiseFit *fit, int64_t j) {
    double variance = fit->sd[j] * fit->sd[j];
    return variance > 0 ? noise->scale * noise->scale * (1 + noise_covariance(noise, fit, j, j) / variance) : NAN;
}
