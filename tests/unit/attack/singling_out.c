/* Singling out: a copy of unique records is singled out always, a table of equals never; the same seed the same answer. */
#include "methods.h"

static void copies(void **state) {
    (void)state;
    table_from("o", "a,b\nu,1\nv,2\nw,3\nx,4\n");
    table_from("h", "a,b\nq,9\nq,9\nq,9\nq,9\n");
    run_ok("attack singling-out o o h --columns 2 --attempts 50");
    assert_true(value("attempts") == 4 && value("singled_out") == 4 && value("baseline") == 0 && value("gain") == 1);
    run_ok("attack singling-out o o o --columns 2 --attempts 50"); /* luck does as well */
    assert_true(value("gain") == 0);
    table_from("same", "a,b\nu,1\nu,1\nu,1\n");
    run_ok("attack singling-out same same h --attempts 20");
    assert_true(value("attempts") == 1 && value("singled_out") == 0);
}

/* One number: at or beyond the value, away from the median 3: ≥ 3, ≥ 4, ≥ 5, ≤ 1, ≤ 2. */
static void extremes(void **state) {
    (void)state;
    table_from("o", "a\n1\n2\n3\n4\n5\n");
    table_from("h", "a\n2\n3\n3\n3\n4\n");
    run_ok("attack singling-out o o h --columns 1 --attempts 200");
    assert_true(value("attempts") == 5 && value("singled_out") == 2);
    near(value("baseline"), 2.0 / 5, 1e-15); /* ≤ 2 and ≥ 4 in the holdout */
}

/* Two of four originals match u, one of two in the holdout: among two of the four exactly one does in 4 of 6 ways. */
static void unequal_sizes(void **state) {
    (void)state;
    table_from("r", "a\nu\n");
    table_from("o", "a\nu\nu\nv\nw\n");
    table_from("h", "a\nu\nq\n");
    run_ok("attack singling-out r o h --columns 1");
    assert_true(value("attempts") == 1 && value("singled_out") == 0 && value("baseline") == 1);
    near(value("rate"), 4.0 / 6, 1e-12);
    near(value("gain"), -2.0 / 6, 1e-12);
    run_ok("attack singling-out r h o --columns 1"); /* the holdout is the larger: the original as it is */
    assert_true(value("singled_out") == 1 && value("rate") == 1);
    near(value("baseline"), 4.0 / 6, 1e-12);
}

static void edges(void **state) {
    (void)state;
    table_from("o", "a,b\n1,2\n");
    table_from("none", "a,b\n");
    run_bad("attack singling-out none o o", "no records");
    run_bad("attack singling-out o o o --vars z", "no column");
    run_ok("attack singling-out o o none");
    assert_true(value("singled_out") == 1 && value("baseline") == 0);
    table_from("holes", "a,b\n,\n");
    run_ok("attack singling-out holes o o");
    assert_true(value("attempts") == 0 && value("rate") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(copies), cmocka_unit_test(extremes), cmocka_unit_test(unequal_sizes),
                                        cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
