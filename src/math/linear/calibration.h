/* Calibration: weights as near as possible to given ones under which weighted totals are what they should be. */
#ifndef SCRIM_MATH_CALIBRATION_H
#define SCRIM_MATH_CALIBRATION_H
#include "base/work.h"

typedef struct Calibration {
    int64_t rows, totals;
    const double *const *x; /* total → row → value; nothing missing */
    const double *total;    /* what Σ w·x is to be */
    const double *weight;   /* to stay near, above 0 */
} Calibration;

/* RAKED: w = d·exp(x'λ), always above 0. LINEAR: w = d·(1 + x'λ), the generalised regression estimator; weights may be negative. */
typedef enum { RAKED, LINEAR } CalibrationDistance;

typedef struct Calibrated {
    double *weight;
    int iterations;
    double error;  /* the largest |Σ w·x − T| over the totals, as a share of the larger of |T| and Σ d|x| */
    int64_t worst; /* the total that has it */
} Calibrated;

/* Solved to rounding where there is a solution; `error` says how far off it is where there is none. Totals that depend on one another are
 * allowed. */
MUST_CHECK Status calibrate_weights(Work *work, const Calibration *calibration, CalibrationDistance distance, Calibrated *out);
#endif
