/* GLPK, kept from ending the process. */
#include "math/lp/program.h"
#include <glpk.h>
#include "base/elementary.h"
#include "math/lp/glpk_guard.h"

static void set_columns(glp_prob *lp, const Program *program) {
    glp_add_cols(lp, (int)program->columns);
    for (int j = 0; j < (int)program->columns; j++) {
        const ProgramColumn *c = &program->column[j];
        glp_set_col_bnds(lp, j + 1, glpk_bound_kind(c->low, c->high), c->low, c->high);
        glp_set_obj_coef(lp, j + 1, c->cost);
        if (c->whole) glp_set_col_kind(lp, j + 1, GLP_IV);
    }
}

static void set_rows(glp_prob *lp, const Program *program, int *index, double *value) {
    if (program->rows) glp_add_rows(lp, (int)program->rows);
    for (int i = 0; i < (int)program->rows; i++) {
        const ProgramRow *r = &program->row[i];
        glp_set_row_bnds(lp, i + 1, glpk_bound_kind(r->low, r->high), r->low, r->high);
        for (int64_t k = 0; k < r->count; k++) {
            index[k + 1] = r->column[k] + 1;
            value[k + 1] = r->coefficient[k];
        }
        glp_set_mat_row(lp, i + 1, (int)r->count, index, value);
    }
}

static ProgramState state_of(int status) {
    switch (status) {
    case GLP_OPT: return PROGRAM_OPTIMAL;
    case GLP_NOFEAS:
    case GLP_INFEAS: return PROGRAM_INFEASIBLE;
    case GLP_UNBND: return PROGRAM_UNBOUNDED;
    default: return PROGRAM_STOPPED;
    }
}

static void read_solution(glp_prob *lp, bool whole, int64_t columns, Solution *out) {
    out->objective = whole ? glp_mip_obj_val(lp) : glp_get_obj_val(lp);
    for (int j = 0; j < (int)columns; j++) out->x[j] = whole ? glp_mip_col_val(lp, j + 1) : glp_get_col_prim(lp, j + 1);
}

/* Counted in nodes, a search ends at the same place on every machine. */
typedef struct {
    int64_t left;
} Leash;
static void pull(glp_tree *tree, void *info) {
    Leash *leash = info;
    if (glp_ios_reason(tree) == GLP_ISELECT && leash->left-- <= 0) glp_ios_terminate(tree);
}

/* The relaxation first: it settles feasibility and bounds the whole program. */
static void solve(glp_prob *lp, const Program *program, bool whole, Solution *out) {
    glp_smcp simplex;
    glp_iocp branch;
    glp_init_smcp(&simplex);
    simplex.msg_lev = GLP_MSG_OFF;
    simplex.presolve = GLP_ON;
    if (program->seconds > 0) simplex.tm_lim = (int)fmin(program->seconds * 1000, 2e9);
    int failed = glp_simplex(lp, &simplex);
    if (failed == GLP_ENOPFS) {
        out->state = PROGRAM_INFEASIBLE;
        return;
    }
    if (failed == GLP_ENODFS) {
        out->state = PROGRAM_UNBOUNDED;
        return;
    }
    if (failed == 0 && !whole) {
        out->state = state_of(glp_get_status(lp));
        out->bound = glp_get_obj_val(lp);
        if (out->state == PROGRAM_OPTIMAL) read_solution(lp, false, program->columns, out);
        return;
    }
    if (failed == 0 && glp_get_status(lp) != GLP_OPT) {
        out->state = state_of(glp_get_status(lp));
        return;
    }
    if (failed) {
        out->state = PROGRAM_STOPPED;
        return;
    }
    out->bound = glp_get_obj_val(lp);
    glp_init_iocp(&branch);
    branch.msg_lev = GLP_MSG_OFF;
    branch.gmi_cuts = branch.mir_cuts = branch.cov_cuts = GLP_ON;
    branch.fp_heur = GLP_ON;
    if (program->seconds > 0) branch.tm_lim = (int)fmin(program->seconds * 1000, 2e9);
    Leash leash = { program->nodes };
    if (program->nodes > 0) {
        branch.cb_func = pull;
        branch.cb_info = &leash;
    }
    glp_intopt(lp, &branch);
    int status = glp_mip_status(lp);
    out->state = status == GLP_OPT ? PROGRAM_OPTIMAL : status == GLP_NOFEAS ? PROGRAM_INFEASIBLE : PROGRAM_STOPPED;
    if (status == GLP_OPT || status == GLP_FEAS) read_solution(lp, true, program->columns, out);
    else out->x = NULL;
    if (status == GLP_OPT) out->bound = out->objective;
}

typedef struct Solving {
    const Program *program;
    bool whole;
    int *index;
    double *value;
    Solution *out;
} Solving;
static void make_and_solve(void *with) {
    const Solving *s = with;
    glp_prob *lp = glp_create_prob();
    glp_set_obj_dir(lp, s->program->maximise ? GLP_MAX : GLP_MIN);
    set_columns(lp, s->program);
    set_rows(lp, s->program, s->index, s->value);
    solve(lp, s->program, s->whole, s->out);
    glp_delete_prob(lp);
}

Status program_solve(Work *work, const Program *program, Solution *out) {
    Status status = OK;
    int *index = NULL;
    double *value = NULL;
    bool whole = false;
    if (program->rows > INT32_MAX - 1 || program->columns > INT32_MAX - 1)
        return fail(work->error, FAILED, "the linear program is too large");
    *out = (Solution){ 0 };
    NEW(work, out->x, program->columns + 1);
    NEW(work, index, program->columns + 1);
    NEW(work, value, program->columns + 1);
    for (int64_t j = 0; j < program->columns; j++) whole |= program->column[j].whole;
    TRY(glpk_enter(work->error));
    if (!glpk_call(make_and_solve, &(Solving){ program, whole, index, value, out }))
        status = fail(work->error, FAILED, "the linear program could not be solved");
    glpk_leave();
done:
    return status;
}
