/* A whole table synthesised: planned, fitted, drawn M times, reported. */
#include "synth/engine/engine.h"
#include <string.h>
#include "synth/engine/direct_columns.h"
#include "synth/engine/saved_trees.h"

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

/* The stratum of each record to be drawn. Strata keep their sizes, not the order of the records: that would tell everyone's stratum to
 * anyone who knows whose record is where. */
static Status place_strata(Synthesis *s, SyntheticTable *draft, int32_t *stratum) {
    Status status = OK;
    int64_t *from = NULL;
    RandomStream stream = run_stream(s->run, NULL, "strata");
    NEW(&s->run->work, from, draft->rows + 1);
    TRY(stream_permutation(&s->run->work, &stream, draft->rows, from));
    for (int64_t i = 0; i < draft->rows; i++) stratum[i] = s->strata.of[from[i]];
    for (int64_t v = 0; v < s->variables; v++)
        if (s->known[v]) TRY(synthetic_table_fill(s, draft, v, from));
done:
    return status;
}

Status draw_tables(Synthesis *s, int64_t rows, Table **first) {
    Status status = OK;
    Work *work = &s->run->work;
    const SynthArgs *a = s->args;
    SyntheticTable draft = { 0 };
    Table **made = NULL;
    int64_t *all = NULL;
    int32_t *stratum = NULL;
    TRY(synthetic_table_make(s, rows, &draft));
    NEW(work, all, rows + 1);
    NEW(work, stratum, rows + 1);
    NEW(work, made, a->m + 1);
    for (int64_t i = 0; i < rows; i++) all[i] = i;
    if (a->strata.count) TRY(place_strata(s, &draft, stratum));
    for (int64_t set = 0; set < a->m; set++) TRY(synthetic_table_set(s, &draft, all, rows, stratum, set, NULL, &made[set]));
    synthetic_table_drop(s, &draft);
    TRY(report_outputs(s->run, a, made));
    *first = table_retain(made[0]);
done:
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    return status;
}

/* What a saved model cannot hold, or what is said when it is drawn from. */
Status check_saved(Run *run, const SynthArgs *a) {
    const char *beside = a->strata.count ? "strata"
                         : a->weight     ? "weight"
                         : a->household  ? "household"
                         : a->evaluate   ? "evaluate"
                         : a->protect    ? "protect"
                                         : NULL;
    if (!a->save_model || (!beside && !a->rules)) return OK;
    if (a->rules) fail(run->work.error, BAD, "rules are kept when records are drawn: give them to `synth draw`");
    else fail(run->work.error, BAD, "a saved model has no --%s", beside);
    return error_parameter(run->work.error, "save-model");
}

static bool among(Columns columns, const Column *column) {
    for (int64_t j = 0; j < columns.count; j++)
        if (columns.at[j] == column) return true;
    return false;
}

Status protect_uniques(Run *run, const SynthArgs *a, Columns drawn, ReplicatedUniques *out) {
    Status status = OK;
    const Columns keys = a->keys.count ? a->keys : drawn;
    if (!a->protect) return OK;
    if (a->household) {
        fail(run->work.error, BAD, "single records are not drawn again where households are drawn whole");
        TRY(error_parameter(run->work.error, "protect"));
    }
    for (int64_t j = 0; j < keys.count; j++) {
        if (among(drawn, keys.at[j]) || among(a->strata, keys.at[j])) continue;
        fail(run->work.error, BAD, "is not synthesised and protects no record");
        error_column(run->work.error, keys.at[j]->name);
        TRY(error_parameter(run->work.error, "keys"));
    }
    TRY(replicated_uniques_make(&run->work, keys, a->data->rows, out));
done:
    return status;
}

Status uniques_impossible(Run *run) {
    fail(run->work.error, BAD, "in %d draws every record has the values of an original record that is unique", ROUNDS);
    error_parameter(run->work.error, "protect");
    return error_advice(run->work.error, "Name fewer --keys, or columns with fewer values.");
}

void say_protected(Run *run, const ReplicatedUniques *uniques) {
    if (!uniques->columns) return;
    result_integer(run->result, "redrawn_uniques", uniques->redrawn);
    result_note(run->result,
                "No synthetic record has the values of an original record that is unique on %s. %lld draws had them and were made again.",
                uniques->columns == 1 ? "the key" : "the keys", (long long)uniques->redrawn);
}

