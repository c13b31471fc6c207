/* synth.cart: every column drawn from a tree on the columns before it (Reiter 2005). */
#include "synth/engine/params.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, vars, data, "Columns to synthesise; all unless given. Others are left out"),
    SYNTH_VISIT("columns"),
    SYNTH_PREDICTORS,
    COLUMNS(SynthArgs, strata, data, "Models are fitted and records drawn in each stratum by itself; strata keep their sizes"),
    COLUMN(SynthArgs, weight, data, "Survey weights: records are drawn as from the population they stand for", .flags = NUMERIC),
    SYNTH_HOUSEHOLD,
    SYNTH_RULES,
    DIRECT_ROLES(data),
    INT(SynthArgs, n, ABSENT, 1, 1000000000,
        "Records of each synthetic table (with --household: households); as many as in the data unless given"),
    SYNTH_M,
    SYNTH_STACKED,
    SYNTH_TREES,
    SYNTH_SAVE_MODEL,
    SYNTH_EVALUATE,
    END,
};

static Status cart_run(Run *run, const void *p) {
    const SynthArgs *a = p;
    Status status = whole_synthesis(run, a);
    if (!status && !a->save_model)
        result_note(run->result, "Drawn from trees: no promise of differential privacy. Values of the data come back in other "
                                 "combinations; measure with --evaluate.");
    return status;
}

static const Return values[] = {
    SYNTH_VALUES,
    HOUSEHOLD_VALUES,
    EVALUATE_VALUES,
    END,
};

const Method synth_cart = {
    .group = "synth",
    .name = "cart",
    .summary = "Draw synthetic records column by column from trees",
    .source = "Reiter 2005",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE,
    .run = cart_run,
    .values = values,
    .example = "scrim synth cart examples/clinic.csv --vars sex,age,region,education,diagnosis,income --evaluate --keys sex,age,region",
};
