/* GLPK behind a guard: every call that may fail inside it, or that allocates, is a body for glpk_call. */
#include "math/lp/lp.h"
#include <glpk.h>
#include <stdlib.h>
#include "base/elementary.h"
#include "math/lp/glpk_guard.h"

struct Lp {
    glp_prob *p;
    Error *error;
    int *index;
    double *value, bound;
    int failures; /* glpk_failures when it was made */
};

/* After a failure the program is gone: what is still asked of it on the way out changes nothing and answers 0. */
static bool live(const Lp *lp) { return lp->p && lp->failures == glpk_failures(); }

/* A body that calls GLPK. */
static Status call(Lp *lp, void (*body)(void *), void *with) {
    if (lp->failures == glpk_failures() && glpk_call(body, with)) return OK;
    return fail(lp->error, FAILED, "a linear program could not be solved");
}

typedef struct Start {
    Lp *lp;
    int rows, columns;
} Start;
static void start(void *with) {
    const Start *s = with;
    glp_prob *p = s->lp->p = glp_create_prob();
    if (s->rows) glp_add_rows(p, s->rows);
    if (s->columns) glp_add_cols(p, s->columns);
    for (int i = 1; i <= s->rows; i++) glp_set_row_bnds(p, i, GLP_FX, 0, 0);
    for (int j = 1; j <= s->columns; j++) glp_set_col_bnds(p, j, GLP_FX, 0, 0);
    glp_std_basis(p);
}

Status lp_new(Error *error, int rows, int columns, Lp **out) {
    Lp *lp = calloc(1, sizeof *lp);
    int room = (rows > columns ? rows : columns) + 2;
    if (!lp) return out_of_memory(error);
    Status status = glpk_enter(error);
    if (status) {
        free(lp);
        return status;
    }
    lp->error = error;
    lp->failures = glpk_failures();
    lp->index = malloc((size_t)room * sizeof *lp->index);
    lp->value = malloc((size_t)room * sizeof *lp->value);
    if (!lp->index || !lp->value) status = out_of_memory(error);
    else status = call(lp, start, &(Start){ lp, rows, columns });
    if (status) lp_free(lp);
    else *out = lp;
    return status;
}

static void end(void *with) { glp_delete_prob(with); }

void lp_free(Lp *lp) {
    if (!lp) return;
    if (live(lp)) (void)!glpk_call(end, lp->p);
    glpk_leave();
    free(lp->index);
    free(lp->value);
    free(lp);
}

typedef struct Matrix {
    const Lp *lp;
    const int64_t *from;
    const int32_t *row;
    const double *coefficient;
} Matrix;
static void set_matrix(void *with) {
    const Matrix *m = with;
    int columns = glp_get_num_cols(m->lp->p);
    for (int j = 0; j < columns; j++) {
        int n = 0;
        for (int64_t k = m->from[j]; k < m->from[j + 1]; k++) {
            n++;
            m->lp->index[n] = m->row[k] + 1;
            m->lp->value[n] = m->coefficient[k];
        }
        glp_set_mat_col(m->lp->p, j + 1, n, m->lp->index, m->lp->value);
    }
}

Status lp_matrix(Lp *lp, const int64_t *from, const int32_t *row, const double *coefficient) {
    return call(lp, set_matrix, &(Matrix){ lp, from, row, coefficient });
}

typedef struct Row {
    const Lp *lp;
    int count;
    const int32_t *column;
    const double *coefficient;
    double low, high;
} Row;
static void add_row(void *with) {
    const Row *r = with;
    int row = glp_add_rows(r->lp->p, 1);
    for (int k = 0; k < r->count; k++) {
        r->lp->index[k + 1] = r->column[k] + 1;
        r->lp->value[k + 1] = r->coefficient[k];
    }
    glp_set_mat_row(r->lp->p, row, r->count, r->lp->index, r->lp->value);
    glp_set_row_bnds(r->lp->p, row, glpk_bound_kind(r->low, r->high), r->low, r->high);
}

Status lp_add_row(Lp *lp, int count, const int32_t *column, const double *coefficient, double low, double high) {
    return call(lp, add_row, &(Row){ lp, count, column, coefficient, low, high });
}

typedef struct Drop {
    glp_prob *p;
    int count, *list; /* from 1 */
} Drop;
static void drop_rows(void *with) {
    const Drop *d = with;
    glp_del_rows(d->p, d->count, d->list);
}

