/* GLPK behind a guard. Every call that may fail inside it runs between setjmp and the hooks' removal. */
#include "math/cells/lp.h"
#include <glpk.h>
#include <stdlib.h>
#include "base/elementary.h"
#include "math/glpk_guard.h"

struct Lp {
    glp_prob *p;
    Error *error;
    int *index;
    double *value, bound;
    int failures; /* glpk_failures when it was made */
};

static Status broken(Lp *lp) {
    glpk_failed();
    lp->p = NULL;
    return fail(lp->error, FAILED, "a linear program could not be solved");
}

/* After a failure the program is gone: what is still asked of it on the way out changes nothing and answers 0. */
static bool live(const Lp *lp) { return lp->p && lp->failures == glpk_failures(); }

/* A body that calls GLPK, guarded. `lp` outlives the jump; nothing else may change in the body that is read after it. */
#define GUARDED(lp, body)                                                                                                                  \
    do {                                                                                                                                   \
        jmp_buf back;                                                                                                                      \
        if ((lp)->failures != glpk_failures()) return fail((lp)->error, FAILED, "a linear program could not be solved");                   \
        if (setjmp(back)) return broken(lp);                                                                                               \
        glpk_guard(&back);                                                                                                                 \
        body glpk_unguard();                                                                                                               \
    } while (0)

static Status start(Lp *lp, int rows, int columns) {
    GUARDED(lp, {
        lp->p = glp_create_prob();
        if (rows) glp_add_rows(lp->p, rows);
        if (columns) glp_add_cols(lp->p, columns);
        for (int i = 1; i <= rows; i++) glp_set_row_bnds(lp->p, i, GLP_FX, 0, 0);
        for (int j = 1; j <= columns; j++) glp_set_col_bnds(lp->p, j, GLP_FX, 0, 0);
        glp_std_basis(lp->p);
    });
    return OK;
}

Status lp_new(Error *error, int rows, int columns, Lp **out) {
    Lp *lp = calloc(1, sizeof *lp);
    int room = (rows > columns ? rows : columns) + 2;
    if (lp) {
        lp->error = error;
        lp->failures = glpk_failures();
        lp->index = malloc((size_t)room * sizeof *lp->index);
        lp->value = malloc((size_t)room * sizeof *lp->value);
    }
    if (!lp || !lp->index || !lp->value) {
        lp_free(lp);
        return fail(error, FAILED, "out of memory");
    }
    Status status = start(lp, rows, columns);
    if (status) lp_free(lp);
    else *out = lp;
    return status;
}

void lp_free(Lp *lp) {
    if (!lp) return;
    if (live(lp)) glp_delete_prob(lp->p);
    free(lp->index);
    free(lp->value);
    free(lp);
}

Status lp_matrix(Lp *lp, const int64_t *from, const int32_t *row, const double *coefficient) {
    GUARDED(lp, {
        int columns = glp_get_num_cols(lp->p);
        for (int j = 0; j < columns; j++) {
            int n = 0;
            for (int64_t k = from[j]; k < from[j + 1]; k++) {
                n++;
                lp->index[n] = row[k] + 1;
                lp->value[n] = coefficient[k];
            }
            glp_set_mat_col(lp->p, j + 1, n, lp->index, lp->value);
        }
    });
    return OK;
}

Status lp_add_row(Lp *lp, int count, const int32_t *column, const double *coefficient, double low, double high) {
    GUARDED(lp, {
        int row = glp_add_rows(lp->p, 1);
        for (int k = 0; k < count; k++) {
            lp->index[k + 1] = column[k] + 1;
            lp->value[k + 1] = coefficient[k];
        }
        glp_set_mat_row(lp->p, row, count, lp->index, lp->value);
        glp_set_row_bnds(lp->p, row, glpk_bound_kind(low, high), low, high);
    });
    return OK;
}

Status lp_drop_rows(Lp *lp, int count, const int32_t *rows) {
    int *list = malloc((size_t)(count + 1) * sizeof *list);
    if (!list) return fail(lp->error, FAILED, "out of memory");
    for (int k = 0; k < count; k++) list[k + 1] = rows[k] + 1;
    if (count && live(lp)) glp_del_rows(lp->p, count, list);
    free(list);
    return OK;
}

