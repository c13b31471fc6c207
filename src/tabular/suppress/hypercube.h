/* Moves of corners: in every dimension one code goes up and another one of the same sum goes down, so that no sum notices (the hypercubes
 * of Repsilber 1994). Found in microseconds where a linear program takes milliseconds, whole where the need is whole, but not always there.
 */
#ifndef SCRIM_TABULAR_SUPPRESS_HYPERCUBE_H
#define SCRIM_TABULAR_SUPPRESS_HYPERCUBE_H
#include "tabular/model.h"

typedef struct Cubes Cubes;
/* *out: NULL where the table's dimensions do not allow for them (none, codes in several sums, too many combinations). */
MUST_CHECK Status cubes_make(Work *work, const Model *m, Cubes **out);

/* What a corner must be: `price` of moving cell by x (0 where it is hidden already), or INFINITY where it cannot. */
typedef struct CubeAsk {
    void *self;
    double (*price)(void *self, int32_t cell, double x);
    double most;   /* no dearer ones */
    int64_t boxes; /* how many are looked at, at most */
} CubeAsk;
/* The cheapest move found that takes `cell` by x; its cells and changes belong to `cubes` until the next one. count = 0: none. */
typedef struct CubeMove {
    int64_t count;
    const int32_t *cell;
    const double *x;
    double price;
} CubeMove;
void cube_find(Cubes *cubes, int32_t cell, double x, const CubeAsk *ask, CubeMove *out);
#endif
