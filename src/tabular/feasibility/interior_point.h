/* The nearest point in least squares that leaves all relations of a table as they are. */
#ifndef SCRIM_TABULAR_FEASIBILITY_INTERIOR_POINT_H
#define SCRIM_TABULAR_FEASIBILITY_INTERIOR_POINT_H
#include "table/cell_structure.h"

/* min Σ weight·x² subject to Σ coefficient·x = 0 in every relation and low ≤ x ≤ high (infinite where nothing bounds), by an interior-point
 * method. *found: whether there is such an x. */
MUST_CHECK Status quadratic_least(Work *work, const Relations *relations, const double *weight, const double *low, const double *high,
                                  double *x, bool *found);
/* The same with min Σ weight·(x − centre)². */
MUST_CHECK Status quadratic_nearest(Work *work, const Relations *relations, const double *weight, const double *centre, const double *low,
                                    const double *high, double *x, bool *found);
enum { QUADRATIC_MOST = 4000 }; /* relations */
#endif
