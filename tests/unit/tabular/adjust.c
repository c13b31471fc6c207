/* Adjustment: the nearest table that adds up, in both norms. */
#include "methods.h"

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
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(optima), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
