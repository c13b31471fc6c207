/* The exact values of Matthews & Harel 2012 and Lee & Clifton 2012, and the exchange rates. */
#include "methods.h"

static double of(const char *name, const char *command) {
    run_ok(command);
    return value(name);
}

/* One statistic: AUC(l) = p² + (1−p)². */
static void one_element(void **state) {
    (void)state;
    static const double l[] = { 0, 0.05, 0.1, 0.25, 0.5, 1, 2 },
                        auc[] = { 0.5, 0.507892, 0.515653, 0.538178, 0.573316, 0.635460, 0.733032 };
    for (size_t i = 1; i < sizeof l / sizeof *l; i++) {
        char command[128];
        snprintf(command, sizeof command, "release calibrate --mechanism gaussian --noncentrality %g", l[i]);
        near(of("auc", command), auc[i], 5e-7);
        near(value("privacy"), 1 - auc[i], 5e-7);
        near(value("noncentrality"), l[i], 1e-12);
    }
    near(of("auc", "release calibrate --mechanism gaussian --noncentrality 0,0.1"), auc[2], 5e-7);
    run_ok("release calibrate --mechanism gaussian --auc 0.55");
    near(value("auc"), 0.55, 1e-12);
    double p = 0.5 * erfc(-sqrt(value("noncentrality") / 2) / sqrt(2));
    near(p * p + (1 - p) * (1 - p), 0.55, 1e-12);
}

/* Table 1: two elements with normal(0,1) noise, l = Δ²/2. */
static void two_elements(void **state) {
    (void)state;
    static const double delta[] = { 0, 0.1, 0.25, 0.5, 2 };
    static const double exact[5][5] = { { 0.5, 0.500795, 0.504948, 0.519486, 0.733032 },
                                        { 0, 0.501248, 0.505121, 0.519549, 0.733036 },
                                        { 0, 0, 0.507752, 0.520870, 0.733138 },
                                        { 0, 0, 0, 0.530296, 0.734324 },
                                        { 0, 0, 0, 0, 0.817505 } };
    for (int i = 0; i < 5; i++)
        for (int j = i; j < 5; j++) {
            char command[160];
            if (!j) continue;
            snprintf(command, sizeof command, "release calibrate --mechanism gaussian --noncentrality %.17g,%.17g", delta[i] * delta[i] / 2,
                     delta[j] * delta[j] / 2);
            near(of("auc", command), exact[i][j], 6e-7);
            assert_true(value("auc_error") < 1e-6);
        }
}

/* Table 4, and the vector of five and two. */
static void longer_vectors(void **state) {
    (void)state;
    static const double exact[] = { 0.515653, 0.524386, 0.530896, 0.536277, 0.540957, 0.545150, 0.548979 };
    char command[256] = "release calibrate --mechanism gaussian --noncentrality 0.1";
    for (int p = 0; p < 7; p++) {
        near(of("auc", command), exact[p], 6e-7);
        strcat(command, ",0.1");
    }
    near(of("auc", "release calibrate --mechanism gaussian --noncentrality 0.25,0.25,0.25,0.25,0.25,0.05,0.05"), 0.598088, 6e-7);
    near(of("auc", "release calibrate --mechanism gaussian --noncentrality 0.005,2"), 0.733036, 6e-7);
}

static void laplace(void **state) {
    (void)state;
    near(of("auc", "release calibrate --mechanism laplace --sensitivity 1 --scale 1"), 0.555479, 5e-7);
    near(value("auc_one_release"), 0.724090, 5e-7);
    near(value("epsilon"), 1, 1e-12);
    near(value("zcdp"), 0.367879, 5e-7);
    near(value("gdp_mu"), 1.030064, 5e-7);
    near(value("advantage"), 1 - exp(-0.5), 1e-12);
    near(value("bayes_factor"), exp(1), 1e-12);
    near(of("auc", "release calibrate --mechanism laplace --sensitivity 2 --scale 1"), 0.672940, 5e-7);
    near(of("auc", "release calibrate --mechanism laplace --sensitivity 3 --scale 1"), 0.788405, 5e-7);
}

/* Balle & Wang's analytic Gaussian: δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ). */
static double gaussian_delta(double mu, double e) {
    return 0.5 * erfc(-(mu / 2 - e / mu) / sqrt(2)) - exp(e) * 0.5 * erfc((mu / 2 + e / mu) / sqrt(2));
}
static void gaussian(void **state) {
    (void)state;
    near(of("gdp_mu", "release calibrate --mechanism gaussian --sensitivity 1 --sigma 1"), 1, 1e-12);
    near(value("zcdp"), 0.5, 1e-12);
    near(value("auc_one_release"), 0.5 * erfc(-0.5), 1e-9);
    assert_int_equal(result_find(last_result, "epsilon")->kind, VALUE_NULL);
    assert_int_equal(result_find(last_result, "identifiability")->kind, VALUE_NULL);
    for (double e = 0.25; e < 9; e *= 2) {
        char command[160];
        snprintf(command, sizeof command, "release calibrate --mechanism gaussian --sensitivity 3 --epsilon %g --delta 1e-5", e);
        near(gaussian_delta(3 / of("sigma", command), e) / 1e-5, 1, 1e-9);
        near(value("epsilon"), e, 1e-9);
    }
}

