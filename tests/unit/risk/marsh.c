/* Marsh's product: given, estimated, and what cannot be estimated. */
#include "methods.h"

static void given(void **state) {
    (void)state;
    table_from("data", "a,w\n1,4\n1,4\n2,2\n3,10\n");
    run_ok("risk marsh --p-recorded 0.5 --p-present 0.1 --p-unique 0.2 --p-verified 0.25");
    near(value("probability"), 0.0025, 1e-15);
}

static double uniform(void) {
    static uint64_t word = 11;
    word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(word >> 40) + 0.5) / (double)(1 << 24);
}

/* A population of two skewed keys and a sample of a tenth: the estimate is the share of uniques in the population as a model sees it, not
 * that share times the sampling fraction. */
static void estimated(void **state) {
    (void)state;
    static char text[65536];
    static int count[4096];
    int uniques = 0;
    strcpy(text, "a\n");
    for (int i = 0; i < 8000; i++) {
        int age = (int)(30 * fabs(uniform() + uniform() + uniform() + uniform() - 2) * 1.7), rank = (int)(-2.5 * log(uniform())),
            key = age * 60 + 2 * rank + (uniform() < 0.5);
        count[key % 4096]++;
        if (i % 10 == 0) snprintf(text + strlen(text), sizeof text - strlen(text), "k%d\n", key % 4096);
    }
    for (int key = 0; key < 4096; key++) uniques += count[key] == 1;
    table_from("sample", text);
    run_ok("risk marsh sample --keys a --population-size 8000 --p-recorded 1 --p-verified 1");
    near(value("p_present"), 0.1, 1e-12);
    near(value("p_unique"), uniques / 8000.0, 0.4 * uniques / 8000.0);
    near(value("probability"), 0.1 * value("p_unique"), 1e-12);
    table_from("data", "a\n1\n1\n2\n3\n");
    run_ok("risk marsh data --keys a --p-recorded 1 --p-verified 1"); /* the whole population */
    near(value("p_unique"), 0.5, 1e-12);
}

static void bad(void **state) {
    (void)state;
    run_bad("risk marsh --p-recorded 0.5 --p-verified 1", "four");
    run_bad("risk marsh --p-recorded 0.5 --p-present 0.1 --p-unique 0.2", "p-verified");
    run_bad("risk marsh --p-recorded 1.5", "from 0 to 1");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(given), cmocka_unit_test(estimated), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
