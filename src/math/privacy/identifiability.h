/* Differential identifiability (Lee & Clifton 2012): the probability that an adversary who knows all but one record names the last one. */
#ifndef SCRIM_MATH_PRIVACY_IDENTIFIABILITY_H
#define SCRIM_MATH_PRIVACY_IDENTIFIABILITY_H
#include "base/work.h"

/* ε = S/λ from the risk r over m possible worlds: ln((m−1)r/(1−r)). BAD, naming 1/m, where r ≤ 1/m. m need not be whole: 1/m is the largest
 * prior. */
MUST_CHECK Status identifiability_epsilon(double risk, double worlds, double *epsilon, Error *error);
double identifiability_risk(double epsilon, double worlds); /* 1/(1 + (m−1)e^−ε): what any ε-differentially private release gives */

/* The largest risk over all responses when Laplace noise of this scale covers the worlds' values: attained where the response is a world's
 * own value. priors: NULL = all alike. values are sorted ascending, priors in their order; scratch holds `count` numbers. */
double identifiability_worst(const double *values, const double *priors, int64_t count, double scale, double *scratch);
/* The risk of each world's individual when the response is R. */
void identifiability_beliefs(const double *values, const double *priors, int64_t count, double scale, double response, double *belief);
/* The least scale whose worst risk is at most `risk`; 0 where none is needed. BAD where some prior (1/m) is at least that. Values in any
 * order. */
MUST_CHECK Status identifiability_tight(Work *work, const double *values, const double *priors, int64_t count, double risk, double *scale);
#endif
