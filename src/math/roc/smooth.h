/* Smooth ROC curves, binormal and by kernels, and what they tell of missing records. */
#ifndef SCRIM_MATH_ROC_SMOOTH_H
#define SCRIM_MATH_ROC_SMOOTH_H
#include "base/random.h"
#include "math/roc/roc.h"

typedef enum { ROC_BINORMAL, ROC_KERNEL } RocSmoothing;

/* Records may be added and taken away again. Index 0: status 0; 1: status 1. */
typedef struct RocSmooth {
    RocSmoothing kind;
    double count[2], mean[2], square[2]; /* square: sum of squared deviations from the mean */
    double bandwidth[2];                 /* kernel */
    int64_t grid;                     /* kernel: scores, descending, and the sum of Φ((x − score)/bandwidth) over the class's records */
    double *score, *above[2], *table; /* table: Φ */
} RocSmooth;
/* Empty, with the bandwidths and the range of scores taken from these records; both statuses must have two different scores. */
MUST_CHECK Status roc_smooth_make(Work *work, RocSmoothing kind, const RocKnown *records, RocSmooth *out);
void roc_smooth_add(RocSmooth *smooth, double score, int status, double sign); /* sign −1 takes away */
void roc_smooth_add_all(RocSmooth *smooth, const RocKnown *records);
/* True positive rates at ascending false positive rates. */
void roc_smooth_rates(const RocSmooth *smooth, const double *fpr, int64_t count, double *tpr);
double roc_smooth_area(const RocSmooth *smooth);

/* What a published smooth curve says of m missing records: by simulation, weighing complete data by how near their smooth curve comes. */
typedef struct RocPosterior {
    int64_t missing;
    double *positive, *lower, *upper; /* per rank: probability of status 1; central 95% of the score */
    double mean, low, high;           /* statuses 1 among the missing, and their central 95% */
    double accuracy,
        baseline; /* expected share of statuses guessed right, by rank; the same where the guesses are made without the curve */
    double distance, acceptance; /* mean root mean square distance to the published curve; share of proposals taken */
} RocPosterior;
typedef struct RocPublished {
    RocSmoothing kind;
    int64_t count;
    const double *fpr, *tpr;
    double precision;
} RocPublished;
/* positives: of all n, or -1 where not published. */
MUST_CHECK Status roc_posterior(Work *work, RandomReader *reader, const RocPublished *curve, const RocKnown *known, int64_t n,
                                int64_t positives, int64_t draws, RocPosterior *out);
#endif
