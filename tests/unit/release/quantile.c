/* Medians and quantiles by the exponential mechanism: the promise by enumeration of all neighbouring tables, and how near they come. */
#include "math/exponential_mechanism.h"
#include "release/query/query.h"
#include "methods.h"

enum { GRID = 5 };

/* The probability of each place of 0 … 4, for m records there, at rate η = 1. */
static void probabilities(const int *record, int m, double p, double *out) {
    double total = 0;
    for (int o = 0; o < GRID; o++) {
        int below = 0, above = 0;
        for (int i = 0; i < m; i++) below += record[i]<o, above += record[i]> o;
        total += out[o] = exp(-(double)quantile_loss(below, above, m, p));
    }
    for (int o = 0; o < GRID; o++) out[o] /= total;
}

static double worst_ratio(const double *a, const double *b) {
    double worst = 0;
    for (int o = 0; o < GRID; o++) worst = fmax(worst, fabs(log(a[o] / b[o])));
    return worst;
}

/* Every table of up to five records on five places, each of its records replaced by each value, or removed: the ratio is at most e^(2η),
 * and reaches more than e^η. */
static void neighbours(void **state) {
    (void)state;
    static const double shares[] = { 0, 0.1, 0.25, 0.5, 2 / 3.0, 0.9, 1 };
    double reached = 0;
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
        for (int m = 1; m <= 5; m++) {
            int tables = 1;
            for (int i = 0; i < m; i++) tables *= GRID;
            for (int t = 0; t < tables; t++) {
                int record[5], rest = t;
                double here[GRID], there[GRID];
                for (int i = 0; i < m; i++, rest /= GRID) record[i] = rest % GRID;
                probabilities(record, m, shares[s], here);
                for (int o = 0; o < GRID; o++) { /* the last one stands for any: all orders occur */
                    int kept = record[m - 1];
                    record[m - 1] = o;
                    probabilities(record, m, shares[s], there);
                    record[m - 1] = kept;
                    reached = fmax(reached, worst_ratio(here, there));
                }
                probabilities(record, m - 1, shares[s], there);
                reached = fmax(reached, worst_ratio(here, there));
            }
        }
    assert_true(reached <= 2 + 1e-12 && reached > 1);
}

static void zero_loss_is_a_quantile(void **state) {
    (void)state;
    assert_int_equal(quantile_loss(5, 5, 10, 0.5), 0);
    assert_int_equal(quantile_loss(6, 4, 10, 0.5), 1);
    assert_int_equal(quantile_loss(0, 10, 10, 0.5), 5);
    assert_int_equal(quantile_loss(0, 9, 10, 0), 0);
    assert_int_equal(quantile_loss(2, 7, 10, 0.25), 0);
}

static void ages(void) {
    static char text[8192];
    size_t at = (size_t)snprintf(text, sizeof text, "age,g\n");
    for (int i = 0; i < 300; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%d,%s\n", 18 + (i * 37 + i * i) % 78 / 2 + (i * 13) % 39, i % 3 ? "a" : "b");
    table_from("ages", text);
}

/* ε = 1, n = 300, ages from 18 to 95: within three years in at least 95 of 100 draws. */
static void of_use(void **state) {
    (void)state;
    ages();
    run_ok("release query ages --query median(age) --bounds age:18:95 --epsilon 900 --no-ledger");
    double exact = table_value("answers", "answer", 0);
    int near_it = 0;
    for (int i = 0; i < 100; i++) {
        run_ok("release query ages --query median(age) --bounds age:18:95 --epsilon 1 --no-ledger");
        double answer = table_value("answers", "answer", 0);
        near_it += fabs(answer - exact) <= 3;
        assert_true(answer == floor(answer) && answer >= 18 && answer <= 95);
    }
    assert_true(near_it >= 95);
}

static void every_promise(void **state) {
    (void)state;
    static const char *const rests[] = { "--epsilon 5",
                                         "--epsilon 5 --delta 1e-6",
                                         "--zcdp 2",
                                         "--gdp 3",
                                         "--identifiability 0.9 --worlds 78",
                                         "--epsilon 5 --unit add-remove",
                                         "--neighbours worlds --identifiability 0.9" };
    ages();
    table_from("keys", "g\na\nb\nc\n");
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        char command[512];
        snprintf(command, sizeof command, "release query ages --query 'median(age); quantile(age, 0.9)' --bounds age:18:95 %s --no-ledger",
                 rests[i]);
        run_ok(command);
        near(table_value("answers", "answer", 0), 55, 20);
        assert_true(table_value("answers", "answer", 1) > 60);
        if (strstr(rests[i], "worlds")) continue;
        snprintf(command, sizeof command,
                 "release query ages --query 'median(age) where age > 20 by g' --bounds age:18:95 --public-keys keys %s --no-ledger",
                 rests[i]);
        run_ok(command);
        assert_int_equal(result_find_table(last_result, "answers")->rows, 3); /* nobody has c: any place */
    }
    run_ok("release query ages --query 'median(age)' --schema '{columns: {age: {type: real, bounds: [0, 100], step: 0.5}}}' --epsilon 9 "
           "--no-ledger");
    near(table_value("parts", "grid", 0), 0.5, 0);
    run_bad("release query ages --query median(age) --bounds age:18:95 --epsilon 1e-13 --no-ledger", "range");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(neighbours), cmocka_unit_test(zero_loss_is_a_quantile), cmocka_unit_test(of_use),
                                        cmocka_unit_test(every_promise) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
