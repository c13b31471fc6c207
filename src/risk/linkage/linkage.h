/* Record linkage between an original and its release: how each way of linking reports. */
#ifndef SCRIM_RISK_LINKAGE_H
#define SCRIM_RISK_LINKAGE_H
#include "math/neighbours/feature_space.h"
#include "risk/paired_columns.h"

/* Per released record: the chance that the link found is its source (ties shared out), and the distance, or agreement weight, of the link;
 * NaN: none was found. */
typedef struct Links {
    int64_t rows;
    double *right, *distance;
    bool constant; /* every column is, in the original: all are equally near */
} Links;
/* Nothing linked yet. */
MUST_CHECK Status links_make(Work *work, int64_t rows, Links *out);

/* The nearest original on columns scaled by the original (Spruill 1982). */
MUST_CHECK Status link_nearest(Run *run, const PairColumns *pair, Metric metric, Links *out);
/* The same on mid-ranks within each table (Muralidhar & Domingo-Ferrer 2016); categories stay as they are. */
MUST_CHECK Status link_by_rank(Run *run, const PairColumns *pair, Metric metric, Links *out);
/* The original with the largest agreement weight (Fellegi & Sunter 1969), agreement probabilities by EM; table `agreement`. */
MUST_CHECK Status link_probabilistic(Run *run, const PairColumns *pair, int64_t bins, Links *out);
#endif
