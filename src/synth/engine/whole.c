/* A whole table synthesised: planned, fitted, drawn M times, reported. */
#include <stdio.h>
#include "synth/engine/engine.h"

/* The columns named, or all but the weights. */
static Status chosen_columns(Run *run, const SynthArgs *a, Columns *out) {
    Status status = OK;
    *out = a->vars;
    if (out->count) goto done;
    NEW(&run->work, out->at, a->data->columns + 1);
    for (int64_t j = 0; j < a->data->columns; j++)
        if (a->data->column[j] != a->weight) out->at[out->count++] = a->data->column[j];
done:
    return status;
}

Status whole_synthesis(Run *run, const SynthArgs *a) {
    Status status = OK;
    Work *work = &run->work;
    Synthesis s = { 0 };
    Draft draft = { 0 };
    Columns columns = { 0 }, known = a->strata;
    Table **made = NULL;
    int64_t rows = a->n == ABSENT ? a->data->rows : a->n, *all = NULL;
    int32_t *stratum = NULL;
    if (a->household) return linked_synthesis(run, a);
    TRY(chosen_columns(run, a, &columns));
    if (a->n != ABSENT && a->strata.count)
        TRY(fail(work->error, BAD, "strata keep their sizes, so that --n cannot be given with --strata"));
    if (!a->data->rows && rows) TRY(fail(work->error, BAD, "the table is empty: nothing can be learned from it"));
    TRY(synthesis_plan(&s, run, a, columns, known));
    TRY(choose_models(&s));
    TRY(synthesis_fit(&s));
    TRY(draft_make(&s, rows, &draft));
    NEW(work, all, rows + 1);
    NEW(work, stratum, rows + 1);
    NEW(work, made, a->m + 1);
    for (int64_t i = 0; i < rows; i++) {
        all[i] = i;
        stratum[i] = a->strata.count ? s.strata.of[i] : 0;
    }
    for (int64_t v = 0; v < s.variables; v++)
        if (s.known[v]) TRY(draft_fill(&s, &draft, v, NULL));
    for (int64_t set = 0; set < a->m; set++) {
        char name[32];
        snprintf(name, sizeof name, "set %lld", (long long)set + 1);
        TRY(draft_lawful(&s, &draft, all, rows, stratum, name, NULL, &made[set]));
    }
    TRY(report_outputs(run, made, a->m, a->stacked));
    TRY(report_models(&s, made[0]));
    if (a->evaluate) TRY(evaluate(run, a->data, made[0], a->holdout, a->keys));
done:
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    synthesis_free(&s);
    return status;
}
