/* synth.draw: synthetic records from a model that --save-model wrote, where the data are not. */
#include "synth/engine/trees.h"
#include "synth/engine/params.h"

static const Param params[] = {
    TABLE(SynthArgs, model, "The model", .flags = REQUIRED | POSITIONAL),
    SYNTH_RULES,
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "Records of each synthetic table; as many as the model was made of unless given"),
    SYNTH_M,
    SYNTH_STACKED,
    FLAG(SynthArgs, smooth, "Numbers are drawn from around the values of a leaf, not from the values themselves; spikes stay"),
    END,
};

static Status draw_run(Run *run, const void *p) {
    Status status = OK;
    SynthArgs a = *(const SynthArgs *)p;
    Synthesis s = { 0 };
    Table *values = NULL, *first = NULL;
    TRY(trees_read(&s, run, &a, &values));
    TRY(draw_tables(&s, a.n == ABSENT ? values->rows : a.n, &first));
    result_note(run->result,
                "Drawn from a saved model: no promise of differential privacy. It holds every value of the data it was made of.");
done:
    synthesis_free(&s);
    table_release(values);
    table_release(first);
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Records of each synthetic table", .flags = PUBLIC),
    VALUE(tables_made, INTEGER, "Synthetic tables", .flags = PUBLIC),
    OUTPUT("The synthetic table"),
    END,
};

const Method synth_draw = {
    .group = "synth",
    .name = "draw",
    .summary = "Draw synthetic records from a saved model",
    .source = "Reiter 2005",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = draw_run,
    .values = values,
    .example = "scrim synth draw examples/clinic-model.csv --n 100",
};
