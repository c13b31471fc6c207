/* Resolution: equal classes give their number; weights; missing keys; none. */
#include "methods.h"

static void known(void **state) {
    (void)state;
    table_from("even", "a\n1\n2\n3\n4\n1\n2\n3\n4\n");
    run_ok("risk resolution even --keys a");
    near(value("resolution"), 4, 1e-12);
    table_from("uneven", "a,w\n1,1\n1,1\n1,1\n2,3\n");
    run_ok("risk resolution uneven --keys a");
    near(value("resolution"), 1 / (0.75 * 0.75 + 0.25 * 0.25), 1e-12);
    run_ok("risk resolution uneven --keys a --weight w");
    near(value("resolution"), 2, 1e-12);
}

static void missing(void **state) {
    (void)state;
    table_from("holes", "a,b\n1,0\n2,0\n,0\n");
    run_ok("risk resolution holes --keys a --missing wildcard"); /* pairs that agree: 2 + 2 + 3 of 9 */
    near(value("resolution"), 9.0 / 7, 1e-12);
    run_ok("risk resolution holes --keys a --missing category");
    near(value("resolution"), 3, 1e-12);
    table_from("none", "a\n");
    run_ok("risk resolution none --keys a");
    assert_int_equal(result_find(last_result, "resolution")->kind, VALUE_NULL);
    run_bad("risk resolution none --keys b", "no column");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(known), cmocka_unit_test(missing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
