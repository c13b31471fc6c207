/* Every minimal sample unique: sets of keys that single a record out, and that no part of does. */
#ifndef SCRIM_RISK_SUDA_SEARCH_H
#define SCRIM_RISK_SUDA_SEARCH_H
#include "base/work.h"

/* Distinct key tuples. A code of -1 agrees with every value; a tuple of several records is never unique. */
typedef struct SudaTuples {
    int64_t count, keys;
    int32_t *const *code;  /* key → tuple → code */
    const int32_t *values; /* key → number of codes */
    const int64_t *size;
} SudaTuples;

typedef struct SudaFound {
    int32_t *msus; /* tuple → minimal uniques */
    double *score; /* tuple → Σ over them of Π_{i=k}^{M−1}(ATT − i), k their size, M the largest size looked for, ATT the number of keys */
    double *key_score; /* key → what the sets that hold it add to all scores */
    int64_t *by_size;  /* size → minimal uniques of that size, over all records */
} SudaFound;

enum { SUDA_SETS = 5000000 };                     /* more sets of keys than this are refused */
double suda_sets(int64_t keys, int64_t max_size); /* how many sets of 1…max_size keys there are */
MUST_CHECK Status suda_search(Work *work, const SudaTuples *tuples, int64_t max_size, SudaFound *out);
#endif
