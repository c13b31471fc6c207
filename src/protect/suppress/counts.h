/* Counts of agreeing records about sets of keys, kept while they serve. */
#ifndef SCRIM_PROTECT_SUPPRESS_COUNTS_H
#define SCRIM_PROTECT_SUPPRESS_COUNTS_H
#include "protect/suppress/suppress.h"

typedef struct Counts {
    const Problem *problem;
    int64_t count, room;
    uint64_t *about; /* keys */
    int64_t **at;    /* tuple → records that agree with it on them */
} Counts;

void counts_forget(Work *work, Counts *counts);
/* A count from before the last blanking is too low at most: still safe to act on. */
MUST_CHECK Status counts_about(Work *work, Counts *counts, uint64_t keys, const int64_t **out);
/* Would blanking `set` fulfil every want of the tuple? Where `own`, only by losing a key in each of them. */
MUST_CHECK Status counts_fulfil(Work *work, Counts *counts, int64_t tuple, uint64_t set, bool own, bool *out);
/* Sets of so many among n keys, in the order of places; first low_bits(size), none after the last. */
static inline uint64_t next_set(uint64_t set) {
    uint64_t low = set & -set, ripple = set + low;
    return (((ripple ^ set) >> 2) / low) | ripple;
}
static inline double choose(int64_t n, int64_t size) {
    double sets = 1;
    for (int64_t i = 0; i < size; i++) sets *= (double)(n - i) / (double)(i + 1);
    return sets;
}
/* Places along the order in which keys are given up, as keys. */
uint64_t keys_at(const Problem *problem, uint64_t places);
enum { SETS_MOST = 500 }; /* sets of one size that are gone through */
#endif
