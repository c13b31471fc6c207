/* synth.sequential: every column drawn from a regression on the columns before it, its parameters from their posterior. Defined after
 * Rubin 1987; Raghunathan et al. 2001: docs/methods/synth-sequential.md. */
#include <string.h>
#include "synth/engine/params.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, vars, data, "Columns to synthesise (default: all). Others are left out"),
    SYNTH_MODELS,
    SYNTH_VISIT("columns"),
    SYNTH_PREDICTORS,
    COLUMNS(SynthArgs, strata, data, "Models are fitted and records drawn within each stratum. Strata keep their sizes"),
    COLUMN(SynthArgs, weight, data, "Survey weights: models are fitted to the weighted population", .flags = NUMERIC),
    SYNTH_HOUSEHOLD,
    SYNTH_RULES,
    DIRECT_ROLES(data),
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "Records of each synthetic table (with --household: households; default: as in the data)"),
    SYNTH_M,
    SYNTH_STACKED,
    SYNTH_SAVE_MODEL,
    SYNTH_PROTECT,
    SYNTH_EVALUATE,
    ONLY_WITH("keys", "evaluate", "protect"),
    END,
};

static Status sequential_run(Run *run, const void *p) {
    SynthArgs a = *(const SynthArgs *)p;
    a.method = BY_REGRESSION;
    Status status = whole_synthesis(run, &a);
    if (!status && !a.save_model)
        result_note(run->result, "Drawn from models with parameters from their posterior: no promise of differential privacy. The table "
                                 "'models' shows where a model is wrong.");
    return status;
}

static const Return values[] = {
    SYNTH_VALUES, HOUSEHOLD_VALUES, PROTECT_VALUES, EVALUATE_VALUES, END,
};

const Method synth_sequential = {
    .group = "synth",
    .name = "sequential",
    .summary = "Sequential synthesis by regression models",
    .source = "Rubin 1987; Raghunathan et al. 2001",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE,
    .run = sequential_run,
    .values = values,
    .example = "scrim synth sequential examples/clinic.csv --vars sex,age,region,smoker,income --models income:pmm",
};
