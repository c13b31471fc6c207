/* How far one person moves each part of an answer, what noise that asks for, and from what count on a private key is shown: worked out by
 * hand for kinds of query × unit × group × records per person × grouped, and written down as numbers. */
#include "methods.h"

typedef struct Case {
    const char *query, *rest;
    int part; /* row of the table of parts */
    double sensitivity, scale;
} Case;

/* Four records, x in [2, 10]: range 8, the end further from 0 is 10, the middle 6. y in [−3, 5]. The promise is ε = 1 or ρ = 1/2 (then the
 * scale is the sensitivity in the sense of l2 where one measure has all of it) or μ = 2. */
static const Case cases[] = {
    /* counts: replaced, one leaves a group and enters another */
    { "count() by g", "--epsilon 1 --public-keys keys", 0, 2, 2 },
    { "count() by g", "--epsilon 1 --public-keys keys --unit add-remove", 0, 1, 1 },
    { "count() by g", "--epsilon 1 --public-keys keys --group 3", 0, 6, 6 },
    { "count() by g", "--epsilon 1 --public-keys keys --group 3 --unit add-remove", 0, 3, 3 },
    { "count() by g", "--epsilon 1 --public-keys keys --person id --max-records 2", 0, 4, 4 },
    { "count() by g", "--epsilon 1 --public-keys keys --person id --max-records 2 --unit add-remove", 0, 2, 2 },
    { "count() by g", "--epsilon 1 --public-keys keys --person id --max-records 2 --group 3", 0, 12, 12 },
    { "count() by g", "--zcdp 0.5 --public-keys keys", 0, 1.4142135623730951, 1.4142135623730951 },
    { "count() by g", "--zcdp 0.5 --public-keys keys --unit add-remove", 0, 1, 1 },
    { "count() by g", "--zcdp 0.5 --public-keys keys --group 3", 0, 4.242640687119285, 4.242640687119285 },
    { "count() by g", "--gdp 2 --public-keys keys --group 3", 0, 4.242640687119285, 2.1213203435596424 },
    { "count() by g", "--gdp 2 --public-keys keys --person id --max-records 2 --unit add-remove", 0, 2, 1 },
    { "count() where x > 3", "--epsilon 1", 0, 1, 1 },
    { "count() where x > 3", "--epsilon 0.25 --unit add-remove", 0, 1, 4 },
    { "count() where x > 3", "--epsilon 1 --group 3", 0, 3, 3 },
    { "count()", "--epsilon 1 --unit add-remove", 0, 1, 1 },
    { "histogram(x, 4)", "--epsilon 1", 0, 2, 2 },
    { "histogram(x, 4)", "--epsilon 1 --unit add-remove --group 2", 0, 2, 2 },
    /* sums: within the whole table by the range, where records may not count by the end further from 0, between groups by both ends */
    { "sum(x)", "--epsilon 1", 0, 8, 8 },
    { "sum(x)", "--epsilon 1 --unit add-remove", 0, 10, 10 },
    { "sum(x)", "--epsilon 1 --group 3", 0, 24, 24 },
    { "sum(x)", "--epsilon 1 --person id --max-records 2", 0, 20, 20 },
    { "sum(x)", "--epsilon 1 --person id --max-records 2 --unit add-remove --group 3", 0, 60, 60 },
    { "sum(x) where x > 3", "--epsilon 1", 0, 10, 10 },
    { "sum(y) where x > 3", "--epsilon 1", 0, 8, 8 },
    { "sum(y) where x > 3", "--epsilon 1 --unit add-remove", 0, 5, 5 },
    { "sum(x) by g", "--epsilon 1 --public-keys keys", 0, 20, 20 },
    { "sum(y) by g", "--epsilon 1 --public-keys keys", 0, 10, 10 },
    { "sum(y) by g", "--zcdp 0.5 --public-keys keys", 0, 8, 8 }, /* apart: 5√2 = 7.07; within one group 8 */
    { "sum(x) by g", "--zcdp 0.5 --public-keys keys", 0, 14.142135623730951, 14.142135623730951 },
    { "sum(x) by g", "--epsilon 1 --public-keys keys --unit add-remove", 0, 10, 10 },
    /* means: (hi − lo)/n, or a sum about the middle and a count, with half of the promise each */
    { "mean(x)", "--epsilon 1", 0, 2, 2 },
    { "mean(x)", "--epsilon 1 --group 2", 0, 4, 4 },
    { "mean(x)", "--zcdp 0.5", 0, 2, 2 },
    { "mean(x)", "--epsilon 1 --unit add-remove", 0, 4, 8 },
    { "mean(x)", "--epsilon 1 --unit add-remove", 1, 1, 2 },
    { "mean(x) where x > 3", "--epsilon 1", 0, 8, 16 },
    { "mean(x) where x > 3", "--epsilon 1", 1, 1, 2 },
    { "mean(x) where x > 3", "--zcdp 0.5", 0, 8, 11.313708498984761 },
    { "mean(x) by g", "--epsilon 1 --public-keys keys", 0, 8, 16 },
    { "mean(x) by g", "--epsilon 1 --public-keys keys", 1, 2, 4 },
    { "mean(x)", "--epsilon 1 --person id --max-records 2", 0, 16, 32 },
    { "mean(x)", "--epsilon 1 --person id --max-records 2", 1, 2, 4 },
    /* spreads of the whole table: R²/n, R/√n; of others three sums, with a third each; squares about the middle reach 4² */
    { "variance(x)", "--epsilon 1", 0, 16, 16 },
    { "variance(x)", "--epsilon 1 --group 2", 0, 32, 32 },
    { "sd(x)", "--epsilon 1", 0, 4, 4 },
    { "covariance(x, y)", "--epsilon 1", 0, 16, 16 },
    { "variance(x)", "--epsilon 1 --unit add-remove", 0, 1, 3 },
    { "variance(x)", "--epsilon 1 --unit add-remove", 1, 4, 12 },
    { "variance(x)", "--epsilon 1 --unit add-remove", 2, 16, 48 },
    { "covariance(x, y) where x > 3", "--epsilon 1", 2, 32, 128 }, /* products in [−16, 16] */
    /* moments: the mean of squares from 4 to 100 */
    { "moment(x, 2)", "--epsilon 1", 0, 24, 24 },
    /* order statistics: the largest weight times the range */
    { "trimmed(x, 0.25)", "--epsilon 1", 0, 4, 4 },
    { "median(x)", "--noncentrality 0.5", 0, 4, 4 },
    { "quantile(x, 1)", "--noncentrality 0.5", 0, 8, 8 },
    /* shares: two queries halve the promise, weights divide it */
    { "sum(x); sum(y)", "--epsilon 1", 0, 8, 16 },
    { "sum(x) [3]; sum(y)", "--epsilon 1", 0, 8, 10.666666666666666 },
    { "sum(x) [3]; sum(y)", "--epsilon 1", 1, 8, 32 },
    { "sum(x); sum(y)", "--zcdp 0.5", 0, 8, 11.313708498984761 },
};

