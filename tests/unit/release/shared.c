/* Queries that share their sums, weights of queries, correlations: what one person moves stays within the promise, and answers agree with
 * one another. */
#include "math/privacy/noise.h"
#include "methods.h"

static char command[1024];
static void release(const char *query, const char *rest) {
    snprintf(command, sizeof command, "release query data --query '%s' --bounds x:0:20,y:0:10 %s --no-ledger", query, rest);
    run_ok(command);
}
static void data(void) {
    static char text[16384];
    size_t at = (size_t)snprintf(text, sizeof text, "x,y,g\n");
    for (int i = 0; i < 400; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%d,%d,%s\n", i % 21, (i % 21) / 3 + i % 4, i % 2 ? "a" : "b");
    table_from("data", text);
    table_from("keys", "g\na\nb\n");
}
static int64_t parts(void) { return result_find_table(last_result, "parts")->rows; }
/* Σ Δ/b over the noisy parts: the ε that is spent. */
static double spent(void) {
    double sum = 0;
    for (int64_t i = 0; i < parts(); i++)
        if (table_value("parts", "scale", i) > 0) sum += table_value("parts", "sensitivity", i) / table_value("parts", "scale", i);
    return sum;
}

static void sums_are_shared(void **state) {
    (void)state;
    data();
    static const struct {
        const char *query;
        int64_t parts;
    } list[] = { { "mean(x) where y > 0; variance(x) where y > 0; sd(x) where y > 0", 3 },
                 { "sd(x) where y > 0; mean(x) where y > 0", 3 },
                 { "mean(x) where y > 0; mean(x) where y > 1", 4 },
                 { "mean(x) where y > 0; mean(x) where (y>0)", 2 },
                 { "variance(x); sd(x)", 1 },
                 { "sd(x); variance(x)", 1 },
                 { "sd(x)", 1 },
                 { "mean(x) by g; sd(x) by g", 3 },
                 { "mean(x) by g; sd(x) where y > 0 by g", 5 },
                 { "correlation(x, y)", 6 },
                 { "correlation(x, y) where x > 2; covariance(x, y) where x > 2", 6 },
                 { "mean(x) where y > 0; moment(x, 2) where y > 0", 4 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        release(list[i].query, "--epsilon 2 --public-keys keys");
        assert_int_equal(parts(), list[i].parts);
        near(spent(), 2, 1e-5);
    }
    release("variance(x); sd(x)", "--epsilon 5");
    near(table_value("answers", "answer", 1), sqrt(table_value("answers", "answer", 0)), 1e-9);
    release("variance(x) where y > 0; sd(x) where y > 0", "--epsilon 9");
    near(table_value("answers", "answer", 1), sqrt(table_value("answers", "answer", 0)), 1e-9);
}

static void weights(void **state) {
    (void)state;
    data();
    release("mean(x) [3]; sum(y)", "--epsilon 2");
    near(table_value("parts", "sensitivity", 0) / table_value("parts", "scale", 0), 1.5, 1e-6);
    near(table_value("parts", "sensitivity", 1) / table_value("parts", "scale", 1), 0.5, 1e-6);
    release("mean(x) where y > 2 [3]; sum(y) [2]", "--zcdp 1");
    double first = table_value("parts", "sensitivity", 0) / table_value("parts", "scale", 0),
           last = table_value("parts", "sensitivity", 2) / table_value("parts", "scale", 2);
    near(first * first / 2, 0.3, 1e-6); /* half of three fifths */
    near(last * last / 2, 0.4, 1e-6);
    snprintf(command, sizeof command, "release query data --query 'mean(x) [0]' --bounds x:0:20 --epsilon 1 --no-ledger");
    run_bad(command, "whole number");
    snprintf(command, sizeof command, "release query data --query 'mean(x) [2' --bounds x:0:20 --epsilon 1 --no-ledger");
    run_bad(command, "]");
    snprintf(command, sizeof command, "release query data --query 'mean(x) [2] [3]' --bounds x:0:20 --epsilon 1 --no-ledger");
    run_bad(command, "one whole number");
}

static void correlations(void **state) {
    (void)state;
    data();
    release("correlation(x, y)", "--epsilon 900");
    near(table_value("answers", "answer", 0), 0.864251, 0.01); /* of the 400 records */
    assert_true(table_value("answers", "lower", 0) > 0.78 &&
                table_value("answers", "upper", 0) < 0.93); /* sampling, where there is next to no noise */
    release("correlation(x, y) by g", "--epsilon 900 --public-keys keys");
    assert_int_equal(result_find_table(last_result, "answers")->rows, 2);
    release("correlation(x, x)", "--epsilon 900");
    near(table_value("answers", "answer", 0), 1, 1e-3);
    release("correlation(x, y)", "--epsilon 0.01");
    assert_true(fabs(table_value("answers", "answer", 0)) <= 1);
}

/* Every pair of neighbouring tables of four records on a small grid: what the noisy sums are made of moves no further than the parts say.
 */
static void exhaustive(void **state) {
    (void)state;
    double most[6] = { 0 }, sums[2][6];
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++) { /* one record (x, y) in {0, 10, 20} × {0, 5, 10} replaced by another, or left out by the where */
            const double x[] = { a / 3 * 10 - 10, b / 3 * 10 - 10 }, y[] = { a % 3 * 5 - 5, b % 3 * 5 - 5 };
            for (int k = 0; k < 2; k++) {
                sums[k][0] = 1;
                sums[k][1] = x[k];
                sums[k][2] = x[k] * y[k];
                sums[k][3] = y[k];
                sums[k][4] = x[k] * x[k];
                sums[k][5] = y[k] * y[k];
            }
            for (int k = 0; k < 6; k++) most[k] = fmax(most[k], fmax(fabs(sums[0][k] - sums[1][k]), fabs(sums[0][k])));
        }
    data();
    release("correlation(x, y) where x >= 0", "--epsilon 1");
    for (int64_t k = 0; k < 6; k++) near(table_value("parts", "sensitivity", k), most[k], 1e-6 * most[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(sums_are_shared), cmocka_unit_test(weights), cmocka_unit_test(correlations),
                                        cmocka_unit_test(exhaustive) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