void give_model(Run *run, const SynthArgs *a, Table *model, const char *ties) {
    result_integer(run->result, "records", a->data->rows);
    result_integer(run->result, "tables_made", 0);
    result_output(run->result, model);
    run->result->kept = true;
    result_note(run->result,
                "The model holds every value of the data, column by column, and %s: it is as confidential as the data. Draw from it with "
                "`scrim synth draw`.",
                ties);
}

/* Is anything said of how the column is drawn? Then it is. */
static Status said_of(Run *run, const SynthArgs *a, const Column *column, bool *out) {
    Status status = OK;
    *out = among(a->strata, column) || among(a->visit, column) || column == a->weight;
    for (int64_t i = 0; i < a->models.count; i++) *out |= !strcmp(a->models.at[i].name, column->name);
    for (int64_t i = 0; i < a->predictors.count; i++) {
        const Formula *formula;
        TRY(formula_parse(&run->work, a->data, a->predictors.at[i], &formula));
        for (int64_t k = 0; k < formula_columns(formula); k++) *out |= !strcmp(formula_column_at(formula, k), column->name);
    }
done:
    return status;
}

/* Columns that are sums of others are computed from them. A saved model draws them as any other. */
static Status find_identities(Run *run, const SynthArgs *a, Columns *columns, Identities *out) {
    Status status = OK;
    bool *fixed = NULL;
    Columns drawn = { 0 };
    if (a->save_model) return OK;
    NEW(&run->work, fixed, columns->count + 1);
    NEW(&run->work, drawn.at, columns->count + 1);
    for (int64_t j = 0; j < columns->count; j++) TRY(said_of(run, a, columns->at[j], &fixed[j]));
    TRY(identities_find(&run->work, *columns, fixed, out));
    for (int64_t j = 0; j < columns->count; j++)
        if (!identity_of(out, columns->at[j]->name)) drawn.at[drawn.count++] = columns->at[j];
    for (int64_t i = 0; i < out->count; i++)
        result_note(run->result, "%s in every record of the data: the column is computed from what is drawn.",
                    equation_text(&run->work, &out->at[i]));
    *columns = drawn;
done:
    return status;
}

Status whole_synthesis(Run *run, const SynthArgs *asked) {
    Status status = OK;
    SynthArgs own = *asked, *a = &own;
    Work *work = &run->work;
    Synthesis s = { 0 };
    Columns columns = { 0 };
    Identities identities = { 0 };
    ReplicatedUniques uniques = { 0 };
    Table *first = NULL;
    int64_t rows = a->n == ABSENT ? a->data->rows : a->n;
    TRY(check_saved(run, a));
    TRY(direct_leave_out(run, a));
    TRY(chosen_columns(run, a, &columns));
    TRY(protect_uniques(run, a, columns, &uniques));
    if (a->household) return linked_synthesis(run, a);
    if (a->n != ABSENT && a->strata.count)
        TRY(fail(work->error, BAD, "strata keep their sizes, so that --n cannot be given with --strata"));
    if (!a->data->rows && (rows || a->save_model)) TRY(fail(work->error, BAD, "the table is empty: nothing can be learned from it"));
    TRY(find_identities(run, a, &columns, &identities));
    TRY(synthesis_plan(&s, run, a, columns, a->strata));
    s.uniques = &uniques;
    s.identities = identities;
    TRY(direct_refuse_rules(run, a, &s.rules));
    TRY(choose_models(&s));
    TRY(synthesis_fit(&s));
    if (a->save_model) {
        TRY(trees_table(&s, &first));
        give_model(run, a, table_retain(first),
                   s.numbers ? "what regressions and trees say of their ties" : "which of them stand together in a leaf");
        goto done;
    }
    TRY(draw_tables(&s, rows, &first));
    say_protected(run, &uniques);
    TRY(report_models(&s, first));
    if (a->evaluate) TRY(evaluate(run, a->data, first, a->holdout, a->keys));
done:
    table_release(first);
    replicated_uniques_free(&uniques);
    synthesis_free(&s);
    return status;
}
