/* The tail of a density over the density at its edge, by one rule for every law: constant time, relative error under 1e-14. */
#ifndef SCRIM_MATH_SPECIAL_TAIL_INTEGRAL_H
#define SCRIM_MATH_SPECIAL_TAIL_INTEGRAL_H

/* ln of the density v ≥ 0 beyond the edge, less that at the edge: concave, 0 at 0, falling. */
typedef double LogDrop(const void *law, double v);

/* ∫₀^∞ e^drop(v) dv. `slope` ≥ 0 and `curvature` > 0 are −drop′(0) and −drop″(0). With a curvature of 0 the density need not be log-concave:
 * it falls as e^(−slope·v) far out, and may fall faster near the edge. */
double tail_integral(LogDrop *drop, const void *law, double slope, double curvature);

/* A tail as e^log_density · integral, which does not underflow; in the variable of the density the logarithm of the tail changes by
 * 1/integral. */
typedef struct Tail {
    double log_density, integral;
} Tail;

/* Both tails of a distribution at a point. Outside the function's domain both are NaN. */
typedef struct Tails {
    double lower, upper;
} Tails;
#endif
