/* synth.partial: only sensitive columns, risky records or single cells are replaced by draws; the rest stays as it is. Defined after
 * Little 1993; Reiter 2003: docs/methods/synth-partial.md. */
#include <string.h>
#include "base/elementary.h"
#include "synth/engine/direct_columns.h"
#include "synth/engine/params.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(SynthArgs, vars, data, "Columns to replace. All others stay, and serve as predictors", .flags = REQUIRED, .role = "sensitive"),
    EXPR(SynthArgs, where, data, "Only these records are replaced"),
    TABLE(SynthArgs, cells, "Cells to replace: a table of the same records with, for each of --vars, a column of 1 (replace) or 0 (keep)"),
    CHOICE(SynthArgs, learn, "all", "Records that the models are fitted to: all, or only those that are replaced",
           WORDS("all", "replaced")),
    SYNTH_METHOD,
    SYNTH_MODELS,
    SYNTH_VISIT("columns"),
    SYNTH_PREDICTORS,
    COLUMNS(SynthArgs, strata, data, "Models are fitted and records drawn within each stratum"),
    SYNTH_RULES,
    DIRECT_ROLES(data),
    SYNTH_M,
    SYNTH_STACKED,
    SYNTH_TREES,
    SYNTH_EVALUATE,
    ONLY_WITH("keys", "evaluate"),
    END,
};

/* Cells marked 0 stay. */
static Status mark_cells(Synthesis *s, SyntheticTable *d) {
    Status status = OK;
    Work *work = &s->run->work;
    const SynthArgs *a = s->args;
    if (!a->cells) return OK;
    if (a->cells->rows != a->data->rows) {
        fail(work->error, BAD, "has %lld records, and the data %lld", (long long)a->cells->rows, (long long)a->data->rows);
        TRY(error_parameter(work->error, "cells"));
    }
    NEW(work, d->keep, s->variables + 1);
    for (int64_t k = 0; k < s->visits; k++) {
        int64_t v = s->visit[k];
        const Column *mark;
        uint8_t *keep = NULL;
        TRY(table_need(a->cells, s->variable[v].column->name, &mark, work->error));
        NEW(work, keep, a->data->rows + 1);
        for (int64_t i = 0; i < a->data->rows; i++) {
            double at = column_numeric(mark) ? column_number(mark, i) : NAN;
            if (at != 0 && at != 1) {
                fail(work->error, BAD, "must be 1 (replaced) or 0 (kept)");
                error_column(work->error, mark->name);
                TRY(error_row(work->error, i));
            }
            keep[i] = at == 0;
        }
        d->keep[v] = keep;
    }
done:
    return status;
}

static void count_changed(Run *run, const SynthArgs *a, const Table *made, int64_t rows) {
    int64_t cells = 0;
    char one[33], two[33];
    for (int64_t k = 0; k < a->vars.count; k++) {
        const Column *new = table_column(made, a->vars.at[k]->name);
        for (int64_t i = 0; i < made->rows; i++) cells += !same_text(column_cell(a->vars.at[k], i, one), column_cell(new, i, two));
    }
    result_integer(run->result, "replaced", rows);
    result_integer(run->result, "cells", cells);
}

static Status partial_run(Run *run, const void *p) {
    const SynthArgs *a = p;
    Status status = OK;
    Work *work = &run->work;
    Synthesis s = { 0 };
    SyntheticTable draft = { 0 };
    Columns known = { 0 };
    Table **made = NULL;
    int64_t *rows = NULL, count = 0;
    uint8_t *mask = NULL;
    TRY(direct_name_kept(run, a, a->vars, "vars", NULL));
    TRY(columns_beside(run, a->data, a->vars, &known));
    TRY(synthesis_plan(&s, run, a, a->vars, known));
    TRY(choose_models(&s));
    NEW(work, rows, a->data->rows + 1);
    NEW(work, made, a->m + 1);
    if (a->where) TRY(expr_mask(work, a->where, a->data, &mask, NULL));
    for (int64_t i = 0; i < a->data->rows; i++)
        if (!mask || mask[i]) rows[count++] = i;
    if (a->learn && mask) s.usable = mask;
    if (a->learn && mask && !count) TRY(fail(work->error, BAD, "no record is replaced, so that nothing can be learned from those"));
    TRY(synthesis_fit(&s));
    TRY(synthetic_table_make(&s, a->data->rows, &draft));
    TRY(mark_cells(&s, &draft));
    TRY(synthetic_table_replace(&s, &draft, rows, count, made));
    synthetic_table_drop(&s, &draft);
    TRY(report_outputs(run, a, made));
    count_changed(run, a, made[0], count);
    TRY(report_models(&s, made[0]));
    if (a->evaluate) TRY(evaluate(run, a->data, made[0], a->holdout, a->keys));
    result_note(run->result, "What is not replaced is released as it is. Combine estimates with `scrim synth combine --design partial`.");
done:
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    synthesis_free(&s);
    return status;
}

static const Return values[] = {
    SYNTH_VALUES,
    VALUE(replaced, INTEGER, "Records with a replaced cell", .flags = PUBLIC),
    VALUE(cells, INTEGER, "Cells whose value differs from the original, in the first table", .flags = PUBLIC),
    EVALUATE_VALUES,
    END,
};

const Method synth_partial = {
    .group = "synth",
    .name = "partial",
    .summary = "Partial synthesis: replace only sensitive columns, risky records or single cells",
    .source = "Little 1993; Reiter 2003",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | OWN_WHERE | IDENTITY | ATTRIBUTE,
    .run = partial_run,
    .values = values,
    .example = "scrim synth partial examples/clinic.csv --vars income,diagnosis --where 'age > 60' --m 2",
};
