/* Local suppression: the fewest blanks after which every released key tuple is shared by at least k people. Shared by suppress and argus.
 *
 * A released tuple is a key tuple of which some values are blank, a blank being a value. A class (records that are alike) may be released as
 * any tuple that blanks some of its values, and may be divided among several. A tuple that is released at all must hold k people. So
 * suppression is a facility location problem with lower bounds: tuples are facilities, cells are costs.
 *
 *   suppress.c      the method: its declaration, household, combinations, the result
 *   combinations.c  which keys together must be alike, and for how many: from text
 *   problem.c       classes, the tuples that k people can share, and the links between them       -> Problem
 *   merge.c         the moves: a tuple is opened (classes merge), closed (it is divided among others)
 *   search.c        a first assignment, improved by these moves                                         -> Assignment
 *   lower_bound.c   Lagrangian relaxation: cells that any assignment takes
 *   exact.c         small problems as a whole-number program
 *   apply.c         from an assignment to blank cells of records; the new table
 *   cells.c         the order of the above; several combinations
 *
 * k is checked on the release by classes/equivalence_class, which counts for risk.k-anonymity. */
#ifndef SCRIM_PROTECT_SUPPRESS_H
#define SCRIM_PROTECT_SUPPRESS_H
#include "classes/equivalence_class.h"
#include "method/param.h"

enum { SUPPRESS_KEYS = 62 };

/* Some keys together, and how many people must be alike on them. */
typedef struct Combination {
    uint64_t keys;
    int64_t k;
} Combination;
typedef struct Combinations {
    int64_t count;
    Combination *at;
} Combinations;
/* "2" or "2:5": all pairs (threshold k, or 5); "sex+age:10": these two. None given: all keys at once. */
MUST_CHECK Status combinations_make(Work *work, Columns keys, const Texts *texts, int64_t k, Combinations *out);
int64_t combinations_most(const Texts *texts, int64_t k); /* the largest threshold among them */
/* Records of one key tuple that may be released differently (InParts.apart). The last of them stands for all after it, so that at most one
 * fewer than these can leave a class that is larger. */
static inline int64_t suppress_apart(int64_t k, int64_t keys) { return k > INT64_MAX / 128 ? INT64_MAX : k * (keys + 2); }

/* What is to be suppressed. blank[row] has a bit per key, and is added to: what is set at the start is blank already. */
typedef struct Request {
    Columns keys, strata;
    const Column *person; /* whose a record is, or NULL */
    const int64_t *price; /* key → how dear a blank is; 1 or more */
    uint64_t among;       /* the keys that must be alike, and may be blanked */
    int64_t k;
    double deadline; /* work_seconds by which the search ends; 0 = none */
    int64_t effort;  /* elementary steps that the search may take */
    int64_t bound;   /* elementary steps that the lower bound may take */
} Request;
enum { SUPPRESS_EFFORT = 120 * 1000 * 1000, SUPPRESS_BOUND = 80 * 1000 * 1000, SUPPRESS_QUICK = 1000 * 1000 };

/* Classes of alike records, the tuples they may be released as, and links between the two.
 *
 * A class holds units: a record, or the records of one person that are alike. A unit counts for k or does not (a second unit of a person who
 * is counted already in the same tuple). */
typedef struct Problem {
    int64_t k, keys, rows;
    int64_t movable;      /* the most units that may leave a class of more */
    const int64_t *times; /* row → records; NULL: one each */
    int64_t classes;
    int32_t *of;    /* row → class */
    int32_t *unit;  /* row → unit; NULL: each is one */
    int32_t *first; /* class → a row of it */
    int64_t *units;
    int32_t *records;  /* of one unit */
    uint8_t *counts;   /* 1: a unit is a person for k */
    uint64_t *missing; /* keys that are blank from the start */
    int64_t *spent;    /* what these would cost */
    bool *safe;        /* k people are alike already */
    int64_t *group;    /* class → stratum */
    int8_t *cap;       /* class → every tuple that takes fewer blanks than this is linked to it: for the bound */
    int64_t tuples;
    uint64_t *mask; /* tuple → its blank keys */
    int64_t *cost;  /* what they cost */
    int8_t *lender; /* the fewest blanks that a safe class needs to join it */
    int64_t links;
    int32_t *tuple, *owner; /* link → tuple, class */
    int64_t *start;         /* class → its links, cheapest first */
    int64_t *begin;         /* tuple → its links: member[begin[t]] … */
    int32_t *member;
    int64_t *own; /* class → the link that blanks nothing, or -1 */
    double deadline;
} Problem;
MUST_CHECK Status problem_make(Work *work, const Request *request, const uint64_t *blank, Problem *out);
static inline int64_t link_cost(const Problem *p, int64_t link) {
    return p->records[p->owner[link]] * (p->cost[p->tuple[link]] - p->spent[p->owner[link]]);
}
static inline int link_cells(const Problem *p, int64_t link) {
    return __builtin_popcountll(p->mask[p->tuple[link]]) - __builtin_popcountll(p->missing[p->owner[link]]);
}
static inline bool problem_late(const Problem *p) { return p->deadline > 0 && work_seconds() > p->deadline; }

