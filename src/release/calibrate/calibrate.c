/* release.calibrate: how much noise, and what it promises in every currency. Defined after Matthews & Harel 2012; Lee & Clifton 2012;
 * Balle & Wang 2018: docs/methods/release-calibrate.md. */
#include "release/calibrate/calibrate.h"

const char *const mechanism_words[] = { "laplace", "gaussian",  "discrete-laplace", "discrete-gaussian",
                                        "uniform", "student-t", "logistic",         NULL };
const char *const mechanism_names[] = { "Laplace", "Gaussian",    "Discrete Laplace", "Discrete Gaussian",
                                        "Uniform", "Student's t", "Logistic",         NULL };

static const Param params[] = {
    { .kind = KIND_CHOICE,
      .name = "mechanism",
      .offset = PARAM_FIELD(CalibrateArgs, mechanism, unsigned),
      .flags = REQUIRED,
      .words = mechanism_words,
      .help = "The noise: laplace, gaussian, their exact forms on whole numbers (discrete-laplace, discrete-gaussian), uniform, student-t, "
              "logistic" },
    REAL(CalibrateArgs, sensitivity, ABSENT, 0, INFINITY,
         "How far one person moves the statistic; 1 unless given, or the range of --world-values", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, scale, ABSENT, 0, INFINITY,
         "Scale of the noise (b of laplace and logistic, σ of the gaussian, half-width of the uniform)", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, sigma, ABSENT, 0, INFINITY, "Standard deviation of the noise", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, accuracy, ABSENT, 0, INFINITY,
         "The error wanted: half the width of the interval that holds the noise with probability --level", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, level, ABSENT, 0, 1, "Probability with which the noise stays within the half-width; 0.95 unless given",
         .flags = EXCLUSIVE),
    REAL(CalibrateArgs, range, ABSENT, 0, INFINITY, "Range of the universe, by which the noise ratio is told", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, epsilon, ABSENT, 0, 1000, "The promise: ε-differential privacy, with --delta (ε, δ)", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, delta, ABSENT, 0, 1, "δ of an (ε, δ) promise, or the δ at which ε is to be told", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, zcdp, ABSENT, 0, INFINITY,
         "Guarantee: ρ of zero-concentrated differential privacy. Smaller = more privacy, more noise", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, gdp, ABSENT, 0, INFINITY, "The promise: μ-Gaussian differential privacy", .flags = EXCLUSIVE),
    REAL(CalibrateArgs, auc, ABSENT, 0.5, 1, "The promise: area under the ROC curve of two releases", .flags = EXCLUSIVE),
    REALS(CalibrateArgs, noncentrality, 0, INFINITY, "The promise: l = Δ²/(2σ²), one for each element of a vector"),
    REAL(CalibrateArgs, identifiability, ABSENT, 0, 1, "The promise: no one is named with more than this probability", .flags = EXCLUSIVE),
    ONE_OF("scale", "sigma", "accuracy", "epsilon", "zcdp", "gdp", "auc", "noncentrality", "identifiability"),
    INT(CalibrateArgs, worlds, ABSENT, 2, 9e15, "Possible worlds that the adversary weighs"),
    REAL(CalibrateArgs, prior, ABSENT, 0, 1, "Largest probability that the adversary gives any one world beforehand, instead of 1/worlds",
         .flags = EXCLUSIVE),
    REALS(CalibrateArgs, world_values, -INFINITY, INFINITY, "The statistic's value in each possible world"),
    REALS(CalibrateArgs, priors, 0, 1, "Probability of each world beforehand, in the order of --world-values"),
    FLAG(CalibrateArgs, tight, "The least noise whose worst risk over all responses keeps --identifiability, from --world-values"),
    REAL(CalibrateArgs, df, 5, 0, 1e9, "Degrees of freedom of student-t", .flags = EXCLUSIVE),
    ONLY_IF("df", "mechanism", "student-t"),
    INT(CalibrateArgs, times, 1, 1, 1000000, "Releases like this one, for composition"),
    PAIRS(CalibrateArgs, with, 2, "Other releases to compose with: mechanism:sensitivity:scale"),
    CHOICE(CalibrateArgs, method, "exact",
           "How the AUC of a vector is found: exact (FFT), monte-carlo, or risk-score (logistic regression, McIntosh & Pepe 2002)",
           WORDS("exact", "monte-carlo", "risk-score")),
    CHOICE(CalibrateArgs, covariates, "log-cosh",
           "What the risk score is a regression on: the logarithms that the likelihood ratio adds up, or the test statistics themselves",
           WORDS("log-cosh", "statistics")),
    ONLY_IF("covariates", "method", "risk-score"),
    INT(CalibrateArgs, draws, 100000, 100, 100000000, "Draws of each kind, for monte-carlo and risk-score"),
    ONLY_IF("draws", "method", "monte-carlo", "risk-score"),
    END,
};

