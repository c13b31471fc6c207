/* What an intruder believes: distributions over the values a target may have, one for each record. */
#ifndef SCRIM_RISK_DISTRIBUTION_H
#define SCRIM_RISK_DISTRIBUTION_H
#include "method/method.h"

typedef struct Distribution { int64_t count; const char **label; double *number; /* NaN: not a number */ double *probability; } Distribution;
typedef struct Distributions { int64_t count; const char **record; Distribution *at; } Distributions;

/* A table with columns value, probability and, where there are several, record. BAD where a cell is missing, a probability negative, or a record's do not add up to 1. */
MUST_CHECK Status distributions_read(Run *run, const Table *table, const char *parameter, Distributions *out);
/* The one of this record; the only one there is, where it has none of that name; else NULL. */
const Distribution *distribution_find(const Distributions *all, const char *record);
bool distribution_numeric(const Distribution *d);

typedef enum { ENTROPY, VARIANCE, GINI, MISCLASSIFICATION } Uncertainty;
/* −Σ p ln p; Σ p(v − mean)²; 1 − Σp²; 1 − max p. Variance is NaN where a value is no number. */
double uncertainty_of(const Distribution *d, Uncertainty kind);
#endif
