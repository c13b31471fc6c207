/* Noise: what is learned from each stratum, and how it is applied to a record. */
#ifndef SCRIM_PROTECT_NOISE_H
#define SCRIM_PROTECT_NOISE_H
#include "method/parts.h"
#include "protect/donors.h"

typedef enum { INDEPENDENT, CORRELATED, KIM, MULTIPLICATIVE, LAPLACE_NOISE, OWN_DISTRIBUTION } NoiseKind;

/* One stratum: means and standard deviations of each column over the records that have it; the correlations' root over complete records. */
typedef struct NoiseFit {
    double *mean, *sd;
    double *correlation, *root; /* columns × columns; the root is lower triangular */
    bool pooled;                /* too few records of its own: the whole table's */
} NoiseFit;

typedef struct Noise {
    NoiseKind kind;
    double amount, scale; /* scale: kim's a, else 1 */
    int64_t columns, rows, first_row;
    const double **x;       /* NaN = missing */
    int64_t strata;         /* of the whole table, in the order of their first records */
    const int64_t *stratum; /* row → its stratum */
    NoiseFit *fit;          /* per stratum */
    Donors donors;          /* own-distribution */
    RandomStream *stream;   /* per column */
    RandomStream donor_stream;
    double **out;
} Noise;

static inline bool noise_is_joint(NoiseKind kind) { return kind == CORRELATED || kind == KIM || kind == OWN_DISTRIBUTION; }
/* Counts and sums of the rows into the roll of the strata; place: row → tuple of the roll. */
int64_t noise_sums(NoiseKind kind, int64_t columns); /* how many sums a stratum has */
void noise_learn(const Noise *noise, TupleCounts *roll, const int64_t *place);
/* Moments of each stratum from those sums; order: the i-th stratum's tuple. */
MUST_CHECK Status noise_fit(Work *work, Noise *noise, Columns vars, const TupleCounts *roll, const int64_t *order);
MUST_CHECK Status noise_apply(Work *work, Noise *noise);
/* The covariance of the noise between columns j and k of a stratum, before kim's transformation. */
double noise_covariance(const Noise *noise, const NoiseFit *fit, int64_t j, int64_t k);
/* Var(released)/Var(original), in expectation. NaN for a constant column. */
double noise_variance_ratio(const Noise *noise, const NoiseFit *fit, int64_t j);
#endif