static const Return values[] = {
    VALUE(scale, REAL, "Scale of the noise: b of laplace and logistic, σ of the gaussian, half-width of the uniform", .flags = PUBLIC),
    VALUE(sigma, REAL, "Its standard deviation", .flags = PUBLIC),
    VALUE(variance, REAL, "Its variance", .flags = PUBLIC),
    VALUE(half_width, REAL, "The noise stays within this with probability --level", .flags = PUBLIC),
    VALUE(noise_ratio, REAL, "With --range: the mean of |noise|, over that range", .flags = PUBLIC),
    VALUE(epsilon, REAL, "ε of differential privacy: no output is more than e^ε times as likely with a person as without", .flags = PUBLIC),
    VALUE(delta, REAL, "δ that goes with it", .flags = PUBLIC),
    VALUE(zcdp, REAL, "ρ of zero-concentrated differential privacy", .flags = PUBLIC),
    VALUE(gdp_mu, REAL, "μ of Gaussian differential privacy: telling neighbours apart is as hard as telling N(0,1) from N(μ,1)",
          .flags = PUBLIC),
    VALUE(auc, REAL, "Risk: area under the ROC curve of the best test whether two releases come from the same table; 0.5 is a coin",
          .flags = PUBLIC),
    VALUE(auc_direction, REAL, "The same for who knows in which direction a record moves the elements of a vector; --auc promises this one",
          .flags = PUBLIC),
    VALUE(auc_informed, REAL, "Area for who knows the table and the change, and sees one release", .flags = PUBLIC),
    VALUE(auc_lower, REAL, "Lower end of its 95% interval, where it was simulated", .flags = PUBLIC),
    VALUE(auc_upper, REAL, "Upper end of its 95% interval, where it was simulated", .flags = PUBLIC),
    VALUE(auc_error, REAL, "Bound on the error of the exact area", .flags = PUBLIC),
    VALUE(privacy, REAL, "1 − auc", .flags = PUBLIC),
    VALUE(noncentrality, REAL, "Δ²/(2σ²), summed over the elements", .flags = PUBLIC),
    VALUE(auc_one_release, REAL, "Area under the ROC curve of the best adversary who sees one release and knows both tables",
          .flags = PUBLIC),
    VALUE(advantage, REAL, "Total variation: that adversary is right with probability (1 + advantage)/2", .flags = PUBLIC),
    VALUE(identifiability, REAL, "Largest probability with which anyone is named", .flags = PUBLIC),
    VALUE(bayes_factor, REAL, "e^ε: the most by which a release multiplies the odds of anything about one person", .flags = PUBLIC),
    VALUE(composed_epsilon, REAL, "ε of all releases together at composed_delta: exact, rounded up", .flags = PUBLIC),
    VALUE(composed_epsilon_lower, REAL, "The same rounded down: the truth lies between", .flags = PUBLIC),
    VALUE(composed_delta, REAL, "δ at which the composition is told", .flags = PUBLIC),
    VALUE(composed_zcdp, REAL, "ρ of all releases together", .flags = PUBLIC),
    TABLE_OUT(curve, "epsilon:real delta:real", "The least δ at each ε", .flags = PUBLIC),
    TABLE_OUT(elements, "element:integer noncentrality:real sigma:real variance:real auc:real", "Each element of the vector by itself",
              .flags = PUBLIC),
    TABLE_OUT(composition, "rule:text epsilon:real delta:real", "What each rule of composition proves", .flags = PUBLIC),
    END,
};

static Status calibrate_run(Run *run, const void *p) {
    const CalibrateArgs *a = p;
    Status status = OK;
    Calibration c = { .worlds = NAN };
    TRY(calibrate_solve(run, a, &c));
    TRY(calibrate_auc(run, a, &c));
    TRY(calibrate_report(run, a, &c));
    if (a->times > 1 || a->with.count) TRY(calibrate_compose(run, a, &c));
    TRY(calibrate_charts(run, a, &c));
done:
    return status;
}

const Method release_calibrate = {
    .group = "release",
    .name = "calibrate",
    .summary = "Find the noise for a promise, and what a noise promises",
    .source = "Matthews & Harel 2012; Lee & Clifton 2012; Balle & Wang 2018",
    .params = params,
    .size = sizeof(CalibrateArgs),
    .traits = RANDOM | UNAUDITED | IDENTITY | INFERENTIAL,
    .run = calibrate_run,
    .values = values,
    .example = "scrim calibrate --mechanism gaussian --noncentrality 0.1,0.1,0.05",
};
