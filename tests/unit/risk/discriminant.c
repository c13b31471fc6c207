/* Discriminant matching: posteriors against the sum over all pairs, plausibility, identities, the edges. */
#include "methods.h"

enum { N = 50, M = 30 };
static double x[2][N], y[2][M];

static void all_pairs(void **state) {
    (void)state;
    Seed seed = seed_from_number(6);
    RandomStream stream = stream_make(&seed, "test", 0, "x", "draw");
    RandomReader reader = reader_make(&stream);
    double mean[2] = { 0 }, sd[2] = { 0 };
    for (int i = 0; i < N; i++) {
        x[0][i] = reader_normal(&reader);
        x[1][i] = (double)reader_below(&reader, 3);
    }
    for (int i = 0; i < M; i++) {
        y[0][i] = x[0][i] + 0.05 * reader_normal(&reader);
        y[1][i] = reader_below(&reader, 8) ? x[1][i] : (double)reader_below(&reader, 3);
    }
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < N; i++) mean[j] += x[j][i] / N;
        for (int i = 0; i < N; i++) sd[j] += pow(x[j][i] - mean[j], 2) / (N - 1);
        sd[j] = sqrt(sd[j]);
    }
    table_reals("r", (const double *const[]){ x[0], x[1] }, 2, N);
    table_reals("o", (const double *const[]){ y[0], y[1] }, 2, M);
    run_ok("risk discriminant r o --error-sd 0.05,0.5 --confidence 0.9 --plausible 1");
    int matched = 0;
    for (int i = 0; i < M; i++) {
        double most = 0, sum = 0;
        for (int k = 0; k < N; k++) {
            double l = exp(-0.5 * (pow((y[0][i] - x[0][k]) / (0.05 * sd[0]), 2) + pow((y[1][i] - x[1][k]) / (0.5 * sd[1]), 2)));
            most = fmax(most, l);
            sum += l;
        }
        near(last_result->column[0].column->real[i], most / sum, 1e-9);
        matched += most / sum > 0.9;
    }
    near(value("matched"), matched, 0);
    near(value("threatened"), (double)matched / M, 1e-15);
}

/* One category of three values, ε = 0.1: agreeing is 0.9, differing 0.05. */
static void categories(void **state) {
    (void)state;
    table_from("r", "g\na\nb\nc\nc\n");
    table_from("o", "g\na\nc\n");
    run_ok("risk discriminant r o --error-rate 0.1 --confidence 0.8");
    near(last_result->column[0].column->real[0], 0.9 / (0.9 + 3 * 0.05), 1e-12);
    near(last_result->column[0].column->real[1], 0.9 / (2 * 0.9 + 2 * 0.05), 1e-12);
    near(value("threatened"), 0.5, 0);
    near(value("threatened_released"), 0.25, 0);
}

/* Records that are the same on all columns, some of them missing one: a posterior shared among equals, the lowest of them linked. */
static void duplicates(void **state) {
    (void)state;
    table_from("r", "id,x,g\n9,1,a\n1,0,a\n2,0,a\n3,9,b\n4,,b\n5,0,a\n6,9,\n");
    table_from("o", "id,x,g\n1,0,a\n1,0,a\n3,9,b\n,,a\n9,1,a\n");
    run_ok("risk discriminant r o --id id --error-sd 0.05 --confidence 0.3");
    /* what is missing is a value: g has three values, and the person without x is nearest to the record without x */
    const double differs = 0.05 / 0.95 / 2, expected[] = { 1.0 / 3, 1.0 / 3, 1 / (1 + differs), 1, 1 };
    for (int i = 0; i < 5; i++) near(last_result->column[0].column->real[i], expected[i], 1e-3);
    near(value("compared"), 5, 0);
    near(value("matched"), 5, 0);
    near(value("correct"), 0.8, 1e-15);
    near(value("threatened_released"), 4.0 / 7, 1e-15);
}

/* Each size's least and worst are those of runs with those columns alone, each number with its own error. */
static void by_keys(void **state) {
    (void)state;
    all_pairs(NULL);
    double one[2];
    run_ok("risk discriminant r o --vars a --error-sd 0.05 --confidence 0.9 --plausible 1");
    one[0] = value("threatened");
    run_ok("risk discriminant r o --vars b --error-sd 0.5 --confidence 0.9 --plausible 1");
    one[1] = value("threatened");
    run_ok("risk discriminant r o --error-sd 0.05,0.5 --confidence 0.9 --plausible 1 --by-keys");
    near(table_value("by_keys", "least", 0), fmin(one[0], one[1]), 0);
    near(table_value("by_keys", "worst", 0), fmax(one[0], one[1]), 0);
    near(table_value("by_keys", "median", 0), (one[0] + one[1]) / 2, 1e-15);
    near(table_value("by_keys", "subsets", 1), 1, 0);
    near(table_value("by_keys", "worst", 1), value("threatened"), 0);
}

static void identities(void **state) {
    (void)state;
    table_from("r", "id,x\n1,0\n2,10\n3,20\n");
    table_from("o", "id,x\n3,0.1\n2,10\n9,500\n");
    run_ok("risk discriminant r o --id id --error-sd 0.05");
    near(value("matched"), 2, 0); /* 500 is nearest to 20, and too far to be the same */
    near(value("correct"), 0.5, 0);
    run_ok("risk discriminant r o --id id --error-sd 0.05 --plausible 1");
    near(value("matched"), 2, 0);
    table_from("r", "a,b,c,x\n1,1,1,0\n2,2,2,50\n");
    table_from("o", "a,b,c,x\nu,v,w,0\n"); /* all three categories differ: not by chance */
    run_ok("risk discriminant r o --error-sd 0.05 --error-rate 0.01");
    near(value("matched"), 0, 0);
    run_ok("risk discriminant r o --error-sd 0.05 --error-rate 0.01 --plausible 1");
    near(value("matched"), 1, 0);
}

static void edges(void **state) {
    (void)state;
    table_from("r", "x,g\n1,a\n2,b\n");
    table_from("m", "x,g\n,\n");
    table_from("none", "x,g\n");
    table_from("other", "z\n1\n");
    run_ok("risk discriminant r m"); /* nothing is known of the one person: both records are as far */
    near(value("threatened"), 0, 0);
    near(last_result->column[0].column->real[0], 0.5, 1e-12);
    run_ok("risk discriminant r none");
    run_ok("risk discriminant none r");
    assert_int_equal(result_find(last_result, "threatened")->kind, VALUE_NULL);
    run_ok("risk discriminant r r");
    near(value("threatened"), 1, 0);
    run_bad("risk discriminant r other", "no column in common");
    run_bad("risk discriminant r r --error-sd 0.1,0.2", "one for each");
    run_bad("risk discriminant r r --error-sd 0", "error-sd");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_pairs), cmocka_unit_test(categories), cmocka_unit_test(duplicates),
                                        cmocka_unit_test(by_keys),   cmocka_unit_test(identities), cmocka_unit_test(edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
