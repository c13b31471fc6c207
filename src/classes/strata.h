/* Records gathered by stratum. No strata columns means one stratum of all records; a missing value is a stratum of its own. */
#ifndef SCRIM_CLASSES_STRATA_H
#define SCRIM_CLASSES_STRATA_H
#include "table/table.h"

/* Rows of stratum s are row[start[s]] … row[start[s+1]-1], ascending; strata are numbered in order of first appearance. */
typedef struct Strata {
    int64_t count, rows;
    const int64_t *start;
    const int64_t *row;
    const int32_t *of;
} Strata;
/* In the arena. */
MUST_CHECK Status strata_make(Work *work, Columns columns, int64_t rows, Strata *out);
/* What the stratum is called: "sex=1, region=north". NULL when memory is out. */
const char *strata_name(Work *work, Columns columns, const Strata *strata, int64_t stratum);
/* A list of rows (in any order) brought together by stratum, its order within each stratum kept: sorted[begin[s]] … sorted[begin[s+1]-1].
 */
MUST_CHECK Status strata_gather(Work *work, const Strata *strata, const int64_t *list, int64_t count, int64_t *sorted, int64_t *begin);
#endif
