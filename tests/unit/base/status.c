/* Errors: what they are is told by their kind, which their text does not decide. */
#include "base/status.h"
#include "testing.h"

static void test_kinds(void **state) {
    (void)state;
    Error error = ERROR_NONE;
    assert_int_equal(out_of_memory(&error), FAILED);
    assert_true(error_of_machine(&error));
    assert_int_equal(fail(&error, FAILED, "out of memory"), FAILED); /* the words alone are none */
    assert_false(error_of_machine(&error));
    assert_int_equal(fail(&error, FAILED, "disk full"), FAILED);
    error_file(&error, "release.csv");
    assert_true(error_of_machine(&error));
    fail(&error, BAD, "no such column");
    assert_int_equal(error_kind(&error, ERROR_SIMILAR), BAD);
    assert_int_equal(error.kind, ERROR_SIMILAR);
    assert_false(error_of_machine(&error));
    fail(&error, BAD, "another");
    assert_int_equal(error.kind, ERROR_OTHER);
    assert_int_equal(out_of_memory(NULL), FAILED);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
