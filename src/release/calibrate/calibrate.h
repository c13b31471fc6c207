/* Within release.calibrate: what was asked, and what was found. */
#ifndef SCRIM_RELEASE_CALIBRATE_CALIBRATE_H
#define SCRIM_RELEASE_CALIBRATE_CALIBRATE_H
#include "math/privacy/noise.h"
#include "method/method.h"

typedef struct {
    unsigned mechanism;
    double sensitivity, scale, sigma, accuracy, level, range, epsilon, delta, zcdp, gdp, auc, identifiability, prior, df;
    Reals noncentrality, world_values, priors, elements;
    int64_t worlds, times, draws;
    bool tight;
    unsigned method, covariates;
    Pairs with;
} CalibrateArgs;

/* The noise that was asked for, or the least that keeps the promise. A vector of noncentralities is one normal release whose shift is
 * √(2Σl) standard deviations. */
typedef struct Calibration {
    Noise noise;
    bool vector;   /* noise.scale is 1: elements have scales of their own */
    double worlds; /* possible worlds, 1/largest prior; NaN where nothing was said */
    double auc, auc_lower, auc_upper, auc_error;
    bool simulated;
} Calibration;

/* Of the interval that --accuracy means. */
static inline double calibrate_level(const CalibrateArgs *a) { return isnan(a->level) ? 0.95 : a->level; }
/* The noise: what was given, or the least that keeps what was asked. BAD where none does. */
Status calibrate_solve(Run *run, const CalibrateArgs *a, Calibration *out);
/* The area under the ROC curve of who does not know the signs; by simulation where there is no formula. */
Status calibrate_auc(Run *run, const CalibrateArgs *a, Calibration *out);
/* The values, the composition with --with and --times, and the charts, each into the run's result. */
Status calibrate_report(Run *run, const CalibrateArgs *a, const Calibration *c);
Status calibrate_compose(Run *run, const CalibrateArgs *a, const Calibration *c);
Status calibrate_charts(Run *run, const CalibrateArgs *a, const Calibration *c);
/* figures.c: the risk that is reached by the risk that is promised, and the noise ratio by promise (Lee & Clifton 2012, figures 1 to 4). */
Status calibrate_figures(Run *run, const CalibrateArgs *a, const Calibration *c);
/* laplace_vector.c: --elements, in place of all of these. */
Status calibrate_laplace_vector(Run *run, const CalibrateArgs *a);
extern const char *const mechanism_words[], *const mechanism_names[];
#endif
