/* Composition: what several releases promise together. */
#ifndef SCRIM_MATH_PRIVACY_COMPOSE_H
#define SCRIM_MATH_PRIVACY_COMPOSE_H
#include "math/privacy/noise.h"

typedef struct Component {
    Noise noise;
    int64_t times;
} Component;

/* The least ε that each rule proves at this δ; INFINITY where the rule says nothing. */
double compose_basic(const Component *part, int64_t count, double delta);
double compose_advanced(const Component *part, int64_t count,
                        double delta); /* Dwork, Rothblum & Vadhan 2010, with Kairouz, Oh & Viswanath's constants */
double compose_zcdp(const Component *part, int64_t count,
                    double delta); /* Bun & Steinke 2016; converted by Canonne, Kamath & Steinke 2020, corollary 13 */
double zcdp_epsilon(double zcdp, double delta);
double zcdp_within(double epsilon, double delta); /* the largest ρ whose ε of the guarantee at this δ. Smaller is safer is no more */

/* The distribution of the privacy loss of all of them together, on a lattice, by FFT. From above: the loss of every part is replaced by one
 * that dominates it, so that ε and δ read off are never too small. From below (or NULL): never too large; the truth lies between the two.
 */
typedef struct LossDistribution {
    double step, shift;
    int64_t first, count; /* losses first·step + shift … (first + count − 1)·step + shift */
    double *mass;
    double infinite; /* mass at infinity, with what was cut off and what rounding may have lost */
} LossDistribution;
MUST_CHECK Status compose_exact(Work *work, const Component *part, int64_t count, LossDistribution *above, LossDistribution *below);
double loss_delta(const LossDistribution *loss, double epsilon);
double loss_epsilon(const LossDistribution *loss, double delta); /* INFINITY where δ is not reached */
#endif
