/* Linear programs: a diet, the infeasible, the unbounded, whole numbers, a program that GLPK itself would abort on, and a
 * host that uses GLPK itself. */
#include "testing.h"
#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include "math/lp/lp.h"
#include "math/lp/program.h"

static Error error;
static Work work(void) {
    error = ERROR_NONE;
    return (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
}

static void small(void **state) {
    (void)state;
    Work w = work();
    Solution s;
    /* max 3x + 2y, x + y ≤ 4, x + 3y ≤ 6, 0 ≤ x ≤ 3 */
    const int32_t both[] = { 0, 1 };
    const ProgramRow rows[] = { { 2, both, (const double[]){ 1, 1 }, -INFINITY, 4 }, { 2, both, (const double[]){ 1, 3 }, -INFINITY, 6 } };
    ProgramColumn columns[] = { { 3, 0, 3, false }, { 2, 0, INFINITY, false } };
    Program p = { true, 2, 2, rows, columns, 0, 0 };
    assert_int_equal(program_solve(&w, &p, &s), OK);
    assert_int_equal(s.state, PROGRAM_OPTIMAL);
    assert_true(fabs(s.objective - 11) < 1e-9 && fabs(s.x[0] - 3) < 1e-9 && fabs(s.x[1] - 1) < 1e-9);
    columns[0].high = columns[0].low = 10;
    assert_int_equal(program_solve(&w, &p, &s), OK);
    assert_int_equal(s.state, PROGRAM_INFEASIBLE);
    columns[0] = (ProgramColumn){ 3, 0, INFINITY, false };
    p.rows = 0;
    assert_int_equal(program_solve(&w, &p, &s), OK);
    assert_int_equal(s.state, PROGRAM_UNBOUNDED);
    arena_free(w.arena);
}

/* A knapsack, against all its subsets. */
static void knapsack(void **state) {
    (void)state;
    enum { N = 12 };
    static const double worth[N] = { 4, 7, 1, 9, 3, 8, 6, 5, 2, 7, 4, 6 }, weight[N] = { 3, 6, 1, 8, 2, 7, 4, 4, 3, 5, 3, 5 };
    int32_t all[N];
    ProgramColumn columns[N];
    double best = 0;
    for (int i = 0; i < N; i++) {
        all[i] = i;
        columns[i] = (ProgramColumn){ worth[i], 0, 1, true };
    }
    for (int set = 0; set < 1 << N; set++) {
        double w = 0, v = 0;
        for (int i = 0; i < N; i++)
            if (set >> i & 1) {
                w += weight[i];
                v += worth[i];
            }
        if (w <= 20 && v > best) best = v;
    }
    const ProgramRow row = { N, all, weight, -INFINITY, 20 };
    Work w = work();
    Solution s;
    assert_int_equal(program_solve(&w, &(Program){ true, 1, N, &row, columns, 10, 0 }, &s), OK);
    assert_int_equal(s.state, PROGRAM_OPTIMAL);
    assert_true(fabs(s.objective - best) < 1e-9 && fabs(s.bound - best) < 1e-9);
    arena_free(w.arena);
}

static void never_aborts(void **state) {
    (void)state;
    Work w = work();
    Solution s;
    const ProgramRow row = { 2, (const int32_t[]){ 0, 0 }, (const double[]){ 1, 1 }, 0, 1 }; /* one column twice in a row */
    const ProgramColumn column = { 1, 0, 1, false };
    assert_int_equal(program_solve(&w, &(Program){ false, 1, 1, &row, &column, 0, 0 }, &s), FAILED);
    const ProgramRow good = { 1, (const int32_t[]){ 0 }, (const double[]){ 1 }, 0.5, 1 };
    assert_int_equal(program_solve(&w, &(Program){ false, 1, 1, &good, &column, 0, 0 }, &s), OK); /* and it goes on */
    assert_true(fabs(s.objective - 0.5) < 1e-9);
    arena_free(w.arena);
}

/* ---- a host that uses GLPK itself ---- */

static int printed;
static int note_text(void *info, const char *text) {
    (void)info, (void)text;
    return ++printed;
}
static void leave(void *info) { longjmp(*(jmp_buf *)info, 1); }

/* Programs of every kind, one that fails among them. */
static void solve_some(void **state) {
    small(state);
    never_aborts(state);
    Lp *one = NULL, *two = NULL;
    LpState found;
    assert_int_equal(lp_new(&error, 1, 2, &one), OK);
    assert_int_equal(lp_new(&error, 1, 2, &two), OK);
    assert_int_equal(lp_matrix(one, (const int64_t[]){ 0, 1, 2 }, (const int32_t[]){ 0, 0 }, (const double[]){ 1, 1 }), OK);
    lp_row(one, 0, -INFINITY, 3);
    lp_column(one, 0, 0, 2);
    lp_column(one, 1, 0, 2);
    lp_cost(one, 0, -1);
    lp_cost(one, 1, -2);
    assert_int_equal(lp_solve(one, false, &found), OK);
    assert_true(found == LP_OPTIMAL && fabs(lp_objective(one) + 5) < 1e-9);
    assert_int_equal(lp_add_row(one, 1, (const int32_t[]){ 1 }, (const double[]){ 1 }, 0, 1), OK);
    assert_int_equal(lp_solve(one, true, &found), OK);
    assert_true(fabs(lp_objective(one) + 4) < 1e-9);
    assert_int_equal(lp_drop_rows(one, 1, (const int32_t[]){ 1 }), OK);
    lp_free(one);
    lp_free(two);
}

/* Its hooks, its limits and its programs are as they were, also where one of ours fails. */
static void the_host_keeps_its_glpk(void **state) {
    jmp_buf back;
    glp_term_hook(note_text, NULL);
    glp_prob *own = glp_create_prob();
    glp_add_cols(own, 3);
    glp_set_prob_name(own, "own");
    if (!setjmp(back)) {
        glp_error_hook(leave, &back);
        solve_some(state);
        assert_int_equal(printed, 0);
        glp_printf("still heard\n");
        assert_int_equal(printed, 1);
        assert_int_equal(glp_get_num_cols(own), 3);
        assert_string_equal(glp_get_prob_name(own), "own");
        glp_delete_prob(own);
        glp_error("as the host wants it\n");
    }
    assert_true(printed > 1); /* its own hook brought us here */
    assert_int_equal(glp_free_env(), 0);
    solve_some(state);
    assert_int_equal(glp_init_env(), 0); /* and where it had none, none is left */
    glp_free_env();
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(small), cmocka_unit_test(knapsack), cmocka_unit_test(never_aborts),
                                        cmocka_unit_test(the_host_keeps_its_glpk) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
