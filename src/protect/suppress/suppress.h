/* Local suppression: which cells to blank so that every record shares its keys with k records. Shared by suppress and argus. */
#ifndef SCRIM_PROTECT_SUPPRESS_H
#define SCRIM_PROTECT_SUPPRESS_H
#include "method/param.h"
#include "table/tuples.h"

/* Some keys together, and how many records must agree on them. */
typedef struct Combination { uint64_t keys; int64_t k; } Combination;
typedef struct Combinations { int64_t count; Combination *at; } Combinations;
/* "2" or "2:5": all pairs (threshold k, or 5); "sex+age:10": these two. None given: all keys at once. */
MUST_CHECK Status combinations_make(Work *work, Columns keys, const Texts *texts, int64_t k, Combinations *out);

/* A combination that a tuple shares with too few. */
typedef struct Want { uint64_t keys; int64_t k; } Want;

/* The question put to it: tuples of keys (within strata), which of them are unsafe, and which keys go first. */
typedef struct Problem {
    Tuples tuples;          /* `lacks` grows as cells are blanked */
    const int32_t *of;      /* row → tuple */
    int64_t rows, keys;     /* keys that may be blanked; a stratum is one more, which may not */
    uint64_t stratum;       /* its bit, or 0 */
    Combinations combinations;
    int *order;             /* keys, the first to be blanked first */
    int64_t *start;         /* tuple → its wants */
    Want *want;
    int64_t unsafe;         /* records with a want */
    int64_t lower_bound;    /* cells that any suppression needs in which every unsafe combination loses a key of its own record */
    bool proven;            /* the answer is known to be the least */
} Problem;

MUST_CHECK Status problem_make(Work *work, Columns keys, Columns strata, const Combinations *combinations, const Columns *importance, Problem *out);
/* Blanks (in tuples.lacks) until no want is left. */
MUST_CHECK Status problem_solve_greedily(Work *work, Problem *problem, uint64_t *blank);
/* Small problems: fewer cells by local search, then by exhausting what is left; raises lower_bound where it proves that less cannot do.
 * `blank` is per row here. */
MUST_CHECK Status problem_improve(Work *work, Problem *problem, uint64_t *blank);

/* From keys to cells: blank[row] has a bit per key. Solves, improves where small. */
MUST_CHECK Status suppress_cells(Work *work, Problem *problem, uint64_t *blank);
/* The table with those cells missing. */
MUST_CHECK Status suppress_apply(Work *work, const Table *table, Columns keys, const uint64_t *blank, Table **out);
static inline uint64_t low_bits(int64_t count) { return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }
#endif
