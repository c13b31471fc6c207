/* Log-linear models of a table of counts: iterative proportional fitting on the full grid of cells, empty ones included. */
#ifndef SCRIM_MATH_LOG_LINEAR_H
#define SCRIM_MATH_LOG_LINEAR_H
#include "base/work.h"

enum { GRID_KEYS = 32, GRID_CELLS = 1 << 25 };

/* Cells in mixed radix, the last key fastest. */
typedef struct CellGrid {
    int64_t keys;
    int32_t size[GRID_KEYS];
    int64_t cells;
} CellGrid;
/* BAD (parameter keys) where there are more than GRID_CELLS cells or GRID_KEYS keys. sizes of 0 count as 1. */
MUST_CHECK Status grid_of_cells(Work *work, const int32_t *sizes, int64_t keys, CellGrid *out);

typedef struct LogLinearFit {
    double *mean;
    int rounds;
    bool converged;
} LogLinearFit;
/* Expected counts under the model whose terms are all subsets of these margins (sets of keys, bit j = key j): the maximum-likelihood fit of
 * a Poisson or multinomial model (Bishop, Fienberg & Holland 1975). A key in no margin has equal chances for each of its values. fit->mean
 * is made where it is NULL. */
MUST_CHECK Status log_linear_fit(Work *work, const CellGrid *grid, const uint32_t *count, const uint32_t *margins, int64_t margin_count,
                                 LogLinearFit *fit);
#endif
