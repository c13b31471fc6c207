/* The kernel of some relations: every move of the cells is a combination of a few free ones. In tables of three dimensions and more these
 * are far fewer than the relations. */
#ifndef SCRIM_TABULAR_FEASIBILITY_NULL_SPACE_H
#define SCRIM_TABULAR_FEASIBILITY_NULL_SPACE_H
#include "base/work.h"

/* Entries of cell i are start[i] … start[i+1]-1, in rows (relations) or in free cells. */
typedef struct Sparse {
    int64_t count; /* cells */
    int width;     /* rows, or free cells */
    int64_t *start;
    int32_t *at;
    double *coefficient;
} Sparse;

/* x_i = Σ coefficient·y over free cells, which leaves every relation as it is whatever y. *found is false where the kernel has more than
 * `most` free cells or is not sparse. */
MUST_CHECK Status kernel_make(Work *work, const Sparse *relations, int most, Sparse *out, bool *found);
void sparse_free(Sparse *sparse);
#endif
