/* ROC privacy of one statistic with normal noise: closed forms. */
#include "math/privacy/roc.h"
#include <gsl/gsl_cdf.h>
#include "base/elementary.h"

/* x and x′ with noise of variance σ²: |x − x′ + Δ| beats |y − y′| exactly when (A + Δ)(B + Δ) > 0 for the independent normals A =
 * (x−x′)−(y−y′) and B = (x−x′)+(y−y′) of variance 4σ², each of which is right with probability p = Φ(Δ/(2σ)) = Φ(√(l/2)). Hence AUC = p² +
 * (1−p)². */
double roc_auc(double noncentrality) {
    double half = gsl_cdf_ugaussian_P(sqrt(noncentrality / 2)) - 0.5; /* p − ½: 2(p−½)² + ½ keeps the digits of small ones */
    return 0.5 + 2 * half * half;
}

double roc_auc_informed(double noncentrality) { return gsl_cdf_ugaussian_P(sqrt(noncentrality)); }

double roc_noncentrality(double auc) {
    double half = sqrt(fmax(auc - 0.5, 0) / 2);
    double root =
        half < 0.25 ? gsl_cdf_ugaussian_Pinv(0.5 + half) : gsl_cdf_ugaussian_Qinv((1 - auc) / (1 + 2 * half)); /* 1−p = (1−AUC)/(2p) */
    return 2 * root * root;
}

double roc_power(double noncentrality, double alpha) {
    double z = gsl_cdf_ugaussian_Qinv(alpha / 2), shift = sqrt(noncentrality);
    return gsl_cdf_ugaussian_Q(z - shift) + gsl_cdf_ugaussian_P(-z - shift);
}
