/* Individual risk in closed form. */
#include "base/elementary.h"
#include "classes/individual_risk.h"

/* r = (p^f/f)·2F1(f, f; f+1; 1−p) = ∫₀¹ u^(f−1)/(1 + zu) du with z = (1−p)/p.
 * Small f and large z: I_1 = ln(1+z)/z, I_f = (1/(f−1) − I_(f−1))/z, which damps errors by 1/z. Otherwise Pfaff's form, all of whose terms
 * are positive: (p/f)·Σ t_k, t_(k+1) = t_k·(1−p)(k+1)/(f+1+k). */
double individual_risk(int64_t f, double F_hat) {
    if (f <= 0) return NAN;
    double n = (double)f, p = F_hat > n ? n / F_hat : 1, q = (F_hat - n) / F_hat;
    if (p >= 1) return 1 / n;
    double z = (F_hat - n) / n;
    if (z >= 1 && f <= 40) {
        double integral = log1p(z) / z;
        for (double i = 1; i < n; i++) integral = (1 / i - integral) / z;
        return integral;
    }
    double term = 1, sum = 0;
    for (double k = 0; term > 1e-17 * sum; k++) {
        sum += term;
        term *= q * (k + 1) / (n + 1 + k);
    }
    return p / n * sum;
}
