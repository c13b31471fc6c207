/* A pattern of hidden cells with the proof that it protects: for every primary cell, moves of hidden cells that an intruder cannot rule
 * out. */
#ifndef SCRIM_TABULAR_SUPPRESS_PATTERN_H
#define SCRIM_TABULAR_SUPPRESS_PATTERN_H
#include "tabular/feasibility/attacker_problem.h"
#include "tabular/contributors.h"
#include "tabular/suppress/hypercube.h"

/* All moves, one after another: x of some cells. */
typedef struct Moves {
    int64_t cells, cell_room, x_room, knowers, knower_room;
    int32_t *cell, *knower;
    double *x;
} Moves;
/* One of them, or its opposite. It proves nothing to its knowers: contributors who are alone in one of its cells, or have more in one of
 * them than it leaves. */
typedef struct Proof {
    int64_t at, knowers_at;
    int32_t count, knowers, sign;
} Proof;

typedef enum { WAY_DOWN, WAY_UP, WAY_EITHER, WAYS } Way;

/* What is asked: primary cell `cell` can lie `need` below its value, above it, or on one of both sides, for all that an outsider knows and
 * for all that any one contributor knows. Contributors of the cell may have needs of their own. proof[]: moves such that each of these
 * readers is left with one that goes far enough. */
typedef struct Demand {
    int32_t cell;
    Way way;
    double need;             /* of outsiders, and of contributors who are not listed; 0: nothing is asked for them */
    double most;             /* the largest of all needs */
    int64_t own_at, own_end; /* the listed ones: pattern->own[own_at] … */
    int32_t proofs, room;
    int32_t *proof;
} Demand;

/* Parts of one relation that are hidden are a cell, too, if its total is open: by holding they may not break the rules of the primary ones
 * among them. */
typedef struct Unions {
    const SafetyRules *rules; /* NULL: nothing is asked of them */
    int32_t *cell;            /* scratch: hidden cells of a relation */
    Union scratch;
} Unions;

typedef struct List {
    int64_t count, room;
    int32_t *at;
} List;
/* What came since the mark: cells that were hidden, demands that were given a proof, cells that were noted as used. */
typedef struct Since {
    int64_t proofs, cells, knowers;
    List hidden, given, used;
} Since;

enum { PATTERN_SMALL = 2000000 }; /* cells that may be hidden times sums: below it a linear program of all of them takes little */

typedef struct Pattern {
    Work *work;
    const Model *m;
    const double *cost; /* of hiding each cell */
    uint8_t *may;       /* cells that can be hidden */
    uint8_t *hidden;
    const Contributors *contributors; /* NULL: outsiders only */
    double *low, *high;               /* bounds, finite: as the present reader knows them */
    double *plain_low, *plain_high;   /* as an outsider does */
    int32_t reader;                   /* the present one: a contributor, or -1 */
    Unions unions;
    int64_t demands, owns;
    Demand *demand;
    int64_t *demand_at; /* WAYS·cell + way → 1 + its demand, or 0 */
    Need *own;
    Proof *proof;
    int64_t proofs, proof_room;
    Moves moves;
    List *users;          /* by cell that is not primary: demands whose proofs use it, perhaps some that no longer do */
    Since since;          /* kept while cells are being opened */
    AttackerProblem *all; /* of all cells that can be hidden: made when it is needed */
    int32_t *movable;     /* these cells */
    int64_t movables, pushes;
    double effort;                            /* what programs took that are gone */
    int64_t wide;                             /* pushes over all cells because those around a demand were not enough: each takes long */
    int32_t *ranked;                          /* the cells of each relation, cheapest first; as in m->relations.cell */
    int32_t *seen_cell, *seen_relation, seen; /* marks of the last walk */
    int32_t *near;                            /* cells around a demand */
    double *times, *aside_x;                  /* a move several times over; one that is kept while another is looked for */
    double *corner_x;                         /* the last move of corners */
    int32_t *aside_cell, *corner_cell;
    int32_t banned;   /* a cell that is being opened, or -1 */
    bool skip;        /* demands that cannot be met are dropped, not refused */
    uint8_t *skipped; /* primary cells of which one was */
    bool hidden_only; /* no further cells may be hidden */
    Cubes *cubes;     /* moves by corners; NULL where the table has none */
    bool large;       /* three dimensions and more, many cells: corners first, and opening by corners alone */
    bool near_only;   /* no programs over all cells */
    bool opening;     /* cells are being opened */
    bool cut;         /* a search for whole moves ended early */
} Pattern;

