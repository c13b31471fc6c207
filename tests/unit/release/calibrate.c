/* release.calibrate: every promise round trip, composition, refusals. */
#include "math/special/normal.h"
#include "math/privacy/noise.h"
#include "math/privacy/roc.h"
#include "methods.h"

static void ask(const char *rest, const char *mechanism) {
    char command[256];
    snprintf(command, sizeof command, "release calibrate --mechanism %s --sensitivity 2 %s", mechanism, rest);
    run_ok(command);
}

/* Each currency asked for is the currency got, for every mechanism that knows it. */
static void round_trips(void **state) {
    (void)state;
    static const char *const all[] = { "laplace", "gaussian", "discrete-laplace", "discrete-gaussian", "student-t", "logistic" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ask("--zcdp 0.3", all[i]);
        near(value("zcdp"), 0.3, 1e-6);
        ask("--gdp 0.8", all[i]);
        assert_true(value("gdp_mu") <= 0.8 + 1e-9 && value("gdp_mu") > 0.7);
        ask("--auc 0.6", all[i]);
        near(value("auc"), 0.6, 1e-6);
        ask("--sigma 3", all[i]);
        near(value("sigma"), 3, 1e-9);
        ask("--epsilon 1.5 --delta 0.001", all[i]);
        near(value("epsilon"), 1.5, 2e-2);
        assert_true(value("epsilon") <= 1.5 + 1e-9);
    }
    ask("--epsilon 1.5", "student-t");
    near(value("epsilon"), 1.5, 1e-12);
    ask("--epsilon 1.5", "logistic");
    near(value("scale"), 2 / 1.5, 1e-12);
}

/* δ at ε = 0 is the advantage, and no one-release area exceeds e^ε/(1+e^ε). */
static void consistent(void **state) {
    (void)state;
    static const char *const all[] = { "laplace", "gaussian", "discrete-laplace", "discrete-gaussian", "student-t", "logistic", "uniform" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ask("--scale 3", all[i]);
        near(table_value("curve", "delta", 0), value("advantage"), 1e-12);
        assert_true(value("auc") >= 0.5 && value("auc") < value("auc_one_release"));
        near(value("advantage"), fmin(value("advantage"), 2 * value("auc_one_release") - 1), 1e-12);
        double e = value("epsilon");
        if (!isnan(e)) assert_true(value("auc_one_release") <= exp(e) / (1 + exp(e)));
    }
    assert_int_equal(result_find(last_result, "zcdp")->kind, VALUE_NULL);
}

static void composition(void **state) {
    (void)state;
    run_ok("release calibrate --mechanism gaussian --sigma 10 --times 100 --delta 1e-6");
    double exact = value("composed_epsilon"), lower = value("composed_epsilon_lower");
    run_ok("release calibrate --mechanism gaussian --sigma 1 --delta 1e-6"); /* the same by closed form */
    assert_true(lower <= value("epsilon") && value("epsilon") <= exact && exact - value("epsilon") < 1e-5);
    run_ok("release calibrate --mechanism laplace --scale 2 --times 3 --with gaussian:1:5,discrete-laplace:1:4 --delta 1e-6");
    exact = value("composed_epsilon");
    for (int row = 1; row < 4; row++) assert_true(exact <= table_value("composition", "epsilon", row));
    assert_true(value("composed_epsilon_lower") <= exact);
    run_bad("release calibrate --mechanism laplace --scale 2 --with gausian:1:5", "gaussian");
    run_bad("release calibrate --mechanism laplace --scale 2 --with gaussian:1:x", "with");
}

