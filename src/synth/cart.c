/* synth.cart: every column drawn from a tree on the columns before it (Reiter 2005). */
#include "synth/engine/params.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, vars, data, "Columns to synthesise (default: all). Others are left out"),
    SYNTH_VISIT("columns"),
    SYNTH_PREDICTORS,
    COLUMNS(SynthArgs, strata, data, "Models are fitted and records drawn within each stratum. Strata keep their sizes"),
    COLUMN(SynthArgs, weight, data, "Survey weights: records are drawn from the weighted population", .flags = NUMERIC),
    SYNTH_HOUSEHOLD,
    SYNTH_RULES,
    DIRECT_ROLES(data),
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "Records of each synthetic table (with --household: households; default: as in the data)"),
    SYNTH_M,
    SYNTH_STACKED,
    SYNTH_TREES,
    SYNTH_SAVE_MODEL,
    SYNTH_PROTECT,
    SYNTH_EVALUATE,
    ONLY_WITH("keys", "evaluate", "protect"),
    END,
};

static Status cart_run(Run *run, const void *p) {
    const SynthArgs *a = p;
    Status status = whole_synthesis(run, a);
    if (!status && !a->save_model)
        result_note(run->result, "Drawn from trees, without a differential privacy guarantee. Original values recur in other combinations. "
                                 "Measure the risk with --evaluate.");
    return status;
}

static const Return values[] = {
    SYNTH_VALUES, HOUSEHOLD_VALUES, PROTECT_VALUES, EVALUATE_VALUES, END,
};

const Method synth_cart = {
    .group = "synth",
    .name = "cart",
    .summary = "Sequential synthesis by classification and regression trees (CART)",
    .source = "Reiter 2005",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE,
    .run = cart_run,
    .values = values,
    .example = "scrim synth cart examples/clinic.csv --vars sex,age,region,education,diagnosis,income --evaluate --keys sex,age,region",
};
