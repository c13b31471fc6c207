/* Cells and relations by name. */
#include "methods.h"

static void reads(void **state) {
    (void)state;
    table_from("c", "cell,value,primary,lower,upper,protection\nt,10,0,10,20,0\na,4,1,4,20,1\nb,6,0,6,20,0\n");
    table_from("r", "relation,cell,coef\n1,t,-1\n1,a,1\n1,b,1\n");
    run_ok("tabular import --cells c --relations r");
    assert_true(value("cells") == 3 && value("relations") == 1 && value("primary") == 1 && value("residual") == 0);
    assert_string_equal(cells_of(output_column("status")), "open primary open");
    table_from("c", "cell,value\nt,11\na,4\nb,6\n");
    run_ok("tabular import --cells c --relations r");
    near(value("residual"), 1.0 / 21, 1e-12);
}

/* A cell twice in a relation, or with 0, is there with the sum of both, or not. */
static void terms(void **state) {
    (void)state;
    table_from("c", "cell,value,primary,protection\nt,10,0,0\na,4,1,1\nb,6,0,0\nz,5,1,1\ny,7,0,0\nu,12,0,0\n");
    table_from("r", "relation,cell,coef\n1,t,-1\n1,z,0\n1,a,0.5\n1,b,1\n1,a,0.5\n1,y,2\n1,y,-2\n2,u,-1\n2,z,1\n2,y,1\n");
    run_ok("tabular import --cells c --relations r");
    assert_true(value("relations") == 2 && value("residual") == 0);
    shelve("t", table_retain(output()));
    assert_non_null(strstr(output()->structure, "[[0,-1,1,1,2,1],"));
    run_ok("tabular suppress t --no-singletons --cost one --method optimal");
    assert_true(value("cost") == 2);
    shelve("s", table_retain(output()));
    run_ok("tabular audit s");
    assert_true(value("exposed") == 0 && value("unproven") == 0);
}

static void bad(void **state) {
    (void)state;
    table_from("c", "cell,value\nt,10\na,4\n");
    table_from("r", "relation,cell,coef\n1,t,-1\n1,a,1\n1,b,1\n");
    run_bad("tabular import --cells c --relations r", "not in --cells");
    table_from("c", "cell,value\nt,10\nt,4\n");
    run_bad("tabular import --cells c --relations r", "two rows");
    table_from("r", "relation,cell\n1,t\n");
    run_bad("tabular import --cells r --relations r", "coef");
    table_from("c", "cell,value\nt,10\na,4\nb,6\n");
    table_from("r", "relation,cell,coef\n1,t,minus 1\n1,a,1\n1,b,1\n");
    run_bad("tabular import --cells c --relations r", "must be numbers");
}

/* What is told of the table stays: that it holds counts, also where --counts does not say so again; and that it does not add up. */
static void as_it_was(void **state) {
    (void)state;
    table_from("d", "r,c\na,u\na,u\nb,v\n");
    run_ok("tabular build d --dims r,c");
    shelve("t", table_retain(output()));
    run_ok("tabular import t");
    assert_non_null(strstr(output()->structure, "\"whole\":true"));
    assert_false(noted("do not add up"));
    table_from("t", "r,value\na,1.5\nb,2\nTotal,3.5\n");
    run_ok("tabular import t");
    assert_non_null(strstr(output()->structure, "\"whole\":false"));
    run_ok("tabular import t --counts");
    assert_non_null(strstr(output()->structure, "\"whole\":true"));
    table_from("t", "r,value\na,1\nb,2\nTotal,4\n");
    run_ok("tabular import t");
    near(value("residual"), 1.0 / 7, 1e-12);
    assert_true(noted("do not add up"));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_it_was), cmocka_unit_test(reads), cmocka_unit_test(terms),
                                        cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
