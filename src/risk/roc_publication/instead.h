/* Protected curves in an intruder's hands, beside the empirical one. */
#ifndef SCRIM_RISK_ROC_PUBLICATION_INSTEAD_H
#define SCRIM_RISK_ROC_PUBLICATION_INSTEAD_H
#include "math/roc.h"
#include "method/method.h"

/* Table and chart `instead`: the curve as it is, thinned to `cells`, binormal and kernel-smoothed; what each tells whoever holds `known`, and its AUC. */
MUST_CHECK Status report_instead(Run *run, const RocKnown *all, const RocSteps *steps, const RocKnown *known, int64_t cells, const char *who);
#endif
