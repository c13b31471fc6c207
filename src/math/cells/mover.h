/* Moves: changes x of some cells of a table that no relation notices, Σ coefficient·x = 0, each within its bounds. A move of a hidden cell
 * is what an intruder cannot rule out: if cell p can move by d, its interval reaches at least d beyond its value. */
#ifndef SCRIM_MATH_CELLS_MOVER_H
#define SCRIM_MATH_CELLS_MOVER_H
#include "math/cells/lp.h"
#include "table/cell_structure.h"

typedef struct Mover Mover;
/* A move: the cells that change, and by how much. Arrays belong to the mover, until its next push. */
typedef struct Move {
    double reach;
    LpState state;
    int64_t count;
    const int32_t *cell;
    const double *x;
} Move;

/* Moves of these cells (ascending); all others stay. low, high (≥ 0) are by cell of the whole table. */
MUST_CHECK Status mover_new(Work *work, const Memberships *member, const int32_t *cells, int64_t count, const double *low,
                            const double *high, Mover **out);
void mover_free(Mover *mover);
/* From now on pushes and limits by real steps go through the kernel of the relations, where that is smaller: faster by far in three
 * dimensions and more. Duals are then not at hand. */
MUST_CHECK Status mover_shorten(Work *work, Mover *mover);
double mover_effort(const Mover *mover); /* lp_effort; 0 of what went through the kernel */
int64_t mover_cells(const Mover *mover);
bool mover_has(const Mover *mover, int32_t cell);
void mover_bounds(Mover *mover, int32_t cell, double low, double high);
/* What a unit of change costs, up and down. */
void mover_cost(Mover *mover, int32_t cell, double up, double down);
/* Moves `cell` up (or down) to `enough`, at least cost; the reach is what it got to. `reward`: more than any unit's cost. enough =
 * INFINITY: as far as it goes, costs or none. */
MUST_CHECK Status mover_push(Mover *mover, int32_t cell, bool up, double enough, double reward, Move *out);
/* The same by whole steps, by branch and bound of at most `nodes`; LP_STOPPED where they were not enough. */
MUST_CHECK Status mover_push_whole(Mover *mover, int32_t cell, bool up, double enough, double reward, int64_t nodes, Move *out);
/* As far as it goes whatever it costs: the exact bound. Rows' duals λ are then at hand, Σ over the relations touched. */
MUST_CHECK Status mover_limit(Mover *mover, int32_t cell, bool up, Move *out);
/* After mover_limit: the same by whole steps. Where the search is cut short, the reach is one that cannot be exceeded, and *proven false.
 */
MUST_CHECK Status mover_limit_whole(Mover *mover, int32_t cell, bool up, double *reach, bool *proven);
int mover_relations(const Mover *mover, const int32_t **relation);
double mover_dual(const Mover *mover, int row);
#endif
