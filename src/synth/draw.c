/* synth.draw: synthetic records from a model that --save-model wrote, where the data are not. */
#include "synth/engine/copula.h"
#include "synth/engine/direct_columns.h"
#include "synth/engine/params.h"
#include "synth/engine/saved_trees.h"

static const Param params[] = {
    TABLE(SynthArgs, model, "The model", .flags = REQUIRED | POSITIONAL),
    EXPR(SynthArgs, given, model, "Condition that all synthetic records satisfy, drawn conditionally by the model: sex == 'f' & age > 60"),
    SYNTH_RULES,
    DIRECT_ROLES(model),
    INT(SynthArgs, n, ABSENT, 1, 1000000000, "Records of each synthetic table (default: as in the data of the model)"),
    SYNTH_M,
    SYNTH_STACKED,
    END,
};

/* What a saved model holds: trees and regressions, or a copula. */
typedef struct Saved {
    Run *run;
    SynthArgs *args;
    Synthesis trees;
    Copula copula;
    bool is_copula;
    Table *values;
} Saved;

static Status read_model(Saved *m) {
    Status status = OK;
    m->is_copula = copula_saved(&m->run->work, m->args->model);
    if (!m->is_copula) return trees_read(&m->trees, m->run, m->args, &m->values);
    m->copula = (Copula){ .run = m->run, .args = m->args };
    TRY(copula_read(&m->copula, m->args->model, &m->values));
    m->args->data = m->values;
    if (m->args->rules) TRY(edit_rules_make(&m->run->work, m->args->rules, m->values, &m->copula.rules));
done:
    return status;
}

/* A model that was saved with columns that name people: their values are not put out. */
static Status hide_direct(Saved *m) {
    Status status = OK;
    SynthArgs *a = m->args;
    DirectColumns direct;
    Columns rest;
    TRY(direct_guess(m->run, a, m->values, &direct));
    TRY(direct_part(m->run, a, &direct, (Columns){ m->values->columns, (const Column **)m->values->column }, &rest));
    TRY(direct_refuse_expr(m->run, a, a->given, "given"));
    TRY(direct_refuse_rules(m->run, a, m->is_copula ? &m->copula.rules : &m->trees.rules));
    TRY(direct_say(m->run, a, &direct));
done:
    return status;
}

static Status draw_records(Saved *m, int64_t set, int64_t rows, Table **out) {
    Status status = OK;
    Work *work = &m->run->work;
    SyntheticTable draft = { 0 };
    int64_t *all = NULL;
    if (m->is_copula) return copula_draw(&m->copula, set, rows, out);
    TRY(synthetic_table_make(&m->trees, rows, &draft));
    NEW(work, all, rows + 1);
    for (int64_t i = 0; i < rows; i++) all[i] = i;
    TRY(synthetic_table_set(&m->trees, &draft, all, rows, NULL, set, NULL, out));
done:
    synthetic_table_drop(&m->trees, &draft);
    arena_drop(work->arena, all);
    return status;
}

enum { FIRST_DRAWS = 4096, FACTOR = 4, MOST_DRAWS = 1 << 21 };

/* The first `rows` of the records that were found; where there are fewer, each is taken about as often as the others. */
static Status take_found(Saved *m, const Table *drawn, int64_t *found, int64_t count, int64_t rows, Table **out) {
    Status status = OK;
    int64_t *taken = NULL, *order = NULL;
    RandomStream stream = run_stream(m->run, NULL, "given");
    NEW(&m->run->work, taken, rows + 1);
    NEW(&m->run->work, order, rows + 1);
    TRY(stream_permutation(&m->run->work, &stream, rows, order));
    for (int64_t i = 0; i < rows; i++) taken[i] = found[(count < rows ? order[i] : i) % count];
    TRY(table_take(drawn, taken, rows, out, m->run->work.error));
done:
    return status;
}

/* Rejection: records are drawn until enough satisfy the condition, so that these have the model's distribution given the condition. Up to
 * two million draws; after these, the records that were found have equal weights. */
static Status draw_given(Saved *m, int64_t set, int64_t rows, Table **out) {
    Status status = OK;
    Work *work = &m->run->work;
    Table *drawn = NULL;
    int64_t *found = NULL, count = 0, draws = rows < FIRST_DRAWS ? FIRST_DRAWS : rows;
    if (!m->args->given) return draw_records(m, set, rows, out);
    for (;; draws *= FACTOR) {
        uint8_t *mask = NULL;
        TRY(draw_records(m, set, draws, &drawn));
        TRY(expr_mask(work, m->args->given, drawn, &mask, NULL));
        NEW(work, found, draws + 1);
        count = 0;
        for (int64_t i = 0; i < draws; i++)
            if (mask[i]) found[count++] = i;
        if (count >= rows || draws * FACTOR > (rows < MOST_DRAWS ? MOST_DRAWS : rows)) break;
        arena_drop(work->arena, found);
        table_release(drawn);
        drawn = NULL;
    }
    if (!count) {
        fail(work->error, BAD, "none of %lld records drawn from the model satisfies the condition", (long long)draws);
        TRY(error_parameter(work->error, "given"));
    }
    if (count < rows)
        result_note(m->run->result, "Only %lld of %lld drawn records satisfy the condition: they are repeated.", (long long)count,
                    (long long)draws);
    if (!set) result_real(m->run->result, "accepted", (double)count / (double)draws);
    TRY(take_found(m, drawn, found, count, rows, out));
done:
    table_release(drawn);
    return status;
}

static Status draw_run(Run *run, const void *p) {
    Status status = OK;
    SynthArgs a = *(const SynthArgs *)p;
    Saved m = { .run = run, .args = &a };
    Table **made = NULL;
    NEW(&run->work, made, a.m + 1);
    TRY(read_model(&m));
    TRY(hide_direct(&m));
    for (int64_t set = 0; set < a.m; set++) TRY(draw_given(&m, set, a.n == ABSENT ? m.values->rows : a.n, &made[set]));
    TRY(report_outputs(run, &a, made));
    result_note(run->result,
                "Drawn from a saved model: no promise of differential privacy. It holds every value of the data it was made of.");
done:
    for (int64_t k = 0; made && k < a.m; k++) table_release(made[k]);
    synthesis_free(&m.trees);
    table_release(m.values);
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Records of each synthetic table", .flags = PUBLIC),
    VALUE(tables_made, INTEGER, "Synthetic tables", .flags = PUBLIC),
    VALUE(accepted, REAL, "With --given: share of the drawn records that satisfy the condition", .flags = PUBLIC),
    RELEASED("The synthetic table"),
    END,
};

const Method synth_draw = {
    .group = "synth",
    .name = "draw",
    .summary = "Synthetic data from a saved model",
    .source = "Reiter 2005; Rubin 1987; Cario & Nelson 1997",
    .params = params,
    .size = sizeof(SynthArgs),
    .traits = PERTURBS | RANDOM | ANEW | IDENTITY | ATTRIBUTE,
    .run = draw_run,
    .values = values,
    .example = "scrim synth draw examples/clinic-model.csv --n 100",
};
