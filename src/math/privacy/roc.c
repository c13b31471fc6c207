/* ROC privacy of one statistic with normal noise: closed forms. */
#include "math/privacy/roc.h"
#include "math/special/normal.h"
#include "base/elementary.h"

/* x and x′ with noise of variance σ²: |x − x′ + Δ| beats |y − y′| exactly when (A + Δ)(B + Δ) > 0 for the independent normals A =
 * (x−x′)−(y−y′) and B = (x−x′)+(y−y′) of variance 4σ², each of which is right with probability p = Φ(Δ/(2σ)) = Φ(√(l/2)). Hence AUC = p² +
 * (1−p)². */
double roc_auc(double noncentrality) {
    double half = normal_centre(sqrt(noncentrality / 2)); /* p − ½: 2(p−½)² + ½ keeps the digits of small ones */
    return 0.5 + 2 * half * half;
}

double roc_auc_informed(double noncentrality) { return normal_lower(sqrt(noncentrality)); }

double roc_noncentrality(double auc) {
    double half = sqrt(fmax(auc - 0.5, 0) / 2);
    double root = half < 0.25 ? normal_quantile(0.5 + half) : normal_upper_quantile((1 - auc) / (1 + 2 * half)); /* 1−p = (1−AUC)/(2p) */
    return 2 * root * root;
}

double roc_power(double noncentrality, double alpha) {
    double z = normal_upper_quantile(alpha / 2), shift = sqrt(noncentrality);
    return normal_upper(z - shift) + normal_lower(-z - shift);
}
