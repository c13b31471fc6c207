/* Memory that Jansson does not get is noted, and nothing else is. */
#include "base/json_memory.h"
#include <jansson.h>
#include <stdlib.h>
#include "base/status.h"
#include "testing.h"

static void noted(void **state) {
    (void)state;
    json_malloc_t take;
    json_free_t drop;
    json_memory();
    json_memory();
    json_get_alloc_funcs(&take, &drop);
    void *block = take(8);
    assert_true(block && !memory_lost());
    drop(block);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which end the program themselves */
    volatile size_t huge = SIZE_MAX / 4;
    assert_null(take(huge));
    assert_true(memory_lost_take());
#endif
    json_error_t problem;
    assert_null(json_loads("{\"a\": ", 0, &problem)); /* what is no JSON is no loss */
    assert_false(memory_lost());
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(noted) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
