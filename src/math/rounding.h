/* Multiples of a base, as values are rounded to them. */
#ifndef SCRIM_MATH_ROUNDING_H
#define SCRIM_MATH_ROUNDING_H
#include "base/elementary.h"
#include "base/extremes.h"

/* x = (below + fraction)·base, 0 ≤ fraction < 1. What is a multiple but for the last bits is one: 0.3 is three times 0.1. */
typedef struct {
    double below, fraction;
} RoundingParts;
static inline RoundingParts rounding_parts(double x, double base) {
    double quotient = x / base, nearest = round(quotient);
    if (fabs(quotient - nearest) <= 1e-9 * larger(1, fabs(quotient))) return (RoundingParts){ nearest, 0 };
    double below = floor(quotient);
    return (RoundingParts){ below, quotient - below };
}

/* count·base, computed as count/10 where the base is 0.1: the nearest double to the decimal that is meant. */
static inline double rounding_multiple(double count, double base) {
    double parts = round(1 / base);
    return parts >= 2 && fabs(parts * base - 1) < 1e-12 ? count / parts : count * base;
}
#endif
