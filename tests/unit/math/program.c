/* Linear programs: a diet, the infeasible, the unbounded, whole numbers, and a program that GLPK itself would abort on. */
#include "testing.h"
#include <math.h>
#include "math/program.h"

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

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(small), cmocka_unit_test(knapsack), cmocka_unit_test(never_aborts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
