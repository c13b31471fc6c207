/* Differencing: a person left out, a suppressed cell and its total, margins, noise. */
#include "methods.h"

static void one_person(void **state) {
    (void)state;
    table_from("all", "g,count,value\na,12,500\nb,7,210\n");
    table_from("less", "g,count,value\na,11,430\nb,7,210\n"); /* without one person, who has 70 */
    run_ok("attack differencing all less");
    assert_true(value("exposed") == 1 && value("people") == 1 && value("recovered") == 0 && value("baseline") == 0);
    assert_true(table_value("cells", "difference", 0) == 1 && table_value("cells", "value", 0) == 70);
    assert_true(value("gain") == 1 && value("lower") == 1 && value("upper") == 1);
    run_ok("attack differencing all all");
    assert_true(value("exposed") == 0);
    table_from("small", "g,count\na,1\nb,1\nc,12\n"); /* two cells show one person by themselves; the third is exposed by subtraction */
    table_from("next", "g,count\na,0\nb,1\nc,13\n");
    run_ok("attack differencing small next");
    assert_true(value("baseline") == 3 && value("exposed") == 1 && value("gain") == 1);
}

static void totals(void **state) {
    (void)state;
    table_from("inner", "g,s,count\na,f,5\na,m,\nb,f,3\nb,m,4\nb,Total,7\n");
    table_from("outer", "g,count\na,9\nb,7\n");
    run_ok("attack differencing inner outer"); /* a, m is 9 − 5; b's own margin is not counted twice */
    assert_true(value("exposed") == 1 && value("recovered") == 1);
    near(fabs(table_value("cells", "difference", 0)), 4, 1e-12);
    table_from("two", "g,s,count\na,f,\na,m,\n");
    run_ok("attack differencing two outer"); /* two unknown: neither follows */
    assert_true(value("recovered") == 0);
}

static void noisy(void **state) {
    (void)state;
    table_from("x", "g,count\na,12\nb,30\n");
    table_from("y", "g,count\na,11\nb,30\n");
    run_ok("attack differencing x y --sd 0.1");
    assert_true(value("exposed") == 1 && value("lower") > 0.9 && value("upper") <= 1);
    run_ok("attack differencing x y --sd 3"); /* a difference of one may be any small number */
    assert_true(value("exposed") == 0);
}

static void bad(void **state) {
    (void)state;
    table_from("x", "g,count\na,12\n");
    table_from("w", "g,count\na,many\n");
    table_from("n", "g,people\na,3\n");
    run_bad("attack differencing x", "two published");
    run_bad("attack differencing x w", "numbers");
    run_bad("attack differencing x n", "no column 'count'");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_person), cmocka_unit_test(totals), cmocka_unit_test(noisy), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