/* The audit's wrong numbers. */
static void many_and_extreme(void **state) {
    (void)state;
    run_ok("release calibrate --mechanism gaussian --scale 1000 --times 1000000 --delta 1e-6");
    near(value("composed_epsilon"), 4.88655, 1e-5);
    assert_true(value("composed_epsilon_lower") <= 4.886554 && value("composed_epsilon_lower") > 4.88);
    for (int times = 1000; times <= 1000000; times *= 1000) {
        char command[256];
        snprintf(command, sizeof command, "release calibrate --mechanism laplace --scale 1000 --times %d --delta 1e-6", times);
        run_ok(command);
        assert_true(value("composed_epsilon_lower") <= value("composed_epsilon"));
        double normal = sqrt((double)times) / 1000; /* so many small ones are next to a normal one of this μ */
        near(value("composed_epsilon"), noise_epsilon_at(&(Noise){ .family = GAUSSIAN_NOISE, .scale = 1, .shift = normal }, 1e-6),
             0.03 + 0.01 * value("composed_epsilon"));
    }
    run_ok("release calibrate --mechanism student-t --df 1e6 --scale 1");
    near(value("zcdp"), 0.5, 1e-5);
    near(value("gdp_mu"), 1, 1e-3);
    run_ok("release calibrate --mechanism student-t --df 1e6 --zcdp 0.1");
    near(value("scale"), sqrt(5), 1e-4);
    run_ok("release calibrate --mechanism discrete-laplace --epsilon 60");
    near(value("gdp_mu"), 21.299184769, 1e-6); /* 2Φ⁻¹(1 − e^−60/(1 + e^−60)) */
    run_ok("release calibrate --mechanism gaussian --noncentrality 0.25,0.25,0.25,0.25,0.25,0.05,0.05");
    near(value("auc"), 0.598088, 1e-6);
    near(value("auc_direction"), roc_auc(1.35), 1e-12);
    near(value("auc_informed"), normal_lower(sqrt(1.35)), 1e-12);
}

/* Two elements with Laplace noise: the score's distribution on a fine grid of both differences, listed and ranked. */
typedef struct Mass {
    double score, same, different;
} Mass;
static int by_score(const void *a, const void *b) {
    return (((const Mass *)a)->score > ((const Mass *)b)->score) - (((const Mass *)a)->score < ((const Mass *)b)->score);
}
static double difference_density(double d) { return (1 + fabs(d)) * exp(-fabs(d)) / 4; }
static double grid_auc(double first, double second) {
    enum { STEPS = 401 };
    static Mass one[2][STEPS], both[STEPS * STEPS];
    const double epsilon[2] = { first, second };
    double width = 50.0 / STEPS, below = 0, area = 0, total[2] = { 0, 0 };
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < STEPS; i++) {
            double d = (i - STEPS / 2) * width, e = epsilon[k], same = difference_density(d),
                   either = (difference_density(d - e) + difference_density(d + e)) / 2;
            one[k][i] = (Mass){ log(either / same), same, difference_density(d - e) };
        }
    for (int i = 0; i < STEPS; i++)
        for (int j = 0; j < STEPS; j++) {
            Mass m = { one[0][i].score + one[1][j].score, one[0][i].same * one[1][j].same, one[0][i].different * one[1][j].different };
            both[i * STEPS + j] = m;
            total[0] += m.same, total[1] += m.different;
        }
    qsort(both, STEPS * STEPS, sizeof *both, by_score);
    for (int i = 0; i < STEPS * STEPS; i++) {
        area += both[i].different * (below + both[i].same / 2);
        below += both[i].same;
    }
    return area / total[0] / total[1];
}

