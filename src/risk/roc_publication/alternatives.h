/* Protected curves in an intruder's hands, beside the empirical one. */
#ifndef SCRIM_RISK_ROC_PUBLICATION_ALTERNATIVES_H
#define SCRIM_RISK_ROC_PUBLICATION_ALTERNATIVES_H
#include "math/roc/roc.h"
#include "method/method.h"

/* Table and chart `instead`: the curve as it is, thinned to `cells`, binormal, kernel-smoothed, and (epsilon not NaN) from as many
 * bins of noisy counts; what each tells anyone who holds `known`, and its AUC. */
typedef struct Instead {
    const RocKnown *all, *known;
    const RocSteps *steps;
    int64_t cells;
    double epsilon;
    const char *who;
} Instead;
MUST_CHECK Status report_instead(Run *run, const Instead *instead);
#endif