/* How many units of each class go to each tuple. */
typedef struct Assignment {
    int64_t *units;  /* link → units */
    int64_t *people; /* tuple → units that count */
    int64_t *held;   /* tuple → all units */
    int32_t *next;   /* links of one class that have units, from head[class]; -1 ends */
    int32_t *head;
    int64_t cost;
    struct Step {
        int32_t from, to;
        int64_t units;
    } * step; /* what was moved since the last commit */
    int64_t steps, room;
    struct Pull *pull; /* scratch of assignment_open */
    int64_t pulls;
    int32_t *touched;
    int64_t effort; /* elementary steps so far */
} Assignment;
MUST_CHECK Status assignment_new(Work *work, const Problem *problem, Assignment *out);
/* Moves units of one class from a link to another (from < 0: they were nowhere). */
MUST_CHECK Status assignment_move(Work *work, const Problem *problem, Assignment *assignment, int64_t from, int64_t to, int64_t units);
void assignment_restore(const Problem *problem, Assignment *assignment, const int64_t *units); /* makes the units those */
void assignment_undo(const Problem *problem, Assignment *assignment, int64_t steps);           /* back to that many steps */
/* Releases records as this tuple where that saves. `whole`: tuples that lose records to it may fall below k, and are then given up or filled.
 * *done: was it done? */
MUST_CHECK Status assignment_open(Work *work, const Problem *problem, Assignment *assignment, int64_t tuple, bool whole, bool *done);
/* Fills up a tuple that holds fewer than k people, whatever it costs. */
MUST_CHECK Status assignment_fill(Work *work, const Problem *problem, Assignment *assignment, int64_t tuple, bool *done);
/* Gives up a tuple: its records go to others in use, or are fully blank, of which there may then be too few. */
MUST_CHECK Status assignment_vacate(Work *work, const Problem *problem, Assignment *assignment, int64_t tuple, bool *done);
/* Divides a tuple's records among the others where that costs less than `most`. */
MUST_CHECK Status assignment_close(Work *work, const Problem *problem, Assignment *assignment, int64_t tuple, int64_t most, bool *done);
MUST_CHECK Status assignment_search(Work *work, const Problem *problem, int64_t effort, Assignment *out);
/* Parts of it are given up and made again, until it costs no more than `least` (what any costs), nothing is saved for long, or so many
 * elementary steps were taken. */
MUST_CHECK Status assignment_improve(Work *work, const Problem *problem, int64_t effort, int64_t least, Assignment *assignment);

/* Of a small problem the assignment that costs least. *proven: it is that. */
MUST_CHECK Status assignment_exact(Work *work, const Problem *problem, Assignment *assignment, bool *proven);

/* Cells (of one price each) that any assignment takes, proven; at most `cells`, which some assignment takes. */
MUST_CHECK Status problem_bound(Work *work, const Problem *problem, int64_t effort, int64_t cells, int64_t *out);

/* Adds the cells of an assignment to blank[row]. */
MUST_CHECK Status assignment_apply(Work *work, const Problem *problem, const Assignment *assignment, uint64_t *blank);
/* The whole of it: blank[row] becomes such that every tuple of the keys among is shared by k people. */
MUST_CHECK Status suppress_cells(Work *work, const Request *request, uint64_t *blank, int64_t *lower_bound);
/* The same for several combinations of keys. `request->among` and `k` are of no account. */
MUST_CHECK Status suppress_combinations(Work *work, const Request *request, const Combinations *combinations, uint64_t *blank,
                                        int64_t *lower_bound);
/* Classes of records that are alike on the keys of a combination, within strata, and their people. */
MUST_CHECK Status suppress_classes(Work *work, const Request *request, uint64_t among, Classes *classes, int64_t **people);
/* The table with those cells missing. */
MUST_CHECK Status suppress_apply(Work *work, const Table *table, Columns keys, const uint64_t *blank, Table **out);
static inline uint64_t low_bits(int64_t count) { return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }
#endif
