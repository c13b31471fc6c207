/* CSV: the one table, or the values. */
#include "sample.h"

static void expect(const Result *result, const char *want) {
    Buffer out = { 0 };
    render_csv(result, &out);
    assert_string_equal(buffer_get(&out), want);
    buffer_free(&out);
}

static void one_table(void **state) {
    (void)state;
    Result *result = sample();
    expect(result, "key,cells,share\nsex,12,0.5\n\"a<b>&\"\"c\"\"\",9,12.25\n,,\n");
    result_free(result);
}

static void values(void **state) {
    (void)state;
    Result *result = result_new("risk.x"), *inner = result_new("risk.y");
    result_integer(result, "k", 3);
    result_real(result, "share", 0.1);
    result_null(result, "theta", "none");
    result_text(result, "rule", "a,b");
    result_integer(inner, "n", 7);
    result_result(result, "in", inner);
    expect(result, "name,value\nk,3\nshare,0.1\ntheta,\nrule,\"a,b\"\nin.n,7\n");
    result_free(result);
}

static void nothing(void **state) {
    (void)state;
    Result *result = result_new("risk.x");
    expect(result, "name,value\n");
    grid_done(grid_new(result, "empty", "a:integer b:text"));
    expect(result, "a,b\n");
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_table), cmocka_unit_test(values), cmocka_unit_test(nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
