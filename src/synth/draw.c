/* synth.draw: synthetic records from a model that --save-model wrote, where the data are not. */
#include "synth/engine/copula.h"
#include "synth/engine/params.h"
#include "synth/engine/saved_trees.h"

static const Param params[] = {
    TABLE(SynthArgs, model, "The model", .flags = REQUIRED | POSITIONAL),
    SYNTH_RULES,
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "Records of each synthetic table; as many as the model was made of unless given"),
    SYNTH_M,
    SYNTH_STACKED,
    END,
};

static Status draw_synthesis(Run *run, SynthArgs *a) {
    Status status = OK;
    Synthesis s = { 0 };
    Table *values = NULL, *first = NULL;
    TRY(trees_read(&s, run, a, &values));
    TRY(draw_tables(&s, a->n == ABSENT ? values->rows : a->n, &first));
done:
    synthesis_free(&s);
    table_release(values);
    table_release(first);
    return status;
}

static Status draw_copula(Run *run, SynthArgs *a) {
    Status status = OK;
    Copula c = { .run = run, .args = a };
    Table *values = NULL, **made = NULL;
    NEW(&run->work, made, a->m + 1);
    TRY(copula_read(&c, a->model, &values));
    a->data = values;
    if (a->rules) TRY(edit_rules_make(&run->work, a->rules, values, &c.rules));
    for (int64_t set = 0; set < a->m; set++) TRY(copula_draw(&c, set, a->n == ABSENT ? values->rows : a->n, &made[set]));
    TRY(report_outputs(run, made, a->m, a->stacked));
done:
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    table_release(values);
    return status;
}

static Status draw_run(Run *run, const void *p) {
    Status status = OK;
    SynthArgs a = *(const SynthArgs *)p;
    TRY(copula_saved(&run->work, a.model) ? draw_copula(run, &a) : draw_synthesis(run, &a));
    result_note(run->result,
                "Drawn from a saved model: no promise of differential privacy. It holds every value of the data it was made of.");
done:
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
    .source = "Reiter 2005; Rubin 1987; Cario & Nelson 1997",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE,
    .run = draw_run,
    .values = values,
    .example = "scrim synth draw examples/clinic-model.csv --n 100",
};