/* False alarms: each simulated area leaves its 99.9% bound at most once in a thousand; the seeds are fixed. */
static void laplace_vectors(void **state) {
    (void)state;
    static const double wanted[] = { 0.555479, 0.672940, 0.788405 };
    for (int e = 1; e <= 3; e++) {
        char command[160];
        snprintf(command, sizeof command, "release calibrate --mechanism laplace --elements %d --draws 400000", e);
        run_ok(command);
        near(value("auc"), wanted[e - 1], value("auc_error"));
        near(value("auc_informed"), 1 - exp(-e) * (2 + e) / 4, value("auc_error"));
        near(value("epsilon"), e, 1e-12);
        assert_true(value("auc_lower") < value("auc") && value("auc") < value("auc_upper") && value("auc_error") < 0.0031);
    }
    static const double pairs[][2] = { { 1, 1 }, { 0.5, 2 }, { 2, 2 } };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char command[160];
        snprintf(command, sizeof command, "release calibrate --mechanism laplace --elements %g,0,%g --draws 400000", pairs[i][0],
                 pairs[i][1]);
        run_ok(command);
        near(value("auc"), grid_auc(pairs[i][0], pairs[i][1]), value("auc_error"));
        near(value("zcdp"), laplace_zcdp(pairs[i][0]) + laplace_zcdp(pairs[i][1]), 1e-12);
        run_ok("release calibrate --mechanism laplace --elements 1,1 --draws 100");
        assert_true(value("auc_error") > 0.19);
    }
    run_bad("release calibrate --mechanism gaussian --elements 1,1", "laplace");
    run_bad("release calibrate --mechanism laplace --epsilon 1 --draws 1000", "--elements");
    run_bad("release calibrate --mechanism laplace --elements 1,1 --times 3", "--elements");
    run_bad("release calibrate --mechanism laplace --elements 1,1 --method monte-carlo", "--elements");
}

/* Lee & Clifton's figures: the largest risk touches what is promised for the median, and stays below for the mean; a box only where it can be
 * promised. */
static const Chart *chart_titled(const char *title) {
    for (int64_t i = 0; i < last_result->charts; i++)
        if (!strncmp(last_result->chart[i]->title, title, strlen(title))) return last_result->chart[i];
    fail_msg("no chart %s", title);
    return NULL;
}
static void figures(void **state) {
    (void)state;
    for (int median = 0; median < 2; median++) {
        run_ok(median ? "release calibrate --mechanism laplace --identifiability 0.5 --world-values 2,3,3,3,3,3,3,3"
                      : "release calibrate --mechanism laplace --identifiability 0.5 --world-values 6,8,9,10,11,12,13,14");
        const Series *risk = &chart_titled("Largest risk")->series[0];
        bool below = false;
        for (int64_t i = 0; i < risk->count; i++) {
            assert_true(risk->x[i] > 0.125 && risk->y[i] <= risk->x[i] + 1e-12);
            below |= risk->y[i] < risk->x[i] - 0.01;
            if (median) near(risk->y[i], risk->x[i], 1e-9);
        }
        assert_int_equal(below, !median);
    }
    run_ok("release calibrate --mechanism laplace --identifiability 0.1 --worlds 99 --sensitivity 0.002 --range 98");
    const Series *boxes = &chart_titled("Noise over the range of the data, by identifiability")->series[0];
    assert_int_equal(boxes->count, 8); /* 0.0005 and 0.001 are below 1/99 */
    near(boxes->y[5 * 4 + 3], log(2) * value("scale") / 98, 1e-12);
    near(boxes->y[5 * 4 + 1], -log(2) * value("scale") / 98, 1e-12);
    near(boxes->y[5 * 4 + 4], log(1000) * value("scale") / 98, 1e-9);
    assert_int_equal(chart_titled("Noise over the range of the data, by ε")->series[0].count, 7);
}

static void refusals(void **state) {
    (void)state;
    run_bad("release calibrate --mechanism gaussian --epsilon 1", "δ");
    run_bad("release calibrate --mechanism laplace --noncentrality 1", "gaussian");
    run_bad("release calibrate --mechanism laplace", "one of");
    run_bad("release calibrate --mechanism laplace --epsilon 1 --scale 1", "only one");
    run_bad("release calibrate --mechanism discrete-laplace --sensitivity 1.5 --epsilon 1", "whole");
    run_bad("release calibrate --mechanism laplace --identifiability 0.1", "worlds");
    run_bad("release calibrate --mechanism laplace --identifiability 0.5 --world-values 1,1,1 --tight", "same value");
    run_bad("release calibrate --mechanism laplace --identifiability 0.5 --world-values 1,2,3 --priors 0.5,0.5,0.5 --tight", "add up");
    run_bad("release calibrate --mechanism gaussian --noncentrality 0", "infinite");
    run_bad("release calibrate --mechanism uniform --zcdp 1", "no guarantee");
    run_bad("release calibrate --mechanism student-t --df 2 --sigma 1", "standard deviation");
    run_bad("release calibrate --mechanism laplace --scale 1 --df 3", "student-t");
}

