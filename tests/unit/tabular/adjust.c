/* Adjustment: the nearest table that adds up, in both norms. */
#include "cells.h"

/* Total fixed at 30: a up by 2, taken from b and c. L1 takes it from the larger value; L2 in proportion to the values, x_b = −2·8/(8 + 12).
 */
static void by_hand(void **state) {
    (void)state;
    table_from("c", "cell,value,primary,lower,upper,protection\nT,30,0,0,0,0\na,10,1,10,50,2\nb,8,0,8,50,0\nc,12,0,12,50,0\n");
    table_from("r", "relation,cell,coef\n1,T,-1\n1,a,1\n1,b,1\n1,c,1\n");
    run_ok("tabular import --cells c --relations r");
    shelve("t", table_retain(last_result->output[0]));
    run_ok("tabular adjust t");
    near(value("objective"), 2.0 / 10 + 2.0 / 12, 1e-9);
    near(column_number(output_column("value"), 3), 10, 1e-9);
    run_ok("tabular adjust t --norm l2");
    near(column_number(output_column("value"), 1), 12, 1e-6);
    near(column_number(output_column("value"), 2), 8 - 2 * 8.0 / 20, 1e-6);
    near(value("objective"), 4.0 / 10 + 0.64 / 8 + 1.44 / 12, 1e-8);
    run_ok("tabular adjust t --direction down");
    near(column_number(output_column("value"), 1), 8, 1e-9);
}

/* Bounds that leave a, b and r one value each: a = b = −1/2, r = −1. What is left is x²/8 + (x − 1)²/10, least at 4/9. */
static void no_room(void **state) {
    (void)state;
    table_from("c", "cell,value,primary,lower,upper,protection\na,1,1,1,5,0.5\nb,1,1,1,5,0.5\nr,2,1,1,5,1\nc,8,0,8,50,\nT,10,0,10,50,\n");
    table_from("r", "relation,cell,coef\n1,r,-1\n1,a,1\n1,b,1\n2,T,2\n2,r,-2\n2,c,-2\n");
    run_ok("tabular import --cells c --relations r");
    shelve("t", table_retain(last_result->output[0]));
    run_ok("tabular adjust t --direction down --norm l2");
    near(column_number(output_column("value"), 0), 0.5, 1e-9);
    near(column_number(output_column("value"), 2), 1, 1e-9);
    near(column_number(output_column("value"), 3), 8 + 4.0 / 9, 1e-6);
    assert_true(value("residual") < 1e-9);
    table_from("c",
               "cell,value,primary,lower,upper,protection\na,1,1,1,5,0.5\nb,1,1,1,5,0.5\nr,2,1,0.9,5,0.9\nc,8,0,8,50,\nT,10,0,10,50,\n");
    run_ok("tabular import --cells c --relations r");
    shelve("t", table_retain(last_result->output[0]));
    assert_int_equal(run_seeded(1, "tabular adjust t --direction down --norm l2"), REFUSED);
    assert_non_null(strstr(last_error.message, "no additive table"));
}

static void optima(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double half;
    } known[] = { { "targus", 1084.0938 }, { "table8", 1.8957163 }, { "hie1372d", 278.02107 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[256];
        snprintf(path, sizeof path, "../shared/reference/tabular/csp/%s_cells.csv", known[i].name);
        table_from_file("c", path);
        snprintf(path, sizeof path, "../shared/reference/tabular/csp/%s_relations.csv", known[i].name);
        table_from_file("r", path);
        run_ok("tabular import --cells c --relations r");
        shelve("t", table_retain(last_result->output[0]));
        run_ok("tabular adjust t --norm l2");
        near(value("objective"), known[i].half, 1e-5 * known[i].half);
    }
}

/* The least Σ |change|/value with primary cell k up where bit k of `ups` is set, else down, by a program of the test's own. */
static double by_directions(const Box *b, const int *primary, int primaries, unsigned ups) {
    static ProgramColumn columns[2 * BOX_CELLS];
    static ProgramRow rows[2 * BOX_CELLS];
    static int32_t index[2 * BOX_CELLS][16];
    static double coefficient[2 * BOX_CELLS][16];
    int n = 0;
    for (int c = 0; c < b->cells; c++) {
        double cost = 1 / fmax(b->value[c], 1);
        columns[2 * c] = (ProgramColumn){ .cost = cost, .high = b->value[c] ? INFINITY : 0 };
        columns[2 * c + 1] = (ProgramColumn){ .cost = cost, .high = b->value[c] };
    }
    for (int k = 0; k < primaries; k++) {
        bool up = ups >> k & 1;
        columns[2 * primary[k] + !up].low = 1;
        columns[2 * primary[k] + up].high = 0;
    }
    for (int c = 0; c < b->cells; c++)
        for (int d = 0; d < b->dims; d++) {
            int code[3], k = 0;
            box_codes(b, c, code);
            if (code[d]) continue;
            for (int v = 0; v < b->size[d]; v++) {
                code[d] = v;
                for (int side = 0; side < 2; side++) {
                    index[n][k] = 2 * box_cell(b, code) + side;
                    coefficient[n][k++] = (v ? 1 : -1) * (side ? -1 : 1);
                }
            }
            rows[n] = (ProgramRow){ k, index[n], coefficient[n], 0, 0 };
            n++;
        }
    Program program = { .rows = n, .columns = 2 * b->cells, .row = rows, .column = columns };
    Solution solution;
    Work work = { .arena = arena_new(), .error = &last_error, .threads = 1 };
    assert_int_equal(program_solve(&work, &program, &solution), OK);
    double answer = solution.state == PROGRAM_OPTIMAL ? solution.objective : INFINITY;
    arena_free(work.arena);
    return answer;
}

