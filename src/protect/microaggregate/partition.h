/* Microaggregation: records parted into groups of k to 2k−1. */
#ifndef SCRIM_PROTECT_PARTITION_H
#define SCRIM_PROTECT_PARTITION_H
#include "math/neighbours/neighbours.h"

/* Groups are numbered as they are made; group[row] is -1 until the record is in one. */
typedef struct Partition {
    int32_t *group;
    int64_t groups;
} Partition;

/* Each parts `count` ≥ k rows of the space (none of them with a missing coordinate) into groups of k to 2k−1 records. */

/* MDAV: maximum distance to average vector (Domingo-Ferrer & Mateo-Sanz 2002; Domingo-Ferrer & Torra 2005, which also gives the mode as the
 * average of a nominal axis). While 3k or more are left: r is the record farthest from their average, s the farthest from r; each makes a
 * group with its k−1 nearest. */
MUST_CHECK Status part_mdav(Work *work, const Space *space, const int64_t *rows, int64_t count, int64_t k, Partition *out);
/* V-MDAV (Solanas & Martínez-Ballesté 2006): groups start at the record farthest from the average of all; one grows while the distance to
 * the next record is below gamma times that record's distance to the others left. */
MUST_CHECK Status part_vmdav(Work *work, const Space *space, const int64_t *rows, int64_t count, int64_t k, double gamma, Partition *out);

/* Records in the order of a score, NaN nowhere among `rows`: consecutive ones grouped by k, the last group taking what is left. */
MUST_CHECK Status part_sorted(Work *work, const double *score, const int64_t *rows, int64_t count, int64_t k, Partition *out);
/* Hansen & Mukherjee 2003: the groups of consecutive values with the least sum of squares within, by a shortest path. */
MUST_CHECK Status part_optimal(Work *work, const double *x, const int64_t *rows, int64_t count, int64_t k, Partition *out);
#endif
