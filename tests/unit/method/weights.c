/* Weights are checked by the binder, alike for every method: negative, infinite, missing ones, and nothing but zeros. */
#include "methods.h"

static const char *const takers[] = { "risk k-anonymity t --keys a --weight w",
                                      "risk individual t --keys a --weight w",
                                      "risk theta t --keys a --weight w",
                                      "risk population-uniques t --keys a --weight w",
                                      "risk log-linear t --keys a,b --weight w",
                                      "risk marsh t --keys a --weight w --p-recorded 1 --p-verified 1",
                                      "risk detail t --keys a --weight w",
                                      "risk resolution t --keys a --weight w",
                                      "protect top-bottom t --var b --top 3 --weight w",
                                      "utility regression t t --formula b~a --weight w",
                                      "utility weights t t --weight w" };

static void each(const char *rows, const char *says) {
    Buffer text = { 0 };
    buffer_print(&text, "a,b,w\n%s", rows);
    table_from("t", buffer_get(&text));
    buffer_free(&text);
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) run_bad(takers[i], says);
}

static void test_bad_weights(void **state) {
    (void)state;
    each("1,1,1\n1,2,-2\n2,3,1\n2,4,-1\n", "2 of 4 weights are missing, negative or infinite (0 missing)");
    each("1,1,1\n1,2,2\n2,3,\n2,4,1\n", "1 of 4 weights is missing, negative or infinite (1 missing)");
    each("1,1,0\n1,2,0\n2,3,0\n2,4,0\n", "all weights are 0");
}

static void test_infinite(void **state) {
    (void)state;
    static const double a[] = { 1, 1, 2, 2 }, w[] = { 1, INFINITY, 1, 1 };
    table_reals("t", (const double *const[]){ a, w }, 2, 4);
    run_bad("risk k-anonymity t --keys a --weight b", "1 of 4 weights is missing, negative or infinite (0 missing)");
}

static void test_row(void **state) {
    (void)state;
    table_from("t", "a,b,w\n1,1,1\n1,2,2\n2,3,-1\n2,4,1\n");
    run_bad("risk k-anonymity t --keys a --weight w", "record 3");
    run_ok("risk k-anonymity t --keys a --weight w --where \"w >= 0\"");
    table_from("t", "a,b,w\n1,1,1\n1,2,0\n2,3,1\n2,4,1\n");
    run_ok("risk k-anonymity t --keys a --weight w"); /* single zeros are weights */
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_bad_weights), cmocka_unit_test(test_infinite), cmocka_unit_test(test_row) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
