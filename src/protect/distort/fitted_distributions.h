/* Univariate laws: fitted by maximum likelihood, judged by Kolmogorov–Smirnov. */
#ifndef SCRIM_PROTECT_DISTORT_FITTED_DISTRIBUTIONS_H
#define SCRIM_PROTECT_DISTORT_FITTED_DISTRIBUTIONS_H
#include "base/work.h"

typedef enum { NORMAL_LAW, LOGNORMAL_LAW, GAMMA_LAW, WEIBULL_LAW, EXPONENTIAL_LAW, UNIFORM_LAW, KERNEL_LAW, LAWS } LawKind;
/* normal, lognormal: mean, sd (of the logarithm); gamma, Weibull: shape, scale; exponential: mean; uniform: least, most; kernel: bandwidth,
 * over the sorted values. */
typedef struct FittedDistribution {
    LawKind kind;
    double first, second;
    const double *sorted;
    int64_t count;
    double ks, p_value;
    bool fits, not_negative; /* not_negative: no value is below 0, and no draw will be */
} FittedDistribution;

const char *fitted_name(LawKind kind);
/* Fits one law to sorted values; `fits` is false where it cannot be (a gamma to negative values). */
void fitted_fit(LawKind kind, const double *sorted, int64_t count, FittedDistribution *out);
double fitted_cdf(const FittedDistribution *law, double x);
/* A draw from two uniforms in (0, 1); all but the kernel use the first alone. FAILED where it would not be finite. */
MUST_CHECK Status fitted_draw(const FittedDistribution *law, double u, double v, double *x, Error *error);
/* Kolmogorov's distance from the sample. */
void fitted_judge(FittedDistribution *law, const double *sorted, int64_t count);
/* How often samples of the fitted law, fitted again, lie as far from their own fit (Lilliefors 1967; for laws whose shape is fitted, the
 * parametric bootstrap of Stute et al. 1993): (1 + those)/(1 + all of 499). NaN for the kernel, which follows any sample, and where
 * fewer than half of the samples could be fitted. Judged first. */
void fitted_test(FittedDistribution *law);
/* The parametric law nearest to the sample where it is not rejected at 5%, else the nearest of all. -1 where none fits. */
int fitted_choose(FittedDistribution laws[LAWS]);
#endif
