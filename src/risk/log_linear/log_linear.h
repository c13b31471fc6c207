/* Inside risk.log-linear: a model, its risk measures and its diagnostics. */
#ifndef SCRIM_RISK_LOG_LINEAR_H
#define SCRIM_RISK_LOG_LINEAR_H
#include "math/linear/log_linear.h"
#include "method/method.h"

enum { MOST_MARGINS = GRID_KEYS * (GRID_KEYS + 1) / 2 };

/* The sample over the grid of cells. */
typedef struct Sample {
    CellGrid grid;
    uint32_t *count;
    int32_t *cell; /* record → cell, -1 where a key is missing; NULL where no record is asked for */
    double records, fraction;
    int64_t uniques;
} Sample;

typedef struct Model {
    uint32_t margin[MOST_MARGINS];
    int64_t margins;
    double tau1, tau2, b1, b2, standard1, standard2;
    bool converged;
} Model;

double unique_in_population(double mean, double fraction); /* Pr(F = 1 | f = 1) */
double expected_match(double mean, double fraction);       /* E(1/F | f = 1) */

/* Fits and measures; mean is scratch of a grid's cells and holds the fit. */
MUST_CHECK Status model_fit(Work *work, const Sample *sample, Model *model, double *mean);
/* From independence, adds the pair of keys that brings the bias nearest to 0, while the model is significantly underfitted. Every model
 * tried on the way that was kept is put into `steps` (room for keys·(keys+1)/2 + 1). */
MUST_CHECK Status model_search(Work *work, const Sample *sample, Model *model, double *mean, Model *steps, int64_t *count);
void independence(const CellGrid *grid, Model *model);
void all_pairs(const CellGrid *grid, Model *model);
#endif