/* keep: cells that must stay open (NULL: none). contributors: NULL for outsiders only. quick: as a large table, whatever its size. All
 * three are borrowed. */
MUST_CHECK Status pattern_make(Work *work, const Model *m, const double *cost, const uint8_t *keep, const Contributors *contributors,
                               bool quick, Pattern *out);
/* From now on bounds are what this contributor (-1: an outsider) knows. */
void pattern_read_as(Pattern *pattern, int32_t who);
void pattern_free(Pattern *pattern);
void pattern_drop_mover(Pattern *pattern, AttackerProblem **mover); /* frees it; what it took stays counted */
double pattern_effort(const Pattern *pattern);                      /* what all programs took so far: lp_effort */
MUST_CHECK Status pattern_hide(Pattern *pattern, int32_t cell);
/* Gives the move and, where bounds allow, its opposite to all demands that they answer and that lack an answer. */
MUST_CHECK Status pattern_keep_move(Pattern *pattern, const Move *move);
/* Moves until the demand is met; *added: what the newly hidden cells cost, no more than `most`. *met: whether it is. */
MUST_CHECK Status pattern_meet(Pattern *pattern, int64_t demand, double most, double *added, bool *met);
void pattern_mark(Pattern *pattern);
void pattern_back(Pattern *pattern); /* to the mark */
/* Hides the cheapest cells that are needed for every demand. */
MUST_CHECK Status pattern_protect(Pattern *pattern);
/* Opens cells that are not needed, or that cheaper ones can stand in for. */
MUST_CHECK Status pattern_improve(Pattern *pattern, int passes);
/* Opens what no proof moves: nobody is in doubt for it. */
MUST_CHECK Status pattern_open_unused(Pattern *pattern);
/* Primary cells without proofs that hold for every reader: all moves checked again against relations, bounds, contributions and what is
 * hidden; and those whose sum has hidden cells that break a rule together. `first`: one of them, or -1. */
MUST_CHECK Status pattern_exposed(Pattern *pattern, int64_t *exposed, int32_t *first);
/* A reader whom no move so far leaves in doubt as the demand asks: a contributor, or OUTSIDER; NOBODY where there is none. */
enum { NOBODY = -1, OUTSIDER = -2 };
int32_t pattern_undeceived(const Pattern *pattern, const Demand *demand);
double demand_need(const Pattern *pattern, const Demand *demand, int32_t who); /* 0: nothing is asked for this reader */
/* Do the hidden cells of the relation break a rule together, cell `also` (or -1) being hidden too? */
MUST_CHECK Status relation_unsafe(Pattern *pattern, int64_t relation, int32_t also, bool *unsafe);
/* Is a change of a cell by x out of the question for a contributor who has this share in it? */
bool contributor_knows(const Pattern *pattern, const Share *share, int32_t cell, double x);
bool pattern_allows(const Pattern *pattern, int32_t cell,
                    double x); /* is the change within the cell's bounds, as an outsider knows them? */
/* How far the move goes the way that is asked. */
static inline double way_reach(Way way, double x) { return way == WAY_UP || (way == WAY_EITHER && x > 0) ? x : -x; }
static inline bool is_reached(double reach, double need) { return reach >= need * (1 - 1e-7); }
static inline int32_t proof_cell(const Pattern *pattern, const Proof *p, int32_t k) { return pattern->moves.cell[p->at + k]; }
static inline double proof_x(const Pattern *pattern, const Proof *p, int32_t k) { return p->sign * pattern->moves.x[p->at + k]; }
double pattern_cost(const Pattern *pattern, int64_t *secondary);
/* Finds moves of hidden cells alone for every demand, first around it, then (unless `near`) among all; *failing: primary cells for which
 * there are none. */
MUST_CHECK Status pattern_prove(Pattern *pattern, bool near, int64_t *failing);
void pattern_forget(Pattern *pattern); /* all proofs */
/* How far each cell goes in a proof that holds, up and down, where that is farther than what stands there. */
void pattern_learn(const Pattern *pattern, double *up, double *down);
#endif