/* Of all directions there are, the best; and no table where none has one. */
static void either(void **state) {
    (void)state;
    uint64_t seed = 3;
    int judged = 0;
    for (int t = 0; t < 40; t++) {
        Box b;
        int primary[BOX_CELLS], primaries = 0;
        double best = INFINITY;
        box_make(&b, 2, (int[]){ 2, 2 + t % 2 }, 9, &seed);
        for (int c = 0; c < b.cells; c++) {
            b.hidden[c] = b.value[c] > 0 && b.value[c] < 4;
            if (b.hidden[c]) primary[primaries++] = c;
        }
        if (!primaries || primaries > 6) continue;
        for (unsigned ups = 0; ups < 1u << primaries; ups++) best = fmin(best, by_directions(&b, primary, primaries, ups));
        box_shelve(&b, "t", false);
        Status done = run_seeded(1, "tabular adjust t --direction either");
        assert_int_equal(done, isinf(best) ? REFUSED : OK);
        if (done) continue;
        near(value("objective"), best, 1e-7);
        near(value("lower_bound"), best, 1e-6);
        for (int k = 0; k < primaries; k++)
            assert_true(fabs(column_number(output_column("count"), primary[k]) - b.value[primary[k]]) > 1 - 1e-7);
        run_ok("tabular adjust t --direction either --norm l2");
        assert_true(value("residual") < 1e-6);
        judged++;
    }
    assert_true(judged > 15);
}

/* Up by the upper level, down by the lower one. */
static void two_levels(void **state) {
    (void)state;
    table_from("c", "cell,value,primary,lower,upper,protection_lower,protection_upper\nT,30,0,0,0,,\na,10,1,10,50,1,3\nb,20,0,20,50,,\n");
    table_from("r", "relation,cell,coef\n1,T,-1\n1,a,1\n1,b,1\n");
    run_ok("tabular import --cells c --relations r");
    shelve("t", table_retain(last_result->output[0]));
    run_ok("tabular adjust t");
    near(column_number(output_column("value"), 1), 13, 1e-9);
    run_ok("tabular adjust t --direction down");
    near(column_number(output_column("value"), 1), 9, 1e-9);
    run_ok("tabular adjust t --direction down --norm l2");
    near(column_number(output_column("value"), 1), 9, 1e-6);
}

/* Below a there is nothing, above b no room for its protection: either takes the other way of each, and up and down refuse one of them. c
 * has neither. */
static void one_way(void **state) {
    (void)state;
    table_from("c", "cell,value,primary,lower,upper,protection\nT,30,0,0,0,\na,0,1,0,50,2\nb,10,1,10,1,2\nc,20,0,20,50,\n");
    table_from("r", "relation,cell,coef\n1,T,-1\n1,a,1\n1,b,1\n1,c,1\n");
    run_ok("tabular import --cells c --relations r");
    shelve("t", table_retain(last_result->output[0]));
    for (int norm = 0; norm < 2; norm++) {
        run_ok(norm ? "tabular adjust t --direction either --norm l2" : "tabular adjust t --direction either");
        near(column_number(output_column("value"), 1), 2, 1e-6);
        near(column_number(output_column("value"), 2), 8, 1e-6);
    }
    assert_int_equal(run_seeded(1, "tabular adjust t --direction down"), REFUSED);
    assert_non_null(strstr(last_error.message, "no room to move down by its protection level: a"));
    assert_int_equal(run_seeded(1, "tabular adjust t"), REFUSED);
    assert_non_null(strstr(last_error.message, "no room to move up by its protection level: b"));
    table_from("c", "cell,value,primary,lower,upper,protection\nT,30,0,0,0,\na,0,0,0,50,\nb,10,0,10,10,\nc,20,1,1,1,2\n");
    run_ok("tabular import --cells c --relations r");
    shelve("t", table_retain(last_result->output[0]));
    assert_int_equal(run_seeded(1, "tabular adjust t --direction either"), REFUSED);
    assert_non_null(strstr(last_error.message, "up or down by its protection level: c"));
}

static void bad(void **state) {
    (void)state;
    table_from("t", "r,value,status\na,5,primary\nTotal,,open\n");
    run_bad("tabular adjust t", "no value");
    table_from("c", "cell,value,primary,lower,upper,protection\nT,30,0,0,0,0\na,30,1,30,50,2\n");
    table_from("r", "relation,cell,coef\n1,T,-1\n1,a,1\n");
    run_ok("tabular import --cells c --relations r");
    shelve("t", table_retain(last_result->output[0]));
    assert_int_equal(run_seeded(1, "tabular adjust t"), REFUSED);
    assert_int_equal(run_seeded(1, "tabular adjust t --norm l2"), REFUSED);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(no_room), cmocka_unit_test(two_levels),
                                        cmocka_unit_test(optima),  cmocka_unit_test(either),  cmocka_unit_test(one_way),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
