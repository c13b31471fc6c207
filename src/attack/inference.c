/* Attribute inference: a sensitive value guessed from the nearest released record, for those who were in the data and for those who were
 * not. Defined after Giomi et al. 2023: docs/methods/attack-inference.md. */
#include <string.h>
#include "attack/near_release.h"
#include "base/elementary.h"
#include "math/proportion.h"

typedef struct {
    const Table *released, *original, *holdout;
    Texts known;
    const char *sensitive;
    double tolerance;
} args;
static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, holdout, "Holdout: records of the same population that are not in the original", .flags = REQUIRED | POSITIONAL),
    TEXT(args, sensitive, NULL, "Sensitive column that the intruder wants to infer", .flags = REQUIRED),
    TEXTS(args, known, "Columns that the intruder knows (default: all common columns except the sensitive one)", .role = "keys"),
    REAL(args, tolerance, 0.05, 0, 1e9, "A number counts as inferred if the guess is within this share of it",
         .role = "inference_tolerance"),
    END,
};
static const Return values[] = {
    VALUE(accuracy, REAL, "Share of the original records whose sensitive value is guessed correctly. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share for the holdout: inference about people who are not in the data", .flags = PUBLIC),
    VALUE(gain, REAL, "accuracy − baseline: additional risk from being in the data. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(relative_gain, REAL, "gain / (1 − baseline). 0 = safe, 1 = every remaining value is inferred", .flags = PUBLIC),
    END,
};

/* A category or text is right when it is the same, a number when it is near. */
static bool right(const args *a, const Column *truth, int64_t i, const Column *guess, int64_t j) {
    char x[33], y[33];
    if (column_missing(guess, j)) return false;
    if (column_numeric(truth) && column_numeric(guess)) {
        double t = column_number(truth, i), g = column_number(guess, j);
        return fabs(t - g) <= a->tolerance * fabs(t);
    }
    return !strcmp(column_cell(truth, i, x), column_cell(guess, j, y));
}

/* Records of one table guessed right, of those with a value to learn. */
static Status guess(Run *run, const args *a, const NearRelease *near, const Table *table, double *hits, double *trials) {
    Status status = OK;
    const Column *truth, *guesses;
    int64_t *row = NULL;
    TRY(table_need(table, a->sensitive, &truth, run->work.error));
    TRY(table_need(a->released, a->sensitive, &guesses, run->work.error));
    NEW(&run->work, row, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++) row[i] = -1;
    TRY(near_release_find(run, near, table, (Nearest){ .row = row }));
    *hits = *trials = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        if (row[i] < 0 || column_missing(truth, i)) continue;
        *trials += 1;
        *hits += right(a, truth, i, guesses, row[i]);
    }
done:
    return status;
}

static Status inference_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    NearRelease near;
    double hits, trials, other_hits, other_trials;
    TRY(near_release_make(run, a->released, a->original, a->holdout, NULL, a->known, a->sensitive, &near));
    TRY(guess(run, a, &near, a->original, &hits, &trials));
    TRY(guess(run, a, &near, a->holdout, &other_hits, &other_trials));
    if (trials == 0 || other_trials == 0) TRY(fail(run->work.error, BAD, "no record has a sensitive value to guess"));
    double accuracy = hits / trials, baseline = other_hits / other_trials;
    Interval gain = newcombe_interval(hits, trials, other_hits, other_trials);
    result_real(run->result, "accuracy", accuracy);
    result_real(run->result, "baseline", baseline);
    result_real(run->result, "gain", accuracy - baseline);
    result_real(run->result, "lower", gain.low);
    result_real(run->result, "upper", gain.high);
    result_real(run->result, "relative_gain", baseline < 1 ? (accuracy - baseline) / (1 - baseline) : NAN);
    result_note(run->result,
                "The guess is the value of the nearest released record by Gower's distance on %lld known columns (the first row in case of "
                "ties). Guesses were made for the %.0f original and %.0f holdout records that have a sensitive value.",
                (long long)near.count, trials, other_trials);
done:
    return status;
}

const Method attack_inference = {
    .group = "attack",
    .name = "inference",
    .summary = "Attribute inference attack: guess sensitive values from the nearest released record",
    .source = "Giomi et al. 2023",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE | INFERENTIAL | CODES_AS_CATEGORIES,
    .run = inference_run,
    .values = values,
    .example = "scrim attack inference examples/clinic-released.csv examples/clinic.csv examples/clinic-holdout.csv --known "
               "sex,age,region,education --sensitive diagnosis",
};