void lp_column(Lp *lp, int column, double low, double high) {
    if (live(lp)) glp_set_col_bnds(lp->p, column + 1, glpk_bound_kind(low, high), low, high);
}
void lp_row(Lp *lp, int row, double low, double high) {
    if (live(lp)) glp_set_row_bnds(lp->p, row + 1, glpk_bound_kind(low, high), low, high);
}
void lp_cost(Lp *lp, int column, double cost) {
    if (live(lp)) glp_set_obj_coef(lp->p, column + 1, cost);
}
void lp_whole(Lp *lp, int column, bool whole) {
    if (live(lp)) glp_set_col_kind(lp->p, column + 1, whole ? GLP_IV : GLP_CV);
}
void lp_direction(Lp *lp, bool maximise) {
    if (live(lp)) glp_set_obj_dir(lp->p, maximise ? GLP_MAX : GLP_MIN);
}

static LpState state_of(int status) {
    switch (status) {
    case GLP_OPT: return LP_OPTIMAL;
    case GLP_NOFEAS:
    case GLP_INFEAS: return LP_INFEASIBLE;
    case GLP_UNBND: return LP_UNBOUNDED;
    default: return LP_STOPPED;
    }
}

/* A basis that has become singular, or a solver at a loss, gets a second try from the standard basis. */
Status lp_solve(Lp *lp, bool dual, LpState *state) {
    glp_smcp how;
    volatile int failed = 0;
    GUARDED(lp, {
        glp_init_smcp(&how);
        how.msg_lev = GLP_MSG_OFF;
        how.meth = dual ? GLP_DUALP : GLP_PRIMAL;
        failed = glp_simplex(lp->p, &how);
        if (failed || (glp_get_status(lp->p) != GLP_OPT && glp_get_status(lp->p) != GLP_NOFEAS && glp_get_status(lp->p) != GLP_UNBND)) {
            glp_std_basis(lp->p);
            how.meth = GLP_PRIMAL;
            failed = glp_simplex(lp->p, &how);
        }
    });
    *state = failed ? LP_STOPPED : state_of(glp_get_status(lp->p));
    return OK;
}

typedef struct Limit {
    int64_t nodes, most;
    double bound;
    bool cut;
} Limit;
/* Counts nodes, so that the answer does not depend on the clock; keeps the best bound. */
static void count_node(glp_tree *tree, void *info) {
    Limit *limit = info;
    if (glp_ios_reason(tree) != GLP_ISELECT) return;
    int best = glp_ios_best_node(tree);
    if (best) limit->bound = glp_ios_node_bound(tree, best);
    if (limit->most && ++limit->nodes > limit->most) {
        limit->cut = true;
        glp_ios_terminate(tree);
    }
}

Status lp_solve_whole(Lp *lp, double seconds, int64_t nodes, LpState *state) {
    glp_iocp how;
    Limit limit = { .most = nodes, .bound = lp_objective(lp) };
    GUARDED(lp, {
        glp_init_iocp(&how);
        how.msg_lev = GLP_MSG_OFF;
        how.gmi_cuts = GLP_ON;
        how.mir_cuts = GLP_ON;
        how.cb_func = count_node;
        how.cb_info = &limit;
        if (seconds > 0) how.tm_lim = (int)fmin(seconds * 1000, 2e9);
        glp_intopt(lp->p, &how);
    });
    int status = glp_mip_status(lp->p);
    *state = limit.cut ? LP_STOPPED : status == GLP_OPT ? LP_OPTIMAL : status == GLP_NOFEAS ? LP_INFEASIBLE : LP_STOPPED;
    lp->bound = *state == LP_OPTIMAL ? glp_mip_obj_val(lp->p) : limit.bound;
    return OK;
}

double lp_whole_bound(const Lp *lp) { return lp->bound; }
double lp_objective(const Lp *lp) { return live(lp) ? glp_get_obj_val(lp->p) : 0; }
double lp_x(const Lp *lp, int column) { return live(lp) ? glp_get_col_prim(lp->p, column + 1) : 0; }
double lp_activity(const Lp *lp, int row) { return live(lp) ? glp_get_row_prim(lp->p, row + 1) : 0; }
bool lp_row_basic(const Lp *lp, int row) { return live(lp) && glp_get_row_stat(lp->p, row + 1) == GLP_BS; }
double lp_dual(const Lp *lp, int row) { return live(lp) ? glp_get_row_dual(lp->p, row + 1) : 0; }
double lp_reduced(const Lp *lp, int column) { return live(lp) ? glp_get_col_dual(lp->p, column + 1) : 0; }
double lp_whole_x(const Lp *lp, int column) { return live(lp) ? glp_mip_col_val(lp->p, column + 1) : 0; }
