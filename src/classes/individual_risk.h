/* Risk from frequencies: what a class's size in the sample tells of its size in the population. */
#ifndef SCRIM_CLASSES_INDIVIDUAL_RISK_H
#define SCRIM_CLASSES_INDIVIDUAL_RISK_H
#include <stdint.h>

/* E[1/F | f], F the population size of a class of f sample records and estimated population size F_hat: negative binomial with p = min(1,
 * f/F_hat) (Benedetti & Franconi 1998). Exact to rounding for every f. */
double individual_risk(int64_t f, double F_hat);
#endif
