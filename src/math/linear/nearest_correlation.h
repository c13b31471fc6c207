/* The nearest correlation matrix. */
#ifndef SCRIM_MATH_LINEAR_NEAREST_CORRELATION_H
#define SCRIM_MATH_LINEAR_NEAREST_CORRELATION_H
#include "base/work.h"

/* a (p × p, symmetric, 1 on its diagonal) becomes the correlation matrix nearest to it in the sum of squared differences, as far as 200
 * turns come (cells within about 1e-7); its eigenvalues are no less than about 1e-8. *bent: it was none by more than a rounding (an
 * eigenvalue below -0.001). FAILED where its cells still move by more than 1e-4. */
MUST_CHECK Status nearest_correlation(Work *work, double *a, int64_t p, bool *bent);
#endif
