/* Mondrian's partitions: boxes of records, cut in two along one key while both halves keep the promise. */
#ifndef SCRIM_PROTECT_PARTITION_H
#define SCRIM_PROTECT_PARTITION_H
#include "classes/privacy_models.h"

typedef struct Promise {
    int64_t k;
    double l, c, t;      /* NaN: not asked for */
    unsigned definition; /* 0 distinct, 1 entropy, 2 recursive */
    int64_t sensitives;
    const Codes *sensitive;
    const Closeness *closeness;
} Promise;

typedef struct Partition {
    int64_t rows, keys;
    const Codes *codes;         /* per key; a missing value comes after all others: code `count` */
    const double *const *place; /* key → code → where it lies from 0 to 1 along the key */
    bool relaxed;
    const Promise *promise;
    /* What comes out: parts are row[start[p]] … row[start[p+1]-1]. */
    int64_t parts;
    int64_t *start;
    int64_t *row;
    int32_t *code; /* place in row, key → partition_code of the row there */
} Partition;

MUST_CHECK Status partition_make(Work *work, Partition *partition);
static inline int32_t partition_code(const Codes *codes, int64_t row) { return codes->at[row] < 0 ? codes->count : codes->at[row]; }
#endif
