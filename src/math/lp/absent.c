/* Linear programs in a build without GLPK: none can be set up, so that none of the other functions is ever called. */
#ifdef SCRIM_WITHOUT_GLPK
#include "base/component.h"
#include "math/lp/lp.h"
#include "math/lp/program.h"

Status lp_new(Error *error, int rows, int columns, Lp **out) {
    (void)rows, (void)columns, (void)out;
    return component_absent(error, "solver of linear programs (GLPK)", "SCRIM_GLPK");
}
Status program_solve(Work *work, const Program *program, Solution *out) {
    (void)program, (void)out;
    return component_absent(work->error, "solver of linear programs (GLPK)", "SCRIM_GLPK");
}

void lp_free(Lp *lp) { (void)lp; }
Status lp_matrix(Lp *lp, const int64_t *start, const int32_t *row, const double *coefficient) {
    (void)lp, (void)start, (void)row, (void)coefficient;
    return FAILED;
}
Status lp_add_row(Lp *lp, int count, const int32_t *column, const double *coefficient, double low, double high) {
    (void)lp, (void)count, (void)column, (void)coefficient, (void)low, (void)high;
    return FAILED;
}
Status lp_drop_rows(Lp *lp, int count, const int32_t *rows) {
    (void)lp, (void)count, (void)rows;
    return FAILED;
}
Status lp_solve(Lp *lp, bool dual, LpState *state) {
    (void)lp, (void)dual, (void)state;
    return FAILED;
}
Status lp_solve_whole(Lp *lp, double seconds, int64_t nodes, LpState *state) {
    (void)lp, (void)seconds, (void)nodes, (void)state;
    return FAILED;
}
void lp_column(Lp *lp, int column, double low, double high) { (void)lp, (void)column, (void)low, (void)high; }
void lp_row(Lp *lp, int row, double low, double high) { (void)lp, (void)row, (void)low, (void)high; }
void lp_cost(Lp *lp, int column, double cost) { (void)lp, (void)column, (void)cost; }
void lp_whole(Lp *lp, int column, bool whole) { (void)lp, (void)column, (void)whole; }
void lp_direction(Lp *lp, bool maximise) { (void)lp, (void)maximise; }
#define NOTHING(of)                                                                                                                        \
    double of(const Lp *lp) {                                                                                                              \
        (void)lp;                                                                                                                          \
        return 0;                                                                                                                          \
    }
#define NOTHING_AT(of)                                                                                                                     \
    double of(const Lp *lp, int at) {                                                                                                      \
        (void)lp, (void)at;                                                                                                                \
        return 0;                                                                                                                          \
    }
NOTHING(lp_whole_bound)
NOTHING(lp_effort)
NOTHING(lp_objective)
NOTHING_AT(lp_x)
NOTHING_AT(lp_activity)
NOTHING_AT(lp_dual)
NOTHING_AT(lp_reduced)
NOTHING_AT(lp_whole_x)
bool lp_whole_found(const Lp *lp) {
    (void)lp;
    return false;
}
bool lp_row_basic(const Lp *lp, int row) {
    (void)lp, (void)row;
    return false;
}
#endif
