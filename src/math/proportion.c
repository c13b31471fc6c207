/* Intervals of shares. */
#include "base/elementary.h"
#include "math/proportion.h"

static const double Z = 1.959963984540054; /* Φ⁻¹(0.975) */

Interval wilson_interval(double hits, double trials) { return wilson_interval_at(hits, trials, Z); }

Interval wilson_interval_at(double hits, double trials, double z) {
    if (!(trials > 0)) return (Interval){ 0, 1 };
    double p = hits / trials, z2 = z * z, centre = (p + z2 / (2 * trials)) / (1 + z2 / trials);
    double half = z / (1 + z2 / trials) * sqrt(p * (1 - p) / trials + z2 / (4 * trials * trials));
    return (Interval){ hits <= 0 ? 0 : fmax(0, centre - half), hits >= trials ? 1 : fmin(1, centre + half) };
}

Interval newcombe_interval(double hits1, double trials1, double hits2, double trials2) {
    Interval a = wilson_interval(hits1, trials1), b = wilson_interval(hits2, trials2);
    double p = trials1 > 0 ? hits1 / trials1 : 0, q = trials2 > 0 ? hits2 / trials2 : 0;
    return (Interval){ p - q - hypot(p - a.low, b.high - q), p - q + hypot(a.high - p, q - b.low) };
}

Interval paired_interval(double only1, double only2, double trials) {
    if (!(trials > 0)) return (Interval){ -1, 1 };
    double p = (only1 + 1) / (trials + 2), q = (only2 + 1) / (trials + 2), d = p - q;
    double half = Z * sqrt((p + q - d * d) / (trials + 2));
    return (Interval){ fmax(-1, d - half), fmin(1, d + half) };
}
