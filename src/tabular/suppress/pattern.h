/* A pattern of hidden cells with the proof that it protects: for every primary cell, moves of hidden cells that an intruder cannot rule
 * out. */
#ifndef SCRIM_TABULAR_SUPPRESS_PATTERN_H
#define SCRIM_TABULAR_SUPPRESS_PATTERN_H
#include "math/cells/mover.h"
#include "tabular/model.h"
#include "tabular/suppress/cube.h"

/* All moves, one after another: x of some cells, and the contributors who know one of them. */
typedef struct Moves {
    int64_t cells, cell_room, x_room, knowers, knower_room;
    int32_t *cell, *knower;
    double *x;
} Moves;
/* One of them, or its opposite. It proves nothing to those who know one of its cells. */
typedef struct Proof {
    int64_t at, knowers_at;
    int32_t count, knowers, sign;
} Proof;

/* What is asked: primary cell `cell` can lie `need` above (or below) its value, for all that an outsider knows and for all that any one
 * contributor knows who is alone in another cell. proof[]: moves such that no contributor knows a cell of each. */
typedef struct Demand {
    int32_t cell;
    bool up;
    double need;
    int32_t proofs, room;
    int32_t *proof;
} Demand;

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
    const int32_t *sole; /* contributors who know a cell, or NULL: outsiders only */
    int32_t soles;
    int64_t *sole_start; /* contributor → the cells it knows */
    int32_t *sole_cell;
    double *low, *high; /* bounds, finite */
    int64_t demands;
    Demand *demand;
    int64_t *demand_at; /* 2·cell + up → 1 + its demand, or 0 */
    Proof *proof;
    int64_t proofs, proof_room;
    Moves moves;
    List *users;      /* by cell that is not primary: demands whose proofs use it, perhaps some that no longer do */
    Since since;      /* kept while cells are being opened */
    Mover *all;       /* of all cells that can be hidden: made when it is needed */
    int32_t *movable; /* these cells */
    int64_t movables, pushes;
    double effort;                            /* what programs took that are gone */
    int64_t wide;                             /* pushes over all cells because those around a demand were not enough: each takes long */
    int32_t *ranked;                          /* the cells of each relation, cheapest first; as in m->relations.cell */
    int32_t *seen_cell, *seen_relation, seen; /* marks of the last walk */
    int32_t *near;                            /* cells around a demand */
    double *times;                            /* a move several times over */
    int32_t banned;                           /* a cell that is being opened, or -1 */
    bool hidden_only;                         /* no further cells may be hidden */
    Cubes *cubes;                             /* moves by corners; NULL where the table has none */
    bool large;                               /* three dimensions and more, many cells: corners first, and opening by corners alone */
    bool near_only;                           /* no programs over all cells */
    bool opening;                             /* cells are being opened */
    bool cut;                                 /* a search for whole moves ended early */
} Pattern;

/* keep: cells that must stay open (NULL: none). sole: NULL for outsiders only. quick: as a large table, whatever its size. */
MUST_CHECK Status pattern_make(Work *work, const Model *m, const double *cost, const uint8_t *keep, const int32_t *sole, int32_t soles,
                               bool quick, Pattern *out);
void pattern_free(Pattern *pattern);
void pattern_drop_mover(Pattern *pattern, Mover **mover); /* frees it; what it took stays counted */
double pattern_effort(const Pattern *pattern);            /* what all programs took so far: lp_effort */
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
/* Demands without a proof that holds: all moves checked anew against relations, bounds and what is hidden. `first`: a cell of one, or -1.
 */
int64_t pattern_exposed(const Pattern *pattern, int32_t *first);
/* A contributor who knows a cell of every move so far, and not the demand's own cell; -1 where there is none, -2 where there is no move. */
int32_t pattern_undeceived(const Pattern *pattern, const Demand *demand);
bool pattern_allows(const Pattern *pattern, int32_t cell, double x); /* is the change within the cell's bounds? */
static inline bool demand_met(const Demand *d, double x) { return (d->up ? x : -x) >= d->need * (1 - 1e-7); }
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