Status lp_drop_rows(Lp *lp, int count, const int32_t *rows) {
    int *list = malloc((size_t)(count + 1) * sizeof *list);
    if (!list) return out_of_memory(lp->error);
    for (int k = 0; k < count; k++) list[k + 1] = rows[k] + 1;
    Status status = count && live(lp) ? call(lp, drop_rows, &(Drop){ lp->p, count, list }) : OK;
    free(list);
    return status;
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
    case GLP_NOFEAS: return LP_INFEASIBLE; /* GLP_INFEAS says of the last basis that it is, not of the program */
    case GLP_UNBND: return LP_UNBOUNDED;
    default: return LP_STOPPED;
    }
}

typedef struct Solve {
    glp_prob *p;
    bool dual;
    int failed;
} Solve;
/* A basis that has become singular, or a solver at a loss, gets a second try from the standard basis. */
static void solve(void *with) {
    Solve *s = with;
    glp_smcp how;
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    how.meth = s->dual ? GLP_DUALP : GLP_PRIMAL;
    s->failed = glp_simplex(s->p, &how);
    int status = glp_get_status(s->p);
    if (!s->failed && (status == GLP_OPT || status == GLP_NOFEAS || status == GLP_UNBND)) return;
    glp_std_basis(s->p);
    how.meth = GLP_PRIMAL;
    s->failed = glp_simplex(s->p, &how);
}

Status lp_solve(Lp *lp, bool dual, LpState *state) {
    Solve s = { .p = lp->p, .dual = dual };
    Status status = call(lp, solve, &s);
    if (!status) *state = s.failed ? LP_STOPPED : state_of(glp_get_status(lp->p));
    return status;
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

typedef struct Search {
    glp_prob *p;
    double seconds;
    Limit limit;
} Search;
static void search(void *with) {
    Search *s = with;
    glp_iocp how;
    glp_init_iocp(&how);
    how.msg_lev = GLP_MSG_OFF;
    how.gmi_cuts = GLP_ON;
    how.mir_cuts = GLP_ON;
    how.cb_func = count_node;
    how.cb_info = &s->limit;
    if (s->seconds > 0) how.tm_lim = (int)fmin(s->seconds * 1000, 2e9);
    glp_intopt(s->p, &how);
}

Status lp_solve_whole(Lp *lp, double seconds, int64_t nodes, LpState *state) {
    Search s = { .p = lp->p, .seconds = seconds, .limit = { .most = nodes, .bound = lp_objective(lp) } };
    Status failed = call(lp, search, &s);
    if (failed) return failed;
    int status = glp_mip_status(lp->p);
    *state = s.limit.cut ? LP_STOPPED : status == GLP_OPT ? LP_OPTIMAL : status == GLP_NOFEAS ? LP_INFEASIBLE : LP_STOPPED;
    lp->bound = *state == LP_OPTIMAL ? glp_mip_obj_val(lp->p) : s.limit.bound;
    return OK;
}

double lp_whole_bound(const Lp *lp) { return lp->bound; }
bool lp_whole_found(const Lp *lp) { return live(lp) && (glp_mip_status(lp->p) == GLP_OPT || glp_mip_status(lp->p) == GLP_FEAS); }
double lp_effort(const Lp *lp) {
    return live(lp) ? (double)glp_get_it_cnt(lp->p) * (glp_get_num_rows(lp->p) + glp_get_num_cols(lp->p)) : 0;
}
double lp_objective(const Lp *lp) { return live(lp) ? glp_get_obj_val(lp->p) : 0; }
double lp_x(const Lp *lp, int column) { return live(lp) ? glp_get_col_prim(lp->p, column + 1) : 0; }
double lp_activity(const Lp *lp, int row) { return live(lp) ? glp_get_row_prim(lp->p, row + 1) : 0; }
bool lp_row_basic(const Lp *lp, int row) { return live(lp) && glp_get_row_stat(lp->p, row + 1) == GLP_BS; }
double lp_dual(const Lp *lp, int row) { return live(lp) ? glp_get_row_dual(lp->p, row + 1) : 0; }
double lp_reduced(const Lp *lp, int column) { return live(lp) ? glp_get_col_dual(lp->p, column + 1) : 0; }
double lp_whole_x(const Lp *lp, int column) { return live(lp) ? glp_mip_col_val(lp->p, column + 1) : 0; }