static void identifiability(void **state) {
    (void)state;
    near(of("scale",
            "release calibrate --mechanism laplace --sensitivity 2.6666666666666665 --identifiability 0.3333333333333333 --worlds 8"),
         2.128628, 5e-7);
    near(value("identifiability"), 1.0 / 3, 1e-12);
    static const char *means = "2,2.6666666666666665,3,3.3333333333333335,3.6666666666666665,4,4.333333333333333,4.666666666666667";
    char command[256];
    snprintf(command, sizeof command,
             "release calibrate --mechanism laplace --world-values %s --identifiability 0.3333333333333333 --tight", means);
    near(of("scale", command), 1.185398, 5e-7);
    char both[400]; /* the number of worlds said beside their values: no harm where the two agree */
    snprintf(both, sizeof both, "%s --sensitivity 2.6666666666666665 --worlds 8", command);
    near(of("scale", both), 1.185398, 5e-7);
    snprintf(both, sizeof both, "%s --worlds 9", command);
    run_bad(both, "says 9");
    snprintf(command, sizeof command, "release calibrate --mechanism laplace --world-values %s --identifiability 0.3333333333333333",
             means);
    near(of("scale", command), 2.128628, 5e-7);
    /* the median of the same: the bound is tight */
    double bound = of("scale", "release calibrate --mechanism laplace --world-values 2,3,3,3,3,3,3,3 --identifiability 0.3333333333333333");
    near(of("scale", "release calibrate --mechanism laplace --world-values 2,3,3,3,3,3,3,3 --identifiability 0.3333333333333333 --tight"),
         bound, 1e-9);
    run_bad("release calibrate --mechanism laplace --sensitivity 1 --identifiability 0.001 --worlds 99", "1/99");
    run_bad("release calibrate --mechanism gaussian --identifiability 0.1 --worlds 99", "no guarantee");
    /* a prior of 1/8 is eight worlds */
    near(of("scale",
            "release calibrate --mechanism laplace --sensitivity 2.6666666666666665 --identifiability 0.3333333333333333 --prior 0.125"),
         2.128628, 5e-7);
    /* ε-differential privacy implies 1/(1 + (m−1)e^−ε) */
    near(of("identifiability", "release calibrate --mechanism laplace --epsilon 1 --worlds 99"), 1 / (1 + 98 * exp(-1)), 1e-12);
}

/* Lee & Clifton's table 4, means: S = range/48842 and m = range + 1. */
static void adult(void **state) {
    (void)state;
    static const struct {
        double range, tenth, thousandth;
    } column[] = { { 73, 0.000714022, NAN },
                   { 15, 0.000601209, NAN },
                   { 99999, 0.219779, 0.444491 },
                   { 4356, 0.0144264, 0.0605652 },
                   { 98, 0.000840321, NAN } };
    for (size_t i = 0; i < 5; i++) {
        char command[160];
        snprintf(command, sizeof command, "release calibrate --mechanism laplace --sensitivity %.17g --identifiability 0.1 --worlds %.0f",
                 column[i].range / 48842, column[i].range + 1);
        near(of("scale", command) / column[i].tenth, 1, 4e-6);
        snprintf(command, sizeof command, "release calibrate --mechanism laplace --sensitivity %.17g --identifiability 0.001 --worlds %.0f",
                 column[i].range / 48842, column[i].range + 1);
        if (isnan(column[i].thousandth)) run_bad(command, "least possible");
        else near(of("scale", command) / column[i].thousandth, 1, 4e-6);
    }
}

/* The risk score on the Λ_i is a lower bound (0.816060 at l = (2, 2)); on ln cosh it brackets; Monte Carlo brackets the exact value. */
static void simulated(void **state) {
    (void)state;
    run_ok_seeded(11, "release calibrate --mechanism gaussian --noncentrality 2,2 --method monte-carlo --draws 400000");
    assert_true(value("auc_lower") < 0.817505 && value("auc_upper") > 0.817505 && value("auc_upper") - value("auc_lower") < 0.003);
    run_ok_seeded(12,
                  "release calibrate --mechanism gaussian --noncentrality 2,2 --method risk-score --covariates statistics --draws 400000");
    assert_true(value("auc_lower") < 0.816060 && value("auc_upper") > 0.816060);
    run_ok_seeded(13, "release calibrate --mechanism gaussian --noncentrality 2,2 --method risk-score --draws 400000");
    assert_true(value("auc_lower") < 0.817505 && value("auc_upper") > 0.817505);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_element), cmocka_unit_test(two_elements), cmocka_unit_test(longer_vectors),
                                        cmocka_unit_test(laplace),     cmocka_unit_test(gaussian),     cmocka_unit_test(identifiability),
                                        cmocka_unit_test(adult),       cmocka_unit_test(simulated) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