typedef struct Gate {
    const char *query, *rest;
    double threshold;
} Gate;

/* A key that one person has shows with probability δ at most: most + reach + 1, reach = −b·ln(2δ/(queries·most)) for Laplace noise of scale
 * b, σ·Φ⁻¹(1 − δ/(queries·most)) for normal noise. */
static const Gate gates[] = {
    { "count() by g", "--zcdp 0.5 --delta 1e-6", 8.7223571252513 }, /* σ = √2, Φ⁻¹(1 − 1e-6) = 4.753424 */
    { "count() by g", "--zcdp 0.5 --delta 1e-6 --unit add-remove", 6.753424308822899 },
    { "count() by g", "--zcdp 0.5 --delta 1e-6 --unit add-remove --group 3", 18.912491910148738 },                  /* σ = 3, δ/3 */
    { "count() by g", "--zcdp 0.5 --delta 1e-6 --unit add-remove --person id --max-records 2", 12.78327695139718 }, /* σ = 2, δ/2 */
    { "count() by g; sum(x) by g", "--zcdp 0.5 --delta 1e-6 --unit add-remove", 8.917821474559 }, /* σ = √2, half of ρ; δ/2 */
    { "count() by g", "--identifiability 0.5 --worlds 3 --delta 1e-6", 39.86313713864835 },       /* ε = ln 2, b = 2/ε */
    { "count() by g", "--identifiability 0.5 --worlds 3 --delta 1e-6 --unit add-remove", 39.86313713864835 }, /* ε = ln 2/2, b = 1/ε */
    { "count() by g", "--identifiability 0.5 --worlds 3 --delta 1e-6 --unit add-remove --group 2", 82.7262742772967 },
};

static char command[1024];
static void release(const char *query, const char *rest) {
    snprintf(command, sizeof command, "release query data --query '%s' --bounds x:2:10,y:-3:5 %s --no-ledger", query, rest);
    assert_int_equal(run_seeded(1, command), OK);
}

static void by_hand(void **state) {
    (void)state;
    table_from("data", "id,x,y,g\n1,3,-3,a\n2,4,0,a\n3,9,5,b\n4,10,1,b\n");
    table_from("keys", "g\na\nb\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        release(c->query, c->rest);
        double sensitivity = table_value("parts", "sensitivity", c->part), scale = table_value("parts", "scale", c->part);
        if (fabs(sensitivity - c->sensitivity) > 1e-6 * c->sensitivity || fabs(scale - c->scale) > 1e-6 * c->scale)
            fail_msg("%s %s, part %d: %.10g, %.10g; by hand %.10g, %.10g", c->query, c->rest, c->part, sensitivity, scale, c->sensitivity,
                     c->scale);
    }
}

static void thresholds(void **state) {
    (void)state;
    table_from("data", "id,x,y,g\n1,3,-3,a\n2,4,0,a\n3,9,5,b\n4,10,1,b\n");
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        release(gates[i].query, gates[i].rest);
        if (fabs(value("threshold") - gates[i].threshold) > 1e-5 * gates[i].threshold)
            fail_msg("%s %s: %.10g; by hand %.10g", gates[i].query, gates[i].rest, value("threshold"), gates[i].threshold);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(thresholds) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
