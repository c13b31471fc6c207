/* synth.keys: SMIKe, selective multiple imputation of keys: records at risk, and close ones that are not, get drawn keys (Liu & Little
 * 2002). */
#include <string.h>
#include "math/neighbours/neighbours.h"
#include "synth/engine/params.h"
#include "classes/equivalence_class.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, keys, data, "Quasi-identifiers: drawn for the records at risk", .flags = REQUIRED),
    INT(SynthArgs, k, 3, 2, 1000000, "A record is at risk where fewer than this many share its keys"),
    INT(SynthArgs, close, 3, 0, 1000,
        "Records not at risk, nearest in their keys, that are drawn with each record at risk: the mixing set"),
    SYNTH_METHOD,
    SYNTH_MODELS,
    SYNTH_VISIT("keys"),
    SYNTH_PREDICTORS,
    SYNTH_RULES,
    SYNTH_M,
    SYNTH_STACKED,
    SYNTH_TREES,
    END,
};

static Status at_risk(Run *run, const SynthArgs *a, uint8_t *chosen, int64_t *count) {
    Status status = OK;
    Classes classes;
    TRY(classes_make(&run->work, a->keys, &classes));
    for (int64_t i = 0; i < a->data->rows; i++) {
        chosen[i] = classes.size[classes.of[i]] < a->k;
        *count += chosen[i];
    }
done:
    return status;
}

/* The nearest on the keys among those not at risk, by Gower's distance; a missing key is a value. */
static Status mix(Run *run, const SynthArgs *a, uint8_t *chosen) {
    Status status = OK;
    Work *work = &run->work;
    const Scale *scale;
    Space space;
    Neighbours *risky = NULL, *rest = NULL;
    int64_t *rows[2] = { 0 }, count[2] = { 0 }, *near = NULL;
    if (!a->close) return OK;
    for (int t = 0; t < 2; t++) NEW(work, rows[t], a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) rows[chosen[i]][count[chosen[i]]++] = i;
    if (!count[0] || !count[1]) return OK;
    TRY(scale_make_with_missing(work, a->keys, NULL, 0, GOWER, &scale));
    TRY(scale_space(work, scale, a->keys, &space));
    if (!space.axes) return OK;
    NEW(work, near, a->data->rows * a->close + 1);
    for (int64_t i = 0; i < a->data->rows * a->close; i++) near[i] = -1;
    TRY(neighbours_make(work, &space, rows[0], count[0], &rest));
    TRY(neighbours_make(work, &space, rows[1], count[1], &risky));
    TRY(neighbours_k(work, risky, rest, true, a->close, near, NULL));
    for (int64_t i = 0; i < a->data->rows * a->close; i++)
        if (near[i] >= 0) chosen[near[i]] = 2;
done:
    return status;
}

/* How many of the records at risk still have their own keys, in the first table. */
static void count_kept(Run *run, const SynthArgs *a, const Table *made, const uint8_t *chosen) {
    int64_t kept = 0;
    char one[33], two[33];
    for (int64_t i = 0; i < made->rows; i++) {
        bool same = chosen[i] == 1;
        for (int64_t k = 0; same && k < a->keys.count; k++)
            same = same_text(column_cell(a->keys.at[k], i, one), column_cell(table_column(made, a->keys.at[k]->name), i, two));
        kept += same;
    }
    result_integer(run->result, "kept", kept);
}

static Status keys_run(Run *run, const void *p) {
    const SynthArgs *a = p;
    Status status = OK;
    Work *work = &run->work;
    Synthesis s = { 0 };
    SyntheticTable draft = { 0 };
    Columns known = { 0 };
    Table **made = NULL;
    uint8_t *chosen = NULL;
    int64_t *rows = NULL, count = 0, risky = 0;
    NEW(work, chosen, a->data->rows + 1);
    NEW(work, rows, a->data->rows + 1);
    NEW(work, made, a->m + 1);
    TRY(at_risk(run, a, chosen, &risky));
    TRY(mix(run, a, chosen));
    for (int64_t i = 0; i < a->data->rows; i++)
        if (chosen[i]) rows[count++] = i;
    TRY(columns_beside(run, a->data, a->keys, &known));
    TRY(synthesis_plan(&s, run, a, a->keys, known));
    TRY(choose_models(&s));
    TRY(synthesis_fit(&s));
    TRY(synthetic_table_make(&s, a->data->rows, &draft));
    TRY(synthetic_table_replace(&s, &draft, rows, count, made));
    synthetic_table_drop(&s, &draft);
    TRY(report_outputs(run, made, a->m, a->stacked));
    result_integer(run->result, "at_risk", risky);
    result_integer(run->result, "mixed", count - risky);
    count_kept(run, a, made[0], chosen);
    TRY(report_models(&s, made[0]));
    result_note(run->result,
                "A record's other columns are released as they are. Combine estimates with `scrim synth combine --design partial`.");
done:
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    synthesis_free(&s);
    return status;
}

static const Return values[] = {
    SYNTH_VALUES,
    VALUE(at_risk, INTEGER, "Records whose keys fewer than k share: their keys were drawn", .flags = PUBLIC),
    VALUE(mixed, INTEGER, "Records not at risk whose keys were drawn too", .flags = PUBLIC),
    VALUE(kept, INTEGER, "Records at risk whose drawn keys are all their own again, in the first table", .flags = LESS),
    END,
};

const Method synth_keys = {
    .group = "synth",
    .name = "keys",
    .summary = "Draw new keys for records at risk and for close ones that are not (SMIKe)",
    .source = "Liu & Little 2002",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | IDENTITY,
    .run = keys_run,
    .values = values,
    .example = "scrim synth keys examples/clinic.csv --keys sex,age,region --k 3",
};
