/* Local suppression: which cells to blank so that every record shares its keys with k records. Shared by suppress and argus.
 *
 * The way through this folder:
 *
 *   suppress.c     the method: its declaration, strata and households, the result
 *   combinations.c which keys together must be shared, and by how many: from text
 *   problem.c      the question: tuples of keys within strata, which of them are unsafe, what each still wants       → Problem
 *   alone.c        what each unsafe tuple would have to lose if no other lost anything: bounds every later choice
 *   cover.c        a first answer: the blanks that serve most records at once, as prices of a covering program
 *   pairs.c        how many agree with each tuple whatever set of keys it loses, over all pairs; kept as cells are blanked
 *   greedy.c       whatever is still wanting, by the smallest sets of keys first (counts.c keeps the counts it asks for)
 *   bound.c        how few cells can do: the dual of that program, from the prices the cover paid                     → lower_bound
 *   small.c        small problems record by record: search.c takes cells back (tabu), prove.c goes through what is left until
 *                  an answer with fewer cells is found or none can be
 *   household.c    blanks carried over to all who share the value
 *   solve.c        the order of the above (suppress_cells), and the new table
 *
 * Counts only ever rise as cells are blanked: what is safe stays safe, so that the steps can follow one another. `cells` and `lower_bound`
 * meet where the answer is proven least; `gap` says how far apart they are. */
#ifndef SCRIM_PROTECT_SUPPRESS_H
#define SCRIM_PROTECT_SUPPRESS_H
#include "method/param.h"
#include "classes/wildcard_count.h"

/* Some keys together, and how many records must agree on them. */
typedef struct Combination {
    uint64_t keys;
    int64_t k;
} Combination;
typedef struct Combinations {
    int64_t count;
    Combination *at;
} Combinations;
/* "2" or "2:5": all pairs (threshold k, or 5); "sex+age:10": these two. None given: all keys at once. */
int64_t combinations_most(const Texts *texts, int64_t k); /* the largest threshold among them */
/* Records of one tuple of keys that may each lose cells of their own: k that must stay, k to be lent for each key, and k to lie without
 * any. Of those after them all are what the last is, so that a table of any size is as many rows as it has kinds of records. */
static inline int64_t suppress_apart(int64_t k, int64_t keys) { return k > INT64_MAX / 128 ? INT64_MAX : k * (keys + 2); }
MUST_CHECK Status combinations_make(Work *work, Columns keys, const Texts *texts, int64_t k, Combinations *out);

/* A combination that a tuple shares with too few: `have` of the k records that it takes. */
typedef struct Want {
    uint64_t keys;
    int64_t k, have;
} Want;

/* The question put to it: tuples of keys (within strata), which of them are unsafe, and which keys go first.
 *
 * Only unsafe records lose cells, and none more of them than would make it safe alone: blanking whole records that need no such thing would
 * raise everyone's count with fewer cells, and hide no one. Where `own`, every unsafe combination must lose a key of its own record as
 * well. */
typedef struct Problem {
    Tuples tuples;        /* `lacks` grows as cells are blanked */
    const int32_t *of;    /* row → tuple */
    const int64_t *times; /* row → records that it stands for; NULL: one each */
    int64_t rows, keys;   /* keys that may be blanked; a stratum is one more, which may not */
    uint64_t stratum;     /* its bit, or 0 */
    bool own;
    Combinations combinations;
    int *order;             /* keys, the first to be blanked first */
    int spared[TUPLE_KEYS]; /* key → 0, or how important it is */
    uint64_t *blanked;      /* tuple → keys blanked in it */
    int64_t *start;         /* tuple → its wants */
    Want *want;
    int64_t *alone;   /* tuple → the fewest keys that make it safe, were no other cell blanked; 0 = safe */
    uint64_t *single; /* tuple → the keys that do so each on its own */
    uint64_t *open;   /* tuple → the keys it may lose: an important one only where no lesser one makes it safe alone */
    int64_t most_alone;
    bool alone_known;    /* false: some could not be found out, and count as all keys */
    double *price;       /* want → the share of cells that the cover spent on it, per record; NULL = no cover was made */
    int64_t unsafe;      /* records with a want */
    int64_t lower_bound; /* cells that any such suppression takes */
    double deadline;     /* work_seconds by which to come to an end; 0 = none */
} Problem;
static inline int64_t problem_times(const Problem *p, int64_t row) { return p->times ? p->times[row] : 1; }
/* Is it time to come to an end? What is still unsafe is made so in the simplest way, and no more is spent on fewer cells or a better
 * bound. */
static inline bool problem_late(const Problem *p) { return p->deadline > 0 && work_seconds() > p->deadline; }

MUST_CHECK Status problem_make(Work *work, Columns keys, Columns strata, const Combinations *combinations, const Columns *importance,
                               bool own, Problem *out);
MUST_CHECK Status problem_alone(Work *work, Problem *problem);
/* Tuples again, now apart where their records have lost different cells; blank[row]. */
MUST_CHECK Status problem_split(Work *work, Problem *problem, const uint64_t *blank);
/* A first choice of cells, each where it serves most records (not where `own`). */
MUST_CHECK Status problem_cover(Work *work, Problem *problem, uint64_t *blank);
/* Blanks (tuples.lacks, blanked) until no want is left. */
MUST_CHECK Status problem_solve_greedily(Work *work, Problem *problem);
/* Raises lower_bound by the dual of a covering program, from the prices that the cover paid. On the problem as made. */
MUST_CHECK Status problem_bound(Work *work, Problem *problem);
/* Small problems: fewer cells by local search, then by exhausting what is left; raises lower_bound where that proves that less cannot do.
 */
MUST_CHECK Status problem_improve(Work *work, Problem *problem, uint64_t *blank);

/* From a problem as made to cells: blank[row] has a bit per key. */
MUST_CHECK Status suppress_cells(Work *work, Problem *problem, uint64_t *blank);
/* The table with those cells missing. */
MUST_CHECK Status suppress_apply(Work *work, const Table *table, Columns keys, const uint64_t *blank, Table **out);
static inline uint64_t low_bits(int64_t count) { return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }
#endif
