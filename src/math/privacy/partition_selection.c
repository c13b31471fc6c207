/* Partition selection, by its recursion. */
#include "math/privacy/partition_selection.h"
#include "base/elementary.h"
#include "base/extremes.h"

/* π(0) = 0 and π(n) = min(e^ε π(n−1) + δ, 1 − e^−ε (1 − π(n−1) − δ), 1): each value is as large as the one before it allows, for showing
 * and for not showing (theorem 1). After about 2 ln(1/δ)/ε steps it is 1. */
double selection_probability(double epsilon, double delta, int64_t people) {
    double shown = 0, factor = exp(epsilon);
    for (int64_t n = 0; n < people && shown < 1; n++) shown = smaller(smaller(factor * shown + delta, 1 - (1 - shown - delta) / factor), 1);
    return fmax(shown, 0);
}
