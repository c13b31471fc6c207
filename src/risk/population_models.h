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

/* Equally likely cells, as many as give the sample's number of classes: the limit of poisson-gamma without overdispersion. K */
Uniques poisson_uniques(const Sizes *sizes, double N);
Uniques poisson_gamma_uniques(const Sizes *sizes, double N, double cells); /* Bethlehem et al. 1990; Skinner et al. 1994: parameters α, β */
Uniques pitman_uniques(const Sizes *sizes, double N);                      /* Hoshino 2001: θ, α */
Uniques zayatz_uniques(const Sizes *sizes, double N);                      /* Zayatz 1991 */
Uniques slide_negative_binomial_uniques(const Sizes *sizes, double N);     /* Chen & Keller-McNulty 1998: r, p */

typedef enum { MODEL_POISSON_GAMMA, MODEL_PITMAN, MODEL_ZAYATZ, MODEL_SLIDE, MODEL_POISSON } SizeModel;
/* Any of them; cells: of poisson-gamma. */
Uniques uniques_by(SizeModel model, const Sizes *sizes, double N, double cells);
/* How well a fitted model explains the sample's classes by size: the p-value of Pearson's chi-squared over sizes 1, 2, ..., sizes merged so
 * that at least five classes are expected. NaN where there are too few sizes to tell, and for Zayatz's, which is no model of sizes. */
double uniques_fit(SizeModel model, const Sizes *sizes, const Uniques *fitted, double N, double cells);
/* The standard error of the estimate when classes of a size are Poisson: sum over sizes of (dU/d ln s)^2 / s. Needs scratch for the
 * distinct sizes. */
double uniques_error(SizeModel model, const Sizes *sizes, double N, double cells, double *scratch);
#endif
