/* utility.corrected: means, variances, correlations and regressions of a release, corrected for how it was masked. Defined after Fuller
 * 1987, 1993; Little 1993: docs/methods/utility-corrected.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/special/normal.h"
#include "utility/corrected/corrected.h"

static const Param params[] = {
    TABLE(CorrectedArgs, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    CHOICE(CorrectedArgs, statistic, "regression", "Statistic of the original to estimate",
           WORDS("regression", "mean", "variance", "correlation")),
    FORMULA(CorrectedArgs, formula, released, "regression: the model, y ~ a + b"),
    ONLY_IF("formula", "statistic", "regression"),
    CHOICE(CorrectedArgs, family, "gaussian",
           "regression: gaussian (linear) or binomial (logistic, for normal noise of known variance on the predictors)",
           WORDS("gaussian", "binomial")),
    ONLY_IF("family", "statistic", "regression"),
    COLUMNS(CorrectedArgs, vars, released, "mean, variance, correlation: the columns", .role = "numeric"),
    PAIRS(CorrectedArgs, noise_variance, 1, "Variance of the noise added to each column: income:2500,age:4"),
    TABLE(CorrectedArgs, noise_covariance, "Covariances of the noise: columns variable, other, covariance (as protect noise reports them)"),
    REAL(CorrectedArgs, scale, NAN, 0, 1e6, "Kim's a: after the noise the columns became z = a·y + b with unchanged means",
         .flags = EXCLUSIVE),
    ONLY_WITH("scale", "noise-variance", "noise-covariance"),
    PAIRS(CorrectedArgs, factor_variance, 1, "Multiplicative noise: variance δ of the factor 1 + e of each column: income:0.04"),
    PAIRS(CorrectedArgs, rounded, 1, "Columns that were rounded, with their base: income:100"),
    CHOICE(CorrectedArgs, rounding, "nearest", "Rounding method", WORDS("nearest", "down", "random")),
    TABLE(CorrectedArgs, pram,
          "PRAM: the transition matrix, as protect pram reports it (variable, original, released, probability), or square"),
    TABLE(CorrectedArgs, A,
          "Matrix masking Y = A·X·B + C: A, one row per released record and one column per original record. Dense, or sparse as columns "
          "row, column, value (from 1)"),
    COLUMN(CorrectedArgs, group_size, released,
           "Aggregated records: the column with the number of original records of which each released record is the mean",
           .flags = NUMERIC),
    TABLE(CorrectedArgs, B,
          "regression: the release is Y = X·B (protect matrix-mask). A square matrix whose columns have the names of the release; a column "
          "`variable` names the originals"),
    ONLY_IF("B", "statistic", "regression"),
    TABLE(CorrectedArgs, C, "Matrix masking: what was added, one row per released record; its columns have the names of the release"),
    COLUMNS(CorrectedArgs, swapped, released, "Data swapping: the columns whose values were exchanged together"),
    REAL(CorrectedArgs, swap_rate, NAN, 0, 1,
         "Data swapping: share of the records that exchanged values (protect swap reports it as rate)"),
    CHOICE(CorrectedArgs, partners, "different",
           "Data swapping: partners were drawn among the records with a different value (protect swap), or among any",
           WORDS("different", "any")),
    ONLY_WITH("swapped", "swap-rate"),
    ONLY_WITH("swap-rate", "swapped"),
    ONLY_WITH("partners", "swapped"),
    PAIRS(CorrectedArgs, top_coded, 1, "Top coding: the bound of a column. Values at or above it are known only to be so: income:100000"),
    PAIRS(CorrectedArgs, bottom_coded, 1, "Bottom coding: the bound of a column. Values at or below it are known only to be so: income:0"),
    END,
};

/* ---- Which kind of masking ---- */

typedef enum { NONE, NOISE, MATRIX, SWAPPED, CODED, SEVERAL } Treated;

static bool has_noise(const CorrectedArgs *a) {
    return a->noise_variance.count || a->noise_covariance || a->factor_variance.count || a->rounded.count || a->pram;
}

/* B alone is undone after the regression, so it goes with noise, too. */
static Treated kind_of(const CorrectedArgs *a) {
    bool matrix = a->A || a->C || a->group_size, swapped = a->swapped.count, coded = a->top_coded.count || a->bottom_coded.count;
    int kinds = has_noise(a) + matrix + swapped + coded;
    if (kinds > 1 || (a->B && (swapped || coded)) || (a->A && a->group_size)) return SEVERAL;
    return matrix ? MATRIX : swapped ? SWAPPED : coded ? CODED : kinds || a->B ? NOISE : NONE;
}

