/* synth.full: synthetic samples of a synthetic population whose background variables are known for everyone (Rubin 1993). */
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "synth/engine/direct_columns.h"
#include "synth/engine/params.h"

static const Param params[] = {
    TABLE(SynthArgs, data, "The confidential sample", .flags = REQUIRED | POSITIONAL),
    TABLE(SynthArgs, frame, "The background variables of all N people of the population: columns that the sample has too",
          .flags = REQUIRED),
    COLUMNS(SynthArgs, vars, data, "Columns to synthesise (default: all that the frame lacks)"),
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "Records of each synthetic sample (default: as in the data)"),
    SYNTH_M,
    FLAG(SynthArgs, future, "Also synthesise the background variables: people of a future population"),
    SYNTH_METHOD,
    SYNTH_MODELS,
    SYNTH_VISIT("columns"),
    SYNTH_PREDICTORS,
    SYNTH_RULES,
    DIRECT_ROLES(data),
    SYNTH_STACKED,
    SYNTH_TREES,
    SYNTH_EVALUATE,
    ONLY_WITH("keys", "evaluate"),
    END,
};

/* Columns of the sample that the frame has, and those to draw. */
static Status part_columns(Run *run, const SynthArgs *a, Columns *background, Columns *drawn) {
    Status status = OK;
    Work *work = &run->work;
    NEW(work, background->at, a->data->columns + 1);
    NEW(work, drawn->at, a->data->columns + 1);
    for (int64_t j = 0; j < a->data->columns; j++) {
        const Column *column = a->data->column[j], *other = table_column(a->frame, column->name);
        bool named = false;
        for (int64_t k = 0; k < a->vars.count; k++) named |= a->vars.at[k] == column;
        if (other && named) {
            fail(work->error, BAD, "is known from the frame and cannot be synthesised");
            TRY(error_column(work->error, column->name));
        }
        if (other && column_numeric(column) != column_numeric(other)) {
            fail(work->error, BAD, "holds %s in the sample and %s in the frame", type_values(column->type), type_values(other->type));
            TRY(error_column(work->error, column->name));
        }
        if (other) background->at[background->count++] = column;
        else if (named || !a->vars.count) drawn->at[drawn->count++] = column;
    }
    if (!drawn->count) TRY(fail(work->error, BAD, "the frame has every column of the sample: nothing is left to synthesise"));
done:
    return status;
}

/* Columns of the sample, and others of the frame, that name people: neither drawn nor taken from the frame. */
static Status part_direct(Run *run, SynthArgs *a, Columns *background, Columns *drawn) {
    Status status = OK;
    DirectColumns sample, frame;
    Columns others = { 0 }, rest;
    TRY(direct_find(run, a, &sample));
    TRY(direct_part(run, a, &sample, *background, background));
    TRY(direct_part(run, a, &sample, *drawn, drawn));
    TRY(direct_say(run, a, &sample));
    if (!drawn->count) TRY(fail(run->work.error, BAD, "what the frame lacks names people or is free text: nothing is left to synthesise"));
    TRY(direct_guess(run, a, a->frame, &frame));
    NEW(&run->work, others.at, a->frame->columns + 1);
    for (int64_t j = 0; !a->future && j < a->frame->columns; j++)
        if (!table_column(a->data, a->frame->column[j]->name)) others.at[others.count++] = a->frame->column[j];
    SynthArgs of_frame = *a;
    of_frame.made_up = (Columns){ 0 };
    TRY(direct_part(run, &of_frame, &frame, others, &rest));
    TRY(direct_say(run, &of_frame, &frame));
    TRY(direct_part(run, a, &frame, of_frame.made_up, &rest));
done:
    return status;
}

static Status without_made_up(Run *run, const SynthArgs *a, Table **people) {
    Status status = OK;
    Table *rest = NULL;
    const char **names = NULL;
    NEW(&run->work, names, a->made_up.count + 1);
    int64_t count = 0;
    for (int64_t j = 0; j < a->made_up.count; j++)
        if (table_column(*people, a->made_up.at[j]->name)) names[count++] = a->made_up.at[j]->name;
    if (!count) return OK;
    TRY(table_without(*people, names, count, &rest, run->work.error));
    table_release(*people);
    *people = rest;
done:
    return status;
}

