/* Linear models: least squares, generalised linear models, robust regression. The same bits for any number of threads. */
#ifndef SCRIM_MATH_LINEAR_LEAST_SQUARES_H
#define SCRIM_MATH_LINEAR_LEAST_SQUARES_H
#include "base/work.h"

/* Rows of a matrix of columns, made when they are asked for: fills out[j·count + i] with row first + i, column j. On any thread. */
typedef void LinearRead(const void *self, int64_t first, int64_t count, double *out);

/* What is fitted: a Design's x and y fit in as they are. Nothing may be missing. */
typedef struct LinearModel {
    int64_t rows, columns;
    const double *x; /* rows × columns, column-major; or NULL: read */
    const double *y;
    const double *weight; /* ≥ 0 (0: the row does not count), or NULL for 1 each; they act as R's lm and glm weights do */
    bool intercept;       /* the columns span a constant: R² is about the mean */
    LinearRead *read;     /* in place of x, where that would take too much memory: many indicators */
    const void *self;
} LinearModel;

typedef struct LinearFit {
    int64_t rows; /* that count: weight above 0 */
    int64_t columns, rank;
    double *coefficient;    /* NaN: aliased, a linear combination of columns before it (as R reports) */
    double *standard_error; /* NaN: aliased, or no degrees of freedom left */
    double *unscaled; /* (X'WX)⁻¹, columns × columns; rows and columns of aliased ones are NaN. Covariance of the estimates = dispersion ·
                         unscaled */
    double *fitted;    /* one per row, on the scale of y */
    double dispersion; /* residual variance; 1 for binomial and poisson */
    int64_t residual_df;
    double residual_sum; /* Σ w r² */
    double deviance, null_deviance;
    double r2;      /* gaussian: 1 − residual/total sum of squares; else 1 − deviance/null deviance; NaN where y is constant */
    bool converged; /* the iterations settled; always true for least squares */
    bool separated; /* binomial: some coefficients have no finite estimate */
    int iterations;
} LinearFit;

/* QR of blocks of rows, merged in order; columns are given up (aliased) where what the earlier ones leave of them is under 1e-7 of their
 * length. */
MUST_CHECK Status least_squares(Work *work, const LinearModel *model, LinearFit *out);
/* One fit for each of several responses (the model's own y is not looked at): the columns are factored once. */
MUST_CHECK Status least_squares_several(Work *work, const LinearModel *model, const double *const *y, int64_t responses, LinearFit *out);

typedef enum { GAUSSIAN, BINOMIAL, POISSON } Family; /* canonical links: identity, logit, log */
/* Iteratively reweighted least squares (McCullagh & Nelder 1989). BAD where y is outside the family's range. */
MUST_CHECK Status glm_fit(Work *work, Family family, const LinearModel *model, LinearFit *out);

/* Huber's M-estimator with tuning constant 1.345 and the scale re-estimated by the median absolute residual; standard errors after Huber
 * 1981, eq. 6.5. */
MUST_CHECK Status robust_fit(Work *work, const LinearModel *model, LinearFit *out);

/* x·b for each row of a model (its y and weights are not looked at); an aliased coefficient counts as 0. */
MUST_CHECK Status linear_predict(Work *work, const LinearModel *model, const double *coefficient, double *out);
/* The mean of y at linear predictor eta. */
double family_mean(Family family, double eta);
#endif
