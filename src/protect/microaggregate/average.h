/* The average of a shrinking set of records: means, and modes of nominal axes. */
#ifndef SCRIM_PROTECT_AVERAGE_H
#define SCRIM_PROTECT_AVERAGE_H
#include "math/neighbours/feature_space.h"

/* Sums are kept in two parts, so that taking records away one by one loses nothing that matters. */
typedef struct Average {
    const Space *space;
    double *sum, *low; /* of each number axis */
    int64_t **tally;   /* of each nominal axis: records by code */
    double **half_of;  /* by code */
    int64_t *codes;
    double *point, *half; /* what average_take fills */
    int64_t left;
} Average;
MUST_CHECK Status average_start(Work *work, const Space *space, const int64_t *rows, int64_t count, Average *average);
void average_count(Average *average, int64_t row, int sign); /* 1 puts a record in, -1 takes it out */
void average_take(Average *average);                         /* means, and the most frequent code (the first of equals) */
#endif
