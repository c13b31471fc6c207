/* What an intruder believes: distributions over the values a target may have, one for each record. */
#ifndef SCRIM_RISK_BELIEF_H
#define SCRIM_RISK_BELIEF_H
#include "method/method.h"

typedef struct Distribution {
    int64_t count;
    const char **label;
    double *number; /* NaN: not a number */
    double *probability;
} Distribution;
typedef struct Distributions {
    int64_t count;
    const char **record;
    Distribution *at;
} Distributions;

/* A table with columns value, probability and, where there are several, record. BAD where a cell is missing, a probability negative, or a
 * record's do not add up to 1. */
MUST_CHECK Status distributions_read(Run *run, const Table *table, const char *parameter, Distributions *out);
/* How the values of a column are spread in each class of the keys (none: in the whole table), missing values left out; a class is called by
 * its keys, "sex=f region=Dunvale". people: the records of each class. A class of which no value is known has count 0. */
MUST_CHECK Status distributions_count(Run *run, Columns keys, const Column *values, Distributions *out, int64_t **people);
/* The one of this record; the only one there is, where it has none of that name; else NULL. */
const Distribution *distribution_find(const Distributions *all, const char *record);
bool distribution_numeric(const Distribution *d);

typedef enum { ENTROPY, VARIANCE, GINI, MISCLASSIFICATION } Uncertainty;
/* −Σ p ln p; Σ p(v − mean)²; 1 − Σp²; 1 − max p. Variance is NaN where a value is no number. */
double uncertainty_of(const Distribution *d, Uncertainty kind);
#endif
