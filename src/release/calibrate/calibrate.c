/* release.calibrate: how much noise, and what it promises in every currency. Defined after Matthews & Harel 2012; Lee & Clifton 2012;
 * Balle & Wang 2018: docs/methods/release-calibrate.md. */
#include "release/calibrate/calibrate.h"

const char *const mechanism_words[] = { "laplace", "gaussian",  "discrete-laplace", "discrete-gaussian",
                                        "uniform", "student-t", "logistic",         NULL };
const char *const mechanism_names[] = { "Laplace", "Gaussian",    "Discrete Laplace", "Discrete Gaussian",
                                        "Uniform", "Student's t", "Logistic",         NULL };

enum { DRAWS = 100000 };
static const Param params[] = {
    { .kind = KIND_CHOICE,
      .name = "mechanism",
      .offset = PARAM_FIELD(CalibrateArgs, mechanism, unsigned),
      .flags = REQUIRED,
      .words = mechanism_words,
      .help = "Noise distribution: laplace, gaussian, their exact forms on whole numbers (discrete-laplace, discrete-gaussian), uniform, "
              "student-t or logistic" },
    REAL(CalibrateArgs, sensitivity, ABSENT, 0, INFINITY,
         "Sensitivity Δ: the largest change of the statistic by one person. Default 1, or the range of --world-values", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, scale, ABSENT, 0, INFINITY,
         "Scale of the noise: b of laplace and logistic, σ of gaussian, half-width of uniform. Larger = more privacy", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, sigma, ABSENT, 0, INFINITY, "Standard deviation of the noise. Larger = more privacy, less accuracy",
         .flags = EXCLUSIVE),
    REAL(CalibrateArgs, accuracy, ABSENT, 0, INFINITY,
         "Wanted accuracy: half the width of the interval that contains the noise with probability --level", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, level, ABSENT, 0, 1, "Probability for half_width, from 0 to 1 (default 0.95)", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, range, ABSENT, 0, INFINITY, "Range of the data, for the noise ratio (mean |noise| over range)", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, epsilon, ABSENT, 0, 1000, "Guarantee: ε-differential privacy; with --delta (ε, δ). Smaller = more privacy",
         .flags = EXCLUSIVE),
    REAL(CalibrateArgs, delta, ABSENT, 0, 1, "δ of an (ε, δ) guarantee, or the δ at which ε is reported. Smaller = more privacy",
         .flags = EXCLUSIVE),
    REAL(CalibrateArgs, zcdp, ABSENT, 0, INFINITY, "Guarantee: ρ-zero-concentrated differential privacy. Smaller = more privacy",
         .flags = EXCLUSIVE),
    REAL(CalibrateArgs, gdp, ABSENT, 0, INFINITY, "Guarantee: μ-Gaussian differential privacy. Smaller = more privacy", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, auc, ABSENT, 0.5, 1, "Guarantee (ROC privacy): area under the ROC curve of two releases, 0.5 (best privacy) to 1",
         .flags = EXCLUSIVE),
    REALS(CalibrateArgs, noncentrality, 0, INFINITY,
          "Guarantee (ROC privacy): noncentrality l = Δ²/(2σ²), one value for each element of a vector. Smaller = more privacy"),
    REAL(
        CalibrateArgs, identifiability, ABSENT, 0, 1,
        "Guarantee: differential identifiability ρ, the largest probability with which an individual is identified. Smaller = more privacy",
        .flags = EXCLUSIVE),
    REALS(CalibrateArgs, elements, 0, 1000,
          "Vector with Laplace noise: ε = Δ/b of each element. Its AUC is simulated, with a bound on the error"),
    ONLY_IF("elements", "mechanism", "laplace"),
    ONE_OF("scale", "sigma", "accuracy", "epsilon", "zcdp", "gdp", "auc", "noncentrality", "identifiability", "elements"),
    INT(CalibrateArgs, worlds, ABSENT, 2, 9e15, "Number of possible worlds that the adversary considers"),
    REAL(CalibrateArgs, prior, ABSENT, 0, 1, "Largest prior probability of a world, instead of 1/worlds", .flags = EXCLUSIVE),
    REALS(CalibrateArgs, world_values, -INFINITY, INFINITY, "Value of the statistic in each possible world"),
    REALS(CalibrateArgs, priors, 0, 1, "Prior probability of each world, in the order of --world-values"),
    FLAG(CalibrateArgs, tight, "Smallest noise whose worst-case risk over all responses satisfies --identifiability, from --world-values"),
    REAL(CalibrateArgs, df, 5, 0, 1e9, "Degrees of freedom of student-t", .flags = EXCLUSIVE),
    ONLY_IF("df", "mechanism", "student-t"),
    INT(CalibrateArgs, times, 1, 1, 1000000, "Number of releases like this one, for composition"),
    PAIRS(CalibrateArgs, with, 2, "Other releases to compose with, as mechanism:sensitivity:scale"),
    CHOICE(CalibrateArgs, method, "exact",
           "Method for the AUC of a vector: exact (FFT), monte-carlo, or risk-score (logistic regression, McIntosh & Pepe 2002)",
           WORDS("exact", "monte-carlo", "risk-score")),
    CHOICE(CalibrateArgs, covariates, "log-cosh",
           "Predictors of the risk score: the log terms of the likelihood ratio, or the test statistics themselves",
           WORDS("log-cosh", "statistics")),
    ONLY_IF("covariates", "method", "risk-score"),
    INT(CalibrateArgs, draws, DRAWS, 100, 100000000, "Simulated draws of each kind, for --elements, monte-carlo and risk-score"),
    END,
};

