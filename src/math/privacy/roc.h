/* ROC privacy (Matthews & Harel 2012): how well two noisy releases, from a table and from its neighbour, can be told apart. */
#ifndef SCRIM_MATH_PRIVACY_ROC_H
#define SCRIM_MATH_PRIVACY_ROC_H
#include "base/random.h"

/* Normal noise of variance σ² on a statistic that moves by Δ: noncentrality l = Δ²/(2σ²). Risk is the area under the ROC curve of the
 * likelihood ratio test between "same" (Λ is χ²₁) and "different" (noncentral χ²₁ with l); privacy is 1 − AUC. */
double roc_auc(double noncentrality);                 /* p² + (1−p)², p = Φ(√(l/2)): exact */
double roc_auc_informed(double noncentrality);        /* Φ(√l): one release, seen by who knows the table and the change */
double roc_noncentrality(double auc);                 /* its inverse; auc in [0.5, 1) */
double roc_power(double noncentrality, double alpha); /* ROC(α) */

/* A vector: the noise of the elements is independent. Convolution of the log likelihood ratios by FFT; `error` (may be NULL) bounds |answer
 * − AUC|, at most about 1e-7. Elements of zero are allowed. */
MUST_CHECK Status roc_vector_auc(Work *work, const double *noncentrality, int64_t count, double *auc, double *error);
/* The noncentrality that, given to each of `count` elements, makes the vector's AUC this. */
MUST_CHECK Status roc_vector_noncentrality(Work *work, double auc, int64_t count, double *noncentrality);
/* `points` points of the vector's ROC curve, from (0, 0) to (1, 1). */
MUST_CHECK Status roc_vector_curve(Work *work, const double *noncentrality, int64_t count, int64_t points, double *fpr, double *tpr);

/* By simulation: `draws` vectors from each side, and a 95% interval (DeLong, DeLong & Clarke-Pearson 1988). */
typedef struct RocEstimate {
    double auc, lower, upper;
} RocEstimate;
typedef enum {
    SCORE_LIKELIHOOD_RATIO, /* the optimal test, its joint distribution known */
    SCORE_STATISTICS,       /* logistic regression on the Λ_i (McIntosh & Pepe 2002): a lower bound */
    SCORE_LOG_COSH          /* logistic regression on ln cosh √(l_i Λ_i), of which the likelihood ratio is a sum */
} RocScore;
MUST_CHECK Status roc_simulate(Work *work, const double *noncentrality, int64_t count, RocScore score, int64_t draws,
                               const RandomStream *stream, RocEstimate *out);
/* The area of 2·draws scores, those of "same" first, which are sorted here; and its 95% interval. */
RocEstimate roc_estimate(double *scores, int64_t draws);
/* A vector with Laplace noise, ε_i = Δ_i/b_i: the likelihood ratio test of two releases by who does not know the signs of the changes, and of
 * one release by who knows both tables. */
MUST_CHECK Status roc_laplace_simulate(Work *work, const double *epsilon, int64_t count, bool informed, int64_t draws,
                                       const RandomStream *stream, RocEstimate *out);
/* A simulated area of so many draws of each kind is off by more than this with at most this probability, whatever the distributions
 * (Hoeffding 1963, for the U-statistic that it is). */
double roc_simulation_error(int64_t draws, double probability);
#endif
