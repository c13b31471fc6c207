/* The larger and the smaller of two numbers, where C's fmax and fmin pass over a NaN: a value that could not be computed must not become
 * the bound that it was compared with. fmax and fmin themselves take variables and constants only (scripts/extremes holds that). */
#ifndef SCRIM_BASE_EXTREMES_H
#define SCRIM_BASE_EXTREMES_H
#include "base/elementary.h"
#include "base/status.h"

/* NaN where either is. */
static inline double larger(double a, double b) { return a > b || isnan(a) ? a : b; }
static inline double smaller(double a, double b) { return a < b || isnan(a) ? a : b; }

/* Where NaN stands for a value that is absent: that of the other; NaN where both are absent. */
static inline double larger_known(double a, double b) { return fmax(a, b); }
static inline double smaller_known(double a, double b) { return fmin(a, b); }

/* x moved into [low, high], both finite. FAILED where x is NaN: what is counted or drawn from it would be wrong without a trace. */
static inline Status clamp_finite(double x, double low, double high, double *out, Error *error) {
    if (isnan(x)) return fail(error, FAILED, "a value that is clamped to bounds is not a number");
    *out = x < low ? low : x > high ? high : x;
    return OK;
}
#endif
