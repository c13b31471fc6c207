/* Contributors of a table's cells: who has how much of each, as far as the table tells. A contributor is a reader who knows more. */
#ifndef SCRIM_TABULAR_CONTRIBUTORS_H
#define SCRIM_TABULAR_CONTRIBUTORS_H
#include "tabular/model.h"

/* One contributor in one cell. `other`: the cell of a contributor's list, the contributor of a cell's list. */
typedef struct Share {
    int32_t other;
    double own; /* |contribution| */
} Share;

/* From the columns by1, by2, … (who) and max1, max2, … (how much), else from `holder`, else from counts of 1: a cell of one contributor and
 * a total of one contributor that it is part of have the same one. Arrays are in the arena of the work that made them. */
typedef struct Contributors {
    int64_t people;      /* contributors that are told apart, numbered from 0 */
    bool named;          /* the table has by1 and max1 */
    bool bounds;         /* nothing is negative: a cell is at least what a contributor has in it */
    int64_t *cell_start; /* cell → its contributors, largest first: of_cell[cell_start[i]] … */
    Share *of_cell;
    int64_t *who_start; /* contributor → its cells: of_who[who_start[j]] … */
    Share *of_who;
    uint8_t *alone;  /* cells of one contributor, which knows them */
    double *unnamed; /* the most that a contributor beyond those named can have in the cell; 0 where all are named */
    double *count;   /* contributors of the cell: holdings, else count; NaN where unknown */
} Contributors;
MUST_CHECK Status contributors_make(Work *work, const Model *model, Contributors *out);

/* What one reader must be unable to bound more closely: the cell must be able to reach `need` above its value. */
typedef struct Need {
    int32_t who;
    double need;
} Need;
/* The needs of one cell, or of several hidden cells of one sum taken together. */
typedef struct Needs {
    double others; /* for an outsider, and for contributors who are not listed; 0 or less: nothing is asked */
    int64_t count, room;
    Need *of; /* contributors of the cell */
} Needs;
/* What the rules among `broken` (bits) ask of a cell of this value and these contributors, largest first: p% and pq for each contributor
 * that might estimate another one, dominance for everybody. */
MUST_CHECK Status needs_find(Work *work, const SafetyRules *rules, int broken, double value, const Share *of, int64_t count, double unnamed,
                             Needs *out);

/* Some cells of one sum, taken together: by holding. */
typedef struct Union {
    double value, people;
    int64_t count, room;
    Share *of; /* contributors, largest first */
} Union;
MUST_CHECK Status union_make(Work *work, const Model *model, const Contributors *contributors, const int32_t *cells, int64_t count,
                             Union *out);
/* One more cell for each, after the `cells` that there are. */
MUST_CHECK Status contributors_append(Work *work, const Union *together, int64_t count, int64_t cells, Contributors *contributors);
/* Do they break a rule among `broken` together? */
bool union_unsafe(const SafetyRules *rules, int broken, const Union *together);
/* The table with a cell more for each sum whose primary cells break the rules together while its total is not one of them: it is hidden for
 * good, is what they sum to, and must stay in doubt as the rules ask. New cells come last and are in no row of the table. `contributors` is
 * then of all cells. */
MUST_CHECK Status unions_append(Work *work, const Model *model, Contributors *contributors, Model *out);
/* The sign that the parts of a relation have, its total having the other one; 0 where it is no sum of parts. */
double relation_part_sign(const Relations *relations, int64_t relation);
#endif
