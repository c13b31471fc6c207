/* Multinomial logit: chances of several classes given numbers. */
#ifndef SCRIM_MATH_MULTINOMIAL_H
#define SCRIM_MATH_MULTINOMIAL_H
#include "base/work.h"

typedef struct Multinomial {
    int64_t columns;
    int32_t classes;
    double *coefficient; /* (classes − 1) × columns, against the first class */
    bool converged;      /* within 100 steps */
} Multinomial;

/* x: rows × columns, column-major; class of each row, -1: it does not count. ln(P_k/P_0) = x'b_k (McFadden 1974), by Newton's method; a
 * ridge of 1e-6 keeps coefficients finite where classes are separated. BAD beyond 1,000 coefficients. */
MUST_CHECK Status multinomial_fit(Work *work, int64_t rows, int64_t columns, const double *x, const int32_t *class, int32_t classes,
                                  Multinomial *out);
/* Chances of all classes at row i of another such x. */
void multinomial_chances(const Multinomial *m, int64_t rows, const double *x, int64_t i, double *chance);
#endif