/* Priors of their own: the worst risk is met with equality. */
static void priors(void **state) {
    (void)state;
    run_ok("release calibrate --mechanism laplace --identifiability 0.6 --world-values 0,1,5 --priors 0.2,0.3,0.5 --tight");
    double b = value("scale"), worst = 0, v[] = { 0, 1, 5 }, p[] = { 0.2, 0.3, 0.5 };
    for (int j = 0; j < 3; j++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += p[k] * exp(-fabs(v[j] - v[k]) / b);
        worst = fmax(worst, p[j] / sum);
    }
    near(worst, 0.6, 1e-9);
}

/* Composition by hand: Laplace noise of ε = 0.1, a hundred times, δ = 10⁻⁶. Basic, pure: 100·0.1. Basic: each at δ/100 = 10⁻⁸ is 0.1 + 2
 * ln(1 − 10⁻⁸). Advanced, all of δ left as no part has one: 100·0.1·tanh(0.05) + √(2·100·0.01·ln 10⁶) = 0.4995838 + 5.2565218. */
static void composed_by_hand(void **state) {
    (void)state;
    static const double wanted[] = { 10, 9.999998, 5.756105519 };
    run_ok("release calibrate --mechanism laplace --scale 10 --times 100 --delta 1e-6");
    for (int i = 0; i < 3; i++) near(table_value("composition", "epsilon", i), wanted[i], 1e-7);
}

/* Lee & Clifton 2012, section 5: capital-gain's λ = 0.219779 over a range of 99,999; every family's mean size is that of its quantiles. */
static void test_noise_ratio(void **state) {
    (void)state;
    run_ok("release calibrate --mechanism laplace --scale 0.219779 --range 99999");
    near(value("noise_ratio"), 0.219779 / 99999, 1e-18);
    static const char *const families[] = { "laplace", "gaussian", "uniform", "student-t --df 6", "logistic" };
    for (int f = 0; f < 5; f++) {
        char command[128];
        double mean = 0;
        enum { STEPS = 60 };
        for (int k = 0; k < STEPS; k++) { /* levels denser towards 1: 1 − (1 − u)³ */
            double u = (k + .5) / STEPS, level = 1 - pow(1 - u, 3);
            snprintf(command, sizeof command, "release calibrate --mechanism %s --scale 2 --range 1 --level %.17g", families[f], level);
            run_ok(command);
            mean += value("half_width") * 3 * pow(1 - u, 2) / STEPS;
        }
        near(value("noise_ratio"), mean, 1e-3);
    }
    run_ok("release calibrate --mechanism discrete-laplace --scale 1 --range 1");
    double sum = 0, all = 1;
    for (int k = 1; k < 60; k++) {
        sum += 2 * k * exp(-k);
        all += 2 * exp(-k);
    }
    near(value("noise_ratio"), sum / all, 1e-12);
    run_ok("release calibrate --mechanism discrete-gaussian --scale 100 --range 1");
    near(value("noise_ratio"), 100 * sqrt(2 / M_PI), 1e-2);
    run_ok("release calibrate --mechanism student-t --df 1 --scale 2 --range 1");
    assert_true(isnan(value("noise_ratio")));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_noise_ratio), cmocka_unit_test(round_trips),
                                        cmocka_unit_test(consistent),       cmocka_unit_test(composition),
                                        cmocka_unit_test(composed_by_hand), cmocka_unit_test(many_and_extreme),
                                        cmocka_unit_test(laplace_vectors),  cmocka_unit_test(figures),
                                        cmocka_unit_test(refusals),         cmocka_unit_test(priors) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
