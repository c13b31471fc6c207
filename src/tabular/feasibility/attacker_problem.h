/* Moves: changes x of some cells of a table that no relation notices, Σ coefficient·x = 0, each within its bounds. A move of a hidden cell
 * is what an intruder cannot rule out: if cell p can move by d, its interval reaches at least d beyond its value. */
#ifndef SCRIM_TABULAR_FEASIBILITY_ATTACKER_PROBLEM_H
#define SCRIM_TABULAR_FEASIBILITY_ATTACKER_PROBLEM_H
#include "math/lp/lp.h"
#include "table/cell_structure.h"

typedef struct AttackerProblem AttackerProblem;
/* A move: the cells that change, and by how much. Arrays belong to the mover, until its next push. */
typedef struct Move {
    double reach;
    LpState state;
    int64_t count;
    const int32_t *cell;
    const double *x;
} Move;

/* Moves of these cells (ascending); all others stay. low, high (≥ 0) are by cell of the whole table. */
MUST_CHECK Status attacker_new(Work *work, const Memberships *member, const int32_t *cells, int64_t count, const double *low,
                               const double *high, AttackerProblem **out);
void attacker_free(AttackerProblem *mover);
/* From now on pushes and limits by real steps go through the kernel of the relations, where that is smaller: faster by far in three
 * dimensions and more. Duals are then not at hand. */
MUST_CHECK Status attacker_shorten(Work *work, AttackerProblem *mover);
double attacker_effort(const AttackerProblem *mover); /* lp_effort; 0 of what went through the kernel */
int64_t attacker_cells(const AttackerProblem *mover);
bool attacker_has(const AttackerProblem *mover, int32_t cell);
void attacker_bounds(AttackerProblem *mover, int32_t cell, double low, double high);
/* What a unit of change costs, up and down. */
void attacker_cost(AttackerProblem *mover, int32_t cell, double up, double down);
/* Moves `cell` up (or down) to `enough`, at least cost; the reach is what it got to. `reward`: more than any unit's cost. enough =
 * INFINITY: as far as it goes, costs or none. */
MUST_CHECK Status attacker_push(AttackerProblem *mover, int32_t cell, bool up, double enough, double reward, Move *out);
/* The same by whole steps, by branch and bound of at most `nodes`; LP_STOPPED where they were not enough. */
MUST_CHECK Status attacker_push_whole(AttackerProblem *mover, int32_t cell, bool up, double enough, double reward, int64_t nodes,
                                      Move *out);
/* As far as it goes whatever it costs: the exact bound. Rows' duals λ are then at hand, Σ over the relations touched. */
MUST_CHECK Status attacker_limit(AttackerProblem *mover, int32_t cell, bool up, Move *out);
/* After attacker_limit: the same by whole steps. Where the search is cut short, the reach is one that cannot be exceeded, and *proven false.
 */
MUST_CHECK Status attacker_limit_whole(AttackerProblem *mover, int32_t cell, bool up, double *reach, bool *proven);
int attacker_relations(const AttackerProblem *mover, const int32_t **relation);
double attacker_dual(const AttackerProblem *mover, int row);
#endif
