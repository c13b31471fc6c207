/* Univariate laws: fitted by maximum likelihood, judged by Kolmogorov–Smirnov. */
#ifndef SCRIM_PROTECT_LAWS_H
#define SCRIM_PROTECT_LAWS_H
#include "base/work.h"

typedef enum { NORMAL_LAW, LOGNORMAL_LAW, GAMMA_LAW, WEIBULL_LAW, EXPONENTIAL_LAW, UNIFORM_LAW, KERNEL_LAW, LAWS } LawKind;
/* normal, lognormal: mean, sd (of the logarithm); gamma, Weibull: shape, scale; exponential: mean; uniform: least, most; kernel: bandwidth,
 * over the sorted values. */
typedef struct Law {
    LawKind kind;
    double first, second;
    const double *sorted;
    int64_t count;
    double ks, p_value;
    bool fits;
} Law;

const char *law_name(LawKind kind);
/* Fits one law to sorted values; `fits` is false where it cannot be (a gamma to negative values). */
void law_fit(LawKind kind, const double *sorted, int64_t count, Law *out);
double law_cdf(const Law *law, double x);
/* A draw from two uniforms (all but the kernel use the first alone). */
double law_draw(const Law *law, double u, double v);
/* Kolmogorov's distance from the sample. */
void law_judge(Law *law, const double *sorted, int64_t count);
/* How often samples of the fitted law, fitted anew, lie as far from their own fit (Lilliefors 1967; for laws whose shape is fitted, the
 * parametric bootstrap of Stute et al. 1993): (1 + those)/(1 + all of 499). NaN for the kernel, which follows any sample. Judged first. */
void law_test(Law *law);
/* The parametric law nearest to the sample where it is not rejected at 5%, else the nearest of all. -1 where none fits. */
int law_choose(Law laws[LAWS]);
#endif
