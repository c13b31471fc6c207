/* Donor records: whole records of the same stratum, drawn with equal chances. */
#ifndef SCRIM_PROTECT_DONORS_H
#define SCRIM_PROTECT_DONORS_H
#include "base/random.h"
#include "classes/strata.h"

/* A donor has a value in every column. Where other records lack some, donors may vary more or less than all records do: a donor's deviations
 * from the mean are stretched to the standard deviation of all values of the column. A stratum with fewer than two of them borrows the whole table's. */
typedef struct DonorPool {
    int64_t count;
    const int64_t *row;
    const double *mean, *stretch;
    bool borrowed;
} DonorPool;
typedef struct Donors {
    int64_t columns, borrowed;
    DonorPool whole, *pool; /* one per stratum */
} Donors;
/* BAD where no record has a value in every column. */
MUST_CHECK Status donors_make(Work *work, const double *const *x, int64_t columns, const Strata *strata, Donors *out);
static inline double donor_deviation(const DonorPool *pool, const double *x, int64_t donor, int64_t column) {
    return pool->stretch[column] * (x[donor] - pool->mean[column]);
}
static inline int64_t donor_of(const DonorPool *pool, uint64_t word) { return pool->row[word_below(word, (uint64_t)pool->count)]; }
#endif
