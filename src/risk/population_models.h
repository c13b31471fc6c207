/* Models of class sizes in a population, fitted to a sample: how many classes have one member there. */
#ifndef SCRIM_RISK_POPULATION_MODELS_H
#define SCRIM_RISK_POPULATION_MODELS_H
#include "base/work.h"

/* The sample's classes by size: count[i] classes of size[i], ascending. */
typedef struct Sizes {
    int64_t distinct;
    const int64_t *size;
    const double *count;
    double records, classes, ones;
} Sizes;

/* uniques: expected classes of size one in the population; given: the probability that a sample unique is one of them. why: what went
 * wrong, or NULL. */
typedef struct Uniques {
    double uniques, given;
    double parameter[2];
    const char *why;
} Uniques;

Uniques poisson_gamma_uniques(const Sizes *sizes, double N, double cells); /* Bethlehem et al. 1990; Skinner et al. 1994: parameters α, β */
Uniques pitman_uniques(const Sizes *sizes, double N);                      /* Hoshino 2001: θ, α */
Uniques zayatz_uniques(const Sizes *sizes, double N);                      /* Zayatz 1991 */
Uniques slide_negative_binomial_uniques(const Sizes *sizes, double N);     /* Chen & Keller-McNulty 1998: r, p */
#endif
