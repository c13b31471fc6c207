/* What an intruder predicts of targets: what the model of a number and that of a category share. */
#ifndef SCRIM_ATTACK_REGRESSION_H
#define SCRIM_ATTACK_REGRESSION_H
#include "method/method.h"

typedef struct RegressionArgs {
    const Table *released;
    const Column *sensitive;
    Columns predictors;
    const Table *target;
    double tolerance;
} RegressionArgs;

/* The released records that have the sensitive value and all predictors; and the predictors of them, with the sensitive column as response
 * or without, its x not filled in. */
MUST_CHECK Status fitted_records(Run *run, const RegressionArgs *a, Table **out);
MUST_CHECK Status fitted_design(Run *run, const RegressionArgs *a, const Table *fitted, bool response, Design *out);
/* The predictors of the targets of whom such a model can tell; row i of the design is record kept[row[i]] of the targets. The design is
 * made of `of`, to be released after it. */
MUST_CHECK Status targets_design(Run *run, const RegressionArgs *a, const Table *fitted, const Design *design, Design *out, int64_t **kept,
                                 Table **of);
MUST_CHECK Status fill_design(Work *work, Design *design);
/* A value for each row of the design, as a column of the targets, or of the release where there are none. */
MUST_CHECK Status put_targets(Run *run, const RegressionArgs *a, const char *name, const double *x, const Design *targets,
                              const int64_t *kept);
typedef struct Guesses {
    int64_t known; /* targets whose true value is known */
    double right, before, only_now, only_before;
} Guesses;
void say_guesses(Run *run, const Guesses *g); /* within, baseline, gain, lower, upper */
/* The sensitive column is a category: its chances for each target. */
MUST_CHECK Status predict_category(Run *run, const RegressionArgs *a);
#endif
