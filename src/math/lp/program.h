/* Linear and mixed-integer programs, thin over GLPK behind its error hook: it never prints, exits or aborts. */
#ifndef SCRIM_MATH_LP_PROGRAM_H
#define SCRIM_MATH_LP_PROGRAM_H
#include "base/work.h"

/* Minimise (or maximise) cost·x subject to low ≤ row·x ≤ high for each row and bounds on each x. Bounds may be infinite. */
typedef struct ProgramRow {
    int64_t count;
    const int32_t *column;
    const double *coefficient;
    double low, high;
} ProgramRow; /* columns from 0 */
typedef struct ProgramColumn {
    double cost, low, high;
    bool whole;
} ProgramColumn;
typedef struct Program {
    bool maximise;
    int64_t rows, columns;
    const ProgramRow *row;
    const ProgramColumn *column;
    double seconds;
    int64_t nodes; /* of the search tree; 0: no limit */
} Program;
typedef enum { PROGRAM_OPTIMAL, PROGRAM_INFEASIBLE, PROGRAM_UNBOUNDED, PROGRAM_STOPPED } ProgramState;
typedef struct Solution {
    ProgramState state;
    double objective, bound;
    double *x;
} Solution; /* STOPPED: the best found, if x is not NULL, and the proven bound */
/* FAILED only where GLPK itself fails; an infeasible program is an answer. */
MUST_CHECK Status program_solve(Work *work, const Program *program, Solution *out);
#endif