Masking corrected_masking(const CorrectedArgs *a) {
    return (Masking){ .released = a->released,
                      .noise_variance = a->noise_variance,
                      .noise_covariance = a->noise_covariance,
                      .factor_variance = a->factor_variance,
                      .rounded = a->rounded,
                      .rounding = a->rounding,
                      .scale = a->scale,
                      .pram = a->pram };
}

void corrected_say_rows(Run *run, const CorrectedArgs *a, int64_t rows) {
    result_integer(run->result, "rows", rows);
    if (rows < a->released->rows)
        result_note(run->result, "%lld of %lld records have no missing value in the model and were used.", (long long)rows,
                    (long long)a->released->rows);
    if (kind_of(a) != NOISE || (a->B && !has_noise(a))) return;
    result_note(run->result, "The correction is valid for noise that was added independently of the data, with the given variances.");
    if (a->rounded.count)
        result_note(run->result, "Rounding is corrected for values that are spread evenly between multiples of the base (Sheppard). The "
                                 "correction is rough if the base is not small relative to the spread, or if the values end abruptly.");
    if (!isnan(a->scale)) result_note(run->result, "Kim's z: (z − mean)/a is used instead of x + e. The release kept the mean.");
}

static Status check_family(const Run *run, const CorrectedArgs *a, Treated kind) {
    if (a->statistic != REGRESSION || a->family != LOGISTIC) return OK;
    if (kind == NOISE && !a->factor_variance.count && !a->rounded.count && !a->pram && !a->B && isnan(a->scale)) return OK;
    fail(run->work.error, BAD, "a logistic regression can be corrected for added noise only: --noise-variance or --noise-covariance");
    return error_parameter(run->work.error, "family");
}

static Status corrected_run(Run *run, const void *p) {
    const CorrectedArgs *a = p;
    Status status = OK;
    bool regression = a->statistic == REGRESSION;
    Treated kind = kind_of(a);
    if (kind == NONE)
        return fail(run->work.error, BAD,
                    "needs one of --noise-variance, --noise-covariance, --factor-variance, --rounded, --pram, --A, --B, --C, --group-size, "
                    "--swapped, --top-coded and --bottom-coded: how the file was masked");
    if (kind == SEVERAL)
        return fail(run->work.error, BAD,
                    "corrects for one kind of masking: noise (with rounding and PRAM), matrix masking, swapping, or top and bottom coding");
    TRY(check_family(run, a, kind));
    if (!regression && !a->vars.count) {
        fail(run->work.error, BAD, "is needed: which columns");
        TRY(error_parameter(run->work.error, "vars"));
    }
    if (kind == MATRIX) return regression ? aggregated_regression(run, a) : aggregated_statistics(run, a);
    if (kind == SWAPPED) return regression ? swapped_regression(run, a) : swapped_statistics(run, a);
    if (kind == CODED) return regression ? coded_regression(run, a) : coded_statistics(run, a);
    if (regression && a->family == LOGISTIC) return logistic_corrected(run, a);
    return regression ? regression_corrected(run, a) : statistics_corrected(run, a);
done:
    return status;
}

static const Return values[] = {
    VALUE(r2_uncorrected, REAL, "R² of the regression on the protected file", .flags = PUBLIC),
    VALUE(r2_corrected, REAL, "R² corrected for the masking", .flags = PUBLIC),
    VALUE(rows, INTEGER, "Records used", .flags = PUBLIC),
    TABLE_OUT(coefficients, "term:text uncorrected:real uncorrected_se:real corrected:real corrected_se:real",
              "Each term, uncorrected and corrected, with standard errors"),
    TABLE_OUT(estimates, NULL,
              "mean, variance, correlation: uncorrected and corrected, with standard errors and a 95% confidence interval"),
    TABLE_OUT(unmasked, "variable:text coefficient:real standard_error:real", "With --B: coefficients of the original columns, B·β"),
    END,
};

const Method utility_corrected = {
    .group = "utility",
    .name = "corrected",
    .summary = "Estimates corrected for masking: means, variances, correlations and regressions",
    .source = "Fuller 1987, 1993; Little 1993",
    .params = params,
    .size = sizeof(CorrectedArgs),
    .run = corrected_run,
    .values = values,
    .example = "scrim utility corrected examples/clinic-released.csv --formula 'cholesterol ~ bmi + visits' --noise-variance "
               "bmi:1,visits:0.72,cholesterol:0.0625",
};
