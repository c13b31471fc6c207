/* ROC privacy of a release: the statistics by which an attacker ranks releases. */
#ifndef SCRIM_RISK_ROC_RELEASE_ROC_RELEASE_H
#define SCRIM_RISK_ROC_RELEASE_ROC_RELEASE_H
#include "math/neighbours/feature_space.h"
#include "method/method.h"

typedef enum { ENERGY, PMSE, ESTIMATES } Statistic;
/* "mean(income)", "sd(x)", "variance(x)", "median(x)", "share(sex=f)": what an estimate is of. */
typedef enum { MEAN, VARIANCE_OF, SD, MEDIAN, SHARE } EstimateKind;
typedef struct Estimate {
    EstimateKind kind;
    const char *column, *value;
} Estimate;
typedef struct Estimates {
    int64_t count;
    Estimate *at;
} Estimates;
MUST_CHECK Status estimates_parse(Work *work, const Table *data, Texts texts, Estimates *out);
/* The estimates on a table, NaN where it has no value. */
MUST_CHECK Status estimates_of(Work *work, const Estimates *estimates, const Table *table, double *out);

/* Twice the mean distance between records of the release and of the data less that between records of the release (Székely & Rizzo 2004;
 * the data's own part is the same for all releases): by Gower's distance on the data's columns that a release has, over at most so many
 * records of each, the first. */
typedef struct Energy {
    const Scale *scale;
    Columns columns;
    Space space;
    int64_t most;
} Energy;
MUST_CHECK Status energy_make(Work *work, const Table *data, const Table *release, int64_t most, Energy *out);
MUST_CHECK Status energy_of(Work *work, const Energy *energy, const Table *release, double *out);

/* The share of the release's records that repeat one of the data in all columns that both have. */
MUST_CHECK Status copied_share(Work *work, const Table *data, const Table *release, double *out);
#endif
