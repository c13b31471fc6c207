/* A table beside its population: how many agree with each key tuple in either. */
#ifndef SCRIM_RISK_POPULATION_H
#define SCRIM_RISK_POPULATION_H
#include "method/parts.h"
#include "classes/equivalence_class.h"

/* Distinct key tuples over both tables. Counts of records that agree with a tuple under the rule for missing keys, and of those that have
 * exactly it. */
typedef struct PopulationMatch {
    int64_t rows, count;
    const int32_t *of;            /* row of the table → tuple; then those of the population */
    const int64_t *f, *F;         /* that agree: of the table, of the population */
    const int64_t *own_f, *own_F; /* that are it */
} PopulationMatch;
/* The population must have columns of the same names. */
MUST_CHECK Status population_match(Run *run, const Table *data, Columns keys, const Table *population, MissingRule rule,
                                   PopulationMatch *out);
/* What was given, else records over the population's, else records over the sum of the weights; BAD where none is known or it is 0. */
MUST_CHECK Status sampling_fraction(Run *run, const Table *data, double given, const Column *weight, const Table *population, double *out);
#endif
