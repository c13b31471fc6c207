/* A linear program that is solved again and again with other bounds and costs: GLPK's simplex keeps its basis between calls, and never ends
 * the process. */
#ifndef SCRIM_MATH_LP_LP_H
#define SCRIM_MATH_LP_LP_H
#include "base/work.h"

typedef struct Lp Lp;
typedef enum { LP_OPTIMAL, LP_INFEASIBLE, LP_UNBOUNDED, LP_STOPPED } LpState;

/* Rows and columns count from 0. Rows are equations with right sides 0 and columns free of cost and bounded by 0, until told otherwise. */
MUST_CHECK Status lp_new(Error *error, int rows, int columns, Lp **out);
void lp_free(Lp *lp); /* NULL harmless */
/* The whole matrix, once: entries of column j are start[j] … start[j+1]-1. */
MUST_CHECK Status lp_matrix(Lp *lp, const int64_t *start, const int32_t *row, const double *coefficient);
/* One more row (a cut), by columns. */
MUST_CHECK Status lp_add_row(Lp *lp, int count, const int32_t *column, const double *coefficient, double low, double high);
MUST_CHECK Status lp_drop_rows(Lp *lp, int count, const int32_t *rows);
void lp_column(Lp *lp, int column, double low, double high);
void lp_row(Lp *lp, int row, double low, double high);
void lp_cost(Lp *lp, int column, double cost);
void lp_whole(Lp *lp, int column, bool whole);
void lp_direction(Lp *lp, bool maximise);
/* Simplex: primal, or dual where only bounds changed since an optimum. FAILED only where GLPK itself fails. */
MUST_CHECK Status lp_solve(Lp *lp, bool dual, LpState *state);
/* With whole columns: branch and bound from the relaxation's optimum, which must have been found. At most `seconds` and `nodes` (0: no
 * limit); STOPPED where that was not enough, with lp_whole_bound then the best that may still be. */
MUST_CHECK Status lp_solve_whole(Lp *lp, double seconds, int64_t nodes, LpState *state);
double lp_whole_bound(const Lp *lp);
bool lp_whole_found(const Lp *lp); /* was there any whole solution, the best or not? lp_whole_x then has the best found */
/* What all its solving has taken so far, in steps of the simplex method times its rows and columns: the same on every machine. */
double lp_effort(const Lp *lp);
double lp_objective(const Lp *lp);
double lp_x(const Lp *lp, int column);
double lp_activity(const Lp *lp, int row); /* row·x */
double lp_dual(const Lp *lp, int row);     /* λ of the row */
bool lp_row_basic(const Lp *lp, int row);
double lp_reduced(const Lp *lp, int column); /* cost − λ·column */
double lp_whole_x(const Lp *lp, int column);
#endif