static const Return values[] = {
    VALUE(scale, REAL, "Scale of the noise: b of laplace and logistic, σ of gaussian, half-width of uniform", .flags = PUBLIC),
    VALUE(sigma, REAL, "Standard deviation of the noise", .flags = PUBLIC),
    VALUE(variance, REAL, "Variance of the noise", .flags = PUBLIC),
    VALUE(half_width, REAL, "Half-width: |noise| is at most this with probability --level. Smaller = more accurate", .flags = PUBLIC),
    VALUE(noise_ratio, REAL, "With --range: mean |noise| over that range. Smaller = more accurate", .flags = PUBLIC),
    VALUE(epsilon, REAL,
          "ε of differential privacy: one person changes the probability of any output by a factor of at most e^ε. 0 = perfect privacy; "
          "smaller is safer",
          .flags = PUBLIC),
    VALUE(delta, REAL, "δ of the (ε, δ) guarantee. Smaller is safer", .flags = PUBLIC),
    VALUE(zcdp, REAL, "ρ of zero-concentrated differential privacy. Smaller is safer", .flags = PUBLIC),
    VALUE(gdp_mu, REAL,
          "μ of Gaussian differential privacy: distinguishing neighbours is as hard as distinguishing N(0,1) from N(μ,1). Smaller is safer",
          .flags = PUBLIC),
    VALUE(auc, REAL,
          "Risk: area under the ROC curve of the best test of whether two releases come from the same table. 0.5 = chance, 1 = certainty",
          .flags = PUBLIC),
    VALUE(auc_direction, REAL, "The same risk if the adversary knows the signs of the changes. --auc guarantees this value",
          .flags = PUBLIC),
    VALUE(auc_informed, REAL,
          "Area under the ROC curve of the best test on one release if the adversary knows the table and the change. 0.5 = chance",
          .flags = PUBLIC),
    VALUE(auc_lower, REAL, "Lower end of its 95% confidence interval, where it was simulated", .flags = PUBLIC),
    VALUE(auc_upper, REAL, "Upper end of its 95% confidence interval, where it was simulated", .flags = PUBLIC),
    VALUE(auc_error, REAL,
          "Bound on the numerical error of the exact area. With --elements: bound on the error of the simulated areas, which holds with "
          "probability 99.9%",
          .flags = PUBLIC),
    VALUE(privacy, REAL, "ROC privacy, 1 − auc: 0.5 = best, 0 = none", .flags = PUBLIC),
    VALUE(noncentrality, REAL, "Noncentrality Δ²/(2σ²), summed over the elements. Smaller is safer", .flags = PUBLIC),
    VALUE(auc_one_release, REAL,
          "Area under the ROC curve of the optimal adversary, who sees one release and knows both tables. 0.5 = chance", .flags = PUBLIC),
    VALUE(advantage, REAL, "Total variation distance: the optimal adversary is right with probability (1 + advantage)/2. 0 = safe",
          .flags = PUBLIC),
    VALUE(identifiability, REAL,
          "Differential identifiability: largest probability with which an individual is identified. Smaller is safer", .flags = PUBLIC),
    VALUE(bayes_factor, REAL, "e^ε: largest factor by which a release changes the odds of any statement about one person. 1 = no change",
          .flags = PUBLIC),
    VALUE(composed_epsilon, REAL, "ε of all releases together at composed_delta (exact, rounded up)", .flags = PUBLIC),
    VALUE(composed_epsilon_lower, REAL, "The same, rounded down. The true value lies between the two", .flags = PUBLIC),
    VALUE(composed_delta, REAL, "δ at which the composition is reported", .flags = PUBLIC),
    VALUE(composed_zcdp, REAL, "ρ of all releases together", .flags = PUBLIC),
    TABLE_OUT(curve, "epsilon:real delta:real", "Privacy profile: smallest δ at each ε", .flags = PUBLIC),
    TABLE_OUT(elements, "element:integer noncentrality:real sigma:real variance:real auc:real", "Each element of the vector on its own",
              .flags = PUBLIC),
    TABLE_OUT(composition, "rule:text epsilon:real delta:real", "Guarantee of the composition by each rule", .flags = PUBLIC),
    END,
};

static Status calibrate_run(Run *run, const void *p) {
    const CalibrateArgs *a = p;
    Status status = OK;
    Calibration c = { .worlds = NAN };
    if (a->elements.count) return calibrate_laplace_vector(run, a);
    if (a->draws != DRAWS && !a->method) {
        fail(run->work.error, BAD, "has a meaning only with --elements, --method monte-carlo and --method risk-score");
        return error_parameter(run->work.error, "draws");
    }
    TRY(calibrate_solve(run, a, &c));
    TRY(calibrate_auc(run, a, &c));
    TRY(calibrate_report(run, a, &c));
    if (a->times > 1 || a->with.count) TRY(calibrate_compose(run, a, &c));
    TRY(calibrate_figures(run, a, &c));
    TRY(calibrate_charts(run, a, &c));
done:
    return status;
}

const Method release_calibrate = {
    .group = "release",
    .name = "calibrate",
    .summary = "Noise calibration: convert between scale, ε, δ, zCDP, Gaussian DP, ROC privacy and identifiability",
    .source = "Matthews & Harel 2012; Lee & Clifton 2012; Balle & Wang 2018",
    .params = params,
    .size = sizeof(CalibrateArgs),
    .traits = RANDOM | UNAUDITED | IDENTITY | INFERENTIAL,
    .run = calibrate_run,
    .values = values,
    .example = "scrim calibrate --mechanism gaussian --noncentrality 0.1,0.1,0.05",
};