/* A simple random sample of the frame, without replacement; or synthetic people drawn from trees on it. */
static Status draw_people(Run *run, const SynthArgs *a, Columns background, int64_t rows, int64_t set, Table **out) {
    Status status = OK;
    Work *work = &run->work;
    char purpose[48], count[32];
    const char **names = NULL, *number = count;
    int64_t *order = NULL;
    Result *result = NULL;
    Table *frame = (Table *)(uintptr_t)a->frame;
    snprintf(purpose, sizeof purpose, "frame %lld", (long long)set);
    RandomStream stream = run_stream(run, NULL, purpose);
    if (!a->future) {
        NEW(work, order, a->frame->rows + 1);
        TRY(stream_permutation(work, &stream, a->frame->rows, order));
        return table_take(a->frame, order, rows, out, work->error);
    }
    NEW(work, names, background.count + 1);
    for (int64_t k = 0; k < background.count; k++) names[k] = background.at[k]->name;
    snprintf(count, sizeof count, "%lld", (long long)rows);
    Session session = *run->session;
    session.step = session.step * 1000 + set + 1; /* every set draws people of its own */
    Arg arg[] = { { .name = "data", .count = 1, .tables = &frame },
                  { .name = "vars", .count = background.count, .items = names },
                  { .name = "n", .count = 1, .items = &number },
                  { .name = "other", .count = background.count, .items = names } }; /* what names people is no background any more */
    const Method *cart = method_find("synth", "cart");
    TRY(method_run(&session, cart, &(Args){ 4, arg }, NULL, &result, work->error));
    *out = table_retain(result->output[0]);
done:
    result_free(result);
    return status;
}

static Status take_background(Synthesis *s, SyntheticTable *d, const Table *people) {
    Status status = OK;
    for (int64_t v = 0; v < s->variables; v++) {
        if (!s->known[v]) continue;
        const Column *column = table_column(people, s->variable[v].column->name);
        TRY(variable_states_of(&s->run->work, &s->variable[v], column, d->state[v]));
        for (int64_t i = 0; d->real[v] && i < d->rows; i++) d->real[v][i] = column_number(column, i);
    }
done:
    return status;
}

static Status full_run(Run *run, const void *p) {
    SynthArgs own = *(const SynthArgs *)p, *a = &own;
    Status status = OK;
    Work *work = &run->work;
    Synthesis s = { 0 };
    SyntheticTable draft = { 0 };
    Columns background = { 0 }, drawn = { 0 };
    Table **made = NULL, *people = NULL;
    int64_t *all = NULL, rows = a->n == ABSENT ? a->data->rows : a->n;
    TRY(part_columns(run, a, &background, &drawn));
    if (!a->data->rows) TRY(fail(work->error, BAD, "the sample is empty: nothing can be learned from it"));
    if (!a->future && rows > a->frame->rows) {
        fail(work->error, BAD, "the frame has %lld people, too few for samples of %lld", (long long)a->frame->rows, (long long)rows);
        TRY(error_parameter(work->error, a->n == ABSENT ? "frame" : "n"));
    }
    TRY(part_direct(run, a, &background, &drawn));
    TRY(synthesis_plan(&s, run, a, drawn, background));
    TRY(direct_refuse_rules(run, a, &s.rules));
    s.independent = true;
    TRY(choose_models(&s));
    TRY(synthesis_fit(&s));
    TRY(synthetic_table_make(&s, rows, &draft));
    NEW(work, all, rows + 1);
    NEW(work, made, a->m + 1);
    for (int64_t i = 0; i < rows; i++) all[i] = i;
    for (int64_t set = 0; set < a->m; set++) {
        TRY(draw_people(run, a, background, rows, set, &people));
        TRY(without_made_up(run, a, &people));
        TRY(take_background(&s, &draft, people));
        TRY(synthetic_table_set(&s, &draft, all, rows, NULL, set, people, &made[set]));
        table_release(people);
        people = NULL;
    }
    synthetic_table_drop(&s, &draft);
    TRY(report_outputs(run, a, made));
    TRY(report_models(&s, made[0]));
    if (a->evaluate) TRY(evaluate(run, a->data, made[0], a->holdout, a->keys));
    result_note(run->result,
                "Samples of %lld from a synthetic population of %lld. Combine estimates with `scrim synth combine --design full --n %lld "
                "--n-synthetic %lld`.",
                (long long)rows, (long long)a->frame->rows, (long long)a->data->rows, (long long)rows);
done:
    table_release(people);
    for (int64_t k = 0; made && k < a->m; k++) table_release(made[k]);
    synthesis_free(&s);
    return status;
}

static const Return values[] = {
    SYNTH_VALUES,
    EVALUATE_VALUES,
    END,
};

const Method synth_full = {
    .group = "synth",
    .name = "full",
    .summary = "Full synthesis: samples of a synthetic population, from a frame of background variables",
    .source = "Rubin 1993; Raghunathan, Reiter & Rubin 2003",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE | UNAUDITED,
    .run = full_run,
    .values = values,
    .example = "scrim synth full examples/clinic.csv --frame examples/population.csv --vars income,diagnosis,smoker --n 200 --m 2",
};
