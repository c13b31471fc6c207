/* Reconstruction: exact answers give everything back; noise below √n nearly everything; few answers nothing much. */
#include "methods.h"

enum { N = 40 };
static int truth[N];

static void publish(int queries, double noise, uint64_t seed_number) {
    static char sums[200000], table[4096];
    Seed seed = seed_from_number(seed_number);
    RandomStream stream = stream_make(&seed, "test", 0, NULL, "x");
    RandomReader reader = reader_make(&stream);
    strcpy(table, "s,z\n");
    for (int i = 0; i < N; i++) {
        truth[i] = (int)reader_below(&reader, 2);
        sprintf(table + strlen(table), "%d,0\n", truth[i]);
    }
    strcpy(sums, "members,answer\n");
    for (int q = 0; q < queries; q++) {
        double sum = noise * (2 * reader_uniform(&reader) - 1);
        size_t at = strlen(sums);
        for (int i = 0; i < N; i++)
            if (reader_below(&reader, 2)) {
                sum += truth[i];
                at += (size_t)sprintf(sums + at, "%d ", i + 1);
            }
        sprintf(sums + at, ",%.9f\n", sum);
    }
    table_from("sums", sums);
    table_from("truth", table);
}

static void exact_answers(void **state) {
    (void)state;
    publish(80, 0, 1);
    run_ok("attack reconstruction sums --n 40 --truth truth --sensitive s");
    assert_true(value("correct") == 1);
    near(value("largest_error"), 0, 1e-6);
    assert_true(value("gain") > 0.2 && value("lower") > 0);
    assert_null(result_find_table(last_result, "reconstructed")); /* names no one unless asked */
    run_ok("attack reconstruction sums --n 40 --truth truth --sensitive s --show-records");
    for (int i = 0; i < N; i++) assert_true(table_value("reconstructed", "value", i) == truth[i]);
}

static void noisy_answers(void **state) {
    (void)state;
    publish(200, 1.5, 2);
    run_ok("attack reconstruction sums --n 40 --truth truth --sensitive s");
    assert_true(value("correct") > 0.9);
}

static void bad(void **state) {
    (void)state;
    table_from("sums", "members,answer\n1 2,1\n3 9,0\n");
    run_bad("attack reconstruction sums --n 3", "record numbers from 1 to 3");
    run_bad("attack reconstruction sums", "--n");
    table_from("fine", "members,answer\n1 2,1\n3,0\n");
    run_ok("attack reconstruction fine --n 3");
    assert_int_equal(result_find(last_result, "correct")->kind, VALUE_NULL);
    assert_int_equal(result_find(last_result, "gain")->kind, VALUE_NULL);
    table_from("three", "s\n1\n0\n2\n");
    run_bad("attack reconstruction fine --n 3 --truth three --sensitive s", "only 0 and 1");
    table_from("t", "s\n1\n0\n");
    run_bad("attack reconstruction fine --n 3 --truth t --sensitive s", "--n records");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(exact_answers), cmocka_unit_test(noisy_answers), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
